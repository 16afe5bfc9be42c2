"""Warbands, their fighters, and the chronicle that makes them what they are.

``Warband`` and ``Fighter`` are projections: the replay of ``ChronicleEntry`` rows.
``warbands.services.chronicle`` alone writes them.
"""

import uuid
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import ngettext

from core.models import PlainJSONField, Searchable
from core.queries import ids_of_any
from core.ruleset_words import translated_words
from core.users import OPEN_TO_ALL, User, Visibility
from rulebook.registry import shown_under, words_under
from rulebook.ruleset import VisibleNumbers, Words
from warbands.signed import Signed


class WarbandQuerySet(models.QuerySet["Warband"]):
    """Who may see and touch warbands, and what each page needs."""

    def visible_to(self, user: User) -> Self:
        """Public and unlisted ones, one's own, and those in campaigns of one's clubs.

        Asks each warband: right for one warband, or those of one campaign. For a whole list see
        ``listed_for``.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        comrades = _of_this_warband(enrolments__campaign__club__memberships__user=user.pk)
        return self.filter(OPEN_TO_ALL | Q(owner=user.pk) | Q(keeper=user.pk) | Exists(comrades))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without what is merely unlisted."""
        return self._open_or_known(Q(visibility=Visibility.PUBLIC), user)

    def public(self) -> Self:
        """Those that everybody may see listed."""
        return self.filter(visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Those that one sees whether they are public or not: one's own, and those in campaigns of
        one's clubs."""
        return (
            self.filter(pk__in=ids_of_any(*_known_ids(user)))
            if user.is_authenticated
            else self.none()
        )

    def all_visible_to(self, user: User) -> Self:
        """As ``visible_to``, by lists of ids: for lists of what belongs to warbands."""
        return self._open_or_known(OPEN_TO_ALL, user)

    def all_editable_by(self, user: User) -> Self:
        """As ``editable_by``, by lists of ids: for lists of what belongs to warbands."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(
            pk__in=ids_of_any(*_own(user), Warband.objects.filter(**_organised(user)))
        )

    def _open_or_known(self, open_to_all: Q, user: User) -> Self:
        """Those that anybody may see, one's own, and those in campaigns of one's clubs."""
        if not user.is_authenticated:
            return self.filter(open_to_all)
        return self.filter(
            pk__in=ids_of_any(Warband.objects.filter(open_to_all), *_known_ids(user))
        )

    def of_club_mates(self, user: User) -> Self:
        """Those of the people with whom one plays in a club, whoever else may see them.

        For planning a battle alone: of a private one nothing may be shown but its name, its owner,
        its rule system and its points (docs/decisions/one-off-battles.md). Spectators neither
        challenge nor are challenged.
        """
        if not user.is_authenticated:
            return self.none()
        players = ("organiser", "player")
        mates = [
            Warband.objects.filter(
                **{
                    f"{whose}__memberships__role__in": players,
                    f"{whose}__memberships__club__memberships__user": user.pk,
                    f"{whose}__memberships__club__memberships__role__in": players,
                }
            )
            for whose in ("owner", "keeper")
        ]
        return self.filter(pk__in=ids_of_any(*mates))

    def challengeable_by(self, user: User) -> Self:
        """Those that one may name for a one-off battle: what one may see, and those of club
        mates."""
        if not user.is_authenticated:
            return self.visible_to(user)
        every = Warband.objects
        return self.filter(pk__in=ids_of_any(every.all_visible_to(user), every.of_club_mates(user)))

    def editable_by(self, user: User) -> Self:
        """One's own, those one keeps for a player without an account, and those in campaigns one
        organises.

        Asks each warband, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        return self.filter(Q(owner=user.pk) | Q(keeper=user.pk) | Exists(_organised_by(user)))

    def organised_by(self, user: User) -> Self:
        """Where one may overrule the book, with a reason: in campaigns one organises; outside any,
        one's own.

        Asks each warband, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        enrolled = _of_this_warband(enrolments__left_at__isnull=True, enrolments__isnull=False)
        own_warbands = Q(owner=user.pk) | Q(keeper=user.pk)
        return self.filter((own_warbands & ~Exists(enrolled)) | Exists(_organised_by(user)))


def _own(user: User) -> "tuple[models.QuerySet[Warband], models.QuerySet[Warband]]":
    """Those that a user owns, and those that a user keeps for a player without an account."""
    return Warband.objects.filter(owner=user.pk), Warband.objects.filter(keeper=user.pk)


def _known_ids(user: User) -> "tuple[models.QuerySet[Warband], ...]":
    """One's own, and those in campaigns of one's clubs."""
    comrades = Warband.objects.filter(enrolments__campaign__club__memberships__user=user.pk)
    return *_own(user), comrades


def _of_this_warband(**enrolled: Any) -> "models.QuerySet[Warband]":
    """The warband of the outer query, if it is enrolled so."""
    return Warband.objects.filter(pk=OuterRef("pk")).filter(**enrolled)


def _organised_by(user: User) -> "models.QuerySet[Warband]":
    """The warband of the outer query, if it is in a campaign that a user organises."""
    return _of_this_warband(**_organised(user))


def _organised(user: User) -> dict[str, Any]:
    """What is true of a warband that is in a campaign which a user organises."""
    return {
        "enrolments__left_at__isnull": True,
        "enrolments__campaign__club__memberships__user": user.pk,
        "enrolments__campaign__club__memberships__role": "organiser",
    }


class Warband(Searchable, Signed):
    """Everything that a player owns in a campaign: the master roster. Its numbers are the replay of
    its chronicle."""

    signed = ("owner", "keeper", "visibility", "archived_at")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="warbands"
    )
    keeper = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="kept_warbands",
    )
    """Who looks after the warband of a player without an account."""
    name = models.CharField(max_length=100)
    ruleset = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    faction = models.CharField(max_length=60)
    visibility = models.CharField(max_length=10, choices=Visibility, default=Visibility.PRIVATE)
    story = models.TextField(blank=True, default="")
    points = models.PositiveIntegerField(default=0)
    fighter_count = models.PositiveIntegerField(default=0)
    experience = models.IntegerField(default=0)
    """Experience earned by all its fighters together, spent or not."""
    state = PlainJSONField(default=dict)
    """The replay's ``WarbandState`` without its fighters."""
    sequence = models.PositiveIntegerField(default=0)
    head_seal = models.CharField(max_length=64, default="")
    head_signature = models.CharField(max_length=64, default="", editable=False)
    """Of the chronicle's length and last seal, by the installation's key
    (docs/decisions/keyed-seals.md)."""
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = WarbandQuerySet.as_manager()

    class Meta:
        ordering = ("name", "id")
        indexes = (
            models.Index(fields=("ruleset", "faction"), name="warband_ruleset_faction"),
            models.Index(
                fields=("visibility", "name", "id"),
                condition=OPEN_TO_ALL,
                name="warbands_open_by_name",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def in_a_choice(self) -> str:
        """How a list to choose from names it."""
        if not self.shown.points:
            return self.name
        sentence = ngettext(
            "%(name)s, %(points)s point", "%(name)s, %(points)s points", self.points
        )
        return sentence % {"name": self.name, "points": self.points}

    @property
    def shown(self) -> VisibleNumbers:
        """Which numbers its pages show, by its rules and the house rules that it serves on."""
        return shown_under(self.ruleset, self.edition, self.state.get("settings", {}))

    @property
    def words(self) -> Words:
        """How people name things under its rules."""
        return translated_words(words_under(self.ruleset, self.edition))

    @property
    def locked(self) -> bool:
        """Whether the roster is in play, or has been, so that only the rules change it."""
        fought = any(self.state.get(outcome) for outcome in ("won", "drawn", "lost"))
        return fought or self.state.get("campaign") is not None


class Fighter(Searchable):
    """One row of a roster, as the chronicle has made it."""

    found_by = ("name", "profile_name")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="fighters")
    name = models.CharField(max_length=100)
    profile_name = models.CharField(max_length=100)
    rank = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()
    experience = models.IntegerField(default=0)
    fate = models.CharField(max_length=12)
    battles = models.PositiveIntegerField(default=0)
    place = models.PositiveIntegerField(default=0)
    """Where it stands on the roster."""
    condition = PlainJSONField(default=dict)
    """What it carries from battle to battle, as its rule system wrote it; empty where nothing is
    carried."""
    state = PlainJSONField(default=dict)
    """The replay's ``FighterState``."""
    story = models.TextField(blank=True, default="")

    class Meta:
        ordering = ("warband", "place", "id")
        indexes = (models.Index(fields=("warband", "fate"), name="fighter_warband_fate"),)

    def __str__(self) -> str:
        return self.name


class ChronicleEntry(models.Model):
    """One fact, as it was recorded. Never changed, never deleted: triggers in the database refuse
    both."""

    id = models.BigAutoField(primary_key=True)
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="chronicle")
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = PlainJSONField()
    subject = models.UUIDField(null=True, db_index=True)
    """The battle or campaign that the fact speaks of."""
    recorded_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    recorded_as = models.CharField(max_length=80, null=True, editable=False)
    """When and by whom it was recorded, as the seal says it, where that was on another
    installation: there ``recorded_by`` was somebody else's number. None for what was recorded
    here."""
    previous_seal = models.CharField(max_length=64)
    seal = models.CharField(max_length=64)

    class Meta:
        ordering = ("warband", "sequence")
        constraints = (
            models.UniqueConstraint(
                fields=("warband", "sequence"), name="chronicle_entry_has_one_place"
            ),
            models.UniqueConstraint(
                fields=("warband", "previous_seal"), name="chronicle_does_not_fork"
            ),
        )

    def __str__(self) -> str:
        return f"{self.sequence}: {self.kind}"


class ChronicleRegister(models.Model):
    """How many chronicles there are, and which: one row, signed, so that a deleted warband is
    missed."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    count = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, default="")
    """The XOR of a keyed hash of each warband's id."""
    signature = models.CharField(max_length=64, default="")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(id=1), name="one_register_of_chronicles"),
        )

    def __str__(self) -> str:
        return f"{self.count} chronicles"


