"""What single scenarios ask for in the log: what is wrong with it, and what it does."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.minor_objectives import drawn_in_secret, is_secret
from rulebook.systems.en_garde.play.people import combatant_problems, not_of_side, out_of_action, side_problems
from rulebook.systems.en_garde.play.play_state import ObjectiveControl, PlayState, RolledObjective
from rulebook.systems.en_garde.play.scenario_events import (
    CivilianFate,
    CivilianOutcome,
    DuelPenalty,
    Hold,
    MinorObjectiveRolled,
    ObjectiveHeld,
    Position,
    Touching,
)


def objective_problems(state: PlayState, event: ObjectiveHeld, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with the control of an objective. Ruling X8."""
    if event.side is None and event.by:
        yield Problem("side-needed", "Fighters in control belong to a side: name it.", field="side")
    if event.side is None:
        return
    yield from side_problems(state, event.side)
    if not event.by:
        sentence = "Name who controls the objective, the holder first; or no side, if nobody does."
        yield Problem("holder-needed", sentence, field="by", source="Ruling X8")
    wrong = list(not_of_side(state, event.side, event.by, "by"))
    yield from wrong
    for fighter in () if wrong else event.by:
        holder = state.combatants[fighter]
        gone_with_it = event.how is Hold.CARRIED_OFF and holder.edge
        if not holder.standing and not gone_with_it:
            yield out_of_action(holder, "by")


def ground_problems(state: PlayState, event: Position | Touching, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with who stands on the ground that scores."""
    wrong = [*side_problems(state, event.side), *not_of_side(state, event.side, event.fighters, "fighters")]
    yield from wrong
    for fighter in () if wrong else event.fighters:
        if not state.combatants[fighter].on_table:
            yield out_of_action(state.combatants[fighter], "fighters")


def minor_objective_problems(state: PlayState, event: MinorObjectiveRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a minor objective. Rulings S2, S4.

    Where they are secret, no log knows them before the battle has ended: what is not there cannot be read.
    """
    yield from side_problems(state, event.side)
    if is_secret(state.settings) and not state.ended:
        sentence = "Minor objectives are secret here: log the end of the battle first, then what each side had."
        yield Problem("kept-secret", sentence, field="rolled", source="Ruling S4")
    before = state.rolled.get(event.side)
    if before is not None and (before.achieved is not None or before.rolled != event.rolled):
        sentence = f"Side {event.side!r} has its minor objective already ({before.rolled}): correct that event."
        yield Problem("minor-objective-known", sentence, field="rolled", value=str(event.rolled))
    elif before is None:
        yield from _die_of_objective(state, event)
    if event.achieved is not None and event.rolled not in (2, 6):
        sentence = "Whether this was achieved follows from the log: leave 'achieved' out."
        yield Problem("follows-from-the-log", sentence, field="achieved", value=str(event.achieved), source="Ruling S2")


def _die_of_objective(state: PlayState, event: MinorObjectiveRolled) -> Iterator[Problem]:
    """Somebody throws; Muster does where the house rules say so, and where a side has let it throw in secret."""
    drawn = event.side in drawn_in_secret(state.setup)
    if event.rolled is None:
        sentence = "Give the die as it fell, or let Muster throw while the battle is under way."
        yield Problem("wrong-dice", sentence, field="rolled")
    elif event.thrown != "app" and (drawn or state.settings["dice"] == "app"):
        why = "Muster has thrown for this side in secret" if drawn else "In this campaign Muster throws the dice"
        yield Problem("typed-dice", f"{why}: leave 'rolled' out.", field="rolled", source="House rule: dice")


def civilian_problems(state: PlayState, event: CivilianFate, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with what became of a Civilian."""
    allowed = state.scenario.civilian_outcomes
    if event.outcome not in allowed:
        sentence = f"In {state.scenario.name} a Civilian can be {', '.join(allowed)}, not {event.outcome}."
        yield Problem("no-such-outcome", sentence, field="outcome", value=event.outcome, source=state.scenario.source)
    civilian = state.civilians.get(event.civilian)
    if civilian is None:
        known = f"There are {len(state.civilians)}" + (", civilian-1 and so on." if state.civilians else ".")
        sentence = f"There is no Civilian {event.civilian!r}. {known}"
        yield Problem("unknown-civilian", sentence, field="civilian", value=event.civilian)
    elif civilian.wounds.dead and event.outcome != "killed":
        sentence = f"{civilian.name} was killed: correct that event if it is wrong."
        yield Problem("out-of-action", sentence, field="civilian", value=event.civilian)
    if event.by is not None:
        yield from combatant_problems(state, event.by, "by")
        yield from _taker(state, event, civilian.side if civilian else "")


def _taker(state: PlayState, event: CivilianFate, owner: str) -> Iterator[Problem]:
    taker = state.combatants.get(event.by or "")
    if taker is None:
        return
    if event.outcome is CivilianOutcome.TAKEN and taker.side == owner:
        sentence = "A Civilian is taken by the other side: name one of its fighters."
        yield Problem("own-side", sentence, field="by", value=event.by or "")
    if not taker.standing and not taker.edge:
        yield out_of_action(taker, "by")


def duel_penalty_problems(state: PlayState, event: DuelPenalty, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with an offence in a Duel. Ruling S12."""
    yield from side_problems(state, event.side)
    if event.which in state.offences:
        sentence = f"Side {state.offences[event.which]!r} was first at this already: it falls once in a battle."
        yield Problem("first-only", sentence, field="which", value=event.which, source="Ruling S12")


# What they do.


def take_objective(state: PlayState, event: ObjectiveHeld, logged: LoggedEvent) -> PlayState:
    """The state after the last word on who controls the objective."""
    return replace(
        state,
        control=None if event.side is None else ObjectiveControl(event.side, event.by, event.how.value, event.what),
    )


def take_ground(state: PlayState, event: Position | Touching, logged: LoggedEvent) -> PlayState:
    """The state after the last word on who of a side stands on the ground that scores."""
    return replace(state, ground={**state.ground, event.side: event.fighters})


def take_minor_objective(state: PlayState, event: MinorObjectiveRolled, logged: LoggedEvent) -> PlayState:
    """The state after a minor objective was rolled, or said to be achieved or not."""
    return replace(
        state, rolled={**state.rolled, event.side: RolledObjective(event.rolled, event.achieved, event.thrown)}
    )


def take_civilian(state: PlayState, event: CivilianFate, logged: LoggedEvent) -> PlayState:
    """The state after the last word on a Civilian."""
    civilian = state.civilians[event.civilian]
    return state.with_civilian(replace(civilian, outcome=event.outcome.value, by=event.by))


def take_duel_penalty(state: PlayState, event: DuelPenalty, logged: LoggedEvent) -> PlayState:
    """The state after the first offence of its kind."""
    return replace(state, offences={**state.offences, event.which.value: event.side})
