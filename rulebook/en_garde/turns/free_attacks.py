"""Free attacks in the log, on those who leave contact. Rule book: "Move". Rulings B25, D22."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table.combatant import Refusal
from rulebook.en_garde.turns.blow_effects import harmed_by, pistol_fired
from rulebook.en_garde.turns.blow_outcomes import outcome, strike_dice
from rulebook.en_garde.turns.checking import out_of_action, unknown_fighters
from rulebook.en_garde.turns.combat_events import FreeAttack
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.ruleset import LoggedEvent, Problem


def free_slips(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known, and are the dice there?"""
    unknown = tuple(unknown_fighters(state, attacker=event.attacker, target=event.target))
    yield from unknown
    if not unknown:
        yield from strike_dice(state, event)


def free_refusals(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> tuple[Refusal, ...]:
    """Everything that forbids a free attack. Ruling D22."""
    known = state.table.of(event.attacker)
    agile = present(state, event.target).has("agile")
    checks = (
        (known.free_attack == state.table.turn > 0, "free-attack-made", "One free attack a turn.", '"Move"'),
        (event.target not in known.contacts, "not-in-contact", "The two are not in contact.", '"Move"'),
        (agile, "agile-leaver", "Nobody strikes at an Agile fighter that slips away.", '"Agile"'),
    )
    found = tuple(Refusal(code, text, f"Rule book: {rule}") for wrong, code, text, rule in checks if wrong)
    return (*out_of_action(state, event.attacker), *found)


def take_free(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> PlayState:
    """The state after a free attack."""
    blow = outcome(state, event)
    known = state.table.of(event.attacker).struck
    marked = state.table.with_fighter(event.attacker, free_attack=state.table.turn, struck=(*known, event.target))
    return harmed_by(pistol_fired(replace(state, table=marked), event), event, logged, blow)


RULES: Rules = {FreeAttack: TurnRule(free_slips, free_refusals, take_free)}
