"""Luck in the log: once a battle a Lucky fighter has one die thrown again, in a shot or a blow that concerns it.

Rule book: "Lucky". Ruling B37.
"""

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.values.problems import Violation

Attack = TypeVar("Attack", bound=Struct)
LUCK = 'Rule book: "Lucky"; Ruling B37'
NOBODY_LUCKY = "A die is thrown again by luck only where 'lucky' says whose."


def lucky_violations(state: PlayState, lucky: str, *concerned: str) -> tuple[Violation, ...]:
    """Luck is for the Lucky, once a battle, in combats of their own."""
    if not lucky:
        return ()
    name, known = state.named(lucky), state.table.of(lucky)
    checks = (
        (not present(state, lucky).has("lucky"), f"{name} is not Lucky."),
        (known.lucky_used, f"{name} has used its luck: it serves once a battle."),
        (lucky not in concerned, f"Luck serves in what concerns the Lucky, and {name} has no part in this."),
    )
    why = next((sentence for wrong, sentence in checks if wrong), "")
    return (Violation("no-luck", why, 'Rule book: "Lucky"'),) if why else ()


def luck_used(state: PlayState, lucky: str) -> PlayState:
    """The state in which this fighter's luck is gone."""
    return replace(state, table=state.table.with_fighter(lucky, lucky_used=True)) if lucky else state


def with_luck(dice: tuple[int, ...], luck: int | None, *, own: bool) -> tuple[int, ...]:
    """The dice of an attack with one thrown again: the lowest of the Lucky's ``own``, the highest of its enemy's.

    A defence die is never thrown again. Ruling B37.
    """
    if luck is None or not dice:
        return dice
    place = dice.index(min(dice) if own else max(dice))
    return (*dice[:place], luck, *dice[place + 1 :])


def luck_thrown(event: Attack, cup: Cup, *, against: bool) -> Attack:
    """The shot or blow with luck's new die; it is spent on what goes ``against`` the Lucky, and kept otherwise."""
    return replace(event, luck=cup.one()) if against else replace(event, lucky="")
