"""Base-to-base contact in the log: with whom a move can bring it about, and who fights whom because of it.

Rule book: "Move", "Combat".
"""

from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.approaches import comer
from rulebook.systems.en_garde.turns.checking import named_twice, same_side
from rulebook.systems.en_garde.turns.combat_events import CombatOpened
from rulebook.systems.en_garde.turns.combat_membership import foes_of, in_combat
from rulebook.values.problems import Violation


def contact_input_errors(state: PlayState, fighter: str, contacts: tuple[str, ...]) -> Iterator[Problem]:
    """Is everybody whom a fighter comes to touch an enemy who is on the table, and named once?"""
    yield from named_twice("contacts", contacts)
    for other in contacts:
        there = state.somebody(other)
        if same_side(state, fighter, other):
            who = "the fighter itself" if other == fighter else f"{state.named(other)}, a friend,"
            sentence = f"Contacts are enemies, and {who} is none: leave that name out."
            yield Problem("own-side", sentence, fighters=(other,), field="contacts", value=other)
        elif not there.on_table:
            sentence = f"{state.named(other)} is {there.why_out}: nobody touches it any more. Leave that name out."
            yield Problem("out-of-action", sentence, fighters=(other,), field="contacts", value=other)


def apart_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """Those fight each other who touch; who rides by or goes on comes into contact by it. Rule book: "Combat"."""
    for fighter in in_combat(event):
        if not _meets(state, event, fighter):
            sentence = f"{state.named(fighter)} touches nobody of the other side: log the move that made contact first."
            yield Violation("not-in-contact", sentence, 'Rule book: "Combat"')


def _meets(state: PlayState, event: CombatOpened, fighter: str) -> bool:
    """Does it touch an enemy of this combat, or is there no need for it? The unconscious engage nobody."""
    who = comer(state, event)
    if fighter == who or fighter in event.behind or not state.somebody(fighter).standing:
        return True
    foes, touched = foes_of(event, fighter), state.table.of(fighter).contacts
    return any(foe == who or foe in touched or not state.somebody(foe).standing for foe in foes)
