"""The table as people see it: how the Wards stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.kinds import EventKind, Note
from rulebook.systems.wards import combats, ending, events
from rulebook.systems.wards.book import CAVALRY, GONE, book, figures
from rulebook.systems.wards.events import TurnEvent
from rulebook.systems.wards.fighters import FOOT, bases_in_words
from rulebook.systems.wards.log import STEPS, unfought, untested
from rulebook.systems.wards.roster import profile_name
from rulebook.systems.wards.state import ON_TABLE, Combatant, State, has_enemies, ward_name, ward_title, wards_of
from rulebook.values.fields import Choices
from rulebook.values.table import BESIDE, Action, Due, FighterView, GroupView, Mark, Phase, SideView, TableView

SEQUENCE = 'Sheet: "Turn sequence"'
BUNDLES = {each.phase: each() for each in (ending.ArrowsRecovered, ending.OrderRestored, ending.WardsRestored)}
OF_ONE: tuple[type[TurnEvent], ...] = (
    events.GeneralActed,
    events.PulledIn,
    combats.GunShot,
    combats.HandGunnersShot,
    events.GunMoved,
    ending.GunLoaded,
)
"""What a unit, a gun or a General does, by its arm."""
OF_A_WARD: tuple[type[TurnEvent], ...] = (
    events.MoraleTested,
    combats.Charged,
    combats.FellBack,
    events.PulledIn,
    combats.WardShot,
    events.WardMoved,
    combats.Fought,
)
"""What a Ward does as one."""
OF_THE_TABLE = (ending.ArrowsRecovered, ending.OrderRestored, ending.WardsRestored, ending.ClockRolled)
"""What both players do together."""
ASKED = (
    "does",
    "to",
    "joins",
    "ward",
    "target",
    "at",
    "move",
    "ground",
    "mode",
    "direction",
    "hostile_faces",
    "on_hill",
    "fighter",
    "side",
    "fighters",
    "place",
)
"""The fields that are asked first: those that say who, whom and how."""
PROPOSED = {
    "general": "{name} may act.",
    "morale": "{name} may test its morale.",
    "charge": "{name} may charge.",
    "fall-back": "{name} may fall back before a charge.",
    "pull-in": "{name} may pull a unit in.",
    "shoot": "{name} may shoot.",
    "gun": "{name} may fire.",
    "hand-gunners": "{name} may shoot.",
    "move": "{name} may move.",
    "gun-move": "{name} may be moved.",
    "fight": "{name} may fight.",
    "loading": "{name} may be loaded.",
}
"""How the table proposes what somebody may do in a step."""
NEEDED = {"morale": "{name} tests its morale.", "fight": "{name} has gone to assault: fight it out."}
"""How it says what a Ward has to do."""
LATER, AT_ANY_TIME, OVER = 100, 200, 300
"""Where actions stand that do not belong to the step that play has come to."""


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a unit, a Ward or a side by its key, "" for the table."""
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, key in enumerate(STEPS):
        now = place == state.step and not state.ended
        phases.append(Phase(key, book().step[key].name, tuple(_due(state)) if now else (), now=now))
    found, groups = tuple(actions(state, who)), tuple(_groups(state))
    return TableView(state.turn, None, state.ended, "both", tuple(phases), sides, fighters, None, found, groups)


# What is due


def _due(state: State) -> Iterator[Due]:
    """What waits in the step that play has come to, and the way on from it."""
    if not state.turn:
        yield Due("Begin the first turn.", do="turn", rule=SEQUENCE, button="Begin")
        return
    for one in dict.fromkeys(each for each, _ in state.struck):
        name = state.combatants[one].name
        yield Due(f"{name} is hit: save him.", one, "general-hit", "Ruling W-F6", "Save him", at_once=True, rolls=True)
    step = STEPS[state.step]
    yield from _waiting(state, step)
    if step != STEPS[-1]:
        key = _next_step(state)
        sentence = f"Go on to {book().step[key].name}."
        yield Due(sentence, do="step", rule=SEQUENCE, button="Next step", at_once=True, onward=True)
        return
    sides = [key for key in state.sides if key != state.active]
    if len(sides) == 1:
        sentence = f"Begin the turn of {state.sides[sides[0]]}."
        yield Due(sentence, sides[0], "turn", SEQUENCE, "Begin", at_once=True, onward=True)
    else:
        yield Due("Begin the next turn.", do="turn", rule=SEQUENCE, button="Begin", onward=True)


