"""The light way of logging: turns and casualties alone. All of it follows from what the kinds of a
log declare."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.forms import AnyKind, event_fields
from rulebook.battle_log.kinds import Casualty
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.play import Play
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Field
from rulebook.values.table import Action, CasualtyBoard, CasualtyResult, LightWay

LIGHT_TURN = "light-turn"
"""The key of an action that begins a light turn; that of a side's own turn has the side's key
behind it."""
NEVER_ASKED = ("thrown", "overruled")


def light_way(play: Play[Any]) -> LightWay:
    """Return how the battle is logged in the light way as it stands."""
    log, state = play.log, play.state
    return LightWay(
        now=bool(getattr(state, "light", False)),
        turns=tuple(_turns(play)),
        board=casualty_board(log),
        due_kinds=frozenset(key for key, kind in log.kinds.items() if kind.in_light),
    )


def _turns(play: Play[Any]) -> Iterator[Action]:
    """Yield the light turns that may begin now; none after the last turn, or once the battle is
    over."""
    for kind in (each for each in play.log.kinds.values() if each.starts_turn):
        for given in kind.light_turns(play.state):
            event = LoggedEvent(play.sequence + 1, kind.key, given)
            if play.log.problems(play.state, play.log.read(event), event):
                continue
            side = str(given.get("side", ""))
            key = f"{LIGHT_TURN}-{side}" if side else LIGHT_TURN
            yield Action(key=key, kind=kind.key, label=kind.label, given=given, rule=kind.rule)


def casualty_board(log: BattleLog[Any]) -> CasualtyBoard | None:
    """Return the board of a log, None where none of its kinds has a casualty."""
    casualties = [(kind, kind.casualty) for kind in log.kinds.values() if kind.casualty is not None]
    if not casualties:
        return None
    first, casualty = casualties[0]
    fields = {field.key: field for field in event_fields(first)}
    shown = {casualty.victim, casualty.by, casualty.how, *NEVER_ASKED}
    shown |= {key for key in casualty.what if fields[key].required or len(casualty.what) == 1}
    return CasualtyBoard(
        kind=first.key,
        victim_label=fields[casualty.victim].label,
        by_label=fields[casualty.by].label if casualty.by else "",
        results=tuple(result for kind, each in casualties for result in _results(kind, each)),
        how=fields.get(casualty.how),
        more=tuple(field for key, field in fields.items() if key not in shown),
    )


def _results(kind: AnyKind, casualty: Casualty) -> Iterator[CasualtyResult]:
    """Yield a button for each thing that a kind can say of a victim."""
    fields = {field.key: field for field in event_fields(kind)}
    plain = CasualtyResult(
        key=kind.key,
        label=kind.label,
        kind=kind.key,
        given={},
        victim=casualty.victim,
        by=casualty.by,
    )
    if not casualty.what:
        yield plain
    for name in casualty.what:
        for value, label in _values(fields[name], casualty):
            group = fields[name].label if name in casualty.counts else ""
            key = f"{kind.key}.{name}.{value}"
            yield replace(
                plain,
                key=key,
                label=label[:1].upper() + label[1:],
                given={name: value},
                group=group,
            )


def _values(field: Field, casualty: Casualty) -> Iterator[tuple[Any, str]]:
    """Yield what a field may say, each with the label of its button."""
    if field.kind == "flag":
        yield True, field.label
    elif field.key in casualty.counts:
        yield from ((number, str(number)) for number in range(1, casualty.counts[field.key] + 1))
    else:
        yield from (
            (key, label) for key, label in field.choices if key and key not in casualty.without
        )
