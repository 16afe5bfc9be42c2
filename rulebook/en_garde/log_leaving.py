"""Leaving the table and being captured in the log: what is wrong with it, and what it does."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde import events as log
from rulebook.en_garde.log_people import combatant_problems, out_of_action, side_problems
from rulebook.en_garde.play_state import CombatantState, PlayState
from rulebook.ruleset import LoggedEvent, Problem


def leaving_problems(state: PlayState, event: log.Routed | log.LeftTable, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a fighter's leaving the table."""
    unknown = list(combatant_problems(state, event.fighter, "fighter"))
    yield from unknown or _stays(state.combatants[event.fighter])


def _stays(combatant: CombatantState) -> Iterator[Problem]:
    if not combatant.standing:
        yield out_of_action(combatant, "fighter")


def capture_problems(state: PlayState, event: log.Captured, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a capture. Rulings B20, B21."""
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
    elif state.settings["capture_needs"] == "unconscious" and not captive.wounds.unconscious:
        sentence = f"{captive.fighter.name} is not unconscious. Log the attack that subdued it first."
        yield Problem(
            "not-unconscious", sentence, fighters=(fighter,), field="fighter", value=fighter, source="Ruling B21"
        )


def _banner(state: PlayState, banner: str, side: str) -> Iterator[Problem]:
    unknown = list(side_problems(state, banner, "banner"))
    if unknown:
        yield from unknown
        return
    if banner == side:
        yield Problem("own-side", "Nobody captures the banner of the own side.", field="banner", value=banner)
    bearer = next((each for each in state.own(banner) if each.fighter.banner), None)
    if bearer is None and not state.side(banner).extras.get("banner"):
        yield Problem("no-banner", f"Side {banner!r} has no banner.", field="banner", value=banner, source="Ruling P25")
    if bearer is not None and (bearer.standing or bearer.routed or bearer.edge):
        sentence = f"{bearer.fighter.name} still has the banner: it falls when its bearer does."
        yield Problem("banner-not-fallen", sentence, field="banner", value=banner, source="Ruling B20")


# What they do.


def take_rout(state: PlayState, event: log.Routed, logged: LoggedEvent) -> PlayState:
    """The state after a fighter has routed off the table."""
    fighter = state.combatants[event.fighter]
    return state.with_combatant(replace(fighter, routed=True, out_since=logged.sequence, out_turn=logged.turn))


def take_leave(state: PlayState, event: log.LeftTable, logged: LoggedEvent) -> PlayState:
    """The state after a fighter has gone over an edge."""
    fighter = state.combatants[event.fighter]
    gone = replace(fighter, edge=event.edge.value, out_since=logged.sequence, out_turn=logged.turn)
    return state.with_combatant(gone)


def take_capture(state: PlayState, event: log.Captured, logged: LoggedEvent) -> PlayState:
    """The state after a fighter or a banner was captured; the last word on a banner counts."""
    if event.banner is not None:
        return replace(state, banners={**state.banners, event.banner: event.by})
    fighter = state.combatants[event.fighter or ""]
    since = logged.sequence if fighter.out_since is None else fighter.out_since
    turn = logged.turn if fighter.out_since is None else fighter.out_turn
    return state.with_combatant(replace(fighter, captor=event.by, out_since=since, out_turn=turn))
