"""A campaign's table, from its confirmed battles. The rule book has none: see ``campaigns.scoring``.

The database adds up; a thousand battles cost no more queries than one. Friendly battles do not count.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, Sum
from msgspec import Struct
from msgspec.structs import asdict, replace

from battles.models import BattleState, Side
from battles.selectors.fixture_results import FixtureResult, FixtureState, SideOfFixture, fixture_results
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture
from campaigns.scoring import Scoring, TieBreaker, scoring_under
from rulebook.ruleset import Outcome


class StandingsRow(Struct, frozen=True):
    """A warband's row. ``position`` counts from 1; ``shared`` if others have the same. Victory points are the battles',
    ``points`` the table's; ``experience`` is all that the warband's fighters have earned."""

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
            f"{number} {singular if number == 1 else plural}" for number, singular, plural in counted if number
        )

    @property
    def difference(self) -> int:
        """Victory points for less those against."""
        return self.victory_points - self.victory_points_against


class Standings(Struct, frozen=True):
    """The table, best first. ``rule`` and ``tie_rule`` are sentences to be printed under it.

    ``parted_by`` is the tie-breaker that put the first above the second; None where points did, or nothing.
    """

    rows: tuple[StandingsRow, ...]
    rule: str
    tie_rule: str
    parted_by: TieBreaker | None = None
    walkovers: "tuple[HeadToHead, ...]" = ()
    """Who met whom without a battle, for tables of an earlier day."""

    @property
    def unplayed(self) -> bool:
        """Whether anything counts that was not played: byes, walkovers, forfeits."""
        return any(row.byes or row.walkovers or row.forfeits for row in self.rows)


class GroupTable(Struct, frozen=True):
    """The table of a group of a group stage, from its fixtures alone. ``open`` counts those that are not settled."""

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

    ``lead`` is how many victory points more than all others the first one had; None without a battle.
    """

    warband: UUID
    opponent: UUID
    outcome: str
    opponent_outcome: str
    lead: int | None
    times: int


MERIT: Mapping[str, int] = {Outcome.LOST: 0, Outcome.DREW: 1, Outcome.WON: 2}
Score = Callable[[StandingsRow, frozenset[UUID]], int]
"""The figure of a row among the warbands that are equal so far; higher is better."""


def standings(campaign: Campaign) -> Standings:
    """The campaign's table. Four queries, whatever the number of warbands and battles (three without head-to-head)."""
    return standings_of([campaign])[campaign.pk]


def standings_of(campaigns: Sequence[Campaign]) -> dict[UUID, Standings]:
    """The tables of some campaigns, by their ids. Four queries, however many they are."""
    scorings = {each.pk: scoring_under(each.scoring, each.shown) for each in campaigns}
    tallies: dict[UUID, dict[UUID, Mapping[str, Any]]] = {key: {} for key in scorings}
    for tally in _tallies(campaigns, scorings):
        tallies[tally["battle__campaign"]][tally["warband"]] = tally
    results = fixture_results(Fixture.objects.filter(round__campaign__in=campaigns))
    extras = unplayed(results)
    met = any(TieBreaker.HEAD_TO_HEAD in scoring.tie_breakers for scoring in scorings.values())
    pairs = _pairs(campaigns) if met else {}
    enrolments: dict[UUID, list[Enrolment]] = {key: [] for key in scorings}
    for row in Enrolment.objects.filter(campaign__in=campaigns).select_related("warband", "player"):
        enrolments[row.campaign_id].append(row)
    return {
        each.pk: standing(
            table_rows(each, enrolments[each.pk], tallies[each.pk], extras, scorings[each.pk]),
            pairs.get(each.pk, ()),
            scorings[each.pk],
            walkovers(result for result in results if result.campaign == each.pk),
        )
        for each in campaigns
    }


def standing(
    rows: Iterable[StandingsRow], battles: Iterable[HeadToHead], scoring: Scoring, unfought: tuple[HeadToHead, ...] = ()
) -> Standings:
    """The table of these rows; ``unfought`` are the pairs that met by walkover. No queries."""
    pairs = (*battles, *unfought)
    table = placed(rows, pairs, scoring)
    result = Standings(table, scoring.rule, scoring.tie_rule, parted_by(table, pairs, scoring), unfought)
    return replace(result, rule=f"{scoring.rule} {scoring.unplayed_rule}") if result.unplayed else result


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


