"""The table as people see it: how the units stand, the thirteen steps, what is due, what can be
done."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.at_table.offers import offered, proposed
from rulebook.battle_log.forms import event_fields
from rulebook.battle_log.kinds import Note
from rulebook.systems.avant_garde import command
from rulebook.systems.avant_garde.book import STATES, VIOLATIONS, book
from rulebook.systems.avant_garde.commanding import PLACES, TurnBegan
from rulebook.systems.avant_garde.ending import TurnEnded
from rulebook.systems.avant_garde.events import INTERRUPTS, MOVES, STEPS, Event, FighterEvent
from rulebook.systems.avant_garde.fighters import profile_name, rating_of
from rulebook.systems.avant_garde.fighting import Followed, Fought
from rulebook.systems.avant_garde.firing import PanicTested
from rulebook.systems.avant_garde.log import KINDS, AvantGardePolicy, score_of
from rulebook.systems.avant_garde.morale import BROKEN, GOOD
from rulebook.systems.avant_garde.state import GONE, IN_RANKS, Combatant, State
from rulebook.values.battles import LoggedEvent
from rulebook.values.table import Action, Due, FighterView, Mark, Phase, SideView, TableView

REACTION = 'Slide 5: "Reaction"'
NAMED = {each.key: each for each in KINDS}
POLICY = AvantGardePolicy()
HURDLES = frozenset(name for name, entry in VIOLATIONS.entries.items() if entry.hurdle)
"""The codes of what forbids an action by how its unit stands, whatever is chosen for it."""
AT_LEISURE = tuple(kind for kind in KINDS if kind not in (Followed, PanicTested))
"""The kinds that wait for their step. The others come up in the step that play has come to."""
BOTH_ACT = "Both sides act in this step."
FIRE_AFTER = {"move-a": "fire-1", "move-b": "fire-2"}
"""The step of fire between a side's movement and the fights of its charges."""


def table_view(state: State, who: str) -> TableView:
    """Return the table in this state, and what ``who`` can do: a fighter, "" for the table."""
    on_ground = (each for each in state.combatants.values() if each.place != IN_RANKS)
    fighters = tuple(_fighter(state, each) for each in on_ground)
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, (key, step) in enumerate(book().step.items()):
        due = () if state.ended or place < state.step else tuple(_due(state, key))
        phases.append(
            Phase(key=key, name=step.name, due=due, now=place == state.step and not state.ended)
        )
    if not any(due.do != TurnEnded.key for phase in phases for due in phase.due):
        now = phases[state.step]
        phases[state.step] = replace(now, due=(*_onward(state), *now.due))
    elif fire := FIRE_AFTER.get(STEPS[state.step]):
        phases = _fire_first(state, phases, STEPS.index(fire))
    return TableView(
        turn=state.turn,
        turns=None,
        ended=state.ended,
        dice="both",
        phases=tuple(phases),
        sides=sides,
        fighters=fighters,
        combat=None,
        actions=tuple(actions(state, who)),
        choice=whose_step(state),
    )


def whose_step(state: State) -> str:
    """Return in a sentence which side acts in the step that play has come to."""
    if not state.turn or state.ended:
        return ""
    side = next((key for key in state.sides if not state.acts(key)), "")
    return f"It is the turn of {state.sides[state.other(side)]}." if side else BOTH_ACT


def _fire_first(state: State, phases: list[Phase], fire: int) -> list[Phase]:
    """Return the phases with the fights of this movement as what may wait: before them others move,
    and fire."""
    fights = [each for each in phases[fire + 1].due if each.do == Fought.key]
    if not fights or any(
        due.do and not due.minor for phase in phases[: fire + 1] for due in phase.due
    ):
        return phases
    ordered = list(phases)
    open_now = (*_onward(state), *(replace(each, minor=True) for each in fights))
    ordered[state.step] = replace(ordered[state.step], due=(*open_now, *ordered[state.step].due))
    ordered[fire + 1] = replace(
        ordered[fire + 1],
        due=tuple(each for each in ordered[fire + 1].due if each.do != Fought.key),
    )
    return ordered


def _due(state: State, step: str) -> Iterator[Due]:
    """Yield what waits in a step: what is open, what winners may do in the one that play has come
    to, what comes up."""
    if not state.turn:
        yield from proposed((TurnBegan,), state, ("",), step)
        return

    # Charges, fights and tests that have to go on.
    for who, key in state.still_open():
        if STEPS.index(step) == NAMED[key].next_step(state, ""):  # type: ignore[attr-defined]
            yield NAMED[key].to_do_by(state, state.combatants[who])

    # What may be done now and can be left: winners follow, the enemy's movement is interrupted,
    # friends test.
    if step == STEPS[state.step]:
        winners = (
            who for who, key in (combat.due for combat in state.combats) if key == Followed.key
        )
        yield from proposed((Followed,), state, winners, step)
        yield from _reactions(state)
        yield from proposed((PanicTested,), state, state.shocks, step)

    # What belongs to the step itself: of units, then of sides, then of the table.
    yield from proposed(AT_LEISURE, state, (*state.combatants, *state.sides, ""), step)


def _onward(state: State) -> Iterator[Due]:
    """Yield what is done next where nothing is due but the end of the turn."""
    then = book().step[STEPS[state.step]].then
    if then and state.first and not state.ended:
        sentence = then.format(a=state.sides[state.first], b=state.sides[state.other(state.first)])
        yield Due(sentence=sentence, minor=True)


