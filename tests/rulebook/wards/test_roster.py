"""Rosters of Wards: canonical builds, refusals, sums, cards, lasting losses, and house rules."""

from typing import Any

import pytest

from rulebook.book.headings import read_headings
from rulebook.ruleset import CampaignTerms, Condition, Deed, Fate, Record, RulesError
from rulebook.systems.wards.book import DATA, VIOLATIONS, book, figures
from rulebook.systems.wards.system import Wards
from rulebook.values.rosters import Roster, RosterFighter, RosterPurpose
from tests.rulebook.wards.field import ARMY

RULES = Wards()
TERMS = CampaignTerms("army", {}, {})
STEADY = CampaignTerms("army", {}, {"steadiness": True})


def fighter(
    key: str, raw: dict[str, Any], condition: Condition | None = None, fate: Fate = Fate.FIT
) -> RosterFighter:
    build = RULES.clean_build(raw, TERMS)
    return RosterFighter(id=key, name=key, build=build, fate=fate, condition=condition or {})


def roster(*changed: RosterFighter, without: tuple[str, ...] = ()) -> Roster:
    named = {key: fighter(key, raw) for key, raw in ARMY.items() if key not in without}
    return Roster(TERMS, tuple({**named, **{each.id: each for each in changed}}.values()))


def codes(raw: dict[str, Any]) -> list[str]:
    with pytest.raises(RulesError) as refused:
        RULES.clean_build(raw, TERMS)
    return [problem.code for problem in refused.value.problems]


def test_a_build_has_one_form_without_what_means_nothing_for_its_arm() -> None:
    general = RULES.clean_build({"arm": "general", "attributes": ["morale"]}, TERMS)
    assert (general["bases"], general["attributes"]) == (0, ["morale"])
    assert RULES.clean_build(general, TERMS) == general
    said_nothing = {"arm": "general", "bases": "", "half": False, "quality": ""}
    assert RULES.clean_build(said_nothing, TERMS)["quality"] == "household"
    assert RULES.clean_build({"arm": "cavalry"}, TERMS)["ward"] == "Cavalry"
    assert RULES.clean_build({"arm": "cavalry", "ward": "Cavalry"}, TERMS)["ward"] == "Cavalry"
    assert (
        RULES.clean_build({"arm": "light-gun", "bases": 0, "quality": "levy"}, TERMS)["bases"] == 0
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"attributes": ["morale"]}, ["attributes-of-a-unit"]),
        ({"unreliable": True}, ["unreliable-unit"]),
        ({"bases": 0}, ["no-bases"]),
        ({"ward": "Cavalry"}, ["ward-of-cavalry"]),
        ({"arm": "cavalry", "ward": "Rear"}, ["cavalry-in-a-ward"]),
        ({"arm": "general", "bases": 4}, ["arm-without-bases"]),
        ({"arm": "general", "half": True}, ["arm-without-bases"]),
        (
            {"arm": "general", "bases": "2", "quality": "levy"},
            ["arm-without-bases", "quality-of-a-general"],
        ),
        ({"arm": "heavy-gun", "bases": 1, "half": "yes"}, ["arm-without-bases"] * 2),
        (
            {"arm": "light-gun", "bases": 1, "unreliable": True},
            ["unreliable-unit", "arm-without-bases"],
        ),
        ({"unreliable": True, "bases": 0}, ["unreliable-unit", "no-bases"]),
    ],
)
def test_what_does_not_go_together_is_refused_all_at_once(
    raw: dict[str, Any], expected: list[str]
) -> None:
    assert codes(raw) == expected


@pytest.mark.parametrize(
    "raw", [{"arm": "elephants"}, {"bases": 99}, {"colour": "red"}, {"attributes": ["brave"]}]
)
def test_what_nobody_knows_is_refused_by_its_field(raw: dict[str, Any]) -> None:
    with pytest.raises(RulesError) as refused:
        RULES.clean_build(raw, TERMS)
    assert [problem.field for problem in refused.value.problems] == list(raw)


def test_sums_count_bases_by_quality_without_the_dead_and_what_is_lost() -> None:
    def figures(*changed: RosterFighter) -> dict[str, int | str]:
        return {each.key: each.value for each in RULES.roster_totals(roster(*changed)).figures}

    quality = {"household": "7", "retinue": "16", "levy": "3½"}
    assert figures() == {"bases": "26½", **quality, "foot": "23½", "cavalry": "3", "better": 5}
    weaker = fighter("spears", ARMY["spears"], {"lost": 3})
    dead = fighter("knights", ARMY["knights"], fate=Fate.DEAD)
    assert figures(weaker, dead)["household"] == "2½"
    assert RULES.roster_totals(roster(dead)).fighters == len(ARMY) - 1


def test_an_army_has_three_generals_and_every_ward_a_front() -> None:
    assert RULES.roster_problems(roster(), RosterPurpose.BUILD) == ()
    (problem,) = RULES.roster_problems(roster(without=("duke",)), RosterPurpose.BUILD)
    assert problem.code == "three-generals"
    problems = RULES.roster_problems(roster(without=("spears", "bills")), RosterPurpose.BUILD)
    assert [each.code for each in problems] == ["no-front"]


