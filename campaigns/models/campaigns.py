"""Campaigns, and the warbands in them."""

import secrets
import uuid
from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.clubs import Club, Membership, Role, clubs_of
from core.compiled_queries import CompiledIds
from core.models import Searchable
from core.queries import ids_of_any
from core.ruleset_words import translated_words
from core.users import OPEN_TO_ALL, User, Visibility
from rulebook.registry import shown_under, words_under
from rulebook.ruleset import VisibleNumbers, Words
from warbands.models import Warband
from warbands.signed import Signed


class CampaignState(models.TextChoices):
    """The stages of a campaign."""

    PLANNED = "planned", _("Planned")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")


class Format(models.TextChoices):
    """The kinds of campaigns."""

    LINKED = "linked", _("Campaign with experience")
    CLASSIC = "classic", _("Classic: 2 players, three small battles and a final")
    TABLE = "table", _("League: battles count in standings")


class CampaignQuerySet(models.QuerySet["Campaign"]):
    """Campaigns that users can see and run."""

    def visible_to(self, user: User) -> Self:
        """Return public and unlisted campaigns, and those of the user's clubs.

        Checks each campaign, which is fast for one campaign or those of one club. For a whole list
        use ``listed_for``.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        return self.filter(OPEN_TO_ALL | Q(club__in=clubs_of(user)))

    def listed_for(self, user: User) -> Self:
        """Return the campaigns that a list shows: as ``visible_to``, but without unlisted ones."""
        if not user.is_authenticated:
            return self.public()
        return self.filter(pk__in=_listed(user))

    def public(self) -> Self:
        """Return the public campaigns."""
        return self.filter(visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Return the campaigns of the user's clubs, public or not."""
        return self.filter(club__in=clubs_of(user)) if user.is_authenticated else self.none()

    def listed_in_club(self, user: User) -> Self:
        """Return the same as ``listed_for`` for one club, by checking each campaign."""
        public = Q(visibility=Visibility.PUBLIC)
        return self.filter(public | Q(club__in=clubs_of(user)) if user.is_authenticated else public)

    def running(self) -> Self:
        """Return the campaigns that have started and not ended."""
        return self.filter(state=CampaignState.RUNNING)

    def example(self) -> "Campaign | None":
        """Return the public campaign that the front page shows to visitors, or None."""
        return self.filter(example=True, visibility=Visibility.PUBLIC).first()

    def editable_by(self, user: User) -> Self:
        """Return the campaigns of clubs that the user organises."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(club__in=clubs_of(user, Role.ORGANISER))


@CompiledIds
def _listed(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(Campaign.objects.public(), Campaign.objects.known_to(user))


def fresh_seed() -> str:
    """Return 64 random hex digits."""
    return secrets.token_hex(32)


class Campaign(Searchable, Signed):
    """A linked series of battles in a club, under one rule system and its house rules."""

    signed = (
        "club",
        "name",
        "ruleset",
        "edition",
        "format",
        "state",
        "points",
        "games",
        "house_rules",
        "scoring",
        "visibility",
        "started_at",
        "finished_at",
        "reopened_at",
        "scenarios",
        "dice_seed",
        "lots",
        "follows",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="campaigns")
    name = models.CharField(max_length=100)
    story = models.TextField(blank=True, default="")
    ruleset = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    format = models.CharField(max_length=10, choices=Format, default=Format.LINKED)
    state = models.CharField(max_length=10, choices=CampaignState, default=CampaignState.PLANNED)
    points = models.PositiveIntegerField(null=True, blank=True)
    """Agreed points of each roster; None if the rules do not count points."""
    games = models.PositiveIntegerField(null=True, blank=True)
    """The number of games for each warband; None for no limit."""
    house_rules = models.JSONField(default=dict, blank=True)
    """House rules that differ from the defaults."""
    scoring = models.JSONField(default=dict, blank=True)
    """The scoring of the standings: points for a win, draw and loss, and the tie-breakers in order.
    """
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    reopened_at = models.DateTimeField(null=True, blank=True)
    """When it was last reopened after its end."""
    version = models.PositiveIntegerField(default=1)
    scenarios = models.JSONField(default=list, blank=True)
    """The keys of a classic campaign's small games, agreed on or drawn when it starts."""
    dice_seed = models.CharField(max_length=64, default=fresh_seed, editable=False)
    """The seed of a classic campaign's dice: secret until its orders are revealed."""
    lots = models.JSONField(default=list, blank=True)
    """Every roll of a classic campaign: its purpose, the number of faces and the number rolled."""

    follows = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="followed_by"
    )
    """The finished campaign that this one continues in a new season."""

    example = models.BooleanField(default=False, editable=False)
    """True if the front page shows it to visitors. At most one campaign per installation."""

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "id")
        indexes = (
            models.Index(
                fields=("visibility", "-created_at", "id"),
                condition=OPEN_TO_ALL,
                name="campaigns_open_newest_first",
            ),
            models.Index(fields=("-created_at", "id"), name="campaigns_newest_first"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("example",), condition=Q(example=True), name="one_example_campaign"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def shown(self) -> VisibleNumbers:
        """The numbers that its pages show, by its rules and house rules."""
        return shown_under(self.ruleset, self.edition, self.house_rules)

    @property
    def words(self) -> Words:
        """The rule system's terms, translated."""
        return translated_words(words_under(self.ruleset, self.edition))


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    """Enrolments that users can see and end."""

    def current(self) -> Self:
        """Return the enrolments of warbands that are still in the campaign."""
        return self.filter(left_at__isnull=True)

    def visible_to(self, user: User) -> Self:
        """Return the enrolments of campaigns that the user can see."""
        return self.filter(campaign__in=Campaign.objects.visible_to(user))

    def editable_by(self, user: User) -> Self:
        """Return the enrolments of the user's own and kept warbands and organised campaigns."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=_editable_enrolments(user))

    def played_by(self, user: User) -> Self:
        """Return the enrolments that the user plays, or whose warbands they own or keep."""
        return self.filter(pk__in=_own_enrolments(user))


@CompiledIds
def _own_enrolments(user: User) -> models.QuerySet[Any, Any]:
    reasons = ("player__user", "warband__owner", "warband__keeper")
    return ids_of_any(*(Enrolment.objects.filter(**{each: user.pk}) for each in reasons))


@CompiledIds
def _editable_enrolments(user: User) -> models.QuerySet[Any, Any]:
    organised = Enrolment.objects.filter(campaign__club__in=clubs_of(user, Role.ORGANISER))
    every = Enrolment.objects
    owned, kept = every.filter(warband__owner=user.pk), every.filter(warband__keeper=user.pk)
    return ids_of_any(owned, kept, organised)


class Enrolment(Signed):
    """A warband in a campaign, and the member who plays it."""

    signed = ("campaign", "warband", "player", "colour", "enrolled_at", "left_at", "overruled")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="enrolments")
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="enrolments")
    player = models.ForeignKey(Membership, models.PROTECT, related_name="enrolments")
    colour = models.CharField(max_length=7, default="#7a2e2e")
    enrolled_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    """When the warband withdrew, or when the campaign ended."""
    overruled = models.TextField(blank=True, default="")
    """Why an organiser entered the warband against the rules; empty if they allow its roster."""

    objects = EnrolmentQuerySet.as_manager()

    class Meta:
        ordering = ("campaign", "enrolled_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("warband",),
                condition=Q(left_at__isnull=True),
                name="warband_in_one_running_campaign",
            ),
            models.UniqueConstraint(
                fields=("campaign", "warband"), name="warband_once_per_campaign"
            ),
        )

    def __str__(self) -> str:
        return f"{self.warband} in {self.campaign}"
