"""Dice for events that come without them: Muster throws what an event still needs, in the order of the rules.

The generator is handed in; an event that has its dice already is left alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns import (
    approaches,
    blow_outcomes,
    combats,
)
from rulebook.systems.en_garde.turns.combat_events import Attacked, CombatOpened, FreeAttack
from rulebook.systems.en_garde.turns.luck import luck_thrown
from rulebook.systems.en_garde.turns.simplified import rollers
from rulebook.systems.en_garde.turns.turn_event import TurnEvent


def _combat(state: PlayState, event: CombatOpened, cup: Cup) -> CombatOpened:
    if event.resolve is None and approaches.shaken(state, event):
        event = replace(event, resolve=cup.one())
    if event.nerve is None and approaches.frightened(state, event):
        event = replace(event, nerve=cup.one())
    if event.initiative or not approaches.comes(state, event):
        return event
    event = replace(event, initiative={fighter: cup.some(1) for fighter in rollers(event)})
    event = _lucky_initiative(state, event, cup) if event.lucky else event
    while tied := _tied(state, event):
        more = {fighter: (*event.initiative[fighter], cup.one()) for fighter in tied}
        event = replace(event, initiative={**event.initiative, **more})
    return event


def _lucky_initiative(state: PlayState, event: CombatOpened, cup: Cup) -> CombatOpened:
    """The Lucky throws its die of Initiative again if it is not the first; else luck is kept."""
    scores = _scores(state, event)
    if event.lucky not in scores or scores[event.lucky] == max(scores.values()):
        return replace(event, lucky="")
    return replace(event, initiative={**event.initiative, event.lucky: cup.some(1)})


def _scores(state: PlayState, event: CombatOpened) -> dict[str, tuple[int, ...]]:
    return {fighter: combats.initiative_of(state, event, fighter) for fighter in rollers(event)}


def _tied(state: PlayState, event: CombatOpened) -> list[str]:
    scores = _scores(state, event)
    every = list(scores.values())
    return [fighter for fighter, score in scores.items() if every.count(score) > 1]


def _strike(state: PlayState, event: Any, cup: Cup) -> Any:
    """The dice of a blow: nerve, attack, defence, both Weapon Masters' re-rolls, luck, a large body's die."""
    if event.nerve is None and blow_outcomes.nerve_wanted(state, event):
        event = replace(event, nerve=cup.one())
    if event.dice or not blow_outcomes.dares(state, event):
        return event
    up, down = blow_outcomes.dice_counts(state, event)
    event = replace(event, dice=cup.some(up), defence_dice=cup.some(down))
    if blow_outcomes.may_reroll(state, event):
        event = replace(event, reroll=cup.one())
    if blow_outcomes.may_reroll_defence(state, event):
        event = replace(event, defence_reroll=cup.one())
    if event.lucky:
        event = luck_thrown(event, cup, against=blow_outcomes.goes_against(state, event))
    return replace(event, die=cup.one()) if blow_outcomes.large_die_wanted(state, event) else event


THROWERS: Mapping[type[Any], Callable[[PlayState, Any, Cup], TurnEvent]] = {
    CombatOpened: _combat,
    Attacked: _strike,
    FreeAttack: _strike,
}
