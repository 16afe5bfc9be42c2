"""The table as people see it: how the units stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.battle_log.forms import event_fields
from rulebook.battle_log.kinds import Note
from rulebook.systems.avant_garde import command
from rulebook.systems.avant_garde.book import STATES, book, figures, read_data
from rulebook.systems.avant_garde.commanding import PLACES, Rallied
from rulebook.systems.avant_garde.events import INTERRUPTS, MOVES, STEPS, Event, FighterEvent, TurnEvent
from rulebook.systems.avant_garde.fighters import profile_name, rating_of
from rulebook.systems.avant_garde.firing import GUNS_OF, firing_rank
from rulebook.systems.avant_garde.log import KINDS, AvantGardePolicy, score_of, settled
from rulebook.systems.avant_garde.morale import BROKEN, GOOD
from rulebook.systems.avant_garde.moves import PACES
from rulebook.systems.avant_garde.skirmishers import formations_of
from rulebook.systems.avant_garde.state import GONE, IN_RANKS, NOBODY, Combatant, State
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field
from rulebook.values.table import BESIDE, Action, Due, FighterView, Mark, Phase, SideView, TableView

REACTION = 'Slide 5: "Reaction"'
BREAKS = 'Slide 28: "Panicking Units"'
NAMED = {each.key: each for each in KINDS}
POLICY = AvantGardePolicy()
WHATEVER_IS_CHOSEN = frozenset(
    (
        *("not-loaded", "runs", "blown", "not-in-good-order", "reacting-already", "has-joined", "has-entered"),
        *("burst-through", "too-few-pips", "nobody-commands", "already", "limbered", "silenced", "no-reserve-move"),
        *("no-reserve-formation", "formed-instead", "moved-instead", "disordered-forms", "formation-charges-not"),
        *("charged-already", "in-combat", "nobody-in-column", "moved-while-blown"),
    )
)
"""What the rules forbid of an action by how its unit stands, whatever is chosen for it."""
FIRE_AFTER = {"move-a": "fire-1", "move-b": "fire-2"}
"""The step of fire between a side's movement and the fights of its charges."""
MISSED = "missed"
"""The key of the action by which a round strikes nobody, logged as it stands."""


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a fighter, "" for the table."""
    there = (each for each in state.combatants.values() if each.place != IN_RANKS)
    fighters = tuple(_fighter(state, each) for each in there)
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, (key, step) in enumerate(book().step.items()):
        due = () if state.ended or place < state.step else tuple(_due(state, key))
        phases.append(Phase(key, step.name, due, now=place == state.step and not state.ended))
    if not any(due.do != "end" for phase in phases for due in phase.due):
        now = phases[state.step]
        phases[state.step] = replace(now, due=(*_onward(state), *now.due))
    elif fire := FIRE_AFTER.get(STEPS[state.step]):
        phases = _fire_first(state, phases, STEPS.index(fire))
    found = tuple(actions(state, who))
    return TableView(state.turn, None, state.ended, "both", tuple(phases), sides, fighters, None, found)


def _fire_first(state: State, phases: list[Phase], fire: int) -> list[Phase]:
    """Return the phases with the fights of this movement as what may wait: before them others move, and fire."""
    fights = [each for each in phases[fire + 1].due if each.do == "melee"]
    if not fights or any(due.do and not due.minor for phase in phases[: fire + 1] for due in phase.due):
        return phases
    told = list(phases)
    open_now = (*_onward(state), *(replace(each, minor=True) for each in fights))
    told[state.step] = replace(told[state.step], due=(*open_now, *told[state.step].due))
    told[fire + 1] = replace(told[fire + 1], due=tuple(each for each in told[fire + 1].due if each.do != "melee"))
    return told


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
    yield from _reactions(state) if step == STEPS[state.step] else ()
    for who in state.shocks if step == STEPS[state.step] else ():
        # Who stands near is the players' word: this reminds them, and asks for nothing.
        near, one = figures("morale")["near_break"], state.combatants[who]
        yield Due(f"{one.name} broke: its friends within {near}″ test their nerve.", rule=BREAKS, minor=True)
    if key := {"command": "brigade", "rally": "rally"}.get(step, ""):
        for one in state.combatants.values():
            waits = one.blown or f"rally {one.id}" in state.done or Rallied.waits_for_parent(state, one)
            barred = key == "rally" and waits
            if one.on_table and state.waits(one)[key] and not barred:
                yield _waiting(state, one.id, key)
    yield from _due_of_table(state, step)


def _onward(state: State) -> Iterator[Due]:
    """What is done next where nothing is due but the end of the turn."""
    then = book().step[STEPS[state.step]].then
    if then and state.first and not state.ended:
        yield Due(then.format(a=state.sides[state.first], b=state.sides[state.other(state.first)]), minor=True)


def _due_of_table(state: State, step: str) -> Iterator[Due]:
    """What waits in a step, and is nobody's in particular."""
    for side, name in state.sides.items() if step == "command" else ():
        waiting = (each for each in state.of(side) if each.place != "table" and not each.gone)
        if any(max(each.due, each.late) <= state.turn for each in waiting):
            yield replace(_to_do("arrive", f"{name}: units wait to arrive."), minor=True)
    if step == "initiative" and not state.first:
        yield _to_do("initiative", "Throw for initiative.")
    if step == "end" and "end " not in state.done:
        yield _to_do("end", "End the turn: everybody loads.")
    elif step == "end":
        yield _to_do("ended", "The last turn is over.") if state.over else _to_do("turn", "Begin the next turn.")


