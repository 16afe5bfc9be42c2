"""Warbands entering and leaving campaigns."""

import pytest
from django.contrib.auth.models import User

from campaigns.models import Campaign, Enrolment
from campaigns.services import enrolments
from campaigns.services.campaigns import plan_campaign, start_campaign
from campaigns.services.enrolments import (
    PALETTE,
    check_enrolment,
    enrol_warband,
    recolour_enrolment,
    withdraw_warband,
)
from clubs.models import Club
from clubs.services.clubs import found_club
from clubs.services.members import add_guest
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from core.users import Visibility
from drawings.crests import OR
from rulebook.chronicle.facts import Enrolled, Withdrawn
from tests.campaigns.conftest import Muster, seat
from warbands.models import Warband
from warbands.services.chronicle import read_chronicle
from warbands.services.verification import prove


def test_a_player_enrols_a_warband_on_the_agreed_terms(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    warband = muster(bob, "Bob's Reds")
    enrolment = enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    fact = read_chronicle(warband.pk)[-1]
    assert isinstance(fact, Enrolled)
    assert (fact.campaign, fact.campaign_name) == (str(campaign.pk), "The Long Winter")
    assert (fact.agreed_points, fact.settings) == (50, {})
    assert (enrolment.player.name, enrolment.left_at, enrolment.overruled) == ("Bob", None, "")
    warband.refresh_from_db()
    assert warband.locked
    assert prove(warband) == []


def test_the_campaigns_house_rules_go_into_the_chronicle(
    club: Club, muster: Muster, alice: User
) -> None:
    campaign = plan_campaign(
        club_id=club.pk,
        user=alice,
        name="W",
        ruleset="toy",
        points=50,
        house_rules={"surviving": 3},
    )
    warband = muster(alice, "Reds")
    enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice)
    warband.refresh_from_db()
    assert warband.state["settings"] == {"surviving": 3}


