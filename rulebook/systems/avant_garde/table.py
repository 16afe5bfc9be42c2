"""The table as people see it: how the units stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import Note
from rulebook.systems.avant_garde import command
from rulebook.systems.avant_garde.book import STATES, book, read_data
from rulebook.systems.avant_garde.commanding import PLACES
from rulebook.systems.avant_garde.events import STEPS, Event, TurnEvent
from rulebook.systems.avant_garde.fighters import profile_name, rating_of
from rulebook.systems.avant_garde.firing import GUNS_OF
from rulebook.systems.avant_garde.log import KINDS, score_of, settled
from rulebook.systems.avant_garde.morale import BROKEN, GOOD
from rulebook.systems.avant_garde.moves import PACES
from rulebook.systems.avant_garde.state import GONE, Combatant, State
from rulebook.values.fields import Choices
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

NAMED = {each.key: each for each in KINDS}


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, (key, step) in enumerate(book().step.items()):
        due = () if state.ended or place < state.step else tuple(_due(state, key))
        phases.append(Phase(key, step.name, due, now=place == state.step and not state.ended))
    found = tuple(actions(state, who))
    return TableView(state.turn, None, state.ended, "both", tuple(phases), sides, fighters, None, found)


def _due(state: State, step: str) -> Iterator[Due]:
    """What waits in a step: what is open, what winners may do in the one that play has come to, and what comes up."""
    if not state.turn:
        yield from (_to_do("turn", "Begin the first turn."),) if step == STEPS[0] else ()
        return
    for who, key in state.still_open():
        if STEPS.index(step) == NAMED[key].next_step(state, ""):  # type: ignore[attr-defined]
            yield _waiting(state, who, key)
    for who, key in (each.due for each in state.combats if step == STEPS[state.step]):
        if key == "follow":
            yield replace(_waiting(state, who, key), minor=True)
    if key := {"command": "brigade", "rally": "rally"}.get(step, ""):
        for one in state.combatants.values():
            barred = key == "rally" and (one.blown or f"rally {one.id}" in state.done)
            if one.on_table and state.waits(one)[key] and not barred:
                yield _waiting(state, one.id, key)
    yield from _due_of_table(state, step)


def _due_of_table(state: State, step: str) -> Iterator[Due]:
    """What waits in a step, and is nobody's in particular."""
    for side, name in state.sides.items() if step == "command" else ():
        if any(each.place != "table" and not each.gone for each in state.of(side)):
            yield replace(_to_do("arrive", f"{name}: units wait to arrive."), minor=True)
    if step == "initiative" and not state.first:
        yield _to_do("initiative", "Throw for initiative.")
    if step == "end" and "end " not in state.done:
        yield _to_do("end", "End the turn: everybody loads.")
    elif step == "end":
        yield _to_do("ended", "The last turn is over.") if state.over else _to_do("turn", "Begin the next turn.")


def _waiting(state: State, who: str, key: str) -> Due:
    """Something that waits for somebody."""
    return _to_do(key, f"{state.combatants[who].name}: {NAMED[key].label.lower()}.", who)


def _to_do(key: str, told: str, who: str = "") -> Due:
    kind = NAMED[key]
    return Due(told, who, key, kind.due_by or kind.rule, kind.button, at_once=kind.at_once, rolls=kind.rolls)


def _fighter(state: State, each: Combatant) -> FighterView:
    marks = () if each.gone else tuple(_marks(state, each))
    post = "Commander-in-Chief" if each.commander and not each.fighter.brigade else ""
    left = "" if each.commander else f"{each.figures} of {each.start} {'crew' if each.battery else 'figures'}"
    numbers, dead = tuple(_numbers(state, each)), each.gone in ("killed", "shattered")
    name, out, group = profile_name(each.fighter, state.settings), GONE.get(each.gone, ""), each.fighter.brigade
    view = FighterView(each.id, each.name, each.side, name, 0, out, marks, post, (), numbers)
    return replace(view, dead=dead, group=group, strength=left)


