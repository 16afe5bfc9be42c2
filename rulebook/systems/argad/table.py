"""The table as people see it: how everybody stands, what is due, what can be done.

The sheet has no order of the turn (Ruling A-G2): everything can be done in any order until the next
turn begins.
"""

from collections.abc import Iterator

from rulebook.at_table.actions import action
from rulebook.at_table.offers import offered, proposed
from rulebook.battle_log.kinds import Note
from rulebook.systems.argad.book import GONE, book
from rulebook.systems.argad.events import KINDS, Event, Reloaded, ShotFired
from rulebook.systems.argad.roster import class_total, profile_name
from rulebook.systems.argad.state import Combatant, State
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

LIKELIEST: tuple[type[Event], ...] = (ShotFired, Reloaded)
ORDER = tuple(dict.fromkeys((*LIKELIEST, *KINDS)))
"""The kinds in the order in which they are offered."""
TURN = "turn"
"""The one phase of a turn. Ruling A-G2."""


def table_view(state: State, who: str) -> TableView:
    """Return the table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    due = () if state.ended else tuple(_due(state))
    phase = Phase(key=TURN, name="The turn, in any order", due=due, now=not state.ended)
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
        choice="Both sides act, in any order." if state.turn and not state.ended else "",
    )


def _due(state: State) -> list[Due]:
    """Return what the table proposes: to the fighters first, and the next turn last."""
    due = proposed(KINDS, state, (*state.combatants, ""), TURN)
    return sorted(due, key=lambda each: each.onward)


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
        numbers=(
            ("Class", str(each.fighter.class_)),
            ("Armour", str(each.fighter.armour or "none")),
        ),
        dead=each.gone == "killed",
    )


def _marks(each: Combatant) -> Iterator[Mark]:
    if each.reload_left:
        yield Mark(f"{each.reload_left} to reload", "busy")
    if each.fouled:
        yield Mark("Musket out for the day", "warn")
    yield from (
        Mark(done.capitalize(), "warn" if done == "recoiled" else "idle") for done in each.done
    )


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
    yield from sorted(
        offered(ORDER, state, who), key=lambda each: (each.phase == BESIDE, bool(each.hurdle))
    )
