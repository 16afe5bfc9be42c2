"""Calculators: morale, fights, shooting, saves, moves and arrivals, with exact chances."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import msgspec

from rulebook.battle_log.play import Play
from rulebook.calculators.asking import as_json, find_question, read_values, second
from rulebook.calculators.questions import Descriptions, Question
from rulebook.calculators.wording import average, reasoned, with_chances
from rulebook.dice.pools import added, chance_of, pool, thinned
from rulebook.dice.rolls import distribution
from rulebook.ruleset import Calculator, Calculators, Problem, RulesError
from rulebook.systems.wards import dice
from rulebook.systems.wards.book import book, figures, read_data
from rulebook.systems.wards.dice import FIGHT
from rulebook.systems.wards.fighters import general_save
from rulebook.systems.wards.state import State
from rulebook.values.answers import Answer, Figure, in_words

Values = Mapping[str, Any]
Structure = TypeVar("Structure", dice.Nerve, dice.Party)
WIDTHS = {"frontages": False, "low": True}
"""The fields with bases abreast of units that shoot, and whether they are low on arrows."""
LABELS = {
    "assaulter": "The assaulter wins",
    "target": "The target wins",
    "draw": "A draw: the target holds",
}


def fields_for(struct: type[Structure], values: Values) -> Structure:
    """Return the values that a structure has a place for; the choice "none" is its empty text."""
    kwargs: Values = {
        key: "" if values[key] == "none" else values[key] for key in struct.__struct_fields__
    }
    return struct(**kwargs)


def widths(text: str, field: str) -> tuple[float, ...]:
    """Bases abreast of several units. Raise RulesError "wrong-frontage"."""
    try:
        frontages = tuple(float(each) for each in text.replace(";", ",").split(",") if each.strip())
    except ValueError:
        frontages = (0.0,)
    if (
        all(0 < each <= 20 and each * 2 == int(each * 2) for each in frontages)
        and len(frontages) <= 12
    ):
        return frontages
    sentence = (
        f"{field!r} cannot be {text!r}: bases abreast in halves, with commas, such as 4, 3.5, 2."
    )
    raise RulesError(Problem("wrong-frontage", sentence, field=field, value=text))


def morale_answer(nerve: dice.Nerve, thrown: tuple[int, ...] = ()) -> Answer:
    """Return how a Ward's morale may end, and what given dice come to."""
    chances, outcome = dice.morale_odds(nerve), dice.outcome_of(dice.fails(thrown, ()))
    rolled = Figure("morale", "These dice", f"{outcome['name']}. {outcome['says']}", dice.MORALE)
    return with_chances(
        f"A rout in {in_words(chances['rout'])}, steady in {in_words(chances['steady'])}.",
        chances,
        {each["key"]: each["name"] for each in figures("morale")["outcome"].values()},
        {"half-bases": ("Half bases of a rout", dice.rout_odds(), "Ruling W-M7")},
        sums=(reasoned("Dice of the test", *dice.morale_lines(nerve)),),
        rolled=(rolled,) if thrown else (),
        assumptions=("In a rout the owner throws again whatever is above the average of 7.",),
    )


def morale(values: Values) -> Answer:
    """Return the morale of a Ward from plain numbers."""
    return morale_answer(fields_for(dice.Nerve, values), values["dice"])


def fight_answer(own: dice.Party, other: dice.Party, *, again: bool, other_again: bool) -> Answer:
    """Return who wins a fight, and how many hits both may score."""
    need = figures("fight")["hits_on"]
    hits = pool(dice.fight_dice(own, other), chance_of(need, again=again))
    against = pool(dice.fight_dice(other, own), chance_of(need, again=other_again))
    chances = dice.fight_odds(hits, against)
    return with_chances(
        f"The assaulter wins in {in_words(chances['assaulter'])}.",
        chances,
        LABELS,
        {
            "hits": ("Hits of the assaulter", hits, FIGHT),
            "target-hits": ("Hits of the target", against, FIGHT),
        },
        sums=(
            reasoned("Dice of the assaulter", *dice.fight_lines(own, other)),
            reasoned("Dice of the target", *dice.fight_lines(other, own)),
        ),
        figures=(
            Figure("hits", "Hits on average", f"{average(hits)} against {average(against)}", FIGHT),
        ),
    )


