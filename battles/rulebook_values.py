"""Convert a battle's rows to the rule system's values: set-up, log, result."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from django.db.models import Prefetch

from battles.models import Battle, BattleEvent, Combatant, Side
from rulebook.battle_log.play import replay
from rulebook.dice.committed import CommittedDice
from rulebook.registry import find_ruleset
from rulebook.ruleset import (
    BattleResult,
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    Problem,
    RulesError,
    Ruleset,
    Scenario,
)


def ruleset_of_battle(battle: Battle) -> Ruleset:
    """Return the rule system of a battle, in its edition."""
    return find_ruleset(battle.ruleset, battle.edition)


def dice_of(battle: Battle) -> CommittedDice:
    """Return Muster's dice of a battle, starting with the next one."""
    return CommittedDice(battle.dice_seed, str(battle.pk), battle.dice_used)


def scenario_of(battle: Battle) -> Scenario:
    """Return the scenario of a battle.

    Raises RulesError "unknown-scenario" if its rule system does not have it any more.
    """
    for scenario in ruleset_of_battle(battle).scenarios():
        if scenario.key == battle.scenario:
            return scenario
    sentence = f"{battle.ruleset} has no scenario {battle.scenario!r} any more."
    raise RulesError(Problem("unknown-scenario", sentence, field="scenario", value=battle.scenario))


def sides_of(battle: Battle) -> list[Side]:
    """Return the sides of a battle in their order, with warbands and combatants. Two queries."""
    return list(
        battle.sides.select_related("warband")
        .prefetch_related(combatants_in_order())
        .order_by("place")
    )


def warbands_of(battle: Battle) -> list[Side]:
    """Return the sides of a battle in their order with warbands, without combatants. One query."""
    return list(battle.sides.select_related("warband", "substitute").order_by("place"))


def combatants_in_order() -> "Prefetch[str]":
    """Return a prefetch of each side's combatants in their order."""
    return Prefetch("combatants", queryset=Combatant.objects.order_by("place"))


def read_setup(
    battle: Battle,
    sides: Iterable[Side],
    combatants: Mapping[UUID, Sequence[Combatant]] | None = None,
) -> BattleSetup:
    """Return everything that is fixed before the first event. No queries.

    The sides must hold warbands and combatants. Without the latter, ``combatants`` has them by the
    keys of their sides.
    """
    return BattleSetup(
        scenario=battle.scenario,
        sides=tuple(
            _fielded_side(
                side, side.combatants.all() if combatants is None else combatants.get(side.pk, ())
            )
            for side in sides
        ),
        settings=battle.house_rules,
        set_up=battle.set_up,
        points_limit=battle.points_limit,
    )


def _fielded_side(side: Side, combatants: Iterable[Combatant]) -> FieldedSide:
    return FieldedSide(
        key=side.key,
        name=side.warband.name,
        role=side.role,
        faction=side.warband.faction,
        fighters=tuple(fielded_fighter(combatant) for combatant in combatants),
        extras=side.extras,
        figures={figure["key"]: figure["value"] for figure in side.figures},
    )


def fielded_fighter(combatant: Combatant) -> FieldedFighter:
    """Return a combatant as the rule system reads it. No queries."""
    return FieldedFighter(
        id=str(combatant.fighter_id),
        name=combatant.name,
        build=combatant.build,
        rank=combatant.rank,
        points=combatant.points,
        posts=tuple(combatant.posts),
        condition=combatant.condition,
    )


def terms_of(battle: Battle, side: Side) -> CampaignTerms:
    """Return the campaign terms of a side's warband in this battle."""
    return CampaignTerms(
        faction=side.warband.faction, extras=side.extras, settings=battle.house_rules
    )


def read_log(battle: Battle) -> tuple[LoggedEvent, ...]:
    """Return the whole log in order. One query."""
    return logged(battle.events.order_by("sequence"))


def logged(events: Iterable[BattleEvent]) -> tuple[LoggedEvent, ...]:
    """Return rows of a log as the rule system reads them."""
    return tuple(
        LoggedEvent(event.sequence, event.kind, event.data, event.turn, tuple(event.dice))
        for event in events
    )


def replay_battle(
    battle: Battle, sides: Sequence[Side], log: tuple[LoggedEvent, ...]
) -> BattleResult:
    """Return the result of a log. Raises RulesError if the log does not add up."""
    rules = ruleset_of_battle(battle)
    return rules.result(replay(rules.log, read_setup(battle, sides), log))


def read_result(battle: Battle) -> BattleResult | None:
    """Return the stored result; None before submission. No queries."""
    return None if battle.result is None else msgspec.convert(battle.result, BattleResult)
