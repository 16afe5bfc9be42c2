"""What is wrong with new events of a log, validated before they are written; and the dice that Muster throws for them.

Nobody may look at a die of Muster's and have the event undone by sending something illegal behind it: an event that it
throws for comes last, and is refused only for what is wrong whatever the dice show.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleState, Side
from battles.plays import BattleInPlay, play_of
from battles.reading import dice_of
from rulebook.battle_log.corrections import CORRECTION
from rulebook.battle_log.play import Play
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import LoggedEvent, Problem, RulesError
from warbands.errors import Refused


class NewEvent(Struct, frozen=True):
    """An event to be logged. ``client_id`` is made by the client and names it for good."""

    client_id: UUID
    kind: str
    data: Mapping[str, Any] = {}
    turn: int | None = None


class Placed(Struct, frozen=True):
    """A new event in its place in the log, and the dice that Muster threw for it, from die number ``first_die``.

    ``tells`` says that it shows a die of Muster's that nobody knew before.
    """

    entry: LoggedEvent
    first_die: int | None = None
    dice: tuple[int, ...] = ()
    tells: bool = False


class Validated(Struct, frozen=True):
    """New events in their places, and the play before and after them."""

    placed: tuple[Placed, ...]
    before: BattleInPlay
    play: Play[Any]


class _Walk:
    """New events taken into a play, one after the other. ``dice`` is None once the seed is known: nothing is thrown."""

    def __init__(self, play: Play[Any], dice: CommittedDice | None) -> None:
        self.play = play
        self.dice = dice
        self.placed: list[Placed] = []
        self.corrections: list[LoggedEvent] = []

    def take(self, entry: LoggedEvent, *, last: bool, goes_on: bool) -> None:
        """One event more. Raises RulesError with what is wrong with it.

        ``goes_on`` says that another correction stands right behind this one: they are validated together.
        """
        first = self.dice.used + 1 if self.dice else None
        thrown = self.play.throw(entry, self.dice, self.corrections)
        if thrown.tells and not last:
            sentence = gettext(
                "Muster throws dice for this: put it last and log what follows afterwards, or type its dice in."
            )
            raise RulesError(Problem("throw-comes-last", sentence, field="kind", value=entry.kind))
        entry = replace(entry, data=thrown.data, dice=thrown.dice)
        try:
            self._step(entry, goes_on=goes_on)
        except RulesError:
            if thrown.tells:
                # What is wrong might tell of dice that nobody knew before.
                raise RulesError(
                    Problem("cannot-be-logged", gettext("The rules do not take this event here."), field="kind")
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
    """The new events with their places in the log. Raises Refused "illegal-events" with the problems of all.

    While the battle is under way Muster throws the dice that the last one lacks; afterwards the seed is known and it
    does not. Corrections in a row are validated together, for each may need the others.
    """
    before = play_of(battle, sides)
    walk = _Walk(before.play, dice_of(battle) if battle.state == BattleState.UNDER_WAY else None)
    problems: list[Problem] = []
    for place, event in enumerate(events):
        sequence = battle.last_sequence + len(walk.placed) + 1
        entry = LoggedEvent(sequence, event.kind, event.data, event.turn)
        try:
            walk.take(entry, last=place + 1 == len(events), goes_on=_goes_on(events, place))
        except RulesError as error:
            problems += [replace(problem, field=f"{place}.{problem.field}") for problem in error.problems]
    if problems:
        raise Refused("illegal-events", problems[0].sentence, problems=problems, within="events")
    return Validated(tuple(walk.placed), before, walk.play)


def tried_events(
    battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent]
) -> tuple[Play[Any], tuple[Problem, ...]]:
    """The play with those of the events that are legal as they stand, and the problems of the others.

    No die is thrown: nobody shall learn by trying what Muster's dice will show. Raises RulesError for a log that does
    not add up without them.
    """
    walk = _Walk(play_of(battle, sides).play, None)
    problems: list[Problem] = []
    for place, event in enumerate(events):
        entry = LoggedEvent(battle.last_sequence + len(walk.placed) + 1, event.kind, event.data, event.turn)
        try:
            walk.take(entry, last=True, goes_on=_goes_on(events, place))
        except RulesError as error:
            problems += [replace(problem, field=f"{place}.{problem.field}") for problem in error.problems]
    return walk.play, tuple(problems)


def _goes_on(events: Sequence[NewEvent], place: int) -> bool:
    """Is this a correction with another one right behind it?"""
    return all(event.kind == CORRECTION for event in events[place : place + 2]) and place + 1 < len(events)
