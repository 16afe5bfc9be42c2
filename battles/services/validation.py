"""Validate new events of a log before they are written, and roll Muster's dice for them.

Nobody may see a die that Muster rolled and then cancel it with an illegal event after it. So an
event that Muster rolls dice for must come last, and is refused only for reasons that do not depend
on the dice.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Annotated, Any
from uuid import UUID, uuid5

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleState, Side
from battles.rulebook_values import dice_of, ruleset_of_battle
from battles.stored_play import LoadedPlay, load_battle_play
from core.errors import InvalidInput, Unavailable
from core.inputs import field
from rulebook.battle_log.corrections import CORRECTION
from rulebook.battle_log.play import Play
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import LoggedEvent, Problem, RulesError
from rulebook.values.problems import Repeated
from rulebook.values.table import FollowUp

MAX_IN_COURSE = 100
"""The maximum number of events in one course.

A round of combat has fewer. The limit keeps a rule system from blocking a request for ever.
"""

MAX_TURNS = 999
BATCH = 50
"""The number of events that makes a batch; people at a table send one or two."""
# A batch keeps a processor busy for a while: each process validates one at a time, and other
# clients retry. There is no queue: a waiting request would hold a thread of the web server, and
# soon nothing else would be answered.
_judging = Lock()


class NewEvent(Struct, frozen=True):
    """An event to be logged. ``client_id`` is made by the client and identifies it permanently."""

    client_id: Annotated[
        UUID, field(api="Made by the client. The same one sent again is answered as before.")
    ]
    kind: Annotated[str, field(min_length=1, max_length=30)]
    data: Annotated[Mapping[str, Any], field()] = {}
    turn: Annotated[int | None, field(ge=0, le=MAX_TURNS)] = None


class Course(Struct, frozen=True):
    """The follow-ups that the rules log after an event.

    ``follow`` is the procedure that the action names, ``plan`` what the players decided for it.
    """

    follow: str
    plan: Mapping[str, Any] = {}

    def event(self, first: NewEvent, place: int, follow_up: FollowUp) -> NewEvent:
        """Return a follow-up as a new event, with an id derived from that of the first one."""
        return NewEvent(
            uuid5(first.client_id, str(place)), follow_up.kind, follow_up.data, first.turn
        )


class Placed(Struct, frozen=True):
    """A new event with its place in the log and the dice that Muster rolled for it.

    The dice start with die number ``first_die``. ``tells`` says that the event reveals a die of
    Muster's that nobody knew before.
    """

    entry: LoggedEvent
    first_die: int | None = None
    dice: tuple[int, ...] = ()
    tells: bool = False


class Validated(Struct, frozen=True):
    """New events in their places, and the play before and after them."""

    placed: tuple[Placed, ...]
    before: LoadedPlay
    play: Play[Any]


class EventValidator:
    """Adds new events to a play, one after the other.

    ``dice`` is None once the seed is known: no dice are rolled then.
    """

    def __init__(self, play: Play[Any], dice: CommittedDice | None) -> None:
        self.play = play
        self.dice = dice
        self.placed: list[Placed] = []
        self.corrections: list[LoggedEvent] = []

    def take(self, entry: LoggedEvent, *, last: bool, goes_on: bool) -> None:
        """Add one event. Raises RulesError with its problems.

        ``goes_on`` says that another correction follows directly: they are validated together.
        """
        first = self.dice.used + 1 if self.dice else None
        thrown = self.play.throw(entry, self.dice, self.corrections)
        if thrown.tells and not last:
            sentence = gettext(
                "Muster rolls dice for this entry. Send it as the last one, or enter the dice "
                "yourself."
            )
            raise RulesError(Problem("throw-comes-last", sentence, field="kind", value=entry.kind))
        entry = replace(entry, data=thrown.data, dice=thrown.dice)
        try:
            self._step(entry, goes_on=goes_on)
        except RulesError:
            if thrown.tells:
                # The problems might reveal dice that nobody knew before.
                raise RulesError(
                    Problem(
                        "cannot-be-logged",
                        gettext("The rules do not allow this entry here."),
                        field="kind",
                    )
                ) from None
            raise
        self.placed.append(Placed(entry, first if thrown.dice else None, thrown.dice, thrown.tells))

    def _step(self, entry: LoggedEvent, *, goes_on: bool) -> None:
        if entry.kind != CORRECTION:
            self.play = self.play.after(entry)
            return
        self.corrections.append(entry)
        if not goes_on:
            corrections, self.corrections = self.corrections, []
            self.play = self.play.after_corrections(corrections)


def legal_events(battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent]) -> Validated:
    """Return the new events with their places in the log.

    While the battle is under way, Muster rolls the dice that the last event lacks; afterwards the
    seed is known and it does not. Corrections in a row are validated together, because each may
    need the others. Raises InvalidInput "illegal-events" with the problems of all events.
    """
    before = load_battle_play(battle, sides)
    walk = EventValidator(
        before.play, dice_of(battle) if battle.state == BattleState.UNDER_WAY else None
    )
    problems: list[Problem] = []
    taken: list[int] = []
    for place, event in enumerate(events):
        sequence = battle.last_sequence + len(walk.placed) + 1
        entry = LoggedEvent(sequence, event.kind, event.data, event.turn)
        try:
            walk.take(entry, last=place + 1 == len(events), goes_on=_goes_on(events, place))
            taken.append(place)
        except RulesError as error:
            problems += [
                replace(
                    _beside(problem, battle.last_sequence, taken), field=f"{place}.{problem.field}"
                )
                for problem in error.problems
            ]
    if problems:
        raise InvalidInput(
            "illegal-events", problems[0].sentence, problems=problems, within="events"
        )
    return Validated(tuple(walk.placed), before, walk.play)


def _beside(problem: Problem, last_sequence: int, taken: Sequence[int]) -> Problem:
    """Return the problem with a reference to another event of the request.

    The reference replaces that to an entry which is not in the log yet.
    """
    if not isinstance(problem, Repeated) or problem.entry <= last_sequence:
        return problem
    place = taken[problem.entry - last_sequence - 1]
    sentence = gettext(
        "%(problem)s (number %(number)s of the entries sent). Remove one of the two."
    )
    values = {"problem": problem.earlier, "number": place + 1}
    return replace(problem, sentence=sentence % values, entry=0, correction=None, beside=place)


def legal_course(
    battle: Battle, sides: Sequence[Side], event: NewEvent, course: Course
) -> tuple[Validated, int]:
    """Return the event with all follow-ups that the rules add, and how many there are.

    The rules derive the follow-ups from the plan alone, and each is legal whatever came before:
    nobody can put an illegal event after a roll to cancel it. If one is refused nevertheless once a
    die has been shown, the course ends there and the rolled dice stay. Raises InvalidInput
    "illegal-events".
    """
    rules, before = ruleset_of_battle(battle), load_battle_play(battle, sides)
    walk = EventValidator(
        before.play, dice_of(battle) if battle.state == BattleState.UNDER_WAY else None
    )
    following: NewEvent | None = event
    while following is not None and len(walk.placed) < MAX_IN_COURSE:
        entry = LoggedEvent(
            battle.last_sequence + len(walk.placed) + 1,
            following.kind,
            following.data,
            following.turn,
        )
        try:
            walk.take(entry, last=True, goes_on=False)
        except RulesError as error:
            if any(each.tells for each in walk.placed):
                break
            problems = [replace(problem, field=f"0.{problem.field}") for problem in error.problems]
            raise InvalidInput(
                "illegal-events", problems[0].sentence, problems=problems, within="events"
            ) from None
        follow_up = rules.follow_up(walk.play, course.follow, course.plan)
        following = course.event(event, len(walk.placed), follow_up) if follow_up else None
    return Validated(tuple(walk.placed), before, walk.play), len(walk.placed)


def tried_events(
    battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent]
) -> tuple[Play[Any], tuple[Problem, ...]]:
    """Return the play with those events that are legal now, and the problems of the others.

    No dice are rolled, so that nobody learns in advance what Muster's dice will show. Raises
    RulesError for a log that does not add up without the events.
    """
    walk = EventValidator(load_battle_play(battle, sides).play, None)
    problems: list[Problem] = []
    for place, event in enumerate(events):
        entry = LoggedEvent(
            battle.last_sequence + len(walk.placed) + 1, event.kind, event.data, event.turn
        )
        try:
            walk.take(entry, last=True, goes_on=_goes_on(events, place))
        except RulesError as error:
            problems += [
                replace(problem, field=f"{place}.{problem.field}") for problem in error.problems
            ]
    return walk.play, tuple(problems)


def _goes_on(events: Sequence[NewEvent], place: int) -> bool:
    """Return whether this is a correction that is followed by another one."""
    return all(event.kind == CORRECTION for event in events[place : place + 2]) and place + 1 < len(
        events
    )


@contextmanager
def batch_slot(number: int) -> Iterator[None]:
    """Reserve the validation of this number of events.

    Raises Unavailable "busy" while another batch is validated.
    """
    if number < BATCH:
        yield
        return
    if not _judging.acquire(blocking=False):
        raise Unavailable("busy", gettext("Muster is busy. Try again in a moment."))
    try:
        yield
    finally:
        _judging.release()
