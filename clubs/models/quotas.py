"""Quotas of clubs that differ from those of the installation."""

from django.db import models

from clubs.models.clubs import Club


class ClubQuota(models.Model):
    """The limits of one club. An empty limit means that of the installation, and 0 means none.

    It is also what is locked while something is added to the club, so the first one adds the row.
    """

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="quota")
    documents = models.PositiveIntegerField(null=True, blank=True)
    """The number of documents."""
    pictures = models.PositiveIntegerField(null=True, blank=True)
    """The number of pictures."""
    megabytes = models.PositiveIntegerField(null=True, blank=True)
    """The room for both, in megabytes."""

    def __str__(self) -> str:
        return f"Quota of {self.club}"
