"""URLs of a campaign, its rounds and fixtures."""

from django.urls import path

from leagues.views import campaign, classic, ending, fixtures, planning, shared

app_name = "leagues"

urlpatterns = [
    path("campaigns/<uuid:pk>/fixtures/", fixtures.fixtures, name="fixtures"),
    path("campaigns/<uuid:pk>/rounds/", fixtures.make, name="make-rounds"),
    path("rounds/<uuid:pk>/", fixtures.change_round, name="round"),
    path("rounds/<uuid:pk>/delete/", fixtures.delete, name="delete-round"),
    path("rounds/<uuid:pk>/add/", fixtures.add, name="add-fixture"),
    path("rounds/<uuid:pk>/challenge/", fixtures.dare, name="challenge"),
    path("fixtures/<uuid:pk>/", fixtures.change_fixture, name="fixture"),
    path("fixtures/<uuid:pk>/walkover/", fixtures.walkover, name="walkover"),
    path("fixtures/<uuid:pk>/swap/", fixtures.swap, name="swap"),
    path("fixtures/<uuid:pk>/battle/", fixtures.link, name="link"),
    path("fixtures/<uuid:pk>/delete/", fixtures.strike, name="delete-fixture"),
    path("enrolments/<uuid:pk>/fixtures/", fixtures.late, name="latecomer"),
    path("campaigns/<uuid:pk>/classic/", classic.classic, name="classic"),
    path("campaigns/<uuid:pk>/order/", classic.seal, name="seal"),
    path("campaigns/<uuid:pk>/final/", classic.final, name="final"),
    path("campaigns/<uuid:pk>/again/", classic.again, name="again"),
    path("battles/plan/", planning.plan, name="plan"),
    path("campaigns/<uuid:pk>/finish/", ending.finish, name="finish"),
    path("enrolments/<uuid:pk>/withdraw/", ending.withdraw, name="withdraw"),
    path("campaigns/", campaign.campaigns, name="campaigns"),
    path("campaigns/<uuid:pk>/", campaign.campaign, name="campaign"),
    path("campaigns/<uuid:pk>/warbands/", campaign.warbands, name="warbands"),
    path("campaigns/<uuid:pk>/log/", campaign.log, name="log"),
    path("campaigns/<uuid:pk>/standings/", campaign.standings, name="standings"),
    path("campaigns/<uuid:pk>/standings.json", shared.standings_json, name="standings-json"),
    path("campaigns/<uuid:pk>/standings.csv", shared.standings_csv, name="standings-csv"),
    path("embed/campaigns/<uuid:pk>/", shared.embedded_standings, name="embedded-standings"),
    path("campaigns/<uuid:pk>/results.atom", shared.results_feed, name="results-feed"),
    path("campaigns/<uuid:pk>/honours/", campaign.honours, name="honours"),
    path("campaigns/<uuid:pk>/settings/", campaign.settings, name="settings"),
]
