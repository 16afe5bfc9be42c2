"""Leaving contact in the log: free attacks come before the short move that they are made for, and it follows.

Rule book: "Move". Ruling B25.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.turn_event import TurnEvent
from rulebook.values.problems import Violation

RULE = 'Rule book: "Move"'


def leaver_of(state: PlayState) -> str:
    """Who has been struck at for leaving contact and has not left it yet, "" if nobody."""
    who = state.table.leaver
    pending = who and state.somebody(who).standing and set(state.table.parting) & set(state.table.of(who).contacts)
    return who if pending else ""


def parting_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """After a free attack, who was struck at leaves contact before anything else is done."""
    leaver = leaver_of(state)
    if not leaver or event.strikes_leaver == leaver:
        return
    moves = event.mover == leaver
    stays = bool({*event.touching} & {*state.table.parting})
    if (moves and stays) or (_matters(state, event) and not moves):
        who = " and ".join(state.named(each) for each in state.table.parting)
        sentence = f"{state.named(leaver)} first leaves {who} by a short move, as it was struck at for that."
        yield Violation("leaves-first", sentence, RULE)


def _matters(state: PlayState, event: TurnEvent) -> bool:
    """Does the game go on by it? What belongs to no phase does no harm."""
    return event.starts_turn or event.turn_phase(state) is not None


def parted(state: PlayState, event: TurnEvent) -> PlayState:
    """The state with who leaves contact noted, or forgotten once that is done, or set aside by the table."""
    table = state.table
    if event.strikes_leaver:
        others = table.parting if table.leaver == event.strikes_leaver else ()
        return replace(state, table=replace(table, leaver=event.strikes_leaver, parting=(*others, event.striker)))
    if table.leaver and (_matters(state, event) or table.leaver in event.activated):
        return replace(state, table=replace(table, leaver="", parting=()))
    return state
