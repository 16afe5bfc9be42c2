"""A campaign's standings, from its confirmed battles.

The rule book has no standings: see ``campaigns.scoring``. ``Count`` is the one place that counts:
the standings are its count of all battles, their history (``leagues.selectors.standings_history``)
is the same count after each day of play, and the standings of a group are the count of its
fixtures. Friendly battles do not count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q, QuerySet, Sum, Value
from django.utils.translation import ngettext
from msgspec import Struct
from msgspec.structs import asdict, replace

from battles.models import BattleState, Side, order_of_play
from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
    fixture_results,
)
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture
from campaigns.scoring import Scoring, TieBreaker, scoring_under
from core.compiled_queries import CompiledQuery
from rulebook.ruleset import Outcome


class StandingsRow(Struct, frozen=True):
    """A warband's row.

    ``position`` counts from 1 and is ``shared`` if others have the same. Victory points come
    from battles, ``points`` are league points. ``experience`` is the total that the warband's
    fighters have earned.
    """

    enrolment: UUID
    warband: UUID
    name: str
    colour: str
    faction: str
    player: UUID
    player_name: str
    withdrawn: bool
    position: int = 0
    shared: bool = False
    won: int = 0
    drawn: int = 0
    lost: int = 0
    clear: int = 0
    """The number of wins by the scoring's margin."""
    victory_points: int = 0
    victory_points_against: int = 0
    points: int = 0
    experience: int = 0
    byes: int = 0
    """The number of rounds without an opponent that are worth points."""
    walkovers: int = 0
    """The number of wins that an organiser gave without a battle; ``won`` does not include them."""
    forfeits: int = 0

    @property
    def played(self) -> int:
        """The number of fixtures and battles that count, with walkovers and forfeits."""
        return self.won + self.drawn + self.lost + self.walkovers + self.forfeits

    @property
    def beside_battles(self) -> str:
        """The results that count without a battle, as text; "" without any."""
        counted = (
            (self.byes, ngettext("%(n)s bye", "%(n)s byes", self.byes)),
            (self.walkovers, ngettext("%(n)s walkover", "%(n)s walkovers", self.walkovers)),
            (self.forfeits, ngettext("%(n)s forfeit", "%(n)s forfeits", self.forfeits)),
        )
        return ", ".join(text % {"n": number} for number, text in counted if number)

    @property
    def difference(self) -> int:
        """The victory points for minus those against."""
        return self.victory_points - self.victory_points_against


class Standings(Struct, frozen=True):
    """The standings: the rows, best first. ``rule`` and ``tie_rule`` are printed under them.

    ``parted_by`` is the tie-breaker that put the first row above the second; None if points
    decided, or nothing did.
    """

    rows: tuple[StandingsRow, ...]
    rule: str
    tie_rule: str
    parted_by: TieBreaker | None = None
    walkovers: "tuple[HeadToHead, ...]" = ()
    """The pairs that a walkover decided, for the standings of an earlier day."""

    @property
    def unplayed(self) -> bool:
        """Return whether anything counts that was not played: byes, walkovers, forfeits."""
        return any(row.byes or row.walkovers or row.forfeits for row in self.rows)


class GroupStandings(Struct, frozen=True):
    """The standings of a group of a group stage, from its fixtures alone.

    ``open`` is the number of fixtures without a result.
    """

    group: str
    rows: tuple[StandingsRow, ...]
    open: int


class Unplayed(Struct, frozen=True):
    """The number of results that count for a warband without a battle."""

    byes: int = 0
    walkovers: int = 0
    forfeits: int = 0


class HeadToHead(Struct, frozen=True):
    """The number of times that two warbands met with these outcomes.

    ``lead`` is the victory points for minus those against of the first one; None without a battle.
    """

    warband: UUID
    opponent: UUID
    outcome: str
    opponent_outcome: str
    lead: int | None
    times: int


class CountedSide(Struct, frozen=True):
    """A warband in a battle that counts.

    ``strength`` is what it brought: points, or the number of fighters if the game has no points.
    """

    battle: UUID
    day: date
    warband: UUID
    outcome: str
    victory_points: int
    victory_points_against: int
    strength: int = 0


