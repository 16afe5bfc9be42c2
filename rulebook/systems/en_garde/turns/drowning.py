"""Who is in the water and Stunned, and has yet to roll against drowning. Rule book: "Terrain"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.wounds import WoundState


def stunned_since(before: PlayState, after: PlayState) -> PlayState:
    """The state in which whoever received a Stunned counter may yet have to roll against drowning for it."""
    if not after.table.turn:
        return after
    for key, wounds in _changed(before, after):
        if _stunned_more(wounds, after.somebody(key).wounds):
            after = replace(after, table=after.table.with_fighter(key, stunned_on=after.table.turn))
    return after


def _changed(before: PlayState, after: PlayState) -> Iterator[tuple[str, WoundState]]:
    """Those whose state is another one now, with the wounds that they had."""
    for key, there in before.combatants.items():
        if after.combatants[key] is not there:
            yield key, there.wounds
    for key, civilian in before.civilians.items():
        if after.civilians[key] is not civilian:
            yield key, civilian.wounds


def _stunned_more(before: WoundState, after: WoundState) -> bool:
    """One counter more, or the third, which turned all of them into a wound."""
    third = before.stunned > after.stunned == 0 and before.wound is not after.wound
    return after.stunned > before.stunned or third


def in_danger(state: PlayState) -> tuple[str, ...]:
    """Those in the water who have been Stunned and not yet rolled against drowning."""
    return tuple(key for key, known in state.table.fighters.items() if known.in_water and known.stunned_on)