def _waiting(state: State, who: str, key: str) -> Due:
    """Something that waits for somebody."""
    one = state.combatants[who]
    if key == "struck":
        due = _to_do(key, f"{one.name}: {one.falls[0].name} {one.falls[0].path}. Who is struck?", who)
        return replace(due, instead=MISSED, instead_button="Nobody")
    due = _to_do(key, f"{one.name}: {NAMED[key].label.lower()}.", who)
    return replace(due, at_once=due.at_once and not NAMED[key].asks(state, one))


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
    group = state.group(each)
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
        (group and not group.gone, f"{group.figures if group else 0} out as skirmishers", "busy"),
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
    kinds = NAMED.values() if one or not who else ()
    found = [_asked(state, kind, one) for kind in kinds if _offered(state, kind, one)]
    if one:
        found += [_interruption(state, each) for each in found if _may_interrupt(state, NAMED[each.kind], one)]
    if one and one.falls:
        place = [each.kind for each in found].index("struck")
        found.insert(place + 1, replace(found[place], key=MISSED, label="Nobody is struck", fields=()))
    yield from sorted(found, key=lambda each: _place(state, each))


def _place(state: State, offered: Action) -> int:
    """Where an action stands: by its step from now on, then what the turn is past, then what belongs to none."""
    if offered.phase not in STEPS:
        return len(STEPS)
    return (STEPS.index(offered.phase) - state.step) % len(STEPS)


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
    if one is None:
        return True
    able = not issubclass(kind, FighterEvent) or kind.open_to(state, one)
    return one.on_table and one.fighter.arm in (kind.arms or (one.fighter.arm,)) and waits and able


def _may_interrupt(state: State, kind: type[Event], one: Combatant) -> bool:
    """Return whether a unit may do something now because the enemy moves."""
    enemy_moves = STEPS[state.step] in MOVES and not state.acts(one.side)
    return enemy_moves and issubclass(kind, FighterEvent) and kind.may_interrupt(one)


def _reactions(state: State) -> Iterator[Due]:
    """Return what units with a reaction token may do while the enemy moves; play may go on without it."""
    for one in state.combatants.values():
        for kind in NAMED.values() if one.reacting and one.on_table else ():
            able = _may_interrupt(state, kind, one) and _offered(state, kind, one)
            if able and not _hurdle(state, kind, one, _foes(state, one), interrupts=True):
                due = _to_do(kind.key, f"{one.name} is on reaction: {kind.label.lower()}.", one.id)
                yield replace(due, do=f"{kind.key}-{INTERRUPTS}", button="React", rule=REACTION, minor=True)


def _interruption(state: State, offered: Action) -> Action:
    """Return an action as one that interrupts the enemy's movement."""
    key, label = f"{offered.kind}-{INTERRUPTS}", f"{offered.label}, interrupting the enemy"
    given = {**offered.given, INTERRUPTS: True}
    one = state.combatants[given["fighter"]]
    hurdle = _hurdle(state, NAMED[offered.kind], one, _foes(state, one), interrupts=True)
    return replace(offered, key=key, label=label, given=given, phase=STEPS[state.step], hurdle=hurdle)


def _foes(state: State, one: Combatant) -> Mapping[str, Choices]:
    """Return whom a unit may choose as its target."""
    there = (each for each in state.combatants.values() if not (each.gone or each.commander))
    return {"target": _named(each for each in there if each.side != one.side)}


