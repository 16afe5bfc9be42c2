"""Battles, their sides, combatants, logs and disputes, and secret choices."""

import secrets
import uuid
from typing import Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Exists, F, OrderBy, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Fixture, HandOverState
from clubs.models import Membership, Role, clubs_of, clubs_run_by
from core.compiled_queries import CompiledIds
from core.models import Searchable
from core.queries import ids_of_any
from core.ruleset_words import translated_words
from core.users import User, Visibility
from rulebook.registry import find_ruleset, shown_under, words_under
from rulebook.ruleset import RulesError, VisibleNumbers, Words
from warbands.models import Fighter, Warband
from warbands.signed import Signed, set_null_signed


class BattleState(models.TextChoices):
    """The state of a battle. "Drawn" is an outcome, not a state."""

    PLANNED = "planned", gettext_lazy("Planned")
    UNDER_WAY = "under-way", gettext_lazy("In progress")
    SUBMITTED = "submitted", gettext_lazy("Submitted")
    DISPUTED = "disputed", gettext_lazy("Disputed")
    CONFIRMED = "confirmed", gettext_lazy("Confirmed")
    VOID = "void", gettext_lazy("Void")


OPEN = (BattleState.PLANNED, BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)
"""The states of a battle that is not over."""


class Part(models.TextChoices):
    """The part of a battle in a classic campaign."""

    NONE = "", gettext_lazy("Single battle")
    SMALL = "small-game", gettext_lazy("Small game")
    FINAL = "final", gettext_lazy("Final")


OF_ITS_CAMPAIGN = tuple(
    f"campaign__{column}" for column in ("story", "house_rules", "scoring", "scenarios", "lots")
)
LONG = ("set_up", "result", "story", "decision", *OF_ITS_CAMPAIGN)
LONG_OF_A_SIDE = ("extras", "plan", "figures", "dispute", "warband__state", "warband__story")
"""Columns that may be long, and that no row of a list shows."""


def order_of_play(battle: str = "", *, newest_first: bool = False) -> tuple[OrderBy, ...]:
    """Return the ordering of battles as they were played: by day, then by place in the day.

    Chronicles use the same order (``rulebook.chronicle.replay.in_order_of_play``). ``battle`` is
    the lookup prefix of the battle, such as "battle__". Older battles without a place come first in
    their day, in the order of their confirmation.
    """
    columns = [F(f"{battle}{name}") for name in ("fought_on", "place_in_day", "confirmed_at", "pk")]
    if newest_first:
        return tuple(column.desc(nulls_last=True) for column in columns)
    return tuple(column.asc(nulls_first=True) for column in columns)


