"""Rounds of combat: against every throw at the table, and the choice of counters."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from rulebook.systems.en_garde.calculators.registry import ask
from rulebook.systems.en_garde.calculators.rounds import Duel, duellist_of, round_answer
from rulebook.systems.en_garde.odds.duel import Policy
from rulebook.systems.en_garde.table.blows import Melee, Stance, resolve_blow
from rulebook.systems.en_garde.table.combatant import (
    Combatant,
    Grip,
    initiative_modifiers,
    present_numbers,
    total,
)
from rulebook.systems.en_garde.table.rounds import Split, open_round, struck
from rulebook.systems.en_garde.table.wounds import Wound, WoundState, WoundTable, suffer

DIE = range(1, 7)
BRUTE = Combatant(
    "a",
    "A",
    2,
    combat_pool=1,
    fight=3,
    initiative=1,
    weapons=("great-weapon",),
    attributes={"powerful": ()},
)
GUARD = Combatant(
    "b", "B", 2, combat_pool=1, fight=2, initiative=2, worn=1, buckler=True, weapons=("spear",)
)
HURT = replace(GUARD, wounds=WoundState(stunned=1, wound=Wound.LIGHT), attributes={"tough": ()})
AXE, SPEAR = Grip("great-weapon"), Grip("spear")
NO_PLOYS = Policy(parry=False)


def played(first, other, grips):
    """Yield every way to play a round of one blow each at the table, with its weight."""
    for order, weight in orders(first, other, grips):
        fight = open_round(
            ((first, "a", int(order == "a")), (other, "b", int(order == "b"))),
            {"a": Split(1, 0), "b": Split(1, 0)},
        )
        yield from blows(fight, {"a": first, "b": other}, grips, weight)


def orders(first, other, grips):
    """Yield who is first, with the number of throws that lead to it; ties are rolled again."""
    scores = {}
    for key, fighter in (("a", first), ("b", other)):
        scores[key] = present_numbers(fighter).initiative + total(
            initiative_modifiers(fighter, grips[key])
        )
    throws = [(scores["a"] + x) - (scores["b"] + y) for x, y in product(DIE, repeat=2)]
    ahead = Fraction(sum(each > 0 for each in throws)) + Fraction(
        sum(each == 0 for each in throws), 2
    )
    return (("a", ahead / 36), ("b", 1 - ahead / 36))


def blows(fight, fighters, grips, weight):
    """Yield every way in which a round continues from here."""
    if fight.over:
        yield tuple(fighters[key].wounds.worst for key in "ab"), weight
        return
    attacker = fight.next.id
    target = "b" if attacker == "a" else "a"
    after = struck(fight, attacker, target, frozenset(), frozenset())
    results = Counter(
        resolve_blow(
            Melee(
                fighters[attacker], Stance(grips[attacker]), fighters[target], Stance(grips[target])
            ),
            throw[:2],
            throw[2:],
        ).result
        for throw in product(DIE, repeat=3)
    )
    for result, often in results.items():
        changed = dict(fighters)
        if result is not None:
            changed[target] = replace(
                fighters[target], wounds=suffer(fighters[target].wounds, result)
            )
        out = changed[target].wounds.out
        fencers = tuple(
            replace(each, out=each.out or (out and each.id == target)) for each in after.fencers
        )
        yield from blows(
            replace(after, fencers=fencers), changed, grips, weight * Fraction(often, 216)
        )


@pytest.mark.parametrize("other", [GUARD, HURT])
def test_the_odds_of_a_round_equal_every_throw_at_the_table(other):
    grips = {"a": AXE, "b": SPEAR}
    counted: Counter[tuple[str, str]] = Counter()
    for end, weight in played(BRUTE, other, grips):
        counted[end] += weight
    duel = Duel(
        duellist_of(BRUTE, AXE, other, NO_PLOYS), duellist_of(other, SPEAR, BRUTE, NO_PLOYS)
    )
    answer = round_answer(duel, Split(1, 0), Split(1, 0))
    dead = sum(weight for (_, theirs), weight in counted.items() if theirs == "critical")
    assert answer.outcomes["second-falls"] == str(dead)
    assert answer.outcomes["first-falls"] == str(
        sum(w for (mine, _), w in counted.items() if mine == "critical")
    )
    first = next(table for table in answer.tables if table.key == "first-after")
    unhurt = next(row for row in first.rows if row.key == "")
    assert unhurt.chance == str(sum(w for (mine, _), w in counted.items() if mine == ""))


def figures(key, **values):
    return {figure["key"]: figure["value"] for figure in ask(key, values)["figures"]}


def test_a_round_by_numbers_and_by_profiles_is_the_same():
    values = {"attack": "1", "defence": "1", "other_attack": "1", "other_defence": "0"}
    listed = ask(
        "round",
        {**values, "profile": "cardinals-guard/guard", "other_profile": "cardinals-guard/ruffian"},
    )
    numbers = {
        "fight": "2",
        "initiative": "0",
        "initiative_modifier": "0",
        "wound_modifier": "0",
        "armour_rating": "0",
    }
    weaker = {f"other_{key}": value for key, value in {**numbers, "fight": "1"}.items()}
    assert listed["outcomes"] == ask("round", {**values, **numbers, **weaker})["outcomes"]


def test_what_is_left_open_is_filled_up_to_the_combat_pool():
    answer = ask("round", {"profile": "three-musketeers/athos", "attack": "4", "other_rank": "3"})
    assert answer["assumptions"][0].startswith("The first has 4 Attack and 2 Defence counters")
    assert answer["assumptions"][1].startswith("The second has 2 Attack and 1 Defence counters")


def test_the_relentless_draw_no_defence_counters():
    answer = ask("round", {"profile": "fantastical/revenant"})
    assert answer["assumptions"][0].startswith("The first has 2 Attack and 0 Defence counters")
    errors = ask("round", {"profile": "fantastical/revenant", "attack": "1", "defence": "1"})[
        "forbidden"
    ]
    assert [problem["code"] for problem in errors] == ["no-defence"]


def test_too_many_counters_are_forbidden_to_those_of_the_lists_alone():
    listed = ask("round", {"profile": "cardinals-guard/guard", "attack": "3", "defence": "3"})
    assert [problem["code"] for problem in listed["forbidden"]] == ["wrong-pool"]
    assert ask("round", {"attack": "3", "defence": "3"})["forbidden"] == ()


def test_riposte_needs_the_ability():
    values = {"riposte": "true", "other_attack": "2"}
    plain = ask("round", values)["outcomes"]
    assert plain == ask("round", {"other_attack": "2"})["outcomes"]
    assert ask("round", {**values, "weapon_master": "true"})["outcomes"] != plain


def test_the_best_split_is_the_best_of_the_grid():
    answer = ask(
        "best-split", {"pool": "3", "fight": "4", "other_attack": "2", "other_defence": "1"}
    )
    (grid,) = answer["grids"]
    best = max(float(row["cells"][0]) for row in grid["rows"])
    assert f"{best:+.2f}" == next(
        each["value"] for each in answer["figures"] if each["key"] == "worth"
    )
    assert len(grid["rows"]) == 4


def test_the_secret_choice_of_equals_is_worth_nothing_to_either():
    answer = ask("equilibrium", {"pool": "2", "other_pool": "2"})
    mine, theirs, payoffs = answer["grids"]
    assert answer["figures"][0]["value"] == "0.00"
    assert [row["label"] for row in mine["rows"]] == [row["label"] for row in theirs["rows"]]
    assert payoffs["columns"] == ("0/2", "1/1", "2/0")
    assert any("Muster's own scale" in line for line in answer["assumptions"])


def test_the_largest_question_has_an_answer():
    tricks = {"weapon_master": "1", "riposte": "1", "fast": "1", "mighty_blow": "1", "pool": "8"}
    values = {**tricks, **{f"other_{key}": value for key, value in tricks.items()}}
    assert len(ask("equilibrium", values)["grids"][2]["rows"]) == 9


def test_a_body_of_another_table_reads_it():
    large = ask("round", {"other_table": "large"})["outcomes"]["second-falls"]
    huge = ask("round", {"other_table": "huge"})["outcomes"]["second-falls"]
    plain = ask("round", {})["outcomes"]["second-falls"]
    assert Fraction(huge) < Fraction(large) < Fraction(plain)
    assert (
        duellist_of(replace(GUARD, table=WoundTable.HUGE), SPEAR, BRUTE, NO_PLOYS).table
        is WoundTable.HUGE
    )


def test_what_is_left_out_of_a_round_is_said_where_it_matters():
    milady = ask(
        "round",
        {"profile": "cardinals-guard/milady-de-winter", "other_profile": "cardinals-guard/guard"},
    )
    assert "Rolls against a Beguiling enemy are not counted." in milady["assumptions"]
    assert "Poison at the end of the phase is not counted." in milady["assumptions"]
    plain = ask("equilibrium", {})
    assert not any("Beguiling" in each or "mounts" in each for each in plain["assumptions"])
