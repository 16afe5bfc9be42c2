"""Battles as rows of lists, with their badges."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Annotated
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct, field

from battles.models import Battle, BattleState, Side
from battles.rulebook_values import scenario_of
from core.compiled_queries import set_related
from rulebook.registry import system_name
from rulebook.ruleset import VisibleNumbers
from rulebook.values.battles import Outcome
from rulebook.values.described import closed


class Badge(Struct, frozen=True):
    """A badge: ``key`` decides its colour, ``label`` is its text."""

    key: str
    label: str


def with_sides(battles: Sequence[Battle], sides: Iterable[Side]) -> list[Battle]:
    """Return the battles with their sides, which were loaded by a second query.

    Battles without sides are left out: a battle that was confirmed between the two queries may be
    in one of them only.
    """
    sides_of: dict[UUID, list[Side]] = {battle.pk: [] for battle in battles}
    for side in sides:
        if side.battle_id in sides_of:
            sides_of[side.battle_id].append(side)
    shown = [battle for battle in battles if sides_of[battle.pk]]
    for battle in shown:
        set_related(battle, "sides", sides_of[battle.pk])
    return shown


def badges_of(battle: Battle) -> tuple[Badge, ...]:
    """Return a battle's badges, its state first. No queries."""
    return tuple(_badges(battle))


def _badges(battle: Battle) -> Iterator[Badge]:
    yield Badge(battle.state, str(BattleState(battle.state).label))
    if battle.friendly:
        yield Badge("friendly", gettext("Friendly"))
    if battle.campaign_id is None:
        yield Badge("one-off", gettext("One-off"))
    if battle.revision:
        times = (
            gettext("Corrected")
            if battle.revision == 1
            else gettext("Corrected %(revision)s times") % {"revision": battle.revision}
        )
        yield Badge("corrected", times)


class RowSide(Struct, frozen=True):
    """A side in a row.

    ``outcome`` is "won", "lost", "drew", or "" before the battle is confirmed.
    """

    key: str
    warband: UUID
    warband_name: str
    role: str
    outcome: Annotated[str, closed("Outcome", Outcome, blank=True)]
    victory_points: int


class BattleRow(Struct, frozen=True):
    """A battle in a list."""

    id: UUID
    name: str
    ruleset: str
    ruleset_name: str
    scenario: str
    scenario_name: str
    campaign: UUID | None
    campaign_name: str
    state: Annotated[str, closed("BattleState", BattleState)]
    friendly: bool
    fought_on: date
    shown: VisibleNumbers
    version: int
    revision: int
    sides: tuple[RowSide, ...]
    badges: tuple[Badge, ...] = field(name="chips")


def battle_row(battle: Battle) -> BattleRow:
    """Return the row of a battle loaded by ``for_rows``. No queries."""
    return BattleRow(
        id=battle.pk,
        name=name_of(battle),
        ruleset=battle.ruleset,
        ruleset_name=system_name(battle.ruleset),
        scenario=battle.scenario,
        scenario_name=scenario_of(battle).name,
        campaign=battle.campaign_id,
        campaign_name=battle.campaign.name if battle.campaign else "",
        state=battle.state,
        friendly=battle.friendly,
        fought_on=battle.fought_on,
        shown=battle.shown,
        version=battle.version,
        revision=battle.revision,
        sides=tuple(row_side(side) for side in battle.sides.all()),
        badges=badges_of(battle),
    )


def battle_rows(battles: Iterable[Battle]) -> tuple[BattleRow, ...]:
    """Return the rows of battles loaded by ``for_rows``. No queries."""
    return tuple(battle_row(battle) for battle in battles)


def name_of(battle: Battle) -> str:
    """Return a battle's title, or its scenario's name without one."""
    return battle.title or scenario_of(battle).name


def row_side(side: Side) -> RowSide:
    """Return a side in a row; its warband should be loaded with it."""
    return RowSide(
        key=side.key,
        warband=side.warband_id,
        warband_name=side.warband.name,
        role=side.role,
        outcome=side.outcome,
        victory_points=side.victory_points,
    )
