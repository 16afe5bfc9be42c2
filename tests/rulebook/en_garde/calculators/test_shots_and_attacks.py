"""Odds of shots and attacks: the two fixed forms, and every circumstance against every throw at the
table."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.calculators.attacks import Strike, attack_answer
from rulebook.systems.en_garde.calculators.registry import ask
from rulebook.systems.en_garde.calculators.shots import Aim, shot_answer
from rulebook.systems.en_garde.table.blows import (
    Ploy,
    Stance,
    attack_dice,
    defence_dice,
    rerollable,
    resolve_blow,
)
from rulebook.systems.en_garde.table.combatant import Combatant, Grip, Steed
from rulebook.systems.en_garde.table.shooting import (
    Cover,
    Shot,
    may_reroll_shot,
    missile,
    resolve_shot,
)
from rulebook.systems.en_garde.table.wounds import (
    Wound,
    WoundState,
    WoundTable,
    converted,
    needs_die,
)

DIE = range(1, 7)


def test_the_fixed_form_of_a_shot():
    answer = ask(
        "shot", {"shoot": "1", "modifier": "-1", "wound_modifier": "0", "armour_rating": "1"}
    )
    assert answer["outcomes"] == {
        "miss": "5/12",
        "scratch": "1/6",
        "stunned": "5/36",
        "light": "7/36",
        "grievous": "1/12",
        "critical": "0",
    }


def test_the_fixed_form_of_an_attack():
    text = "fight=3 defender_fight=2 wound_modifier=0 armour_rating=1 parry=true mighty_blow=false"
    masters = "weapon_master=false defender_weapon_master=false"
    answer = ask("attack", dict(pair.split("=") for pair in f"{text} {masters}".split()))
    counted: Counter[str] = Counter()
    for a, b, c, d in product(DIE, repeat=4):
        hit = a + b + 3 - (c + d + 2)
        counted["miss" if hit < 1 else name_of(hit - 1)] += 1
    assert answer["outcomes"] == {
        key: str(Fraction(counted[key], 6**4)) for key in answer["outcomes"]
    }
    assert list(answer["outcomes"]) == [
        "miss",
        "scratch",
        "stunned",
        "light",
        "grievous",
        "critical",
    ]


def name_of(score):
    """Return the result of a score by a second version of the Wound Table."""
    bounds = ((0, "scratch"), (1, "stunned"), (3, "light"), (5, "grievous"))
    return next((name for most, name in bounds if score <= most), "critical")


def people(**more):
    """Return a strategy for any combatant."""
    return st.builds(
        Combatant,
        id=st.just("x"),
        name=st.just("X"),
        rank=st.integers(1, 5),
        fight=st.integers(0, 6),
        shoot=st.integers(0, 3),
        worn=st.integers(0, 3),
        buckler=st.booleans(),
        shield=st.booleans(),
        weapons=st.just(
            ("sword", "bow", "great-weapon", "longsword", "musket", "blunderbuss", "pike")
        ),
        attributes=st.fixed_dictionaries({}, optional=ATTRIBUTES),
        steed=st.one_of(st.none(), st.builds(Steed, st.just("horse"), st.integers(0, 2))),
        table=st.sampled_from(WoundTable),
        wounds=st.builds(
            WoundState,
            st.integers(0, 2),
            st.sampled_from([Wound.NONE, Wound.LIGHT, Wound.GRIEVOUS]),
        ),
        **more,
    )


ATTRIBUTES = {
    "weapon-master": st.just(("sword",)),
    "sharpshooter": st.just(("bow",)),
    **{key: st.just(()) for key in ("tough", "powerful", "dodge", "horse-master", "archer")},
}
SHOTS = st.builds(
    Shot,
    inches=st.sampled_from([2.0, 8.0, 14.0, 30.0]),
    cover=st.sampled_from(Cover),
    moved_short=st.booleans(),
    aimed_last_turn=st.booleans(),
    target_engaged=st.booleans(),
    from_front=st.booleans(),
    wind=st.booleans(),
)
HOUSE = st.fixed_dictionaries(
    {},
    optional={
        "shield_rating": st.just("flat"),
        "stun_penalty": st.just("doubled"),
        "spray_hits": st.just("each-rolls"),
        "wounded_shot": st.just("one"),
        "riposte_dice": st.just("one"),
    },
).map(settled)


def body_results(result, table):
    """Return every way in which a body takes a result, each with its weight of six."""
    if not needs_die(result, table):
        return [(converted(result, table).value, 6)]
    return [(converted(result, table, die).value, 1) for die in DIE]


def thrown_shots(aim):
    """Yield every throw of a shot, with the weight of each result, by the procedure of the table."""
    for dice in product(DIE, repeat=2):
        low = min(may_reroll_shot(aim.shooter, aim.weapon, dice), default=None)
        finals = [dice] * 6 if low is None else [(face, max(dice)) for face in DIE]
        for final, rider in product(finals, DIE):
            outcome = resolve_shot(
                aim.shooter,
                aim.target,
                aim.weapon,
                aim.shot,
                final,
                rider_die=rider,
                settings=aim.settings,
            )
            if outcome.result is None:
                yield "miss", 6
            elif outcome.on_mount:
                yield "mount", 6
            else:
                yield from body_results(outcome.result, aim.target.table)


@settings(max_examples=60)
@given(
    people(), people(), st.sampled_from(["bow", "musket", "blunderbuss", "javelin"]), SHOTS, HOUSE
)
def test_the_odds_of_a_shot_equal_every_throw_at_the_table(shooter, target, weapon, shot, house):
    aim = Aim(shooter, target, missile(weapon), shot, house)
    counted: Counter[str] = Counter()
    for result, weight in thrown_shots(aim):
        counted[result] += weight
    every = sum(counted.values())
    outcomes = shot_answer(aim).outcomes
    assert outcomes == {key: str(Fraction(counted[key], every)) for key in outcomes}


def finals(fighter, grip, dice):
    """Return the dice after a Weapon Master's re-roll, in six equally likely ways."""
    low = rerollable(fighter, grip, dice)
    if low is None:
        return [dice] * 6
    place = dice.index(low)
    return [(*dice[:place], face, *dice[place + 1 :]) for face in DIE]


