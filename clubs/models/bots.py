"""The accounts of clubs' programs."""

from django.conf import settings
from django.db import models

from clubs.models.clubs import Club


class ClubBot(models.Model):
    """The account that a club's programs use. Nobody can sign in with it: it has only tokens."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="bot")
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_bot")

    def __str__(self) -> str:
        return f"Bot of {self.club}"