def _numbers(state: State, each: Combatant) -> Iterator[tuple[str, str]]:
    if each.commander:
        yield "Pips", str(each.pips)
        yield "Radius", f"{rating_of(each.fighter, state.settings).radius or '?'}″"
        return
    yield ("Crew" if each.battery else "Figures"), f"{each.figures} of {each.start}"
    if each.battery:
        yield "Guns", str(sum(each.guns.values()))
        yield "Pips", str(each.pips)
    yield "Morale", str(state.grade(each).morale)
    yield "Formation", each.formed.name


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    order = command.WRITTEN.get(state.orders.get(each.brigade, ""), "") * each.commander
    told = (
        (each.order != GOOD, STATES[each.order].capitalize(), "bad" if each.order == BROKEN else "warn"),
        (each.shaken, "Shaken", "bad"),
        (each.colours_lost, "Colours lost", "bad"),
        (state.test_due(each), f"Tests for {each.shot}", "warn"),
        (each.blown, f"Blown, {sum(each.recovered)} of 10", "warn"),
        (each.jubilant, f"Jubilant +{each.jubilant}", "good"),
        (each.reacting, "On reaction", "good"),
        (not each.loaded, "Not loaded", "busy"),
        (each.low, "Low on ammunition", "warn"),
        (each.unhorsed, "Unhorsed", "warn"),
        (each.joined, f"With {state.combatants[each.joined].name}" if each.joined else "", "busy"),
        (each.guards, "Guards prisoners", "busy"),
        (order, f"Ordered: {order}", "idle"),
        (each.place != "table", PLACES.get(each.place, ""), "idle"),
    )
    yield from (Mark(text, tone) for holds, text, tone in told if holds)


def _side(state: State, key: str) -> SideView:
    own = [each for each in state.of(key) if not each.commander]
    letter, lines = "A" if key == state.first else "B", score_of(state, key)
    marks = [Mark(f"Side {letter}", "good" if state.acts(key) else "idle")] * bool(state.first)
    for place, told in PLACES.items():
        if held := sum(each.place == place and not each.gone for each in own):
            tone = "warn" if held > command.most_away(len(own)) else "idle"
            marks.append(Mark(f"{told}: {held} of {len(own)}", tone))
    standing, points = sum(not each.gone for each in own), sum(line.points for line in lines)
    return SideView(key, state.sides[key], tuple(marks), standing, len(own), points, lines)


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a unit, or of nobody in particular."""
    one = state.combatants.get(who)
    if one is None:
        yield action(Note, given={}, main=("text",), turn=state.turn or None)
    for kind in NAMED.values() if one or not who else ():
        if _offered(state, kind, one):
            yield _asked(state, kind, one)


def _offered(state: State, kind: type[Event], one: Combatant | None) -> bool:
    """Is a kind of event for this unit, or for the table, as it stands?"""
    later = settled(state)  # a step further on fights are over: who is blown by then recovers in that step
    waits = one is None or any(each.waits(each.combatants[one.id]).get(kind.key, True) for each in (state, later))
    if ("fighter" in kind.__struct_fields__) != (one is not None) or kind.after_end != state.ended:
        return False
    if not issubclass(kind, TurnEvent) or kind.after_end:
        return one is None or (waits and (kind.after_end or not one.gone))
    if kind.early or not state.turn:
        return kind.early and not state.turn and waits
    if kind.key == "message":
        return any(not each.back for each in state.couriers.values())
    return one is None or (one.on_table and one.fighter.arm in (kind.arms or (one.fighter.arm,)) and waits)


def _asked(state: State, kind: type[Event], one: Combatant | None) -> Action:
    """The action of a kind, with what its fields can be chosen from."""
    there = [each for each in state.combatants.values() if not each.gone]
    troops, side = [each for each in there if not each.commander], one.side if one else ""
    foes = _named(each for each in troops if each.side != side)
    own = [each for each in there if each.side == side and each is not one]
    sides = tuple(state.sides.items())
    choices: dict[str, Choices] = {
        "target": _named(troops) if kind.key == "struck" else foes,
        "by": foes,
        "guards": foes,
        "influence": _named(each for each in own if each.commander),
        "to": _named(each for each in own if each.commander != (kind.key == "join") or each.battery),
        "side": sides,
        "napoleon": sides,
        "fighters": _named(troops),
    }
    if one and one.formation:
        fits = (each for each in book().formation.values() if one.fighter.arm in each.arms and each != one.formed)
        choices["formation"] = tuple((each.key, each.name) for each in fits)
        choices["pace"] = tuple((key, name) for key, name in PACES.items() if key in ("", "back", *one.formed.paces))
        choices["calibre"] = tuple((key, name) for key, name in GUNS_OF.items() if key in ("", *one.guns))
    given, main = {"fighter": one.id} if one else {}, tuple(read_data("kinds")["asked"])
    found = action(kind, given=given, main=main, choices=choices, turn=state.turn or None)
    place = kind.next_for(state, one) if issubclass(kind, TurnEvent) else state.step
    if not getattr(kind, "steps", ()):
        return replace(found, phase=BESIDE if one else found.phase)
    return replace(found, phase=BESIDE if place is None else STEPS[place])


def _named(some: Iterable[Combatant]) -> Choices:
    return tuple((each.id, each.name) for each in some)
