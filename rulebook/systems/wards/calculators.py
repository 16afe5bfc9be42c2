"""What can be asked beside a battle: morale, fights, shooting, saves, moves and arrivals, with exact chances."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from rulebook.battle_log.play import Play
from rulebook.calculators.asking import as_json, find_question, read_values
from rulebook.calculators.questions import Question
from rulebook.calculators.wording import reasoned
from rulebook.ruleset import Calculator, Calculators, Problem, RulesError
from rulebook.systems.wards.book import book, figures, read_data
from rulebook.systems.wards.fights import FIGHT, Party, fight_dice, fight_lines, fight_odds, hit_odds
from rulebook.systems.wards.morale import MORALE, Nerve, fails, morale_lines, morale_odds, outcome_of, rout_odds
from rulebook.systems.wards.moving import MOVEMENT, arrival_chance, move_chance, move_dice
from rulebook.systems.wards.pools import Chances, chance_of
from rulebook.systems.wards.shooting import (
    SHOOTING,
    Volley,
    casualty_odds,
    disorder_chance,
    gun_odds,
    hand_gunner_odds,
    loading_odds,
    volley_odds,
)
from rulebook.systems.wards.state import State
from rulebook.systems.wards.units import general_save
from rulebook.values.answers import Answer, ChanceTable, Figure, chance_table, in_words, percentages, texts

Values = Mapping[str, Any]
Tables = tuple[ChanceTable, ...]
SIDES = (("", "The assaulter"), ("target_", "The target"))


def with_chances(
    headline: str,
    chances: Mapping[str, Fraction],
    labels: Any = None,
    tables: tuple[ChanceTable, ...] = (),
    **more: Any,
) -> Answer:
    """An answer with a main table, and others behind it."""
    every = (chance_table("outcomes", "Each result", chances, labels), *tables)
    return Answer(headline=headline, outcomes=texts(chances), percentages=percentages(chances), tables=every, **more)


def counts(chances: Chances) -> dict[str, Fraction]:
    """Chances of numbers by the numbers as text."""
    return {str(number): chance for number, chance in chances.items()}


def mean(chances: Chances) -> str:
    """The average of a number, to two decimals."""
    return f"{float(sum(number * chance for number, chance in chances.items())):.2f}"


def widths(told: str, field: str) -> tuple[float, ...]:
    """Bases abreast of several units. Raises RulesError "wrong-frontage"."""
    try:
        found = tuple(float(each) for each in told.replace(";", ",").split(",") if each.strip())
    except ValueError:
        found = (0.0,)
    if all(0 < each <= 20 and each * 2 == int(each * 2) for each in found) and len(found) <= 12:
        return found
    sentence = f"{field!r} cannot be {told!r}: bases abreast in halves, with commas, such as 4, 3.5, 2."
    raise RulesError(Problem("wrong-frontage", sentence, field=field, value=told))


def morale_answer(nerve: Nerve, thrown: tuple[int, ...] = ()) -> Answer:
    """How a Ward's morale may end, and what given dice come to."""
    chances, lines = morale_odds(nerve), morale_lines(nerve)
    labels = {each["key"]: each["name"] for each in figures("morale")["outcome"].values()}
    found = outcome_of(fails(thrown, ())) if thrown else None
    return with_chances(
        f"A rout in {in_words(chances['rout'])}, steady in {in_words(chances['steady'])}.",
        chances,
        labels,
        sums=(reasoned("Dice of the test", *lines),),
        tables=(chance_table("half-bases", "Half bases of a rout", counts(rout_odds()), rule="Ruling W-M7"),),
        rolled=(Figure("morale", "These dice", f"{found['name']}. {found['says']}", MORALE),) if found else (),
        assumptions=("In a rout the owner throws again whatever is above the average of 7.",),
    )


def morale(values: Values) -> Answer:
    """The morale of a Ward from plain numbers."""
    keys = ("casualties", "hostile_faces", "levy", "better_units", "on_hill")
    general = "morale" if values["general"] == "attribute" else str(values["general"])
    return morale_answer(Nerve(general=general, **{key: values[key] for key in keys}), values["dice"])


def fight_answer(own: Party, other: Party, *, again: bool, other_again: bool) -> Answer:
    """Who wins a fight, and how many hits both may score."""
    pairs = (("Dice of the assaulter", own, other), ("Dice of the target", other, own))
    sums = tuple(reasoned(title, *fight_lines(one, two)) for title, one, two in pairs)
    hits = hit_odds(fight_dice(own, other), again=again)
    against = hit_odds(fight_dice(other, own), again=other_again)
    chances = fight_odds(hits, against)
    labels = {"assaulter": "The assaulter wins", "target": "The target wins", "draw": "A draw: the target holds"}
    return with_chances(
        f"The assaulter wins in {in_words(chances['assaulter'])}.",
        chances,
        labels,
        sums=sums,
        tables=(
            chance_table("hits", "Hits of the assaulter", counts(hits), rule=FIGHT),
            chance_table("target-hits", "Hits of the target", counts(against), rule=FIGHT),
        ),
        figures=(Figure("hits", "Hits on average", f"{mean(hits)} against {mean(against)}", FIGHT),),
    )


