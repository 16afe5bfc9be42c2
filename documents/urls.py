"""URLs of documents."""

from django.urls import path

from documents import previews, views

app_name = "documents"

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents/ask/", views.ask, name="ask"),
    path("documents/<uuid:pk>/", views.document, name="document"),
    path("documents/<uuid:pk>/file/", views.file, name="file"),
    path("campaigns/<uuid:pk>/card.png", previews.campaign_card, name="campaign-card"),
    path("battles/<uuid:pk>/card.png", previews.battle_card, name="battle-card"),
    path("documents/<uuid:pk>/retry/", views.retry, name="retry"),
]
