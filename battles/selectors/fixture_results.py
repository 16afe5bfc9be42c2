"""The state and result of fixtures, derived from battles, walkovers and departures.

Nothing is stored. A confirmed battle takes precedence over a walkover, a walkover over an
unfinished battle, and that over the departure of one of the two. A void battle is ignored: the
fixture is open again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import BattleState
from campaigns.models import Campaign, CampaignState, Fixture, FixtureQuerySet, Method, Walkover
from campaigns.pairings.ladder import climbed
from core.compiled_queries import CompiledQuery
from rulebook.ruleset import Outcome


class FixtureState(StrEnum):
    """The state of a fixture; states of its battle have the battle's names."""

    WAITING = "waiting"
    """It waits for entrants from earlier fixtures."""
    OPEN = "open"
    PLANNED = "planned"
    UNDER_WAY = "under-way"
    SUBMITTED = "submitted"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    WALKOVER = "walkover"
    BYE = "bye"
    VOID = "void"
    """It will not be played."""


UNSETTLED = (
    FixtureState.OPEN,
    FixtureState.PLANNED,
    FixtureState.UNDER_WAY,
    FixtureState.SUBMITTED,
    FixtureState.DISPUTED,
)
"""The states of a fixture that still has to be played or finished."""
LIVE = {
    state.value: FixtureState(state.value) for state in BattleState if state != BattleState.VOID
}
FIRST = datetime.min.replace(tzinfo=UTC)
BYES_COUNT = (Method.SWISS, Method.BY_HAND)
"""The methods in which a bye is worth points.

In a round robin everybody rests in turn, and in a knockout a bye leads to the next round.
"""
OPPONENT_GONE_COUNTS = (Method.SWISS, Method.BY_HAND, Method.ROUND_ROBIN, Method.GROUPS)
"""The methods in which an entrant whose opponent left gets a bye that is worth points."""


class Entrant(Struct, frozen=True):
    """A warband that plays, and its player.

    ``users`` are the accounts of its player, its owner and its keeper.
    """

    enrolment: UUID
    warband: UUID
    name: str
    colour: str
    player: UUID
    player_name: str
    users: frozenset[int]
    games_played: int
    """The number of games it has played in its present campaign."""
    gone: bool
    """True if it left before the campaign's end."""
    left_at: datetime | None = None
    """When it left."""


class SideOfFixture(Struct, frozen=True):
    """A side of a fixture: its entrant, once known, and its outcome.

    Without an ``entrant``, ``source`` is the fixture from which one will come; without either
    nobody will. ``unearned`` marks an entrant who has played here although earlier results, as they
    are now, lead another one here; ``displaced`` is the entrant who has earned the place, once
    known.
    """

    entrant: Entrant | None = None
    source: UUID | None = None
    unearned: bool = False
    displaced: Entrant | None = None
    outcome: str = ""
    victory_points: int | None = None