class BattleQuerySet(models.QuerySet["Battle"]):
    """Filters by permission, and the order of play."""

    def in_order_of_play(self) -> Self:
        """Return the battles in the order of play."""
        return self.order_by(*order_of_play())

    def latest_played_first(self) -> Self:
        """Return the battles in the order of play, the latest first."""
        return self.order_by(*order_of_play(newest_first=True))

    def visible_to(self, user: User) -> Self:
        """Return battles of visible campaigns, the user's own ones, and those of their warbands.

        Checks each battle: use it for one battle, or those of one campaign. For a whole list see
        ``listed_for``.
        """
        return self._open_or_known((Visibility.PUBLIC, Visibility.UNLISTED), user)

    def listed_in_campaign(self, campaign: uuid.UUID, user: User) -> Self:
        """Return the battles of one campaign that are in ``listed_for``. Checks each battle."""
        return self.filter(campaign=campaign)._open_or_known((Visibility.PUBLIC,), user)

    def _open_or_known(self, visibilities: tuple[Visibility, ...], user: User) -> Self:
        """Return battles of campaigns with these visibilities, and those that the user knows."""
        open_to_all = Q(campaign__visibility__in=visibilities)
        if not user.is_authenticated:
            return self.filter(open_to_all)
        in_club, made = Q(campaign__club__in=clubs_of(user)), Q(created_by=user.pk)
        return self.filter(open_to_all | in_club | made | Exists(_sides_played_by(user)))

    def listed_for(self, user: User) -> Self:
        """Return the battles for a list: as ``visible_to``, without those of unlisted campaigns."""
        if not user.is_authenticated:
            return self.public()
        return self.filter(pk__in=_listed(user))

    def public(self) -> Self:
        """Return the battles of public campaigns, which everybody may see listed."""
        return self.filter(campaign__visibility=Visibility.PUBLIC)

    def known_to(self, user: User) -> Self:
        """Return the battles of the user's clubs, their own ones, and those of their warbands.

        It does not matter whether these are public.
        """
        return self.filter(pk__in=_known(user)) if user.is_authenticated else self.none()

    def newest_known_to(self, user: User, number: int) -> tuple[models.QuerySet[Any, Any], ...]:
        """Return the ids of the newest battles of ``known_to``, and maybe of some that are older.

        Of the user's clubs, which may have thousands of battles, only ``number`` are read. Each
        kind of battle that a user knows is a query, for ``core.queries.ids_of_any``.
        """
        if not user.is_authenticated:
            return ()
        of_clubs, made, *of_sides = _known_ids(user)
        newest = self.filter(pk__in=of_clubs.values("pk")[:number])
        campaigns = Campaign.objects.filter(club__in=clubs_of(user)).values("pk")
        elsewhere = [ids.exclude(battle__campaign__in=campaigns) for ids in of_sides]
        return newest, made.exclude(campaign__in=campaigns), *elsewhere

    def editable_by(self, user: User | AnonymousUser) -> Self:
        """Return the battles that the user may log.

        These are battles of their warbands, those they created or organise, and those of clubs that
        let all players log. Checks each battle, as ``visible_to`` does.
        """
        if not user.is_authenticated:
            return self.none()
        given = Side.objects.filter(
            battle=OuterRef("pk"),
            warband__hand_overs__giver=user.pk,
            warband__hand_overs__state=HandOverState.DONE,
        )
        # A player who gave a warband away no longer runs the battles that were planned for it.
        made = Q(created_by=user.pk) & ~Exists(given)
        run = Q(campaign__club__in=clubs_run_by(user))
        return self.filter(run | made | Exists(_sides_played_by(user)))

    def for_rows(self) -> Self:
        """Load what a row of a list shows: campaign, sides and warbands.

        Columns that may be long are left out.
        """
        sides = Prefetch("sides", Side.objects.for_rows())
        return self.select_related("campaign").defer(*LONG).prefetch_related(sides)

    def for_pages(self, *, log: bool = True) -> Self:
        """Load the data of a battle's page: sides, combatants, log, corrections, and authors.

        Without ``log`` the events are not loaded.
        """
        sides = Side.objects.select_related(
            "warband__owner", "warband__keeper", "decided_by", "substitute"
        )
        sides = sides.order_by("place")
        combatants = Combatant.objects.order_by("place")
        events = Prefetch(
            "events", BattleEvent.objects.select_related("recorded_by").order_by("sequence")
        )
        return self.select_related("campaign", "created_by", "submitted_by").prefetch_related(
            Prefetch("sides", sides.prefetch_related(Prefetch("combatants", combatants))),
            *([events] if log else []),
            Prefetch("revisions", Revision.objects.select_related("made_by").order_by("number")),
            disputes_in_order(),
        )

    def with_choices_made(self) -> Self:
        """Annotate ``choices_made``: the number of secret choices that wait for others."""
        return self.annotate(choices_made=_choices_made())

    def for_table(self) -> Self:
        """Load what the live log shows apart from the log itself: sides and combatants.

        The log may be long.
        """
        sides = Side.objects.select_related(
            "warband__owner", "warband__keeper", "substitute"
        ).order_by("place")
        combatants = Combatant.objects.order_by("place")
        return (
            self.with_choices_made()
            .select_related("campaign")
            .prefetch_related(
                Prefetch("sides", sides.prefetch_related(Prefetch("combatants", combatants)))
            )
        )

    def choices_made_in(self, pk: uuid.UUID, version: int) -> int | None:
        """Return the number of secret choices that wait in a battle of this version.

        None if it has another version by now. One query.
        """
        battles = self.annotate(choices_made=_choices_made()).filter(pk=pk, version=version)
        return battles.values_list("choices_made", flat=True).first()

    def organised_by(self, user: User) -> Self:
        """Return the battles that the user may decide, void and correct.

        Organisers may; for a one-off battle its creator, if they play all its warbands. A one-off
        battle between two players has no organiser: no player may change the other's chronicle
        alone.
        """
        if not user.is_authenticated:
            return self.none()
        return self.filter(pk__in=ids_of_any(*_organised(user)))


