"""The table as people see it, put together in one walk through the log."""

from collections.abc import Iterator

from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.at_table.beside import beside, end_phase, of_a_civilian, of_a_side, of_the_table
from rulebook.systems.en_garde.at_table.came import came_of
from rulebook.systems.en_garde.at_table.fighting import combat_phase, free_attack
from rulebook.systems.en_garde.at_table.looks import fight_look, fighter_looks, side_looks
from rulebook.systems.en_garde.at_table.making import in_time
from rulebook.systems.en_garde.at_table.moving import move_phase
from rulebook.systems.en_garde.at_table.phases import phases
from rulebook.systems.en_garde.at_table.walking import walk
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.turns.priority import last_turn
from rulebook.values.table import Doing, TableView


def at_table(setup: BattleSetup, events: tuple[LoggedEvent, ...], who: str = "") -> TableView:
    """The table after a log, and what ``who`` can do: a fighter, a Civilian, a side by its key, or "" for the table.

    Nobody has doings who is not there. Raises RulesError where the log does not add up.
    """
    state, came = opening(setup), {}
    for step in walk(setup, events):
        state, came[step.logged.sequence] = step.after, came_of(step)
    return TableView(
        turn=state.table.turn,
        turns=last_turn(state),
        ended=state.ended,
        dice=str(state.settings["dice"]),
        phases=phases(state),
        sides=side_looks(state),
        fighters=fighter_looks(state),
        fight=fight_look(state),
        doings=tuple(in_time(state, each) for each in doings(state, who)),
        came=came,
    )


def doings(state: PlayState, who: str) -> Iterator[Doing]:
    """What can be logged of somebody now."""
    if who in state.civilians:
        yield from of_a_civilian(state, who)
    elif who in state.sides:
        yield from of_a_side(state, who)
    elif who in state.combatants:
        yield from _of_a_fighter(state, who)
    elif not who:
        yield from of_the_table(state)


def _of_a_fighter(state: PlayState, fighter: str) -> Iterator[Doing]:
    if state.table.turn and state.combatants[fighter].standing:
        yield from combat_phase(state, fighter)
        yield from move_phase(state, fighter)
        yield from free_attack(state, fighter)
    if state.table.turn and state.combatants[fighter].on_table:
        yield from end_phase(state, fighter)
    yield from beside(state, fighter)
