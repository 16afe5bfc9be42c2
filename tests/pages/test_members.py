"""Members of a club on pages: merged and separated again, made organisers, asked before they
leave."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Campaign, Enrolment
from campaigns.services.merging import merge_members
from clubs.models import Club, Membership, Merge, Role
from clubs.services.members import add_guest, change_role
from home.models import Dismissal
from home.selectors.card_kinds import Card
from home.selectors.cards import inbox_of
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from warbands.models import Warband
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def guest(club: Club, alice: User) -> Membership:
    """Return the guest player Gaston. Alice keeps his warband, which is in no campaign."""
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    warband = muster_warband(
        user=alice, ruleset="en-garde", faction="landsknechts", name="Reds of Gaston"
    )
    Warband.objects.filter(pk=warband.pk).update(owner=None, keeper=alice)
    past = Campaign.objects.create(
        club=club, name="Last year", ruleset="en-garde", edition="1", state="finished"
    )
    Enrolment.objects.create(
        campaign=past,
        warband_id=warband.pk,
        player=guest,
        enrolled_at=past.created_at,
        left_at=past.created_at,
    )
    return guest


def of(user: User, club: Club) -> Membership:
    return Membership.objects.get(club=club, user=user)


def cards(user: User, kind: str) -> list[Card]:
    return [card for card in inbox_of(user).cards if card.kind == kind]


def test_organiser_sees_what_a_merge_moves_and_can_undo_it(
    browsers: Clients, club: Club, guest: Membership, bob: User
) -> None:
    page = reverse("campaigns:merge", args=[guest.pk])
    into = {"into": str(of(bob, club).pk)}
    assert page in browsers.alice.get(reverse("clubs:member", args=[guest.pk])).content.decode()
    response = browsers.alice.get(page)
    assert (
        "Merge members</button>" not in response.content.decode()
        and list(faults(response.content.decode())) == []
    )
    shown = browsers.alice.get(page, into)
    body = shown.content.decode()
    assert list(faults(body)) == []
    assert "Reds of Gaston" in body and "Last year" in body and "bob becomes the" in body
    assert "Merge members</button>" in body and not Merge.objects.exists()

    done = browsers.alice.post(page, into, follow=True)
    body = done.content.decode()
    assert "Gaston merged. You can undo this for 30 days." in body
    assert Warband.objects.get(name="Reds of Gaston").owner == bob
    undo = reverse("campaigns:undo-merge", args=[Merge.objects.get().pk])
    assert undo in body
    question = browsers.alice.get(undo).content.decode()
    assert "Undo the merge of Gaston into" in question and list(faults(question)) == []
    assert Merge.objects.get().undone_at is None
    back = browsers.alice.post(undo, follow=True).content.decode()
    assert "Merge undone. Gaston is a member again." in back
    assert Warband.objects.get(name="Reds of Gaston").owner is None
    assert browsers.alice.post(undo).status_code == 409


def test_a_merge_that_clashes_says_why_and_has_no_button(
    browsers: Clients, club: Club, campaign: Campaign, alice: User, bob: User
) -> None:
    guest = add_guest(club_id=club.pk, user=alice, name="Gaston")
    Enrolment.objects.filter(campaign=campaign, player__user=alice).update(player=guest)
    shown = browsers.alice.get(
        reverse("campaigns:merge", args=[guest.pk]), {"into": str(of(bob, club).pk)}
    )
    body = shown.content.decode()
    assert "Gaston and bob both play in The Long Summer" in body
    assert "Merge members</button>" not in body
    refused = browsers.alice.post(
        reverse("campaigns:merge", args=[guest.pk]), {"into": str(of(bob, club).pk)}
    )
    assert refused.status_code == 400 and not Merge.objects.exists()


def test_an_organiser_who_opens_a_link_to_a_seat_is_led_to_the_merge(
    browsers: Clients, club: Club, guest: Membership, alice: User
) -> None:
    made = browsers.alice.post(
        reverse("clubs:invite", args=[club.pk]),
        {"role": "player", "seat_id": guest.pk, "uses": 1, "days": 14},
    )
    link = browsers.alice.get(made["Location"]).context["one"]["link"]
    body = browsers.alice.get(link).content.decode()
    assert f"{reverse('campaigns:merge', args=[guest.pk])}?into={of(alice, club).pk}" in body


def test_merged_member_sees_card_until_dismissed(
    browsers: Clients, club: Club, guest: Membership, alice: User, bob: User
) -> None:
    merge_members(seat_id=guest.pk, into=of(bob, club).pk, user=alice)
    (card,) = cards(bob, "merged")
    assert "alice merged the guest player Gaston with your account" in card.sentence
    assert "Dismiss" in browsers.bob.get("/").content.decode()
    browsers.bob.post(reverse("home:dismiss"), {"kind": "merged", "subject": card.subject})
    assert cards(bob, "merged") == [] and Dismissal.objects.filter(user=bob, kind="merged").exists()


def test_a_new_organiser_gets_a_card_and_the_page_says_what_was_done(
    browsers: Clients, club: Club, alice: User, bob: User
) -> None:
    role = reverse("clubs:role", args=[of(bob, club).pk])
    body = browsers.alice.post(role, {"to-role": "organiser"}, follow=True).content.decode()
    assert "bob is now an organiser of The Friday Swords." in body
    (card,) = cards(bob, "organiser")
    assert (
        card.title == "The Friday Swords"
        and "You are now an organiser of this club" in card.sentence
    )
    browsers.bob.post(reverse("home:dismiss"), {"kind": "organiser", "subject": card.subject})
    assert cards(bob, "organiser") == []
    # Made an organiser once more, they are told once more.
    change_role(member_id=of(bob, club).pk, user=alice, role=Role.PLAYER)
    change_role(member_id=of(bob, club).pk, user=alice, role=Role.ORGANISER)
    assert len(cards(bob, "organiser")) == 1
    assert cards(alice, "organiser") == []


def test_leaving_asks_first_and_says_what_happens(browsers: Clients, club: Club, bob: User) -> None:
    page = reverse("clubs:remove-member", args=[of(bob, club).pk])
    body = browsers.bob.get(page).content.decode()
    assert list(faults(body)) == []
    assert "Leave The Friday Swords?" in body and "You keep your warbands." in body
    assert Membership.objects.filter(club=club, user=bob).exists()
    member = browsers.bob.get(reverse("clubs:member", args=[of(bob, club).pk])).content.decode()
    assert f'action="{page}"' not in member and f'href="{page}"' in member
    browsers.bob.post(page)
    assert not Membership.objects.filter(club=club, user=bob).exists()


def test_leaving_member_sees_warbands_to_withdraw(
    browsers: Clients, club: Club, campaign: Campaign, bob: User
) -> None:
    page = reverse("clubs:remove-member", args=[of(bob, club).pk])
    body = browsers.bob.get(page).content.decode()
    assert (
        "Withdraw these warbands first" in body
        and reverse("leagues:campaign", args=[campaign.pk]) in body
    )
    assert "Leave club</button>" not in body
    assert browsers.bob.post(page).status_code == 400


def test_the_last_organiser_is_told_to_hand_over_first(
    browsers: Clients, club: Club, guest: Membership, alice: User, bob: User
) -> None:
    page = reverse("clubs:remove-member", args=[of(alice, club).pk])
    body = browsers.alice.get(page).content.decode()
    assert "A club needs an organiser. Make another member an organiser first." in body
    assert 'class="danger"' not in body
    change_role(member_id=of(bob, club).pk, user=alice, role=Role.ORGANISER)
    body = browsers.alice.get(page).content.decode()
    assert "bob keeps 1 warband of a guest after that." in " ".join(body.split())


def test_several_guests_are_added_at_once_or_none(
    browsers: Clients, club: Club, alice: User
) -> None:
    where = reverse("clubs:guest", args=[club.pk])
    twice = browsers.alice.post(where, {"name": "Otto\n\nAnna \nOtto"})
    assert twice.status_code == 400 and "Otto is in the list twice." in twice.content.decode()
    assert not club.memberships.filter(name="Anna").exists()
    assert browsers.alice.post(where, {"name": "Otto\r\nAnna\r\n"}).status_code == 302
    added = club.memberships.filter(user=None).order_by("name").values_list("name", flat=True)
    assert list(added) == ["Anna", "Otto"]
