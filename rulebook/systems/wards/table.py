"""The table as people see it: how the Wards stand, the thirteen steps, what is due, what can be done."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.at_table.offers import offered
from rulebook.battle_log.kinds import Note
from rulebook.systems.wards import combats, ending, events
from rulebook.systems.wards.book import GONE, book, figures
from rulebook.systems.wards.ending import off_table
from rulebook.systems.wards.events import Event
from rulebook.systems.wards.fighters import bases_in_words
from rulebook.systems.wards.log import STEPS, unfought, untested
from rulebook.systems.wards.roster import profile_name
from rulebook.systems.wards.state import Combatant, State, ward_name, ward_title, wards_of
from rulebook.values.table import BESIDE, Action, Due, FighterView, GroupView, Mark, Phase, SideView, TableView

SEQUENCE = 'Sheet: "Turn sequence"'
BUNDLES = {each.phase: each() for each in (ending.ArrowsRecovered, ending.OrderRestored, ending.WardsRestored)}
OF_ONE: tuple[type[Event], ...] = (
    ending.Refitted,
    ending.GeneralReplaced,
    combats.GeneralStruck,
    events.GeneralActed,
    events.PulledIn,
    combats.GunShot,
    combats.HandGunnersShot,
    events.GunMoved,
    ending.GunLoaded,
    ending.Lost,
)
"""What a unit, a gun or a General does, or what befalls it."""
OF_A_WARD: tuple[type[Event], ...] = (
    events.MoraleTested,
    combats.Charged,
    combats.FellBack,
    events.PulledIn,
    combats.WardShot,
    events.WardMoved,
    combats.Fought,
)
"""What a Ward does as one."""
OF_A_SIDE: tuple[type[Event], ...] = (events.TurnBegan, ending.Arrived)
"""What a side does as a whole."""
OF_THE_TABLE: tuple[type[Event], ...] = (
    ending.ArrowsRecovered,
    ending.OrderRestored,
    ending.WardsRestored,
    ending.ClockRolled,
)
"""What both players do together."""
LATER, AT_ANY_TIME, OVER = 100, 200, 300
"""Where actions stand that do not belong to the step that play has come to."""


def table_view(state: State, who: str) -> TableView:
    """The table in this state, and what ``who`` can do: a unit, a Ward or a side by its key, "" for the table."""
    fighters = tuple(_fighter(state, each) for each in state.combatants.values())
    sides = tuple(_side(state, key) for key in state.sides)
    phases = []
    for place, key in enumerate(STEPS):
        now = place == state.step and not state.ended
        phases.append(Phase(key=key, name=book().step[key].name, due=tuple(_due(state)) if now else (), now=now))
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
    )


# What is due


def _due(state: State) -> Iterator[Due]:
    """What waits in the step that play has come to, and the way on from it."""
    if not state.turn:
        yield Due(sentence="Begin the first turn.", do="turn", rule=SEQUENCE, button="Begin")
        return
    for general in dict.fromkeys(who for who, _ in state.struck):
        yield Due(
            sentence=f"{state.combatants[general].name} is hit: save him.",
            who=general,
            do="general-hit",
            rule="Ruling W-F6",
            button="Save him",
            at_once=True,
            rolls=True,
        )
    step = STEPS[state.step]
    yield from _waiting(state, step)
    if step != STEPS[-1]:
        key = _next_step(state)
        sentence = f"Go on to {book().step[key].name}."
        yield Due(sentence=sentence, do="step", rule=SEQUENCE, button="Next step", at_once=True, onward=True)
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
        yield Due(sentence="Begin the next turn.", do="turn", rule=SEQUENCE, button="Begin", onward=True)


def _next_step(state: State) -> str:
    """The next step of the turn in which anything waits, else the last one."""
    return next((key for key in STEPS[state.step + 1 :] if any(_waiting(state, key))), STEPS[-1])


def _waiting(state: State, step: str) -> Iterator[Due]:
    """What waits in a step: what has to be done in it first, then what its side may do."""
    if bundle := BUNDLES.get(step):
        waiting = bundle.waiting(state)
        if waiting and bundle.marks(state)[0] not in state.done:
            sentence = f"{bundle.label}: a die for {_counted(len(waiting), 'unit')}."
            yield Due(sentence=sentence, do=bundle.key, rule=bundle.rule, button="Roll", rolls=True, at_once=True)
    elif step == "clock":
        if "clock " not in state.done:
            yield Due(
                sentence="Roll the battle clock.",
                do="clock",
                rule="Ruling W-G3",
                button="Roll",
                rolls=True,
                at_once=True,
            )
    elif step == "arrivals":
        yield from _arriving(state)
    else:
        yield from sorted(_proposals(state, step), key=lambda due: due.minor)


def _arriving(state: State) -> Iterator[Due]:
    for general in _fallen(state):
        yield Due(
            sentence=f"{general.name} may be replaced.",
            who=general.id,
            do="new-general",
            rule='Sheet: "Generals"',
            button="Replace",
            minor=True,
        )
    for side, name in state.sides.items():
        if off_table(state, side) and f"arrivals {side}" not in state.done:
            yield Due(
                sentence=f"{name}: units off the table may arrive.",
                who=side,
                do="arrivals",
                rule='Sheet: "Arrivals"',
                button="Roll",
                minor=True,
            )


def _proposals(state: State, step: str) -> Iterator[Due]:
    """Yield what Wards and units do in a step, as far as nothing speaks against it."""
    owed = {"morale": untested(state), "fight": unfought(state)}
    for who in (*wards_of(state), *state.combatants):
        fighter = state.combatants.get(who)
        name = fighter.name if fighter else ward_title(who, state.sides)
        for kind in OF_ONE if fighter else OF_A_WARD:
            # Of a unit that is pulled in and the Ward that does it, the Ward is asked.
            asked_elsewhere = fighter is not None and kind is events.PulledIn
            if asked_elsewhere or not kind.proposal or kind.phase_for(who) != step:
                continue
            if not kind.is_open_to(state, who) or kind.hurdle_for(state, who):
                continue
            is_owed = who in owed.get(kind.key, ())
            sentence = kind.demand if is_owed else kind.proposal
            yield Due(
                sentence=sentence.format(name=name),
                who=who,
                do=kind.key,
                rule=kind.rule,
                button=kind.label,
                minor=not is_owed,
            )


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
    """Every Ward that anybody belongs to; one without a unit on the table can do nothing."""
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
    """What can be logged of a unit, a Ward, a side, or of nobody in particular: what this step asks for first."""
    if not who:
        yield from _of_the_table(state)
    elif who in state.sides:
        yield from _in_order(state, offered(OF_A_SIDE, state, who))
    elif who in state.combatants:
        yield from _in_order(state, offered(OF_ONE, state, who))
    elif who in wards_of(state):
        yield from _in_order(state, offered(OF_A_WARD, state, who))


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
    """Actions as play comes to them: of this step, of those to come, of any, and last what is unlikely now."""
    steps = {key: place for place, key in enumerate(STEPS)}

    def place_of(each: Action) -> int:
        if each.phase == BESIDE:
            return OVER
        if each.phase not in steps:
            return AT_ANY_TIME
        return steps[each.phase] - state.step + LATER * (steps[each.phase] > state.step)

    ordered = [replace(each, phase=BESIDE) if each.hurdle else each for each in some]
    yield from sorted(ordered, key=place_of)


def _fallen(state: State) -> list[Combatant]:
    return [each for each in state.combatants.values() if each.gone and each.fighter.general]


def _counted(number: int, single: str, several: str = "") -> str:
    """So many of something: "1 unit", "3 casualties"."""
    return f"{number} {single if number == 1 else several or f'{single}s'}"