class FixtureResult(Struct, frozen=True, kw_only=True):
    """A fixture with everything that follows from the battles.

    ``battle`` is the one that counts for it, if there is one.
    """

    id: UUID
    campaign: UUID
    round: UUID
    round_number: int
    method: str
    place: int
    group: str
    deadline: date | None
    of_losers: bool
    state: FixtureState
    home: SideOfFixture
    away: SideOfFixture
    battle: UUID | None
    walkover: str
    reason: str
    given_up_by: frozenset[str]
    """The ids of enrolments that left before it was played and have come back since."""
    agreed: str
    """Why it has an entrant who plays another fixture in the round as well."""
    postponed: str
    """Why its deadline was moved."""
    version: int
    settled_at: tuple[date, datetime] | None
    """The day and time of its result, None without one.

    It is that of its confirmed battle, or of the walkover.
    """
    games: int | None
    """The number of games that each warband of its campaign plays, None without a limit."""
    bye_counts: bool
    """True if its bye is worth points in the standings."""

    @property
    def sides(self) -> tuple[SideOfFixture, SideOfFixture]:
        """Both sides, home first."""
        return self.home, self.away

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The entrants that are known."""
        return tuple(side.entrant for side in self.sides if side.entrant is not None)

    @property
    def absent(self) -> Entrant | None:
        """The entrant who gave the fixture up by leaving.

        If both have left, it is the first one, and the other keeps the bye.
        """
        return _absent(self.entrants, self.given_up_by)

    @property
    def given_up(self) -> bool:
        """Return whether it was not played because one of the two had left, and both are back."""
        unplayed = self.state in (FixtureState.BYE, FixtureState.VOID)
        back = len(self.entrants) == 2 and not any(each.gone for each in self.entrants)
        return (
            unplayed
            and back
            and any(str(each.enrolment) in self.given_up_by for each in self.entrants)
        )

    @property
    def settled(self) -> bool:
        """Return whether nothing is left to do about it."""
        return self.state not in (*UNSETTLED, FixtureState.WAITING)

    @property
    def playable(self) -> bool:
        """Return whether a battle can be planned: it is open and both have games left to play."""
        left = all(self.games is None or each.games_played < self.games for each in self.entrants)
        return left and self.state is FixtureState.OPEN

    @property
    def winner(self) -> Entrant | None:
        """The winner, who advances; None while it is undecided or if nobody advances."""
        if self.state is FixtureState.BYE:
            # An entrant with a bye, or whose opponent left, keeps it after leaving.
            absent = self.absent if len(self.entrants) == 2 else None
            return next(each for each in self.entrants if each != absent)
        for side in self.sides if self.state is FixtureState.CONFIRMED else ():
            if side.outcome == Outcome.WON:
                return side.entrant
        given = {Walkover.HOME.value: self.home, Walkover.AWAY.value: self.away}.get(self.walkover)
        return (
            given.entrant
            if given and self.state in (FixtureState.WALKOVER, FixtureState.CONFIRMED)
            else None
        )

    @property
    def loser(self) -> Entrant | None:
        """The entrant who does not advance, if two played."""
        winner = self.winner
        both = (
            self.entrants if len(self.entrants) == 2 and self.state is not FixtureState.BYE else ()
        )
        return next((each for each in both if winner is not None and each != winner), None)

    @property
    def undecided(self) -> bool:
        """Return whether a knockout needs an organiser's decision because its battle was drawn."""
        drawn = self.state is FixtureState.CONFIRMED and self.method == Method.KNOCKOUT
        return drawn and self.winner is None

    def overdue(self, today: date) -> bool:
        """Return whether its deadline was before this day and no result has been submitted."""
        late = self.deadline is not None and self.deadline < today
        return late and self.state in (
            FixtureState.OPEN,
            FixtureState.PLANNED,
            FixtureState.UNDER_WAY,
        )


def ladder_of(
    order: Sequence[str], results: Iterable[FixtureResult], enrolled: Sequence[str]
) -> tuple[str, ...]:
    """Return the present order of a ladder, from the top down: the ids of enrolments.

    ``order`` is the initial order, ``results`` are the challenges, ``enrolled`` the enrolments in
    the campaign. Others have left the ladder, and new ones are added at its foot.
    """
    done = sorted(
        results, key=lambda result: (result.settled_at or (date.min, FIRST), result.place)
    )
    won = [
        (str(winner.enrolment), str(loser.enrolment))
        for winner, loser in ((result.winner, result.loser) for result in done)
        if winner is not None and loser is not None
    ]
    ladder = climbed([*order, *(each for each in enrolled if each not in order)], won)
    return tuple(each for each in ladder if each in enrolled)


def unearned_note(result: FixtureResult) -> str:
    """Return sentences about entrants who did not earn their places; "" without any.

    They also name those who did.
    """
    sentences = []
    for side in result.sides:
        if not side.unearned or side.entrant is None:
            continue
        if side.displaced is None:
            sentence = gettext("%(name)s is no longer entitled to this place.")
            sentences.append(sentence % {"name": side.entrant.name})
        else:
            sentence = gettext("This place now belongs to %(other)s, not to %(name)s.")
            sentences.append(sentence % {"name": side.entrant.name, "other": side.displaced.name})
    return " ".join(sentences)


def fixture_results(
    fixtures: "FixtureQuerySet | QuerySet[Fixture, Any]",
) -> tuple[FixtureResult, ...]:
    """Return the fixtures by campaign, round and place. One query.

    Pass all fixtures of their campaigns: those who advance are found among them.
    """
    return _results(_loaded(fixtures))


def campaign_fixture_results(campaign: Campaign) -> tuple[FixtureResult, ...]:
    """Return the fixtures of a campaign by round and place. One query."""
    return _results(OF_CAMPAIGN.rows(campaign.pk))


def _results(loaded: Iterable[Mapping[str, Any]]) -> tuple[FixtureResult, ...]:
    by_id: dict[UUID, FixtureResult] = {}
    entered: dict[tuple[UUID, UUID], Entrant] = {}
    for rows in _by_fixture(loaded):
        result = _result(rows, by_id, entered)
        by_id[result.id] = result
        entered |= {(result.campaign, entrant.warband): entrant for entrant in result.entrants}
    return tuple(_without_byes_beside_games(by_id.values()))


