"""House rules of a classic campaign as they act from the start to the final, and those that the
format lays down."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, Combatant, Part
from battles.rulebook_values import read_log, replay_battle, sides_of
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from campaigns.models import Campaign
from campaigns.services.campaigns import edit_campaign, plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband
from campaigns.services.house_rules import change_house_rules
from clubs.models import Club
from core.errors import InvalidInput
from leagues.selectors.classic import classic_page
from leagues.services.classic import plan_final
from rulebook.dice.committed import CommittedDice, commitment
from tests.leagues.classic import world
from warbands.models import Warband
from warbands.rulebook_values import read_state

pytestmark = pytest.mark.one_database


@pytest.fixture
def played(club: Club, alice: User, reds: Warband, blues: Warband):
    """Return a function that plays a classic campaign up to its final, under these house rules.

    A Blue is wounded in the duel.
    """

    def play(result: str = "light", **house_rules: Any) -> Battle:
        campaign = world.revealed(
            world.classic(club, alice, reds, blues, **house_rules), reds, blues
        )
        hurt = world.wound(world.fighters(reds)[0], world.fighters(blues)[0], result)
        world.all_fought(alice, campaign, duel=[hurt])
        return plan_final(campaign_id=campaign.pk, user=alice)

    return play


@pytest.fixture
def good_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("battles.services.outcomes.recovery_die", lambda battle, fighter: 6)


def brought(final: Battle, blues: Warband) -> str:
    """Return the wound with which the Blue from the duel begins the final."""
    sheet = replay_battle(final, sides_of(final), read_log(final))
    victim = str(world.fighters(blues)[0].pk)
    return next(
        record.wounds for side in sheet.sides for record in side.records if record.fighter == victim
    )


@pytest.mark.parametrize(("house", "wounds"), [("fresh", ""), ("wounded", "light")])
def test_the_lightly_wounded_come_fresh_or_with_their_wound(
    played, blues: Warband, house: str, wounds: str
) -> None:
    """Ruling C6."""
    assert brought(played("light", final_light=house), blues) == wounds


@pytest.mark.usefixtures("good_dice")
@pytest.mark.parametrize(("house", "wounds"), [("fresh", ""), ("wounded", "grievous")])
def test_so_do_the_gravely_wounded_who_come(
    played, blues: Warband, house: str, wounds: str
) -> None:
    """Ruling C7."""
    assert brought(played("grievous", final_grievous=house), blues) == wounds


@pytest.mark.parametrize(("house", "limit"), [("all", None), ("equal", 48)])
def test_forces_of_the_final_are_all_or_equal(
    played, reds: Warband, blues: Warband, house: str, limit: int
) -> None:
    """Ruling C8: without their officer of 18 points the Blues have 48 left."""
    final = played("critical", final_forces=house)
    assert final.points_limit == limit
    red = Combatant.objects.filter(side__battle=final, side__warband=reds)
    assert red.count() == (9 if limit is None else 0), "who has too many chooses"


@pytest.mark.parametrize(("house", "number"), [("all", 9), ("fielded", 8)])
def test_who_stayed_at_home_comes_or_does_not(
    played, reds: Warband, house: str, number: int
) -> None:
    """Ruling C5."""
    final = played("light", final_muster=house)
    assert Combatant.objects.filter(side__battle=final, side__warband=reds).count() == number


@pytest.mark.parametrize(("house", "experience"), [(False, 0), (True, 1)])
def test_experience_is_for_clubs_that_want_it(
    played, reds: Warband, house: bool, experience: int
) -> None:
    """Ruling X19."""
    played("light", classic_progression=house)
    guard = world.fighters(reds)[1]
    assert guard.experience == experience


def test_where_small_warbands_overlap_only_the_dead_drop_out(
    club: Club,
    alice: User,
    bob: User,
    reds: Warband,
    blues: Warband,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ruling C1: hurt in one game, a fighter is in the next one anyway, and the worst of it
    counts."""
    monkeypatch.setattr("battles.services.outcomes.recovery_die", lambda battle, fighter: 1)
    campaign = world.classic(club, alice, reds, blues, small_warbands="overlapping")
    shares = {"duel": (0,), "capture": (0, 1), "raid": (0, 2)}
    world.sealed(campaign, alice, reds, plan=world.plan_of(reds, shares))
    world.sealed(campaign, bob, blues, plan=world.plan_of(blues, shares))
    campaign = Campaign.objects.get(pk=campaign.pk)
    officer, other = world.fighters(blues)[0], world.fighters(blues)[2]
    world.fought(
        alice,
        world.game(campaign, "duel"),
        world.wound(world.fighters(reds)[0], officer, "grievous"),
    )
    assert world.fighters(blues)[0].fate == "recovering"
    world.fought(alice, world.game(campaign, "capture"))
    world.fought(
        alice, world.game(campaign, "raid"), world.wound(world.fighters(reds)[0], other, "light")
    )
    page = classic_page(campaign, alice)
    assert page is not None
    muster = next(each for each in page.final_forces if each.warband == blues.pk)
    assert [(each.id, each.fate) for each in muster.absent] == [(officer.pk, "recovering")]


