"""Lists of battles: one row each, for campaigns, warbands and the front page."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db.models import Count, Max, Q, Sum
from msgspec import Struct, field

from battles.models import Battle, BattleQuerySet, BattleState, Side
from battles.reading import scenario_of
from battles.summaries.badges import Badge, badges_of
from campaigns.models import Campaign
from rulebook.ruleset import Outcome
from warbands.models import Warband


class RowSide(Struct, frozen=True):
    """A side in a row. ``outcome`` is "won", "lost", "drew", or "" before the battle is confirmed."""

    key: str
    warband: UUID
    warband_name: str
    role: str
    outcome: str
    victory_points: int


class BattleRow(Struct, frozen=True):
    """A battle in a list."""

    id: UUID
    name: str
    scenario: str
    scenario_name: str
    campaign: UUID | None
    campaign_name: str
    state: str
    friendly: bool
    fought_on: date
    version: int
    revision: int
    sides: tuple[RowSide, ...]
    badges: tuple[Badge, ...] = field(name="chips")


class BattleList(Struct, frozen=True):
    """A page of a list of battles; ``page`` counts from 1."""

    rows: tuple[BattleRow, ...]
    total: int
    page: int
    pages: int


class WarbandRecord(Struct, frozen=True):
    """How a warband has fared in confirmed battles that count, and its newest battles of all kinds."""

    won: int
    drawn: int
    lost: int
    victory_points: int
    victory_points_against: int
    most_victory_points: int | None
    battles: BattleList


def battle_row(battle: Battle) -> BattleRow:
    """The row of a battle that was loaded by ``for_rows``. No queries."""
    return BattleRow(
        id=battle.pk,
        name=name_of(battle),
        scenario=battle.scenario,
        scenario_name=scenario_of(battle).name,
        campaign=battle.campaign_id,
        campaign_name=battle.campaign.name if battle.campaign else "",
        state=battle.state,
        friendly=battle.friendly,
        fought_on=battle.fought_on,
        version=battle.version,
        revision=battle.revision,
        sides=tuple(row_side(side) for side in battle.sides.all()),
        badges=badges_of(battle),
    )


def battle_rows(battles: Iterable[Battle]) -> tuple[BattleRow, ...]:
    """The rows of battles that were loaded by ``for_rows``. No queries."""
    return tuple(battle_row(battle) for battle in battles)


def name_of(battle: Battle) -> str:
    """What a battle is called: its title, else its scenario's name."""
    return battle.title or scenario_of(battle).name


def campaign_battles(campaign: Campaign, *, page: int = 1, page_size: int = 25, state: str = "") -> BattleList:
    """A page of a campaign's battles, newest first; with a state: only those. Three queries."""
    battles = Battle.objects.filter(campaign=campaign)
    return _listed(battles.filter(state=state) if state else battles, page, page_size)


def warband_record(warband: Warband, *, page: int = 1, page_size: int = 25) -> WarbandRecord:
    """A warband's record, with a page of its battles, newest first. Four queries."""
    confirmed = Side.objects.filter(warband=warband, battle__state=BattleState.CONFIRMED, battle__friendly=False)
    tally = confirmed.aggregate(
        won=Count("pk", filter=Q(outcome=Outcome.WON)),
        drawn=Count("pk", filter=Q(outcome=Outcome.DREW)),
        lost=Count("pk", filter=Q(outcome=Outcome.LOST)),
        points=Sum("victory_points", default=0),
        against=Sum("victory_points_against", default=0),
        most=Max("victory_points"),
    )
    mine = Side.objects.filter(warband=warband)
    return WarbandRecord(
        won=tally["won"],
        drawn=tally["drawn"],
        lost=tally["lost"],
        victory_points=tally["points"],
        victory_points_against=tally["against"],
        most_victory_points=tally["most"],
        battles=_listed(Battle.objects.filter(pk__in=mine.values("battle")), page, page_size),
    )


def _listed(battles: BattleQuerySet, page: int, page_size: int) -> BattleList:
    total = battles.count()
    pages = max(1, -(-total // page_size))
    page = min(max(page, 1), pages)
    shown = battles.for_rows()[(page - 1) * page_size : page * page_size]
    return BattleList(battle_rows(shown), total, page, pages)


def row_side(side: Side) -> RowSide:
    """A side in a row; its warband should be loaded with it."""
    return RowSide(
        key=side.key,
        warband=side.warband_id,
        warband_name=side.warband.name,
        role=side.role,
        outcome=side.outcome,
        victory_points=side.victory_points,
    )
