"""URLs of warbands and fighters."""

from django.urls import path

from warbands.views import building, drafts, fighters, roster_order, spreadsheets, warbands

app_name = "warbands"

urlpatterns = [
    path("warbands/", warbands.warbands, name="warbands"),
    path("warbands/muster/", warbands.muster, name="muster"),
    path("warbands/from-spreadsheet/", spreadsheets.as_new, name="from-spreadsheet"),
    path("warbands/<uuid:pk>/", warbands.warband, name="warband"),
    path("warbands/<uuid:pk>/chronicle/", warbands.chronicle, name="chronicle"),
    path("warbands/<uuid:pk>/change/", warbands.change, name="change"),
    path("warbands/<uuid:pk>/copy/", warbands.copy, name="copy"),
    path("warbands/<uuid:pk>/archive/", warbands.archive, name="archive"),
    path("warbands/<uuid:pk>/build/", drafts.build, name="build"),
    path("templates/<uuid:pk>/delete/", drafts.drop_template, name="drop-template"),
    path(
        "warbands/<uuid:pk>/recruit/<slug:faction>/<slug:profile>/",
        building.recruit,
        name="recruit",
    ),
    path("warbands/<uuid:pk>/spreadsheet/", spreadsheets.onto_roster, name="spreadsheet"),
    path("warbands/<uuid:pk>/roster.csv", spreadsheets.roster, name="roster-csv"),
    path("warbands/<uuid:pk>/furnish/", building.furnish, name="furnish"),
    path("warbands/<uuid:pk>/arrange/", roster_order.arrange, name="arrange"),
    path("warbands/<uuid:pk>/posts/", building.posts, name="posts"),
    path("fighters/<uuid:pk>/", fighters.fighter, name="fighter"),
    path("fighters/<uuid:pk>/equip/", building.equip, name="equip"),
    path("fighters/<uuid:pk>/change/", fighters.change, name="change-fighter"),
    path("fighters/<uuid:pk>/leave/", fighters.leave, name="leave"),
    path("fighters/<uuid:pk>/adjust/", fighters.adjust, name="adjust"),
    path("fighters/<uuid:pk>/rank-ups/", fighters.rank_ups, name="rank-ups"),
    path("fighters/<uuid:pk>/rank-ups/undo/", fighters.undo, name="undo-rank-up"),
    path("rulesets/<slug:ruleset>/<slug:faction>.csv", spreadsheets.empty, name="roster-template"),
]
