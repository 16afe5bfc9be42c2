"""Addresses of clubs and campaigns."""

from django.urls import path

from campaigns.views import calendars, campaigns, clubs, enrolments, evenings, invitations, members, planning

app_name = "campaigns"

urlpatterns = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/found/", clubs.found, name="found"),
    path("clubs/<uuid:pk>/", clubs.club, name="club"),
    path("clubs/<uuid:pk>/change/", clubs.change_club, name="change-club"),
    path("clubs/<uuid:pk>/guests/", members.guest, name="guest"),
    path("clubs/<uuid:pk>/invite/", invitations.invite_people, name="invite"),
    path("clubs/<uuid:pk>/plan/", planning.plan, name="plan"),
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
    path("members/<uuid:pk>/", members.member, name="member"),
    path("members/<uuid:pk>/role/", members.role, name="role"),
    path("members/<uuid:pk>/remove/", members.remove, name="remove-member"),
    path("invitations/<uuid:pk>/revoke/", invitations.revoke, name="revoke"),
    path("clubs/<uuid:pk>/invitations/", invitations.invitations, name="invitations"),
    path("invitations/<uuid:pk>/", invitations.invitation, name="invitation"),
    path("join/", invitations.join, name="join"),
    path("join/sign-up/", invitations.sign_up, name="join-sign-up"),
    path("join/accept/", invitations.accept, name="accept"),
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/<uuid:pk>/", campaigns.campaign, name="campaign"),
    path("campaigns/<uuid:pk>/warbands/", campaigns.warbands, name="warbands"),
    path("campaigns/<uuid:pk>/log/", campaigns.log, name="log"),
    path("campaigns/<uuid:pk>/standings/", campaigns.standings, name="standings"),
    path("campaigns/<uuid:pk>/honours/", campaigns.honours, name="honours"),
    path("campaigns/<uuid:pk>/settings/", campaigns.settings, name="settings"),
    path("campaigns/<uuid:pk>/change/", planning.change, name="change"),
    path("campaigns/<uuid:pk>/scoring/", planning.scoring, name="scoring"),
    path("campaigns/<uuid:pk>/house-rules/", planning.house_rules, name="house-rules"),
    path("campaigns/<uuid:pk>/begin/", planning.begin, name="begin"),
    path("campaigns/<uuid:pk>/start/", planning.start, name="start"),
    path("campaigns/<uuid:pk>/finish/", planning.finish, name="finish"),
    path("campaigns/<uuid:pk>/cancel/", planning.cancel, name="cancel"),
    path("campaigns/<uuid:pk>/enrol/", enrolments.enrol, name="enrol"),
    path("enrolments/<uuid:pk>/colour/", enrolments.colour, name="colour"),
    path("enrolments/<uuid:pk>/withdraw/", enrolments.withdraw, name="withdraw"),
]