def _next_step(state: State) -> str:
    """The next step of the turn in which anything waits, else the last one."""
    return next((key for key in STEPS[state.step + 1 :] if any(_waiting(state, key))), STEPS[-1])


def _waiting(state: State, step: str) -> Iterator[Due]:
    """What waits in a step: what has to be done in it first, then what its side may do."""
    if bundle := BUNDLES.get(step):
        waiting = bundle.waiting(state)
        if waiting and bundle.marks(state)[0] not in state.done:
            sentence = f"{bundle.label}: a die for {_counted(len(waiting), 'unit')}."
            yield Due(sentence, do=bundle.key, rule=bundle.rule, button="Roll", rolls=True, at_once=True)
    elif step == "clock":
        if "clock " not in state.done:
            yield Due("Roll the battle clock.", do="clock", rule="Ruling W-G3", button="Roll", rolls=True, at_once=True)
    elif step == "arrivals":
        yield from _arriving(state)
    else:
        yield from sorted(_proposals(state, step), key=lambda due: due.minor)


def _arriving(state: State) -> Iterator[Due]:
    for one in _fallen(state):
        yield Due(f"{one.name} may be replaced.", one.id, "new-general", 'Sheet: "Generals"', "Replace", minor=True)
    for side, name in state.sides.items():
        if _off_table(state, side) and f"arrivals {side}" not in state.done:
            sentence = f"{name}: units off the table may arrive."
            yield Due(sentence, side, "arrivals", 'Sheet: "Arrivals"', "Roll", minor=True)


def _proposals(state: State, step: str) -> Iterator[Due]:
    """Yield what Wards and units do in a step, as far as nothing speaks against it."""
    owed = {"morale": untested(state), "fight": unfought(state)}
    for who in (*wards_of(state), *state.combatants):
        for kind, given in _kinds_of(state, who):
            if _phase(kind, given) != step or (kind is events.PulledIn and "ward" not in given):
                continue
            if _hurdle(state, kind, given):
                continue
            name = state.combatants[who].name if who in state.combatants else ward_title(who, state.sides)
            needed = who in owed.get(kind.key, ())
            sentence = (NEEDED if needed else PROPOSED)[kind.key].format(name=name)
            yield Due(sentence, who, kind.key, kind.rule, kind.label, minor=not needed)


# How everybody stands


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
    host = state.combatants.get(each.stands_with)
    told = (
        (each.casualties, _counted(each.casualties, "casualty", "casualties"), "warn"),
        (each.out_of_order, "Out of order", "warn"),
        (each.low, "Low on arrows", "busy"),
        (each.winning, "Winning", "good"),
        (each.fired, f"Turned by {each.faces}", "busy"),
        (each.stands_with, f"Attached to {host.name if host else ''}", "idle"),
        (not each.on_table, book().place[each.place], "idle"),
    )
    yield from (Mark(text, tone) for holds, text, tone in told if holds)


def _groups(state: State) -> Iterator[GroupView]:
    """Every Ward that anybody belongs to; one without a unit on the table can do nothing."""
    there = wards_of(state)
    for key in dict.fromkeys(each.key for each in state.combatants.values() if each.key):
        ward, side = state.ward(key), key.split("/", 1)[0]
        marks = tuple(_ward_marks(ward.morale, ward.moved)) if key in there else ()
        out = "" if key in there else "no unit on the table"
        yield GroupView(key, ward_name(key), ward_title(key, state.sides), side, marks, out)