MERIT: Mapping[str, int] = {Outcome.LOST: 0, Outcome.DREW: 1, Outcome.WON: 2}
FIGURE_OF: Mapping[str, str] = {Outcome.WON: "won", Outcome.DREW: "drawn", Outcome.LOST: "lost"}
"""The figure of a row that counts each outcome."""
Score = Callable[[StandingsRow, frozenset[UUID]], int]
"""Returns the figure of a row among the warbands that are equal so far; higher is better."""


class Count:
    """A count of battles: the figures of each warband, and how often each pair met.

    Each figure has the name of the ``StandingsRow`` field that shows it.
    """

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self.figures: dict[UUID, Counter[str]] = {}
        self._pairs: Counter[tuple[UUID, UUID, str, str, int]] = Counter()

    def add(self, sides: Iterable[CountedSide]) -> None:
        """Count battles: ``sides`` are all their sides, grouped by battle."""
        for _, group in groupby(sides, key=attrgetter("battle")):
            battle = tuple(group)
            for own_side in battle:
                lead = own_side.victory_points - own_side.victory_points_against
                figures = self.figures.setdefault(own_side.warband, Counter())
                figures["victory_points"] += own_side.victory_points
                figures["victory_points_against"] += own_side.victory_points_against
                if own_side.outcome in FIGURE_OF:
                    figures[FIGURE_OF[own_side.outcome]] += 1
                if own_side.outcome == Outcome.WON and lead >= self.scoring.margin:
                    figures["clear"] += 1
                for other in battle:
                    if other is not own_side:
                        self._pairs[
                            own_side.warband, other.warband, own_side.outcome, other.outcome, lead
                        ] += 1

    @property
    def pairs(self) -> "tuple[HeadToHead, ...]":
        """Every pair of warbands that met, once for each of the two."""
        return tuple(HeadToHead(*pair, times) for pair, times in self._pairs.items())

    def row(self, row: StandingsRow, extra: "Unplayed") -> StandingsRow:
        """Return the row with its warband's figures and the results that count without a battle."""
        figures, beside = self.figures.get(row.warband, Counter[str]()), asdict(extra)
        games = {name: figures[name] for name in ("won", "drawn", "lost", "clear")}
        points = self.scoring.points(**games) + self.scoring.points_unplayed(**beside)
        return replace(row, points=points, **figures, **beside)


def standings(campaign: Campaign) -> Standings:
    """Return the campaign's standings. Three queries."""
    sides, results = counted_sides_of(campaign), campaign_fixture_results(campaign)
    return standings_from(campaign, enrolments_of(campaign), sides, results)


def standings_of(campaigns: Sequence[Campaign]) -> dict[UUID, Standings]:
    """Return the standings of some campaigns by their ids. Three queries, however many they are."""
    sides = counted_sides(campaigns)
    results: dict[UUID, list[FixtureResult]] = {each.pk: [] for each in campaigns}
    for result in fixture_results(Fixture.objects.filter(round__campaign__in=campaigns)):
        results[result.campaign].append(result)
    enrolments: dict[UUID, list[Enrolment]] = {each.pk: [] for each in campaigns}
    for row in Enrolment.objects.filter(campaign__in=campaigns).select_related("warband", "player"):
        enrolments[row.campaign_id].append(row)
    return {
        each.pk: standings_from(each, enrolments[each.pk], sides[each.pk], results[each.pk])
        for each in campaigns
    }


def standings_from(
    campaign: Campaign,
    enrolments: Iterable[Enrolment],
    sides: Iterable[CountedSide],
    results: Iterable[FixtureResult],
) -> Standings:
    """Return the standings from rows that are read already. No queries.

    Args:
        campaign: The campaign of the standings.
        enrolments: All of its enrolments, with their warbands and players.
        sides: The sides of its battles that count, from ``counted_sides``.
        results: All of its fixtures, some of which count without a battle.
    """
    scoring = scoring_under(campaign.scoring, campaign.shown)
    results = tuple(results)
    count, extras, unfought = Count(scoring), unplayed(results), walkovers(results)
    count.add(sides)
    rows = [
        count.row(_row(campaign, enrolment), extras.get(enrolment.pk, Unplayed()))
        for enrolment in enrolments
        # A warband that left stays in the standings if anything counts for it.
        if enrolment.warband_id in count.figures
        or enrolment.pk in extras
        or not _withdrawn(campaign, enrolment)
    ]
    pairs = (*count.pairs, *unfought)
    ordered = placed(rows, pairs, scoring)
    result = Standings(
        ordered, scoring.rule, scoring.tie_rule, parted_by(ordered, pairs, scoring), unfought
    )
    return (
        replace(result, rule=f"{scoring.rule} {scoring.unplayed_rule}")
        if result.unplayed
        else result
    )


