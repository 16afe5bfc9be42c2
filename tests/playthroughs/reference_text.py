"""The reference of a rule system as text: catalogue, house rules, scenarios, kinds of event."""

from collections.abc import Iterator, Mapping
from typing import Any

from rulebook.book.house_rules import house_rules_json
from rulebook.ruleset import Ruleset
from tests.playthroughs.plain_text import Glossary, compact, words
from tests.playthroughs.table_text import field_text


def reference_lines(rules: Ruleset) -> Iterator[str]:
    """Yield everything that needs no question."""
    glossary = Glossary()
    yield f"== {rules.name} ({rules.key}), edition {rules.edition} {compact(rules.words)}"
    yield words(
        points=rules.points.counted,
        experience=rules.progression.experience({}),
        ranks=rules.progression.ranks,
    )
    for rule, as_json in zip(
        rules.house_rules(), house_rules_json(rules.house_rules()), strict=True
    ):
        shown = {name: each for name, each in as_json.items() if each}
        yield f"house rule {compact(shown)} default={compact(rule.default)}"
    for scenario in rules.scenarios():
        yield f"scenario {compact(scenario)}"
    for kind in rules.log.forms():
        yield (
            f"event {kind.key} {kind.label!r} "
            f"{words(turn_by_turn=kind.turn_by_turn, help=kind.help)}"
        )
        yield from (f"  {field.key}: {field_text(field, glossary)}" for field in kind.fields)
    for calculator in rules.calculators.all():
        more = words(group=calculator.group, help=calculator.help, source=calculator.source)
        yield f"calculator {calculator.key} about {calculator.about} {calculator.name!r} {more}"
        yield from (f"  {field.key}: {field_text(field, glossary)}" for field in calculator.fields)
        yield from (f"  example {compact(example)}" for example in calculator.examples)
    for agreed in (100, 150, 200, 300):
        yield f"limit of battles at {agreed}: {rules.points.battle_limit(agreed, {})}"
    yield from glossary.lines()


def catalogue_lines(rules: Ruleset) -> Iterator[str]:
    """Yield the whole catalogue, one line per item."""
    for section, rows in rules.catalogue({}).items():
        yield f"== {section}"
        yield from _rows(rows)


def _rows(rows: Any) -> Iterator[str]:
    if isinstance(rows, Mapping):
        yield from (f"{key}: {compact(each)}" for key, each in rows.items())
    elif isinstance(rows, list | tuple):
        for row in rows:
            yield from _row(row)
    else:
        yield compact(rows)


def _row(row: Any) -> Iterator[str]:
    """Yield a row in one line, and each row of lists within it, such as profiles."""
    if not isinstance(row, Mapping):
        yield compact(row)
        return
    inner = {
        key for key, each in row.items() if isinstance(each, list | tuple) and each and _long(each)
    }
    yield compact({key: each for key, each in row.items() if key not in inner})
    for key in sorted(inner):
        yield from (f"  {key} {compact(each)}" for each in row[key])


def _long(rows: Any) -> bool:
    return all(isinstance(row, Mapping) for row in rows) and len(compact(rows)) > 500
