"""The history of a battle from its log: its state turn by turn, and its entries page by page."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils.translation import get_language
from msgspec import Struct

from battles.models import Battle, BattleEvent, BattleState
from battles.rulebook_values import read_setup, ruleset_of_battle
from battles.selectors.log_sentences import Wording, page_text
from core.computed_values import ComputedValues
from rulebook.battle_log.corrections import CORRECTION
from rulebook.battle_log.kinds import ReplayStep
from rulebook.battle_log.play import Play, replay
from rulebook.ruleset import (
    BattleSetup,
    EventOutcome,
    LoggedEvent,
    RulesError,
    Ruleset,
    TableView,
)
from rulebook.values.moments import BattleMoments

A_PAGE = 20
"""The number of entries on a page."""


class LogLine(Struct, frozen=True):
    """An entry of the log with its outcome.

    ``struck`` says that a later entry has cancelled it, ``instead`` is the sentence of its
    correction, "" otherwise. ``revision`` is the correction that added it, 0 for the log itself.
    """

    sequence: int
    kind: str
    sentence: str
    turn: int | None
    revision: int
    outcome: EventOutcome | None
    struck: bool
    instead: str = ""

    @property
    def text(self) -> str:
        """The sentence for a page. That of a note is not read as a sentence of the rules."""
        return page_text(self.kind, self.sentence)

    @property
    def text_instead(self) -> str:
        """The sentence of the correction for a page, "" without one."""
        return page_text(self.kind, self.instead)


class LogPage(Struct, frozen=True):
    """A page of the log, oldest entries first.

    ``number`` counts the pages from 1; ``entries`` is the number of entries on all pages.
    """

    lines: tuple[LogLine, ...]
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


class LogHistory(Struct, frozen=True):
    """A page of the log of a battle, and its state turn by turn once it is confirmed.

    ``moments`` is what its story is made of, empty before that.
    """

    log: LogPage
    turns: TurnSummaries | None
    moments: BattleMoments


HISTORIES = ComputedValues[LogHistory](500)


class _Row(Struct, frozen=True, array_like=True):
    """An event as it is stored; the JSON columns are text."""

    sequence: int
    kind: str
    data: str
    turn: int | None
    dice: str
    revision: int

    def logged(self) -> LoggedEvent:
        """Return the event as the rule system reads it."""
        data, dice = json.loads(self.data), json.loads(self.dice)
        return LoggedEvent(self.sequence, self.kind, data, self.turn, tuple(dice))


def log_history(battle: Battle, requested: int | None) -> LogHistory:
    """Return a page of the log of a battle, and its state turn by turn once it is confirmed.

    The battle is loaded by ``for_pages``. One query. The last page is returned if none is
    requested.

    The history is a function of the log and of what was fixed before it. It is found again by a
    hash of these, so the log is replayed only after something in it has changed.
    """
    rows = _rows(battle)
    pages = max(1, -(-len(rows) // A_PAGE))
    number = min(max(requested or pages, 1), pages)
    settled = battle.state == BattleState.CONFIRMED
    setup = read_setup(battle, battle.sides.all())
    scored = [side.victory_points for side in battle.sides.all()] if settled else None
    depends_on = (battle.ruleset, battle.edition, get_language(), rows, setup, number, scored)
    return HISTORIES.value(depends_on, lambda: _history(battle, rows, setup, number))


def _rows(battle: Battle) -> list[_Row]:
    text = {name: Cast(name, TextField()) for name in ("data", "dice")}
    rows = BattleEvent.objects.filter(battle=battle.pk).order_by("sequence")
    columns = rows.values_list("sequence", "kind", text["data"], "turn", text["dice"], "revision")
    return [_Row(*row) for row in columns]


def _history(battle: Battle, rows: Sequence[_Row], setup: BattleSetup, number: int) -> LogHistory:
    rules = ruleset_of_battle(battle)
    events = [row.logged() for row in rows]
    play = _replayed(rules, setup, events)
    wording, shown = Wording(rules, setup), slice((number - 1) * A_PAGE, number * A_PAGE)
    steps = {step.logged.sequence: step for step in play.steps} if play else {}
    lines = tuple(
        _line(row, event, play, steps.get(row.sequence), wording)
        for row, event in zip(rows[shown], events[shown], strict=True)
    )
    log = LogPage(lines, number, max(1, -(-len(rows) // A_PAGE)), len(rows))
    if play is None or battle.state != BattleState.CONFIRMED:
        return LogHistory(log, None, BattleMoments())
    return LogHistory(log, _turns(battle, play), rules.moments(play))


def _replayed(
    rules: Ruleset, setup: BattleSetup, events: Sequence[LoggedEvent]
) -> Play[Any] | None:
    """Return the play of a log; None if it does not add up."""
    try:
        return replay(rules.log, setup, tuple(events))
    except RulesError:
        return None


def _line(
    row: _Row,
    event: LoggedEvent,
    play: Play[Any] | None,
    step: ReplayStep[Any] | None,
    wording: Wording,
) -> LogLine:
    """Return an entry with its outcome, and with its corrected sentence if it was corrected.

    Without a play the entries have no outcomes.
    """
    corrected = step is not None and (step.logged.kind, step.logged.data) != (row.kind, event.data)
    return LogLine(
        sequence=row.sequence,
        kind=row.kind,
        sentence=wording.sentence_of(event),
        turn=row.turn,
        revision=row.revision,
        outcome=play.log.outcome_of(step) if play and step else None,
        struck=play is not None and step is None and row.kind != CORRECTION,
        instead=wording.sentence_of(step.logged) if step and corrected else "",
    )


def page_of(sequence: int) -> int:
    """Return the number of the page that shows an entry."""
    return (sequence - 1) // A_PAGE + 1


def _turns(battle: Battle, play: Play[Any]) -> TurnSummaries | None:
    """Return the state of the battle turn by turn; None if its log has fewer than two turns."""
    last: dict[int, int] = {}
    for place, step in enumerate(play.steps):
        if step.logged.turn:
            last[step.logged.turn] = place
    if len(last) < 2:
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