def _organised(user: User, **only: Any) -> "tuple[models.QuerySet[Battle], ...]":
    mine = Side.objects.played_by(user)
    others = Side.objects.filter(battle=OuterRef("pk")).exclude(pk__in=mine.values("pk"))
    every = Battle.objects.filter(**only)
    return (
        every.filter(campaign__club__in=clubs_of(user, Role.ORGANISER)),
        every.filter(~Exists(others), campaign__isnull=True, created_by=user.pk),
    )


@CompiledIds
def organised_disputes(user: User) -> models.QuerySet[Any, Any]:
    """Return the disputed battles that the user may decide (``organised_by``)."""
    return ids_of_any(*_organised(user, state=BattleState.DISPUTED))


def disputes_in_order() -> "Prefetch[str]":
    """Return a prefetch of a battle's disputes with their members."""
    # Most battles have no dispute; prefetching its members then costs no query.
    rows = Dispute.objects.prefetch_related("side__warband", "raised_by", "answered_by")
    return Prefetch("disputes", rows.order_by("raised_at", "id"))


def _sides_played_by(user: User) -> "models.QuerySet[Side]":
    """Return the user's sides in the outer query's battle, as ``Side.is_played_by``."""
    substitute = Q(substitute__user=user.pk, substitute__user__isnull=False)
    played = Q(warband__owner=user.pk) | Q(warband__keeper=user.pk) | substitute
    return Side.objects.filter(played, battle=OuterRef("pk"))


def sides_of(user: User) -> "tuple[models.QuerySet[Side], ...]":
    """Return the sides that the user plays, a query for each reason (``ids_of_any``)."""
    every = Side.objects
    owned, kept = every.filter(warband__owner=user.pk), every.filter(warband__keeper=user.pk)
    return owned, kept, every.filter(substitute__user=user.pk)


def _known_ids(user: User) -> "tuple[models.QuerySet[Any, Any], ...]":
    """Return queries of the ids of battles that the user knows.

    They include battles of the user's clubs, of the user's sides, and created by the user.
    """
    of_clubs = Battle.objects.filter(campaign__club__in=clubs_of(user))
    made = Battle.objects.filter(created_by=user.pk)
    return of_clubs, made, *(sides.values("battle") for sides in sides_of(user))


