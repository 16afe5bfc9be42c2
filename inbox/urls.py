"""Addresses of the inbox. The inbox itself stands on the first page."""

from django.urls import path

from inbox import views

app_name = "inbox"

urlpatterns = [
    path("account/mail/", views.preferences, name="preferences"),
    path("inbox/dismiss/", views.dismiss, name="dismiss"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
