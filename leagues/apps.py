from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """A campaign as it is played: rounds and fixtures, classic campaigns, honours and history."""

    name = "leagues"
