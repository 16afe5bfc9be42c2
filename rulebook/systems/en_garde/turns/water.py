"""Rivers and drowning in the log. Rule book: "Terrain" (Water), "Hold the Bridge"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Means, WoundEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.moving import drowns, swept_away
from rulebook.systems.en_garde.table.wounds import WoundResult
from rulebook.systems.en_garde.turns.checking import missing_dice, out_of_action, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.harm import harm
from rulebook.systems.en_garde.turns.move_events import InWater
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def water_input_errors(state: PlayState, event: InWater, logged: LoggedEvent) -> Iterator[Problem]:
    """A die for entering, two for the drift of who is swept away, and one against drowning for the Stunned."""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown:
        return
    lacking = tuple(missing_dice("die", event.die, int(event.entering)))
    yield from lacking
    if not lacking:
        yield from missing_dice("drift", event.drift, 2 if event.entering and may_drown(event) else 0)
        yield from missing_dice("drowning", event.drowning, int(may_drown(event)))


def may_drown(event: InWater) -> bool:
    """Is there a roll against drowning: in the water already, or swept away on entering?"""
    return not event.entering or (event.die is not None and swept_away(event.die))


def water_violations(state: PlayState, event: InWater, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Only who has just been Stunned rolls against drowning, once for it."""
    stunned = state.table.of(event.fighter).stunned_on > 0
    if event.entering or stunned:
        return out_of_action(state, event.fighter) if event.entering else ()
    sentence = f"{state.named(event.fighter)} has received no Stunned counter since its last roll."
    return (Violation("not-stunned", sentence, 'Rule book: "Water"'),)


def take_water(state: PlayState, event: InWater, logged: LoggedEvent) -> PlayState:
    """The state after the water had its way."""
    if event.entering and may_drown(event):
        state = harm(state, logged, WoundEvent(victim=event.fighter, result=WoundResult.STUNNED, means=Means.OTHER))
    state = replace(state, table=state.table.with_fighter(event.fighter, in_water=True, stunned_on=0))
    armoured = present(state, event.fighter).heavy_armour
    if event.drowning is None or not drowns(event.drowning, heavy_armour=armoured):
        return state
    drowned = WoundEvent(victim=event.fighter, result=WoundResult.CRITICAL, means=Means.DROWNING, die=6)
    return harm(state, logged, drowned)


RULES: Rules = {InWater: TurnRule(water_input_errors, water_violations, take_water)}
