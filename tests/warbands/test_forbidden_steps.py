"""A step that the rules offer and a house rule forbids: it is shown with its reason, and nobody can
take it."""

import pytest
from django.contrib.auth.models import User

from clubs.models import Club
from rulebook.ruleset import RulesError
from tests.warbands.conftest import fighter_of
from tests.warbands.test_real_lists import enrol, mustered
from warbands.models import RankUpOffer, Warband
from warbands.rulebook_values import read_state
from warbands.selectors.fighter_page import rank_up_list
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, adjust_fighter

pytestmark = pytest.mark.one_database

STEP = "landsknechts/oberst"


@pytest.fixture
def pair(bob: User) -> Warband:
    """Return an Oberst, and a Hauptmann who will have the experience to become another."""
    return mustered(
        bob,
        "landsknechts",
        NewFighter({"profile": "oberst"}, name="Jörg"),
        NewFighter({"profile": "hauptmann"}, name="Götz"),
    )


def risen(pair: Warband, club: Club, alice: User, bob: User, **house_rules: object) -> int:
    """Return the Hauptmann's Rank after he has tried to rank up."""
    enrol(pair, club, 300, **house_rules)
    gotz = fighter_of(pair, "Götz")
    adjust_fighter(fighter_id=gotz.pk, user=alice, experience=15, reason="For the test")
    prepare_offers(warband_id=pair.pk)
    take_rank_up(fighter_id=gotz.pk, step=STEP, user=bob)
    return read_state(Warband.objects.get(pk=pair.pk)).fighters[str(gotz.pk)].rank


def test_a_second_rank_5_is_pointed_out_and_taken_where_the_campaign_warns(
    pair: Warband, club: Club, alice: User, bob: User
) -> None:
    assert risen(pair, club, alice, bob) == 5


def test_a_second_rank_5_is_refused_where_the_campaign_forbids_it(
    pair: Warband, club: Club, alice: User, bob: User
) -> None:
    with pytest.raises(RulesError) as refused:
        risen(pair, club, alice, bob, second_rank_5="forbid")
    assert [problem.code for problem in refused.value.problems] == ["too-many-rank-5"]
    assert fighter_of(pair, "Götz").rank == 4


def test_it_is_not_offered_and_still_listed_with_its_reason(
    pair: Warband, club: Club, alice: User, bob: User
) -> None:
    with pytest.raises(RulesError):
        risen(pair, club, alice, bob, second_rank_5="forbid")
    gotz = fighter_of(pair, "Götz")
    assert not RankUpOffer.objects.filter(fighter=gotz).exists()
    (listed,) = rank_up_list(gotz).steps
    assert [problem.code for problem in listed.step.problems] == ["too-many-rank-5"]
    assert (listed.affordable, listed.short_by) == (False, 0)


def test_lenient_campaign_allows_forbidden_step(
    pair: Warband, club: Club, alice: User, bob: User
) -> None:
    assert risen(pair, club, alice, bob, second_rank_5="forbid", legality="warn") == 5