def fight(values: Values) -> Answer:
    """A fight from plain numbers."""
    own, other = (
        Party(
            widths(values[f"{side}frontages"], f"{side}frontages"),
            values[f"{side}rear"],
            values[f"{side}foot"],
            values[f"{side}general"],
            values[f"{side}leading"],
            values[f"{side}better_units"],
            values[f"{side}levy"],
            values["into_ground"] and not side,
        )
        for side, _ in SIDES
    )
    return fight_answer(own, other, again=values["again"], other_again=values["target_again"])


def shooting(values: Values) -> Answer:
    """Hits, casualties and disorder of a Ward that shoots."""
    low = widths(values["low"], "low")
    volley = Volley(widths(values["frontages"], "frontages"), low, values["mode"], values["again"])
    hits = volley_odds(volley)
    lost = casualty_odds(hits, book().quality[values["quality"]].save)
    return with_chances(
        f"{mean(hits)} hits and {mean(lost)} casualties on average.",
        counts(lost),
        tables=(chance_table("hits", "Hits", counts(hits), rule=SHOOTING),),
        figures=(
            Figure("disorder", "Out of order, one unit hit", in_words(disorder_chance(lost)), "Ruling W-H3"),
            Figure("low", "Arrows running low, each unit", "1/2 (50%)" if values["mode"] == "intense" else "0"),
        ),
    )


def gun(values: Values) -> Answer:
    """Casualties of a gun's shot, and how soon it is turned."""
    chances, faces = gun_odds(values["arm"]), loading_odds(light=values["arm"] == "light-gun")
    return with_chances(
        f"{mean(chances)} casualties on average, without a save.",
        counts(chances),
        tables=(chance_table("faces", "Faces turned in one turn", counts(faces), rule="Ruling W-A3"),),
    )


def hand_gunners(values: Values) -> Answer:
    """Half bases killed by hand gunners."""
    chances = hand_gunner_odds(values["bases"])
    return with_chances(f"{mean(chances)} half bases on average.", counts(chances))


def saves(values: Values) -> Answer:
    """Casualties that are left of so many hits."""
    need = general_save(risked=values["risked"]) if values["who"] == "general" else _save_of(values["who"])
    chances = casualty_odds({values["hits"]: Fraction(1)}, need)
    return with_chances(f"Saved on {need} or more: {mean(chances)} casualties on average.", counts(chances))


def _save_of(who: str) -> int:
    return book().quality[who].save if who in book().quality else book().arm[who].save


def move(values: Values) -> Answer:
    """The chance that a Ward moves sideways or out of scenery."""
    number = move_dice("sideways", failed_before=values["failed_before"], no_enemy=values["no_enemy"])
    chance = move_chance(number)
    figures_ = (Figure("dice", "Dice", str(number), MOVEMENT),)
    return with_chances(f"It moves in {in_words(chance)}.", {"moves": chance, "stays": 1 - chance}, figures=figures_)


def arrivals(values: Values) -> Answer:
    """The chance that a unit arrives, or that one unit is brought to order or finds arrows."""
    chance, known = arrival_chance(values["shares"]), figures("turn")
    others = (("order", "Order restored", "order_on"), ("arrows", "Arrows recovered", "arrows_on"))
    return with_chances(
        f"It arrives in {in_words(chance)}.",
        {"arrives": chance, "waits": 1 - chance},
        figures=tuple(Figure(key, label, in_words(chance_of(known[need]))) for key, label, need in others),
    )


ANSWERS = (morale, fight, shooting, gun, hand_gunners, saves, move, arrivals)
"""What answers each question, by the name of the function."""


@cache
def questions(about: str = "numbers") -> tuple[Question, ...]:
    """Every question about numbers, or about a "battle", as ``data/calculators.toml`` describes them."""
    answers = {each.__name__.replace("_", "-"): each for each in ANSWERS}
    found = []
    for key, told in read_data("calculators").items():
        both = [
            {**row, "key": prefix + row["key"], "group": name}
            for prefix, name in SIDES
            for row in told.get("twice", ())
        ]
        fields = [{"required": False, **row} for row in (*both, *told["fields"])]
        asked = msgspec.convert({"key": key, **told, "fields": fields}, Calculator)
        found += [Question(asked, answers[asked.key])] if asked.about == about else []
    return tuple(found)


class WardsCalculators(Calculators):
    """Morale, fights, shooting and what else takes dice."""

    def listed(self) -> tuple[Calculator, ...]:
        return tuple(each.calculator for each in (*questions(), *questions("battle")))

    def ask(self, key: str, values: Values) -> Values:
        question = find_question(key, questions())
        read = read_values(question.calculator, values)
        return as_json(question.calculator, read, question.answer(read))

    def odds_in_battle(self, key: str, play: Play[State], attacker: str, target: str, values: Values) -> Values:
        question, state = find_question(key, questions("battle")), play.state
        read = read_values(question.calculator, values)
        for field, one in (("attacker", attacker), ("target", target)):
            if one not in state.combatants or not state.units(state.combatants[one].key):
                sentence = f"{one!r} stands in no Ward of this battle. Name a unit that does."
                raise RulesError(Problem("unknown-combatant", sentence, field=field, value=one))
        ward, enemy = state.combatants[attacker].key, state.combatants[target].key
        own = state.party(ward, assaults=True, into_ground=read["into_ground"])
        answer = fight_answer(own, state.party(enemy, assaults=False), again=False, other_again=False)
        return as_json(question.calculator, read, answer)
