"""URLs of rule systems."""

from django.urls import path

from reference import views

app_name = "reference"

urlpatterns = [
    path("rulesets/", views.systems, name="rulesets"),
    path("rulesets/<slug:ruleset>/", views.rules, name="rules"),
    path("rulesets/<slug:ruleset>/ask/<slug:calculator>/", views.ask, name="ask"),
]
