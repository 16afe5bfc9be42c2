"""The history of a battle from its log: its state turn by turn, and its entries page by page."""

from dataclasses import replace
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as with_changes

from battles.models import Battle
from battles.rulebook_values import logged, read_setup, ruleset_of_battle
from battles.selectors.log_sentences import EventLine, Wording
from battles.selectors.table import FeedLine, feed_line
from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.play import Play, replay
from rulebook.ruleset import RulesError, TableView

A_PAGE = 20
"""The number of entries on a page."""


class LogPage(Struct, frozen=True):
    """A page of the log, oldest entries first.

    ``number`` counts the pages from 1; ``entries`` is the number of entries on all pages.
    """

    lines: tuple[FeedLine, ...]
    number: int
    pages: int
    entries: int

    @property
    def before(self) -> int:
        """The number of the previous page."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the next page."""
        return self.number + 1


class TurnSummaries(Struct, frozen=True):
    """The state of a battle after each turn, and at its end if that differs: a value for each side.

    With ``points`` the values are victory points, otherwise the number of fighters still in action.
    """

    moments: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    points: bool


def replayed(battle: Battle) -> Play[Any] | None:
    """Return the play of a battle loaded by ``for_pages``; None if its log does not add up."""
    rules = ruleset_of_battle(battle)
    try:
        return replay(
            rules.log, read_setup(battle, battle.sides.all()), logged(battle.events.all())
        )
    except RulesError:
        return None


def log_page(battle: Battle, play: Play[Any] | None, requested: int | None) -> LogPage:
    """Return a page of the log of a battle loaded by ``for_pages``, each entry with its outcome.

    No queries. The last page is returned if none is requested. Without a play the entries have no
    outcomes.
    """
    rows = list(battle.events.all())
    pages = max(1, -(-len(rows) // A_PAGE))
    number = min(max(requested or pages, 1), pages)
    wording = Wording(ruleset_of_battle(battle), read_setup(battle, battle.sides.all()))
    lines = [wording.line(row) for row in rows[(number - 1) * A_PAGE : number * A_PAGE]]
    if play is None:
        feed = [FeedLine(line, None, struck=False) for line in lines]
    else:
        steps = {step.logged.sequence: step for step in play.steps}
        feed = [_feed_line(line, play, steps.get(line.sequence), wording) for line in lines]
    return LogPage(tuple(feed), number, pages, len(rows))


def _feed_line(
    line: EventLine, play: Play[Any], step: ReplayStep[Any] | None, wording: Wording
) -> FeedLine:
    """Return an entry with its outcome, and with its corrected sentence if it was corrected."""
    entry = feed_line(line, play.log.outcome_of(step) if step else None)
    if step is None or (step.logged.kind, step.logged.data) == (line.kind, line.data):
        return entry
    return with_changes(entry, instead=wording.sentence_of(step.logged))


def page_of(sequence: int) -> int:
    """Return the number of the page that shows an entry."""
    return (sequence - 1) // A_PAGE + 1


def turns_of(battle: Battle, play: Play[Any] | None) -> TurnSummaries | None:
    """Return the state of the battle turn by turn; None if its log has fewer than two turns.

    No queries.
    """
    last: dict[int, int] = {}
    for place, step in enumerate(play.steps if play else ()):
        if step.logged.turn:
            last[step.logged.turn] = place
    if play is None or len(last) < 2:
        return None
    tables = [_table_after(battle, play, place) for _, place in sorted(last.items())]
    if any(table is None for table in tables):
        return None
    points = battle.shown.victory_points
    values = [
        tuple(side.victory_points if points else side.strength for side in table.sides)
        for table in tables
        if table
    ]
    moments = [str(turn) for turn in sorted(last)]
    scored = tuple(side.victory_points for side in battle.sides.all())
    if points and scored != values[-1]:
        values.append(scored)
        moments.append("end")
    return TurnSummaries(tuple(moments), tuple(values), points)


def _table_after(battle: Battle, play: Play[Any], place: int) -> TableView | None:
    """Return the table as it was after the step with this index."""
    step = play.steps[place]
    then = replace(
        play, state=step.after, steps=play.steps[: place + 1], sequence=step.logged.sequence
    )
    return ruleset_of_battle(battle).at_table(then)
