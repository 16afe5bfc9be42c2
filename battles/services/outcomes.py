"""Write the outcome of a battle: the recovery dice of its fighters and the columns of its sides."""

from typing import Any

from django.utils.translation import gettext
from msgspec.structs import replace

from battles.chronicle_facts import points_against
from battles.models import Battle
from battles.rulebook_values import ruleset_of_battle
from core.errors import InvalidInput
from rulebook.dice.committed import die
from rulebook.ruleset import BattleResult, SideResult

NO_OUTCOME = {"outcome": "", "victory_points": 0, "victory_points_against": 0}
"""The columns of a side whose battle does not count, or not yet."""


def with_recovery_dice(battle: Battle, result: BattleResult | None) -> BattleResult:
    """Return the result with a recovery die for each fighter who needs one.

    Dice typed in the log do not change. A fighter's die in a battle depends on the battle's secret
    seed alone: replaying or correcting the log gives the same die, so that nobody can try for a
    better one. Raises InvalidInput "no-result" without a result.
    """
    if result is None:
        raise InvalidInput("no-result", gettext("The battle has no result yet. Submit it first."))
    recovery_dice = ruleset_of_battle(battle).progression.recovery_dice
    sides: list[SideResult] = []
    for side in result.sides:
        needing = set(recovery_dice(side.records, battle.house_rules))
        records = tuple(
            replace(record, recovery_roll=recovery_die(battle, record.fighter))
            if record.fighter in needing and record.recovery_roll is None
            else record
            for record in side.records
        )
        sides.append(replace(side, records=records))
    return replace(result, sides=tuple(sides))


def recovery_die(battle: Battle, fighter: str) -> int:
    """Return the die, 1 to 6, that decides whether a fighter is fit again after this battle."""
    return die(battle.dice_seed, f"{battle.pk} recovery {fighter}", 1)


def write_sides(battle: Battle, result: BattleResult | None) -> None:
    """Write outcome and victory points to the sides; None stands for a battle that does not count.

    One query per side.
    """
    if result is None:
        battle.sides.update(**NO_OUTCOME)
        return
    for side in result.sides:
        battle.sides.filter(key=side.side).update(**outcome_columns(side.side, result))


def outcome_columns(key: str, result: BattleResult) -> dict[str, Any]:
    """Return the columns of a side that follow from the result."""
    side_result = next(side for side in result.sides if side.side == key)
    return {
        "outcome": side_result.outcome,
        "victory_points": side_result.victory_points,
        "victory_points_against": points_against(key, result),
    }
