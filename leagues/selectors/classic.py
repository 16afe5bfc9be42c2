"""The content of a classic campaign's page: orders, games, forces of the final, and the winner.

Until all orders are in, nothing here reads an order: users see only the state of each.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from msgspec import Struct, field

from battles.models import Battle, BattleState, Part
from battles.selectors.battle_rows import RowSide, name_of, row_side
from battles.selectors.classic_games import (
    SmallGames,
    available,
    games_of,
    over,
    players_of,
    small_games_of,
    verdict_of,
)
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, CampaignState, Enrolment, SealedOrder
from campaigns.order_seals import plan_in
from clubs.models import BattlesRunBy, Role
from clubs.selectors.roles import role_of
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.dice.committed import commitment
from rulebook.ruleset import ClassicScore
from rulebook.values.classic import ClassicVerdict
from rulebook.values.described import closed
from rulebook.values.rosters import Fate
from warbands.rulebook_values import read_states


class Choice(Struct, frozen=True):
    """A scenario of a small game."""

    scenario: str
    name: str


class PlannedFighter(Struct, frozen=True):
    """A fighter of a revealed order."""

    id: UUID
    name: str
    points: int


class SmallWarband(Struct, frozen=True):
    """The fighters that a revealed order sends into a scenario, and their total points."""

    scenario: str
    fighters: tuple[PlannedFighter, ...]
    points: int


class OrderRow(Struct, frozen=True):
    """The order of a warband.

    ``state`` is "awaited", "sealed", "lapsed" (the roster has changed, so that it must be sealed
    again) or "revealed"; ``plan`` and ``text`` are empty before that. ``commitment`` is the SHA-256
    of ``text``. ``may_seal`` says whether the user can seal it.
    """

    enrolment: UUID
    warband: UUID
    name: str
    colour: str
    player_name: str
    state: Annotated[str, closed("OrderState", ("awaited", "sealed", "lapsed", "revealed"))]
    sealed_at: datetime | None
    commitment: str
    may_seal: bool
    plan: tuple[SmallWarband, ...]
    text: str


class GameRow(Struct, frozen=True):
    """A game of the campaign: ``part`` is "small-game" or "final"."""

    battle: UUID
    name: str
    part: Annotated[str, closed("GamePart", filter(None, Part))]
    scenario: str
    state: Annotated[str, closed("BattleState", BattleState)]
    sides: tuple[RowSide, ...]


class AbsentFighter(Struct, frozen=True):
    """A fighter who cannot take part in the final, with the reason and the die, if any."""

    id: UUID
    name: str
    fate: Annotated[str, closed("Fate", Fate)]
    die: int | None


class FinalForce(Struct, frozen=True):
    """The fighters of a warband who can take part in the final, their points, and the others."""

    warband: UUID
    name: str
    fighters: tuple[PlannedFighter, ...]
    points: int
    absent: tuple[AbsentFighter, ...]


class CampaignDie(Struct, frozen=True):
    """A die of the campaign: its purpose, its number of faces and the number rolled."""

    purpose: str
    faces: int
    number: int


class ClassicPage(Struct, frozen=True):
    """A classic campaign.

    ``seed`` is empty until the orders are revealed; ``commitment`` is its SHA-256.

    ``final_forces`` are for the final, once all orders are revealed; ``may_plan_final`` is for the
    user.
    """

    campaign: UUID
    scenarios: tuple[Choice, ...]
    drawn: bool
    commitment: str
    seed: str
    lots: tuple[CampaignDie, ...]
    revealed: bool
    orders: tuple[OrderRow, ...]
    games: tuple[GameRow, ...]
    games_over: bool
    final_forces: tuple[FinalForce, ...] = field(name="musters")
    scores: tuple[ClassicScore, ...]
    verdict: ClassicVerdict
    may_plan_final: bool


def classic_page(campaign: Campaign, user: User | AnonymousUser) -> ClassicPage | None:
    """Return a classic campaign for this user, or None for another format. Five queries."""
    enrolments = players_of(campaign)
    games = games_of(campaign)
    scores, verdict = verdict_of(campaign, enrolments, games)
    rules = ruleset_of_campaign(campaign)
    if verdict is None or rules.classic is None:
        return None
    revealed = is_revealed(enrolments)
    states = read_states([each.warband for each in enrolments])
    role = role_of(user, campaign.club_id)
    done = over(campaign, games)
    planned = any(game.part == Part.FINAL for game in games)
    names = {scenario.key: scenario.name for scenario in rules.scenarios()}
    return ClassicPage(
        campaign=campaign.pk,
        scenarios=tuple(Choice(key, names.get(key, key)) for key in campaign.scenarios),
        drawn=rules.classic.drawn(campaign.house_rules),
        commitment=commitment(campaign.dice_seed),
        seed=campaign.dice_seed if revealed else "",
        lots=tuple(CampaignDie(lot["for"], lot["faces"], lot["number"]) for lot in campaign.lots),
        revealed=revealed,
        orders=tuple(
            _order(campaign, each, states[each.warband_id], user, role) for each in enrolments
        ),
        games=tuple(_game(game) for game in games),
        games_over=done,
        final_forces=tuple(_final_forces(campaign, enrolments, states, games)) if revealed else (),
        scores=scores,
        verdict=verdict,
        may_plan_final=done
        and not planned
        and campaign.state == CampaignState.RUNNING
        and _may_run(campaign, enrolments, user, role),
    )


def _may_run(
    campaign: Campaign, enrolments: Sequence[Enrolment], user: User | AnonymousUser, role: str
) -> bool:
    """Return whether the user can plan a battle between these warbands."""
    if role != Role.PLAYER:
        return role == Role.ORGANISER
    playing = {
        key for each in enrolments for key in (each.warband.owner_id, each.warband.keeper_id)
    }
    return user.pk in playing or campaign.club.battles_run_by == BattlesRunBy.EVERY_PLAYER


def is_revealed(enrolments: Sequence[Enrolment]) -> bool:
    """Return whether all orders are revealed."""
    orders = [_sealed(each) for each in enrolments]
    return bool(orders) and all(
        order is not None and order.revealed_at is not None for order in orders
    )


def _sealed(enrolment: Enrolment) -> SealedOrder | None:
    return getattr(enrolment, "order", None)


def _order(
    campaign: Campaign,
    enrolment: Enrolment,
    state: WarbandState,
    user: User | AnonymousUser,
    role: str,
) -> OrderRow:
    order = _sealed(enrolment)
    return OrderRow(
        enrolment=enrolment.pk,
        warband=enrolment.warband_id,
        name=enrolment.warband.name,
        colour=enrolment.colour,
        player_name=enrolment.player.name,
        state=order_state(order),
        sealed_at=order.sealed_at if order else None,
        commitment=order.commitment if order and not order.lapsed else "",
        may_seal=_may_seal(campaign, enrolment, user, role),
        plan=tuple(
            _small_warband(scenario, keys, state)
            for scenario, keys in _in_order_of_play(campaign, plan_in(order.text))
        )
        if order and order.revealed_at
        else (),
        text=order.text if order and order.revealed_at else "",
    )


def _in_order_of_play(
    campaign: Campaign, plan: Mapping[str, tuple[str, ...]]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return a plan by its scenarios as they are played; a sealed text sorts them by key."""
    order = {scenario: place for place, scenario in enumerate(campaign.scenarios)}
    return sorted(plan.items(), key=lambda each: order.get(each[0], len(order)))


