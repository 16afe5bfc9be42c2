"""Orders in the log, and what they ask of those who move on one.

Rule book: "Issue an order", "Move order", "Shoot order", "Reload order".
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.moving import Gait, Order, order_violations
from rulebook.systems.en_garde.table.orders import GROUP_INCHES
from rulebook.systems.en_garde.turns.checking import (
    civilians_idle,
    named_twice,
    once_a_turn,
    out_of_action,
    same_side,
    unknown_among,
    unknown_fighters,
)
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.move_events import Moved, Ordered
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

RULE = 'Rule book: "Issue an order"'


def order_input_errors(state: PlayState, event: Ordered, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known, and is there a target to shoot at?"""
    yield from unknown_fighters(state, commander=event.commander, target=event.target or None)
    yield from civilians_idle(state, "commander", event.commander)
    yield from unknown_among(state, "near", event.near)
    yield from unknown_among(state, "fighters", event.fighters)
    yield from named_twice("fighters", event.fighters)
    if event.order is Order.SHOOT and not event.target:
        yield Problem("target-needed", "A Shoot order nominates a target: name it.", field="target")


def order_event_violations(state: PlayState, event: Ordered, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the order; distances are the players' word."""
    commander = present(state, event.commander)
    others = tuple(fighter for fighter in event.fighters if fighter != event.commander)
    ordered = tuple((present(state, fighter), 0.0) for fighter in others)
    strangers = [each for each in others if not same_side(state, each, event.commander)]
    return (
        *out_of_action(state, event.commander),
        *once_a_turn(state, event.commander),
        *order_violations(commander, ordered),
        *_out_of_earshot(event),
        *(Violation("not-ones-own", f"{state.named(each)} is no friend.", RULE) for each in strangers),
        *(violation for fighter in others for violation in out_of_action(state, fighter)),
        *(violation for fighter in others for violation in once_a_turn(state, fighter)),
    )


def _out_of_earshot(event: Ordered) -> tuple[Violation, ...]:
    """Is the farthest of them near enough, if somebody says how far off it is?"""
    if (event.inches or 0) <= GROUP_INCHES:
        return ()
    return (Violation("out-of-earshot", f'A Commander is heard within {GROUP_INCHES}".', RULE),)


def take_order(state: PlayState, event: Ordered, logged: LoggedEvent) -> PlayState:
    """The state in which those ordered may do it, as their action of the turn; the Commander has acted."""
    everybody = tuple(dict.fromkeys((*event.fighters, event.commander)))
    for fighter in everybody:
        known: dict[str, object] = {"acted": state.table.turn, "ordered": state.table.turn, "order": event.order.value}
        known["order_targets"] = (event.target, *event.near) if event.target else ()
        known["order_group"] = everybody
        state = replace(state, table=state.table.with_fighter(fighter, **known))
    return state


def move_order_violations(state: PlayState, event: Moved, *, closing: bool) -> tuple[Violation, ...]:
    """On a Move order all may run if none of them comes near an enemy; if one does, nobody runs."""
    known, turn = state.table.of(event.fighter), state.table.turn
    if known.ordered != turn or not known.order_group or not turn:
        return ()
    others = [state.table.of(each) for each in known.order_group if each != event.fighter]
    checks = (
        (event.gait is Gait.RUN and any(each.neared == turn for each in others), "One of them has come near an enemy."),
        ((closing or event.passes_enemy) and any(each.ran == turn for each in others), "One of them has run."),
    )
    rule = 'Rule book: "Move order"'
    return tuple(Violation("ordered-apart", f"{why} All do the same.", rule) for wrong, why in checks if wrong)


RULES: Rules = {Ordered: TurnRule(order_input_errors, order_event_violations, take_order)}
