"""The table as people see it: how the Wards stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import EventKind, Note
from rulebook.systems.wards import combats, events
from rulebook.systems.wards.book import book
from rulebook.systems.wards.log import KINDS, STEPS
from rulebook.systems.wards.roster import CAVALRY, profile_name
from rulebook.systems.wards.state import GONE, Combatant, State, ward_name, wards_of
from rulebook.systems.wards.units import bases_in_words
from rulebook.values.table import Action, Due, FighterView, Mark, Phase, SideView, TableView

Choices = tuple[tuple[str, str], ...]
BUNDLES = (events.ArrowsRecovered, events.OrderRestored, events.WardsRestored)


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = tuple(_phase(state, place) for place in range(len(STEPS)))
    found = tuple(actions(state, who))
    return TableView(state.turn, None, state.ended, "both", phases, sides, fighters, None, found)


def _phase(state: State, place: int) -> Phase:
    now = place == state.step and bool(state.turn) and not state.ended
    key = STEPS[place]
    due = () if state.ended or place < state.step else tuple(_due(state, place))
    return Phase(key, book().step[key].name, due, now=now or (not state.turn and not place))


def _due(state: State, place: int) -> Iterator[Due]:
    """What waits in a step, and the turn that may begin after the last."""
    if not place:
        for one in state.struck:
            name = state.combatants[one].name
            yield Due(f"{name} is hit: save him.", one, "general-hit", "Ruling W-F6", "Save him", rolls=True)
        if not state.turn:
            yield Due("Begin the first turn.", do="turn", rule='Sheet: "Turn sequence"', button="Begin")
    if not state.turn:
        return
    bundle = next((each for each in BUNDLES if each.phase == STEPS[place]), None)
    if bundle is not None and (waiting := bundle().waiting(state)):
        told = f"{len(waiting)} unit{'s' * (len(waiting) != 1)}: {bundle.label.lower()}."
        yield Due(told, do=bundle.key, rule=bundle.rule, button="Roll", rolls=True, at_once=True)
    if STEPS[place] == "clock":
        yield Due("Roll the battle clock.", do="clock", rule="Ruling W-G3", button="Roll", rolls=True, at_once=True)
        yield Due("Begin the next turn.", do="turn", rule='Sheet: "Turn sequence"', button="Begin")


def _fighter(state: State, each: Combatant) -> FighterView:
    out, marks = GONE.get(each.gone, ""), () if each.gone else tuple(_marks(state, each))
    where = ward_name(each.key) if each.key else book().place[each.place]
    numbers = (("Bases", bases_in_words(each.halves)),) if each.unit.halves else ()
    known = FighterView(each.id, each.name, each.side, profile_name(each.unit), 0, out, marks, where, (), numbers)
    return replace(known, dead=each.gone in ("killed", "destroyed"))


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    if each.casualties:
        yield Mark(f"{each.casualties} casualt{'y' if each.casualties == 1 else 'ies'}", "warn")
    if each.out_of_order:
        yield Mark("Out of order", "warn")
    if each.low:
        yield Mark("Low on arrows", "busy")
    if each.winning:
        yield Mark("Winning", "good")
    if each.with_unit:
        yield Mark(f"With {state.combatants[each.with_unit].name}", "idle")
    if each.place in ("reserve", "off"):
        yield Mark(book().place[each.place], "idle")


def _side(state: State, key: str) -> SideView:
    own = state.of(key)
    standing = [each for each in own if not each.gone]
    active = (Mark("Active", "good"),) if key == state.active else ()
    marks = (Mark(f"{bases_in_words(sum(each.halves for each in standing))} bases"), *active)
    return SideView(key, state.sides[key], marks, len(standing), len(own), 0, ())


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a unit, or of nobody in particular."""
    turn, one, sides = state.turn or None, state.combatants.get(who), tuple(state.sides.items())
    if not who:
        yield action(Note, given={}, main=("text",), turn=turn)
        if not state.ended:
            yield action(events.TurnBegan, given={}, main=("side",), choices={"side": sides})
            yield action(events.Ended, given={}, main=("winner", "reason"), choices={"winner": sides}, turn=turn)
            for kind in _of_the_table() if turn else ():
                yield action(kind, given={}, main=_main(kind), choices=_choices(state, kind), turn=turn)
    elif one is not None and not one.gone and not state.ended:
        for kind in _of_one(one) if turn else ():
            yield action(kind, given={"fighter": who}, main=_main(kind), choices=_choices(state, kind), turn=turn)
        yield action(events.Lost, given={"fighter": who}, main=("halves", "gone", "by"), choices={"by": _all(state)})


def _of_the_table() -> tuple[type[EventKind[State]], ...]:
    """The kinds that are about Wards, or about both sides."""
    return tuple(each for each in KINDS if each.turn_by_turn and not each.starts_turn and "fighter" not in each.acting)


def _of_one(one: Combatant) -> Iterator[type[EventKind[State]]]:
    if one.unit.general:
        yield from (events.GeneralActed, combats.GeneralStruck)
    elif one.unit.gun:
        yield from (combats.GunShot, events.GunLoaded)
    else:
        yield events.PulledIn
        if one.unit.arm == "hand-gunners":
            yield combats.HandGunnersShot


def _main(kind: type[EventKind[State]]) -> tuple[str, ...]:
    """The fields that are asked first: those that say who, whom and how."""
    asked = ("does", "unit", "ward", "target", "move", "mode", "hostile_faces", "side", "fighters", "place", "risked")
    return tuple(each for each in asked if each in kind.__struct_fields__)


def _choices(state: State, kind: type[EventKind[State]]) -> dict[str, Choices]:
    """What the fields of a kind can be chosen from."""
    wards: Choices = tuple((key, f"{ward_name(key)} ({state.sides[key.split('/')[0]]})") for key in wards_of(state))
    if kind is combats.Charged:
        wards = tuple(each for each in wards if ward_name(each[0]) == CAVALRY)
    found: dict[str, Choices] = {"side": tuple(state.sides.items())}
    found |= dict.fromkeys(getattr(kind, "wards", ()), wards)
    names = {"unit": _all(state), "target": _all(state), "fighters": _all(state), "fighter": _all(state)}
    asked = kind.__struct_fields__
    return {key: told for key, told in {**names, **found}.items() if key in asked}


def _all(state: State) -> Choices:
    return tuple((each.id, each.name) for each in state.combatants.values() if not each.gone)
