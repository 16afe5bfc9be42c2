"""The head and foot of a printed roster: losses, Morale, turns, and the Wound Table."""

import pytest

from rulebook.ruleset import Roster, RosterFighter
from rulebook.systems.en_garde.quick_reference import quick_reference
from rulebook.systems.en_garde.rosters.sheets import sheet
from rulebook.systems.en_garde.rosters.table_aids import prints, roster_boxes
from rulebook.systems.en_garde.table.combatant import total
from rulebook.systems.en_garde.table.morale import WarbandInBattle, morale_modifiers, must_test
from rulebook.systems.en_garde.table.wounds import (
    WoundResult,
    WoundState,
    WoundTable,
    score_bands,
    suffer,
    wound_costs,
    wound_result,
)
from tests.rulebook.en_garde.rosters import build, terms
from tests.rulebook.en_garde.rosters import roster as written_roster


def roster(number: int, list_key: str = "landsknechts", raw="doppelsoldner") -> Roster:
    on = terms(list_key)
    made = build(raw, on)
    return Roster(
        on, tuple(RosterFighter(f"f{place}", f"F{place}", made) for place in range(number))
    )


@pytest.mark.parametrize(
    ("number", "strokes"), [(1, ()), (4, (3,)), (5, (3, 4)), (17, (9, 13)), (20, (11, 16))]
)
def test_losses_have_a_box_for_everybody_and_strokes_at_less_than_half_and_a_quarter(
    number, strokes
):
    losses, morale, turns = roster_boxes(roster(number))
    assert (len(losses.boxes), losses.strokes) == (number, strokes)
    assert morale.boxes == ("Wavering", "Routing")
    assert turns.boxes[-1] == str(prints().turns)


@pytest.mark.parametrize("number", range(1, 21))
def test_morale_tests_get_harder_at_the_strokes_and_nowhere_else(number):
    def modifier(lost: int) -> int:
        warband = WarbandInBattle(rating=7, start=number, strength=number - lost)
        return total(morale_modifiers(warband))

    losses = roster_boxes(roster(number))[0]
    harder = [lost for lost in range(1, number) if modifier(lost) > modifier(lost - 1)]
    assert list(losses.strokes) == harder
    assert list(losses.stroke_notes) == [
        f"{lost} lost: Morale Test {modifier(lost):+d}" for lost in harder
    ]


@pytest.mark.parametrize(("number", "quarter"), [(5, 2), (17, 5), (20, 5)])
def test_the_track_says_how_many_in_one_turn_make_a_warband_test(number, quarter):
    note = roster_boxes(roster(number))[0].note
    assert note == f"test after {quarter} in one turn, or the Leader"
    for killed, tests in ((quarter - 1, False), (quarter, True)):
        warband = WarbandInBattle(rating=7, start=number, strength=number - killed, killed=killed)
        assert bool(must_test(warband)) is tests


def test_a_roster_on_which_nobody_stands_yet_has_boxes_for_twenty():
    losses = roster_boxes(roster(0))[0]
    assert (len(losses.boxes), losses.strokes) == (20, ())


def tables(of: Roster) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {table.anchor: table.rows for table in quick_reference(of)}


def rows_of(of: Roster, table: str) -> dict[str, str]:
    return {row[0]: row[1] for row in tables(of)[table]}


def test_the_wound_table_has_a_row_for_each_result_with_what_it_costs():
    assert tables(roster(3))["wounds-standard"] == (
        ("0 or less", "Scratch", ""),
        ("1", "Stunned", "Initiative, Shoot -1; the second Fight -1"),
        ("2–3", "Light wound", "Initiative, Fight, Shoot -1"),
        ("4–5", "Grievous wound", "Initiative, Fight, Shoot -2"),
        ("6+", "Critical: killed", ""),
    )


@pytest.mark.parametrize(
    ("before", "more", "after"),
    [
        ("light", "light", "grievous"),
        ("light", "grievous", "grievous"),
        ("grievous", "light", "critical"),
        ("grievous", "grievous", "critical"),
    ],
)
def test_wounds_add_up_on_paper_as_in_a_battle(before, more, after):
    state = suffer(suffer(WoundState(), WoundResult(before)), WoundResult(more))
    assert state.wound == after
    rows = rows_of(roster(3), "adding")
    key = "Grievous + any wound" if before == "grievous" else f"Light + {more.capitalize()}"
    assert rows[key].lower().startswith(after)


def test_the_shooting_table_has_the_amounts_of_a_shot_in_a_battle():
    rows = rows_of(roster(3), "shooting")
    assert (rows["Within 3″"], rows["12″ to 24″"]) == ("+1", "-1")
    assert rows["Over 24″, over 36″"] == "-2, -3"
    assert rows["Cover light, medium, heavy"] == "-1, -2, -3"


def test_house_rules_change_the_quick_reference():
    on = terms("landsknechts", below_quarter_morale=2)
    row = RosterFighter("f", "F", build("doppelsoldner", on))
    assert rows_of(Roster(on, (row,)), "morale")["Less than a quarter left"] == "+2 instead"


def test_quick_reference_has_the_victory_and_experience_of_its_house_rules():
    usual = tables(Roster(terms("landsknechts"), ()))
    assert ("Captured banner", "5") in usual["victory"]
    assert ("Survivors", "wounds heal") in usual["victory"]
    assert ("For wounds", "each") in usual["experience"]
    once = tables(Roster(terms("landsknechts", experience_per_wound="once"), ()))
    assert ("For wounds", "once in a battle") in once["experience"]
    assert "experience" not in tables(Roster(terms("landsknechts", progression=False), ()))


def test_quick_reference_lists_the_guns_of_a_warband():
    assert "guns" not in tables(Roster(terms("landsknechts"), ()))
    rows = tables(Roster(terms(""), ()))["guns"]
    assert ("Swivel gun", "48″", "wound +3; crew of 2; grapeshot; reload 2") in rows


def test_a_large_body_has_a_column_and_a_huge_one_a_table_of_its_own():
    on = terms("fantastical", fantastical=True)
    rows = tables(written_roster(on, ["beast"]))["wounds-standard"]
    assert [row[2] for row in rows[:3]] == ["Scratch", "Stunned", "Stunned"]
    huge = {"profile": "custom/rank-3", "options": {"attributes": ["huge"]}}
    on = terms("custom", fantastical=True)
    assert {"wounds-standard", "wounds-huge"} <= set(tables(written_roster(on, [huge])))


@pytest.mark.parametrize(
    ("list_key", "profile", "shown"),
    [
        ("conquistadors", "warhound", ("hound",)),
        ("ottoman-empire", "janissary", ("bork",)),
        ("ottoman-empire", "azab", ("turban",)),
        ("landsknechts", "doppelsoldner", ("morion", "pike")),
    ],
)
def test_a_silhouette_shows_what_its_profile_is(list_key, profile, shown):
    on = terms(list_key)
    looks = sheet(build(profile, on), on).looks
    assert looks[: len(shown)] == shown


@pytest.mark.parametrize("table", [WoundTable.STANDARD, WoundTable.HUGE])
def test_the_bands_of_scores_are_those_by_which_wounds_are_found(table):
    for band, result in score_bands(table):
        score = int(band.replace("+", " ").replace("–", " ", 1).split()[0])
        assert wound_result(score, table) is result


def test_a_critical_wound_costs_no_characteristics():
    assert wound_costs(WoundResult.CRITICAL).fight == 0
    assert wound_costs("second_stunned").fight == -1
