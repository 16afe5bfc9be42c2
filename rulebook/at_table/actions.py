"""Actions put together: a kind of event with what is known already, and the fields that are left to
ask."""

from collections.abc import Collection, Iterator, Mapping
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
    """Return the action of a kind: ``given`` is never asked for, ``main`` at once, other optional
    fields on request.

    ``choices`` narrows fields down: one with a single choice is filled in, one without any is left
    out.
    """
    return Action(
        key=kind.key,
        kind=kind.key,
        label=kind.label,
        phase=kind.phase,
        fields=action_fields(kind, given=given, main=main, choices=choices, dice=dice),
        given=given,
        turn=turn,
        help=kind.help,
        rule=kind.rule,
        hurdle=hurdle,
        rolls=kind.always_rolls,
    )


def action_fields(
    kind: AnyKind,
    *,
    given: Collection[str],
    main: tuple[str, ...] = (),
    without: Collection[str] = (),
    choices: Mapping[str, Choices] | None = None,
    dice: DiceBy = "both",
) -> tuple[Field, ...]:
    """Return the fields of a kind that a form shows, ``main`` first, without those in ``given`` or
    ``without``.

    ``choices`` narrows fields down as for an action. Dice are left out where Muster throws them
    all; a map is asked for by fields of its own, whose keys lead into it.
    """
    hidden = {*NEVER_ASKED, *given, *without}
    fields = {field.key: field for field in _asked(kind, hidden, main, choices or {}, dice)}
    return (*(fields.pop(key) for key in main if key in fields), *fields.values())


def _asked(
    kind: AnyKind,
    hidden: Collection[str],
    main: tuple[str, ...],
    choices: Mapping[str, Choices],
    dice: DiceBy,
) -> Iterator[Field]:
    thrown = dice_fields(kind)
    for field in event_fields(kind):
        offered = choices.get(field.key, field.choices)
        if field.key in hidden or field.kind == "map" or (field.key in choices and not offered):
            continue
        if field.key not in thrown:
            yield _narrowed(field, offered, "" if field.key in main or field.required else "more")
        elif dice != "app":
            yield replace(field, group="dice", required=False)


def _narrowed(field: Field, offered: Choices, group: str) -> Field:
    is_choice = field.kind in ("list", "choice", "side") or not offered
    default = offered[0][0] if len(offered) == 1 and field.required else field.default
    return replace(
        field,
        kind=field.kind if is_choice else "choice",
        choices=offered,
        group=group,
        default=default,
    )