def test_wards_are_groups_with_their_front_before_their_rear() -> None:
    by_name = {each.name: each.fighters for each in RULES.groups(roster())}
    assert by_name["Van"] == ("spears", "bills", "culverin", "bows", "scouts")
    assert by_name["Cavalry"] == ("knights",)


def test_a_card_has_the_strength_that_a_unit_has_left() -> None:
    build = RULES.clean_build(ARMY["levies"], TERMS)
    shown = {
        each.key: each.value for each in RULES.sheet(build, TERMS, {"lost": 2}).characteristics
    }
    assert shown == {"bases": "2½", "save": "5+", "shooting": "1D6", "fight": "2D6"}
    (line,) = RULES.condition_lines(build, TERMS, {"lost": 2})
    assert "2½ of 3½" in str(line)
    assert RULES.condition_lines(build, TERMS, {}) == ()


@pytest.mark.parametrize(
    ("key", "keys"),
    [("shots", ["bases", "save", "shooting", "fight"]), ("knights", ["bases", "save", "fight"]), ("duke", ["save"]),
     ("culverin", ["save", "shooting"])],
)  # fmt: skip
def test_a_card_has_what_its_arm_has(key: str, keys: list[str]) -> None:
    card = RULES.sheet(RULES.clean_build(ARMY[key], TERMS), TERMS)
    assert [each.key for each in card.characteristics] == keys


def test_attributes_of_a_general_stand_among_attributes() -> None:
    raw = {"arm": "general", "attributes": ["morale"], "others": "Bold", "unreliable": True}
    card = RULES.sheet(RULES.clean_build(raw, TERMS), TERMS)
    assert [each.name for each in card.attributes] == ["Morale", "Unreliable", "Bold"]
    assert card.equipment == ()


def test_attributes_say_what_they_do_for_the_foot_of_a_roster_but_those_in_free_words() -> None:
    raw = {
        "arm": "general",
        "attributes": [*book().attribute],
        "others": "Bold",
        "unreliable": True,
    }
    by_key = {
        each.key: (each.note, each.source)
        for each in RULES.sheet(RULES.clean_build(raw, TERMS), TERMS).attributes
    }
    assert by_key.pop("others") == ("", "")
    assert set(by_key) == {*book().attribute, "unreliable"} and all(
        note and rule for note, rule in by_key.values()
    )
    no_fight, disorder = figures("unreliable")["no_fight"], figures("unreliable")["disorder_from"]
    assert (
        f"{no_fight} or less" in by_key["unreliable"][0]
        and f"{disorder} or more" in by_key["unreliable"][0]
    )
    assert figures("fight")["attribute"] == 2 and by_key["target"][0].startswith("two more dice")


FOOT = ("Out of order", "Low on arrows", "Won a fight")


@pytest.mark.parametrize(
    ("key", "condition", "boxes"),
    [
        ("bills", {}, [("Bases", ("", "", "")), ("", (*FOOT, "Routed"))]),
        ("levies", {"lost": 2}, [("Bases", ("", "", "½")), ("", (*FOOT, "Routed"))]),
        ("duke", {}, [("", ("Attached", "Killed", "Lost to the enemy"))]),
        ("bombard", {}, [("Faces turned", ("",) * 4), ("", ("Destroyed", "Lost to the enemy"))]),
    ],
)
def test_a_box_for_each_base_that_is_left(
    key: str, condition: Condition, boxes: list[tuple[str, tuple[str, ...]]]
) -> None:
    rows = RULES.tick_boxes(RULES.clean_build(ARMY[key], TERMS), TERMS, condition)
    assert [(each.label, each.boxes) for each in rows] == boxes


def test_printed_columns_are_figures_of_a_card_and_tallies_count_deeds() -> None:
    card = RULES.sheet(RULES.clean_build(ARMY["bills"], TERMS), TERMS)
    assert [each.key for each in RULES.columns] == [each.key for each in card.characteristics]
    phrases = {"won": "won a fight against Van", "destroyed": "destroyed Van", "lost": "took Van"}
    for result, phrase in phrases.items():
        deed = Deed(
            "bills", "won" if result == "won" else "loss", 0, victim_name="Van", result=result
        )
        assert RULES.deed_phrase(deed) == phrase
        assert RULES.tallied(deed) == ((result,) if result != "lost" else ())


def test_fights_won_are_experience_only_with_steadiness() -> None:
    records = (Record("bills", 0, Fate.FIT, True), Record("bows", 0, Fate.FIT, False))
    deeds = tuple(
        Deed(each, "won", 0, victim_name="Van", result="won") for each in ("bills", "bills", "bows")
    )
    assert RULES.progression.awards(records, deeds, {}) == ()
    granted = RULES.progression.awards(records, deeds, {"steadiness": True})
    assert [(award.fighter, award.amount) for award in granted] == [("bills", 1), ("bills", 1)]
    assert not RULES.progression.experience({})
    assert RULES.progression.experience({"steadiness": True})


