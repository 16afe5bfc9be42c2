"""The history of a club from before Muster: results, champions, deaths and members."""

import uuid
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club, Membership, Role, clubs_of
from core.users import User


class PastKind(models.TextChoices):
    """The kind of an imported fact."""

    RESULT = "result", _("Result")
    CHAMPION = "champion", _("Champion")
    DEATH = "death", _("Death")
    MEMBER = "member", _("Member")


class PastOutcome(models.TextChoices):
    """The outcome of an imported result for its player."""

    WON = "won", _("Won")
    DREW = "drew", _("Drew")
    LOST = "lost", _("Lost")


class HistoryImportQuerySet(models.QuerySet["HistoryImport"]):
    """Imports by what a user may see and change."""

    def visible_to(self, user: User) -> Self:
        """Return the imports of clubs that the user can see."""
        return self.filter(club__in=Club.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return the imports of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


class HistoryImport(models.Model):
    """A spreadsheet of old seasons that was imported. Deleting it deletes its facts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="history_imports")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    number = models.PositiveIntegerField()
    """The number of its facts."""
    counted = models.BooleanField(default=True)
    """True if the club's all-time records count its results. The same for all of a club."""

    objects = HistoryImportQuerySet.as_manager()

    class Meta:
        ordering = ("-made_at", "id")

    def __str__(self) -> str:
        return f"{self.club}: {self.made_at:%Y-%m-%d}"


class PastFact(models.Model):
    """A row of an imported spreadsheet. Names are as the spreadsheet has them.

    Of a result, ``player`` and ``opponent`` are the players; of a death, ``fighter`` died.
    """

    id = models.BigAutoField(primary_key=True)
    batch = models.ForeignKey(HistoryImport, models.CASCADE, related_name="facts")
    row = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=PastKind)
    season = models.CharField(max_length=100, blank=True, default="")
    day = models.DateField(null=True, blank=True)
    player = models.CharField(max_length=80, blank=True, default="")
    member = models.ForeignKey(
        Membership, models.SET_NULL, null=True, blank=True, related_name="past_facts"
    )
    """The member of that name at the time of the import; None if there was none."""
    warband = models.CharField(max_length=100, blank=True, default="")
    score = models.IntegerField(null=True, blank=True)
    opponent = models.CharField(max_length=80, blank=True, default="")
    opponent_member = models.ForeignKey(
        Membership, models.SET_NULL, null=True, blank=True, related_name="past_games"
    )
    opponent_warband = models.CharField(max_length=100, blank=True, default="")
    opponent_score = models.IntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=5, choices=PastOutcome, blank=True, default="")
    fighter = models.CharField(max_length=100, blank=True, default="")
    note = models.CharField(max_length=300, blank=True, default="")

    class Meta:
        ordering = ("batch", "row")
        indexes = (models.Index(fields=("batch", "season", "kind"), name="past_facts_by_season"),)

    def __str__(self) -> str:
        return f"{self.season} {self.kind}: {self.player or self.fighter}"
