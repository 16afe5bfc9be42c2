"""The dice of a battle, for whoever wants to check them, and the state of play at any event."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from msgspec import Struct

from battles.models import Battle, BattleState
from battles.reading import log_of, result_of, rules_of, setup_of, sides_of
from rulebook.committed_dice import commitment
from warbands.errors import NotFound

SETTLED = (BattleState.CONFIRMED, BattleState.VOID)


class Throw(Struct, frozen=True):
    """Dice that Muster threw for an event (0 for the set-up): as they fell, and the number of faces of each."""

    event: int
    first: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]


class Recovery(Struct, frozen=True):
    """The die of a fighter after the battle."""

    fighter: str
    die: int


class DiceRecord(Struct, frozen=True):
    """All that it takes to throw every die of Muster's again. ``seed`` is None until the battle is settled.

    ``typed`` names the events whose dice were typed in.
    """

    battle: UUID
    commitment: str
    seed: str | None
    throws: tuple[Throw, ...]
    recovery: tuple[Recovery, ...]
    typed: tuple[int, ...]


def dice_record(battle: Battle) -> DiceRecord:
    """The dice of a battle. One query."""
    settled = battle.state in SETTLED
    events = battle.events.order_by("sequence").values_list("sequence", "first_die", "dice", "data__thrown")
    rows = list(events)
    thrown = [
        Throw(sequence, first, tuple(dice), (6,) * len(dice)) for sequence, first, dice, _ in rows if first is not None
    ]
    return DiceRecord(
        battle=battle.pk,
        commitment=commitment(battle.dice_seed),
        seed=battle.dice_seed if settled else None,
        throws=(*_set_up(battle), *thrown),
        recovery=_recovery(battle) if settled else (),
        typed=tuple(sequence for sequence, _, _, by in rows if by == "table"),
    )


def _set_up(battle: Battle) -> tuple[Throw, ...]:
    throws = battle.set_up.get("throws")
    if not throws or not throws["dice"]:
        return ()
    shown, faces = zip(*throws["dice"], strict=True)
    return (Throw(0, throws["first"], tuple(shown), tuple(faces)),)


def _recovery(battle: Battle) -> tuple[Recovery, ...]:
    """Dice after the battle: Muster's unless the log says that the table threw them, which the event shows."""
    result = result_of(battle)
    records = [record for side in result.sides for record in side.records] if result else []
    return tuple(
        Recovery(record.fighter, record.recovery_roll) for record in records if record.recovery_roll is not None
    )


def state_of_play(battle: Battle, at: int | None = None) -> Mapping[str, Any]:
    """The state of play after event number ``at``, or after the whole log. Three queries.

    Raises NotFound for an event that is not in the log, RulesError where the log does not add up.
    """
    log = log_of(battle)
    if at is not None and not 0 <= at <= battle.last_sequence:
        raise NotFound("unknown-event", f"The log has {battle.last_sequence} events.", field="at")
    until = tuple(event for event in log if at is None or event.sequence <= at)
    return rules_of(battle).play_state(setup_of(battle, sides_of(battle)), until)
