"""Dice for events that come without them: Muster throws what an event still needs, in the order of the rules.

The generator is handed in; an event that has its dice already is left alone.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.morale import passes_unrolled
from rulebook.systems.en_garde.turns import (
    approaches,
    blasts,
    blow_outcomes,
    combats,
    nerve,
    priority,
    shot_outcomes,
    spells,
)
from rulebook.systems.en_garde.turns.combat_events import Attacked, CombatOpened, FreeAttack
from rulebook.systems.en_garde.turns.phase_events import EndRolled, MoraleTested, PriorityRolled, StunRolled
from rulebook.systems.en_garde.turns.shot_events import ShotFired, SpellCast
from rulebook.systems.en_garde.turns.simplified import rollers
from rulebook.systems.en_garde.turns.turn_event import TurnEvent


def _priority(state: PlayState, event: PriorityRolled, cup: Cup) -> PriorityRolled:
    if event.rolls or priority.lone_tactician(state):
        return event
    rolls: list[dict[str, int]] = []
    tied: tuple[str, ...] = state.sides
    while len(tied) > 1:
        rolls.append({side: cup.one() for side in tied})
        tied = priority.priority_of(state, rolls[-1])
    return replace(event, rolls=tuple(rolls))


def _shot(state: PlayState, event: ShotFired, cup: Cup) -> ShotFired:
    if event.nerve is None and shot_outcomes.nerve_wanted(state, event):
        event = replace(event, nerve=cup.one())
    if event.dice or not shot_outcomes.dares(state, event):
        return event
    if not shot_outcomes.shares_dice(state, event):
        event = replace(event, dice=cup.some(2))
    if shot_outcomes.rerolls(state, event):
        event = replace(event, reroll=cup.one())
    if event.lucky and not shot_outcomes.shares_dice(state, event):
        event = _luck(event, cup, against=shot_outcomes.goes_against(state, event))
    if shot_outcomes.rider_die_wanted(state, event):
        event = replace(event, rider_die=cup.one())
    return replace(event, die=cup.one()) if shot_outcomes.large_die_wanted(state, event) else event


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
        event = _luck(event, cup, against=blow_outcomes.goes_against(state, event))
    return replace(event, die=cup.one()) if blow_outcomes.large_die_wanted(state, event) else event


def _luck(event: Any, cup: Cup, *, against: bool) -> Any:
    """Luck is spent on what goes against the Lucky, and kept otherwise."""
    return replace(event, luck=cup.one()) if against else replace(event, lucky="")


def _stun(state: PlayState, event: StunRolled, cup: Cup) -> StunRolled:
    wanted = event.die is None and not nerve.shakes_off(state, event.fighter)
    return replace(event, die=cup.one()) if wanted else event


def _length(state: PlayState, event: EndRolled, cup: Cup) -> EndRolled:
    return event if event.die is not None else replace(event, die=cup.one())


def _morale(state: PlayState, event: MoraleTested, cup: Cup) -> MoraleTested:
    """The banner's second throw is taken whenever it is allowed."""
    if event.dice or passes_unrolled(nerve.warband_of(state, event.side)):
        return event
    event = replace(event, dice=cup.some(2))
    return replace(event, reroll=cup.some(2)) if nerve.first_test(state, event).may_reroll else event


def _spell(state: PlayState, event: SpellCast, cup: Cup) -> SpellCast:
    if event.nerve is None and blasts.nerve_wanted(state, event):
        event = replace(event, nerve=cup.one())
    if event.dice or not blasts.dares(state, event):
        return event
    event = replace(event, dice=cup.some(2), resisting_dice=cup.some(2) if event.resisted_by else ())
    if not spells.casting(state, event).cast:
        return event
    if event.spell == "stun":
        return replace(event, counters=tuple(cup.d3() for _ in event.victims))
    return _blast(state, event, cup) if event.spell == blasts.BLAST else event


def _blast(state: PlayState, event: SpellCast, cup: Cup) -> SpellCast:
    event = replace(event, blast_dice=cup.some(2))
    if event.lucky:
        event = _luck(event, cup, against=blasts.goes_against(state, event))
    if blasts.rider_die_wanted(state, event):
        event = replace(event, rider_die=cup.one())
    return replace(event, die=cup.one()) if blasts.large_die_wanted(state, event) else event


THROWERS: Mapping[type[Any], Callable[[PlayState, Any, Cup], TurnEvent]] = {
    PriorityRolled: _priority,
    ShotFired: _shot,
    CombatOpened: _combat,
    Attacked: _strike,
    FreeAttack: _strike,
    StunRolled: _stun,
    MoraleTested: _morale,
    EndRolled: _length,
    SpellCast: _spell,
}