def _ward_marks(morale: str, moved: str) -> Iterator[Mark]:
    """What a Ward has come to in this turn."""
    outcomes = {each["key"]: each["name"] for each in figures("morale")["outcome"].values()}
    if morale:
        yield Mark(outcomes[morale], "good" if morale == "steady" else "warn")
    if moved.startswith("assault"):
        yield Mark("Assaults", "busy")
    elif moved:
        yield Mark("Failed to move" if moved == "failed" else "Moved" if moved != "stay" else "Stays", "idle")


def _side(state: State, key: str) -> SideView:
    own = state.of(key)
    standing = [each for each in own if not each.gone]
    bases = Mark(f"{bases_in_words(sum(each.halves for each in standing))} bases")
    marks = (bases, Mark("Active", "good")) if key == state.active else (bases,)
    return SideView(key, state.sides[key], marks, len(standing), len(own), 0, ())


# What can be done


def actions(state: State, who: str) -> Iterator[Action]:
    """What can be logged of a unit, a Ward, a side, or of nobody in particular: what this step asks for first."""
    if not who:
        yield from _of_the_table(state)
    elif who in state.sides:
        yield from _in_order(state, _of_side(state, who))
    elif who in state.combatants:
        yield from _in_order(state, _of_fighter(state, state.combatants[who]))
    elif who in wards_of(state) and state.turn and not state.ended:
        yield from _in_order(state, _of_ward(state, who))


def _of_the_table(state: State) -> Iterator[Action]:
    turn, sides = state.turn or None, tuple(state.sides.items())
    yield action(Note, given={}, main=("text",), turn=turn)
    if state.ended:
        return
    begins = action(events.TurnBegan, given={}, main=("side",), choices={"side": sides})
    if not turn or state.step == len(STEPS) - 1:
        yield begins
    yield action(ending.Ended, given={}, main=("winner", "reason"), choices={"winner": sides}, turn=turn)
    if not turn:
        return
    if state.step < len(STEPS) - 1:
        yield _asked(state, events.StepReached, {"to": _next_step(state)})
    yield from _in_order(state, (_asked(state, each, {}) for each in OF_THE_TABLE))
    if state.step < len(STEPS) - 1:
        yield replace(begins, phase=BESIDE)


def _of_side(state: State, side: str) -> Iterator[Action]:
    if state.ended:
        return
    turn = action(events.TurnBegan, given={"side": side})
    yield turn if state.step in (0, len(STEPS) - 1) and side != state.active else replace(turn, phase=BESIDE)
    if state.turn and _off_table(state, side):
        yield _asked(state, ending.Arrived, {"side": side})


def _of_fighter(state: State, one: Combatant) -> Iterator[Action]:
    given = {"fighter": one.id}
    if state.ended:
        refits = state.settings.refit and not one.gone and 0 < one.halves < one.fighter.halves
        yield from (action(ending.Refitted, given=given) for _ in range(refits))
        return
    if one.gone:
        if state.turn and one.fighter.general:
            yield _asked(state, ending.GeneralReplaced, given)
        return
    if any(each == one.id for each, _ in state.struck):
        yield replace(_asked(state, combats.GeneralStruck, given), phase=STEPS[state.step])
    for kind, known in _kinds_of(state, one.id):
        yield _asked(state, kind, known)
    lost = action(ending.Lost, given=given, main=("halves", "gone", "by"), choices=_choices(state, ending.Lost, given))
    yield replace(lost, phase=BESIDE)


def _of_ward(state: State, ward: str) -> Iterator[Action]:
    for kind, given in _kinds_of(state, ward):
        yield _asked(state, kind, given)


