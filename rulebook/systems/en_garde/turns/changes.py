"""Who is worse or better off after an event than before, in words."""

from collections.abc import Iterator

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import condition
from rulebook.systems.en_garde.table.wounds import WoundState


def changes(before: PlayState, after: PlayState) -> Iterator[str]:
    """Who is worse or better off than before, and whose warband's nerve has changed."""
    for key, there in after.combatants.items():
        was = before.combatants.get(key)
        if was is None:
            yield f"{there.fighter.name} enters the battle."
            continue
        if there.wounds != was.wounds:
            yield f"{there.fighter.name} {_now(there.wounds, was.wounds.stunned)}."
        if there.mount != was.mount:
            yield f"The mount of {there.fighter.name} is {condition(there.mount)}."
        if there.thrown and not was.thrown:
            yield f"{there.fighter.name} is thrown from the saddle."


def _now(wounds: WoundState, stunned_before: int) -> str:
    """How somebody is, as the end of a sentence."""
    words = condition(wounds)
    if words.startswith(("Light", "Grievous")):
        return f"bears a {words.replace(' and Stunned', ' and is Stunned')}"
    return "is no longer Stunned" if words == "unhurt" and stunned_before else f"is {words}"
