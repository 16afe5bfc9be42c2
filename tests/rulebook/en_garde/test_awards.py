"""Experience from result sheets, each house rule both ways; and the fates of fighters afterwards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.ruleset import Award, CampaignTerms, Deed, Fate, Record
from rulebook.systems.en_garde.experience.awards import awards, fate_after, recovery_dice
from rulebook.systems.en_garde.experience.rank_ups import rank_up_cost
from tests.rulebook.en_garde.battlefield import (
    battle,
    earned,
    fielded,
    fought,
    killed,
    of,
    record,
    subdued,
    told,
    wound,
)

SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "experience_per_wound": st.sampled_from(["each", "enemy", "once"]),
        "experience_means": st.sampled_from(["all", "melee"]),
        "third_stun_counts": st.booleans(),
        "survival": st.sampled_from(["free", "alive", "standing"]),
        "wounds_after": st.sampled_from(["heal", "grievous-roll"]),
        "captives": st.sampled_from(["miss-next", "return", "held"]),
    },
)


def awarded(scenario: str, *events, **settings) -> tuple[Award, ...]:
    """Return both sides' awards for a battle with these events, under these house rules."""
    sheet = fought(battle(scenario, settings=settings), *events)
    return tuple(
        award for side in sheet.sides for award in awards(side.records, side.deeds, settings)
    )


def test_who_can_rise_no_further_goes_on_earning():
    """Ruling X18."""
    legend = {"profile": "cardinals-guard/general"}
    hero = {"profile": "three-musketeers/athos"}
    assert (
        rank_up_cost(legend, CampaignTerms("cardinals-guard"))
        is rank_up_cost(hero, CampaignTerms("three-musketeers"))
        is None
    )
    granted = awards(
        (Record("f", rank=5, fate=Fate.FIT),),
        (Deed("f", "wound", 5, victim_rank=5, result="light"),),
        {},
    )
    assert [award.amount for award in granted] == [1, 1]


# Surviving.


def test_everybody_fielded_earns_one_for_surviving():
    granted = awarded("skirmish")
    assert [(award.fighter, award.amount, award.code) for award in granted] == [
        (f"{side}{place}", 1, "survived") for side in "ab" for place in range(1, 5)
    ]
    assert granted[0].sentence == "Survived the battle."
    assert granted[0].rule == 'Rule book: "Progression"; Ruling X7'


def test_a_dead_fighter_earns_nothing():
    assert earned(awarded("skirmish", killed("b1", "a1"), killed("a1", "b2")), "a1") == []


@pytest.mark.parametrize(
    ("rule", "routed", "captured"),
    [("free", ["survived"], []), ("alive", ["survived"], ["survived"]), ("standing", [], [])],
)
def test_survival_award_follows_house_rule(rule, routed, captured):
    events = (
        told("routed", fighter="b2"),
        subdued("b3", "a1"),
        told("captured", fighter="b3", by="a1"),
    )
    granted = awarded("skirmish", *events, survival=rule)
    assert earned(granted, "b2") == routed
    assert earned(granted, "b3") == captured


def test_an_unconscious_fighter_that_nobody_captured_has_survived():
    assert earned(awarded("skirmish", subdued("b3", "a1")), "b3") == ["survived"]


def test_the_record_says_whether_its_fighter_survived():
    sheet = fought(
        battle("skirmish", settings={"survival": "standing"}), told("routed", fighter="b2")
    )
    assert not record(sheet, "b2").survived
    assert record(sheet, "b3").survived


# Wounds.


def wounds_of(fighter: str, *events, **settings) -> int:
    """Return the number of awards for wounds that a fighter gets in a Skirmish."""
    return earned(awarded("skirmish", *events, **settings), fighter).count("wounded")


@pytest.mark.parametrize(("victim", "count"), [("b1", 1), ("b2", 1), ("b3", 0), ("b4", 0)])
def test_only_wounds_on_equal_or_greater_ranks_count(victim: str, count: int):
    assert wounds_of("a2", wound(victim, "light", "a2")) == count


@pytest.mark.parametrize(
    ("result", "count"), [("scratch", 0), ("stunned", 0), ("light", 1), ("grievous", 1)]
)
def test_only_a_light_wound_or_worse_counts(result: str, count: int):
    assert wounds_of("a2", wound("b2", result, "a2")) == count


@pytest.mark.parametrize(("rule", "count"), [("each", 3), ("enemy", 2), ("once", 1)])
def test_wounds_count_each_or_once_for_each_enemy_or_once_a_battle(rule: str, count: int):
    events = (wound("b1", "light", "a2"), wound("b2", "light", "a2"), wound("b1", "light", "a2"))
    assert wounds_of("a2", *events, experience_per_wound=rule) == count


