"""URLs of documents."""

from django.urls import path

from documents import views

app_name = "documents"

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents/ask/", views.ask, name="ask"),
    path("documents/<uuid:pk>/", views.document, name="document"),
    path("documents/<uuid:pk>/file/", views.file, name="file"),
    path("documents/<uuid:pk>/retry/", views.retry, name="retry"),
]