def fight(values: Values) -> Answer:
    """Return a fight from plain numbers."""
    own = {**values, "frontages": widths(values["frontages"], "frontages")}
    other = {**second(values), "frontages": widths(values["target_frontages"], "target_frontages")}
    sides = (fields_for(dice.Party, {"into_ground": False, **each}) for each in (own, other))
    return fight_answer(*sides, again=values["again"], other_again=values["target_again"])


def shooting(values: Values) -> Answer:
    """Hits, casualties and disorder of units that shoot; those low on arrows hit on 6, and never
    intensely."""
    rules = figures("shooting")

    # Hits of units with arrows, and of those that are low on them, added up.
    hits_of = []
    for field, low in WIDTHS.items():
        number = sum(
            dice.width_dice("shooting", frontage) for frontage in widths(values[field], field)
        )
        need = dice.needs(values["mode"], low=low)
        hits_of.append(pool(number, chance_of(need, again=values["again"])))
    hits = added(*hits_of)

    # Each hit that is not saved is a casualty, and one die is thrown against disorder for it.
    # Ruling W-H3.
    lost = thinned(hits, 1 - chance_of(book().quality[values["quality"]].save))
    keeps = 1 - chance_of(rules["disorder_on"])
    stays = sum((chance * keeps**number for number, chance in lost.items()), Fraction(0))
    empty = 1 - chance_of(rules["low_on"] + 1) if values["mode"] == "intense" else Fraction(0)
    return with_chances(
        f"{average(hits)} hits and {average(lost)} casualties on average.",
        lost,
        tables={"hits": ("Hits", hits, 'Sheet: "Shooting"')},
        figures=(
            Figure("disorder", "Out of order, one unit hit", in_words(1 - stays), "Ruling W-H3"),
            Figure("low", "Arrows running low, each unit", in_words(empty), "Ruling W-H1"),
        ),
    )


def gun(values: Values) -> Answer:
    """Return casualties of a gun's shot, and how soon it is turned."""
    loading, light = figures("turn")["loading"], values["arm"] == "light-gun"
    chances = pool(
        book().arm[values["arm"]].dice, chance_of(figures("artillery")["hits_on"], again=True)
    )
    faces = pool(loading["dice"], chance_of(loading["turns_on"], again=light))
    tables = {"faces": ("Faces turned in one turn", faces, "Ruling W-A3")}
    return with_chances(
        f"{average(chances)} casualties on average, without a save.", chances, tables=tables
    )


def hand_gunners(values: Values) -> Answer:
    """Half bases killed by hand gunners."""
    chances = pool(values["bases"], chance_of(figures("hand_gunners")["kills_on"]))
    return with_chances(f"{average(chances)} half-bases on average.", chances)


def saves(values: Values) -> Answer:
    """Return the casualties that are left of a number of hits."""
    who = book().quality.get(values["who"]) or book().arm[values["who"]]
    chances = pool(values["hits"], 1 - chance_of(who.save))
    return with_chances(
        f"Saved on {who.save} or more: {average(chances)} casualties on average.", chances
    )


def generals(values: Values) -> Answer:
    """Return whether a General who is hit falls, what his Ward loses then, and what an unreliable
    one does."""
    dead_general = figures("turn")["dead_general"]
    unsure = figures("unreliable")
    totals = distribution("2D6")
    fits = {"lives": chance_of(general_save(risked=values["risked"]))}
    leaving = pool(values["units"], chance_of(dead_general["leaves_on"]))
    none = sum(
        (chance for total, chance in totals.items() if total <= unsure["no_fight"]), Fraction(0)
    )
    disorder = sum(
        (chance for total, chance in totals.items() if total >= unsure["disorder_from"]),
        Fraction(0),
    )
    temper = {"no-fight": none, "normal": 1 - none - disorder, "enemy-out-of-order": disorder}
    return with_chances(
        f"Killed in {in_words(1 - fits['lives'])}.",
        {**fits, "falls": 1 - fits["lives"]},
        tables={
            "leaving": (
                "Units that go to the reserves when he falls",
                leaving,
                'Sheet: "Generals"',
            ),
            "unreliable": ("An unreliable General", temper, "Ruling W-U1"),
        },
    )