def counted_sides(
    campaigns: Sequence[Campaign], *, strengths: bool = False
) -> dict[UUID, list[CountedSide]]:
    """Return the sides of every battle that counts, by campaign, in the order of play. One query.

    ``strengths`` adds up what each side brought, for one campaign; without it they are 0.
    """
    brought: models.Aggregate | Value = Value(0)
    if strengths:
        brought = (
            Sum("combatants__points") if campaigns[0].shown.points else models.Count("combatants")
        )
    sides: dict[UUID, list[CountedSide]] = {each.pk: [] for each in campaigns}
    for campaign, *columns in _side_rows(counting(*campaigns), brought):
        sides[campaign].append(_counted_side(*columns))
    return sides


def counted_sides_of(campaign: Campaign) -> list[CountedSide]:
    """Return the sides of a campaign as ``counted_sides`` does, without strengths. One query."""
    return [_counted_side(*columns) for _, *columns in SIDES.rows(campaign.pk)]


def _side_rows(counted: Q, brought: models.Aggregate | Value) -> QuerySet[Side, tuple[Any, ...]]:
    return (
        Side.objects.filter(counted)
        .order_by(*order_of_play("battle__"), "place")
        .annotate(strength=brought)
        .values_list(
            "battle__campaign_id",
            "battle_id",
            "battle__fought_on",
            "warband_id",
            "outcome",
            "victory_points",
            "victory_points_against",
            "strength",
        )
    )


def _counted_side(
    battle: UUID,
    day: date,
    warband: UUID,
    outcome: str,
    scored: Any,
    conceded: Any,
    strength: int | None,
) -> CountedSide:
    return CountedSide(battle, day, warband, outcome, scored, conceded, strength or 0)


SIDES: CompiledQuery[tuple[Any, ...]] = CompiledQuery(
    lambda key, _: _side_rows(counting(key), Value(0))
)
ENROLMENTS: CompiledQuery[Enrolment] = CompiledQuery(
    lambda key, _: Enrolment.objects.filter(campaign=key).select_related(
        "warband", "player__user__archived_person"
    )
)


def unplayed(results: Iterable[FixtureResult]) -> Mapping[UUID, Unplayed]:
    """Return what counts without a battle, by enrolment. No queries."""
    counted: dict[UUID, Unplayed] = {}
    for result in results:
        winner = result.winner
        for entrant in result.entrants:
            so_far = counted.get(entrant.enrolment, Unplayed())
            if result.state is FixtureState.BYE and result.bye_counts and entrant == winner:
                counted[entrant.enrolment] = replace(so_far, byes=so_far.byes + 1)
            elif result.state is FixtureState.WALKOVER and entrant == winner:
                counted[entrant.enrolment] = replace(so_far, walkovers=so_far.walkovers + 1)
            elif result.state is FixtureState.WALKOVER:
                counted[entrant.enrolment] = replace(so_far, forfeits=so_far.forfeits + 1)
    return counted


def walkovers(results: Iterable[FixtureResult]) -> tuple[HeadToHead, ...]:
    """Return every pair that a walkover decided, once for each of the two. No queries.

    If both forfeit, each has lost to the other, as in the standings.
    """
    return tuple(
        HeadToHead(entrant.warband, opponent.warband, Outcome.WON, Outcome.LOST, None, 1)
        if entrant == result.winner
        else HeadToHead(entrant.warband, opponent.warband, Outcome.LOST, Outcome.WON, None, 1)
        for result in results
        if result.state is FixtureState.WALKOVER and len(result.entrants) == 2
        for entrant, opponent in (result.entrants, result.entrants[::-1])
    )


