"""The aftermath of a battle: nothing, unless a club plays Muster's house rules."""

import pytest
from msgspec import to_builtins

from rulebook.ruleset import CampaignTerms, Deed, Fate, Record, Roster, RosterFighter, RulesError
from rulebook.systems.argad.aftermath import Renown, awards, fate_after, recovery_dice
from tests.rulebook.argad.sheets import fighter

CHECK = {"out_of_action_check": True}
RENOWN = {"renown": True}
WELL = Record("alf", 3, Fate.FIT)
OUT = Record("bert", 2, Fate.FIT, wounds="out", recovery_roll=2)
KILLED = Record("carl", 3, Fate.DEAD, survived=False, wounds="killed", recovery_roll=3)


def test_fate_without_house_rules_is_dead_or_fit():
    assert [fate_after(each, {}) for each in (WELL, OUT, KILLED)] == [
        (Fate.FIT, 0),
        (Fate.FIT, 0),
        (Fate.DEAD, 0),
    ]
    assert recovery_dice((WELL, OUT, KILLED), {}) == ()
    assert awards((WELL, OUT, KILLED), (), {}) == ()


def test_the_check_throws_for_everybody_killed_or_out():
    assert recovery_dice((WELL, OUT, KILLED), CHECK) == ("bert", "carl")


@pytest.mark.parametrize(
    ("die", "fate"), [(1, Fate.DEAD), (2, Fate.DEAD), (3, Fate.FIT), (6, Fate.FIT)]
)
def test_one_and_two_are_dead_and_the_others_are_back(die, fate):
    record = Record("carl", 3, Fate.DEAD, survived=False, wounds="killed", recovery_roll=die)
    assert fate_after(record, CHECK) == (fate, 0)


def test_renown_comes_from_surviving_and_from_worthy_kills():
    deeds = (
        Deed("alf", "kill", 3, victim="x", victim_name="Xaver", victim_rank=3, killed=True),
        Deed("alf", "kill", 3, victim="y", victim_name="Yves", victim_rank=2, killed=True),
        Deed("carl", "kill", 3, victim="z", victim_name="Zeno", victim_rank=6, killed=True),
    )
    earned = awards((WELL, KILLED), deeds, RENOWN)
    assert [(each.fighter, each.amount, each.code) for each in earned] == [
        ("alf", 1, "survived"),
        ("alf", 1, "kill"),
    ]
    assert all(each.rule.startswith("House rule") for each in earned)


@pytest.mark.parametrize(("played", "did"), [(RENOWN, "Killed"), (RENOWN | CHECK, "Struck down")])
def test_kill_is_called_so_only_without_the_check(played, did):
    deed = Deed("alf", "kill", 3, victim="x", victim_name="Xaver", victim_rank=3, killed=True)
    *_, kill = awards((WELL,), (deed,), played)
    assert kill.sentence == f"{did} Xaver (class 3)."


def build(class_):
    return to_builtins(fighter(f"class={class_}"))


def roster(played, class_=3):
    member = RosterFighter("alf", "Alf", build(class_))
    return member, Roster(CampaignTerms("company", {}, played), (member,))


@pytest.mark.parametrize(
    ("class_", "played", "cost"),
    [
        (3, RENOWN, 5),
        (3, RENOWN | {"renown_threshold": 2}, 2),
        (5, RENOWN, None),
        (5, RENOWN | {"renown_ceiling": 6}, 5),
        (6, RENOWN | {"renown_ceiling": 9}, None),
        (3, {}, None),
    ],
)
def test_renown_raises_a_class_up_to_the_ceiling(class_, played, cost):
    assert Renown().rank_up_cost(build(class_), CampaignTerms("company", {}, played)) == cost
    assert [each.cost for each in Renown().rank_ups(*roster(played, class_))] == (
        [] if cost is None else [cost]
    )


def test_the_step_of_renown_is_a_class_more_and_nothing_else():
    (step,) = Renown().rank_ups(*roster(RENOWN))
    assert (step.key, step.rank, dict(step.build)) == ("class-4", 4, build(4))
    assert step.source.startswith("House rule")
    with pytest.raises(RulesError, match="no step"):
        Renown().take_rank_up(build(3), CampaignTerms("company", {}, RENOWN), "class-6", {})
