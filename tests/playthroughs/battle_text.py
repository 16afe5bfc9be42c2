"""A battle as text, from its stored log: its events with their outcomes, and the result."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.play import Play
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    LoggedEvent,
    Roster,
    RosterFighter,
    RulesError,
    Ruleset,
    SideResult,
    TableView,
)
from tests.plays import event_problems, play_of, throw_dice
from tests.playthroughs.logs import SEED, Asked, KeptLog
from tests.playthroughs.plain_text import (
    Glossary,
    changes,
    compact,
    first_lines,
    flat,
    gathered,
    problem_line,
    words,
)
from tests.playthroughs.table_text import action_lines, due_lines, outcome_of, table_lines

WHOLE_TABLE_EVERY = 25
"""The number of events after which all possible actions are written; they are also at the end."""
VALIDATED = 2
"""The number of events of each kind that are validated before they are applied.

They must be valid, or the log would not add up.
"""
RANK_UPS_OF = 2
"""The number of survivors of each side whose rank-ups are written."""


class BattleText:
    """The text of a battle."""

    def __init__(self, rules: Ruleset, log: KeptLog, *, tables: bool = True) -> None:
        self.rules = rules
        self.setup = log.setup
        self.events = log.events
        self.asked = log.asked
        self.tables = tables
        self.names = _names(rules, log.setup)
        self.glossary = Glossary()
        self.state: dict[str, str] = {}
        self.due: list[str] = []
        self.could: dict[str, list[str]] = {}
        self.validated: Counter[str] = Counter()

    def lines(self, printed: set[str] | None = None) -> Iterator[str]:
        """Yield all lines, without the forces and first state if ``printed`` has them already."""
        printed = set() if printed is None else printed
        opening = list(self._opening())
        yield opening[0]
        yield from (line for line in opening[1:] if "\n".join(opening) not in printed)
        printed.add("\n".join(opening))
        yield from self._tried(0)
        for place in range(len(self.events)):
            yield from self._event(place)
            yield from self._tried(place + 1)
            if self.tables and place % WHOLE_TABLE_EVERY == WHOLE_TABLE_EVERY - 1:
                yield from self._table(place + 1)
        if self.tables:
            yield from self._table(len(self.events))
        yield from self._result()
        yield from self.glossary.lines()

    def _opening(self) -> Iterator[str]:
        setup = self.setup
        yield (
            f"== {setup.scenario} "
            f"{words(settings=setup.settings, set_up=setup.set_up, limit=setup.points_limit)}"
        )
        for side in setup.sides:
            yield (
                f"side {side.key} {side.name}, {side.role}, "
                f"{words(faction=side.faction, extras=side.extras)}"
            )
            for fighter in side.fighters:
                yield f"  {compact(fighter)}"
        for bystander in self.rules.bystanders(setup):
            yield f"bystander {compact(bystander)}"
        yield from _prefixed(
            "force", [problem_line(each) for each in self.rules.force_problems(setup)]
        )
        self.state = self._state(0)
        if self.tables:
            yield "first state:"
            yield from (f"  {line}" for line in first_lines(self.rules.play_state(self._play(0))))
        table = self._seen(0)
        if table is not None:
            self.due = due_lines(table)
            yield from _prefixed("due", self.due)

    def _event(self, place: int) -> Iterator[str]:
        event, before = self.events[place], self.events[:place]
        yield ""
        yield f"#{event.sequence} {event.kind}{'' if event.turn is None else f' turn {event.turn}'}"
        yield f"  data {compact(event.data)}"
        if event.dice:
            yield f"  dice {' '.join(map(str, event.dice))}"
        yield f"  says {self.rules.log.sentence(event, self.names)}"
        self.validated[event.kind] += 1
        if self.validated[event.kind] <= VALIDATED:
            problems = event_problems(self.rules, self.setup, before, event)
            yield from _prefixed("problem", [problem_line(each) for each in problems])
        table = self._seen(place + 1)
        if table is not None:
            yield from (f"  {line}" for line in outcome_of(self._play(place + 1).outcome()))
        after = self._state(place + 1)
        yield from _prefixed("state", list(changes(self.state, after)))
        self.state = after
        if table is not None:
            due = due_lines(table)
            gone = [line.split(" | ")[0] for line in self.due if line not in due]
            yield from _prefixed(
                "no longer", [line for line in gone if not line.startswith("phases")]
            )
            yield from _prefixed("due", [line for line in due if line not in self.due])
            self.due = due

    def _tried(self, after: int) -> Iterator[str]:
        """Yield the results of events tried at this point, with and without Muster's dice."""
        for each in self.asked:
            if each.after == after:
                yield from tried_lines(self.rules, self.setup, self.events[:after], each)

    def _table(self, after: int) -> Iterator[str]:
        table = self._seen(after)
        if table is None:
            return
        yield ""
        yield f"-- the table after event {self.events[after - 1].sequence if after else 0}"
        yield from (f"  {line}" for line in table_lines(table))
        for who in ("", *(side.key for side in self.setup.sides), *self._fighters()):
            table_view = self._seen(after, who)
            could = [] if table_view is None else action_lines(table_view, self.glossary)
            if could == self.could.get(who):
                yield f"  {who or 'the table'} can do what it could"
                continue
            self.could[who] = could
            yield f"  {who or 'the table'} can"
            yield from (f"    {line}" for line in could)

    def _result(self) -> Iterator[str]:
        yield ""
        try:
            sheet = self.rules.result(self._play(len(self.events)))
        except RulesError as error:
            yield "== No result"
            yield from _prefixed("problem", [problem_line(each) for each in error.problems])
            return
        yield f"== Result: {sheet.verdict} {words(winner=sheet.winner, turns=sheet.turns)}"
        for side in sheet.sides:
            yield from self._side(side)

    def _side(self, result: SideResult) -> Iterator[str]:
        settings = self.setup.settings
        captives = words(captives=result.captives)
        yield f"side {result.side} {result.outcome}: {result.victory_points} victory points {captives}".rstrip()
        for line in result.lines:
            yield f"  {line.points:+d} {line.sentence} [{line.rule}] {line.code}"
        yield from self._records(result)
        for deed in result.deeds:
            yield f"  deed {compact(deed)}"
        awards = self.rules.progression.awards(result.records, result.deeds, settings)
        worth = [
            (award.fighter, f"{award.amount:+d} {award.sentence} [{award.rule}] {award.code}")
            for award in awards
        ]
        yield from _prefixed("award", gathered(worth))
        yield from _prefixed(
            "recovery dice for",
            list(self.rules.progression.recovery_dice(result.records, settings)),
        )
        earned = {record.fighter: 0 for record in result.records if record.survived}
        for award in awards:
            if award.fighter in earned:
                earned[award.fighter] += award.amount
        if self.tables:
            yield from self._rank_ups(result.side, earned)

    def _records(self, result: SideResult) -> Iterator[str]:
        records = []
        for record in result.records:
            fate, misses = self.rules.progression.fate_after(record, self.setup.settings)
            plain = (
                f"{compact(replace(record, fighter='', rank=0))} becomes {fate}, misses {misses}"
            )
            records.append((f"{record.fighter} (Rank {record.rank})", plain))
        yield from _prefixed("record", gathered(records))

    def _rank_ups(self, key: str, earned: Mapping[str, int]) -> Iterator[str]:
        side = next(each for each in self.setup.sides if each.key == key)
        fighters = tuple(
            RosterFighter(each.id, each.name, each.build, experience=earned.get(each.id, 0))
            for each in side.fighters
        )
        leaders = tuple(each.id for each in side.fighters if each.fills("leader"))
        roster = Roster(
            CampaignTerms(side.faction, side.extras, self.setup.settings),
            fighters,
            {"leader": leaders},
            games_played=1,
        )
        for fighter in [each for each in fighters if each.id in earned][:RANK_UPS_OF]:
            yield f"  rank-ups of {fighter.id} with {fighter.experience}"
            yield from (f"    {line}" for line in rank_up_lines(self.rules, fighter, roster))

    def _play(self, after: int) -> Play[Any]:
        return play_of(self.rules, self.setup, self.events[:after])

    def _seen(self, after: int, who: str = "") -> TableView | None:
        return self.rules.at_table(self._play(after), who)

    def _state(self, after: int) -> dict[str, str]:
        return dict(flat(self.rules.play_state(self._play(after))))

    def _fighters(self) -> list[str]:
        return [fighter.id for side in self.setup.sides for fighter in side.fighters]


