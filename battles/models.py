"""Battles, their sides, combatants, logs and disputes, and secret choices."""

import secrets
import uuid
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, F, OrderBy, OuterRef, Prefetch, Q
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Fixture, HandOverState
from clubs.models import Membership, Role, clubs_of, clubs_run_by
from core.models import Searchable
from core.queries import ids_of_any
from core.ruleset_words import translated_words
from core.users import User, Visibility
from rulebook.registry import shown_under, words_under
from rulebook.ruleset import VisibleNumbers, Words
from warbands.models import Fighter, Warband
from warbands.signed import Signed, set_null_signed


class BattleState(models.TextChoices):
    """How far a battle has come. "Drawn" is an outcome, not a state."""

    PLANNED = "planned", gettext_lazy("Planned")
    UNDER_WAY = "under-way", gettext_lazy("Under way")
    SUBMITTED = "submitted", gettext_lazy("Submitted")
    DISPUTED = "disputed", gettext_lazy("Disputed")
    CONFIRMED = "confirmed", gettext_lazy("Confirmed")
    VOID = "void", gettext_lazy("Void")


class Part(models.TextChoices):
    """What a battle is in a classic campaign."""

    NONE = "", gettext_lazy("A battle of its own")
    SMALL = "small-game", gettext_lazy("Small game")
    FINAL = "final", gettext_lazy("Final")


OF_ITS_CAMPAIGN = tuple(
    f"campaign__{column}" for column in ("story", "house_rules", "scoring", "scenarios", "lots")
)
LONG = ("set_up", "result", "story", "decision", *OF_ITS_CAMPAIGN)
LONG_OF_A_SIDE = ("extras", "plan", "figures", "dispute", "warband__state", "warband__story")
"""Columns that may be long, and that no row of a list shows."""


def order_of_play(battle: str = "", *, newest_first: bool = False) -> tuple[OrderBy, ...]:
    """What to order by so that battles follow each other as they were played: by day, then by place
    in the day, as chronicles do (``rulebook.chronicle.replay.in_order_of_play``). ``battle`` is the
    way to the battle, "battle__".

    Battles of before, which have no place, come first in their day, in the order in which they were
    confirmed.
    """
    columns = [F(f"{battle}{name}") for name in ("fought_on", "place_in_day", "confirmed_at", "pk")]
    if newest_first:
        return tuple(column.desc(nulls_last=True) for column in columns)
    return tuple(column.asc(nulls_first=True) for column in columns)


