"""All calculators of En Garde!: which there are, and the door through which they are asked."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rulebook.battle_log.play import Play
from rulebook.calculators.asking import as_json, find_question, read_values
from rulebook.calculators.questions import Question
from rulebook.ruleset import Calculator, Opponent
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
from rulebook.systems.en_garde.play.play_state import PlayState

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
    question = find_question(key, NUMBERS)
    read = read_values(question.calculator, values)
    return as_json(question.calculator, read, question.answer(read))


def odds_between(key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The odds between two fighters of rosters, as JSON. Raises RulesError for an unknown key or wrong values."""
    question = find_question(key, between.QUESTIONS)
    read = read_values(question.calculator, values)
    return as_json(question.calculator, read, question.answer(attacker, target, read))


def odds_in_battle(
    key: str, play: Play[PlayState], attacker: str, target: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The odds between two combatants as they stand in it, as JSON.

    Raises RulesError for an unknown key, wrong values, somebody who is not in the battle.
    """
    question = find_question(key, in_battle.QUESTIONS)
    read = read_values(question.calculator, values)
    return as_json(question.calculator, read, question.answer(play.state, attacker, target, read))
