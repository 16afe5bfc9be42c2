"""URLs of exports, imports, passports and keys."""

from django.urls import path

from exchange.views import exports, imports, keys, passports

app_name = "exchange"

urlpatterns = [
    path("keys/", keys.keys, name="keys"),
    path("keys/own/", keys.own_file, name="own-key"),
    path("keys/trust/", keys.trust, name="trust"),
    path("keys/<uuid:pk>/withdraw/", keys.withdraw, name="withdraw"),
    path("clubs/<uuid:pk>/keys/", keys.of_club, name="club-keys"),
    path("clubs/<uuid:pk>/keys/trust/", keys.trust_in_club, name="trust-in-club"),
    path("warbands/<uuid:pk>/passport/", passports.of_warband, name="warband-passport"),
    path("fighters/<uuid:pk>/passport/", passports.of_fighter, name="fighter-passport"),
    path("passports/", passports.passports, name="passports"),
    path("passports/<uuid:pk>/", passports.passport, name="passport"),
    path("passports/<uuid:pk>/take-on/", passports.take, name="take-on"),
    path("archives/", exports.archives, name="archives"),
    path("exports/ask/", exports.ask, name="ask"),
    path("exports/<uuid:pk>/", exports.export, name="export"),
    path("exports/<uuid:pk>/file/", exports.file, name="file"),
    path("exports/<uuid:pk>/tables/<slug:name>/", exports.table, name="table"),
    path("imports/", imports.upload, name="upload"),
    path("imports/<uuid:pk>/", imports.brought, name="import"),
    path("imports/<uuid:pk>/people/", imports.people, name="people"),
    path("imports/<uuid:pk>/carry-out/", imports.carry, name="carry-out"),
]
