"""A set-up of which the table has rolled or agreed a part itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulebook.ruleset import Problem, RulesError
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario
from rulebook.systems.en_garde.table.roll_offs import STREAMS
from rulebook.systems.en_garde.table.setting_up import SetUp, figures, placement_order

KEPT = frozenset({"wounds", "secrets_drawn"})
"""What a set-up brings along that is neither rolled nor typed for the table."""
MOST_TURNS = 30
MOST_PIECES = 20
SIDES_OF_A_TABLE = (12, 120)
"""Inches: from a kitchen table to two that are pushed together."""


def with_typed(rolled: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """A set-up with what was rolled or agreed at the table in place of Muster's.

    Raises RulesError naming each field that there is not, and each value that it cannot have.
    """
    problems = [problem for field, value in typed.items() for problem in _typed_problems(rolled, field, value)]
    if problems:
        raise RulesError(*problems)
    whole = {**rolled, **typed, **_terrain_counted(typed)}
    whole |= _placed_anew(whole, typed)
    try:
        table = msgspec.convert(whole, SetUp)
    except msgspec.ValidationError as error:
        raise RulesError(Problem("wrong-set-up", f"The set-up cannot be read: {error}.", field="set_up")) from error
    problems = list(_impossible(rolled, typed, table))
    if problems:
        raise RulesError(*problems)
    return whole


def _impossible(rolled: Mapping[str, Any], typed: Mapping[str, Any], table: SetUp) -> Iterator[Problem]:
    """Everything typed that no table can have, with what it could be."""
    facts = find_scenario(rolled["scenario"])
    for field, possible in POSSIBLE.items():
        why = possible(table, facts) if field in typed else ""
        if why:
            yield Problem(
                "wrong-set-up", f"{field!r}: {why}", field=field, value=str(typed[field]), source=facts.source
            )
    if table.scenario != facts.key:
        sentence = f"This battle is planned as {facts.name}: plan another one for another scenario."
        yield Problem("wrong-set-up", sentence, field="scenario", value=table.scenario)
    if "roles" in typed:
        yield from _wrong_roles(table, facts, rolled["roles"])


def _turns(table: SetUp, facts: ScenarioFacts) -> str:
    if table.turns is None or 1 <= table.turns <= MOST_TURNS:
        return ""
    return f"a game lasts 1 to {MOST_TURNS} turns."


def _area(table: SetUp, facts: ScenarioFacts) -> str:
    least, most = SIDES_OF_A_TABLE
    return "" if all(least <= inches <= most for inches in table.area) else f'each side measures {least}" to {most}".'


def _terrain(table: SetUp, facts: ScenarioFacts) -> str:
    pieces = table.terrain
    if not (0 <= pieces.large <= MOST_PIECES and 0 <= pieces.small <= MOST_PIECES):
        return f"0 to {MOST_PIECES} pieces of each size."
    return "" if pieces.total == pieces.large + pieces.small else "large and small pieces make up the total."


def _locations(table: SetUp, facts: ScenarioFacts) -> str:
    known = [row.key for row in figures().location if row.key != "mixed"]
    good = 1 <= len(table.locations) <= 2 and len({*table.locations}) == len(table.locations)
    return "" if good and {*table.locations} <= {*known} else f"one or two of {', '.join(known)}."


def _deployment(table: SetUp, facts: ScenarioFacts) -> str:
    return _one_of(table.deployment, facts.deployment)


def _reserves(table: SetUp, facts: ScenarioFacts) -> str:
    return _one_of(table.reserves, dict.fromkeys(("none", facts.reserves)))


def _placing(table: SetUp, facts: ScenarioFacts) -> str:
    known = all(side in table.roles and pieces > 0 for side, pieces in table.placing)
    whole = sum(pieces for _, pieces in table.placing) == table.terrain.total
    return "" if known and whole else f"pairs of a side and its pieces, {table.terrain.total} in all."


def _decides(table: SetUp, facts: ScenarioFacts) -> str:
    return _one_of(table.decides, table.roles)


def _chooses(table: SetUp, facts: ScenarioFacts) -> str:
    return "" if sorted(table.chooses) == sorted(table.roles) else f"every side once: {', '.join(table.roles)}."


def _downstream(table: SetUp, facts: ScenarioFacts) -> str:
    return _one_of(table.downstream, STREAMS if facts.river else ("",))


def _one_of(value: str, known: Iterable[str]) -> str:
    keys = [*known]
    return "" if value in keys else f"in this scenario one of {', '.join(keys)}."


def _wrong_roles(table: SetUp, facts: ScenarioFacts, drawn: Mapping[str, str]) -> Iterator[Problem]:
    """Every side has one of the scenario's roles, and none is taken too often."""
    known = ", ".join(role.key for role in facts.roles)
    for side, role in table.roles.items():
        found = facts.role(role)
        taken = [*table.roles.values()].count(role)
        if side not in drawn:
            sentence = f"There is no side {side!r} in this battle: it has {', '.join(drawn)}."
            yield Problem("wrong-set-up", sentence, field="roles", value=side)
        elif found is None or taken > found.most:
            sentence = f"{facts.name} has these roles, each for as many as it has room for: {known}."
            yield Problem("wrong-set-up", sentence, field="roles", value=role, source=facts.source)


POSSIBLE: Mapping[str, Callable[[SetUp, ScenarioFacts], str]] = {
    "turns": _turns,
    "area": _area,
    "terrain": _terrain,
    "locations": _locations,
    "deployment": _deployment,
    "reserves": _reserves,
    "placing": _placing,
    "decides": _decides,
    "chooses": _chooses,
    "downstream": _downstream,
}
"""Parts of a set-up, and what is wrong with them: "" if nothing is."""


def _placed_anew(whole: Mapping[str, Any], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Typed pieces of terrain are placed in the order that was rolled."""
    total = whole["terrain"].get("total") if isinstance(whole["terrain"], Mapping) else None
    sides = list(dict.fromkeys(side for side, _ in whole.get("placing", ())))
    if "terrain" not in typed or "placing" in typed or not isinstance(total, int) or len(sides) < 2:
        return {}
    return {"placing": [[side, pieces] for side, pieces in placement_order(sides[0], sides[1], min(total, 99))]}


def _terrain_counted(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Pieces of terrain with their total, where only large and small ones were counted."""
    told = typed.get("terrain")
    if not isinstance(told, Mapping) or "total" in told:
        return {}
    numbers = {size: told.get(size, 0) for size in ("large", "small")}
    known = all(isinstance(number, int) for number in numbers.values())
    return {"terrain": {**told, **numbers, "total": sum(numbers.values())}} if known else {}


def _typed_problems(rolled: Mapping[str, Any], field: str, value: Any) -> Iterator[Problem]:
    if field in KEPT:
        return
    if field not in rolled or field == "rolls":
        known = ", ".join(sorted(set(rolled) - {"rolls"}))
        yield Problem("unknown-set-up", f"A set-up has no {field!r}. It has: {known}.", field=field, value=str(value))
    choices = {"weather": ("fair", "weather"), "hour": ("day", "hour")}.get(field)
    if choices is None:
        return
    usual, table = choices
    keys = [usual, *(row.key for row in getattr(figures(), table))]
    if value not in keys:
        yield Problem("wrong-set-up", f"{field!r} is one of {', '.join(keys)}.", field=field, value=str(value))
