"""URLs of documents."""

from django.urls import path

from documents import previews, views
from documents.content.link_cards import LinkSubject

app_name = "documents"

urlpatterns = [
    path("documents/", views.documents, name="documents"),
    path("documents/ask/", views.ask, name="ask"),
    path("documents/<uuid:pk>/", views.document, name="document"),
    path("documents/<uuid:pk>/file/", views.file, name="file"),
    *(
        path(f"{each}s/<uuid:pk>/card.png", previews.card, {"subject": each}, f"{each}-card")
        for each in LinkSubject
    ),
    path("battles/<uuid:pk>/card.png", previews.battle_card, name="battle-card"),
    path("documents/<uuid:pk>/retry/", views.retry, name="retry"),
]