def group_standings(
    table: Standings, results: Sequence[FixtureResult], scoring: Scoring
) -> tuple[GroupStandings, ...]:
    """Return the standings of the groups from their own fixtures. No queries.

    Only warbands with a row in ``table`` are included.
    """
    groups = sorted({result.group for result in results if result.group})
    return tuple(
        _of_group(group, table, [each for each in results if each.group == group], scoring)
        for group in groups
    )


def _of_group(
    group: str, table: Standings, results: Sequence[FixtureResult], scoring: Scoring
) -> GroupStandings:
    members = {entrant.enrolment for result in results for entrant in result.entrants}
    count, extras = Count(scoring), unplayed(results)
    for result in results:
        count.add(_sides_of(result))
    rows = [
        count.row(row, extras.get(row.enrolment, Unplayed()))
        for row in table.rows
        if row.enrolment in members
    ]
    waiting = sum(1 for result in results if not result.settled)
    return GroupStandings(
        group, placed(rows, (*count.pairs, *walkovers(results)), scoring), waiting
    )


def _sides_of(result: FixtureResult) -> list[CountedSide]:
    """Return the sides of the battle that decided a fixture; none without one."""
    if result.state is not FixtureState.CONFIRMED or result.settled_at is None:
        return []
    return [
        CountedSide(
            battle=result.id,
            day=result.settled_at[0],
            warband=own_side.entrant.warband,
            outcome=own_side.outcome,
            victory_points=own_side.victory_points or 0,
            victory_points_against=other.victory_points or 0,
        )
        for own_side, other in (result.sides, result.sides[::-1])
        if own_side.entrant is not None
    ]


def placed(
    rows: Iterable[StandingsRow], pairs: Iterable[HeadToHead], scoring: Scoring
) -> tuple[StandingsRow, ...]:
    """Return the rows in order with their positions.

    Equal rows share a position and are sorted by name.
    """
    rows = list(rows)
    scores = [
        _points,
        *(_score(criterion, rows, pairs, scoring) for criterion in scoring.tie_breakers),
    ]
    ordered: list[StandingsRow] = []
    for equals in _split(sorted(rows, key=lambda row: (row.name, row.warband)), scores):
        position, shared = len(ordered) + 1, len(equals) > 1
        ordered += [replace(row, position=position, shared=shared) for row in equals]
    return tuple(ordered)


def parted_by(
    table: Sequence[StandingsRow], pairs: Iterable[HeadToHead], scoring: Scoring
) -> TieBreaker | None:
    """Return the tie-breaker that separates the first row from the second.

    None if points do, or nothing does.
    """
    equals = [row for row in table if row.points == table[0].points]
    for criterion in scoring.tie_breakers if len(equals) > 1 else ():
        among, score = (
            frozenset(row.warband for row in equals),
            _score(criterion, table, pairs, scoring),
        )
        figures = [score(row, among) for row in equals]
        if figures[0] != figures[1]:
            return criterion
        equals = [row for row, figure in zip(equals, figures, strict=True) if figure == figures[0]]
    return None


def _split(rows: list[StandingsRow], scores: list[Score]) -> list[list[StandingsRow]]:
    """Return groups of rows with equal scores, best first."""
    if not scores or len(rows) < 2:
        return [rows] if rows else []
    among = frozenset(row.warband for row in rows)
    figures = {row.warband: scores[0](row, among) for row in rows}
    ordered = sorted(rows, key=lambda row: -figures[row.warband])
    groups = [list(group) for _, group in groupby(ordered, key=lambda row: figures[row.warband])]
    return [equals for group in groups for equals in _split(group, scores[1:])]


def _score(
    criterion: TieBreaker,
    rows: Sequence[StandingsRow],
    pairs: Iterable[HeadToHead],
    scoring: Scoring,
) -> Score:
    if criterion is TieBreaker.HEAD_TO_HEAD:
        return _head_to_head(pairs, scoring)
    if criterion in SHARES:
        return _of_opponents(rows, pairs, SHARES[criterion])
    return PLAIN_SCORES[criterion]


