"""Warbands, their fighters, and the chronicle from which both follow.

``Warband`` and ``Fighter`` are projections: the replay of ``ChronicleEntry`` rows. Only
``warbands.services.chronicle`` writes them.
"""

import uuid
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import ngettext

from core.compiled_queries import CompiledIds
from core.models import PlainJSONField, Searchable
from core.queries import ids_of_any
from core.ruleset_words import translated_words
from core.users import OPEN_TO_ALL, User, Visibility
from rulebook.registry import shown_under, words_under
from rulebook.ruleset import VisibleNumbers, Words
from warbands.signed import Signed


class WarbandQuerySet(models.QuerySet["Warband"]):
    """Warbands by what a user may see and change, and by what each page needs."""

    def visible_to(self, user: User) -> Self:
        """Return the warbands that the user may see.

        These are public and unlisted warbands, the user's own, and those in campaigns of their
        clubs. It checks each warband, which suits one warband or those of one campaign. For whole
        lists use ``listed_for``.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        comrades = _of_this_warband(enrolments__campaign__club__memberships__user=user.pk)
        return self.filter(OPEN_TO_ALL | Q(owner=user.pk) | Q(keeper=user.pk) | Exists(comrades))

    def listed_for(self, user: User) -> Self:
        """Return the warbands that a list shows.

        Other users' unlisted warbands are left out of ``visible_to``.
        """
        return self.filter(pk__in=_listed(user)) if user.is_authenticated else self.public()

    def public(self) -> Self:
        """Return the public warbands."""
        return self.filter(visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Return the warbands that a user sees whatever their visibility.

        These are the user's own, and those in campaigns of their clubs.
        """
        return self.filter(pk__in=_known(user)) if user.is_authenticated else self.none()

    def all_visible_to(self, user: User) -> Self:
        """Return the same as ``visible_to``, computed by lists of ids.

        Use it for lists of rows that belong to warbands.
        """
        if not user.is_authenticated:
            return self.filter(OPEN_TO_ALL)
        return self.filter(pk__in=_visible(user))

    def all_editable_by(self, user: User) -> Self:
        """Return the same as ``editable_by``, computed by lists of ids.

        Use it for lists of rows that belong to warbands.
        """
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=_editable(user))

    def of_club_mates(self, user: User) -> Self:
        """Return the warbands of members of the user's clubs, whatever their visibility.

        Use this only to plan a battle: of a private warband nothing may be shown but its name,
        owner, rule system and points (docs/decisions/campaigns.md). Spectators neither
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
        """Return the warbands that the user may name for a one-off battle.

        These are the visible ones, and those of members of the user's clubs.
        """
        if not user.is_authenticated:
            return self.visible_to(user)
        every = Warband.objects
        return self.filter(pk__in=ids_of_any(every.all_visible_to(user), every.of_club_mates(user)))

    def editable_by(self, user: User) -> Self:
        """Return the warbands that the user may change.

        These are the user's own, those that they keep for players without an account, and those in
        campaigns that they organise. It checks each warband, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        return self.filter(Q(owner=user.pk) | Q(keeper=user.pk) | Exists(_organised_by(user)))

    def organised_by(self, user: User) -> Self:
        """Return the warbands in which the user may override the rules, with a reason.

        These are warbands in campaigns that the user organises and, outside campaigns, the user's
        own. It checks each warband, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        enrolled = _of_this_warband(enrolments__left_at__isnull=True, enrolments__isnull=False)
        own_warbands = Q(owner=user.pk) | Q(keeper=user.pk)
        return self.filter((own_warbands & ~Exists(enrolled)) | Exists(_organised_by(user)))


def _own(user: User) -> "tuple[models.QuerySet[Warband], models.QuerySet[Warband]]":
    """Return the warbands that a user owns, and those that the user keeps for others."""
    return Warband.objects.filter(owner=user.pk), Warband.objects.filter(keeper=user.pk)


def _known_rows(user: User) -> "tuple[models.QuerySet[Warband], ...]":
    """Return the user's own warbands and those in campaigns of their clubs."""
    comrades = Warband.objects.filter(enrolments__campaign__club__memberships__user=user.pk)
    return *_own(user), comrades


