"""Moves in the log. Rule book: "Move" to "Reduced movement", "Wavering", "Routing", "Terrifying", "Ride-by attacks"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import OnTable, touched
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.morale import Morale, needs_resolve, resolve_holds
from rulebook.systems.en_garde.table.moving import Gait, hound_obeys
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.turns.checking import (
    acts,
    missing_dice,
    once_a_turn,
    out_of_action,
    unknown_among,
    unknown_fighters,
)
from rulebook.systems.en_garde.turns.contacts import contact_input_errors
from rulebook.systems.en_garde.turns.fighters import handlers_left, is_hound, present
from rulebook.systems.en_garde.turns.leaps import after_fall, leap_dice, succeeds
from rulebook.systems.en_garde.turns.loading import gun_move_violations, unknown_gun
from rulebook.systems.en_garde.turns.move_events import Moved
from rulebook.systems.en_garde.turns.orders import move_order_violations
from rulebook.systems.en_garde.turns.reach import inches_left, reach_violations
from rulebook.systems.en_garde.turns.reserves import arrival_violations
from rulebook.systems.en_garde.turns.riding import rides_on, riding_on_violations
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def move_input_errors(state: PlayState, event: Moved, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known, and are the dice there that the shaken, the timid and those who leap need?"""
    unknown = (
        *unknown_fighters(state, fighter=event.fighter),
        *unknown_among(state, "contacts", event.contacts),
        *unknown_gun(event.gun),
    )
    unknown = unknown or tuple(contact_input_errors(state, event.fighter, event.contacts))
    yield from unknown
    if unknown:
        return
    lacking = (
        *missing_dice("leash", event.leash, int(unhandled(state, event))),
        *missing_dice("resolve", event.resolve, int(move_needs_resolve(state, event))),
        *missing_dice("nerve", event.nerve, int(bool(terrors(state, event)))),
    )
    yield from lacking
    if not lacking and obeys(state, event):
        yield from leap_dice(state, event)


def move_needs_resolve(state: PlayState, event: Moved) -> bool:
    """Does a shaken warband make it roll before it moves? Rule book: "Wavering", "Routing"."""
    if event.fighter in state.civilians or event.closes_up:
        return False
    fighter = present(state, event.fighter)
    morale = state.table.morale_of(state.side_of(event.fighter))
    closing = bool(newly_touched(state, event))
    if morale is Morale.ROUTING and state.table.of(event.fighter).resolved == state.table.turn:
        return False
    return needs_resolve(fighter, morale, into_contact=closing, engaged=state.table.engaged(event.fighter))


def unhandled(state: PlayState, event: Moved) -> bool:
    """Does a hound move without a handler near it, because he is away or nobody is left? Rule book: "Warhound"."""
    if event.fighter not in state.combatants or event.closes_up or not is_hound(state, event.fighter):
        return False
    return event.handler_away or not handlers_left(state, state.side_of(event.fighter))


def newly_touched(state: PlayState, event: Moved) -> tuple[str, ...]:
    """Enemies with whom it comes into contact by this move."""
    before = state.table.of(event.fighter).contacts
    return tuple(other for other in event.contacts if other not in before)


def terrors(state: PlayState, event: Moved) -> tuple[str, ...]:
    """The Terrifying among those whom it wants to engage."""
    mover = present(state, event.fighter)
    return tuple(
        each for each in newly_touched(state, event) if needs_nerve(mover, present(state, each)) == "terrifying"
    )


def obeys(state: PlayState, event: Moved) -> bool:
    """Does it do as it is told, by the dice that were asked for?"""
    rank = present(state, event.fighter).rank
    steady = event.resolve is None or resolve_holds(rank, event.resolve)
    equal = state.settings["beguiling_roll"] == "equal"
    called = event.leash is None or hound_obeys(event.leash)
    return called and steady and (event.nerve is None or nerve_holds(rank, event.nerve, equal_will_do=equal))