@pytest.mark.parametrize(
    ("means", "every", "melee"),
    [
        ("melee", 1, 1),
        ("riposte", 1, 1),
        ("free-attack", 1, 1),
        ("shooting", 1, 0),
        ("ordnance", 1, 0),
        ("spell", 1, 0),
        ("other", 1, 0),
        ("mount", 0, 0),
    ],
)
def test_every_attack_counts_or_hand_to_hand_ones_only(means: str, every: int, melee: int):
    event = wound("b2", "light", "a2", means=means)
    assert wounds_of("a2", event) == every
    assert wounds_of("a2", event, experience_means="melee") == melee


@pytest.mark.parametrize(("counts", "count"), [(True, 1), (False, 0)])
def test_a_third_stunned_counter_counts_or_not(counts: bool, count: int):
    stuns = [
        wound("b2", "stunned", "a1"),
        wound("b2", "stunned", "a1"),
        wound("b2", "stunned", "a2"),
    ]
    assert wounds_of("a2", *stuns, third_stun_counts=counts) == count
    assert wounds_of("a1", *stuns, third_stun_counts=counts) == 0
    told_so = wound("b2", "light", "a2", third_stun=True)
    assert wounds_of("a2", told_so, third_stun_counts=counts) == count


def test_friendly_fire_and_the_helpless_earn_nothing():
    assert wounds_of("a2", wound("a1", "light", "a2", friendly=True)) == 0
    assert wounds_of("a2", subdued("b1", "a1"), wound("b1", "light", "a2")) == 0


def test_knocking_somebody_out_counts_as_a_wound():
    granted = awarded("skirmish", subdued("b2", "a2"))
    assert "Knocked out B2 (Rank 3)." in [
        award.sentence for award in granted if award.code == "wounded"
    ]


def test_civilians_have_no_rank_to_earn_by():
    assert "wounded" not in earned(awarded("raid", wound("civilian-1", "grievous", "a4")), "a4")


def test_award_sentences_name_deed_and_victim():
    events = (wound("b2", "light", "a2"), wound("b2", "grievous", "a2"), killed("b1", "a2"))
    sentences = [award.sentence for award in awarded("skirmish", *events) if award.fighter == "a2"]
    assert sentences == [
        "Survived the battle.",
        "Dealt a Light wound to B2 (Rank 3).",
        "Dealt a Grievous wound to B2 (Rank 3).",
        "Killed B1 (Rank 4).",
    ]


# Objectives, banners, captives.


@pytest.mark.parametrize("scenario", ["capture", "defence"])
def test_an_objective_earns_for_its_holder_or_for_all_in_control(scenario: str):
    held = told("objective", side="b", by=["b3", "b2"])
    granted = awarded(scenario, held)
    assert (earned(granted, "b3"), earned(granted, "b2")) == (
        ["survived", "objective"],
        ["survived"],
    )
    everybody = awarded(scenario, held, objective_experience="all")
    assert earned(everybody, "b2") == ["survived", "objective"]


def test_each_civilian_taken_in_a_raid_earns():
    taken = told("civilian", civilian="civilian-1", outcome="taken", by="a3")
    assert earned(awarded("raid", taken), "a3") == ["survived", "objective"]


def test_a_captive_earns_only_where_capturing_one_is_the_minor_objective():
    captured = (subdued("b3", "a1"), told("captured", fighter="b3", by="a4"))
    assert earned(awarded("skirmish", *captured), "a4") == ["survived"]
    rolled = told("minor_objective", side="a", rolled=1)
    assert earned(awarded("skirmish", rolled, *captured), "a4") == ["survived", "captive"]


def test_a_minor_objective_earns_once_however_many_are_captured():
    events = [told("minor_objective", side="a", rolled=1)]
    for victim in ("b4", "b3", "b2"):
        events += [subdued(victim, "a1"), told("captured", fighter=victim, by="a4")]
    assert earned(awarded("skirmish", *events), "a4") == ["survived", "captive"]


def test_ground_and_edges_earn_nothing():
    events = (
        told("position", side="a", fighters=["a1"]),
        told("position", side="b", fighters=["b1"]),
    )
    assert {award.code for award in awarded("hold-the-bridge", *events)} == {"survived"}


# Afterwards.


def test_by_default_everybody_heals_and_captives_miss_the_next_game():
    assert fate_after(Record("a", 1, Fate.FIT, wounds="grievous"), {}) == (Fate.FIT, 0)
    assert fate_after(Record("a", 1, Fate.CAPTURED, captured=True), {}) == (Fate.CAPTURED, 1)
    assert fate_after(Record("a", 1, Fate.FIT, routed=True), {}) == (Fate.FIT, 0)
    assert fate_after(Record("a", 1, Fate.DEAD, wounds="critical"), {}) == (Fate.DEAD, 0)