def group_tables(table: Standings, results: Sequence[FixtureResult], scoring: Scoring) -> tuple[GroupTable, ...]:
    """The tables of the groups, from their own fixtures: for whom the campaign's ``table`` has a row. No queries."""
    groups = sorted({result.group for result in results if result.group})
    return tuple(
        _group_table(group, table, [each for each in results if each.group == group], scoring) for group in groups
    )


def _group_table(group: str, table: Standings, results: Sequence[FixtureResult], scoring: Scoring) -> GroupTable:
    members = {entrant.enrolment for result in results for entrant in result.entrants}
    counted = unplayed(results)
    rows = [
        _in_group(row, results, counted.get(row.enrolment, Unplayed()), scoring)
        for row in table.rows
        if row.enrolment in members
    ]
    waiting = sum(1 for result in results if not result.settled)
    return GroupTable(group, placed(rows, (*_pairs_of(results), *walkovers(results)), scoring), waiting)


def _in_group(row: StandingsRow, results: Iterable[FixtureResult], extra: Unplayed, scoring: Scoring) -> StandingsRow:
    """The row with the figures of these fixtures alone."""
    played = [
        (own_side, other_side)
        for result in results
        if result.state is FixtureState.CONFIRMED
        for own_side, other_side in (result.sides, result.sides[::-1])
        if own_side.entrant is not None and own_side.entrant.enrolment == row.enrolment
    ]
    ended = Counter(own_side.outcome for own_side, _ in played)
    leads = [_lead(own_side, other_side) for own_side, other_side in played if own_side.outcome == Outcome.WON]
    games = {
        "won": ended[Outcome.WON],
        "drawn": ended[Outcome.DREW],
        "lost": ended[Outcome.LOST],
        "clear": sum(1 for lead in leads if lead >= scoring.margin),
    }
    beside = asdict(extra)
    return replace(
        row,
        victory_points=sum(own_side.victory_points or 0 for own_side, _ in played),
        victory_points_against=sum(other.victory_points or 0 for _, other in played),
        points=scoring.points(**games) + scoring.points_unplayed(**beside),
        **games,
        **beside,
    )


def _pairs_of(results: Iterable[FixtureResult]) -> tuple[HeadToHead, ...]:
    return tuple(
        HeadToHead(
            own_side.entrant.warband,
            other_side.entrant.warband,
            own_side.outcome,
            other_side.outcome,
            _lead(own_side, other_side),
            1,
        )
        for result in results
        if result.state is FixtureState.CONFIRMED
        for own_side, other_side in (result.sides, result.sides[::-1])
        if own_side.entrant is not None and other_side.entrant is not None
    )


def _lead(own_side: SideOfFixture, other_side: SideOfFixture) -> int:
    return (own_side.victory_points or 0) - (other_side.victory_points or 0)


def placed(rows: Iterable[StandingsRow], pairs: Iterable[HeadToHead], scoring: Scoring) -> tuple[StandingsRow, ...]:
    """The rows in order with their positions; equals share one and stand in order of their names."""
    scores = [_points, *(_score(criterion, pairs, scoring) for criterion in scoring.tie_breakers)]
    ordered: list[StandingsRow] = []
    for equals in _split(sorted(rows, key=lambda row: (row.name, row.warband)), scores):
        position, shared = len(ordered) + 1, len(equals) > 1
        ordered += [replace(row, position=position, shared=shared) for row in equals]
    return tuple(ordered)


def parted_by(table: Sequence[StandingsRow], pairs: Iterable[HeadToHead], scoring: Scoring) -> TieBreaker | None:
    """The tie-breaker that parts the first row of a table from the second; None where points do, or nothing does."""
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
    """The table's points from battles and walkovers between the equals, as if these had been all."""
    worth = {Outcome.WON: scoring.win, Outcome.DREW: scoring.draw, Outcome.LOST: scoring.loss, None: 0}
    by_warband: dict[UUID, list[tuple[UUID, int]]] = {}
    for pair in pairs:
        ended = between(pair)
        clear = ended is Outcome.WON and pair.lead is not None and pair.lead >= scoring.margin
        points = worth[ended] + (scoring.clear_win if clear else 0)
        by_warband.setdefault(pair.warband, []).append((pair.opponent, pair.times * points))

    def score(row: StandingsRow, among: frozenset[UUID]) -> int:
        return sum(points for opponent, points in by_warband.get(row.warband, ()) if opponent in among)

    return score


