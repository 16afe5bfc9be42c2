"""The table as people see it: how the Wards stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import EventKind, Note
from rulebook.systems.wards import combats, ending, events
from rulebook.systems.wards.book import CAVALRY, GONE, book
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.systems.wards.log import KINDS, STEPS
from rulebook.systems.wards.roster import profile_name
from rulebook.systems.wards.state import Combatant, State, ward_name, ward_title, wards_of
from rulebook.values.fields import Choices
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

SEQUENCE = 'Sheet: "Turn sequence"'
BUNDLES = {each.phase: each() for each in (ending.ArrowsRecovered, ending.OrderRestored, ending.WardsRestored)}
TURNS = tuple(each for each in KINDS if each.turn_by_turn and not each.starts_turn)
OF_ONE = tuple(each for each in TURNS if "fighter" in each.__struct_fields__ and each is not ending.GeneralReplaced)
OF_THE_TABLE = tuple(each for each in TURNS if "fighter" not in each.__struct_fields__)
ASKED = ("does", "to", "ward", "target", "at", "move", "ground", "mode", "hostile_faces", "side", "fighters", "place")
"""The fields that are asked first: those that say who, whom and how."""
NAMING = ("to", "at", "fighters", "fighter", "ward_hit", "target_hit", "who")


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, key in enumerate(STEPS):
        due = () if state.ended or place < state.step else tuple(_due(state, key))
        phases.append(Phase(key, book().step[key].name, due, now=place == state.step and not state.ended))
    found = tuple(actions(state, who))
    return TableView(state.turn, None, state.ended, "both", tuple(phases), sides, fighters, None, found)


def _due(state: State, step: str) -> Iterator[Due]:
    """What waits in a step, and the turn that may begin after the last."""
    if step == STEPS[state.step]:
        for one in dict.fromkeys(each for each, _ in state.struck):
            name = state.combatants[one].name
            yield Due(f"{name} is hit: save him.", one, "general-hit", "Ruling W-F6", "Save him", rolls=True)
    if not state.turn:
        if step == STEPS[0]:
            yield Due("Begin the first turn.", do="turn", rule=SEQUENCE, button="Begin")
        return
    bundle = BUNDLES.get(step)
    if bundle and bundle.marks(state)[0] not in state.done and (waiting := bundle.waiting(state)):
        told = f"{len(waiting)} unit{'s' * (len(waiting) != 1)}: {bundle.label.lower()}."
        yield Due(told, do=bundle.key, rule=bundle.rule, button="Roll", rolls=True, at_once=True)
    if step == "clock":
        if "clock " not in state.done:
            yield Due("Roll the battle clock.", do="clock", rule="Ruling W-G3", button="Roll", rolls=True, at_once=True)
        yield Due("Begin the next turn.", do="turn", rule=SEQUENCE, button="Begin")


def _fighter(state: State, each: Combatant) -> FighterView:
    out, marks = GONE.get(each.gone, ""), () if each.gone else tuple(_marks(state, each))
    where, stands = book().place[each.place] if each.key and each.on_table else "", state.standing(each)
    shown = (
        ("Bases", bases_in_words(each.halves)),
        ("Frontage", bases_in_words(int(stands.frontage * 2))),
        ("Quality", book().quality[stands.quality].name),
        ("Save", f"{stands.save}+"),
    )
    numbers = shown if each.fighter.halves else ()
    known = FighterView(each.id, each.name, each.side, profile_name(each.fighter), 0, out, marks, where, (), numbers)
    left = (
        f"{bases_in_words(each.halves)} of {bases_in_words(each.fighter.halves)} bases" if each.fighter.halves else ""
    )
    return replace(known, dead=each.gone in ("killed", "destroyed"), group=ward_name(each.key), strength=left)


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    told = (
        (each.casualties, f"{each.casualties} casualt{'y' if each.casualties == 1 else 'ies'}", "warn"),
        (each.out_of_order, "Out of order", "warn"),
        (each.low, "Low on arrows", "busy"),
        (each.winning, "Winning", "good"),
        (each.fired, f"Turned by {each.faces}", "busy"),
        (each.stands_with, f"With {state.combatants[each.stands_with].name if each.stands_with else ''}", "idle"),
        (not each.on_table, book().place[each.place], "idle"),
    )
    yield from (Mark(text, tone) for holds, text, tone in told if holds)


def _side(state: State, key: str) -> SideView:
    own = state.of(key)
    standing = [each for each in own if not each.gone]
    bases = Mark(f"{bases_in_words(sum(each.halves for each in standing))} bases")
    marks = (bases, Mark("Active", "good")) if key == state.active else (bases,)
    return SideView(key, state.sides[key], marks, len(standing), len(own), 0, ())


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a unit, or of nobody in particular."""
    turn, one, sides = state.turn or None, state.combatants.get(who), tuple(state.sides.items())
    if not who:
        yield action(Note, given={}, main=("text",), turn=turn)
        if not state.ended:
            yield action(events.TurnBegan, given={}, main=("side",), choices={"side": sides})
            yield action(ending.Ended, given={}, main=("winner", "reason"), choices={"winner": sides}, turn=turn)
            yield from (_asked(state, each, {}) for each in OF_THE_TABLE if turn)
            yield from (_asked(state, ending.GeneralReplaced, {}) for _ in _fallen(state)[:1])
        return
    if one is None or one.gone or state.ended:
        refits = one is not None and state.ended and state.settings.refit and 0 < one.halves < one.fighter.halves
        yield from (action(ending.Refitted, given={"fighter": who}) for _ in range(refits))
        return
    heavy = one.fighter.arm == "heavy-gun"
    own = (each for each in OF_ONE if turn and one.fighter.arm in (each.arms or (one.fighter.arm,)))
    yield from (_asked(state, each, {"fighter": who}) for each in own if not (heavy and each is events.GunMoved))
    by = _named(each for each in _standing(state) if each.side != one.side)
    lost = action(ending.Lost, given={"fighter": who}, main=("halves", "gone", "by"), choices={"by": by})
    yield replace(lost, phase=BESIDE)


def _asked(state: State, kind: type[EventKind[State]], given: dict[str, str]) -> Action:
    """The action of a kind with what its fields can be chosen from: for one fighter its friends, or enemies to hit."""
    one, there = state.combatants.get(given.get("fighter", "")), _standing(state)
    titles = {key: ward_title(key, state.sides) for key in wards_of(state)}
    friends = wards_of(state, one.side if one else "")
    acting = [key for key in friends if kind is not combats.Charged or ward_name(key) == CAVALRY]
    hit = [key for key in titles if one is None or key not in friends]
    choices: dict[str, Choices] = dict.fromkeys(NAMING, _named(there)) | {"side": tuple(state.sides.items())}
    choices |= {field: tuple((key, titles[key]) for key in keys) for field, keys in (("ward", acting), ("target", hit))}
    if one:
        choices["to"] = _named(each for each in there if each.side == one.side and each.halves)
        choices["at"] = _named(each for each in there if each.side != one.side)
    if kind is ending.GeneralReplaced:
        choices["fighter"] = _named(_fallen(state))
    return action(kind, given=given, main=ASKED, choices=choices, turn=state.turn or None)


def _standing(state: State) -> list[Combatant]:
    return [each for each in state.combatants.values() if not each.gone]


def _fallen(state: State) -> list[Combatant]:
    return [each for each in state.combatants.values() if each.gone and each.fighter.general]


def _named(some: Iterable[Combatant]) -> Choices:
    return tuple((each.id, each.name) for each in some)
