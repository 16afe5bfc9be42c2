"""The table as people see it, put together in one walk through the log."""

from collections.abc import Iterator

from rulebook.battle_log.play import Play
from rulebook.systems.en_garde.at_table.action_building import in_time
from rulebook.systems.en_garde.at_table.combat_actions import combat_phase, free_attack
from rulebook.systems.en_garde.at_table.due import phases_due
from rulebook.systems.en_garde.at_table.move_actions import move_phase
from rulebook.systems.en_garde.at_table.other_actions import (
    end_phase,
    of_a_civilian,
    of_a_side,
    of_the_table,
    other_actions,
)
from rulebook.systems.en_garde.at_table.views import combat_view, fighter_views, side_views
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.phases import last_turn
from rulebook.values.table import Action, TableView


def at_table(play: Play[PlayState], who: str = "") -> TableView:
    """The table as it stands, and what ``who`` can do: a fighter, a Civilian, a side by its key, or "" for the table.

    Nobody has actions who is not there.
    """
    state = play.state
    return TableView(
        turn=state.table.turn,
        turns=last_turn(state),
        ended=state.ended,
        dice=state.settings.dice,
        phases=phases_due(state),
        sides=side_views(state),
        fighters=fighter_views(state),
        combat=combat_view(state),
        actions=tuple(in_time(state, each) for each in actions(state, who)),
    )


def actions(state: PlayState, who: str) -> Iterator[Action]:
    """What can be logged of somebody now."""
    if who in state.civilians:
        yield from of_a_civilian(state, who)
    elif who in state.sides:
        yield from of_a_side(state, who)
    elif who in state.combatants:
        yield from _of_a_fighter(state, who)
    elif not who:
        yield from of_the_table(state)


def _of_a_fighter(state: PlayState, fighter: str) -> Iterator[Action]:
    if state.table.turn and state.combatants[fighter].standing:
        yield from combat_phase(state, fighter)
        yield from move_phase(state, fighter)
        yield from free_attack(state, fighter)
    if state.table.turn and state.combatants[fighter].on_table:
        yield from end_phase(state, fighter)
    yield from other_actions(state, fighter)
