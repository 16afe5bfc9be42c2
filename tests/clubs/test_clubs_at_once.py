"""Several members at once, each on a connection of their own: nobody gets in twice, nothing is
lost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import (
    edit_campaign,
    finish_campaign,
    plan_campaign,
    start_campaign,
)
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.house_rules import change_house_rules
from clubs.models import Club, Invitation, Membership, Role
from clubs.services.invitations import accept_invitation, invite, revoke_invitation
from clubs.services.members import add_guest, change_role, remove_member
from core.errors import MusterError
from tests.campaigns.conftest import Muster, seat
from tests.together import at_once
from warbands.models import Warband
from warbands.services.verification import prove

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def refusals(answers: list[Any]) -> list[str]:
    """Return the codes of refused answers."""
    return sorted(answer.code for answer in answers if isinstance(answer, MusterError))


def test_the_last_use_of_a_link_lets_one_in(
    club: Club, alice: User, make_user: Callable[[str], User]
) -> None:
    secret = invite(club_id=club.pk, user=alice).secret
    users = [make_user(f"guest{number}") for number in range(5)]
    answers = at_once(
        *(lambda user=user: accept_invitation(secret=secret, user=user) for user in users)
    )
    assert refusals(answers) == ["invitation-used-up"] * 4
    assert Membership.objects.filter(user__in=users).count() == 1


def test_one_user_who_clicks_twice_joins_once(club: Club, alice: User, charlie: User) -> None:
    secret = invite(club_id=club.pk, user=alice, uses=5).secret
    answers = at_once(*[lambda: accept_invitation(secret=secret, user=charlie)] * 4)
    assert refusals(answers) == ["already-member"] * 3
    assert Invitation.objects.get().uses_left == 4


def test_a_seat_is_taken_by_one_of_two_links(
    club: Club, alice: User, charlie: User, make_user: Callable[[str], User]
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    first, second = (invite(club_id=club.pk, user=alice, seat_id=guest.pk).secret for _ in range(2))
    other = make_user("gaston")
    answers = at_once(
        lambda: accept_invitation(secret=first, user=charlie),
        lambda: accept_invitation(secret=second, user=other),
    )
    assert refusals(answers) == ["unknown-invitation"]
    assert club.memberships.count() == 4
    assert Membership.objects.filter(user__in=[charlie, other]).count() == 1


def test_a_link_that_is_revoked_and_followed_at_once_does_one_or_the_other(
    club: Club, alice: User, charlie: User
) -> None:
    issued = invite(club_id=club.pk, user=alice)
    at_once(
        lambda: accept_invitation(secret=issued.secret, user=charlie),
        lambda: revoke_invitation(invitation_id=issued.invitation.pk, user=alice),
    )
    assert not Invitation.objects.filter(uses_left__gt=0).exists()


def test_two_organisers_cannot_send_each_other_away(club: Club, alice: User, bob: User) -> None:
    change_role(member_id=seat(club, "Bob"), user=alice, role=Role.ORGANISER)
    theirs, mine = seat(club, "Bob"), seat(club, "Alice")
    answers = at_once(
        lambda: remove_member(member_id=theirs, user=alice),
        lambda: change_role(member_id=mine, user=bob, role=Role.PLAYER),
    )
    assert club.memberships.filter(role=Role.ORGANISER).count() == 1
    assert len(refusals(answers)) == 1


def test_a_warband_enters_one_of_two_campaigns(
    club: Club, muster: Muster, alice: User, bob: User
) -> None:
    campaigns = [
        plan_campaign(club_id=club.pk, user=alice, name=f"C{number}", ruleset="toy", points=50)
        for number in range(4)
    ]
    warband = muster(bob, "Reds")
    answers = at_once(
        *(
            lambda key=campaign.pk: enrol_warband(campaign_id=key, warband_id=warband.pk, user=bob)
            for campaign in campaigns
        )
    )
    assert refusals(answers) == ["already-enrolled"] * 3
    assert Enrolment.objects.count() == 1
    assert prove(Warband.objects.get()) == []


def test_many_warbands_enter_at_once_each_in_its_colour(
    campaign: Campaign, muster: Muster, bob: User
) -> None:
    warbands = [muster(bob, f"Reds {number}") for number in range(4)]
    answers = at_once(
        *(
            lambda key=warband.pk: enrol_warband(campaign_id=campaign.pk, warband_id=key, user=bob)
            for warband in warbands
        )
    )
    assert refusals(answers) == []
    assert len({enrolment.colour for enrolment in Enrolment.objects.all()}) == 4


def test_of_changes_to_one_version_the_first_counts(campaign: Campaign, alice: User) -> None:
    names = ["Spring", "Summer", "Autumn"]
    answers = at_once(
        *(
            lambda n=n: edit_campaign(campaign_id=campaign.pk, version=1, user=alice, name=n)
            for n in names
        )
    )
    assert refusals(answers) == ["stale-version"] * 2
    assert Campaign.objects.get().version == 2


def test_who_enters_while_the_rules_change_plays_by_the_new_ones(
    enrolled: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    late = muster(bob, "Late")
    answers = at_once(
        lambda: enrol_warband(campaign_id=enrolled.pk, warband_id=late.pk, user=bob),
        lambda: change_house_rules(
            campaign_id=enrolled.pk,
            version=1,
            user=alice,
            house_rules={"surviving": 2},
            reason="Up",
        ),
    )
    assert refusals(answers) == []
    assert [warband.state["settings"] for warband in Warband.objects.all()] == [
        {"surviving": 2}
    ] * 3
    assert all(prove(warband) == [] for warband in Warband.objects.all())


def test_a_warband_that_withdraws_at_the_very_end_leaves_once(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    enrolment = Enrolment.objects.get(warband__owner=bob)
    answers = at_once(
        lambda: finish_campaign(campaign_id=enrolled.pk, user=alice),
        lambda: withdraw_warband(enrolment_id=enrolment.pk, user=bob),
    )
    assert set(refusals(answers)) <= {"already-withdrawn"}
    assert enrolment.warband.chronicle.filter(kind="withdrawn").count() == 1
    assert all(prove(warband) == [] for warband in Warband.objects.all())