@CompiledIds
def _known(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(*_known_ids(user))


@CompiledIds
def _listed(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(Battle.objects.public(), *_known_ids(user))


def fresh_seed() -> str:
    """Return 64 random hex digits that nobody can guess."""
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
    """Made by the client, so that a repeated request does not create a second battle."""
    campaign = models.ForeignKey(
        Campaign, models.PROTECT, null=True, blank=True, related_name="battles"
    )
    fixture = models.ForeignKey(
        Fixture, set_null_signed, null=True, blank=True, related_name="battles"
    )
    """The fixture that it is played for; a void battle does not count for it.

    See docs/decisions/campaigns.md.
    """
    ruleset = models.CharField(max_length=40)
    edition = models.CharField(max_length=20)
    scenario = models.CharField(max_length=40)
    title = models.CharField(max_length=120, blank=True, default="")
    state = models.CharField(max_length=10, choices=BattleState, default=BattleState.PLANNED)
    friendly = models.BooleanField(default=False)
    """A friendly battle changes no fighter."""
    part = models.CharField(max_length=10, choices=Part, blank=True, default=Part.NONE)
    """Its part in a classic campaign: one of the parallel small games, or the final."""
    fought_on = models.DateField()
    place_in_day = models.DateTimeField(null=True, editable=False)
    """Its place among the battles of its day.

    It is the time when its log began, otherwise when it was planned, or where an organiser put it.
    None before its log begins, and for battles that were confirmed before this column existed.
    """
    points_limit = models.PositiveIntegerField(null=True, blank=True)
    house_rules = models.JSONField(default=dict, blank=True)
    """The house rules that it is played under: the campaign's at the time it was planned."""
    set_up = models.JSONField(default=dict, blank=True)
    story = models.TextField(blank=True, default="")
    dice_seed = models.CharField(max_length=64, default=fresh_seed, editable=False)
    """The seed of Muster's dice for this battle.

    It is secret until the battle is confirmed or void. Its hash is known from the start.
    """
    dice_used = models.PositiveIntegerField(default=0)
    """The number of dice rolled for its set-up and its log."""
    result = models.JSONField(null=True, blank=True)
    """The result, computed from the log. Written at submission and at each correction."""
    log_seal = models.CharField(max_length=64, default="", editable=False)
    """The chained seal of its log, from the set-up to the last event, since submission.

    See docs/decisions/integrity.md.
    """
    signature = models.CharField(max_length=64, default="", editable=False)
    """The signature of its result and its log with the installation's key, since confirmation."""
    decision = models.TextField(blank=True, default="")
    """The organiser's reason for a decision, or for voiding it."""
    revision = models.PositiveIntegerField(default=0)
    """The number of corrections after confirmation."""
    version = models.PositiveIntegerField(default=1)
    """Increases with every change; a client that sends an old version gets 409."""
    shared_version = models.PositiveIntegerField(default=1, editable=False)
    """The version of the last change that did not concern one side only (``save_battle``)."""
    last_sequence = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    follow_ups_due_since = models.DateTimeField(null=True, blank=True)
    """The time since which offers and documents must be updated; None if nothing is due."""

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
        return self.title or self.scenario_name

    @property
    def scenario_name(self) -> str:
        """The name of its scenario; the key if its rule system does not have it any more."""
        try:
            scenarios = find_ruleset(self.ruleset, self.edition).scenarios()
        except RulesError:
            return self.scenario
        return next((each.name for each in scenarios if each.key == self.scenario), self.scenario)

    def described(self) -> str:
        """Return its title and day."""
        return f"{self}, {self.fought_on}"

    @property
    def shown(self) -> VisibleNumbers:
        """The numbers that its pages show, by its rules and house rules."""
        return shown_under(self.ruleset, self.edition, self.house_rules)

    @property
    def words(self) -> Words:
        """The names of things under its rules."""
        return translated_words(words_under(self.ruleset, self.edition))

    @property
    def stands(self) -> bool:
        """Return whether its result may be shown: it is neither disputed nor void."""
        return self.state not in (BattleState.DISPUTED, BattleState.VOID)

    @property
    def parallel(self) -> bool:
        """Return whether it is played at the same time as other battles of its warbands.

        Fighters who are not in it do not miss a game.
        """
        return self.part == Part.SMALL


class Verdict(models.TextChoices):
    """The answer of a side to a submitted log."""

    WAITING = "waiting", gettext_lazy("Waiting")
    CONFIRMED = "confirmed", gettext_lazy("Confirmed")
    DISPUTED = "disputed", gettext_lazy("Disputed")


class SideQuerySet(models.QuerySet["Side"]):
    """Filters by the user who plays a side."""

    def for_rows(self) -> Self:
        """Load what a row of a list shows of a side, in the order of their places."""
        return self.select_related("warband").defer(*LONG_OF_A_SIDE).order_by("place")

    def played_by(self, user: User) -> Self:
        """Return the sides that the user plays.

        They own the warband, keep it for a guest player, or are the substitute.
        """
        return self.filter(pk__in=_own_sides(user)) if user.is_authenticated else self.none()

    def open_for(self, user: User) -> Self:
        """Return the sides that the user plays in battles that are not over."""
        return self.filter(pk__in=_own_open_sides(user)) if user.is_authenticated else self.none()


@CompiledIds
def _own_sides(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(*sides_of(user))


@CompiledIds
def _own_open_sides(user: User) -> models.QuerySet[Any, Any]:
    return ids_of_any(*(sides.filter(battle__state__in=OPEN) for sides in sides_of(user)))


class Side(Signed):
    """A warband in a battle, and its result."""

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
    """The side's key in the log: "a", "b", ..."""
    place = models.PositiveSmallIntegerField()
    warband = models.ForeignKey(Warband, models.PROTECT, related_name="sides")
    role = models.CharField(max_length=30)
    substitute = models.ForeignKey(
        Membership, set_null_signed, null=True, blank=True, related_name="substituted_sides"
    )
    """The member who plays this side for the warband's player, in this battle only."""
    extras = models.JSONField(default=dict, blank=True)
    """The extras that the warband had as a whole when the battle began."""
    plan = models.JSONField(default=list, blank=True)
    """The ids of the fighters of the sealed order. Only they can be in a small game."""
    figures = models.JSONField(default=list, blank=True)
    """The figures of the line-up that are shown next to its name: key, label and value."""
    version = models.PositiveIntegerField(default=1, editable=False)
    """The battle's version when this side's line-up last changed."""
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
        """The accounts of its warband's owner and keeper. No query if the warband is loaded."""
        return self.warband.owner_id, self.warband.keeper_id

    def is_played_by(self, user: User | AnonymousUser) -> bool:
        """Return whether the user plays this side.

        They own its warband, keep it for a guest player, or are the substitute. No query if warband
        and substitute are loaded.
        """
        substitute = self.substitute.user_id if self.substitute else None
        return user.is_authenticated and user.pk in (*self.owners, substitute)


class Combatant(models.Model):
    """A fighter in a battle, as it was when the battle began."""

    id = models.BigAutoField(primary_key=True)
    side = models.ForeignKey(Side, models.CASCADE, related_name="combatants")
    fighter = models.ForeignKey(
        Fighter, models.DO_NOTHING, related_name="appearances", db_constraint=False
    )
    """Not a database constraint.

    A fighter may be removed from the roster later, and the battle still lists it.
    """
    place = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    rank = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()
    build = models.JSONField()
    condition = models.JSONField(default=dict)
    """The condition that it brought from earlier battles, in the rule system's form."""
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
    """An event of the log. It never changes: a later event of kind "correction" corrects it."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey(Battle, models.CASCADE, related_name="events")
    sequence = models.PositiveIntegerField()
    client_id = models.UUIDField()
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict)
    asked = models.JSONField(null=True, blank=True)
    """The data as they were sent, if Muster added dice to them."""
    first_die = models.PositiveIntegerField(null=True, blank=True)
    """The number of the first die that Muster rolled for it."""
    dice = models.JSONField(default=list, blank=True)
    """The dice that Muster rolled for it, in order."""
    turn = models.PositiveSmallIntegerField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    """The battle's version with this event: a repeated request gets it again."""
    revision = models.PositiveIntegerField(default=0)
    """The correction after confirmation that added it; 0 for the log itself."""
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    recorded_as = models.PositiveBigIntegerField(null=True, editable=False)
    """The seal's number for its author, if that is an account of another installation."""
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
    """The play of a battle under way, so that the next event need not replay the log.

    It is derived data, and computed again whenever it does not fit.
    """

    battle = models.OneToOneField(
        Battle, models.CASCADE, primary_key=True, related_name="stored_play"
    )
    sequence = models.PositiveIntegerField()
    """The last event in it."""
    fingerprint = models.CharField(max_length=64)
    """The hash of the rules' edition and of everything that was fixed before the first event."""
    play = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.battle_id} at {self.sequence}"


class StoredOutcome(models.Model):
    """The outcome of an event in a stored play; ``outcome`` is None for a cancelled event."""

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
    """A correction of a confirmed battle: the former result, who changed it, and why."""

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
        """Return its number, and the title and day of its battle."""
        return f"{self.number} of {self.battle.described()}"


class Answer(models.TextChoices):
    """The answer to a dispute."""

    OPEN = "", gettext_lazy("Open")
    AS_LOGGED = "as-logged", gettext_lazy("Confirmed as logged")
    REOPENED = "reopened", gettext_lazy("The log was reopened")
    WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn and confirmed")
    VOIDED = "voided", gettext_lazy("The battle was voided")


class Dispute(Signed):
    """A side's dispute of a submitted log, and the answer. It is kept when the battle continues."""

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
    """In the words of the member who disputed it."""
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


def _choices_made() -> Coalesce:
    """Return the number of a battle's secret choices as an expression."""
    choices = SecretChoice.objects.filter(battle=OuterRef("pk")).order_by().values("battle")
    return Coalesce(Subquery(choices.annotate(number=Count("pk")).values("number")), 0)


class SecretChoice(models.Model):
    """A side's secret choice for an event that is not logged yet."""

    id = models.BigAutoField(primary_key=True)
    battle = models.ForeignKey("battles.Battle", models.CASCADE, related_name="secret_choices")
    occasion = models.CharField(max_length=64)
    """A key of the event: the same for all who choose for it."""
    field = models.CharField(max_length=60)
    turn = models.PositiveSmallIntegerField(default=0)
    sealed = models.BinaryField()
    client_id = models.UUIDField(default=uuid.uuid4)
    """The id of the entry, if this choice was the first of its occasion."""
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
