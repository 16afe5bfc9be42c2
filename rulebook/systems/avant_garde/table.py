"""The table as people see it: how the units stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import EventKind, Note
from rulebook.systems.avant_garde import command, commanding, ending, firing, moves
from rulebook.systems.avant_garde.book import STATES, book
from rulebook.systems.avant_garde.command import WRITTEN
from rulebook.systems.avant_garde.events import STEPS, TurnEvent
from rulebook.systems.avant_garde.fighters import grade_of, profile_name, rating_of
from rulebook.systems.avant_garde.log import KINDS, LOG, score_of, still_open
from rulebook.systems.avant_garde.morale import BROKEN, GOOD
from rulebook.systems.avant_garde.state import GONE, Combatant, State
from rulebook.values.fields import Choices
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

TURN = 'Slide 2: "The Turn"'
ASKED = (
    "to", "number", "answer", "target", "inches", "round", "facing", "front", "target_front", "volley", "manner",
    "formation", "how", "what", "pace", "side", "fighters", "route", "place", "name", "figures", "under",
    "order", "colours", "gone", "why", "spent", "other_spent",
)  # fmt: skip
"""The fields that are asked first: those that say who, whom and how."""
DONE_AT_ONCE = ("test", "rally", "break", "contact", "recover", "initiative", "end", "brigade", "turn")
"""Kinds that can be logged as they stand."""
WORDS = {"reaction": "Answer", "struck": "Say", "melee": "Fight", "follow": "Choose", "hack": "Strike"}
"""What a button says that does not say "Roll"."""


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
    """What waits in a step: what is open in the one that play has come to, what everybody does in others."""
    if not state.turn:
        yield from _turn("first") if step == STEPS[0] else ()
        return
    for who, key in still_open(state):
        if STEPS.index(step) == LOG.kinds[key].next_step(state, ""):  # type: ignore[attr-defined]
            yield _waiting(state, who, key)
    won = (each.winner for each in state.combats if each.tested and not each.caught and step == STEPS[state.step])
    yield from (replace(_waiting(state, who, "follow"), minor=True) for who in won)
    yield from {"command": _command, "rally": _rally, "initiative": _initiative, "end": _ending}.get(step, _nothing)(
        state
    )


def _nothing(state: State) -> Iterator[Due]:
    yield from ()


def _turn(which: str) -> Iterator[Due]:
    yield Due(f"Begin the {which} turn.", do="turn", rule=TURN, button="Begin", at_once=True, rolls=True)


def _rally(state: State) -> Iterator[Due]:
    for one in state.combatants.values():
        if one.on_table and one.order != GOOD and not one.blown and f"rally {one.id}" not in state.done:
            yield _waiting(state, one.id, "rally")


def _initiative(state: State) -> Iterator[Due]:
    if not state.first:
        yield Due("Throw for initiative.", do="initiative", rule="Ruling N-T1", button="Roll", at_once=True, rolls=True)


def _command(state: State) -> Iterator[Due]:
    for one in state.combatants.values():
        if state.losses_due(one):
            yield _waiting(state, one.id, "brigade")
    for side, name in state.sides.items():
        if any(each.place != "table" and not each.gone for each in state.of(side)):
            yield Due(f"{name}: units wait to arrive.", do="arrive", rule="Ruling N-R1", button="Roll", minor=True)


def _ending(state: State) -> Iterator[Due]:
    if "end " not in state.done:
        yield Due("End the turn: everybody loads.", do="end", rule=TURN, button="End", at_once=True)
    elif not state.over:
        yield from _turn("next")
    else:
        yield Due("The last turn is over.", do="ended", rule="Ruling N-W8", button="End")


def _waiting(state: State, who: str, key: str) -> Due:
    """Something that waits for somebody."""
    kind, at_once = LOG.kinds[key], key in DONE_AT_ONCE
    told = f"{state.combatants[who].name}: {kind.label.lower()}."
    return Due(told, who, key, kind.rule, WORDS.get(key, "Roll"), at_once=at_once, rolls=True)


def _fighter(state: State, each: Combatant) -> FighterView:
    out, marks = GONE.get(each.gone, ""), () if each.gone else tuple(_marks(state, each))
    where = "Commander-in-Chief" if each.commander and not each.fighter.brigade else ""
    left = "" if each.commander else f"{each.figures} of {each.start} {'crew' if each.battery else 'figures'}"
    numbers = tuple(_numbers(state, each))
    name = profile_name(each.fighter, state.settings)
    return FighterView(
        each.id,
        each.name,
        each.side,
        name,
        0,
        out,
        marks,
        where,
        (),
        numbers,
        dead=each.gone in ("killed", "shattered"),
        group=each.fighter.brigade,
        strength=left,
    )


def _numbers(state: State, each: Combatant) -> Iterator[tuple[str, str]]:
    if each.commander:
        yield "Pips", str(each.pips)
        yield "Radius", f"{rating_of(each.fighter, state.settings).radius or '?'}″"
        return
    yield ("Crew" if each.battery else "Figures"), f"{each.figures} of {each.start}"
    if each.battery:
        yield "Guns", str(sum(each.guns.values()))
        yield "Pips", str(each.pips)
    yield "Morale", str(grade_of(each.fighter, state.settings).morale)
    yield "Formation", book().formation[each.formation].name


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    shot = firing.test_due(state, each)
    told = (
        (each.order != GOOD, STATES[each.order].capitalize(), "bad" if each.order == BROKEN else "warn"),
        (each.shaken, "Shaken", "bad"),
        (each.colours_lost, "Colours lost", "bad"),
        (shot, f"Tests for {each.shot}", "warn"),
        (each.blown, f"Blown, {sum(each.recovered)} of 10", "warn"),
        (each.jubilant, f"Jubilant +{each.jubilant}", "good"),
        (each.reacting, "On react", "good"),
        (not each.loaded, "Not loaded", "busy"),
        (each.low, "Low on ammunition", "warn"),
        (each.unhorsed, "Unhorsed", "warn"),
        (each.joined, f"With {state.combatants[each.joined].name}" if each.joined else "", "busy"),
        (each.guards, "Guards prisoners", "busy"),
        (
            each.commander and each.brigade in state.orders,
            f"Ordered: {WRITTEN[state.orders.get(each.brigade, 'hold')]}",
            "idle",
        ),
        (each.place != "table", "In reserve" if each.place == "reserve" else "On a flank march", "idle"),
    )
    yield from (Mark(text, tone) for holds, text, tone in told if holds)


def _side(state: State, key: str) -> SideView:
    own = [each for each in state.of(key) if not each.commander]
    letter = "A" if key == state.first else "B"
    marks = [Mark(f"Side {letter}", "good" if state.acts(key) else "idle")] * bool(state.first)
    for place, told in commanding.PLACES.items():
        if held := sum(each.place == place and not each.gone for each in own):
            tone = "warn" if held > command.most_away(len(own)) else "idle"
            marks.append(Mark(f"{told}: {held} of {len(own)}", tone))
    lines = score_of(state, key)
    standing = sum(not each.gone for each in own)
    points = sum(line.points for line in lines)
    return SideView(key, state.sides[key], tuple(marks), standing, len(own), points, lines)


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a unit, or of nobody in particular."""
    one = state.combatants.get(who)
    if one is None:
        yield action(Note, given={}, main=("text",), turn=state.turn or None)
    for kind in KINDS if one or not who else ():
        if _offered(state, kind, one):
            yield _asked(state, kind, one)