def _kinds_of(state: State, who: str) -> Iterator[tuple[type[TurnEvent], Mapping[str, str]]]:
    """Yield the kinds of event that a unit or a Ward may log in a turn, each with what is given of it.

    What can be chosen in them is left out: it costs most of the time, and only the actions of one of them need it.
    """
    one = state.combatants.get(who)
    if not state.turn or (one is not None and one.gone):
        return
    side, given = (one.side, {"fighter": who}) if one else (who.split("/", 1)[0], {"ward": who})
    alone = not has_enemies(state, side)
    for kind in OF_ONE if one else OF_A_WARD:
        fits = _fits_base(one, kind) if one else _fits_ward(state, who, kind)
        if fits and not (alone and _needs_an_enemy(kind)):
            yield kind, given


def _fits_base(one: Combatant, kind: type[TurnEvent]) -> bool:
    """Is a kind of event for the arm of this unit, gun or General?"""
    heavy = kind is events.GunMoved and one.fighter.arm == "heavy-gun"
    return one.fighter.arm in kind.arms and not heavy


def _fits_ward(state: State, ward: str, kind: type[TurnEvent]) -> bool:
    """Is a kind of event for this Ward: for cavalry or for foot, for its own turn or the enemy's?"""
    riders, active = ward_name(ward) == CAVALRY, ward.split("/", 1)[0] == state.active
    if kind is combats.FellBack:
        return not active and bool(state.ranks(f"{state.active}/{CAVALRY}"))
    if kind is combats.Charged:
        return riders
    if riders and kind in (combats.Fought, combats.WardShot, events.PulledIn):
        return False
    return kind is not events.PulledIn or bool(_pulled_in(state, ward))


def _needs_an_enemy(kind: type[TurnEvent]) -> bool:
    """Does a kind name whom it is done to?"""
    return bool({"target", "at"} & {*kind.__struct_fields__})


def _asked(state: State, kind: type[TurnEvent], given: Mapping[str, str]) -> Action:
    """The action of a kind with what its fields can be chosen from, and what speaks against it."""
    choices, hurdle = _choices(state, kind, given), _hurdle(state, kind, given)
    found = action(kind, given=given, main=ASKED, choices=choices, turn=state.turn or None, hurdle=hurdle)
    return replace(found, phase=_phase(kind, given))


def _phase(kind: type[TurnEvent], given: Mapping[str, str]) -> str:
    """The step to which an action belongs: cavalry moves in its own (W-C1)."""
    rides = kind is events.WardMoved and ward_name(given.get("ward", "")) == CAVALRY
    return "cavalry" if rides else kind.phase


def _hurdle(state: State, kind: type[TurnEvent], given: Mapping[str, str]) -> str:
    """Why the rules are likely to refuse it, "" if nothing speaks against it."""
    who = given.get("ward") or given.get("fighter") or given.get("side") or ""
    one, ward = state.combatants.get(who), state.ward(given.get("ward", ""))
    side = one.side if one else who.split("/", 1)[0]
    needs_his_turn = kind.phase and not book().step[kind.phase].both and not kind.anybody
    phase = _phase(kind, given)
    if phase and STEPS.index(phase) < state.step:
        return "that step is over"
    if kind.once and f"{kind.key} {who}" in state.done:
        return "done in this turn"
    if needs_his_turn and side and side != state.active:
        return f"it is the turn of {state.sides[state.active]}"
    if one is not None and one.place not in ON_TABLE and kind is not events.PulledIn:
        return "off the table"
    if kind is events.MoraleTested and ward_name(who) == CAVALRY:
        return "cavalry belongs to no Ward"
    if kind in (combats.WardShot, combats.HandGunnersShot) and _routs(state, one.key if one else who):
        return "it routs"
    if kind is combats.WardShot and not _shooters(state, who):
        return "nobody in it shoots"
    if kind in (combats.Fought, combats.Charged, events.WardMoved) and ward.morale in ("stand", "rout"):
        return "its morale holds it"
    if kind is combats.Fought and ward.moved and not ward.moved.startswith("assault"):
        return "it has moved otherwise"
    return ""


