"""The toy with a condition: a fighter's strength goes from battle to battle. ``register_worn_toy`` makes it known.

A light wound takes one off the strength, a grievous one two; each point of strength that is gone makes a fighter one
point cheaper and stands on its card.
"""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.registry import RULESETS
from rulebook.ruleset import (
    AS_RECRUITED,
    BattleResult,
    BuildData,
    Characteristic,
    Condition,
    ConditionLine,
    FighterFacts,
    PriceLine,
    Ruleset,
    Sheet,
    Terms,
)
from tests.toy_ruleset import ToyRuleset, ToyState

FULL = 4
LOSSES: Mapping[str, int] = {"light": 1, "grievous": 2, "critical": FULL}
WORN = 'Toy rules: "Wear"'


class WornToyRuleset(ToyRuleset):
    """Pocket skirmish whose fighters do not heal between battles."""

    def fighter_facts(self, build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> FighterFacts:
        known = super().fighter_facts(build, terms)
        return replace(known, points=known.points - FULL + strength(condition))

    def sheet(self, build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> Sheet:
        fresh, left = super().sheet(build, terms), strength(condition)
        lines = (*fresh.price.lines, PriceLine("Strength", left - FULL, WORN)) if left < FULL else fresh.price.lines
        points = sum(line.points for line in lines)
        return replace(
            fresh,
            points=points,
            price=replace(fresh.price, points=points, lines=lines),
            characteristics=(*fresh.characteristics, Characteristic("dice", "Dice", "D", str(left))),
        )

    def condition_lines(self, build: BuildData, terms: Terms, condition: Condition) -> tuple[ConditionLine, ...]:
        return (ConditionLine("strength", "Strength", f"{strength(condition)} of {FULL}", WORN),)

    def result(self, play: Play[ToyState]) -> BattleResult:
        fresh = super().result(play)
        brought = {fighter.id: strength(fighter.condition) for side in play.setup.sides for fighter in side.fighters}
        worst = {record.fighter: record.wounds for side in fresh.sides for record in side.records}
        left = {key: before - LOSSES.get(worst[key], 0) for key, before in brought.items()}
        sides = tuple(
            replace(
                side,
                records=tuple(
                    replace(record, condition={"strength": left[record.fighter]} if left[record.fighter] < FULL else {})
                    for record in side.records
                ),
            )
            for side in fresh.sides
        )
        return replace(fresh, sides=sides)


def strength(condition: Condition) -> int:
    """What is left of a fighter."""
    left: int = condition.get("strength", FULL)
    return left


WORN_TOY: Ruleset = WornToyRuleset()


def find_worn_toy(key: str, edition: str) -> Ruleset:
    """The toy with a condition, whatever is asked for."""
    return WORN_TOY


@pytest.fixture
def register_worn_toy(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """The toy with a condition in the place of the plain one for the length of a test."""
    monkeypatch.setitem(RULESETS, "toy", {"1": WORN_TOY})
    return WORN_TOY