def _offered(state: State, kind: type[EventKind[State]], one: Combatant | None) -> bool:
    """Is a kind of event for this unit, or for the table, as it stands?"""
    if kind is ending.Returned or state.ended:
        back = one is not None and state.ended and state.settings.returns and one.start > one.figures
        return back and kind is ending.Returned
    if ("fighter" in kind.__struct_fields__) != (one is not None):
        return False
    if not issubclass(kind, TurnEvent):
        return one is None or not one.gone
    if kind.early or not state.turn:
        return kind.early and not state.turn
    if kind is commanding.CourierArrived:
        return any(not each.lost for each in state.couriers.values())
    return one is None or (
        one.on_table and one.fighter.arm in (kind.arms or (one.fighter.arm,)) and _meant(state, kind.key, one)
    )


def _meant(state: State, key: str, one: Combatant) -> bool:
    """Does a unit stand so that this is about it?"""
    fights = [each for each in state.combats if one.id in (each.fighter, each.target)]
    asks = {
        "pips": not one.fighter.brigade,
        "courier": not one.fighter.brigade,
        "surrender": one.order == BROKEN,
        "advance": bool(one.fighter.brigade),
        "brigade": bool(state.losses_due(one)),
        "rally": one.order != GOOD,
        "recover": one.blown,
        "reaction": state.charge_on(one.id) is not None,
        "contact": any(each.fighter == one.id for each in state.charges),
        "struck": bool(one.falls),
        "test": firing.test_due(state, one),
        "melee": any(each.fighter == one.id and not each.lost for each in fights),
        "break": any(each.lost == one.id and not each.tested for each in fights),
        "follow": any(each.winner == one.id and each.tested and not each.caught for each in fights),
        "hack": any(each.winner == one.id and each.caught for each in fights),
    }
    return asks.get(key, True)


def _asked(state: State, kind: type[EventKind[State]], one: Combatant | None) -> Action:
    """The action of a kind, with what its fields can be chosen from."""
    there = [each for each in state.combatants.values() if not each.gone]
    troops, side = [each for each in there if not each.commander], one.side if one else ""
    foes = _named(each for each in troops if each.side != side)
    own = [each for each in there if each.side == side and each is not one]
    sides = tuple(state.sides.items())
    choices: dict[str, Choices] = {
        "target": _named(troops) if kind is firing.Struck else foes,
        "by": foes,
        "influence": _named(each for each in own if each.commander),
        "to": _named(each for each in own if each.commander or each.battery),
        "side": sides,
        "napoleon": sides,
        "fighters": _named(troops),
        "guards": foes,
    }
    if one and one.formation:
        formations, paces = book().formation, ("", "back", *book().formation[one.formation].paces)
        fits = (each for each in formations.values() if one.fighter.arm in each.arms and each.key != one.formation)
        choices["formation"] = tuple((each.key, each.name) for each in fits)
        choices["pace"] = tuple((key, name) for key, name in moves.PACES.items() if key in paces)
        choices["calibre"] = tuple((key, name) for key, name in firing.GUNS_OF.items() if key in ("", *one.guns))
    found = action(kind, given={"fighter": one.id} if one else {}, main=ASKED, choices=choices, turn=state.turn or None)
    if not issubclass(kind, TurnEvent) or not kind.steps:
        return found
    place = kind.next_for(state, one)
    return replace(found, phase=BESIDE if place is None else STEPS[place])


def _named(some: Iterable[Combatant]) -> Choices:
    return tuple((each.id, each.name) for each in some)