def cavalry(values: Values) -> Answer:
    """Return units destroyed after a charge, of those that have lost or fallen back."""
    chances = pool(values["units"], chance_of(figures("cavalry")["destroyed_on"]))
    return with_chances(f"{average(chances)} units destroyed on average.", chances)


def move(values: Values) -> Answer:
    """Return the chance that a Ward moves sideways or out of scenery."""
    number = dice.move_dice(
        "sideways", failed_before=values["failed_before"], no_enemy=values["no_enemy"]
    )
    totals, need = distribution(f"{number}D6"), figures("sideways")["need"]
    chance = sum((each for total, each in totals.items() if total >= need), Fraction(0))
    figure = Figure("dice", "Dice", str(number), 'Sheet: "Movement"')
    return with_chances(
        f"It moves in {in_words(chance)}.",
        {"moves": chance, "stays": 1 - chance},
        figures=(figure,),
    )


def arrivals(values: Values) -> Answer:
    """Return the chance that a unit arrives, or that one unit is brought to order or finds arrows.
    Ruling W-A2."""
    rules = figures("turn")
    waits = (1 - chance_of(rules["arrival_on"])) ** values["shares"]
    others = (("order", "Order restored", "order_on"), ("arrows", "Arrows recovered", "arrows_on"))
    shown = tuple(
        Figure(key, label, in_words(chance_of(rules[need]))) for key, label, need in others
    )
    return with_chances(
        f"It arrives in {in_words(1 - waits)}.",
        {"arrives": 1 - waits, "waits": waits},
        figures=shown,
    )


def morale_of(state: State, ward: str, enemy: str, values: Values) -> Answer:
    """Return the morale of a Ward as it stands."""
    return morale_answer(state.nerve(ward, values["hostile_faces"], on_hill=values["on_hill"]))


def fight_of(state: State, ward: str, enemy: str, values: Values) -> Answer:
    """Return a fight of two Wards as they stand."""
    own = state.party(ward, assaults=True, into_ground=values["into_ground"])
    return fight_answer(own, state.party(enemy, assaults=False), again=False, other_again=False)


OF_NUMBERS = (morale, fight, shooting, gun, hand_gunners, saves, generals, cavalry, move, arrivals)
ANSWERS: Mapping[str, Callable[..., Answer]] = {
    each.__name__: each for each in (*OF_NUMBERS, morale_of, fight_of)
}
"""The functions that answer each calculator, by key: about numbers, and about two Wards of a
battle."""


@cache
def questions(about: str = "numbers") -> tuple[Question, ...]:
    """Return every question about numbers, or about a "battle", as ``data/calculators.toml``
    describes them."""
    described = msgspec.convert(read_data("calculators"), Descriptions)
    end = "_of" if about == "battle" else ""
    answered = []
    for calculator in described.calculators({}, {}):
        if calculator.about == about:
            name = calculator.key.replace("-", "_") + end
            answered.append(Question(calculator, ANSWERS[name]))
    return tuple(answered)


class WardsCalculators(Calculators):
    """Morale, fights, shooting and what else takes dice."""

    def all(self) -> tuple[Calculator, ...]:
        return tuple(each.calculator for each in (*questions(), *questions("battle")))

    def ask(self, key: str, values: Values) -> Values:
        question = find_question(key, questions())
        read = read_values(question.calculator, values)
        return as_json(question.calculator, read, question.answer(read))

    def odds_in_battle(
        self, key: str, play: Play[State], attacker: str, target: str, values: Values
    ) -> Values:
        question, state = find_question(key, questions("battle")), play.state
        read = read_values(question.calculator, values)
        for field, combatant_id in (("attacker", attacker), ("target", target)):
            if combatant_id not in state.combatants or not state.ranks(
                state.combatants[combatant_id].key
            ):
                sentence = (
                    f"{combatant_id!r} is in no Ward of this battle. Choose a unit of a Ward."
                )
                raise RulesError(
                    Problem("unknown-combatant", sentence, field=field, value=combatant_id)
                )
        ward, enemy = state.combatants[attacker].key, state.combatants[target].key
        return as_json(question.calculator, read, question.answer(state, ward, enemy, read))
