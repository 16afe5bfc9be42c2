"""Purchases of a whole warband: Morale, banner, guns, warband type; and the sums of a roster."""

import pytest

from rulebook.ruleset import Fate, Roster, RulesError
from rulebook.systems.en_garde.rosters.assembled_roster import roster_totals
from rulebook.systems.en_garde.rosters.extras import clean_extras
from tests.rulebook.en_garde.rosters import fighter, roster, terms


def errors(list_key: str, raw) -> list[str]:
    try:
        clean_extras(raw, terms(list_key))
    except RulesError as error:
        return [problem.code for problem in error.problems]
    return []


def test_extras_have_one_canonical_form():
    raw = {"morale": 8, "banner": True, "ordnance": "swivel-gun", "template": None}
    clean = {"banner": True, "ordnance": [{"gun": "swivel-gun"}]}
    assert clean_extras(raw, terms("landsknechts")) == clean
    assert clean_extras(clean, terms("landsknechts")) == clean


@pytest.mark.parametrize("morale", ["high", 4, 11, [8]])
def test_terms_with_an_impossible_morale_are_refused(morale):
    with pytest.raises(RulesError):
        roster_totals(Roster(terms("custom", extras={"morale": morale}), ()))


def test_a_guns_crew_may_be_named():
    raw = {"ordnance": [{"gun": "cannon", "crew": ["a", "b", "c", "d"]}]}
    assert clean_extras(raw, terms("english-civil-war")) == raw


def test_a_custom_warband_chooses_its_morale_and_its_type():
    raw = {"morale": 10, "template": "elite"}
    assert clean_extras(raw, terms("custom")) == raw


@pytest.mark.parametrize(
    ("code", "list_key", "good", "bad"),
    [
        ("morale-not-allowed", "native-north-americans", {"morale": 7}, {"morale": 8}),
        ("morale-not-allowed", "landsknechts", {"morale": 8}, {"morale": 7}),
        ("morale-not-allowed", "custom", {"morale": 5}, {"morale": 4}),
        ("banner-not-allowed", "swashbucklers", {"banner": False}, {"banner": True}),
        ("gun-not-allowed", "landsknechts", {"ordnance": ["swivel-gun"]}, {"ordnance": ["cannon"]}),
        (
            "gun-not-allowed",
            "custom",
            {"ordnance": ["ballista", "cannon"]},
            {"ordnance": ["catapult"]},
        ),
        (
            "too-many-guns",
            "english-civil-war",
            {"ordnance": ["cannon"]},
            {"ordnance": ["cannon", "light-cannon"]},
        ),
        ("unknown-template", "custom", {"template": "standard"}, {"template": "huge"}),
        ("unknown-purchase", "custom", {}, {"flag": True}),
        ("bad-extras", "custom", {}, {"morale": "high"}),
        ("bad-extras", "custom", {}, {"ordnance": [5]}),
        ("bad-extras", "custom", {}, {"ordnance": 5}),
    ],
)
def test_each_problem_of_extras_is_found_and_only_there(code, list_key, good, bad):
    assert errors(list_key, good) == []
    assert errors(list_key, bad)[0] == ("unknown-gun" if "catapult" in str(bad) else code)


def test_totals_hold_fighters_banner_and_guns():
    on = terms("landsknechts", extras={"banner": True, "ordnance": [{"gun": "swivel-gun"}]})
    totals = roster_totals(roster(on, ["landsknecht"] * 4 + ["oberst"]))
    assert totals.points == 4 * 15 + 33 + 5 + 10
    assert [(line.label, line.points) for line in totals.lines] == [
        ("Banner", 5),
        ("Swivel gun", 10),
    ]
    assert (totals.fighters, totals.figure("morale"), totals.figure("morale_test_after")) == (
        5,
        8,
        2,
    )


def test_the_dead_the_retired_and_the_captured_do_not_count():
    on = terms("landsknechts")
    fates = [Fate.FIT, Fate.RECOVERING, Fate.DEAD, Fate.RETIRED, Fate.CAPTURED]
    everybody = tuple(
        fighter(number, "landsknecht", on, fate=fate) for number, fate in enumerate(fates)
    )
    totals = roster_totals(Roster(on, everybody))
    assert (totals.points, totals.fighters) == (30, 2)


@pytest.mark.parametrize(("fighters", "losses"), [(1, 1), (4, 1), (5, 2), (8, 2), (10, 3), (20, 5)])
def test_morale_is_tested_after_losing_a_quarter_rounded_up(fighters: int, losses: int):
    assert (
        roster_totals(roster(terms("landsknechts"), ["landsknecht"] * fighters)).figure(
            "morale_test_after"
        )
        == losses
    )


def test_an_empty_warband_tests_no_morale():
    assert roster_totals(roster(terms("landsknechts"), [])).figure("morale_test_after") is None


def test_the_morale_of_a_custom_warband_is_the_one_it_bought():
    assert (
        roster_totals(roster(terms("custom", extras={"morale": 9}), ["rank-1"])).figure("morale")
        == 9
    )