def _fighter(state: State, each: Combatant) -> FighterView:
    parts = "crew" if each.battery else "figures"
    return FighterView(
        id=each.id,
        name=each.name,
        side=each.side,
        profile=profile_name(each.fighter, state.settings),
        rank=0,
        out=GONE.get(each.gone, ""),
        marks=() if each.gone else tuple(_marks(state, each)),
        weapon="Commander-in-Chief" if each.commander and not each.fighter.brigade else "",
        foes=(),
        numbers=tuple(_numbers(state, each)),
        dead=each.gone in ("killed", "shattered"),
        group=each.fighter.brigade,
        strength="" if each.commander else f"{each.figures} of {each.start} {parts}",
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
    yield "Morale", str(state.grade(each).morale)
    yield "Formation", each.formed.name


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    order = command.WRITTEN.get(state.orders.get(each.brigade, ""), "") if each.commander else ""
    group = state.group(each)
    marks = (
        (
            each.order != GOOD,
            STATES[each.order].capitalize(),
            "bad" if each.order == BROKEN else "warn",
        ),
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
    yield from (Mark(text, tone) for holds, text, tone in marks if holds)


def _side(state: State, key: str) -> SideView:
    own = [each for each in state.of(key) if not each.commander]
    marks, lines = [], score_of(state, key)
    if state.first:
        letter = "A" if key == state.first else "B"
        marks.append(Mark(f"Side {letter}", "good" if state.acts(key) else "idle"))
    for place, label in PLACES.items():
        if held := sum(each.place == place and not each.gone for each in own):
            tone = "warn" if held > command.most_away(len(own)) else "idle"
            marks.append(Mark(f"{label}: {held} of {len(own)}", tone))
    return SideView(
        key=key,
        name=state.sides[key],
        marks=tuple(marks),
        strength=sum(not each.gone for each in own),
        fielded=len(own),
        victory_points=sum(line.points for line in lines),
        lines=lines,
    )


def actions(state: State, who: str) -> Iterator[Action]:
    """Yield what can be logged of a unit, or of nobody in particular: what this step asks for
    first."""
    combatant = state.combatants.get(who)
    if combatant is None:
        yield action(Note, given={}, main=("text",), turn=state.turn or None)
        yield from sorted(offered(KINDS, state, who), key=lambda each: _place(state, each))
        return
    own = [_hindered(state, each) for each in offered(KINDS, state, who)]
    own += [
        _interruption(state, each)
        for each in own
        if _may_interrupt(state, NAMED[each.kind], combatant)
    ]
    yield from sorted(own, key=lambda each: _place(state, each))


def _place(state: State, offer: Action) -> int:
    """Return where an action stands: by its step from now on, then what the turn is past, then what
    belongs to none."""
    if offer.phase not in STEPS:
        return len(STEPS)
    return (STEPS.index(offer.phase) - state.step) % len(STEPS)


def _may_interrupt(state: State, kind: type[Event], combatant: Combatant) -> bool:
    """Return whether a unit may do something now because the enemy moves."""
    enemy_moves = STEPS[state.step] in MOVES and not state.acts(combatant.side)
    return enemy_moves and issubclass(kind, FighterEvent) and kind.may_interrupt(combatant)


def _reactions(state: State) -> Iterator[Due]:
    """Return what units with a reaction token may do while the enemy moves; play may go on without
    it."""
    for combatant in state.combatants.values():
        for kind in KINDS if combatant.reacting and combatant.on_table else ():
            able = _may_interrupt(state, kind, combatant) and kind.is_open_to(state, combatant.id)
            if able and not _hurdle(state, kind, combatant, interrupts=True):
                sentence = f"{combatant.name} is on reaction: {kind.label.lower()}."
                due = kind.to_do(sentence, combatant.id)
                yield replace(
                    due, do=f"{kind.key}-{INTERRUPTS}", button="React", rule=REACTION, minor=True
                )


def _interruption(state: State, offer: Action) -> Action:
    """Return an action as one that interrupts the enemy's movement."""
    combatant = state.combatants[offer.given["fighter"]]
    return replace(
        offer,
        key=f"{offer.kind}-{INTERRUPTS}",
        label=f"{offer.label}, interrupting the enemy",
        given={**offer.given, INTERRUPTS: True},
        phase=STEPS[state.step],
        hurdle=_hurdle(state, NAMED[offer.kind], combatant, interrupts=True),
    )


def _hindered(state: State, offer: Action) -> Action:
    """Return a unit's action in a step with what the rules have against it, whatever is chosen for
    it."""
    if offer.hurdle or offer.phase not in STEPS:
        return offer
    return replace(
        offer, hurdle=_hurdle(state, NAMED[offer.kind], state.combatants[offer.given["fighter"]])
    )


def _hurdle(state: State, kind: type[Event], combatant: Combatant, **given: bool) -> str:
    """Return why the rules refuse something whatever is chosen for it, "" where they may take
    it."""
    choices = kind.choices_for(state, combatant.id)
    needed = (field for field in event_fields(kind) if field.required and field.key != "fighter")
    first = {
        field.key: next((key for key, _ in choices.get(field.key, field.choices)), "")
        for field in needed
    }
    if not all(first.values()):
        return ""
    event, logged = kind(fighter=combatant.id, **first, **given), LoggedEvent(1, kind.key, {})
    then = POLICY.before(state, event, logged)
    # Pips may yet be given: whatever else stands against it is told first.
    broken = sorted(
        POLICY.violations(then, event, logged), key=lambda each: each.code == "too-few-pips"
    )
    sentence = next((each.sentence for each in broken if each.code in HURDLES), "")
    return sentence.removeprefix(f"{combatant.name} ").removesuffix(".")
