"""Free attacks in the log, on those who leave contact.

Rule book: "Move", "Beguiling", "Appendix A". Rulings B25, D22.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import grip_violations
from rulebook.systems.en_garde.turns.blow_effects import harmed_by, pistol_fired
from rulebook.systems.en_garde.turns.blow_outcomes import blow_dice, dares, grip_in, outcome
from rulebook.systems.en_garde.turns.checking import civilians_idle, once_a_turn, out_of_action, unknown_fighters
from rulebook.systems.en_garde.turns.combat_events import FreeAttack
from rulebook.systems.en_garde.turns.combats import unknown_weapon
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.luck import luck_used, lucky_violations
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def free_input_errors(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> Iterator[Problem]:
    """Is everybody known, and are the dice there?"""
    named = {"attacker": event.attacker, "target": event.target, "lucky": event.lucky or None}
    unknown = (
        *unknown_fighters(state, **named),
        *civilians_idle(state, "attacker", event.attacker),
        *(unknown_weapon(event.weapon, "weapon", event.attacker) if event.weapon else ()),
    )
    yield from unknown
    if not unknown:
        yield from blow_dice(state, event)


def free_violations(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids a free attack."""
    known, leaver = state.table.of(event.attacker), present(state, event.target)
    checks = (
        (known.free_attack == state.table.turn > 0, "free-attack-made", "One free attack a turn.", "Move"),
        (event.target not in known.contacts, "not-in-contact", "The two are not in contact.", "Move"),
        (_stays(state, event.target), "does-not-leave", "Who has acted leaves nobody any more.", "Move"),
        (leaver.has("agile"), "agile-leaver", "Nobody strikes at an Agile fighter that slips away.", "Agile"),
        (
            leaver.mounted and state.table.simplified,
            "rider-withdraws",
            "Riders withdraw freely in the simplified procedure.",
            "Appendix A",
        ),
    )
    found = tuple(Violation(code, text, f'Rule book: "{rule}"') for wrong, code, text, rule in checks if wrong)
    luck = lucky_violations(state, event.lucky, event.attacker, event.target)
    arms = grip_violations(present(state, event.attacker), grip_in(state, event, event.attacker))
    return (*out_of_action(state, event.attacker), *found, *arms, *luck)


def _stays(state: PlayState, fighter: str) -> bool:
    """Has it done already what it can do in this turn?"""
    goes_yet = state.table.of(fighter).may_step == state.table.turn
    return not goes_yet and bool(once_a_turn(state, fighter, "move"))


def take_free(state: PlayState, event: FreeAttack, logged: LoggedEvent) -> PlayState:
    """The state after a free attack; who does not bring itself to strike has had its chance."""
    made = state.table.with_fighter(event.attacker, free_attack=state.table.turn)
    tried = luck_used(replace(state, table=made), event.lucky)
    if not dares(state, event):
        return tried
    known = state.table.of(event.attacker).struck
    marked = tried.table.with_fighter(event.attacker, struck=(*known, event.target))
    return harmed_by(pistol_fired(replace(tried, table=marked), event), event, logged, outcome(state, event))


RULES: Rules = {FreeAttack: TurnRule(free_input_errors, free_violations, take_free)}
