"""Manual entries: every kind of event as a form that does not depend on the state of the battle.

A phone keeps these forms and fills them in without a network.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.at_table.actions import NEVER_ASKED
from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log.corrections import CORRECTION
from rulebook.battle_log.forms import AnyKind, dice_fields, event_fields
from rulebook.battle_log.play import Play
from rulebook.values.fields import Field
from rulebook.values.table import Action

ACTORS = ("combatant", "side", "group")
"""The kinds of field that name who acts."""


class ManualEntry(Struct, frozen=True, kw_only=True):
    """A kind of event as an action that is possible at any time.

    ``actor`` is the field that names who acts, and ``actor_kind`` its kind; both are "" if nobody
    in particular acts. ``starts_turn`` marks the event that begins a turn, ``lasting`` what counts
    beyond its turn, such as a casualty, and ``some_battles`` what only some scenarios ask for.
    """

    action: Action
    actor: str = ""
    actor_kind: str = ""
    starts_turn: bool = False
    lasting: bool = False
    some_battles: bool = False

    @property
    def needs_json(self) -> bool:
        """Return whether it has a required map, for which there is no form field but text."""
        return any(field.kind == "map" and field.required for field in self.action.fields)


def manual_entries(play: Play[Any], *, dice: bool = True) -> tuple[ManualEntry, ...]:
    """Return an entry for each kind of event except corrections, those of a turn first.

    ``dice`` is whether the players may enter dice.
    """
    kinds = [kind for key, kind in play.log.kinds.items() if key != CORRECTION]
    ordered = sorted(kinds, key=lambda kind: not kind.turn_by_turn)
    return tuple(_manual_entry(kind, play.state, dice) for kind in ordered)


def _manual_entry(kind: AnyKind, state: Any, dice: bool) -> ManualEntry:
    actor = _actor(kind)
    fields = tuple(_fields(kind, state, actor, dice))
    return ManualEntry(
        action=Action(
            key=kind.key,
            kind=kind.key,
            label=kind.label,
            phase=kind.phase,
            fields=fields,
            help=kind.help,
        ),
        actor=actor.key if actor else "",
        actor_kind=actor.kind if actor else "",
        starts_turn=kind.starts_turn,
        lasting=not kind.turn_by_turn,
        some_battles=kind.some_battles,
    )


def _actor(kind: AnyKind) -> Field | None:
    """Return the field that names who acts: the victim of a casualty, otherwise the fighter, side
    or group of the event."""
    fields = {field.key: field for field in event_fields(kind) if field.kind in ACTORS}
    required = (key for key, field in fields.items() if field.required)
    preferred = (kind.casualty.victim if kind.casualty else "", kind.about, *required)
    return next((fields[key] for key in preferred if key in fields), None)


def _fields(kind: AnyKind, state: Any, actor: Field | None, dice: bool) -> Iterator[Field]:
    """Yield the fields of a kind: required ones at once, dice apart, and the others on demand."""
    shown = [field for field in event_fields(kind) if field.key not in NEVER_ASKED]
    thrown = dice_fields(kind)
    at_once = {field.key for field in shown if field.required} or {
        field.key for field in shown[:2] if field.key not in thrown
    }
    at_once |= {actor.key} if actor else set()
    for field in shown:
        if field.key in thrown and not field.required:
            if dice:
                yield from _dice(kind, state, field, actor)
        else:
            yield replace(field, group="" if field.key in at_once else "more")


def _dice(kind: AnyKind, state: Any, field: Field, actor: Field | None) -> Iterator[Field]:
    """Yield the fields for dice. A map of dice by side has a field for each side, as in the offer
    of its kind."""
    if field.kind == "map" and actor is None and issubclass(kind, OfferedEvent):
        offered = kind.offer(state, "").fields
        yield from (each for each in offered if each.key.startswith(f"{field.key}."))
    else:
        yield replace(field, group="dice", required=False)