def between(pair: HeadToHead) -> Outcome | None:
    """How the battle ended between two of its sides; None where several sides lost, or won, together."""
    own_merit, other_merit = MERIT.get(pair.outcome, 0), MERIT.get(pair.opponent_outcome, 0)
    if own_merit != other_merit:
        return Outcome.WON if own_merit > other_merit else Outcome.LOST
    return Outcome.DREW if pair.outcome == Outcome.DREW else None


def enrolments_of(campaign: Campaign) -> list[Enrolment]:
    """The enrolments of a campaign, with warbands and players. One query."""
    return list(campaign.enrolments.select_related("warband", "player__user__archived_person"))


def table_rows(
    campaign: Campaign,
    enrolments: Iterable[Enrolment],
    tallies: Mapping[UUID, Mapping[str, Any]],
    extras: Mapping[UUID, Unplayed],
    scoring: Scoring,
) -> list[StandingsRow]:
    """A row for each warband that is in the campaign, or left it after something that counts; in no order. No queries.

    A tally counts "won", "drawn", "lost", "clear", and sums the victory points "scored" and "conceded"; ``extras`` are
    what counts without a battle.
    """
    return [
        _row(campaign, enrolment, tallies.get(enrolment.warband_id, {}), extras.get(enrolment.pk, Unplayed()), scoring)
        for enrolment in enrolments
        if enrolment.warband_id in tallies or enrolment.pk in extras or not _withdrawn(campaign, enrolment)
    ]


def _row(
    campaign: Campaign, enrolment: Enrolment, tally: Mapping[str, Any], extra: Unplayed, scoring: Scoring
) -> StandingsRow:
    beside = asdict(extra)
    games = {key: tally.get(key, 0) for key in ("won", "drawn", "lost", "clear")}
    return StandingsRow(
        enrolment=enrolment.id,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        colour=enrolment.colour,
        faction=enrolment.warband.faction,
        player=enrolment.player_id,
        player_name=enrolment.player.name,
        withdrawn=_withdrawn(campaign, enrolment),
        victory_points=tally.get("scored", 0),
        victory_points_against=tally.get("conceded", 0),
        points=scoring.points(**games) + scoring.points_unplayed(**beside),
        experience=enrolment.warband.experience,
        **games,
        **beside,
    )


def _withdrawn(campaign: Campaign, enrolment: Enrolment) -> bool:
    """Whether the warband left before the campaign's end."""
    ended = campaign.state == CampaignState.FINISHED and enrolment.left_at == campaign.finished_at
    return enrolment.left_at is not None and not ended


def counting(*campaigns: Campaign) -> Q:
    """Which sides the tables count: those of confirmed battles of the campaigns that are not friendly."""
    return Q(battle__campaign__in=campaigns, battle__state=BattleState.CONFIRMED, battle__friendly=False)


def _tallies(campaigns: Sequence[Campaign], scorings: Mapping[UUID, Scoring]) -> Iterable[Mapping[str, Any]]:
    """What each warband did in each campaign: each counts clear wins by its own margin. One query."""
    won, clear = Q(outcome=Outcome.WON), Q(pk__in=())
    for key, scoring in scorings.items():
        apart = Q(victory_points__gte=F("victory_points_against") + scoring.margin)
        clear |= Q(battle__campaign=key) & won & apart
    return (
        Side.objects.filter(counting(*campaigns))
        .order_by()
        .values("battle__campaign", "warband")
        .annotate(
            won=Count("pk", filter=won),
            drawn=Count("pk", filter=Q(outcome=Outcome.DREW)),
            lost=Count("pk", filter=Q(outcome=Outcome.LOST)),
            clear=Count("pk", filter=clear),
            scored=Sum("victory_points"),
            conceded=Sum("victory_points_against"),
        )
    )


def _pairs(campaigns: Sequence[Campaign]) -> dict[UUID, list[HeadToHead]]:
    """Every pair of warbands that met in each campaign, from both ends. One query."""
    rows = (
        Side.objects.filter(counting(*campaigns))
        .order_by()
        .annotate(
            opponent=F("battle__sides__warband"),
            opponent_outcome=F("battle__sides__outcome"),
            lead=F("victory_points") - F("victory_points_against"),
        )
        .exclude(opponent=F("warband"))
        .values_list("battle__campaign", "warband", "opponent", "outcome", "opponent_outcome", "lead")
        .annotate(times=Count("pk"))
    )
    by_campaign: dict[UUID, list[HeadToHead]] = {}
    for campaign, *pair in rows:
        by_campaign.setdefault(campaign, []).append(HeadToHead(*pair))
    return by_campaign
