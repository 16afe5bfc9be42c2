"""What a correction asks of an entry: what the table asked when it was logged, with what could be
chosen then."""

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
"""Of so many of those whom an entry names the table is asked what they could do."""


def entry_form(
    rules: Ruleset,
    setup: BattleSetup,
    log: Sequence[LoggedEvent],
    kind: EventForm,
    entry: LoggedEvent,
) -> tuple[Field, ...]:
    """The fields of an entry, those that the table asked for as it asked for them; ``entry`` says
    whom it tells of.

    What it says stays among what can be chosen. An entry that no table asks for keeps the fields of
    its kind.
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
    """The battle as it stood before an entry; None where its log does not add up any more."""
    try:
        steps = rules.log.steps(setup, log)
        state = next((step.before for step in steps if step.logged.sequence == sequence), None)
        return None if state is None else replace_play(open_play(rules.log, setup), state=state)
    except RulesError:
        return None


def _action(
    rules: Ruleset, before: Play[Any], kind: EventForm, data: Mapping[str, Any]
) -> Action | None:
    """What the table offered that the entry tells of; of several that which fits it most
    closely."""
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
    """Each field as the table asked for it, or the parts of it that it asked for one by one; no map
    that it knew."""
    for field in fields:
        parts = [
            each
            for each in action.fields
            if each.key == field.key or each.key.startswith(f"{field.key}.")
        ]
        if parts or field.kind != "map" or field.key not in action.given:
            yield from parts or [field]


def _with(field: Field, value: Any, names: Mapping[str, str]) -> Choices:
    """What can be chosen, with what was chosen."""
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
    """What stands at a key of an entry, where dots lead into maps and lists; None if nothing
    does."""
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
    """An entry with these ``values`` in place of what stood under the ``keys``; everything else
    stays."""
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
    """Everything that stands in a map or list, by its path."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(f"{path}.{key}", inner)
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from _leaves(f"{path}.{place}", inner)
    else:
        yield path, value