def _choices(state: State, kind: type[EventKind[State]], given: Mapping[str, str]) -> Mapping[str, Choices]:
    """What can be chosen in the fields of a kind: friends or enemies of whoever acts, and of his Ward."""
    one, ward = state.combatants.get(given.get("fighter", "")), given.get("ward", "")
    there = [each for each in state.combatants.values() if not each.gone]
    side = one.side if one else given.get("side") or ward.split("/", 1)[0]
    enemies = [each for each in there if each.side != side]
    friends = [each for each in there if each.side == side]
    own = wards_of(state, side)
    # Only what the kind has fields for is worked out: the live log asks for many actions on one page.
    choices: Mapping[str, Callable[[], Choices]] = {
        "does": lambda: tuple(
            each for each in events.ACTIONS.items() if each[0] != "detach" or (one and one.stands_with)
        ),
        "side": lambda: tuple(state.sides.items()),
        "ward": lambda: tuple((key, ward_name(key)) for key in own if ward_name(key) != CAVALRY),
        "target": lambda: tuple((key, ward_title(key, state.sides)) for key in wards_of(state) if key not in own),
        "joins": lambda: tuple((key, ward_name(key)) for key in own),
        "to": lambda: _named(each for each in friends if each.halves and each.on_table),
        "at": lambda: _named(each for each in enemies if each.halves and each.on_table),
        "by": lambda: _named(enemies),
        "who": lambda: _named(_shooters(state, ward)),
        "losses": lambda: _named(each for each in state.ranks(ward) if each.fighter.arm != "cavalry"),
        "ward_hit": lambda: _named((*state.ranks(ward), *state.guns(ward))),
        "target_hit": lambda: _named(each for each in enemies if each.on_table and not each.fighter.general),
        "fighter": lambda: _named(_pulled_in(state, ward)),
        "fighters": lambda: _named(_off_table(state, side)),
    }
    return {field: choices[field]() for field in kind.__struct_fields__ if field in choices and field not in given}


def _in_order(state: State, some: Iterable[Action]) -> Iterator[Action]:
    """Actions as play comes to them: of this step, of those to come, of any, and last what is unlikely now."""
    steps = {key: place for place, key in enumerate(STEPS)}

    def place_of(each: Action) -> int:
        if each.phase == BESIDE:
            return OVER
        if each.phase not in steps:
            return AT_ANY_TIME
        return steps[each.phase] - state.step + LATER * (steps[each.phase] > state.step)

    found = [replace(each, phase=BESIDE) if each.hurdle else each for each in some]
    yield from sorted(found, key=place_of)


def _routs(state: State, ward: str) -> bool:
    return state.ward(ward).morale == "rout"


def _shooters(state: State, ward: str) -> list[Combatant]:
    """The units of a Ward that can still shoot in this turn."""
    ranks = state.ranks(ward)
    return [each for each in ranks if each.fighter.arm == "foot" and f"shoot {each.id}" not in state.done]


def _pulled_in(state: State, ward: str) -> list[Combatant]:
    """The foot of a Ward's side that it can pull in: everybody but its own front."""
    own = (each for each in state.of(ward.split("/", 1)[0]) if not each.gone and each.fighter.arm in FOOT)
    return [each for each in own if (each.key, each.place) != (ward, "front")]


def _off_table(state: State, side: str) -> list[Combatant]:
    """Everything of a side that may arrive."""
    return [each for each in state.of(side) if not each.gone and not each.on_table]


def _fallen(state: State) -> list[Combatant]:
    return [each for each in state.combatants.values() if each.gone and each.fighter.general]


def _named(some: Iterable[Combatant]) -> Choices:
    return tuple((each.id, each.name) for each in some)


def _counted(number: int, single: str, several: str = "") -> str:
    """So many of something: "1 unit", "3 casualties"."""
    return f"{number} {single if number == 1 else several or f'{single}s'}"