def order_state(order: SealedOrder | None) -> str:
    """Return "awaited", "sealed", "lapsed" or "revealed"."""
    if order is None:
        return "awaited"
    if order.revealed_at is not None:
        return "revealed"
    return "lapsed" if order.lapsed else "sealed"


def _may_seal(
    campaign: Campaign, enrolment: Enrolment, user: User | AnonymousUser, role: str
) -> bool:
    """Return whether the user is the one who seals the order.

    The service checks whether it can be replaced now.
    """
    order = _sealed(enrolment)
    if campaign.state != CampaignState.RUNNING or (
        order is not None and order.revealed_at is not None
    ):
        return False
    if enrolment.player.vacant:
        return role == Role.ORGANISER
    return enrolment.player.user_id == user.pk


def _small_warband(scenario: str, keys: Sequence[str], state: WarbandState) -> SmallWarband:
    fighters = _fighters(keys, state.fighters)
    return SmallWarband(scenario, fighters, sum(each.points for each in fighters))


def _fighters(keys: Sequence[str], by_id: Mapping[str, FighterState]) -> tuple[PlannedFighter, ...]:
    fighters = (by_id[key] for key in keys if key in by_id)
    return tuple(PlannedFighter(UUID(each.id), each.name, each.points) for each in fighters)


def _game(battle: Battle) -> GameRow:
    return GameRow(
        battle=battle.pk,
        name=name_of(battle),
        part=battle.part,
        scenario=battle.scenario,
        state=battle.state,
        sides=tuple(row_side(side) for side in battle.sides.all()),
    )


def _final_forces(
    campaign: Campaign,
    enrolments: Sequence[Enrolment],
    states: Mapping[UUID, WarbandState],
    games: Sequence[Battle],
) -> list[FinalForce]:
    """Return the forces for the final, or an empty list once the final is confirmed."""
    if any(game.part == Part.FINAL and game.state == BattleState.CONFIRMED for game in games):
        return []
    small = small_games_of(games)
    return [
        _final_force(campaign, each, states[each.warband_id], small.get(each.warband_id))
        for each in enrolments
    ]


def _final_force(
    campaign: Campaign, enrolment: Enrolment, state: WarbandState, small: SmallGames | None
) -> FinalForce:
    small = small or SmallGames()
    keys = available(campaign, state, small)
    fighters = _fighters(keys, state.fighters)
    dice = {
        record.fighter: record.recovery_roll
        for record in small.records
        if record.recovery_roll is not None
    }
    absent = tuple(
        AbsentFighter(UUID(key), each.name, str(each.fate), dice.get(key))
        for key, each in state.fighters.items()
        if key not in keys
    )
    total = sum(each.points for each in fighters)
    return FinalForce(enrolment.warband_id, enrolment.warband.name, fighters, total, absent)