def test_drawn_scenarios_follow_from_a_seed_that_was_committed_to(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    """Ruling C4."""
    campaign = world.classic(club, alice, reds, blues, classic_scenarios="drawn", start=False)
    before = classic_page(campaign, alice)
    assert before is not None and before.commitment == commitment(campaign.dice_seed)
    start_campaign(campaign_id=campaign.pk, user=alice)
    campaign.refresh_from_db()
    dice = CommittedDice(campaign.dice_seed, str(campaign.pk))
    assert [lot["number"] for lot in campaign.lots] == [
        dice.randint(1, faces) for faces in (8, 7, 6)
    ]
    assert len(set(campaign.scenarios)) == 3


# What the format lays down.


def test_a_classic_campaign_rolls_for_the_gravely_wounded_whatever_else_is_said(
    club: Club, alice: User
) -> None:
    campaign = world.classic(club, alice, start=False, wounds_after="heal", captives="return")
    assert campaign.house_rules == {
        "captives": "return",
        "wounds_after": "grievous-roll",
        "progression": False,
    }


def test_chronicles_record_house_rules(campaign: Campaign, reds: Warband) -> None:
    settings = read_state(Warband.objects.get(pk=reds.pk)).settings
    assert (settings["wounds_after"], settings["progression"]) == ("grievous-roll", False)


def test_a_change_of_house_rules_keeps_them(campaign: Campaign, alice: User) -> None:
    change_house_rules(
        campaign_id=campaign.pk,
        version=campaign.version,
        user=alice,
        house_rules={"classic_progression": True},
        reason="Everybody wants it.",
    )
    campaign.refresh_from_db()
    assert campaign.house_rules == {"classic_progression": True, "wounds_after": "grievous-roll"}


def test_they_come_and_go_with_the_format(club: Club, alice: User) -> None:
    linked = plan_campaign(club_id=club.pk, user=alice, name="L", ruleset="en-garde", points=100)
    assert linked.house_rules == {}
    classic = edit_campaign(campaign_id=linked.pk, version=1, user=alice, format="classic")
    assert classic.house_rules == {"wounds_after": "grievous-roll", "progression": False}
    again = edit_campaign(campaign_id=linked.pk, version=2, user=alice, format="linked")
    assert again.house_rules == {}


# The points limit of linked games. Ruling C18.


@pytest.mark.parametrize(
    ("house", "requested", "limit"), [("own", 40, 40), ("own", None, None), ("agreed", None, 100)]
)
def test_each_battle_has_its_own_limit_or_the_agreed_one(
    club: Club,
    alice: User,
    reds: Warband,
    blues: Warband,
    house: str,
    requested: int | None,
    limit: int | None,
) -> None:
    assert battle_in(club, alice, reds, blues, house, requested).points_limit == limit


def test_the_agreed_limit_is_not_changed_for_a_battle(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    with pytest.raises(InvalidInput) as refused:
        battle_in(club, alice, reds, blues, "agreed", 40)
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [
        ("limit-fixed", "points_limit")
    ]


def battle_in(
    club: Club, alice: User, reds: Warband, blues: Warband, house: str, requested: int | None
) -> Battle:
    """Return a battle with this limit, planned in a campaign with experience and 100 points."""
    linked = plan_campaign(
        club_id=club.pk,
        user=alice,
        name="L",
        ruleset="en-garde",
        points=100,
        house_rules={"game_limit": house},
    )
    for warband in (reds, blues):
        assert warband.owner is not None
        enrol_warband(campaign_id=linked.pk, warband_id=warband.pk, user=warband.owner)
    start_campaign(campaign_id=linked.pk, user=alice)
    sides = tuple(PlannedSide(warband.pk, "warband") for warband in (reds, blues))
    day = linked.created_at.date()
    plan = BattlePlan(
        scenario="skirmish", sides=sides, fought_on=day, campaign=linked.pk, points_limit=requested
    )
    battle = plan_battle(user=alice, plan=plan)
    assert battle.part == Part.NONE
    return battle
