"""All calculators of En Garde!: which there are, and the door through which they are asked."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, Calculator, LoggedEvent, Opponent, Problem, RulesError
from rulebook.systems.en_garde.calculators import (
    attacks,
    between,
    custom_fighters,
    in_battle,
    magic,
    mishaps,
    nerve,
    preparation,
    priority,
    rounds,
    shots,
)
from rulebook.systems.en_garde.calculators.questions import Question
from rulebook.systems.en_garde.calculators.reading import read_values
from rulebook.systems.en_garde.log.battle_log import replay
from rulebook.values.answers import Answer

NUMBERS: tuple[Question, ...] = (
    *shots.QUESTIONS,
    *attacks.QUESTIONS,
    *rounds.QUESTIONS,
    *nerve.QUESTIONS,
    *mishaps.QUESTIONS,
    *magic.QUESTIONS,
    *priority.QUESTIONS,
    *custom_fighters.QUESTIONS,
    *preparation.QUESTIONS,
)
"""Calculators that need nothing but their fields."""


@cache
def calculators() -> tuple[Calculator, ...]:
    """Every calculator: those about numbers, those about two fighters, and those about a battle under way."""
    return tuple(question.calculator for question in (*NUMBERS, *between.QUESTIONS, *in_battle.QUESTIONS))


def ask(key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer of a calculator about numbers, as JSON. Raises RulesError for an unknown key or wrong values."""
    question = _named(key, NUMBERS)
    read = read_values(question.calculator, values)
    return _as_json(question, read, question.answer(read))


def odds_between(key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The odds between two fighters of rosters, as JSON. Raises RulesError for an unknown key or wrong values."""
    question = _named(key, between.QUESTIONS)
    read = read_values(question.calculator, values)
    return _as_json(question, read, question.answer(attacker, target, read))


def odds_in_battle(
    key: str,
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    attacker: str,
    target: str,
    values: Mapping[str, Any],
) -> Mapping[str, Any]:
    """The odds between two combatants as a log leaves them, as JSON.

    Raises RulesError for an unknown key, wrong values, somebody who is not in the battle, a log that does not add up.
    """
    question = _named(key, in_battle.QUESTIONS)
    read = read_values(question.calculator, values)
    return _as_json(question, read, question.answer(replay(setup, events), attacker, target, read))


def _named(key: str, questions: tuple[Question, ...]) -> Question:
    known = {question.calculator.key: question for question in questions}
    if key not in known:
        sentence = f"There is no calculator {key!r}; there is {', '.join(known)}."
        raise RulesError(Problem("unknown-calculator", sentence, field="calculator", value=key))
    return known[key]


def _as_json(question: Question, read: Mapping[str, Any], answer: Answer) -> Mapping[str, Any]:
    calculator = question.calculator
    told = {key: value for key, value in read.items() if value not in (None, "", ())}
    whole = replace(answer, calculator=calculator.key, name=calculator.name, source=calculator.source, asked=told)
    data: Mapping[str, Any] = msgspec.to_builtins(whole)
    return data
