"""Addresses of the inbox. The inbox itself stands on the first page."""

from django.urls import path

from inbox import views

app_name = "inbox"

urlpatterns = [
    path("account/mail/", views.preferences, name="preferences"),
    path("account/devices/", views.add_device, name="add-device"),
    path("account/devices/<uuid:device_id>/remove/", views.remove_device, name="remove-device"),
    path("language/", views.speak, name="speak"),
    path("inbox/dismiss/", views.dismiss, name="dismiss"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
