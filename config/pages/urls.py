"""Addresses of the house's own pages."""

from django.urls import path

from config.pages import account, home

urlpatterns = [
    path("", home.home, name="home"),
    path("account/", account.account, name="account"),
    path("account/calendar/", account.make_calendar_link, name="make-calendar-link"),
    path("account/calendar/revoke/", account.revoke_calendar_link, name="revoke-calendar-link"),
    path("account/tokens/", account.make_token, name="make-token"),
    path("account/tokens/<str:digest>/revoke/", account.revoke_token, name="revoke-token"),
]