@CompiledIds
def _known(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(*_known_rows(user))


@CompiledIds
def _listed(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(Warband.objects.public(), *_known_rows(user))


@CompiledIds
def _visible(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(Warband.objects.filter(OPEN_TO_ALL), *_known_rows(user))


@CompiledIds
def _editable(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(*_own(user), Warband.objects.filter(**_organised(user)))


def _of_this_warband(**enrolled: Any) -> "models.QuerySet[Warband]":
    """Return the outer query's warband, if its enrolments meet these conditions."""
    return Warband.objects.filter(pk=OuterRef("pk")).filter(**enrolled)


def _organised_by(user: User) -> "models.QuerySet[Warband]":
    """Return the outer query's warband, if it is in a campaign that the user organises."""
    return _of_this_warband(**_organised(user))


def _organised(user: User) -> dict[str, Any]:
    """Return the conditions for a warband in a campaign that the user organises."""
    return {
        "enrolments__left_at__isnull": True,
        "enrolments__campaign__club__memberships__user": user.pk,
        "enrolments__campaign__club__memberships__role": "organiser",
    }


class Warband(Searchable, Signed):
    """A player's collection of fighters. Its numbers are the replay of its chronicle."""

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
    """The user who looks after the warband of a player without an account."""
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
    """The signature of the chronicle's length and last seal by the installation's key.

    See docs/decisions/integrity.md.
    """
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
        """The warband's label in a list of choices."""
        if not self.shown.points:
            return self.name
        sentence = ngettext(
            "%(name)s, %(points)s point", "%(name)s, %(points)s points", self.points
        )
        return sentence % {"name": self.name, "points": self.points}

    @property
    def shown(self) -> VisibleNumbers:
        """The numbers that its pages show, by its rules and house rules."""
        return shown_under(self.ruleset, self.edition, self.state.get("settings", {}))

    @property
    def words(self) -> Words:
        """The names that its rules give to things."""
        return translated_words(words_under(self.ruleset, self.edition))

    @property
    def locked(self) -> bool:
        """Return whether the roster is or was in play, so that it can change only by the rules."""
        fought = any(self.state.get(outcome) for outcome in ("won", "drawn", "lost"))
        return fought or self.state.get("campaign") is not None


class Fighter(Searchable):
    """A row of a roster, as the chronicle has made it."""

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
    """Its position on the roster."""
    condition = PlainJSONField(default=dict)
    """Its state between battles, as its rule system wrote it; {} if there is none."""
    state = PlainJSONField(default=dict)
    """The replay's ``FighterState``."""
    story = models.TextField(blank=True, default="")

    class Meta:
        ordering = ("warband", "place", "id")
        indexes = (models.Index(fields=("warband", "fate"), name="fighter_warband_fate"),)

    def __str__(self) -> str:
        return self.name


class ChronicleEntry(models.Model):
    """A recorded fact. It is never changed or deleted: triggers in the database refuse both."""

    id = models.BigAutoField(primary_key=True)
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="chronicle")
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    payload = PlainJSONField()
    subject = models.UUIDField(null=True, db_index=True)
    """The battle or campaign that the fact is about."""
    recorded_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    recorded_as = models.CharField(max_length=80, null=True, editable=False)
    """The author on another installation, and the time, in the form of its seal.

    There ``recorded_by`` was the id of another account. None if it was recorded here.
    """
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
    """The number and a digest of all chronicles.

    It is one signed row, which reveals that a warband was deleted.
    """

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
    """A line of the experience ledger: an amount, its reason and its fact. A projection.

    The ids of lines follow the order of play of their facts: a late battle rewrites all lines.
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
    """The steps that a fighter can take now, prepared after a battle.

    It is out of date once the chronicle has a newer entry.
    """

    fighter = models.OneToOneField(
        Fighter, models.CASCADE, primary_key=True, related_name="rank_up_offer"
    )
    sequence = models.PositiveIntegerField()
    """The length of the chronicle for which it was prepared."""
    steps = PlainJSONField(default=list)
    prepared_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{len(self.steps)} steps"


class UnsentTask(models.Model):
    """A task that the broker did not accept; the scheduler sends it later (``warbands.outbox``)."""

    id = models.BigAutoField(primary_key=True)
    task = models.CharField(max_length=100)
    arguments = models.JSONField()
    kept_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.task


class RosterDraft(models.Model):
    """The planned changes of a roster, until they are carried out. One row for each warband.

    It is not a fact: losing it harms no chronicle.
    """

    warband = models.OneToOneField(Warband, models.CASCADE, primary_key=True, related_name="draft")
    content = PlainJSONField(default=dict)
    """A ``drafts.Draft``."""
    version = models.PositiveIntegerField(default=0)
    """The number of changes. Send it with a change that depends on what was seen."""
    undo = PlainJSONField(default=list)
    """The contents before the last changes, oldest first."""
    carried_out = PlainJSONField(default=list)
    """The client ids of the last changes, each with a digest of the request.

    The same request, sent again, changes nothing.
    """
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft {self.version}"


class RosterTemplate(models.Model):
    """A saved roster to start others from: a draft that belongs to no warband."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="roster_templates"
    )
    name = models.CharField(max_length=100)
    ruleset = models.CharField(max_length=40)
    faction = models.CharField(max_length=60)
    points = models.PositiveIntegerField(default=0)
    content = PlainJSONField(default=dict)
    """A ``drafts.Draft`` in which all fighters are recruits."""
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