def test_each_warband_gets_a_colour_of_its_own(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    for number in range(3):
        enrol_warband(
            campaign_id=campaign.pk, warband_id=muster(bob, f"Reds {number}").pk, user=bob
        )
    enrol_warband(
        campaign_id=campaign.pk, warband_id=muster(bob, "Pinks").pk, user=bob, colour="#FF00FF"
    )
    colours = [row.colour for row in campaign.enrolments.order_by("enrolled_at")]
    assert colours == [*PALETTE[:3], "#ff00ff"]


@pytest.fixture
def same_shield(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all warbands the same shield, which they have in different colours."""
    monkeypatch.setattr(enrolments, "blazon", lambda seed, colour: ("plain", "sword", colour, OR))


@pytest.mark.usefixtures("same_shield")
def test_no_two_warbands_of_a_campaign_have_the_same_arms(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    for _ in range(len(PALETTE) + 2):
        enrol_warband(campaign_id=campaign.pk, warband_id=muster(bob, "Reds").pk, user=bob)
    rows = campaign.enrolments.all()
    assert len({row.colour for row in rows}) == len(PALETTE) + 2
    with pytest.raises(InvalidInput) as refused:
        recolour_enrolment(
            enrolment_id=rows.get(colour=PALETTE[0]).pk, user=bob, colour=PALETTE[1].upper()
        )
    assert refused.value.code == "arms-taken"


@pytest.mark.parametrize("colour", ["red", "#12345", "#12345g", "#1234567", "#12345\n"])
def test_a_colour_is_six_hexadecimal_digits(
    campaign: Campaign, muster: Muster, bob: User, colour: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(
            campaign_id=campaign.pk, warband_id=muster(bob, "Reds").pk, user=bob, colour=colour
        )
    assert refused.value.code == "not-a-colour"
    assert not Enrolment.objects.exists()


def test_an_illegal_roster_is_refused_with_every_problem_and_nothing_is_written(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    warband = muster(bob, "Too grand", "captain", "captain", "captain", "veteran")
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    assert refused.value.code == "illegal-roster"
    assert {problem.code for problem in refused.value.problems} == {"over-points", "two-captains"}
    warband.refresh_from_db()
    assert (warband.sequence, warband.locked) == (3, False)
    assert not Enrolment.objects.exists()


def test_the_check_alone_tells_the_same_and_writes_nothing(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    warband = muster(bob, "Too grand", "captain", "captain", "captain", "veteran")
    problems = check_enrolment(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    assert {problem.code for problem in problems} == {"over-points", "two-captains"}
    assert not Enrolment.objects.exists()


def test_an_organiser_overrules_with_a_reason_that_is_kept(
    campaign: Campaign, muster: Muster, alice: User
) -> None:
    warband = muster(alice, "Two captains", "captain", "captain")
    enrolment = enrol_warband(
        campaign_id=campaign.pk, warband_id=warband.pk, user=alice, overrule="Twins, by old custom."
    )
    assert enrolment.overruled == "Twins, by old custom."
    fact = read_chronicle(warband.pk)[-1]
    assert isinstance(fact, Enrolled)
    assert fact.reason == "Twins, by old custom."


def test_a_reason_that_nothing_needs_is_not_kept(
    campaign: Campaign, muster: Muster, alice: User
) -> None:
    enrolment = enrol_warband(
        campaign_id=campaign.pk,
        warband_id=muster(alice, "Reds").pk,
        user=alice,
        overrule="To be safe.",
    )
    assert enrolment.overruled == ""


def test_a_player_cannot_overrule(campaign: Campaign, muster: Muster, bob: User) -> None:
    warband = muster(bob, "Two captains", "captain", "captain")
    with pytest.raises(Forbidden):
        enrol_warband(
            campaign_id=campaign.pk, warband_id=warband.pk, user=bob, overrule="I like them."
        )


def test_under_warnings_an_illegal_roster_gets_in(club: Club, muster: Muster, alice: User) -> None:
    campaign = plan_campaign(
        club_id=club.pk,
        user=alice,
        name="Lax",
        ruleset="toy",
        points=50,
        house_rules={"legality": "warn"},
    )
    warband = muster(alice, "Two captains", "captain", "captain")
    assert enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice).overruled == ""


def test_a_warband_is_in_one_campaign_at_a_time(
    enrolled: Campaign, club: Club, alice: User, bob: User
) -> None:
    other = plan_campaign(club_id=club.pk, user=alice, name="Summer", ruleset="toy", points=50)
    warband = Warband.objects.get(owner=bob)
    with pytest.raises(StateConflict, match=r"The Long Winter\. Withdraw it there") as refused:
        enrol_warband(campaign_id=other.pk, warband_id=warband.pk, user=bob)
    assert refused.value.code == "already-enrolled"


def test_a_campaign_that_one_cannot_see_is_not_named(
    enrolled: Campaign, bob: User, alice: User, make_user, muster: Muster
) -> None:
    emil = make_user("emil")
    club = found_club(user=emil, name="Secret society")
    hidden = plan_campaign(club_id=club.pk, user=emil, name="Hidden", ruleset="toy", points=50)
    warband = muster(emil, "Shades")
    Warband.objects.filter(pk=warband.pk).update(keeper=alice, visibility=Visibility.PUBLIC)
    enrol_warband(campaign_id=hidden.pk, warband_id=warband.pk, user=emil)
    with pytest.raises(StateConflict) as refused:
        enrol_warband(
            campaign_id=enrolled.pk,
            warband_id=warband.pk,
            user=alice,
            player_id=seat(enrolled.club, "Alice"),
        )
    assert "Hidden" not in refused.value.sentence


def test_a_warband_of_other_rules_is_refused(campaign: Campaign, muster: Muster, bob: User) -> None:
    warband = muster(bob, "Reds")
    Warband.objects.filter(pk=warband.pk).update(edition="0")
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    assert refused.value.code == "other-ruleset"


def test_an_archived_warband_is_refused(campaign: Campaign, muster: Muster, bob: User) -> None:
    warband = muster(bob, "Reds")
    Warband.objects.filter(pk=warband.pk).update(archived_at="2030-01-01T00:00Z")
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=bob)
    assert refused.value.code == "warband-archived"


def test_strangers_and_spectators_enrol_nothing(
    campaign: Campaign, muster: Muster, dora: User, charlie: User
) -> None:
    with pytest.raises(NotFound):
        enrol_warband(
            campaign_id=campaign.pk, warband_id=muster(charlie, "Shades").pk, user=charlie
        )
    with pytest.raises(Forbidden):
        enrol_warband(campaign_id=campaign.pk, warband_id=muster(dora, "Dolls").pk, user=dora)


def test_a_stranger_enrols_nothing_in_a_public_campaign(
    campaign: Campaign, muster: Muster, charlie: User
) -> None:
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    with pytest.raises(Forbidden):
        enrol_warband(
            campaign_id=campaign.pk, warband_id=muster(charlie, "Shades").pk, user=charlie
        )


def test_an_organiser_cannot_seize_a_strangers_public_warband(
    campaign: Campaign, muster: Muster, alice: User, charlie: User
) -> None:
    warband = muster(charlie, "Shades")
    Warband.objects.filter(pk=warband.pk).update(visibility=Visibility.PUBLIC)
    with pytest.raises(Forbidden):
        enrol_warband(
            campaign_id=campaign.pk,
            warband_id=warband.pk,
            user=alice,
            player_id=seat(campaign.club, "Alice"),
        )


def test_an_organiser_enrols_a_players_warband_that_is_open_to_see(
    campaign: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    warband = muster(bob, "Bob's Reds")
    with pytest.raises(NotFound):
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice)
    Warband.objects.filter(pk=warband.pk).update(visibility=Visibility.UNLISTED)
    assert (
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice).player.name
        == "Bob"
    )


def test_a_player_cannot_enrol_for_somebody_else(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    with pytest.raises(Forbidden):
        enrol_warband(
            campaign_id=campaign.pk,
            warband_id=muster(bob, "Bob's Reds").pk,
            user=bob,
            player_id=seat(campaign.club, "Alice"),
        )


def test_a_spectator_plays_no_warband(campaign: Campaign, muster: Muster, alice: User) -> None:
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(
            campaign_id=campaign.pk,
            warband_id=muster(alice, "Reds").pk,
            user=alice,
            player_id=seat(campaign.club, "Dora"),
        )
    assert refused.value.code == "spectator"


def test_for_a_guests_warband_the_guest_is_named(
    campaign: Campaign, muster: Muster, alice: User
) -> None:
    guest = add_guest(club_id=campaign.club_id, user=alice, name="Gaston")
    warband = muster(None, "Gaston's Reds", keeper=alice)
    with pytest.raises(InvalidInput) as refused:
        enrol_warband(campaign_id=campaign.pk, warband_id=warband.pk, user=alice)
    assert refused.value.code == "player-needed"
    enrolment = enrol_warband(
        campaign_id=campaign.pk, warband_id=warband.pk, user=alice, player_id=guest.pk
    )
    assert enrolment.player == guest


def test_who_withdraws_is_free_and_remembered(
    enrolled: Campaign, club: Club, alice: User, bob: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    enrolment = Enrolment.objects.get(warband__owner=bob)
    withdraw_warband(enrolment_id=enrolment.pk, user=bob, reason="Moving house")
    fact = read_chronicle(enrolment.warband_id)[-1]
    assert isinstance(fact, Withdrawn)
    assert fact.reason == "Moving house"
    other = plan_campaign(club_id=club.pk, user=alice, name="Summer", ruleset="toy", points=50)
    enrol_warband(campaign_id=other.pk, warband_id=enrolment.warband_id, user=bob)


def test_nobody_withdraws_twice(enrolled: Campaign, bob: User) -> None:
    enrolment = Enrolment.objects.get(warband__owner=bob)
    withdraw_warband(enrolment_id=enrolment.pk, user=bob)
    with pytest.raises(StateConflict):
        withdraw_warband(enrolment_id=enrolment.pk, user=bob)


def test_only_owner_and_organisers_withdraw(
    enrolled: Campaign, alice: User, bob: User, dora: User, charlie: User
) -> None:
    enrolment = Enrolment.objects.get(warband__owner=alice)
    for user, answer in ((bob, Forbidden), (dora, Forbidden), (charlie, NotFound)):
        with pytest.raises(answer):
            withdraw_warband(enrolment_id=enrolment.pk, user=user)
    withdraw_warband(enrolment_id=Enrolment.objects.get(warband__owner=bob).pk, user=alice)


def test_owner_and_organisers_choose_other_colours(
    enrolled: Campaign, alice: User, bob: User, dora: User, charlie: User
) -> None:
    enrolment = Enrolment.objects.get(warband__owner=alice)
    for user, answer in ((bob, Forbidden), (dora, Forbidden), (charlie, NotFound)):
        with pytest.raises(answer):
            recolour_enrolment(enrolment_id=enrolment.pk, user=user, colour=PALETTE[5])
    with pytest.raises(InvalidInput):
        recolour_enrolment(enrolment_id=enrolment.pk, user=alice, colour="red")
    for place, owner in enumerate((alice, bob)):
        theirs = Enrolment.objects.get(warband__owner=owner)
        recolour_enrolment(enrolment_id=theirs.pk, user=alice, colour=PALETTE[5 + place].upper())
        theirs.refresh_from_db()
        assert theirs.colour == PALETTE[5 + place]


def test_coming_back_to_a_running_campaign_takes_an_organiser(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    enrolment = Enrolment.objects.get(warband__owner=bob)
    withdraw_warband(enrolment_id=enrolment.pk, user=bob)
    with pytest.raises(Forbidden):
        enrol_warband(campaign_id=enrolled.pk, warband_id=enrolment.warband_id, user=bob)
    back = enrol_warband(campaign_id=enrolled.pk, warband_id=enrolment.warband_id, user=alice)
    assert (back.pk, back.left_at, back.colour) == (enrolment.pk, None, enrolment.colour)


@pytest.mark.usefixtures("same_shield")
def test_a_warband_that_returns_to_taken_arms_gets_another_colour(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    first, second = (
        enrol_warband(campaign_id=campaign.pk, warband_id=muster(bob, "Reds").pk, user=bob)
        for _ in range(2)
    )
    withdraw_warband(enrolment_id=first.pk, user=bob)
    Enrolment.objects.filter(pk=second.pk).update(colour=first.colour)
    back = enrol_warband(campaign_id=campaign.pk, warband_id=first.warband_id, user=bob)
    assert back.pk == first.pk
    assert back.colour in PALETTE[1:]
