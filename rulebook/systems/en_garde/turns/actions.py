"""What fighters do with their action in the Move Phase beside moving and shooting. Rule book: "Move phase"."""

from collections.abc import Iterator

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.missiles import is_missile, missile, reloaded
from rulebook.systems.en_garde.table.shooting import Cover
from rulebook.systems.en_garde.turns.checking import acts, missing_dice, once_a_turn, out_of_action, unknown_fighters
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.loading import served_by, to_load, with_counters
from rulebook.systems.en_garde.turns.move_events import Acted
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def action_input_errors(state: PlayState, event: Acted, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the fighter known, the weapon one that loads, the die for wet powder there?"""
    unknown = tuple(unknown_fighters(state, fighter=event.fighter))
    yield from unknown
    if unknown or event.what != "reload":
        return
    arms = (*present(state, event.fighter).weapons, *served_by(state, event.fighter))
    if event.weapon not in arms or not is_missile(event.weapon):
        yield Problem("not-carried", "Say which weapon is loaded.", field="weapon", value=event.weapon)
        return
    yield from missing_dice("die", event.die, int(powder_gets_wet(state, event.weapon)))


def powder_gets_wet(state: PlayState, weapon: str) -> bool:
    """Does it rain on a powder weapon? Rule book: "Powder"."""
    return "rain" in str(state.setup.set_up.get("weather", "")) and missile(weapon).powder


def action_violations(state: PlayState, event: Acted, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Everything that forbids the action."""
    engaged = state.table.engaged(event.fighter)
    fighter = present(state, event.fighter)
    known = state.table.of(event.fighter)
    there = state.combatants.get(event.fighter)
    waits = known.dismounted and there is not None and not there.thrown
    open_ground = event.what == "hide" and event.cover is Cover.NONE
    checks = (
        (open_ground, "no-cover", "Who hides is in cover of some sort; without it, it rests."),
        (engaged and event.what in ("aim", "hide", "rest", "reload"), "engaged", "Not while Engaged."),
        (event.what == "reload" and not _unready(state, event), "loaded", "There is no counter to remove."),
        (event.what == "dismount" and not fighter.mounted, "on-foot", "It has no mount to leave."),
        (
            event.what == "mount" and not waits,
            "no-mount",
            "There is no mount of its own to get on again.",
        ),
    )
    found = (Violation(code, sentence, 'Rule book: "Move phase"') for wrong, code, sentence in checks if wrong)
    order = "reload" if event.what == "reload" else ""
    return (*out_of_action(state, event.fighter), *once_a_turn(state, event.fighter, order), *found)


def _unready(state: PlayState, event: Acted) -> bool:
    return event.what == "reload" and to_load(state, event.fighter, event.weapon)[1] > 0


def take_action(state: PlayState, event: Acted, logged: LoggedEvent) -> PlayState:
    """The state after the action."""
    turn = state.table.turn
    if event.what == "reload":
        piece, counters = to_load(state, event.fighter, event.weapon)
        left = reloaded(counters, powder=missile(event.weapon).powder, rain_die=event.die)
        return acts(with_counters(state, event.fighter, piece, left), event.fighter)
    changes: dict[str, dict[str, object]] = {
        "aim": {"aimed": turn},
        "rest": {"rested": turn},
        "hide": {"rested": turn, "hidden": True},
        "mount": {"dismounted": False, "may_step": turn},
        "dismount": {"dismounted": True, "may_step": turn},
    }
    return acts(state, event.fighter, **changes.get(event.what, {}))


RULES: Rules = {
    Acted: TurnRule(action_input_errors, action_violations, take_action),
}