def rank_up_lines(rules: Ruleset, fighter: RosterFighter, roster: Roster) -> Iterator[str]:
    """Yield the steps that a fighter is offered, one per line."""
    for step in rules.progression.rank_ups(fighter, roster):
        plain = replace(step, build={}, sheet=rules.sheet(fighter.build, roster.terms), problems=())
        fields = {
            name: getattr(plain, name)
            for name in plain.__struct_fields__
            if name not in ("build", "sheet")
        }
        yield f"{words(**fields)} build={compact(step.build)}"
        yield from (f"  problem {problem_line(each)}" for each in step.problems)


def tried_lines(
    rules: Ruleset, setup: BattleSetup, before: tuple[LoggedEvent, ...], attempt: Asked
) -> Iterator[str]:
    """Yield the problems of an event outside of a log; without any, the dice that Muster rolls."""
    event = attempt.event
    turn = "" if event.turn is None else f" turn {event.turn}"
    yield f"tried after {attempt.after}: {event.kind}{turn} {compact(event.data)}"
    yield from _prefixed(
        "problem", [problem_line(each) for each in _event_problems(rules, setup, before, event)]
    )
    try:
        thrown = throw_dice(rules, setup, before, event, CommittedDice(SEED, "battle"))
    except RulesError as error:
        yield from _prefixed("no dice", [problem_line(each) for each in error.problems])
        return
    if thrown.tells:
        yield f"  dice {words(dice=thrown.dice, apart=thrown.apart)} data {compact(thrown.data)}"
        diced = LoggedEvent(event.sequence, event.kind, thrown.data, event.turn, thrown.dice)
        yield from _prefixed(
            "problem with dice",
            [problem_line(each) for each in _event_problems(rules, setup, before, diced)],
        )


def _event_problems(
    rules: Ruleset, setup: BattleSetup, before: tuple[LoggedEvent, ...], event: LoggedEvent
) -> tuple[Any, ...]:
    return event_problems(rules, setup, before, event)


def _names(rules: Ruleset, setup: BattleSetup) -> dict[str, str]:
    fighters = {fighter.id: fighter.name for side in setup.sides for fighter in side.fighters}
    return {
        **fighters,
        **dict(rules.bystanders(setup)),
        **{side.key: side.name for side in setup.sides},
    }


def _prefixed(prefix: str, lines: list[str]) -> list[str]:
    return [f"  {prefix} {line}" for line in lines]
