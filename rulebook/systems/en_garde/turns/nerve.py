"""The End Phase in the log: Morale Tests and the removal of Stunned counters."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.book.catalogue import faction
from rulebook.systems.en_garde.play.play_state import CivilianState, PlayState
from rulebook.systems.en_garde.table.combatant import total
from rulebook.systems.en_garde.table.morale import (
    MoraleTest,
    WarbandInBattle,
    must_test,
    passes_unrolled,
    resolve_morale,
    stun_modifiers,
    stuns_removed,
)
from rulebook.systems.en_garde.table.wounds import WoundTable, remove_stunned
from rulebook.systems.en_garde.turns.checking import missing_dice, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import kept_fearless, number_with, present
from rulebook.systems.en_garde.turns.phase_events import MoraleTested, StunRolled
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def warband_of(state: PlayState, side: str) -> WarbandInBattle:
    """A side as its Morale sees it now. Rulings B3, B6, C16."""
    own = state.own(side)
    killed = [there for there in own if there.dead and there.died_turn == testing_turn(state)]
    return WarbandInBattle(
        rating=rating_of(state, side),
        start=len(own),
        strength=sum(there.standing for there in own),
        morale=state.table.morale_of(side),
        killed=len(killed),
        leader_killed=any(there.fighter.leader for there in killed),
        commander=number_with(state, side, "commander") > 0,
        banner=banner_flies(state, side),
        inspiring=number_with(state, side, "inspiring") > 0,
        inspired_already=side in state.table.inspired,
        fearless=kept_fearless(state, side),
    )


def testing_turn(state: PlayState) -> int:
    """The turn whose losses are tested for: the one before, or this one by house rule. Ruling B3."""
    return state.table.turn - int(state.settings["morale_timing"] == "next-turn")


def rating_of(state: PlayState, side: str) -> int:
    """A side's Morale Rating: that of the warband, else of its list."""
    fielded = state.side(side)
    rating = fielded.morale if fielded.morale is not None else fielded.extras.get("morale")
    return int(rating if rating is not None else faction(fielded.faction).morale)


def banner_flies(state: PlayState, side: str) -> bool:
    """Does a standing fighter of the side still carry its banner?"""
    return side not in state.banners and any(there.standing and there.fighter.banner for there in state.own(side))


def morale_input_errors(state: PlayState, event: MoraleTested, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there such a side, and are the dice there?"""
    if event.side not in state.sides:
        yield Problem("unknown-side", f"Sides: {', '.join(state.sides)}.", field="side", value=event.side)
        return
    inspired = passes_unrolled(warband_of(state, event.side))
    lacking = tuple(missing_dice("dice", event.dice, 0 if inspired else 2))
    yield from lacking
    if not lacking and event.reroll:
        again = first_test(state, event).may_reroll
        yield from missing_dice("reroll", event.reroll, 2 if again else 0)


def first_test(state: PlayState, event: MoraleTested) -> MoraleTest:
    """The test by its first throw."""
    return resolve_morale(warband_of(state, event.side), event.dice, state.settings)


def morale_test(state: PlayState, event: MoraleTested) -> MoraleTest:
    """The test as it counts: the banner's second throw stands."""
    dice = event.reroll or event.dice
    return resolve_morale(warband_of(state, event.side), dice, state.settings)


def morale_violations(state: PlayState, event: MoraleTested, logged: LoggedEvent) -> tuple[Violation, ...]:
    """No test without a reason, and one a turn."""
    rule = 'Rule book: "Test morale"'
    superfluous = not must_test(warband_of(state, event.side))
    tested = state.table.tested.get(event.side) == state.table.turn > 0
    checks = (
        (superfluous and not tested, "no-test-needed", "Nothing makes this warband test its Morale."),
        (tested, "tested-already", "This warband has tested this turn."),
    )
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence in checks if wrong)


def take_morale(state: PlayState, event: MoraleTested, logged: LoggedEvent) -> PlayState:
    """The state with the side's new Morale."""
    test, table = morale_test(state, event), state.table
    inspired = (*table.inspired, event.side) if test.inspired else table.inspired
    changed = replace(
        table,
        morale={**table.morale, event.side: test.after},
        inspired=inspired,
        tested={**table.tested, event.side: table.turn},
    )
    return replace(state, table=changed)


def sides_to_test(state: PlayState) -> tuple[str, ...]:
    """The sides that have to test their Morale in this End Phase and have not; nobody asks those who are all gone."""
    open_sides = [side for side in state.sides if state.table.tested.get(side) != state.table.turn]
    open_sides = [side for side in open_sides if any(there.standing for there in state.own(side))]
    return tuple(side for side in open_sides if must_test(warband_of(state, side)))


# Stunned counters.


def stun_input_errors(state: PlayState, event: StunRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the fighter known, and the die there? A large body shakes one off without."""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if not unknown:
        yield from missing_dice("die", event.die, int(not shakes_off(state, event.fighter)))


def shakes_off(state: PlayState, fighter: str) -> bool:
    """Does its body discard a counter without a roll? Rule book: "Large Models"."""
    return present(state, fighter).table is WoundTable.LARGE


def stun_violations(state: PlayState, event: StunRolled, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Only the Stunned roll, once a turn."""
    rule = 'Rule book: "Remove stunned counters"'
    rolled = state.table.of(event.fighter).rolled_stun == state.table.turn > 0
    there = state.somebody(event.fighter)
    gone = f"{state.named(event.fighter)} is {there.why_out}."
    checks = (
        (not there.on_table, "out-of-action", gone),
        (not there.wounds.stunned, "not-stunned", "There is no counter to remove."),
        (rolled, "rolled-already", "It has rolled this turn."),
    )
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence in checks if wrong)


def counters_removed(state: PlayState, event: StunRolled) -> int:
    """How many counters go."""
    if shakes_off(state, event.fighter):
        return 1
    known = state.table.of(event.fighter)
    rested = known.rested == state.table.turn > 0 and known.fought != state.table.turn
    modifiers = stun_modifiers(present(state, event.fighter), engaged=state.table.engaged(event.fighter), rested=rested)
    return stuns_removed((event.die or 0) + total(modifiers))


def take_stun(state: PlayState, event: StunRolled, logged: LoggedEvent) -> PlayState:
    """The state after the roll."""
    removed = counters_removed(state, event)
    table = state.table.with_fighter(event.fighter, rolled_stun=state.table.turn)
    state = replace(state, table=table)
    there = state.somebody(event.fighter)
    wounds = remove_stunned(there.wounds, removed)
    if isinstance(there, CivilianState):
        return state.with_civilian(replace(there, wounds=wounds))
    return state.with_combatant(replace(there, wounds=wounds))


RULES: Rules = {
    MoraleTested: TurnRule(morale_input_errors, morale_violations, take_morale),
    StunRolled: TurnRule(stun_input_errors, stun_violations, take_stun),
}
