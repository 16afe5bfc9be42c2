"""Consequences of a shot or an attack: a fall from the saddle, a hit on another in the combat,
poison, luck."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.systems.en_garde.calculators.attacks import Strike, attack_answer
from rulebook.systems.en_garde.calculators.registry import ask
from rulebook.systems.en_garde.calculators.shots import Aim, shot_answer
from rulebook.systems.en_garde.table.blows import Stance, steed_as_combatant
from rulebook.systems.en_garde.table.combatant import Combatant, Grip, Steed
from rulebook.systems.en_garde.table.shooting import Shot, missile, resolve_shot
from rulebook.systems.en_garde.table.wounds import (
    Wound,
    WoundState,
    WoundTable,
    needs_die,
    stun,
    suffer,
)

DIE = range(1, 7)
STATES = st.builds(WoundState, st.integers(0, 2), st.sampled_from([Wound.NONE, Wound.LIGHT]))


def ends(answer, key):
    (rows,) = (table.rows for table in answer.tables if table.key == key)
    return {row.key: Fraction(row.chance) for row in rows}


def figure(answer, key):
    return next((each.value for each in answer.figures if each.key == key), "")


def key_of(state):
    """Return a state of wounds as the tables name it."""
    if state.dead:
        return "dead"
    stuns = ("", "stunned", "stunned-twice")[state.stunned]
    return "-and-".join(part for part in (state.wound.value, stuns) if part)


def thrown(rider, steed):
    """Return the wounds of a rider after a possible fall from a wounded mount."""
    falls = steed.wound in (Wound.GRIEVOUS, Wound.CRITICAL)
    return stun(rider.wounds) if falls and not rider.has("horse-master") else rider.wounds


def every_rider(aim):
    """Yield the final state of the rider for every throw at a mounted target, with weights."""
    for dice, die, rider_die in product(product(DIE, repeat=2), DIE, DIE):
        outcome = resolve_shot(
            aim.shooter, aim.target, aim.weapon, aim.shot, dice, rider_die=rider_die
        )
        if outcome.result is None:
            yield aim.target.wounds
        elif outcome.on_mount:
            extra = die if needs_die(outcome.result, WoundTable.LARGE) else None
            yield thrown(
                aim.target,
                suffer(aim.target.steed.wounds, outcome.result, table=WoundTable.LARGE, die=extra),
            )
        else:
            yield suffer(aim.target.wounds, outcome.result)


riders = st.builds(
    Combatant,
    id=st.just("r"),
    name=st.just("R"),
    rank=st.just(2),
    worn=st.integers(0, 3),
    wounds=STATES,
    steed=st.builds(Steed, st.just("horse"), st.integers(0, 2), wounds=STATES),
    attributes=st.sampled_from([{}, {"horse-master": ()}]),
)


@settings(max_examples=25)
@given(riders, st.integers(0, 3))
def test_a_shot_at_a_rider_counts_the_fall_as_every_throw_does(rider, shoot):
    aim = Aim(Combatant("s", "S", 2, shoot=shoot), rider, missile("musket"), Shot(inches=8.0))
    counted = Counter(key_of(state) for state in every_rider(aim))
    answer = shot_answer(aim)
    assert ends(answer, "target-after") == {
        key: Fraction(ways, 6**4) for key, ways in counted.items()
    }


def test_a_rider_falls_only_from_a_gravely_hurt_mount():
    fresh = ask("resolve-shot", {"weapon": "musket", "shoot": "2", "target_mount": "horse"})
    mount = next(table for table in fresh["tables"] if table["key"] == "on-mount")["rows"]
    grave = sum(Fraction(row["chance"]) for row in mount if row["key"] in ("grievous", "critical"))
    value = next(each["value"] for each in fresh["figures"] if each["key"] == "thrown")
    assert value.startswith(f"{grave} ")


@pytest.mark.parametrize("worn", [0, 1])
def test_a_blow_at_a_mount_may_throw_its_rider(worn):
    rider = Combatant("r", "R", 2, steed=Steed("horse", worn))
    strike = Strike(
        Combatant("a", "A", 3, fight=4, weapons=("sword",)),
        Stance(Grip("sword")),
        steed_as_combatant(rider),
        Stance(Grip()),
        rider=rider,
    )
    answer = attack_answer(strike)
    grave = sum(Fraction(answer.outcomes[result]) for result in ("grievous", "critical"))
    assert ends(answer, "rider-after") == {"": 1 - grave, "stunned": grave}
    assert figure(answer, "thrown").startswith(str(grave))


# Into combat.


def test_a_miss_into_combat_is_a_new_shot_at_one_of_the_others():
    shooter, shot = Combatant("s", "S", 2, shoot=1), Shot(inches=8.0, target_engaged=True)
    target = Combatant("t", "T", 2, worn=1)
    others = (Combatant("b", "Bare", 2), Combatant("c", "Clad", 2, worn=3))
    aim = Aim(shooter, target, missile("bow"), shot, others=others)
    answer = shot_answer(aim)
    counted = [Counter(), Counter()]
    for first, second, die in product(product(DIE, repeat=2), product(DIE, repeat=2), DIE):
        if resolve_shot(shooter, target, aim.weapon, shot, first).hit:
            continue
        place = (die - 1) % 2
        outcome = resolve_shot(shooter, others[place], aim.weapon, shot, second)
        if outcome.result is not None:
            counted[place][outcome.result.value] += 1
    for place, hits in enumerate(counted):
        rows = ends(answer, f"other-{place + 1}")
        by_key = {key: chance for key, chance in rows.items() if key != "miss" and chance}
        assert by_key == {key: Fraction(ways, 6**5) for key, ways in hits.items()}
        assert sum(rows.values()) == 1
    struck = Fraction(counted[0].total() + counted[1].total(), 6**5)
    assert figure(answer, "other").startswith(f"{struck} ")


def test_nobody_else_is_struck_where_nobody_fights():
    alone = ask("resolve-shot", {"others": "2"})
    assert [table["key"] for table in alone["tables"]] == ["outcomes", "target-after"]
    engaged = ask("resolve-shot", {"target_engaged": "true"})
    assert "the others are not known" in " ".join(engaged["assumptions"])
    both = ask("resolve-shot", {"target_engaged": "true", "others": "2", "others_armour": "3"})
    assert [table["key"] for table in both["tables"]] == [
        "outcomes",
        "target-after",
        "other-1",
        "other-2",
    ]


# Poison.


def test_a_new_wound_from_a_poisoned_blade_stuns_at_the_end_of_the_phase():
    killer = Combatant("a", "A", 3, fight=4, weapons=("dagger",), poisoned=("dagger",))
    victim = Combatant("v", "V", 2, fight=2, wounds=WoundState(stunned=2))
    answer = attack_answer(Strike(killer, Stance(Grip("dagger")), victim, Stance(Grip("sword"))))
    now, later = ends(answer, "target-after"), ends(answer, "poisoned")
    assert later["dead"] == now["dead"] + now["grievous-and-stunned-twice"], (
        "a third counter, a Light wound more"
    )
    clean = attack_answer(
        Strike(
            Combatant("a", "A", 3, fight=4, weapons=("dagger",)),
            Stance(Grip("dagger")),
            victim,
            Stance(Grip()),
        )
    )
    assert "poisoned" not in [table.key for table in clean.tables]


def test_scratch_on_wounded_target_does_not_poison():
    killer = Combatant("a", "A", 3, fight=4, weapons=("dagger",), poisoned=("dagger",))
    victim = Combatant("v", "V", 2, fight=2, wounds=WoundState(wound=Wound.LIGHT))
    answer = attack_answer(Strike(killer, Stance(Grip("dagger")), victim, Stance(Grip("sword"))))
    now, later = ends(answer, "target-after"), ends(answer, "poisoned")
    assert later["light"] == now["light"]
    assert later["grievous-and-stunned"] == now["grievous"]


# Luck.


@pytest.mark.parametrize("key", ["shot", "resolve-shot", "attack", "resolve-attack"])
def test_luck_of_either_is_counted_and_stated(key):
    plain, mine, theirs = (ask(key, {"lucky": who}) for who in ("", "attacker", "target"))
    miss = [Fraction(each["outcomes"]["miss"]) for each in (mine, plain, theirs)]
    assert miss == sorted(miss) and len(set(miss)) == 3
    assert "Lucky re-rolls are not used." in plain["assumptions"]
    assert any(each.startswith("The Lucky fighter re-rolls") for each in mine["assumptions"])
    assert "Lucky re-rolls are not used." not in theirs["assumptions"]
