"""The form that corrects an entry: its fields and choices as they were when it was logged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_play
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.play import Play, open_play
from rulebook.ruleset import Action, BattleSetup, LoggedEvent, RulesError, Ruleset
from rulebook.values.battles import EventForm
from rulebook.values.fields import Choices, Field, nested

SOMEBODY = ("combatant", "side")
MAX_ASKED = 4
"""The maximum number of fighters or groups of an entry whose actions are computed."""


def entry_form(
    rules: Ruleset,
    setup: BattleSetup,
    log: Sequence[LoggedEvent],
    kind: EventForm,
    entry: LoggedEvent,
) -> tuple[Field, ...]:
    """Return the fields for a correction of an entry, as the live log offered them.

    The present values stay among the choices. An entry that the live log does not offer keeps the
    fields of its kind.
    """
    before = _before(rules, setup, log, entry.sequence)
    action = _action(rules, before, kind, entry.data) if before else None
    if before is None or action is None:
        return kind.fields
    names = {fighter.id: fighter.name for side in before.setup.sides for fighter in side.fighters}
    return tuple(
        replace(field, choices=_with(field, value_at(entry.data, field.key), names))
        for field in _merged(kind.fields, action)
    )


def _before(
    rules: Ruleset, setup: BattleSetup, log: Sequence[LoggedEvent], sequence: int
) -> Play[Any] | None:
    """Return the play before an entry; None if its log does not add up any more."""
    try:
        steps = rules.log.steps(setup, log)
        state = next((step.before for step in steps if step.logged.sequence == sequence), None)
        return None if state is None else replace_play(open_play(rules.log, setup), state=state)
    except RulesError:
        return None


def _action(
    rules: Ruleset, before: Play[Any], kind: EventForm, data: Mapping[str, Any]
) -> Action | None:
    """Return the action that matches the entry, the most specific of several; None without one."""
    now = rules.at_table(before)
    present = {fighter.id for side in before.setup.sides for fighter in side.fighters}
    present |= {group.key for group in now.groups} if now else set()
    named = [value for _, value in _leaves("", data) if isinstance(value, str) and value in present]
    askers = dict.fromkeys(("", *(side.key for side in before.setup.sides), *named[:MAX_ASKED]))
    tables = (rules.at_table(before, who) for who in askers)
    offered = [
        action for table in tables if table for action in table.actions if action.kind == kind.key
    ]
    fitting = [
        action
        for action in offered
        if all(data.get(key) == value for key, value in action.given.items())
    ]
    return max(fitting, key=lambda action: len(action.given), default=None)


def _merged(fields: Iterable[Field], action: Action) -> Iterator[Field]:
    """Yield each field, or the parts into which the action divides it.

    Maps whose value the action gives are left out.
    """
    for field in fields:
        parts = [
            each
            for each in action.fields
            if each.key == field.key or each.key.startswith(f"{field.key}.")
        ]
        if parts or field.kind != "map" or field.key not in action.given:
            yield from parts or [field]


def _with(field: Field, value: Any, names: Mapping[str, str]) -> Choices:
    """Return the choices of a field, including the present values."""
    if not field.choices or value in (None, "", []):
        return field.choices
    several = isinstance(value, list | tuple)
    values = (
        map(str, value)
        if field.kind == "list"
        else [",".join(map(str, value)) if several else str(value)]
    )
    labels = dict(field.choices)
    return (
        *field.choices,
        *((each, names.get(each, each)) for each in values if each not in labels),
    )


def value_at(data: Any, key: str) -> Any:
    """Return the value at a key of an entry, or None. Dots lead into maps and lists."""
    for part in key.split("."):
        if isinstance(data, Mapping):
            data = data.get(part)
        elif isinstance(data, list | tuple) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        else:
            return None
    return data


def merge_correction(
    data: Mapping[str, Any], keys: Iterable[str], values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return an entry with the values under the ``keys`` replaced; everything else is kept."""
    keys = (*keys,)
    split = {key.partition(".")[0] for key in keys if "." in key}
    unchanged = {key: value for key, value in data.items() if key not in keys and key not in split}
    leaves = {
        path: value for key in split if key in data for path, value in _leaves(key, data[key])
    }
    left = {
        path: value
        for path, value in leaves.items()
        if not any(f"{path}.".startswith(f"{key}.") for key in keys)
    }
    parts = nested(left | {key: value for key, value in values.items() if "." in key})
    return unchanged | parts | {key: value for key, value in values.items() if "." not in key}


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every value in a map or list, with its path."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}", inner)
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from _leaves(f"{path}.{place}", inner)
    else:
        yield path, value