@pytest.mark.parametrize(
    ("raw", "cost", "better"),
    [
        ({"quality": "levy"}, 2, "retinue"),
        ({"quality": "retinue"}, 4, "household"),
        ({"quality": "household"}, None, ""),
    ],
)
def test_a_unit_rises_by_one_quality_for_fights_won(
    raw: dict[str, Any], cost: int | None, better: str
) -> None:
    build = RULES.clean_build(raw, STEADY)
    assert RULES.progression.rank_up_cost(build, TERMS) is None
    assert RULES.progression.rank_up_cost(build, STEADY) == cost
    steps = RULES.progression.rank_ups(fighter("unit", raw), Roster(STEADY, ()))
    assert [each.key for each in steps] == ([better] if better else [])
    if better:
        assert RULES.progression.take_rank_up(build, STEADY, better, {}).build["quality"] == better
    with pytest.raises(RulesError):
        RULES.progression.take_rank_up(build, STEADY, "levy", {})


RISEN = [
    ("retinue", {}, 1, []),
    ("retinue", {"other": "retinue"}, 1, []),
    ("retinue", {"other": "household"}, 1, ["household-steps"]),
    ("retinue", {"other": "household"}, 2, []),
    ("retinue", {"other": "household"}, 0, []),
    ("retinue", {"unit": "retinue"}, 1, ["one-step"]),
    ("retinue", {"unit": "retinue", "other": "household"}, 1, ["one-step", "household-steps"]),
    ("levy", {"other": "household"}, 1, []),
    ("levy", {"unit": "retinue"}, 0, ["one-step"]),
]
"""A unit's quality, who has risen to what since the last battle, how many may become Household;
what is wrong."""


@pytest.mark.parametrize(("quality", "risen", "most", "expected"), RISEN)
def test_one_step_between_two_battles_and_so_many_to_household(
    quality: str, risen: dict[str, str], most: int, expected: list[str]
) -> None:
    terms = CampaignTerms("army", {}, {"steadiness": True, "household_steps": most})
    (step,) = RULES.progression.rank_ups(
        fighter("unit", {"quality": quality}), Roster(terms, (), risen=risen)
    )
    assert [each.code for each in step.problems] == expected


def test_generals_and_guns_rise_to_nothing() -> None:
    for key in ("duke", "bombard"):
        build = RULES.clean_build(ARMY[key], STEADY)
        assert RULES.progression.rank_up_cost(build, STEADY) is None


def test_every_ruling_stands_under_a_heading_and_every_violation_names_a_way_out() -> None:
    headings = read_headings(DATA)
    cited = {ruling for heading in headings.heading for ruling in heading.rulings}
    assert cited == set(headings.rulings)
    for row in VIOLATIONS.entries.values():
        assert row.says.endswith(".")
        assert row.rule


def test_units_lost_are_ticked_and_the_markers_of_a_ward_but_never_of_cavalry() -> None:
    lost, _ = RULES.roster_boxes(roster())
    assert len(lost.boxes) == sum(raw.get("arm") != "general" for raw in ARMY.values())
    (markers,) = RULES.roster_boxes(roster(), "Van")
    assert len(markers.boxes) == 4
    assert RULES.roster_boxes(roster(), "Cavalry") == ()


def test_what_fails_of_morale_come_to_stands_at_the_foot_of_a_roster() -> None:
    tables = {table.anchor: table for table in RULES.roster_tables(roster())}
    assert [row[0] for row in tables["morale"].rows] == ["1 Hesitation", "2 Stand", "3+ Rout"]
    assert len(tables["turn"].rows) == len(book().step) == 13
    both_from = next(place for place, step in enumerate(book().step.values(), 1) if step.both)
    assert tables["turn"].name == f"Turn: both players from step {both_from}"


def test_quick_reference_follows_house_rules() -> None:
    settings = {"full_load": 3, "unreliable_dice": "battle", "restored_wards": True}
    usual, changed = (
        {row[0]: row[1] for table in RULES.roster_tables(each) for row in table.rows}
        for each in (Roster(TERMS, ()), Roster(CampaignTerms("army", {}, settings), ()))
    )
    assert usual["Loaded"].endswith("as agreed")
    assert changed["Loaded"] == "at the start, then at 3 faces, the one of the shot included"
    assert usual["Unreliable, 2D6"].startswith("when he first assaults in a turn")
    assert changed["Unreliable, 2D6"].startswith("when he first assaults in the battle")
    assert usual["10. Restore Wards"].endswith("no effect")
    assert changed["10. Restore Wards"].endswith("back in order")


def test_a_club_settles_how_often_a_gun_is_turned() -> None:
    terms = CampaignTerms("army", {}, {"full_load": 2})
    boxes = RULES.tick_boxes(RULES.clean_build(ARMY["bombard"], terms), terms)
    assert len(boxes[0].boxes) == 2


def test_a_silhouette_follows_the_arm() -> None:
    looks = {
        key: RULES.sheet(RULES.clean_build(raw, TERMS), TERMS).looks for key, raw in ARMY.items()
    }
    assert ("cannon",) in looks.values()
    assert ("mounted", "kettle", "banner") in looks.values()