class ExperienceEntry(models.Model):
    """A line of the experience ledger: a reasoned amount, and the fact behind it. A projection.

    Lines follow each other by their ids, as their facts do in the order of play: a late battle
    writes all anew.
    """

    id = models.BigAutoField(primary_key=True)
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="ledger")
    fighter = models.ForeignKey(Fighter, models.CASCADE, related_name="ledger")
    sequence = models.PositiveIntegerField()
    """The place of the fact in the warband's chronicle."""
    line = models.PositiveIntegerField()
    """The place of the line within the fact."""
    amount = models.IntegerField()
    balance = models.IntegerField()
    code = models.CharField(max_length=40)
    sentence = models.CharField(max_length=300)
    rule = models.CharField(max_length=120)

    class Meta:
        ordering = ("warband", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("warband", "sequence", "line"), name="ledger_line_has_one_place"
            ),
        )
        indexes = (
            models.Index(fields=("fighter", "id"), name="ledger_of_a_fighter"),
            models.Index(fields=("warband", "id"), name="ledger_of_a_warband"),
        )

    def __str__(self) -> str:
        return f"{self.amount:+d} {self.sentence}"


class RankUpOffer(models.Model):
    """The steps that a fighter may take now, prepared after a battle. Stale once the chronicle has
    gone on."""

    fighter = models.OneToOneField(
        Fighter, models.CASCADE, primary_key=True, related_name="rank_up_offer"
    )
    sequence = models.PositiveIntegerField()
    """The length of the chronicle for which it was prepared."""
    steps = models.JSONField(default=list)
    prepared_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.steps)} steps"