class BattleQuerySet(models.QuerySet["Battle"]):
    """Who may see and log battles, and in which order they were played."""

    def in_order_of_play(self) -> Self:
        """Those played first at first."""
        return self.order_by(*order_of_play())

    def latest_played_first(self) -> Self:
        """Those played last at first."""
        return self.order_by(*order_of_play(newest_first=True))

    def visible_to(self, user: User) -> Self:
        """Those of visible campaigns, one's own one-off battles, and those of one's warbands.

        Asks each battle: right for one battle, or those of one campaign. For a whole list see
        ``listed_for``.
        """
        open_to_all = Q(campaign__visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
        if not user.is_authenticated:
            return self.filter(open_to_all)
        in_club, made = Q(campaign__club__in=clubs_of(user)), Q(created_by=user.pk)
        return self.filter(open_to_all | in_club | made | Exists(_sides_played_by(user)))

    def listed_for(self, user: User) -> Self:
        """What a list shows: as ``visible_to``, without those of merely unlisted campaigns."""
        if not user.is_authenticated:
            return self.public()
        return self.filter(pk__in=ids_of_any(Battle.objects.public(), *_known_ids(user)))

    def public(self) -> Self:
        """Those of public campaigns, which everybody may see listed."""
        return self.filter(campaign__visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Those that one sees whether they are public or not: of one's clubs, and one's own."""
        return (
            self.filter(pk__in=ids_of_any(*_known_ids(user)))
            if user.is_authenticated
            else self.none()
        )

    def editable_by(self, user: User | AnonymousUser) -> Self:
        """Who may log: who plays its warbands, organisers, who made it, and players of a club that
        lets all of them.

        Asks each battle, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        given = Side.objects.filter(
            battle=OuterRef("pk"),
            warband__hand_overs__giver=user.pk,
            warband__hand_overs__state=HandOverState.DONE,
        )
        # Who gave a warband away no longer runs the battles that it was to play.
        made = Q(created_by=user.pk) & ~Exists(given)
        run = Q(campaign__club__in=clubs_run_by(user))
        return self.filter(run | made | Exists(_sides_played_by(user)))

    def for_rows(self) -> Self:
        """With what a row of a list shows: campaign, sides and their warbands, and nothing that may
        be long."""
        sides = Side.objects.select_related("warband").defer(*LONG_OF_A_SIDE).order_by("place")
        return (
            self.select_related("campaign").defer(*LONG).prefetch_related(Prefetch("sides", sides))
        )

    def for_pages(self, *, log: bool = True) -> Self:
        """With all that a battle's page shows of it: sides, combatants, log, corrections, and who
        wrote what.

        Without ``log`` the events are not loaded.
        """
        sides = Side.objects.select_related(
            "warband__owner", "warband__keeper", "decided_by", "substitute"
        )
        sides = sides.order_by("place")
        combatants = Combatant.objects.order_by("place")
        # Most battles have no dispute, and pay nothing for its people by prefetching.
        disputes = Dispute.objects.prefetch_related("side__warband", "raised_by", "answered_by")
        events = Prefetch(
            "events", BattleEvent.objects.select_related("recorded_by").order_by("sequence")
        )
        return self.select_related("campaign", "created_by", "submitted_by").prefetch_related(
            Prefetch("sides", sides.prefetch_related(Prefetch("combatants", combatants))),
            *([events] if log else []),
            Prefetch("revisions", Revision.objects.select_related("made_by").order_by("number")),
            Prefetch("disputes", disputes.order_by("raised_at", "id")),
        )

    def for_table(self) -> Self:
        """With what the table shows of it beside its log, which may be long: sides and
        combatants."""
        sides = Side.objects.select_related(
            "warband__owner", "warband__keeper", "substitute"
        ).order_by("place")
        combatants = Combatant.objects.order_by("place")
        return self.select_related("campaign").prefetch_related(
            Prefetch("sides", sides.prefetch_related(Prefetch("combatants", combatants)))
        )

    def organised_by(self, user: User) -> Self:
        """Who may decide, void and correct: organisers; for a one-off battle who made it and plays
        all its warbands.

        A one-off battle between two people has no organiser: nobody may write into the other's
        chronicle alone.
        """
        if not user.is_authenticated:
            return self.none()
        mine = Side.objects.played_by(user)
        others = Side.objects.filter(battle=OuterRef("pk")).exclude(pk__in=mine.values("pk"))
        return self.filter(
            pk__in=ids_of_any(
                Battle.objects.filter(campaign__club__in=clubs_of(user, Role.ORGANISER)),
                Battle.objects.filter(~Exists(others), campaign__isnull=True, created_by=user.pk),
            )
        )


def _sides_played_by(user: User) -> "models.QuerySet[Side]":
    """``Side.is_played_by`` for the sides of the outer query's battle."""
    substitute = Q(substitute__user=user.pk, substitute__user__isnull=False)
    played = Q(warband__owner=user.pk) | Q(warband__keeper=user.pk) | substitute
    return Side.objects.filter(played, battle=OuterRef("pk"))


def _sides_of(user: User) -> "tuple[models.QuerySet[Side], ...]":
    """``Side.is_played_by`` for the database: a list for each reason (``ids_of_any``)."""
    every = Side.objects
    owned, kept = every.filter(warband__owner=user.pk), every.filter(warband__keeper=user.pk)
    return owned, kept, every.filter(substitute__user=user.pk)


def _known_ids(user: User) -> "tuple[models.QuerySet[Any, Any], ...]":
    """Battles of a user's clubs, those that the user made, and those of the user's warbands, by
    their ids."""
    of_clubs = Battle.objects.filter(campaign__club__in=clubs_of(user))
    made = Battle.objects.filter(created_by=user.pk)
    return of_clubs, made, *(sides.values("battle") for sides in _sides_of(user))


def fresh_seed() -> str:
    """64 hex digits that nobody can guess."""
    return secrets.token_hex(32)


class Battle(Searchable, Signed):
    """One game played, in a campaign or one-off."""

    found_by = ("title",)
    signed = (
        "client_id",
        "campaign",
        "fixture",
        "ruleset",
        "edition",
        "scenario",
        "state",
        "friendly",
        "part",
        "fought_on",
        "place_in_day",
        "points_limit",
        "house_rules",
        "dice_seed",
        "decision",
        "revision",
        "created_by",
        "submitted_by",
        "submitted_at",
        "confirmed_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    client_id = models.UUIDField(null=True, blank=True)
    """Made by the client, so that a repeated request makes no second battle."""
    campaign = models.ForeignKey(
        Campaign, models.PROTECT, null=True, blank=True, related_name="battles"
    )
    fixture = models.ForeignKey(
        Fixture, set_null_signed, null=True, blank=True, related_name="battles"
    )
    """The fixture that it is played for; one that is void counts no more
    (docs/decisions/fixtures.md)."""
    ruleset = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    scenario = models.CharField(max_length=40)
    title = models.CharField(max_length=120, blank=True, default="")
    state = models.CharField(max_length=10, choices=BattleState, default=BattleState.PLANNED)
    friendly = models.BooleanField(default=False)
    """A friendly battle leaves no mark on anybody."""
    part = models.CharField(max_length=10, choices=Part, blank=True, default=Part.NONE)
    """What it is in a classic campaign: one of the small games side by side, or the final."""
    fought_on = models.DateField()
    place_in_day = models.DateTimeField(null=True, editable=False)
    """Its place among the battles of its day: when its log began, else when it was planned, or
    where an organiser put it. None before its log begins, and for battles confirmed before Muster
    knew it."""
    points_limit = models.PositiveIntegerField(null=True, blank=True)
    house_rules = models.JSONField(default=dict, blank=True)
    """The house rules that it is fought under: the campaign's, as they stood when it was
    planned."""
    set_up = models.JSONField(default=dict, blank=True)
    story = models.TextField(blank=True, default="")
    dice_seed = models.CharField(max_length=64, default=fresh_seed, editable=False)
    """Where Muster's dice of this battle come from: secret until the battle is settled, committed
    to from the start."""
    dice_used = models.PositiveIntegerField(default=0)
    """Dice thrown for its set-up and its log."""
    result = models.JSONField(null=True, blank=True)
    """The result sheet, the fold of the log. Written at submission and at each correction."""
    log_seal = models.CharField(max_length=64, default="", editable=False)
    """The chain over its log, from the set-up to the last event: since submission
    (docs/decisions/keyed-seals.md)."""
    signature = models.CharField(max_length=64, default="", editable=False)
    """Of its result and its log, by the installation's key: since confirmation."""
    decision = models.TextField(blank=True, default="")
    """Why the organiser decided as they did, or why it was voided."""
    revision = models.PositiveIntegerField(default=0)
    """How often it was corrected after confirmation."""
    version = models.PositiveIntegerField(default=1)
    """Goes up with every change; a client that sends an old one is told 409."""
    shared_version = models.PositiveIntegerField(default=1, editable=False)
    """The version with which something last changed that is not one side's own affair
    (``save_battle``)."""
    last_sequence = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    follow_ups_due_since = models.DateTimeField(null=True, blank=True)
    """Since when offers and documents wait to be brought up to date; None if nothing is due."""

    objects = BattleQuerySet.as_manager()

    class Meta:
        ordering = ("-fought_on", "-created_at", "id")
        constraints = (
            models.UniqueConstraint(fields=("created_by", "client_id"), name="battle_made_once"),
            models.UniqueConstraint(
                fields=("campaign", "part", "scenario"),
                condition=~Q(part="") & ~Q(state="void"),
                name="part_of_a_campaign_played_once",
            ),
            models.UniqueConstraint(
                fields=("fixture",), condition=~Q(state="void"), name="fixture_played_once"
            ),
        )
        indexes = (
            models.Index(fields=("campaign", "state", "-fought_on"), name="battle_campaign_state"),
            models.Index(fields=("-fought_on", "-created_at", "id"), name="battle_newest_first"),
            models.Index(fields=("ruleset", "scenario"), name="battle_of_scenario"),
            models.Index(
                fields=("follow_ups_due_since",),
                condition=Q(follow_ups_due_since__isnull=False),
                name="battle_follow_ups_due",
            ),
        )

    def __str__(self) -> str:
        return self.title or self.scenario

    def described(self) -> str:
        """Return its title and day."""
        return f"{self}, {self.fought_on}"

    @property
    def shown(self) -> VisibleNumbers:
        """Which numbers its pages show, by its rules and house rules."""
        return shown_under(self.ruleset, self.edition, self.house_rules)

    @property
    def words(self) -> Words:
        """How people name things under its rules."""
        return translated_words(words_under(self.ruleset, self.edition))

    @property
    def stands(self) -> bool:
        """Whether its result may be told: nobody disputes it, and it is not void."""
        return self.state not in (BattleState.DISPUTED, BattleState.VOID)

    @property
    def parallel(self) -> bool:
        """Whether it is fought at the same time as others of its warbands: nobody misses a game by
        not being there."""
        return self.part == Part.SMALL


class Verdict(models.TextChoices):
    """What a side says of a submitted log."""

    WAITING = "waiting", gettext_lazy("Waiting")
    CONFIRMED = "confirmed", gettext_lazy("Confirmed")
    DISPUTED = "disputed", gettext_lazy("Disputed")


class SideQuerySet(models.QuerySet["Side"]):
    """Who speaks for a side."""

    def played_by(self, user: User) -> Self:
        """Sides whose warband the user owns, or keeps for a player without an account, or plays as
        a substitute."""
        return (
            self.filter(pk__in=ids_of_any(*_sides_of(user)))
            if user.is_authenticated
            else self.none()
        )


class Side(Signed):
    """A warband in a battle, and what the battle was to it."""

    signed = (
        "battle",
        "key",
        "place",
        "warband",
        "role",
        "substitute",
        "extras",
        "plan",
        "figures",
        "verdict",
        "dispute",
        "decided_by",
        "decided_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="sides")
    key = models.CharField(max_length=20)
    """Names the side in the log: "a", "b", ..."""
    place = models.PositiveSmallIntegerField()
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="sides")
    role = models.CharField(max_length=30)
    substitute = models.ForeignKey(
        Membership, set_null_signed, null=True, blank=True, related_name="substituted_sides"
    )
    """The member who plays this side in the place of the warband's player, in this battle only."""
    extras = models.JSONField(default=dict, blank=True)
    """What the warband had as a whole when it took the field."""
    plan = models.JSONField(default=list, blank=True)
    """The ids of the fighters that a sealed order sends here; nobody else may take the field for a
    small game."""
    figures = models.JSONField(default=list, blank=True)
    """The figures of the force as it took the field, those that are shown beside its name: key,
    label and value."""
    version = models.PositiveIntegerField(default=1, editable=False)
    """The battle's version with which this side's line-up last changed."""
    outcome = models.CharField(max_length=5, blank=True, default="")
    victory_points = models.IntegerField(default=0)
    victory_points_against = models.IntegerField(default=0)
    verdict = models.CharField(max_length=10, choices=Verdict, default=Verdict.WAITING)
    dispute = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = SideQuerySet.as_manager()

    class Meta:
        ordering = ("battle", "place")
        constraints = (
            models.UniqueConstraint(fields=("battle", "key"), name="side_key_once_per_battle"),
            models.UniqueConstraint(fields=("battle", "warband"), name="warband_once_per_battle"),
        )

    def __str__(self) -> str:
        return f"{self.warband} ({self.role})"

    @property
    def owners(self) -> tuple[int | None, int | None]:
        """The accounts of its warband's owner and keeper. No query if the warband was read."""
        return self.warband.owner_id, self.warband.keeper_id

    def is_played_by(self, user: User | AnonymousUser) -> bool:
        """Return whether the user owns its warband, keeps it for a player without an account, or is
        the substitute.

        No query if warband and substitute were read.
        """
        substitute = self.substitute.user_id if self.substitute else None
        return user.is_authenticated and user.pk in (*self.owners, substitute)


class Combatant(models.Model):
    """A fighter in a battle, as it took the field."""

    id = models.BigAutoField(primary_key=True)
    side = models.ForeignKey(Side, models.CASCADE, related_name="combatants")
    fighter = models.ForeignKey(
        Fighter, models.DO_NOTHING, related_name="appearances", db_constraint=False
    )
    """The battle remembers a fighter even if it is struck from the roster later: then there is no
    such row."""
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    rank = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()
    build = models.JSONField()
    condition = models.JSONField(default=dict)
    """What it had carried over from its battles before, as its rule system wrote it."""
    posts = models.JSONField(default=list, blank=True)
    """The keys of the posts that it fills."""

    class Meta:
        ordering = ("side", "place")
        constraints = (
            models.UniqueConstraint(fields=("side", "fighter"), name="combatant_once_per_side"),
        )

    def __str__(self) -> str:
        return self.name


class BattleEvent(models.Model):
    """An event of the log. Never changed: a later event of kind "correction" mends it."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="events")
    sequence = models.PositiveIntegerField()
    client_id = models.UUIDField()
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict)
    asked = models.JSONField(null=True, blank=True)
    """The data as they were sent, where Muster added dice to them."""
    first_die = models.PositiveIntegerField(null=True, blank=True)
    """The number of the first die that Muster threw for it."""
    dice = models.JSONField(default=list, blank=True)
    """The dice that Muster threw for it, in order."""
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    """The battle's version once the event was in its log: a repeated request is answered with
    it."""
    revision = models.PositiveIntegerField(default=0)
    """The correction after confirmation that brought it; 0 for the log itself."""
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    recorded_as = models.PositiveBigIntegerField(null=True, editable=False)
    """The number by which the seal names who recorded it, where that is another installation's."""
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ("battle", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("battle", "sequence"), name="event_has_one_place"),
            models.UniqueConstraint(fields=("battle", "client_id"), name="event_sent_once"),
        )

    def __str__(self) -> str:
        return f"{self.sequence}: {self.kind}"


class StoredPlay(models.Model):
    """What a battle under way has come to, so that the next event need not replay the log: a
    projection, made anew whenever it does not fit."""

    battle = models.OneToOneField(
        Battle, models.CASCADE, primary_key=True, related_name="stored_play"
    )
    sequence = models.PositiveIntegerField()
    """The last event in it."""
    fingerprint = models.CharField(max_length=64)
    """Of the edition of the rules and of all that was fixed before the first event."""
    play = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.battle_id} at {self.sequence}"


class StoredOutcome(models.Model):
    """What an event of a battle under way came to, beside its stored play; ``outcome`` is None for
    one struck out."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="stored_outcomes")
    sequence = models.PositiveIntegerField()
    outcome = models.JSONField(null=True)

    class Meta:
        ordering = ("battle", "sequence")
        constraints = (
            models.UniqueConstraint(fields=("battle", "sequence"), name="outcome_once_per_event"),
        )

    def __str__(self) -> str:
        return f"{self.battle_id}: {self.sequence}"


class Revision(Signed):
    """A correction of a confirmed battle: what the result was before, who changed it, and why."""

    signed = ("battle", "number", "reason", "result_before", "difference", "made_by", "made_at")

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    reason = models.TextField()
    result_before = models.JSONField()
    difference = models.JSONField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("battle", "number")
        constraints = (
            models.UniqueConstraint(fields=("battle", "number"), name="revision_has_one_place"),
        )

    def __str__(self) -> str:
        return f"revision {self.number}"

    def described(self) -> str:
        """Return its number and the title and day of its battle."""
        return f"{self.number} of {self.battle.described()}"


class Answer(models.TextChoices):
    """How a dispute ended."""

    OPEN = "", gettext_lazy("Open")
    AS_LOGGED = "as-logged", gettext_lazy("It counts as it was logged")
    REOPENED = "reopened", gettext_lazy("The log was opened again")
    WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn: confirmed after all")
    VOIDED = "voided", gettext_lazy("The battle was voided")


class Dispute(Signed):
    """What a side found wrong with a submitted log, and what was decided. It stays when the battle
    goes on."""

    signed = (
        "battle",
        "side",
        "reason",
        "raised_by",
        "raised_at",
        "answer",
        "answer_reason",
        "answered_by",
        "answered_at",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="disputes")
    side = models.ForeignKey(Side, models.CASCADE, related_name="disputes")
    reason = models.TextField()
    """In the words of whoever disputed it."""
    raised_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    raised_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True, default=Answer.OPEN)
    answer_reason = models.TextField(blank=True, default="")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("battle", "raised_at", "id")
        indexes = (models.Index(fields=("raised_by", "answered_at"), name="dispute_of_member"),)

    def __str__(self) -> str:
        return self.reason[:80]


class SecretChoice(models.Model):
    """What one side has chosen for something that is about to be logged."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey("battles.Battle", models.CASCADE, related_name="secret_choices")
    occasion = models.CharField(max_length=64)
    """Names what is about to be logged: the same for everybody who chooses for it."""
    field = models.CharField(max_length=60)
    turn = models.PositiveSmallIntegerField(default=0)
    sealed = models.BinaryField()
    client_id = models.UUIDField(default=uuid.uuid4)
    """That of the entry, if this choice was the first of its occasion."""
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("battle", "occasion", "field"), name="secret_choice_made_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.field} under seal"
