from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """The play of a campaign: rounds and fixtures, classic campaigns, honours and history."""

    name = "leagues"
