"""The journal of a campaign: entries that members write, shown among those of the campaign log."""

import uuid
from typing import Self

from django.db import models

from campaigns.models.campaigns import Campaign
from clubs.models.clubs import Membership, Role, clubs_of
from core.queries import ids_of_any
from core.users import User
from warbands.signed import Signed


class JournalQuerySet(models.QuerySet["JournalEntry"]):
    """Journal entries that users can read and change."""

    def visible_to(self, user: User) -> Self:
        """Return the entries of campaigns that the user can see."""
        return self.filter(campaign__in=Campaign.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return entries of the user or of campaigns they organise, except removed ones."""
        if not user.is_authenticated:
            return self.none()
        organised = JournalEntry.objects.filter(campaign__club__in=clubs_of(user, Role.ORGANISER))
        own_entries = JournalEntry.objects.filter(author__user=user.pk)
        return self.filter(pk__in=ids_of_any(own_entries, organised), removed_at__isnull=True)


class JournalEntry(Signed):
    """An entry that a member wrote.

    A removed entry has no text, but the journal still shows that there was one.
    """

    signed = ("campaign", "author", "text", "on", "written_at", "edited_at", "removed_at")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="journal")
    author = models.ForeignKey(Membership, models.PROTECT, related_name="journal_entries")
    text = models.TextField(blank=True, default="")
    on = models.DateField()
    """The day that the entry is about."""
    written_at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)

    objects = JournalQuerySet.as_manager()

    class Meta:
        ordering = ("-written_at", "id")
        verbose_name_plural = "journal entries"
        indexes = (models.Index(fields=("campaign", "-written_at"), name="journal_of_campaign"),)

    def __str__(self) -> str:
        return f"{self.campaign}, {self.on}"
