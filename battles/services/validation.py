"""What is wrong with new events of a log, validated before they are written; and the dice that Muster throws for them.

Nobody may look at a die of Muster's and have the event undone by sending something illegal behind it: an event that it
throws for comes last, and is refused only for what is wrong whatever the dice show.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleState, Side
from battles.reading import dice_of, log_of, rules_of, setup_of
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import BattleSetup, LoggedEvent, Problem, RulesError, Ruleset
from warbands.errors import Refused

CORRECTION = "correction"


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


class EventValidator(Struct, frozen=True):
    """What new events of a battle are validated by. ``dice`` is None once its seed is known: nothing is thrown then."""

    rules: Ruleset
    setup: BattleSetup
    dice: CommittedDice | None

    def place(self, before: tuple[LoggedEvent, ...], entry: LoggedEvent, *, last: bool) -> Placed:
        """The event with the dice that it lacks. Raises RulesError if it cannot have them."""
        first = self.dice.used + 1 if self.dice else None
        thrown = self.rules.throw_dice(self.setup, before, entry, self.dice)
        if thrown.tells and not last:
            sentence = "Muster throws dice for this: put it last and log what follows afterwards, or type its dice in."
            raise RulesError(Problem("throw-comes-last", sentence, field="kind", value=entry.kind))
        return Placed(replace(entry, data=thrown.data), first if thrown.dice else None, thrown.dice, thrown.tells)

    def problems(self, before: tuple[LoggedEvent, ...], placed: Placed) -> tuple[Problem, ...]:
        """What is wrong with it; where Muster has thrown for it, nothing that tells of the dice."""
        found = self.rules.event_problems(self.setup, before, placed.entry)
        if not (found and placed.tells):
            return found
        return (Problem("cannot-be-logged", "The rules do not take this event here.", field="kind"),)


def legal_events(battle: Battle, sides: Sequence[Side], events: Sequence[NewEvent]) -> tuple[Placed, ...]:
    """The new events with their places in the log. Raises Refused "illegal-events" with the problems of all.

    While the battle is under way Muster throws the dice that the last one lacks; afterwards the seed is known and it
    does not. Corrections in a row are validated together, for each may need the others.
    """
    dice = dice_of(battle) if battle.state == BattleState.UNDER_WAY else None
    validator, log = EventValidator(rules_of(battle), setup_of(battle, sides), dice), log_of(battle)
    problems: list[Problem] = []
    added: list[Placed] = []
    for place, event in enumerate(events):
        before = (*log, *entries_of(added))
        entry = LoggedEvent(battle.last_sequence + len(added) + 1, event.kind, event.data, event.turn)
        try:
            placed = validator.place(before, entry, last=place + 1 == len(events))
            found = () if _goes_on(events, place) else validator.problems(before, placed)
        except RulesError as error:
            found = error.problems
        if found:
            problems += [replace(problem, field=f"{place}.{problem.field}") for problem in found]
        else:
            added.append(placed)
    if problems:
        raise Refused("illegal-events", problems[0].sentence, problems=problems)
    return tuple(added)


def _goes_on(events: Sequence[NewEvent], place: int) -> bool:
    """Is this a correction with another one right behind it?"""
    return all(event.kind == CORRECTION for event in events[place : place + 2]) and place + 1 < len(events)


def entries_of(placed: Iterable[Placed]) -> tuple[LoggedEvent, ...]:
    """The log entries alone, with the dice that Muster threw for them."""
    return tuple(replace(each.entry, dice=each.dice) for each in placed)
