"""URLs of webhooks."""

from django.urls import path

from outbox import interactions, views

app_name = "outbox"

urlpatterns = [
    path("clubs/<uuid:pk>/webhooks/", views.webhooks, name="webhooks"),
    path("webhooks/<uuid:pk>/", views.webhook, name="webhook"),
    path("webhooks/<uuid:pk>/change/", views.change, name="change-webhook"),
    path("webhooks/<uuid:pk>/pause/", views.pause, name="pause-webhook"),
    path("webhooks/<uuid:pk>/remove/", views.remove, name="remove-webhook"),
    path("account/discord/", views.discord_account, name="discord-account"),
    path("discord/interactions/", interactions.interactions, name="discord-interactions"),
    path("deliveries/<uuid:pk>/again/", views.again, name="send-again"),
]