def thrown_attacks(strike):
    """Yield every throw of an attack with its weight: the result and the victim."""
    up = product(DIE, repeat=attack_dice(strike.attack.ploys))
    down = list(
        product(DIE, repeat=defence_dice(strike.defender, strike.defence.ploys, strike.settings))
    )
    for mine, theirs in product(up, down):
        ways = Counter(finals(strike.attacker, strike.attack.grip, mine))
        answers = Counter(finals(strike.defender, strike.defence.grip, theirs))
        for (way, often), (other, also) in product(ways.items(), answers.items()):
            blow = resolve_blow(strike, way, other)
            yield blow, often * also


STANCES = st.builds(
    Stance,
    grip=st.builds(Grip, st.sampled_from(["sword", "great-weapon", "longsword", "hands-and-feet"])),
    enemies=st.integers(1, 4),
    attack_counters=st.just(1),
    defence_counters=st.just(2),
)


@settings(max_examples=25)
@given(people(), people(), STANCES, STANCES, st.booleans(), st.booleans(), st.booleans(), HOUSE)
def test_the_odds_of_an_attack_equal_every_throw_at_the_table(
    striker, other, mine, theirs, parry, subdue, free, house
):
    attack = Stance(mine.grip, frozenset({Ploy.SUBDUE} if subdue else ()), 1, 0, mine.enemies)
    defence = Stance(theirs.grip, frozenset({Ploy.PARRY} if parry else ()), 0, 2, theirs.enemies)
    check_attack(Strike(striker, attack, other, defence, house, free))


@settings(max_examples=5)
@given(people(), people(), STANCES, STANCES, HOUSE)
def test_the_odds_of_a_mighty_blow_answered_by_a_riposte_equal_every_throw(
    striker, other, mine, theirs, house
):
    attack = Stance(mine.grip, frozenset({Ploy.MIGHTY_BLOW}), 1, 0, mine.enemies)
    defence = Stance(theirs.grip, frozenset({Ploy.RIPOSTE}), 0, 2, theirs.enemies)
    check_attack(Strike(striker, attack, other, defence, house))


