"""Luck in the log: once a battle a Lucky fighter has one die thrown again, in a shot or a blow that concerns it.

Rule book: "Lucky".
"""

from msgspec.structs import replace

from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.combatant import Refusal
from rulebook.en_garde.turns.fighters import present


def lucky_refusals(state: PlayState, lucky: str, *concerned: str) -> tuple[Refusal, ...]:
    """Luck is for the Lucky, once a battle, in combats of their own."""
    if not lucky:
        return ()
    known = state.table.of(lucky)
    able = present(state, lucky).has("lucky") and not known.lucky_used and lucky in concerned
    return () if able else (Refusal("no-luck", "Once a battle, for a Lucky fighter concerned.", 'Rule book: "Lucky"'),)


def luck_used(state: PlayState, lucky: str) -> PlayState:
    """The state in which this fighter's luck is gone."""
    return replace(state, table=state.table.with_fighter(lucky, lucky_used=True)) if lucky else state


def with_luck(dice: tuple[int, ...], luck: int | None, *, own: bool) -> tuple[int, ...]:
    """The dice of an attack with one thrown again: the lowest of the Lucky's ``own``, the highest of its enemy's."""
    if luck is None or not dice:
        return dice
    place = dice.index(min(dice) if own else max(dice))
    return (*dice[:place], luck, *dice[place + 1 :])
