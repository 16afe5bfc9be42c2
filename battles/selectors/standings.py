"""A campaign's standings, from its confirmed battles. The rule book has none: see
``campaigns.scoring``.

``Count`` is the one place that counts: the standings are its count of all battles, their history
(``leagues.selectors.standings_history``) is the same count after each day of play, and the
standings of a group are the count of its fixtures. Friendly battles do not count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from django.db import models
from django.db.models import Q, Sum, Value
from msgspec import Struct
from msgspec.structs import asdict, replace

from battles.models import BattleState, Side, order_of_play
from battles.selectors.fixture_results import FixtureResult, FixtureState, fixture_results
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture
from campaigns.scoring import Scoring, TieBreaker, scoring_under
from rulebook.ruleset import Outcome


class StandingsRow(Struct, frozen=True):
    """A warband's row. ``position`` counts from 1; ``shared`` if others have the same. Victory
    points are the battles', ``points`` the table's; ``experience`` is all that the warband's
    fighters have earned."""

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
    """Wins by the scoring's margin."""
    victory_points: int = 0
    victory_points_against: int = 0
    points: int = 0
    experience: int = 0
    byes: int = 0
    """Rounds in which it had nobody to play, where that is worth points."""
    walkovers: int = 0
    """Wins that an organiser gave without a battle; no battles, so not among those won."""
    forfeits: int = 0

    @property
    def played(self) -> int:
        """Battles that count."""
        return self.won + self.drawn + self.lost

    @property
    def beside_battles(self) -> str:
        """What counts of it without a battle, in words; "" for nothing."""
        counted = (
            (self.byes, "bye", "byes"),
            (self.walkovers, "walkover", "walkovers"),
            (self.forfeits, "forfeit", "forfeits"),
        )
        return ", ".join(
            f"{number} {singular if number == 1 else plural}"
            for number, singular, plural in counted
            if number
        )

    @property
    def difference(self) -> int:
        """Victory points for less those against."""
        return self.victory_points - self.victory_points_against


class Standings(Struct, frozen=True):
    """The rows, best first. ``rule`` and ``tie_rule`` are sentences to be printed under them.

    ``parted_by`` is the tie-breaker that put the first above the second; None where points did, or
    nothing.
    """

    rows: tuple[StandingsRow, ...]
    rule: str
    tie_rule: str
    parted_by: TieBreaker | None = None
    walkovers: "tuple[HeadToHead, ...]" = ()
    """Who met whom without a battle, for the standings of an earlier day."""

    @property
    def unplayed(self) -> bool:
        """Whether anything counts that was not played: byes, walkovers, forfeits."""
        return any(row.byes or row.walkovers or row.forfeits for row in self.rows)


class GroupStandings(Struct, frozen=True):
    """The standings of a group of a group stage, from its fixtures alone. ``open`` counts what is
    not settled."""

    group: str
    rows: tuple[StandingsRow, ...]
    open: int


class Unplayed(Struct, frozen=True):
    """What counts for somebody without a battle."""

    byes: int = 0
    walkovers: int = 0
    forfeits: int = 0


class HeadToHead(Struct, frozen=True):
    """How often two warbands met with these outcomes for the first and the second of them.

    ``lead`` is how many victory points more than all others the first one had; None without a
    battle.
    """

    warband: UUID
    opponent: UUID
    outcome: str
    opponent_outcome: str
    lead: int | None
    times: int


class CountedSide(Struct, frozen=True):
    """A warband in a battle that counts. ``strength`` is what it brought: points, or fighters
    without points."""

    battle: UUID
    day: date
    warband: UUID
    outcome: str
    victory_points: int
    victory_points_against: int
    strength: int = 0


MERIT: Mapping[str, int] = {Outcome.LOST: 0, Outcome.DREW: 1, Outcome.WON: 2}
FIGURE_OF: Mapping[str, str] = {Outcome.WON: "won", Outcome.DREW: "drawn", Outcome.LOST: "lost"}
"""Which figure of a row counts an outcome."""
Score = Callable[[StandingsRow, frozenset[UUID]], int]
"""The figure of a row among the warbands that are equal so far; higher is better."""


