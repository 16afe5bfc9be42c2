"""Fighters and banners captured in the log: what is wrong with it, and what it does. Rulings B20, B21, B32, P25."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Captured
from rulebook.systems.en_garde.play.people import combatant_problems, out_of_action, side_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.problems import Violation


def capture_input_errors(state: PlayState, event: Captured, logged: LoggedEvent) -> Iterator[Problem]:
    """Does it make sense: one captive, by an enemy who can?"""
    if (event.fighter is None) == (event.banner is None):
        yield Problem("one-capture", "Name either a fighter or a banner as captured, not both.", field="fighter")
        return
    unknown = list(combatant_problems(state, event.by, "by"))
    yield from unknown
    if unknown:
        return
    captor = state.combatants[event.by]
    if captor.dead or captor.wounds.unconscious or captor.captor:
        yield out_of_action(captor, "by")
    if event.fighter is not None:
        yield from _captive(state, event.fighter, captor.side)
    if event.banner is not None:
        yield from _banner(state, event.banner, captor.side)


def _captive(state: PlayState, fighter: str, side: str) -> Iterator[Problem]:
    unknown = list(combatant_problems(state, fighter, "fighter"))
    if unknown:
        yield from unknown
        return
    captive = state.combatants[fighter]
    if captive.side == side:
        yield Problem("own-side", "Nobody captures a fighter of the own side.", fighters=(fighter,), field="fighter")
    if captive.summoned:
        sentence = f"{captive.fighter.name} was summoned: there is nobody to take home."
        yield Problem("summoned", sentence, fighters=(fighter,), field="fighter", value=fighter, source="Ruling B32")
    if not captive.on_table:
        yield out_of_action(captive, "fighter")


def _banner(state: PlayState, banner: str, side: str) -> Iterator[Problem]:
    unknown = list(side_problems(state, banner, "banner"))
    if unknown:
        yield from unknown
        return
    if banner == side:
        yield Problem("own-side", "Nobody captures the banner of the own side.", field="banner", value=banner)
    bearer = any(each.fighter.banner for each in state.own(banner))
    if not bearer and not state.side(banner).extras.get("banner"):
        yield Problem("no-banner", f"Side {banner!r} has no banner.", field="banner", value=banner, source="Ruling P25")


def capture_violations(state: PlayState, event: Captured, logged: LoggedEvent) -> tuple[Violation, ...]:
    """What the rulings forbid and a table may agree upon: nobody is unconscious, or the banner has not fallen."""
    if event.fighter is not None:
        return _awake(state, event.fighter)
    bearer = next((each for each in state.own(event.banner or "") if each.fighter.banner), None)
    if bearer is None or not (bearer.standing or bearer.routed or bearer.edge):
        return ()
    sentence = f"{bearer.fighter.name} still has the banner: it falls when its bearer does."
    return (Violation("banner-not-fallen", sentence, "Ruling B20"),)


def _awake(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    captive = state.combatants[fighter]
    if state.settings["capture_needs"] != "unconscious" or captive.wounds.unconscious:
        return ()
    sentence = f"{captive.fighter.name} is not unconscious: log the attack that subdued it first."
    return (Violation("not-unconscious", sentence, "Ruling B21"),)


def take_capture(state: PlayState, event: Captured, logged: LoggedEvent) -> PlayState:
    """The state after a capture; the last word on a banner counts."""
    if event.banner is not None:
        return replace(state, banners={**state.banners, event.banner: event.by})
    fighter = state.combatants[event.fighter or ""]
    since = logged.sequence if fighter.out_since is None else fighter.out_since
    turn = logged.turn if fighter.out_since is None else fighter.out_turn
    return state.with_combatant(replace(fighter, captor=event.by, out_since=since, out_turn=turn))
