"""The table as people see it: how the Wards stand, the thirteen steps, what is due, what can be
done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.at_table.offers import offered, proposed
from rulebook.battle_log.kinds import Note
from rulebook.systems.wards import combats, ending, events
from rulebook.systems.wards.book import GONE, book, figures
from rulebook.systems.wards.events import Event
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.systems.wards.log import KINDS, STEPS
from rulebook.systems.wards.roster import profile_name
from rulebook.systems.wards.state import Combatant, State, ward_name, ward_title, wards_of
from rulebook.values.table import (
    BESIDE,
    Action,
    Due,
    FighterView,
    GroupView,
    Mark,
    Phase,
    SideView,
    TableView,
)

SEQUENCE = 'Sheet: "Turn sequence"'
THE_TURN: tuple[type[Event], ...] = (events.TurnBegan, events.StepReached, ending.Ended)
"""The kinds by which a turn or the battle goes on: the table offers them in an order of its own."""
OF_THE_TABLE = tuple(kind for kind in KINDS if kind not in THE_TURN)
"""The other kinds; those among them that name no actor are done by both players together."""
AT_LEISURE = tuple(kind for kind in KINDS if kind is not combats.GeneralStruck)
"""The kinds that wait for their step. A General who is hit is saved at once. Ruling W-F6."""
BOTH_ACT = "Both sides act in this step."
LATER, AT_ANY_TIME, OVER = 100, 200, 300
"""Where actions stand that do not belong to the step that play has come to."""


def table_view(state: State, who: str) -> TableView:
    """Return the table in this state, and what ``who`` can do.

    ``who`` is a unit, a Ward or a side by its key, "" for the table.
    """
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, key in enumerate(STEPS):
        now = place == state.step and not state.ended
        phases.append(
            Phase(
                key=key, name=book().step[key].name, due=tuple(_due(state)) if now else (), now=now
            )
        )
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
        groups=tuple(_groups(state)),
        choice=whose_step(state),
    )


def whose_step(state: State) -> str:
    """Return in a sentence which side acts in the step that play has come to."""
    if not state.active or state.ended:
        return ""
    if book().step[STEPS[state.step]].both:
        return BOTH_ACT
    return f"It is the turn of {state.sides[state.active]}."


# What is due


def _due(state: State) -> Iterator[Due]:
    """Yield what waits in the step that play has come to, and the way on from it."""
    if not state.turn:
        yield Due(sentence="Begin the first turn.", do="turn", rule=SEQUENCE, button="Begin")
        return

    # A General who is hit comes first, then what this step is for.
    step = STEPS[state.step]
    struck = dict.fromkeys(general for general, _ in state.struck)
    yield from proposed((combats.GeneralStruck,), state, struck, step)
    yield from _waiting(state, step)

    # The way on: to the next step in which anything waits, after the last one to the next turn.
    if step != STEPS[-1]:
        key = _next_step(state)
        sentence = f"Next step: {book().step[key].name}."
        yield Due(
            sentence=sentence,
            do="step",
            rule=SEQUENCE,
            button="Next step",
            at_once=True,
            onward=True,
        )
        return
    sides = [key for key in state.sides if key != state.active]
    if len(sides) == 1:
        yield Due(
            sentence=f"Begin the turn of {state.sides[sides[0]]}.",
            who=sides[0],
            do="turn",
            rule=SEQUENCE,
            button="Begin",
            at_once=True,
            onward=True,
        )
    else:
        yield Due(
            sentence="Begin the next turn.", do="turn", rule=SEQUENCE, button="Begin", onward=True
        )


def _next_step(state: State) -> str:
    """Return the next step of the turn in which anything waits, else the last one."""
    return next((key for key in STEPS[state.step + 1 :] if any(_waiting(state, key))), STEPS[-1])


def _waiting(state: State, step: str) -> list[Due]:
    """Return what waits in a step: what has to be done in it first, then what its side may do."""
    actors = (*wards_of(state), *state.combatants, *state.sides, "")
    return sorted(proposed(AT_LEISURE, state, actors, step), key=lambda due: due.minor)


# How everybody stands


def _fighter(state: State, each: Combatant) -> FighterView:
    view = FighterView(
        id=each.id,
        name=each.name,
        side=each.side,
        profile=profile_name(each.fighter),
        rank=0,
        out=GONE.get(each.gone, ""),
        marks=() if each.gone else tuple(_marks(state, each)),
        weapon=book().place[each.place] if each.key and each.on_table else "",
        foes=(),
        numbers=(),
        dead=each.gone in ("killed", "destroyed"),
        group=ward_name(each.key),
    )
    if not each.fighter.halves:
        return view
    standing = state.standing(each)
    numbers = (
        ("Bases", bases_in_words(each.halves)),
        ("Frontage", bases_in_words(int(standing.frontage * 2))),
        ("Quality", book().quality[standing.quality].name),
        ("Save", f"{standing.save}+"),
    )
    left = f"{bases_in_words(each.halves)} of {bases_in_words(each.fighter.halves)} bases"
    return replace(view, numbers=numbers, strength=left)


def _marks(state: State, each: Combatant) -> Iterator[Mark]:
    host = state.combatants.get(each.stands_with)
    marks = (
        (each.casualties, _counted(each.casualties, "casualty", "casualties"), "warn"),
        (each.out_of_order, "Out of order", "warn"),
        (each.low, "Low on arrows", "busy"),
        (each.winning, "Winning", "good"),
        (each.fired, f"Turned by {each.faces}", "busy"),
        (each.stands_with, f"Attached to {host.name if host else ''}", "idle"),
        (not each.on_table, book().place[each.place], "idle"),
    )
    yield from (Mark(text, tone) for holds, text, tone in marks if holds)


def _groups(state: State) -> Iterator[GroupView]:
    """Yield every Ward that anybody belongs to; one without a unit on the table can do nothing."""
    wards = wards_of(state)
    for key in dict.fromkeys(each.key for each in state.combatants.values() if each.key):
        ward, side = state.ward(key), key.split("/", 1)[0]
        marks = tuple(_ward_marks(ward.morale, ward.moved)) if key in wards else ()
        out = "" if key in wards else "no unit on the table"
        yield GroupView(
            key=key,
            name=ward_name(key),
            title=ward_title(key, state.sides),
            side=side,
            marks=marks,
            out=out,
        )


def _ward_marks(morale: str, moved: str) -> Iterator[Mark]:
    """Yield what a Ward has come to in this turn."""
    outcomes = {each["key"]: each["name"] for each in figures("morale")["outcome"].values()}
    if morale:
        yield Mark(outcomes[morale], "good" if morale == "steady" else "warn")
    if moved.startswith("assault"):
        yield Mark("Assaults", "busy")
    elif moved:
        yield Mark({"failed": "Failed to move", "stay": "Stays"}.get(moved, "Moved"), "idle")


def _side(state: State, key: str) -> SideView:
    own = state.of(key)
    standing = [each for each in own if not each.gone]
    bases = Mark(f"{bases_in_words(sum(each.halves for each in standing))} bases")
    marks = (bases, Mark("Active", "good")) if key == state.active else (bases,)
    return SideView(
        key=key,
        name=state.sides[key],
        marks=marks,
        strength=len(standing),
        fielded=len(own),
        victory_points=0,
        lines=(),
    )


# What can be done


def actions(state: State, who: str) -> Iterator[Action]:
    """Yield what can be logged of a unit, a Ward, a side, or of nobody in particular: what this
    step asks for first."""
    if not who:
        yield from _of_the_table(state)
    elif who in (*state.sides, *state.combatants, *wards_of(state)):
        yield from _in_order(state, offered(KINDS, state, who))


def _of_the_table(state: State) -> Iterator[Action]:
    turn, last_step = state.turn or None, state.step == len(STEPS) - 1
    yield action(Note, given={}, main=("text",), turn=turn)
    if state.ended:
        return
    begins = events.TurnBegan.offer(state, "")
    if not turn or last_step:
        yield begins
    yield from ending.Ended.offers(state, "")
    if not turn:
        return
    if not last_step:
        yield action(events.StepReached, given={"to": _next_step(state)}, turn=turn)
    yield from _in_order(state, offered(OF_THE_TABLE, state, ""))
    if not last_step:
        yield replace(begins, phase=BESIDE)


def _in_order(state: State, some: Iterable[Action]) -> Iterator[Action]:
    """Actions as play comes to them: of this step, of those to come, of any, and last what is
    unlikely now."""
    steps = {key: place for place, key in enumerate(STEPS)}

    def place_of(each: Action) -> int:
        if each.phase == BESIDE:
            return OVER
        if each.phase not in steps:
            return AT_ANY_TIME
        # What belongs to the present step stands before everything of steps to come.
        ahead = steps[each.phase] - state.step
        return ahead + LATER if ahead > 0 else ahead

    ordered = [replace(each, phase=BESIDE) if each.hurdle else each for each in some]
    yield from sorted(ordered, key=place_of)


def _counted(number: int, single: str, several: str = "") -> str:
    """So many of something: "1 unit", "3 casualties"."""
    return f"{number} {single if number == 1 else several or f'{single}s'}"