@pytest.mark.parametrize(
    ("rule", "after"),
    [("miss-next", (Fate.CAPTURED, 1)), ("return", (Fate.FIT, 0)), ("held", (Fate.CAPTURED, 0))],
)
def test_fate_of_captives_follows_house_rule(rule: str, after: tuple[Fate, int]):
    assert fate_after(Record("a", 1, Fate.CAPTURED, captured=True), {"captives": rule}) == after


@pytest.mark.parametrize("wounds", ["grievous", "unconscious"])
@pytest.mark.parametrize(
    ("die", "after"),
    [
        (1, (Fate.RECOVERING, 1)),
        (3, (Fate.RECOVERING, 1)),
        (4, (Fate.FIT, 0)),
        (None, (Fate.FIT, 0)),
    ],
)
def test_the_gravely_wounded_miss_a_game_on_one_to_three(
    wounds: str, die: int | None, after: tuple[Fate, int]
):
    hurt = Record("a", 1, Fate.FIT, wounds=wounds, recovery_roll=die)
    assert fate_after(hurt, {"wounds_after": "grievous-roll"}) == after


def test_dice_of_recovery_are_thrown_for_the_gravely_wounded_who_are_at_home():
    records = (
        Record("light", 1, Fate.FIT, wounds="light"),
        Record("grievous", 1, Fate.FIT, wounds="grievous"),
        Record("out", 1, Fate.FIT, wounds="unconscious"),
        Record("captive", 1, Fate.CAPTURED, captured=True, wounds="unconscious"),
        Record("dead", 1, Fate.DEAD, wounds="critical"),
    )
    assert recovery_dice(records, {}) == ()
    assert recovery_dice(records, {"wounds_after": "grievous-roll"}) == ("grievous", "out")
    back = {"wounds_after": "grievous-roll", "captives": "return"}
    assert recovery_dice(records, back) == ("grievous", "out", "captive")


RECORDS = st.builds(
    Record,
    fighter=st.just("a"),
    rank=st.integers(1, 5),
    fate=st.sampled_from(Fate),
    routed=st.booleans(),
    captured=st.booleans(),
    wounds=st.sampled_from(["", "stunned", "light", "grievous", "unconscious", "critical"]),
    recovery_roll=st.none() | st.integers(1, 6),
)
DEEDS = st.builds(
    Deed,
    fighter=st.sampled_from(["a", "b"]),
    kind=st.sampled_from(["wound", "objective", "banner", "captive"]),
    rank=st.integers(1, 5),
    victim=st.none() | st.sampled_from(["x", "y"]),
    victim_rank=st.integers(0, 5),
    result=st.sampled_from(["light", "grievous", "critical"]),
    means=st.sampled_from(["melee", "shooting", "mount"]),
    friendly=st.booleans(),
)


@given(RECORDS, st.lists(DEEDS, max_size=6), SETTINGS)
def test_awards_are_ones_for_fighters_on_record_and_never_for_the_dead(
    record: Record, deeds: list[Deed], settings
):
    granted = awards((record,), tuple(deeds), settings)
    assert all(award.amount == 1 and award.fighter == "a" and award.rule for award in granted)
    assert not (granted and record.fate is Fate.DEAD)
    assert granted == awards((record,), tuple(deeds), settings)


@given(RECORDS, SETTINGS)
def test_the_dead_stay_dead_and_only_the_absent_miss_games(record: Record, settings):
    fate, misses = fate_after(record, settings)
    assert (fate is Fate.DEAD) == (record.fate is Fate.DEAD)
    assert misses in (0, 1)
    assert not misses or fate in (Fate.CAPTURED, Fate.RECOVERING)


def test_awards_follow_the_house_rules_handed_in_and_not_those_of_the_day():
    sheet = fought(battle("skirmish"), *[wound("b2", "light", "a2"), wound("b2", "light", "a2")])
    side = of(sheet, "a")
    assert earned(awards(side.records, side.deeds, {}), "a2") == ["survived", "wounded", "wounded"]
    once = {"experience_per_wound": "once"}
    assert earned(awards(side.records, side.deeds, once), "a2") == ["survived", "wounded"]


@pytest.mark.parametrize(("result", "count"), [("light", 0), ("grievous", 1)])
def test_wound_on_a_large_body_counts_as_it_was_converted(result: str, count: int):
    setup = battle("skirmish")
    first, second = setup.sides
    beast = fielded("b9", 4, build={"profile": "fantastical/beast"})
    setup = replace(
        setup,
        sides=(first, replace(second, fighters=(*second.fighters, beast))),
        settings={"fantastical": True},
    )
    sheet = fought(setup, wound("b9", result, "a2"))
    side = of(sheet, "a")
    assert earned(awards(side.records, side.deeds, {}), "a2").count("wounded") == count
