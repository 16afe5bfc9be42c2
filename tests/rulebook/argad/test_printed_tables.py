"""The tables of the sheet, row by row, against the functions that decide."""

import pytest

from rulebook.systems.argad.book import USUAL, book
from rulebook.systems.argad.fighters import Move, base_cm, reach, slowing_dice
from rulebook.systems.argad.melee import Contender, Strike, blow_modifiers, resolve_blow
from rulebook.systems.argad.shooting import Shot, shot_modifiers, shot_violations
from tests.rulebook.argad.sheets import dice, fighter, melee, rows, shot

COLUMNS = ("light", "breastplate", "half-armour", "complete")


@pytest.mark.parametrize("row", rows("movement.txt"), ids=lambda row: row[0])
def test_a_row_of_movement_in_the_open(row):
    moves = [book().mount[row[0]].move.get(column) for column in COLUMNS]
    assert moves == [None if cell == "-" else int(cell) for cell in row[1:]]


@pytest.mark.parametrize("row", rows("slowing.txt"), ids=" ".join)
def test_a_row_of_slowing_dice(row):
    move = Move(fighter(f"mount={row[0]}"), row[1])
    assert len(dice(row[2])) == slowing_dice(move.fighter, move.terrain)
    outcome = reach(move, dice(row[2]))
    assert (outcome.cm, outcome.blocked) == (int(row[3]), row[4] == "yes")


@pytest.mark.parametrize("row", rows("firearms.txt"), ids=" ".join)
def test_a_row_of_the_firearms(row):
    band = Shot(fighter(f"firearm={row[0]}"), fighter(), int(row[2]), volley=row[1] == "yes").band
    assert (str(band.need) if band else "x") == row[3]
    assert (str(band.armour_from) if band and band.armour_from else "-") == row[4]


@pytest.mark.parametrize("row", rows("shooting.txt"), ids=" ".join)
def test_a_row_of_the_shooting_modifiers(row):
    lines = shot_modifiers(shot(*row[:3]))
    assert sum(line.amount for line in lines) == int(row[3]), lines


@pytest.mark.parametrize("row", rows("shot_forbidden.txt"), ids=" ".join)
def test_a_row_of_what_forbids_a_shot(row):
    violations = shot_violations(shot(row[0], "-", row[1]))
    assert [each.code for each in violations] == ([] if row[2] == "-" else row[2].split(", "))
    assert all(each.sentence.endswith(".") and each.rule for each in violations)


@pytest.mark.parametrize("row", rows("melee.txt"), ids=" ".join)
def test_a_row_of_the_melee_modifiers(row):
    lines = blow_modifiers(melee(*row[:3]))
    assert sum(line.amount for line in lines) == int(row[3]), lines


@pytest.mark.parametrize("row", rows("blows.txt"), ids=" ".join)
def test_a_row_of_blows(row):
    stands = {"-1": "stands=uphill", "0": "-", "1": "stands=behind-obstacle"}[row[1]]
    if row[4] == "yes":
        stands = f"{stands}, stands=disorder".replace("-, ", "")
    fought = melee("-", f"class={row[2]}, clothing={row[3]}", stands)
    assert resolve_blow(fought, dice(row[0])).result == Strike(row[5])


def test_reloading_takes_a_turn_for_pistol_and_arquebus_and_two_for_a_musket():
    assert [book().firearm[key].reload for key in ("none", "pistol", "arquebus", "musket")] == [
        0,
        1,
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("formation", "cm"), [("column-of-twos", 16), ("line", 12), ("backwards", 8)]
)
def test_close_order_goes_as_far_as_its_formation(formation, cm):
    assert base_cm(fighter("close_order"), formation) == cm


def test_the_lengths_run_from_the_pike_to_bare_hands():
    assert tuple(key for key, _ in book().lengths) == (
        "pike",
        "long",
        "semi-long",
        "short",
        "very-short",
        "bare-hands",
    )
    assert [
        Contender(fighter(f"weapon={each}")).length(USUAL)
        for each in ("pike", "sword", "bare-hands")
    ] == [0, 3, 5]
