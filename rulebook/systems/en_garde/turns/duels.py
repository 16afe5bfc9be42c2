"""Challenges to a duel in the log, and the naming of duellists. Rule book: "Duels", "Duel"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.people import combatant_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.challenges import challenge_violations
from rulebook.systems.en_garde.turns.checking import civilians_idle, out_of_action, same_side, unknown_fighters
from rulebook.systems.en_garde.turns.combat_events import Challenged
from rulebook.systems.en_garde.turns.combat_membership import in_a_duel, in_duel_with
from rulebook.systems.en_garde.turns.duellists import duellists_alone
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.opening_events import DuellistNamed
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def challenge_input_errors(state: PlayState, event: Challenged, logged: LoggedEvent) -> Iterator[Problem]:
    """Are both known?"""
    yield from unknown_fighters(state, challenger=event.challenger, challenged=event.challenged)
    yield from civilians_idle(state, "challenger", event.challenger)
    yield from civilians_idle(state, "challenged", event.challenged)


def challenge_event_violations(state: PlayState, event: Challenged, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the challenge."""
    engaged = state.table.engaged(event.challenger) or state.table.engaged(event.challenged)
    friends = same_side(state, event.challenger, event.challenged)
    own = Violation("own-side", "A challenge is for an enemy.", 'Rule book: "Duels"')
    busy = {each: in_duel_with(state, each) for each in (event.challenger, event.challenged)}
    return (
        *(in_a_duel(state, each, foe) for each, foe in busy.items() if foe),
        *out_of_action(state, event.challenger),
        *out_of_action(state, event.challenged),
        *challenge_violations(
            present(state, event.challenger), present(state, event.challenged), event.inches, engaged=engaged
        ),
        *((own,) if friends else ()),
    )


def take_challenge(state: PlayState, event: Challenged, logged: LoggedEvent) -> PlayState:
    """The state in which the two have a duel to fight, if it was accepted."""
    if not event.accepted:
        return state
    table = state.table.with_fighter(event.challenger, duel_with=event.challenged)
    return replace(state, table=table.with_fighter(event.challenged, duel_with=event.challenger))


def duellist_input_errors(state: PlayState, event: DuellistNamed, logged: LoggedEvent) -> Iterator[Problem]:
    """Is it a Duel, and somebody who was fielded?"""
    if not duellists_alone(state):
        sentence = f"{state.scenario.name} has no duellists."
        yield Problem("kind-not-in-scenario", sentence, field="kind", value=logged.kind, source=state.scenario.source)
    yield from combatant_problems(state, event.fighter, "fighter")


def naming_violations(state: PlayState, event: DuellistNamed, logged: LoggedEvent) -> tuple[Violation, ...]:
    """A side has one duellist, and another only once that one is dead."""
    named = state.table.duellists.get(state.side_of(event.fighter), ())
    alive = [each for each in named if not state.combatants[each].dead]
    kept = (f"{state.named(each)} is the duellist of that side, and lives." for each in alive)
    found = (Violation("duellist-lives", sentence, 'Rule book: "Duel"') for sentence in kept)
    return (*out_of_action(state, event.fighter), *found)


def take_duellist(state: PlayState, event: DuellistNamed, logged: LoggedEvent) -> PlayState:
    """The state with a side's duellist."""
    side = state.side_of(event.fighter)
    named = (*state.table.duellists.get(side, ()), event.fighter)
    return replace(state, table=replace(state.table, duellists={**state.table.duellists, side: named}))


RULES: Rules = {
    Challenged: TurnRule(challenge_input_errors, challenge_event_violations, take_challenge),
    DuellistNamed: TurnRule(duellist_input_errors, naming_violations, take_duellist),
}
