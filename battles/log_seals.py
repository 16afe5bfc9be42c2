"""The seals of a battle: its log as a chain, and its result signed (docs/decisions/integrity.md).

They use only the columns of rows: any object with these columns can be sealed.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from core.signatures import is_signed, seal, sign

BATTLES = b"muster results of battles"
FIXED = (
    "ruleset",
    "edition",
    "scenario",
    "part",
    "friendly",
    "points_limit",
    "house_rules",
    "set_up",
    "dice_seed",
)
"""The columns of a battle that are fixed before its first event, or follow from its seed."""


def opening_seal(battle: Any, sides: Iterable[Any]) -> str:
    """Return the first link of a log: everything that was fixed before it.

    The sides hold their combatants, both in order.
    """
    side_values = [
        [
            side.key,
            str(side.warband_id),
            side.role,
            side.extras,
            [_combatant(each) for each in side.combatants.all()],
        ]
        for side in sides
    ]
    return seal("", [str(battle.pk), [getattr(battle, name) for name in FIXED], side_values])


def log_seal(previous: str, events: Iterable[Any]) -> str:
    """Return the seal of a log after these events, which follow the seal ``previous``."""
    for event in events:
        previous = seal(previous, _event(event))
    return previous


def battle_signature(battle: Any) -> str:
    """Return the signature of a confirmed battle: its result, log, number of dice, and time."""
    return sign(BATTLES, _signed(battle))


def battle_is_signed(battle: Any) -> bool:
    """Return whether the installation has signed the battle in its present state."""
    return is_signed(BATTLES, _signed(battle), battle.signature)


def _signed(battle: Any) -> list[Any]:
    return [
        str(battle.pk),
        str(battle.state),
        battle.revision,
        battle.last_sequence,
        battle.log_seal,
        battle.result,
        battle.fought_on.isoformat(),
        _moment(battle.place_in_day) if battle.place_in_day else None,
        battle.dice_used,
    ]


def _combatant(row: Any) -> list[Any]:
    return [
        str(row.fighter_id),
        row.name,
        row.rank,
        row.points,
        row.build,
        row.condition,
        row.posts,
    ]


def _event(row: Any) -> list[Any]:
    return [
        row.sequence,
        str(row.client_id),
        row.kind,
        row.data,
        row.asked,
        row.first_die,
        row.dice,
        row.turn,
        row.version,
        row.revision,
        _moment(row.recorded_at),
        row.recorded_as or row.recorded_by_id,
    ]


def _moment(when: datetime) -> str:
    return f"{when.timestamp():.6f}"
