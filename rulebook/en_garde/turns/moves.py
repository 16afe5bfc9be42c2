"""Turns, Priority and moves in the log."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table import morale as nerve
from rulebook.en_garde.table.combatant import Combatant, Refusal
from rulebook.en_garde.table.morale import Morale
from rulebook.en_garde.table.moving import (
    Gait,
    hound_obeys,
    reach,
)
from rulebook.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.en_garde.turns import events as told
from rulebook.en_garde.turns.checking import (
    Rules,
    TurnRule,
    acts,
    missing_dice,
    no_refusals,
    once_a_turn,
    out_of_action,
    unknown_among,
    unknown_fighters,
)
from rulebook.en_garde.turns.fighters import handlers_left, is_hound, present, terms_of
from rulebook.en_garde.turns.state import touched
from rulebook.en_garde.wounds import remove_stunned
from rulebook.ruleset import LoggedEvent, Problem

RIDE_ON = 9

# Turns and Priority.


def turn_slips(state: PlayState, event: told.TurnStarted, logged: LoggedEvent) -> Iterator[Problem]:
    """Turns follow one another."""
    wanted = state.table.turn + 1
    if logged.turn != wanted:
        yield Problem("wrong-turn", f"Turn {wanted} comes next.", field="turn", value=str(logged.turn))


def take_turn(state: PlayState, event: told.TurnStarted, logged: LoggedEvent) -> PlayState:
    """The state at the start of the turn: nobody has acted, no combat is open, mounts have shaken off a counter."""
    for there in state.combatants.values():
        if there.mount.stunned:
            state = state.with_combatant(replace(there, mount=remove_stunned(there.mount, 1)))
    terms = state.table.terms or {side: terms_of(state, side) for side in state.sides}
    table = replace(state.table, turn=logged.turn or 0, priority="", fight=None, grips={}, terms=terms)
    return replace(state, table=table)


def priority_slips(state: PlayState, event: told.PriorityRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Dice for every side, thrown again by those who tie until one is first."""
    winners: tuple[str, ...] = state.sides
    for roll in event.rolls:
        if set(roll) != set(winners):
            sentence = f"These sides roll for Priority: {', '.join(winners)}."
            yield Problem("wrong-dice", sentence, field="rolls", value=str(dict(roll)))
            return
        winners = priority_of(state, roll)
    if len(winners) != 1 and not lone_tactician(state):
        yield Problem("tied-priority", f"{', '.join(winners)} tie: they throw again.", field="rolls")


def priority_of(state: PlayState, roll: dict[str, int]) -> tuple[str, ...]:
    """Who is first by these dice, with Tacticians and Scouts. Ruling B28."""
    scouts = {side: number_with(state, side, "scout") for side in state.sides}
    return nerve.priority(roll, tacticians(state) & frozenset(roll), scouts, state.table.turn)


def tacticians(state: PlayState) -> frozenset[str]:
    """The sides that have a Tactician in play."""
    return frozenset(side for side in state.sides if number_with(state, side, "tactician"))


def lone_tactician(state: PlayState) -> str:
    """The only side with a Tactician, "" if there is none or more than one."""
    sides = tacticians(state)
    return next(iter(sides)) if len(sides) == 1 else ""


def number_with(state: PlayState, side: str, attribute: str) -> int:
    """How many of a side's standing fighters have this Attribute."""
    standing = (there for there in state.own(side) if there.standing)
    return sum(present(state, there.fighter.id).has(attribute) for there in standing)


def take_priority(state: PlayState, event: told.PriorityRolled, logged: LoggedEvent) -> PlayState:
    """The state with the side that has Priority this turn."""
    first = lone_tactician(state) or (priority_of(state, event.rolls[-1])[0] if event.rolls else "")
    return replace(state, table=replace(state.table, priority=first))


# Moves.