def check_attack(strike):
    landed: Counter[str] = Counter()
    turned: Counter[str] = Counter()
    for blow, weight in thrown_attacks(strike):
        hits = (
            [("miss", 6)]
            if blow.result is None
            else body_results(blow.result, strike.defender.table)
        )
        answers = (
            [("miss", 6)]
            if blow.riposte is None
            else body_results(blow.riposte, strike.attacker.table)
        )
        for counted, ways in ((landed, hits), (turned, answers)):
            for result, share in ways:
                counted[result] += weight * share
    every = sum(landed.values())
    answer = attack_answer(strike)
    assert answer.outcomes == {key: str(Fraction(landed[key], every)) for key in answer.outcomes}
    for table in answer.tables:
        if table.key == "riposte":
            assert {row.key: row.chance for row in table.rows} == {
                row.key: str(Fraction(turned[row.key], every)) for row in table.rows
            }


def test_the_unconscious_do_not_defend_themselves():
    sleeper = Combatant(
        "s", "S", 2, fight=4, weapons=("sword",), wounds=WoundState(unconscious=True)
    )
    stance = Stance(Grip("sword"))
    check_attack(
        Strike(Combatant("a", "A", 2, fight=1, weapons=("sword",)), stance, sleeper, stance)
    )


def test_a_feint_and_a_disengage_do_no_harm():
    master = Combatant(
        "m", "M", 3, fight=3, weapons=("sword",), attributes={"weapon-master": ("sword",)}
    )
    for ploy, word in ((Ploy.FEINT, "feinted"), (Ploy.DISENGAGE, "disengaged")):
        attack = Stance(Grip("sword"), frozenset({ploy}))
        answer = attack_answer(Strike(master, attack, master, Stance(Grip("sword"))))
        assert set(answer.outcomes) == {"miss", word}
        assert [table.key for table in answer.tables] == ["outcomes"]


# What somebody ends in.


def ends(answer, key):
    """Return the chances of one of an answer's tables."""
    (rows,) = (table["rows"] for table in answer["tables"] if table["key"] == key)
    return {row["key"]: Fraction(row["chance"]) for row in rows}


def test_a_light_wound_upon_a_light_wound_is_a_grievous_one():
    fresh = ask("resolve-shot", {"shoot": "1"})["outcomes"]
    after = ends(ask("resolve-shot", {"shoot": "1", "target_wound": "light"}), "target-after")
    assert after["grievous"] == Fraction(fresh["light"]) + Fraction(fresh["grievous"])
    assert after["light"] == Fraction(fresh["miss"]) + Fraction(fresh["scratch"])
    assert after["dead"] == Fraction(fresh["critical"])


def test_subdue_knocks_out_at_grievous_wound():
    values = {"fight": "4", "subdue": "true", "defender_wound": "light"}
    after = ends(ask("resolve-attack", values), "target-after")
    assert after["unconscious"] > 0
    assert "dead" not in after
    assert "grievous" not in after


def test_two_hits_of_three_on_a_rider_are_the_mounts():
    answer = ask("resolve-shot", {"target_mount": "horse", "target_barding": "1"})
    hit = 1 - Fraction(answer["outcomes"]["miss"])
    assert Fraction(answer["outcomes"]["mount"]) == hit * Fraction(2, 3)
    assert sum(ends(answer, "on-mount").values()) == 1


# Dice that were thrown, and what is forbidden.


def rolled(key, **values):
    return {figure["key"]: figure["value"] for figure in ask(key, values)["rolled"]}


def test_a_shot_says_that_a_ballista_and_a_musket_fire_no_grapeshot():
    def forbidden(weapon):
        answer = ask("resolve-shot", {"weapon": weapon, "grapeshot": "true", "inches": "6"})
        return [each["code"] for each in answer["forbidden"]]

    assert forbidden("ballista") == forbidden("musket") == ["no-grapeshot"]
    assert forbidden("light-cannon") == []


def test_the_shot_of_the_rule_books_example():
    example = rolled(
        "resolve-shot", weapon="longbow", inches="23", shoot="1", target_armour="1", dice="3,4"
    )
    assert example == {
        "attack-roll": "7",
        "hit-score": "1",
        "wound-score": "1",
        "result": "Stunned",
    }


