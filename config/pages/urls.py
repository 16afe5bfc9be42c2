"""Addresses of the house's own pages."""

from django.urls import path

from config.pages import account, home

urlpatterns = [
    path("", home.home, name="home"),
    path("account/", account.account, name="account"),
    path("account/tokens/", account.make_token, name="make-token"),
    path("account/tokens/<str:digest>/revoke/", account.revoke_token, name="revoke-token"),
]