def move_slips(state: PlayState, event: told.Moved, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known, and are the dice there that the shaken and the timid need?"""
    unknown = (*unknown_fighters(state, fighter=event.fighter), *unknown_among(state, "contacts", event.contacts))
    yield from unknown
    if unknown:
        return
    yield from missing_dice("leash", event.leash, int(unhandled(state, event)))
    yield from missing_dice("resolve", event.resolve, int(needs_resolve(state, event)))
    yield from missing_dice("nerve", event.nerve, int(bool(terrors(state, event))))


def needs_resolve(state: PlayState, event: told.Moved) -> bool:
    """Does a shaken warband make it roll before it moves? Rule book: "Wavering", "Routing"."""
    fighter = present(state, event.fighter)
    morale = state.table.morale_of(state.side_of(event.fighter))
    closing = bool(newly_touched(state, event))
    if morale is Morale.ROUTING and state.table.of(event.fighter).resolved == state.table.turn:
        return False
    return nerve.needs_resolve(fighter, morale, into_contact=closing, engaged=state.table.engaged(event.fighter))


def unhandled(state: PlayState, event: told.Moved) -> bool:
    """Does a hound move without a handler near it, because he is away or nobody is left? Rule book: "Warhound"."""
    if event.fighter not in state.combatants or not is_hound(state, event.fighter):
        return False
    return event.handler_away or not handlers_left(state, state.side_of(event.fighter))


def newly_touched(state: PlayState, event: told.Moved) -> tuple[str, ...]:
    """Enemies with whom it comes into contact by this move."""
    before = state.table.of(event.fighter).contacts
    return tuple(other for other in event.contacts if other not in before)


def terrors(state: PlayState, event: told.Moved) -> tuple[str, ...]:
    """The Terrifying among those whom it wants to engage."""
    mover = present(state, event.fighter)
    return tuple(
        each for each in newly_touched(state, event) if needs_nerve(mover, present(state, each)) == "terrifying"
    )


def obeys(state: PlayState, event: told.Moved) -> bool:
    """Does it do as it is told, by the dice that were asked for?"""
    rank = present(state, event.fighter).rank
    steady = event.resolve is None or nerve.resolve_holds(rank, event.resolve)
    equal = state.settings["beguiling_roll"] == "equal"
    called = event.leash is None or hound_obeys(event.leash)
    return called and steady and (event.nerve is None or nerve_holds(rank, event.nerve, equal_will_do=equal))


def move_refusals(state: PlayState, event: told.Moved, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids the move."""
    if rides_on(state, event):
        return _riding_on(event)
    mover = present(state, event.fighter)
    known = state.table.of(event.fighter)
    limit = reach(
        mover,
        event.gait,
        event.terrain,
        carries_heavy=any(known.carries.values()),
        passes_enemy=event.passes_enemy,
    )
    return (
        *out_of_action(state, event.fighter),
        *_turn_spent(state, event),
        *limit.refusals,
        *_too_far(event, mover, limit.inches, transfixed=known.transfixed == state.table.turn > 0),
        *_runs_into_contact(event),
        *_leaves_by_more_than_a_step(state, event),
    )


def rides_on(state: PlayState, event: told.Moved) -> bool:
    """Does a rider leave its ride-by attack by this move, the round being over? Rule book: "Ride-by attacks"."""
    fight, rode = state.table.fight, state.table.of(event.fighter).rode_by == state.table.turn > 0
    able = present(state, event.fighter).mounted and not out_of_action(state, event.fighter)
    return rode and able and (fight is None or fight.over)


def _riding_on(event: told.Moved) -> tuple[Refusal, ...]:
    checks = (
        (bool(event.contacts), "rides-into-contact", "It rides on and away."),
        (event.passes_enemy, "rides-past-enemy", 'It keeps more than 1" from every enemy.'),
        ((event.inches or 0) > RIDE_ON, "too-far", f'It rides on up to {RIDE_ON}".'),
    )
    return tuple(Refusal(code, sentence, 'Rule book: "Ride-by attacks"') for wrong, code, sentence in checks if wrong)


def _turn_spent(state: PlayState, event: told.Moved) -> tuple[Refusal, ...]:
    """A short move goes with a spell, and with mounting or dismounting, before it."""
    goes_with = event.gait is Gait.SHORT and state.table.of(event.fighter).may_step == state.table.turn
    return () if goes_with else once_a_turn(state, event.fighter, "move")


def _too_far(event: told.Moved, mover: Combatant, inches: float, *, transfixed: bool) -> tuple[Refusal, ...]:
    most = inches // 2 if transfixed else inches
    if event.inches is None or event.inches <= most:
        return ()
    return (Refusal("too-far", f'{mover.name} gets {most:g}" this way.', 'Rule book: "Move"'),)


def _runs_into_contact(event: told.Moved) -> tuple[Refusal, ...]:
    if event.gait is not Gait.RUN or not event.contacts:
        return ()
    return (Refusal("runs-into-contact", "Contact is made by a normal or short move.", 'Rule book: "Move"'),)


def _leaves_by_more_than_a_step(state: PlayState, event: told.Moved) -> tuple[Refusal, ...]:
    left = set(state.table.of(event.fighter).contacts) - set(event.contacts)
    if not left or event.gait is Gait.SHORT:
        return ()
    return (Refusal("leaves-too-far", "Out of contact it goes by a short move.", 'Rule book: "Move"'),)


def take_move(state: PlayState, event: told.Moved, logged: LoggedEvent) -> PlayState:
    """The state after the move; who does not obey stays, or runs if its warband is Routing."""
    short = state.table.turn if event.gait is Gait.SHORT else 0
    first = state.table.of(event.fighter).acted != state.table.turn
    after = acts(state, event.fighter, moved_short=short, stepped=short if first else 0, rode_by=0)
    if obeys(state, event):
        return replace(after, table=touched(after.table, event.fighter, event.contacts))
    routing = state.table.morale_of(state.side_of(event.fighter)) is Morale.ROUTING
    return replace(after, table=touched(after.table, event.fighter, ())) if routing else after


RULES: Rules = {
    told.TurnStarted: TurnRule(turn_slips, no_refusals, take_turn),
    told.PriorityRolled: TurnRule(priority_slips, no_refusals, take_priority),
    told.Moved: TurnRule(move_slips, move_refusals, take_move),
}
