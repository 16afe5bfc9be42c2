"""URLs of campaigns: planning, enrolments, journal, transfers, merges of members."""

from django.urls import path

from campaigns.views import enrolments, hand_overs, journal, merges, planning

app_name = "campaigns"

urlpatterns = [
    path("clubs/<uuid:pk>/plan/", planning.plan, name="plan"),
    path("members/<uuid:pk>/merge/", merges.merge, name="merge"),
    path("merges/<uuid:pk>/undo/", merges.undo, name="undo-merge"),
    path("campaigns/<uuid:pk>/journal/", journal.write, name="journal"),
    path("journal/<uuid:pk>/change/", journal.change, name="change-entry"),
    path("journal/<uuid:pk>/remove/", journal.remove, name="remove-entry"),
    path("campaigns/<uuid:pk>/change/", planning.change, name="change"),
    path("campaigns/<uuid:pk>/scoring/", planning.scoring, name="scoring"),
    path("campaigns/<uuid:pk>/house-rules/", planning.house_rules, name="house-rules"),
    path("campaigns/<uuid:pk>/begin/", planning.begin, name="begin"),
    path("campaigns/<uuid:pk>/start/", planning.start, name="start"),
    path("campaigns/<uuid:pk>/reopen/", planning.reopen, name="reopen"),
    path("campaigns/<uuid:pk>/cancel/", planning.cancel, name="cancel"),
    path("campaigns/<uuid:pk>/follow/", planning.follow, name="follow"),
    path("campaigns/<uuid:pk>/carry-on/", enrolments.carry_on, name="carry-on"),
    path("campaigns/<uuid:pk>/enrol/", enrolments.enrol, name="enrol"),
    path("enrolments/<uuid:pk>/colour/", enrolments.colour, name="colour"),
    path("warbands/<uuid:pk>/hand-over/", hand_overs.hand_over, name="hand-over"),
    path("hand-overs/<uuid:pk>/", hand_overs.offer, name="offer"),
    path("hand-overs/<uuid:pk>/accept/", hand_overs.accept, name="accept-offer"),
    path("hand-overs/<uuid:pk>/decline/", hand_overs.decline, name="decline-offer"),
    path("hand-overs/<uuid:pk>/withdraw/", hand_overs.withdraw, name="withdraw-offer"),
]