def _points(row: StandingsRow, among: frozenset[UUID]) -> int:
    return row.points


PLAIN_SCORES: Mapping[TieBreaker, Score] = {
    TieBreaker.DIFFERENCE: lambda row, among: row.difference,
    TieBreaker.VICTORY_POINTS: lambda row, among: row.victory_points,
    TieBreaker.WON: lambda row, among: row.won + row.walkovers,
    TieBreaker.EXPERIENCE: lambda row, among: row.experience,
}


def _head_to_head(pairs: Iterable[HeadToHead], scoring: Scoring) -> Score:
    """Return the score by points from battles and walkovers among the equal warbands only."""
    worth = {
        Outcome.WON: scoring.win,
        Outcome.DREW: scoring.draw,
        Outcome.LOST: scoring.loss,
        None: 0,
    }
    by_warband: dict[UUID, list[tuple[UUID, int]]] = {}
    for pair in pairs:
        ended = between(pair)
        clear = ended is Outcome.WON and pair.lead is not None and pair.lead >= scoring.margin
        points = worth[ended] + (scoring.clear_win if clear else 0)
        by_warband.setdefault(pair.warband, []).append((pair.opponent, pair.times * points))

    def score(row: StandingsRow, among: frozenset[UUID]) -> int:
        return sum(
            points for opponent, points in by_warband.get(row.warband, ()) if opponent in among
        )

    return score


SHARES: Mapping[TieBreaker, Mapping[Outcome | None, int]] = {
    TieBreaker.BUCHHOLZ: {Outcome.WON: 2, Outcome.DREW: 2, Outcome.LOST: 2, None: 2},
    TieBreaker.SONNEBORN_BERGER: {Outcome.WON: 2, Outcome.DREW: 1, Outcome.LOST: 0, None: 0},
}
"""The share of an opponent's points that a result is worth, in halves."""


def _of_opponents(
    rows: Sequence[StandingsRow],
    pairs: Iterable[HeadToHead],
    shares: Mapping[Outcome | None, int],
) -> Score:
    """Return the score by the points of the opponents met, each game counted once.

    A bye has no opponent and adds nothing.
    """
    points = {row.warband: row.points for row in rows}
    scores: Counter[UUID] = Counter()
    for pair in pairs:
        scores[pair.warband] += pair.times * points.get(pair.opponent, 0) * shares[between(pair)]
    return lambda row, among: scores[row.warband]


def between(pair: HeadToHead) -> Outcome | None:
    """Return the outcome between two sides of a battle.

    None if both lost, or both won, against others.
    """
    own_merit, other_merit = MERIT.get(pair.outcome, 0), MERIT.get(pair.opponent_outcome, 0)
    if own_merit != other_merit:
        return Outcome.WON if own_merit > other_merit else Outcome.LOST
    return Outcome.DREW if pair.outcome == Outcome.DREW else None


def enrolments_of(campaign: Campaign) -> list[Enrolment]:
    """Return the enrolments of a campaign, with warbands and players. One query."""
    rows = ENROLMENTS.rows(campaign.pk)
    for row in rows:
        row.campaign = campaign
    return rows


def _row(campaign: Campaign, enrolment: Enrolment) -> StandingsRow:
    """Return the row of a warband without any results."""
    return StandingsRow(
        enrolment=enrolment.id,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        colour=enrolment.colour,
        faction=enrolment.warband.faction,
        player=enrolment.player_id,
        player_name=enrolment.player.name,
        withdrawn=_withdrawn(campaign, enrolment),
        experience=enrolment.warband.experience,
    )


def _withdrawn(campaign: Campaign, enrolment: Enrolment) -> bool:
    """Return whether the warband left before the campaign's end."""
    ended = campaign.state == CampaignState.FINISHED and enrolment.left_at == campaign.finished_at
    return enrolment.left_at is not None and not ended


def counting(*campaigns: Campaign | UUID) -> Q:
    """Return the filter of the sides that the standings count.

    Only confirmed battles of the campaigns count, and no friendly ones.
    """
    return Q(
        battle__campaign__in=campaigns, battle__state=BattleState.CONFIRMED, battle__friendly=False
    )
