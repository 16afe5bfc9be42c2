"""Printed rosters of units in groups: groups with their places and sums, boxes whose words stay
whole, one page."""

import pytest
from django.contrib.auth.models import User

from documents.content.labels import harm
from documents.content.print_jobs import plans
from documents.content.rosters import roster_content
from documents.printing import markup, typeset
from documents.templatetags.printed import evenly
from rulebook.ruleset import Fate, Record
from rulebook.systems.wards.system import Wards
from tests.battles.test_fighting_wards import BUILDS
from tests.documents.reading_pdfs import text
from warbands.models import Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
WARDS = Wards()


@pytest.fixture
def army(alice: User) -> Warband:
    row = muster_warband(user=alice, ruleset="wards", faction="army", name="Host")
    recruit_fighters(
        warband_id=row.pk, fighters=[NewFighter(build) for build in BUILDS], user=alice
    )
    return Warband.objects.get(pk=row.pk)


def test_roster_has_groups_places_and_sums(army: Warband) -> None:
    roster = roster_content(army, ("cards",)).roster
    assert [group.name for group in roster.groups] == ["", "Van", "Rearguard", "Cavalry"]
    van = roster.groups[1]
    assert [row.place for row in van.rows] == ["Front", "Front", "Front", "Rear", "In reserve"]
    assert [(each.name, each.note) for each in van.sums] == [("Bases", "14")]
    assert next(each.stands for each in roster.cards if each.stands) == "Van, Front"


def test_every_word_of_a_printed_roster_is_whole_and_the_sheet_takes_one_page(
    army: Warband,
) -> None:
    printed = typeset(
        markup(plans(roster_content(army, ("cards",)))[0]), paper="A4", identifier="00"
    )
    words = text(printed.pdf).split()
    for label in ("Household", "Retinue", "Cavalry", "Rearguard"):
        assert label in words, label
    assert printed.pages == 6, "the sheet, the quick reference, and both sides of two pages"


@pytest.mark.parametrize(
    ("number", "widths"), [(0, []), (1, [1]), (6, [6]), (7, [4, 4]), (9, [5, 5]), (13, [5, 5, 5])]
)
def test_box_rows_have_equal_width(number: int, widths: list[int]) -> None:
    rows = evenly(range(number), 6)
    assert [len(row) for row in rows] == widths
    assert [each for row in rows for each in row if each is not None] == list(range(number))


@pytest.mark.parametrize("how", ["destroyed", "killed", "lost", "routed"])
def test_what_is_lost_is_lost_in_the_words_of_its_rules(how: str) -> None:
    gone = Record("x", 0, Fate.DEAD, survived=False, wounds=how)
    assert harm(WARDS, gone) == WARDS.wound_phrase(how)