def _without_byes_beside_games(results: Collection[FixtureResult]) -> Iterator[FixtureResult]:
    """Yield the results without byes of entrants who play or rest elsewhere in the same round.

    Such an entrant's opponent left, and the entrant has another fixture by agreement, or a bye that
    counts already. Byes of knockouts are kept.
    """
    alone = {
        each.id for each in results if each.state is FixtureState.BYE and len(each.entrants) == 2
    }
    engaged = {
        (each.round, entrant.enrolment)
        for each in results
        if each.state is not FixtureState.VOID and each.id not in alone
        for entrant in each.entrants
    }
    for result in results:
        if result.id in alone and result.winner is not None and result.method != Method.KNOCKOUT:
            key = (result.round, result.winner.enrolment)
            yield replace(result, state=FixtureState.VOID) if key in engaged else result
            engaged.add(key)
        else:
            yield result


def _loaded(fixtures: "FixtureQuerySet | QuerySet[Fixture, Any]") -> QuerySet[Fixture, Any]:
    """Return a row for each fixture, two if it has a battle of two sides."""
    return (
        fixtures.annotate(
            live=FilteredRelation("battles", condition=~Q(battles__state=BattleState.VOID))
        )
        .annotate(
            played=F("live__pk"),
            played_state=F("live__state"),
            confirmed_at=F("live__confirmed_at"),
            fought_on=F("live__fought_on"),
            place_in_day=F("live__place_in_day"),
            side_warband=F("live__sides__warband"),
            side_outcome=F("live__sides__outcome"),
            side_points=F("live__sides__victory_points"),
        )
        .order_by("round__campaign", "round__number", "place", "pk", "live__sides__place")
        .values(*OWN, *ENTRANT_OF_HOME, *ENTRANT_OF_AWAY, *BATTLE)
    )


OWN = (
    "pk",
    "place",
    "group",
    "deadline",
    "home_from",
    "away_from",
    "of_losers",
    "bye",
    "walkover",
    "reason",
    "given_up_by",
    "agreed",
    "postponed",
    "version",
    "decided_at",
    "round",
    "round__number",
    "round__method",
    "round__deadline",
    "round__campaign",
    "round__campaign__state",
    "round__campaign__finished_at",
    "round__campaign__games",
)
BATTLE = (
    "played",
    "played_state",
    "confirmed_at",
    "fought_on",
    "place_in_day",
    "side_warband",
    "side_outcome",
    "side_points",
)
ENTRANT = (
    "",
    "__warband",
    "__warband__name",
    "__colour",
    "__player",
    "__player__name",
    "__player__user",
    "__warband__owner",
    "__warband__keeper",
    "__left_at",
    "__warband__state__games_played",
)
ENTRANT_OF_HOME = tuple(f"home{column}" for column in ENTRANT)
ENTRANT_OF_AWAY = tuple(f"away{column}" for column in ENTRANT)
OF_CAMPAIGN: CompiledQuery[Any] = CompiledQuery(
    lambda key, _: _loaded(Fixture.objects.filter(round__campaign=key))
)


def _by_fixture(rows: Iterable[Mapping[str, Any]]) -> Iterable[list[Mapping[str, Any]]]:
    together: dict[UUID, list[Mapping[str, Any]]] = {}
    for row in rows:
        together.setdefault(row["pk"], []).append(row)
    return together.values()


Entered = Mapping[tuple[UUID, UUID], Entrant]
"""The entrants of the fixtures read so far, by campaign and warband."""


def _result(
    rows: list[Mapping[str, Any]], results: Mapping[UUID, FixtureResult], entered: Entered
) -> FixtureResult:
    row = rows[0]
    due = (_side("home", row, results), _side("away", row, results))
    home, away = (_with_outcome(side, rows) for side in _as_played(rows, due, entered))
    state = _state(row, home, away)
    left_alone = state is FixtureState.BYE and not row["bye"]
    return FixtureResult(
        id=row["pk"],
        campaign=row["round__campaign"],
        round=row["round"],
        round_number=row["round__number"],
        method=row["round__method"],
        place=row["place"],
        group=row["group"],
        deadline=row["deadline"] or row["round__deadline"],
        of_losers=row["of_losers"],
        state=state,
        home=home,
        away=away,
        battle=row["played"],
        walkover=row["walkover"],
        reason=row["reason"],
        given_up_by=frozenset(row["given_up_by"]),
        agreed=row["agreed"],
        postponed=row["postponed"],
        version=row["version"],
        settled_at=_settled_at(row),
        games=row["round__campaign__games"],
        bye_counts=row["round__method"] in (OPPONENT_GONE_COUNTS if left_alone else BYES_COUNT),
    )


def _settled_at(row: Mapping[str, Any]) -> tuple[date, datetime] | None:
    """Return the day and time of a fixture's result, in the order of play."""
    if row["confirmed_at"] is not None:
        return row["fought_on"], row["place_in_day"] or row["confirmed_at"]
    return (row["decided_at"].date(), row["decided_at"]) if row["decided_at"] else None