def move_violations(state: PlayState, event: Moved, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the move."""
    if rides_on(state, event.fighter):
        return riding_on_violations(event.contacts, event.inches or 0, passes_enemy=event.passes_enemy)
    if event.closes_up:
        return _closing_up(state, event)
    mover, waits = present(state, event.fighter), state.table.of(event.fighter).reserve
    return (
        *(arrival_violations(state, event.fighter) if waits else out_of_action(state, event.fighter)),
        *_turn_spent(state, event),
        *reach_violations(state, event, mover),
        *_too_far(event, mover, inches_left(state, event, mover)),
        *_runs_into_contact(event),
        *_leaves_by_more_than_a_step(state, event),
        *_shied(state, event),
        *move_order_violations(state, event, closing=bool(newly_touched(state, event))),
        *gun_move_violations(state, event.fighter, event.gun),
    )


def _closing_up(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    """A small move towards a friend leaves no enemy and reaches no other, and is for who has not acted."""
    known = state.table.of(event.fighter)
    checks = (
        (not known.contacts, "not-engaged", "Only who is Engaged closes up."),
        (set(event.contacts) != set(known.contacts), "keeps-contact", "It keeps to the enemies whom it touches."),
    )
    found = (Violation(code, sentence, 'Rule book: "Appendix A"') for wrong, code, sentence in checks if wrong)
    return (*out_of_action(state, event.fighter), *once_a_turn(state, event.fighter), *found)


def _turn_spent(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    """A short move goes with a spell, and with mounting or dismounting, before it."""
    goes_with = event.gait is Gait.SHORT and state.table.of(event.fighter).may_step == state.table.turn
    return () if goes_with else once_a_turn(state, event.fighter, "move")


def _too_far(event: Moved, mover: Combatant, most: float) -> tuple[Violation, ...]:
    if (event.inches or 0) + event.climbs <= most:
        return ()
    return (Violation("too-far", f'{mover.name} gets {most:g}" this way.', 'Rule book: "Move"'),)


def _runs_into_contact(event: Moved) -> tuple[Violation, ...]:
    if event.gait is not Gait.RUN or not event.contacts:
        return ()
    return (Violation("runs-into-contact", "Contact is made by a normal or short move.", 'Rule book: "Move"'),)


def _leaves_by_more_than_a_step(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    left = set(state.table.of(event.fighter).contacts) - set(event.contacts)
    if not left or event.gait is Gait.SHORT:
        return ()
    return (Violation("leaves-too-far", "Out of contact it goes by a short move.", 'Rule book: "Move"'),)


def _shied(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    """Who wavered does something else this turn than close in."""
    if state.table.of(event.fighter).shied != state.table.turn or not newly_touched(state, event):
        return ()
    sentence = f"{state.named(event.fighter)} has wavered: it comes near no enemy this turn."
    return (Violation("wavered", sentence, 'Rule book: "Wavering"'),)


def take_move(state: PlayState, event: Moved, logged: LoggedEvent) -> PlayState:
    """The state after the move; who does not obey stays, or runs if its warband is Routing; who fails falls.

    Who wavers has not acted, and may do something else.
    """
    if event.closes_up:
        return replace(state, table=replace(state.table, simplified=True))
    shaken = event.resolve is not None and not resolve_holds(present(state, event.fighter).rank, event.resolve)
    if shaken and state.table.morale_of(state.side_of(event.fighter)) is Morale.WAVERING:
        return replace(state, table=state.table.with_fighter(event.fighter, shied=state.table.turn))
    obeyed = obeys(state, event)
    after = acts(state, event.fighter, **_remembered(state, event, moved=obeyed))
    if obeyed:
        contacts = event.contacts if succeeds(state, event) else ()
        return after_fall(replace(after, table=touched(after.table, event.fighter, contacts)), event, logged)
    return replace(after, table=touched(after.table, event.fighter, ())) if shaken else after


def _remembered(state: PlayState, event: Moved, *, moved: bool) -> dict[str, object]:
    """What the table keeps of a move."""
    turn = state.table.turn
    known: OnTable = state.table.of(event.fighter)
    short = turn if event.gait is Gait.SHORT else 0
    kept: dict[str, object] = {
        "moved_short": short,
        "stepped": short if known.acted != turn else 0,
        "rode_by": 0,
        "reserve": known.reserve and not moved,
        "in_water": event.in_water,
    }
    if not moved:
        return {**kept, "in_water": known.in_water}
    nears = turn if event.passes_enemy or newly_touched(state, event) else known.neared
    return {**kept, "moved": turn, "ran": turn if event.gait is Gait.RUN else known.ran, "neared": nears}


RULES: Rules = {Moved: TurnRule(move_input_errors, move_violations, take_move)}
