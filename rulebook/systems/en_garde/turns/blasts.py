"""A Power Blast in the log: a shot by magic, with nerve, sight, mounts and luck, and without modifiers.

Rule book: "Spells", "Shooting at mounted models", "Beguiling", "Lucky". Ruling B30.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table import shooting
from rulebook.systems.en_garde.table.magic import blast_hits, blasted
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.table.sight import Sight
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.checking import missing_dice
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import die_wanted
from rulebook.systems.en_garde.turns.luck import with_luck
from rulebook.systems.en_garde.turns.shot_events import SpellCast
from rulebook.systems.en_garde.turns.shot_outcomes import is_hidden, seen_to
from rulebook.values.problems import Violation

BLAST = "power-blast"


def nerve_wanted(state: PlayState, event: SpellCast) -> bool:
    """Does a Beguiling target make the Magician roll before a Power Blast?"""
    if event.spell != BLAST or event.target is None:
        return False
    answered = event.magician in state.table.of(event.target).struck
    magician, target = present(state, event.magician), present(state, event.target)
    return needs_nerve(magician, target, struck_by_target=answered) == "beguiling"


def dares(state: PlayState, event: SpellCast) -> bool:
    """Does the Magician bring itself to cast?"""
    equal = state.settings["beguiling_roll"] == "equal"
    return event.nerve is None or nerve_holds(present(state, event.magician).rank, event.nerve, equal_will_do=equal)


def blast_input_errors(state: PlayState, event: SpellCast, *, worked: bool) -> Iterator[Problem]:
    """Are the dice of the blast there, if it worked, and those that a hit asks for?"""
    lacking = tuple(missing_dice("blast_dice", event.blast_dice, 2 if worked and event.spell == BLAST else 0))
    if not lacking and event.luck is not None and not event.lucky:
        lacking = tuple(missing_dice("luck", event.luck, 0))
    if not lacking:
        lacking = tuple(missing_dice("rider_die", event.rider_die, int(rider_die_wanted(state, event))))
    yield from lacking or missing_dice("die", event.die, int(large_die_wanted(state, event)))


def blast_dice(event: SpellCast) -> tuple[int, int]:
    """The two dice as they count, with luck's new one."""
    first, second = with_luck(event.blast_dice, event.luck, own=event.lucky == event.magician)
    return first, second


def hit(state: PlayState, event: SpellCast) -> bool:
    """Has the blast hit, by its dice?"""
    return bool(event.blast_dice) and blast_hits(present(state, event.magician), blast_dice(event), state.settings)


def rider_die_wanted(state: PlayState, event: SpellCast) -> bool:
    """Does a hit have to be drawn between mount and rider?"""
    return hit(state, event) and event.target is not None and present(state, event.target).mounted


def hits_mount(state: PlayState, event: SpellCast) -> bool:
    """Has the mount been hit, and not its rider?"""
    return rider_die_wanted(state, event) and shooting.hits_mount(event.rider_die)


def goes_against(state: PlayState, event: SpellCast) -> bool:
    """Does the blast go against the Lucky: a miss of its own, or a hit on it?"""
    return hit(state, event) != (event.lucky == event.magician)


def blast_result(state: PlayState, event: SpellCast) -> WoundResult | None:
    """What a Power Blast does, None for a miss."""
    assert event.target is not None  # noqa: S101 - the check saw to it; this tells the type checker
    magician, target = present(state, event.magician), present(state, event.target)
    return blasted(magician, target, blast_dice(event), state.settings, on_mount=hits_mount(state, event))


def large_die_wanted(state: PlayState, event: SpellCast) -> bool:
    """Does a Power Blast on a large body ask for a die?"""
    if event.spell != BLAST or not event.blast_dice or event.target is None:
        return False
    result = blast_result(state, event)
    return result is not None and die_wanted(state, event.target, result, on_mount=hits_mount(state, event))


def blast_violations(state: PlayState, event: SpellCast) -> Iterator[Violation]:
    """A Power Blast is a shot: its target has to be seen."""
    if event.spell != BLAST or event.target is None:
        return
    far = seen_to(state)
    checks = (
        (event.sight is Sight.BLOCKED, "no-line-of-sight", "The target cannot be seen.", '"Line of sight and cover"'),
        (is_hidden(state, event.target), "target-hidden", "The target is Hidden.", '"Line of sight and cover"'),
        (far is not None and event.inches > far, "beyond-sight", "It is too dark or wet.", '"Weather", "Time of day"'),
    )
    yield from (Violation(code, text, f"Rule book: {rule}") for wrong, code, text, rule in checks if wrong)


def with_struck(state: PlayState, event: SpellCast) -> PlayState:
    """The state in which a Magician who has shot at somebody has attacked it."""
    if not event.blast_dice or event.target is None:
        return state
    known = state.table.of(event.magician).struck
    return replace(state, table=state.table.with_fighter(event.magician, struck=(*known, event.target)))