def test_the_mighty_blow_of_the_rule_books_example():
    kwargs = {
        "fight": "3",
        "weapon_master": "true",
        "mighty_blow": "true",
        "parry": "true",
        "dice": "2,3,5",
        "reroll": "4",
    }
    answer = rolled("resolve-attack", **kwargs, defence_dice="4,2", defender_weapon="great-weapon")
    assert answer == {
        "attack-score": "12",
        "defence-score": "8",
        "hit-score": "4",
        "wound-score": "4",
        "result": "Grievous wound",
    }


def test_the_riposte_of_the_rule_books_example():
    values = {
        "fight": "2",
        "wound": "grievous",
        "weapon": "great-weapon",
        "dice": "2,4",
        "riposte": "true",
    }
    answer = ask(
        "resolve-attack",
        {**values, "defender_fight": "3", "defender_weapon_master": "true", "defence_dice": "3,4"},
    )
    assert [(figure["label"], figure["value"]) for figure in answer["rolled"]][-1] == (
        "Result on the attacker, by the Riposte",
        "Light wound",
    )


@pytest.mark.parametrize(
    ("key", "field", "values"),
    [
        ("resolve-shot", "dice", {"dice": "3"}),
        ("resolve-shot", "reroll", {"dice": "3,4", "reroll": "5"}),
        ("resolve-shot", "rider_die", {"dice": "6,6", "target_mount": "horse"}),
        ("resolve-shot", "die", {"dice": "6,6", "target_table": "large", "weapon": "cannon"}),
        ("resolve-attack", "dice", {"dice": "3,4,5", "defence_dice": "2"}),
        ("resolve-attack", "dice", {"dice": "3,4", "defence_dice": "2,3"}),
        ("resolve-attack", "reroll", {"dice": "1,4", "reroll": "5", "defence_dice": "2"}),
        (
            "resolve-attack",
            "defence_reroll",
            {"dice": "1,4", "defence_reroll": "5", "defence_dice": "2"},
        ),
        (
            "resolve-attack",
            "die",
            {"fight": "9", "dice": "6,6", "defence_dice": "1", "defender_table": "large"},
        ),
    ],
)
def test_dice_that_are_missing_or_too_many_are_named(key, field, values):
    with pytest.raises(RulesError) as caught:
        ask(key, values)
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == ("wrong-dice", field)


def forbidden(key, **values):
    return [problem["code"] for problem in ask(key, values)["forbidden"]]


def test_forbidden_question_is_answered_with_violation():
    assert forbidden("resolve-shot", weapon="matchlock", rain="true") == ["match-wet"]
    assert forbidden("resolve-shot", profile="aztecs/peasant", weapon="musket") == ["not-carried"]
    assert forbidden("resolve-attack", feint="true") == ["no-weapon-master"]
    assert forbidden("resolve-attack", weapon="pike", mount="horse") == ["two-handed-mounted"]
    assert forbidden("resolve-attack", profile="aztecs/peasant", weapon="pike") == ["not-carried"]


def test_a_profile_a_build_and_numbers_make_a_fighter():
    def fight(**values):
        return ask("resolve-attack", values)["sums"][0]["total"]

    athos = '{"profile": "three-musketeers/athos"}'
    assert fight(profile="three-musketeers/athos") == fight(build=athos) == fight(fight="5") == 5
    assert fight(profile="three-musketeers/athos", fight="3") == 3
    assert fight(rank="4") == 4


def test_a_build_that_makes_no_sense_is_refused_by_its_own_field():
    with pytest.raises(RulesError) as caught:
        ask("resolve-attack", {"defender_build": '{"profile": "three-musketeers/nobody"}'})
    assert [problem.field for problem in caught.value.problems] == ["defender_build.profile"]


def test_attack_on_beguiling_target_needs_nerve():
    figures = {
        each["key"]: each["value"]
        for each in ask("resolve-shot", {"rank": "3", "target_beguiling": "1"})["figures"]
    }
    assert figures["nerve"] == "1/3 (33.3%)"
