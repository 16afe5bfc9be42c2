"""URLs of clubs' home pages, club nights, calendars and activity logs, and of preferences."""

from django.urls import path

from home.views import audit_log, calendars, clubs, evenings, home

app_name = "home"

urlpatterns = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/found/", clubs.create_club, name="found"),
    path("clubs/<uuid:pk>/", clubs.club, name="club"),
    path("clubs/<uuid:pk>/change/", clubs.change_club, name="change-club"),
    path("clubs/<uuid:pk>/seasons/", clubs.seasons, name="seasons"),
    path("clubs/<uuid:pk>/audit/", audit_log.audit, name="audit"),
    path("clubs/<uuid:pk>/audit.csv", audit_log.audit_file, name="audit-file"),
    path("clubs/<uuid:pk>/calendar/", calendars.club_month, name="calendar"),
    path("clubs/<uuid:pk>/calendar.ics", calendars.club_feed, name="club-feed"),
    path("campaigns/<uuid:pk>/calendar.ics", calendars.campaign_feed, name="campaign-feed"),
    path("calendar.ics", calendars.own_feed, name="own-feed"),
    path("clubs/<uuid:pk>/evenings/", evenings.make, name="make-evenings"),
    path("evenings/<uuid:pk>/", evenings.evening, name="evening"),
    path("evenings/<uuid:pk>/answer/", evenings.answer, name="answer-evening"),
    path("evenings/<uuid:pk>/change/", evenings.change, name="change-evening"),
    path("evenings/<uuid:pk>/cancel/", evenings.cancel, name="cancel-evening"),
    path("evenings/<uuid:pk>/restore/", evenings.restore, name="restore-evening"),
    path("account/mail/", home.preferences, name="preferences"),
    path("account/devices/", home.add_device, name="add-device"),
    path("account/devices/<uuid:device_id>/remove/", home.remove_device, name="remove-device"),
    path("language/", home.choose_language, name="speak"),
    path("inbox/dismiss/", home.dismiss, name="dismiss"),
    path("unsubscribe/<str:token>/", home.unsubscribe, name="unsubscribe"),
]
