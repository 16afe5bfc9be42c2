"""Actions put together: a kind of event with what is known already, and the fields that are left to ask."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.forms import AnyKind, dice_fields, event_fields
from rulebook.battle_log.policy import DiceBy
from rulebook.values.fields import Choices, Field
from rulebook.values.table import Action

NEVER_ASKED = frozenset({"thrown", "overruled"})
"""The first is noted by the log itself; the second comes up only when the rules say no."""


def action(
    kind: AnyKind,
    *,
    given: Mapping[str, Any],
    main: tuple[str, ...] = (),
    choices: Mapping[str, Choices] | None = None,
    turn: int | None = None,
    hurdle: str = "",
    dice: DiceBy = "both",
) -> Action:
    """An event of this kind that can be logged now: ``given`` is never asked for, ``main`` at once, the rest if wanted.

    ``choices`` narrows fields down: one with a single choice is filled in, one without any is left out.
    """
    fields = {field.key: field for field in _asked(kind, given, main, choices or {}, dice)}
    ordered = (*(fields.pop(key) for key in main if key in fields), *fields.values())
    return Action(
        kind.key,
        kind.key,
        kind.label,
        kind.phase,
        ordered,
        given,
        turn,
        help=kind.help,
        rule=kind.rule,
        hurdle=hurdle,
        rolls=kind.always_rolls,
    )


def _asked(
    kind: AnyKind, given: Mapping[str, Any], main: tuple[str, ...], choices: Mapping[str, Choices], dice: DiceBy
) -> Iterator[Field]:
    thrown = dice_fields(kind)
    for field in event_fields(kind):
        offered = choices.get(field.key, field.choices)
        if field.key in NEVER_ASKED or field.key in given or (field.key in choices and not offered):
            continue
        if field.key not in thrown:
            yield _narrowed(field, offered, "" if field.key in main else "more")
        elif dice != "app":
            yield replace(field, group="dice", required=False)


def _narrowed(field: Field, offered: Choices, group: str) -> Field:
    known = field.kind in ("list", "choice") or not offered
    default = offered[0][0] if len(offered) == 1 and field.required else field.default
    return replace(field, kind=field.kind if known else "choice", choices=offered, group=group, default=default)
