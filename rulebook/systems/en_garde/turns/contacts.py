"""Base-to-base contact in the log: with whom a move can bring it about. Rule book: "Move"."""

from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.checking import named_twice, same_side


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
