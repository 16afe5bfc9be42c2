"""The table as people see it: how everybody stands, what is due, what can be done.

The sheet has no order of the turn (Ruling A-G2): everything can be done in any order until the next turn begins.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import Note
from rulebook.systems.argad.book import GONE, NO_FIREARM, book
from rulebook.systems.argad.events import Ended, Fought, Lost, Moved, MusketsOut, Reloaded, ShotFired, TurnBegan
from rulebook.systems.argad.roster import class_total, profile_name
from rulebook.systems.argad.state import Combatant, State
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phase = Phase("turn", "The turn, in any order", () if state.ended else tuple(_due(state)), now=not state.ended)
    found = tuple(actions(state, who))
    return TableView(state.turn, None, state.ended, "both", (phase,), sides, fighters, None, found)


def _due(state: State) -> Iterator[Due]:
    for each in state.combatants.values() if state.turn else ():
        if each.reload_left and not each.gone and not each.done:
            told, rule = f"{each.name} can reload.", 'Sheet: "Reloading"'
            yield Due(told, each.id, "reload", rule, "Reload", at_once=True, minor=True)
    standing = {each.side for each in state.combatants.values() if not each.gone}
    if state.turn and len(standing) < len(state.sides):
        # The sheet has no rule for the end: the table proposes it, and goes on if the players do.
        beaten = " and ".join(name for key, name in state.sides.items() if key not in standing)
        yield Due(f"Nobody of {beaten} is left.", do="ended", rule="Ruling A-G2", button="End the battle", minor=True)
    which = f"turn {state.turn + 1}" if state.turn else "the first turn"
    told, free = f"Begin {which}.", bool(state.turn)
    yield Due(told, do="turn", rule="Ruling A-G2", button="Begin", at_once=True, minor=free, onward=free)


def _fighter(each: Combatant) -> FighterView:
    fighter, out, marks = each.fighter, GONE.get(each.gone, ""), () if each.gone else tuple(_marks(each))
    numbers = (("Class", str(fighter.class_)), ("Armour", str(fighter.armour or "none")))
    profile, weapon = profile_name(fighter), book().weapon[each.contender().weapon].name
    shown = "" if weapon.lower() in profile.lower() else weapon
    known = FighterView(each.id, each.name, each.side, profile, 0, out, marks, shown, (), numbers)
    return replace(known, dead=each.gone == "killed")


def _marks(each: Combatant) -> Iterator[Mark]:
    if each.reload_left:
        yield Mark(f"{each.reload_left} to reload", "busy")
    if each.fouled:
        yield Mark("Musket out for the day", "warn")
    yield from (Mark(done.capitalize(), "warn" if done == "recoiled" else "idle") for done in each.done)


def _side(state: State, key: str) -> SideView:
    own = state.of(key)
    standing = [each.fighter for each in own if not each.gone]
    marks = (Mark(f"Class {class_total(standing)} of {class_total(each.fighter for each in own)}"),)
    return SideView(key, state.sides[key], marks, len(standing), len(own), 0, ())


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a fighter, or of nobody in particular; of a fighter the likeliest first."""
    turn, one = state.turn or None, state.combatants.get(who)
    sides = dict.fromkeys(("winner", "field"), tuple(state.sides.items()))
    if not who:
        yield action(Note, given={}, main=("text",), turn=turn)
        if not state.ended:
            yield action(TurnBegan, given={})
            if everybody := _names(state, ""):
                yield action(MusketsOut, given={}, main=("fighters",), choices={"fighters": everybody}, turn=turn)
            yield action(Ended, given={}, main=("winner", "field"), choices=sides, turn=turn)
    elif one is not None and not one.gone and not state.ended:
        if state.turn:
            yield from sorted(_in_turn(state, one), key=lambda each: bool(each.hurdle))
        foes = _names(state, one.side)
        lost = action(Lost, given={"fighter": who}, main=("gone", "by"), choices={"by": foes}, turn=turn)
        yield replace(lost, phase=BESIDE)


def _in_turn(state: State, one: Combatant) -> Iterator[Action]:
    foes, done = _names(state, one.side), ", ".join(one.done)
    empty = "not loaded" if one.reload_left or "reloaded" in one.done else "out for the day" if one.fouled else ""
    given, turn = {"fighter": one.id}, state.turn
    if one.fighter.firearm != NO_FIREARM and foes:
        main = ("target", "cm", "circumstances")
        yield action(ShotFired, given={"shooter": one.id}, main=main, choices={"target": foes}, turn=turn, hurdle=empty)
    if one.reload_left:
        yield action(Reloaded, given=given, turn=turn, hurdle=done)
    yield action(Moved, given=given, main=("terrain", "cm"), turn=turn, hurdle=done)
    told = ("enemy", "stances", "enemy_stances", "terrain")
    if foes:
        yield action(Fought, given=given, main=told, choices={"enemy": foes}, turn=turn)


def _names(state: State, side: str) -> tuple[tuple[str, str], ...]:
    """Those who stand and are not of this side, as choices."""
    return tuple((each.id, each.name) for each in state.combatants.values() if each.side != side and not each.gone)