class Count:
    """What battles have come to so far: the figures of each warband, and who met whom how often."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self.figures: dict[UUID, Counter[str]] = {}
        self._pairs: Counter[tuple[UUID, UUID, str, str, int]] = Counter()

    def add(self, sides: Iterable[CountedSide]) -> None:
        """Count battles: ``sides`` are all of theirs, those of a battle one after the other."""
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
        """Every pair of warbands that met, from both ends."""
        return tuple(HeadToHead(*pair, times) for pair, times in self._pairs.items())

    def row(self, row: StandingsRow, extra: "Unplayed") -> StandingsRow:
        """Return the row with what its warband has done so far, and what counts for it without a
        battle."""
        figures, beside = self.figures.get(row.warband, Counter[str]()), asdict(extra)
        games = {name: figures[name] for name in ("won", "drawn", "lost", "clear")}
        return replace(
            row,
            victory_points=figures["victory_points"],
            victory_points_against=figures["victory_points_against"],
            points=self.scoring.points(**games) + self.scoring.points_unplayed(**beside),
            **games,
            **beside,
        )


def standings(campaign: Campaign) -> Standings:
    """Return the campaign's standings. Three queries, whatever the number of warbands and
    battles."""
    return standings_of([campaign])[campaign.pk]


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
        campaign: Whose standings.
        enrolments: All of its enrolments, with their warbands and players.
        sides: Those of its battles that count, from ``counted_sides``.
        results: All of its fixtures, some of which count without a battle.
    """
    scoring = scoring_under(campaign.scoring, campaign.shown)
    results = tuple(results)
    count, extras, unfought = Count(scoring), unplayed(results), walkovers(results)
    count.add(sides)
    rows = [
        count.row(_row(campaign, enrolment), extras.get(enrolment.pk, Unplayed()))
        for enrolment in enrolments
        # Who left stays in the standings after something that counts.
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
    """Return by campaign the sides of every battle that counts, in the order of play. One query.

    ``strengths`` adds up what each side brought, for one campaign; without it they are 0.
    """
    brought: models.Aggregate | Value = Value(0)
    if strengths:
        brought = (
            Sum("combatants__points") if campaigns[0].shown.points else models.Count("combatants")
        )
    rows = (
        Side.objects.filter(counting(*campaigns))
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
    sides: dict[UUID, list[CountedSide]] = {each.pk: [] for each in campaigns}
    for campaign, battle, day, warband, outcome, scored, conceded, strength in rows:
        sides[campaign].append(
            CountedSide(battle, day, warband, outcome, scored, conceded, strength or 0)
        )
    return sides


def unplayed(results: Iterable[FixtureResult]) -> Mapping[UUID, Unplayed]:
    """What counts without a battle, by enrolment. No queries."""
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
    """Every pair that a walkover decided, from both ends. No queries.

    Where both forfeit, each has lost to the other, as each has in the table.
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
    """Return the standings of the groups, from their own fixtures: for whom ``table`` has a row. No
    queries."""
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
    """Return the sides of the battle that settled a fixture; none without one."""
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
    """The rows in order with their positions; equals share one and stand in order of their
    names."""
    scores = [_points, *(_score(criterion, pairs, scoring) for criterion in scoring.tie_breakers)]
    ordered: list[StandingsRow] = []
    for equals in _split(sorted(rows, key=lambda row: (row.name, row.warband)), scores):
        position, shared = len(ordered) + 1, len(equals) > 1
        ordered += [replace(row, position=position, shared=shared) for row in equals]
    return tuple(ordered)


def parted_by(
    table: Sequence[StandingsRow], pairs: Iterable[HeadToHead], scoring: Scoring
) -> TieBreaker | None:
    """The tie-breaker that parts the first row of a table from the second; None where points do, or
    nothing does."""
    equals = [row for row in table if row.points == table[0].points]
    for criterion in scoring.tie_breakers if len(equals) > 1 else ():
        among, score = frozenset(row.warband for row in equals), _score(criterion, pairs, scoring)
        figures = [score(row, among) for row in equals]
        if figures[0] != figures[1]:
            return criterion
        equals = [row for row, figure in zip(equals, figures, strict=True) if figure == figures[0]]
    return None


def _split(rows: list[StandingsRow], scores: list[Score]) -> list[list[StandingsRow]]:
    """Groups of rows, best first, whose every score is equal."""
    if not scores or len(rows) < 2:
        return [rows] if rows else []
    among = frozenset(row.warband for row in rows)
    figures = {row.warband: scores[0](row, among) for row in rows}
    ordered = sorted(rows, key=lambda row: -figures[row.warband])
    groups = [list(group) for _, group in groupby(ordered, key=lambda row: figures[row.warband])]
    return [equals for group in groups for equals in _split(group, scores[1:])]


def _score(criterion: TieBreaker, pairs: Iterable[HeadToHead], scoring: Scoring) -> Score:
    if criterion is TieBreaker.HEAD_TO_HEAD:
        return _head_to_head(pairs, scoring)
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
    """The table's points from battles and walkovers between the equals, as if these had been
    all."""
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


def between(pair: HeadToHead) -> Outcome | None:
    """How the battle ended between two of its sides; None where several sides lost, or won,
    together."""
    own_merit, other_merit = MERIT.get(pair.outcome, 0), MERIT.get(pair.opponent_outcome, 0)
    if own_merit != other_merit:
        return Outcome.WON if own_merit > other_merit else Outcome.LOST
    return Outcome.DREW if pair.outcome == Outcome.DREW else None


def enrolments_of(campaign: Campaign) -> list[Enrolment]:
    """The enrolments of a campaign, with warbands and players. One query."""
    return list(campaign.enrolments.select_related("warband", "player__user__archived_person"))


def _row(campaign: Campaign, enrolment: Enrolment) -> StandingsRow:
    """Return the row of a warband that has done nothing yet."""
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
    """Whether the warband left before the campaign's end."""
    ended = campaign.state == CampaignState.FINISHED and enrolment.left_at == campaign.finished_at
    return enrolment.left_at is not None and not ended


def counting(*campaigns: Campaign) -> Q:
    """Which sides the standings count: those of confirmed battles of the campaigns that are not
    friendly."""
    return Q(
        battle__campaign__in=campaigns, battle__state=BattleState.CONFIRMED, battle__friendly=False
    )
