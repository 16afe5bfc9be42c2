"""All calculators of En Garde!, as ``data/calculators.toml`` describes them: which there are, and
what answers each."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from rulebook.battle_log.play import Play
from rulebook.book.data import read_data
from rulebook.calculators.asking import as_json, find_question, read_values
from rulebook.calculators.questions import Descriptions, Question, Values
from rulebook.ruleset import Calculator, Opponent
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.calculators import checks, encounters, preparation
from rulebook.systems.en_garde.calculators.attacks import odds_of_an_attack
from rulebook.systems.en_garde.calculators.encounters import Encounter, fighting, shooting
from rulebook.systems.en_garde.calculators.fighters import OPEN_HOUSE, SKILLS
from rulebook.systems.en_garde.calculators.shots import odds_of_a_shot
from rulebook.systems.en_garde.calculators.spells import casting
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.rosters.prices import goods
from rulebook.values.answers import Answer
from rulebook.values.fields import Choices, Field

DATA = Path(__file__).parents[1] / "data" / "calculators.toml"
ENCOUNTERS: Mapping[str, Callable[[Encounter], Answer]] = {
    "shot": encounters.shot,
    "attack": encounters.attack,
    "round": encounters.one_round,
    "best-split": encounters.best_split,
    "equilibrium": encounters.equilibrium,
}
"""The functions that answer questions about two given fighters, by key."""


def _round(answer: Callable[[Encounter], Answer], values: Values) -> Answer:
    return answer(fighting(values, "other_", "The first", "The second"))


NUMBERS: Mapping[str, Callable[[Values], Answer]] = {
    "shot": odds_of_a_shot,
    "resolve-shot": lambda values: encounters.shot(shooting(values)),
    "attack": odds_of_an_attack,
    "resolve-attack": lambda values: encounters.attack(
        fighting(values, "defender_", "The attacker", "The defender")
    ),
    "round": partial(_round, encounters.one_round),
    "best-split": partial(_round, encounters.best_split),
    "equilibrium": partial(_round, encounters.equilibrium),
    "morale": checks.morale_test,
    "stun-removal": checks.stun_removal,
    "dexterity": checks.dexterity,
    "fall": checks.what_a_fall_does,
    "drowning": checks.drowning,
    "spell": casting,
    "priority": checks.priority,
    "custom-fighter": preparation.custom_fighter,
    "set-up": preparation.set_up_of,
    "forces": preparation.forces,
}
"""The functions that answer questions by their fields alone, by key."""


@cache
def calculators() -> tuple[Calculator, ...]:
    """Return every calculator: those about numbers, those about two fighters, and those about a
    battle under way."""
    skill_rows = {key.replace("-", "_"): catalogue().attributes[key] for key in SKILLS}
    skills = {
        key: Field(key, skill.name, "flag", False, help=skill.note, default="false")
        for key, skill in skill_rows.items()
    }
    return read_data(DATA, Descriptions).calculators(_choices(), skills)


def _choices() -> Mapping[str, Choices]:
    """Return what can be chosen from the lists and tables of the book, by the name that fields give
    it."""
    book, arms = catalogue(), catalogue().arms
    close_combat = arms.close_combat.values()
    missiles = [(row.key, row.name) for row in arms.missiles.values()]
    profiles = []
    for army in book.factions.values():
        profiles += [
            (f"{army.key}/{row.key}", f"{row.name} ({army.name})") for row in army.profiles
        ]
    # What is bought for one weapon is asked for by a field of its own.
    sold = (each for each in goods(settled(OPEN_HOUSE)) if ":" not in each.key)
    return {
        "profiles": tuple(profiles),
        "close-combat-rows": tuple((row.key, row.name) for row in close_combat),
        "close-combat-weapons": tuple(
            (row.comes_with or row.key, row.name) for row in close_combat
        ),
        "missile-rows": tuple(missiles),
        "missile-weapons": (*missiles, *((gun.key, gun.name) for gun in arms.guns.values())),
        "goods": tuple((each.key, f"{each.name}, {each.points}") for each in sold),
        "attributes": tuple(
            (
                key,
                f"{attribute.name}, {attribute.points}"
                if attribute.points
                else f"{attribute.name}, 4 a Rank",
            )
            for key, attribute in book.attributes.items()
            if not attribute.weapon
        ),
        "spells": tuple((key, spell.name) for key, spell in book.spells.items()),
        "rates": tuple((rate.key, rate.name) for rate in book.rates.values()),
        "morale": tuple(
            (str(rating), f"{rating} ({surcharge:+} a fighter)")
            for rating, surcharge in book.calculator.morale.surcharge.items()
        ),
        "scenarios": tuple((facts.key, facts.name) for facts in scenario_facts()),
    }


@cache
def questions(about: str) -> tuple[Question, ...]:
    """Return the questions about "numbers", two "fighters" of rosters, or a "battle"."""
    answers: Mapping[str, Callable[..., Answer]] = NUMBERS if about == "numbers" else ENCOUNTERS
    return tuple(Question(each, answers[each.key]) for each in calculators() if each.about == about)


def ask(key: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answer of a calculator about numbers, as JSON.

    Raises RulesError for an unknown key or wrong values.
    """
    return _asked("numbers", key, values, lambda read: read)


def odds_between(
    key: str, attacker: Opponent, target: Opponent, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the odds between two fighters of rosters, as JSON.

    Raises RulesError for an unknown key or wrong values.
    """
    return _asked("fighters", key, values, partial(encounters.of_rosters, attacker, target))


def odds_in_battle(
    key: str, play: Play[PlayState], attacker: str, target: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the odds between two combatants in their present state, as JSON.

    Raises RulesError for an unknown key, wrong values, somebody who is not in the battle.
    """
    return _asked(
        "battle", key, values, partial(encounters.in_battle, play.state, attacker, target)
    )


def _asked(
    about: str, key: str, values: Mapping[str, Any], reader: Callable[[Values], Any]
) -> Mapping[str, Any]:
    question = find_question(key, questions(about))
    read = read_values(question.calculator, values)
    return as_json(question.calculator, read, question.answer(reader(read)))
