"""Names of weapons, guns and wounds, and sentences on who is worse or better off after an event."""

from collections.abc import Iterator

from rulebook.ruleset import Deed
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.combatant import BARE_HANDS
from rulebook.systems.en_garde.table.wounds import Wound, WoundResult, WoundState

WOUNDS = {Wound.LIGHT: "Light wound", Wound.GRIEVOUS: "Grievous wound"}
RESULTS = {
    WoundResult.SCRATCH: "a scratch",
    WoundResult.STUNNED: "Stunned",
    WoundResult.LIGHT: "a Light wound",
    WoundResult.GRIEVOUS: "a Grievous wound",
    WoundResult.CRITICAL: "a Critical wound",
}


def weapon_name(key: str) -> str:
    """Return what people call a weapon or gun; "Musket (second)" for the second one of a kind."""
    plain, _, place = key.partition(":")
    if plain == BARE_HANDS:
        return "Bare hands"
    arms = catalogue().arms
    rows = {**arms.items, **arms.missiles, **arms.guns, **arms.close_combat}
    name = rows[plain].name if plain in rows else plain.replace("-", " ").capitalize()
    if not place:
        return name
    return f"{name} (second)" if place == "2" else f"{name} ({place})"


def condition(wounds: WoundState) -> str:
    """Return how badly a fighter is hurt, as text; "unhurt" if it is not."""
    if wounds.dead:
        return "dead"
    if wounds.unconscious:
        return "unconscious"
    parts = [WOUNDS[wounds.wound]] if wounds.wound in WOUNDS else []
    if wounds.stunned:
        parts.append("Stunned" if wounds.stunned == 1 else f"{wounds.stunned} Stunned counters")
    return " and ".join(parts) or "unhurt"


def arm(key: str) -> str:
    """Return a weapon in the middle of a sentence."""
    return weapon_name(key).lower()


def deed_weapon(deed: Deed) -> str:
    """Return the weapon of a deed in the middle of a sentence, or "" if it is not known."""
    key = deed.detail.get("weapon", "")
    return arm(key.partition(":")[0]) if key else ""


def changes(before: PlayState, after: PlayState) -> Iterator[str]:
    """Yield who is worse or better off than before, and whose warband's nerve has changed."""
    for key, combatant in after.combatants.items():
        was = before.combatants.get(key)
        if was is None:
            yield f"{combatant.fighter.name} enters the battle."
            continue
        if combatant.wounds != was.wounds:
            yield _now(combatant.fighter.name, combatant.wounds, was.wounds.stunned)
        if combatant.mount != was.mount:
            mount = f"The mount of {combatant.fighter.name}"
            yield _now(mount, combatant.mount, was.mount.stunned)
        if combatant.thrown and not was.thrown:
            yield f"{combatant.fighter.name} is thrown from the mount."


def _now(name: str, wounds: WoundState, stunned_before: int) -> str:
    """Return how a fighter or mount is now, as a sentence."""
    wound = "" if wounds.out else WOUNDS.get(wounds.wound, "")
    if wound and wounds.stunned > 1:
        return f"{name} has a {wound} and {wounds.stunned} Stunned counters."
    if wound:
        return (
            f"{name} has a {wound} and is Stunned." if wounds.stunned else f"{name} has a {wound}."
        )
    if not wounds.out and wounds.stunned > 1:
        return f"{name} has {wounds.stunned} Stunned counters."
    if not wounds.out and not wounds.stunned and stunned_before:
        return f"{name} is no longer Stunned."
    words = condition(wounds)
    return f"{name} is unhurt." if words == "unhurt" else f"{name} is {words}."
