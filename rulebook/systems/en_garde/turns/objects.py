"""Things that are picked up, handed on and dropped in the log. Rule book: "Objects", "Ordinance special rules"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.checking import acts, once_a_turn, out_of_action, same_side, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.loading import immobile_violations
from rulebook.systems.en_garde.turns.move_events import ObjectHandled
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

RULE = 'Rule book: "Objects"'


def object_input_errors(state: PlayState, event: ObjectHandled, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the fighter known?"""
    yield from unknown_fighters(state, fighter=event.fighter)


def object_violations(state: PlayState, event: ObjectHandled, logged: LoggedEvent) -> tuple[Violation, ...]:
    """A heavy thing takes an action and free hands; what an enemy carries cannot be picked up."""
    if event.how == "dropped":
        return _dropping(state, event)
    bearer = bearer_of(state, event.what)
    theirs = bearer not in ("", event.fighter) and not same_side(state, bearer, event.fighter)
    engaged = event.heavy and state.table.engaged(event.fighter)
    checks = (
        (engaged, "engaged", "Who is Engaged picks up nothing heavy."),
        (theirs, "carried-by-enemy", f"{state.named(bearer) if theirs else ''} carries it."),
    )
    found = (Violation(code, sentence, RULE) for wrong, code, sentence in checks if wrong)
    action = once_a_turn(state, event.fighter) if event.heavy else ()
    return (*out_of_action(state, event.fighter), *action, *found, *immobile_violations(event.what))


def _dropping(state: PlayState, event: ObjectHandled) -> tuple[Violation, ...]:
    """Dropping is free on foot; what is heavy comes off a mount by an action."""
    if event.what not in state.table.of(event.fighter).carries:
        return (Violation("not-carried", f"Nobody carries the {event.what} there.", RULE),)
    return once_a_turn(state, event.fighter) if _unloads(state, event) else ()


def _unloads(state: PlayState, event: ObjectHandled) -> bool:
    heavy = state.table.of(event.fighter).carries.get(event.what, False)
    return event.how == "dropped" and heavy and present(state, event.fighter).mounted


def bearer_of(state: PlayState, what: str) -> str:
    """Who carries a thing and can keep it, "" if nobody does."""
    bearers = (key for key, known in state.table.fighters.items() if what in known.carries)
    return next((key for key in bearers if not out_of_action(state, key)), "")


def take_object(state: PlayState, event: ObjectHandled, logged: LoggedEvent) -> PlayState:
    """The state after something changed hands."""
    acting = _unloads(state, event) or (event.heavy and event.how == "taken")
    state = acts(state, event.fighter) if acting else state
    for key, known in tuple(state.table.fighters.items()):
        if event.what in known.carries:
            left = {what: heavy for what, heavy in known.carries.items() if what != event.what}
            state = replace(state, table=state.table.with_fighter(key, carries=left))
    if event.how == "dropped":
        return state
    carried = {**state.table.of(event.fighter).carries, event.what: event.heavy}
    return replace(state, table=state.table.with_fighter(event.fighter, carries=carried))


RULES: Rules = {ObjectHandled: TurnRule(object_input_errors, object_violations, take_object)}
