"""An army of Avant-garde from the first recruit to the page: brigades, posts, points and what is
not in the source."""

import pytest
from django.contrib.auth.models import User

from core.errors import InvalidInput
from tests.rulebook.avant_garde.armies import ARMY
from warbands.models import Warband
from warbands.selectors.warband_page import warband_page
from warbands.services.posts import appoint
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def army(alice: User) -> Warband:
    """Return Alice's army: a Commander-in-Chief and two brigades."""
    row = muster_warband(user=alice, ruleset="avant-garde", faction="france", name="Corps")
    recruits = [NewFighter(build, name=name) for name, build in ARMY.items()]
    recruit_fighters(warband_id=row.pk, fighters=recruits, user=alice)
    return Warband.objects.get(pk=row.pk)


def test_the_page_shows_brigades_with_their_sums_and_what_has_no_price(
    army: Warband, alice: User
) -> None:
    page = warband_page(army, alice)
    assert [(group.name, len(group.fighters)) for group in page.groups] == [
        ("First", 4),
        ("Horse", 2),
    ]
    assert [(each.label, each.value) for each in page.groups[1].figures][:1] == [("Points", 180)]
    assert {figure.key: figure.value for figure in page.figures}["unpriced"] == 2
    assert prove(army) == []


def test_a_commander_is_put_in_chief_and_nobody_else(army: Warband, alice: User) -> None:
    ids = {fighter.name: fighter.pk for fighter in army.fighters.all()}
    appoint(warband_id=army.pk, user=alice, posts={"commander-in-chief": ids["Lannes"]})
    with pytest.raises(InvalidInput) as caught:
        appoint(warband_id=army.pk, user=alice, posts={"commander-in-chief": ids["17th Line"]})
    assert caught.value.problems[0].code == "not-a-commander"
