"""The table as people see it: how everybody stands, what is due, what can be done.

The sheet has no order of the turn (Ruling A-G2): everything can be done in any order until the next turn begins.
"""

from collections.abc import Iterator

from rulebook.at_table.actions import action
from rulebook.at_table.offers import offered
from rulebook.battle_log.kinds import Note
from rulebook.systems.argad.book import GONE, book
from rulebook.systems.argad.events import KINDS, Event, Reloaded, ShotFired
from rulebook.systems.argad.roster import class_total, profile_name
from rulebook.systems.argad.state import Combatant, State
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

LIKELIEST: tuple[type[Event], ...] = (ShotFired, Reloaded)
ORDER = tuple(dict.fromkeys((*LIKELIEST, *KINDS)))
"""The kinds in the order in which they are offered."""


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    due = () if state.ended else tuple(_due(state))
    phase = Phase(key="turn", name="The turn, in any order", due=due, now=not state.ended)
    return TableView(
        turn=state.turn,
        turns=None,
        ended=state.ended,
        dice="both",
        phases=(phase,),
        sides=sides,
        fighters=fighters,
        combat=None,
        actions=tuple(actions(state, who)),
    )


def _due(state: State) -> Iterator[Due]:
    for fighter in state.combatants.values() if state.turn else ():
        if fighter.reload_left and not fighter.gone and not fighter.done:
            yield Due(
                sentence=f"{fighter.name} can reload.",
                who=fighter.id,
                do="reload",
                rule='Sheet: "Reloading"',
                button="Reload",
                at_once=True,
                minor=True,
            )
    standing = {each.side for each in state.combatants.values() if not each.gone}
    if state.turn and len(standing) < len(state.sides):
        # The sheet has no rule for the end: the table proposes it, and goes on if the players do.
        beaten = " and ".join(name for key, name in state.sides.items() if key not in standing)
        sentence = f"Nobody of {beaten} is left."
        yield Due(sentence=sentence, do="ended", rule="Ruling A-G2", button="End the battle", minor=True)
    which = f"turn {state.turn + 1}" if state.turn else "the first turn"
    has_begun = bool(state.turn)
    yield Due(
        sentence=f"Begin {which}.",
        do="turn",
        rule="Ruling A-G2",
        button="Begin",
        at_once=True,
        minor=has_begun,
        onward=has_begun,
    )


def _fighter(each: Combatant) -> FighterView:
    profile, weapon = profile_name(each.fighter), book().weapon[each.contender().weapon].name
    return FighterView(
        id=each.id,
        name=each.name,
        side=each.side,
        profile=profile,
        rank=0,
        out=GONE.get(each.gone, ""),
        marks=() if each.gone else tuple(_marks(each)),
        weapon="" if weapon.lower() in profile.lower() else weapon,
        foes=(),
        numbers=(("Class", str(each.fighter.class_)), ("Armour", str(each.fighter.armour or "none"))),
        dead=each.gone == "killed",
    )


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
    return SideView(
        key=key,
        name=state.sides[key],
        marks=marks,
        strength=len(standing),
        fielded=len(own),
        victory_points=0,
        lines=(),
    )


def actions(state: State, who: str) -> Iterator[Action]:
    """Yield what can be logged of a fighter, the likeliest first, or of nobody in particular."""
    if not who:
        yield action(Note, given={}, main=("text",), turn=state.turn or None)
    yield from sorted(offered(ORDER, state, who), key=lambda each: (each.phase == BESIDE, bool(each.hurdle)))