def _asked(state: State, kind: type[Event], one: Combatant | None) -> Action:
    """The action of a kind, with what its fields can be chosen from."""
    there = [each for each in state.combatants.values() if not each.gone and each.place != IN_RANKS]
    troops, side = [each for each in there if not each.commander], one.side if one else ""
    foes = _named(each for each in troops if each.side != side)
    own = [each for each in there if each.side == side and each is not one]
    sides = tuple(state.sides.items())
    choices: dict[str, Choices] = {
        "target": _named(there) if kind.key == "struck" else foes,
        "screened_by": _named(each for each in troops if each.side != side and each.skirmishing),
        "by": foes,
        "rescuer": _named(each for each in troops if each.side == side and each.on_table),
        "redirect": foes,
        "into": foes,
        "guards": foes,
        "influence": _named(each for each in own if each.commander),
        "to": _named(each for each in own if each.commander != (kind.key == "join") or each.battery),
        "side": sides,
        "napoleon": sides,
        "fighters": _named(troops),
    }
    if one and one.formation:
        fits = (key for key in formations_of(one.fighter, state.nations[side]) if key != one.formation)
        choices["formation"] = tuple((key, book().formation[key].name) for key in fits)
        choices["pace"] = tuple((key, name) for key, name in PACES.items() if key in ("", "back", *one.formed.paces))
        choices["calibre"] = tuple((key, name) for key, name in GUNS_OF.items() if key in ("", *one.guns))
    if one:
        choices |= kind.narrowed(state, one)
    choices[INTERRUPTS] = ()  # What interrupts the enemy is an action of its own.
    given, main = {"fighter": one.id} if one else {}, tuple(read_data("kinds")["asked"])
    found = action(kind, given=given, main=main, choices=choices, turn=state.turn or None)
    if one:
        found = replace(found, fields=tuple(_known(state, kind, one, each) for each in found.fields))
    if one and kind.key == "struck":
        found = replace(found, help=f"{one.falls[0].name.capitalize()} {one.falls[0].path}.")
    if not getattr(kind, "steps", ()) or not issubclass(kind, TurnEvent):
        return replace(found, phase=BESIDE if one else found.phase)
    place, first = kind.next_for(state, one), kind.next_for(replace(state, step=0), one)
    initiative = STEPS.index("initiative")
    if not state.first and (place is None or place > initiative):
        later = (each for each in kind.steps if STEPS.index(each) > initiative)
        return replace(found, phase=next(later, BESIDE), hurdle="Roll for initiative first")
    if place is None and first is not None:
        return replace(found, phase=STEPS[first], hurdle="Its step is over: next turn")
    hurdle = _hurdle(state, kind, one, choices) if one and place is not None else ""
    return replace(found, phase=BESIDE if place is None else STEPS[place], hurdle=hurdle)


def _hurdle(state: State, kind: type[Event], one: Combatant, choices: Mapping[str, Choices], **told: bool) -> str:
    """Return why the rules refuse something whatever is chosen for it, "" where they may take it."""
    needed = (each for each in event_fields(kind) if each.required and each.key != "fighter")
    named = {each.key: next((key for key, _ in choices.get(each.key, each.choices)), "") for each in needed}
    if not all(named.values()):
        return ""
    event, logged = kind(fighter=one.id, **named, **told), LoggedEvent(1, kind.key, {})
    then = POLICY.before(state, event, logged)
    # Pips may yet be given: whatever else stands against it is told first.
    broken = sorted(POLICY.violations(then, event, logged), key=lambda each: each.code == "too-few-pips")
    sentence = next((each.sentence for each in broken if each.code in WHATEVER_IS_CHOSEN), "")
    return sentence.removeprefix(f"{one.name} ").removesuffix(".")


def _known(state: State, kind: type[Event], one: Combatant, asked: Field) -> Field:
    """A field with what the table knows already: the front as last told, and at whom a round was fired."""
    if kind.key == "struck" and asked.key == "target":
        aimed = one.falls[0].target
        return replace(asked, default=aimed) if aimed in dict(asked.choices) else asked
    if asked.kind == "choice" and asked.default and asked.default not in dict(asked.choices):
        return replace(asked, default=asked.choices[0][0])
    fighting = next((each for each in state.combats if each.fighter == one.id), NOBODY)
    who = {"front": one, "target_front": state.combatants.get(fighting.target)}.get(asked.key)
    if who is None or who.battery:
        return asked
    if told := firing_rank(who, 0):
        return replace(asked, default=str(told))
    if kind.key == "reaction":
        return replace(asked, help="Needed if it shoots: how many are in reach and arc.")
    return replace(asked, required=True, least=1, help="Needed: how many are in reach and arc.")


def _named(some: Iterable[Combatant]) -> Choices:
    return tuple((each.id, each.name) for each in some)
