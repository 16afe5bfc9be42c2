"""Addresses of the house's own pages."""

from django.urls import path

from config.pages import account, home, leaving, off_line, robots, theme

urlpatterns = [
    path("", home.home, name="home"),
    path("theme/", theme.choose_theme, name="theme"),
    path("service-worker.js", off_line.worker, name="service-worker"),
    path("off-line/", off_line.off_line, name="off-line"),
    path("robots.txt", robots.robots, name="robots"),
    path("favicon.ico", robots.favicon, name="favicon"),
    path("account/", account.account, name="account"),
    path("account/calendar/", account.make_calendar_link, name="make-calendar-link"),
    path("account/calendar/revoke/", account.revoke_calendar_link, name="revoke-calendar-link"),
    path("account/data/", leaving.data, name="own-data"),
    path("account/data/archive/", leaving.archive, name="own-data-archive"),
    path("account/deletion/", leaving.leave, name="delete-account"),
    path("account/tokens/", account.make_token, name="make-token"),
    path("account/tokens/<str:digest>/revoke/", account.revoke_token, name="revoke-token"),
]
