"""Calculators as text: their examples, stored questions, and the odds between two fighters."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rulebook.battle_log.play import replay
from rulebook.ruleset import RulesError, Ruleset
from tests.playthroughs.asked import AskedBattle, AskedFighters, AskedNumbers, read_rows
from tests.playthroughs.logs import read_log
from tests.playthroughs.plain_text import compact, first_lines, problem_line


def example_lines(rules: Ruleset) -> Iterator[str]:
    """Yield the answers to every example of every calculator about numbers."""
    for calculator in rules.calculators.all():
        for example in calculator.examples if calculator.about == "numbers" else ():
            yield from _numbers(rules, calculator.key, example)


def asked_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the answers to the questions of a file."""
    for row in read_rows(path, AskedNumbers):
        yield from _numbers(rules, row.key, row.values)


def _numbers(rules: Ruleset, key: str, values: Mapping[str, Any]) -> Iterator[str]:
    yield f"== {key} {compact(values)}"
    yield from _answer(lambda: rules.calculators.ask(key, values))


def between_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the odds between two fighters of rosters."""
    for row in read_rows(path, AskedFighters):
        yield (
            f"== {row.key} {compact(row.attacker)} against {compact(row.target)} "
            f"{compact(row.values)}"
        )
        yield from _answer(
            lambda row=row: rules.calculators.odds_between(  # type: ignore[misc]
                row.key, row.attacker, row.target, row.values
            )
        )


def in_battle_lines(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield the odds between two combatants of a stored log, by every calculator about battles."""
    keys = [
        calculator.key for calculator in rules.calculators.all() if calculator.about == "battle"
    ]
    for row in read_rows(path, AskedBattle):
        log = read_log(path.parent.parent / "logs" / f"{row.log}.json")
        events = log.events[: row.after]
        for key in keys:
            yield f"== {key} {compact(row)}"
            yield from _answer(
                lambda key=key, row=row, log=log, events=events: rules.calculators.odds_in_battle(  # type: ignore[misc]
                    key, replay(rules.log, log.setup, events), row.attacker, row.target, {}
                )
            )


def _answer(ask: Callable[[], Mapping[str, Any]]) -> Iterator[str]:
    try:
        answer = ask()
    except RulesError as error:
        yield from (f"  problem {problem_line(each)}" for each in error.problems)
        return
    yield from (
        f"  {line}" for line in first_lines({key: each for key, each in answer.items() if each})
    )