def _side(
    name: str, row: Mapping[str, Any], results: Mapping[UUID, FixtureResult]
) -> SideOfFixture:
    """Return the side with the entrant who has earned the place by the present results."""
    entrant = _entrant(name, row)
    earlier = results.get(row[f"{name}_from"])
    if entrant is not None or earlier is None:
        return SideOfFixture(entrant=entrant)
    entrant = earlier.loser if row["of_losers"] else earlier.winner
    source = earlier.id if entrant is None and (not earlier.settled or earlier.undecided) else None
    return SideOfFixture(entrant=entrant, source=source)


def _as_played(
    rows: list[Mapping[str, Any]], due: tuple[SideOfFixture, SideOfFixture], entered: Entered
) -> tuple[SideOfFixture, SideOfFixture]:
    """Return the sides of a fixture; once it has begun, those who play its battle.

    An earlier battle may be corrected or voided after those who advanced from it have played. A
    fixture that was played stays between those who played it (docs/decisions/campaigns.md).
    """
    row = rows[0]
    begun = row["played_state"] not in (None, BattleState.PLANNED)
    warbands = [each["side_warband"] for each in rows]
    if not begun or not (row["home_from"] or row["away_from"]) or len(warbands) != 2:
        return due
    players = [entered.get((row["round__campaign"], warband)) for warband in warbands]
    rightful = {side.entrant.warband for side in due if side.entrant is not None}
    others = [each for each in players if each is not None and each.warband not in rightful]
    home, away = (
        side
        if (side.entrant is not None and side.entrant.warband in warbands) or not others
        else SideOfFixture(entrant=others.pop(0), unearned=True, displaced=side.entrant)
        for side in due
    )
    return home, away


def _with_outcome(side: SideOfFixture, rows: list[Mapping[str, Any]]) -> SideOfFixture:
    """Return the side with the outcome of its battle, once that is confirmed."""
    warband = side.entrant.warband if side.entrant else None
    played = next((each for each in rows if each["side_warband"] == warband), None)
    if warband is None or played is None or played["played_state"] != BattleState.CONFIRMED:
        return side
    return replace(side, outcome=played["side_outcome"], victory_points=played["side_points"])


def _entrant(name: str, row: Mapping[str, Any]) -> Entrant | None:
    if row[name] is None:
        return None
    enrolment, warband, called, colour, player, player_name, user, owner, keeper, left, games = (
        itemgetter(*(f"{name}{column}" for column in ENTRANT))(row)
    )
    ended = (
        row["round__campaign__state"] == CampaignState.FINISHED
        and left == row["round__campaign__finished_at"]
    )
    return Entrant(
        enrolment=enrolment,
        warband=warband,
        name=called,
        colour=colour,
        player=player,
        player_name=player_name,
        users=frozenset(each for each in (user, owner, keeper) if each is not None),
        games_played=games or 0,
        gone=left is not None and not ended,
        left_at=None if ended else left,
    )


def _state(row: Mapping[str, Any], home: SideOfFixture, away: SideOfFixture) -> FixtureState:
    if row["played_state"] == BattleState.CONFIRMED:
        return FixtureState.CONFIRMED
    if home.source or away.source:
        return FixtureState.WAITING
    if row["bye"] and home.entrant:
        return FixtureState.BYE
    if row["walkover"] and home.entrant and away.entrant:
        return FixtureState.WALKOVER
    if row["played_state"]:
        return LIVE[row["played_state"]]
    entrants = [side.entrant for side in (home, away) if side.entrant]
    return _unplayed(row, entrants, _absent(entrants, row["given_up_by"]))


def _absent(entrants: Iterable[Entrant], given_up_by: Collection[str]) -> Entrant | None:
    """Return the entrant who gave a fixture up, None without one.

    It is one who has come back since, otherwise the one who left first.
    """
    for entrant in entrants:
        if str(entrant.enrolment) in given_up_by:
            return entrant
    gone = [each for each in entrants if each.gone]
    return min(gone, key=lambda each: (each.left_at or FIRST, each.enrolment), default=None)


def _unplayed(
    row: Mapping[str, Any], entrants: Sequence[Entrant], absent: Entrant | None
) -> FixtureState:
    """Return the state of a fixture whose entrants are known and that has not begun.

    An entrant whose opponent left has a bye, also after leaving and at the campaign's end:
    otherwise the standings would change on that day.
    """
    if row["round__method"] != Method.LADDER and len(entrants) == (1 if absent is None else 2):
        return FixtureState.BYE
    if (
        absent is None
        and len(entrants) == 2
        and row["round__campaign__state"] != CampaignState.FINISHED
    ):
        return FixtureState.OPEN
    return FixtureState.VOID
