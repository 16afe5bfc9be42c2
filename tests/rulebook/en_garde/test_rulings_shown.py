"""Every ruling on rosters, scenarios and campaigns is shown by a test that is there (``rulings.txt`` says by which)."""

from pathlib import Path

import pytest

from rulebook.systems.en_garde.book.house_rules import HEADINGS
from tests.rulebook.en_garde.rosters import rows

TESTS = Path(__file__).resolve().parents[2]


def test_no_ruling_is_left_out_and_none_is_told_twice() -> None:
    told = [row[0] for row in rows("rulings.txt")]
    wanted = [key for key in HEADINGS.rulings if key[0] in "DPSCX" and key not in HEADINGS.not_applicable]
    assert told == wanted


@pytest.mark.parametrize("row", rows("rulings.txt"), ids=lambda row: row[0])
def test_the_test_that_shows_a_ruling_is_there(row: list[str]) -> None:
    _, file, name = row
    assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")
