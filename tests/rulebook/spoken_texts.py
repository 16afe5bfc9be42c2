"""The texts of a rule system that people read on pages, for tests of their translation."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.battle_log.play import Play
from rulebook.ruleset import Ruleset
from rulebook.values.fields import Field
from tests.plays import event_problems, play_of
from tests.playthroughs.corpus import FOLDER
from tests.playthroughs.logs import KeptLog, read_log, read_logs

TEXT_FIELDS = frozenset(
    [
        "assumptions",
        "button",
        "gains",
        "headline",
        "help",
        "how",
        "hurdle",
        "instead_button",
        "keeps",
        "label",
        "length",
        "means",
        "note",
        "reason",
        "sentence",
        "sentences",
        "standing",
        "strength",
        "summary",
        "text",
        "title",
        "verdict",
        "victory",
        "what",
    ]
)
"""The fields of structures with sentences or labels in English. Names of the rulebook, keys and
ids are other fields."""
TABLE_EVERY = 25
"""The number of events after which the whole table is read."""


def texts_of(value: Any) -> Iterator[str]:
    """Yield the texts in a value that people read, with those of structures within it."""
    if isinstance(value, Field):
        yield from _texts_of_choices(value)
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            inner = getattr(value, name)
            if isinstance(inner, str):
                yield from [inner] if name in TEXT_FIELDS and inner else []
            elif name in TEXT_FIELDS and isinstance(inner, tuple):
                yield from (text for text in inner if isinstance(text, str))
                yield from texts_of([each for each in inner if not isinstance(each, str)])
            else:
                yield from texts_of(inner)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_of(inner)


def reference_texts(rules: Ruleset) -> Iterator[str]:
    """Yield the texts that need no battle: house rules, scenarios, forms, headings, rulings."""
    yield from texts_of(rules.house_rules())
    yield from texts_of(rules.scenarios())
    yield from texts_of(rules.log.forms())
    yield from texts_of(rules.calculators.all())
    yield from texts_of(rules.reference({}))
    catalogue = rules.catalogue({})
    for part in ("headings", "rulings"):
        yield from (each["says"] for each in catalogue.get(part, ()))
    for calculator in rules.calculators.all():
        for example in calculator.examples:
            yield from _answer_texts(rules.calculators.ask(calculator.key, example))


def battle_texts(rules: Ruleset) -> Iterator[str]:
    """Yield the texts of the played battles of ``tests/playthroughs``: table, log, result."""
    home = FOLDER / rules.key / "logs"
    for path in sorted(home.glob("*.json")):
        yield from _texts_of_log(rules, read_log(path))
    for path in sorted((home / "by-hand").glob("*.json")):
        for log in read_logs(path).values():
            yield from _texts_of_log(rules, log)


def all_texts(rules: Ruleset) -> frozenset[str]:
    """Return every text of a rule system that is known to be shown."""
    return frozenset([*reference_texts(rules), *battle_texts(rules)])


def _texts_of_log(rules: Ruleset, log: KeptLog) -> Iterator[str]:
    names = {
        **{side.key: side.name for side in log.setup.sides},
        **{fighter.id: fighter.name for side in log.setup.sides for fighter in side.fighters},
        **dict(rules.bystanders(log.setup)),
    }
    yield from texts_of(rules.force_problems(log.setup))
    for place, event in enumerate(log.events):
        yield rules.log.sentence(event, names)
        play = play_of(rules, log.setup, log.events[: place + 1])
        yield from texts_of(play.outcome())
        if place % TABLE_EVERY == 0 or place == len(log.events) - 1:
            yield from _table_texts(rules, log, play)
    for each in log.asked:
        yield from texts_of(event_problems(rules, log.setup, log.events[: each.after], each.event))
    result = rules.result(play_of(rules, log.setup, log.events))
    yield from texts_of(result)
    for side in result.sides:
        yield from texts_of(rules.progression.awards(side.records, side.deeds, log.setup.settings))


def _table_texts(rules: Ruleset, log: KeptLog, play: Play[Any]) -> Iterator[str]:
    fighters = [fighter.id for side in log.setup.sides for fighter in side.fighters]
    for who in ("", *(side.key for side in log.setup.sides), *fighters):
        yield from texts_of(rules.at_table(play, who))


def _texts_of_choices(field: Field) -> Iterator[str]:
    yield from (label for _, label in field.choices)


def _answer_texts(answer: Any) -> Iterator[str]:
    """Yield the texts of an answer as JSON."""
    if isinstance(answer, Mapping):
        for key, inner in answer.items():
            if key in TEXT_FIELDS and isinstance(inner, str):
                yield inner
            else:
                yield from _answer_texts(inner)
    elif isinstance(answer, list | tuple):
        for inner in answer:
            yield from _answer_texts(inner)
    elif isinstance(answer, Struct):
        yield from _answer_texts(msgspec.to_builtins(answer))