class UnsentTask(models.Model):
    """A task that the broker did not take, until the clock has sent it (``warbands.outbox``)."""

    id = models.BigAutoField(primary_key=True)
    task = models.CharField(max_length=100)
    arguments = models.JSONField()
    kept_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task


class RosterDraft(models.Model):
    """What its owner means to change in a roster, change by change, until it is carried out. A row
    to each warband.

    It is no fact and proves nothing: it may be lost without harm to any chronicle.
    """

    warband = models.OneToOneField(Warband, models.CASCADE, primary_key=True, related_name="draft")
    content = PlainJSONField(default=dict)
    """A ``drafts.Draft``."""
    version = models.PositiveIntegerField(default=0)
    """Counts the changes. Send it with one that rests on what was seen."""
    undo = PlainJSONField(default=list)
    """The contents before the last changes, the latest last."""
    carried_out = PlainJSONField(default=list)
    """The ids that clients gave to the last changes, each with a digest of what was sent: sent
    again, they change nothing."""
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft {self.version}"


class RosterTemplate(models.Model):
    """A roster that a member has put aside to start others from it: a draft that belongs to no
    warband."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="roster_templates"
    )
    name = models.CharField(max_length=100)
    ruleset = models.CharField(max_length=40)
    faction = models.CharField(max_length=60)
    points = models.PositiveIntegerField(default=0)
    content = PlainJSONField(default=dict)
    """A ``drafts.Draft`` in which everybody joins."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("owner", "ruleset", "faction", "name"), name="template_has_one_name"
            ),
        )

    def __str__(self) -> str:
        return self.name
