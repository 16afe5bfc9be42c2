"""Invitations by link: made once, shown once, accepted once."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from campaigns.models import Club, Invitation, Membership
from campaigns.services.invitations import invite
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband
from warbands.services.mustering import muster_warband

JOIN = "/join/"
ACCEPT = "/join/accept/"


@pytest.fixture
def secret(club: Club, alice: User) -> str:
    return invite(club_id=club.pk, user=alice).secret


def test_the_link_is_shown_in_the_answer_and_opens_the_door(browsers: Clients, club: Club, charlie: User) -> None:
    made = browsers.alice.post(reverse("campaigns:invite", args=[club.pk]), {"role": "player", "uses": 1, "days": 14})
    assert made.status_code == 201
    link = urlsplit(made.context["link"])
    assert made.context["link"] in made.content.decode()
    assert browsers.charlie.get(link.path, {"secret": parse_qs(link.query)["secret"]}).status_code == 200
    browsers.charlie.post(ACCEPT, {"secret": parse_qs(link.query)["secret"][0], "name": "Charlie the Bold"})
    assert Membership.objects.get(club=club, user=charlie).name == "Charlie the Bold"


def test_the_secret_is_kept_nowhere(browsers: Clients, club: Club, secret: str) -> None:
    assert secret not in browsers.alice.get(reverse("campaigns:club", args=[club.pk])).content.decode()


def test_who_is_not_signed_in_sees_what_is_offered_and_where_to_sign_in(browsers: Clients, secret: str) -> None:
    page = browsers.nobody.get(JOIN, {"secret": secret})
    assert page.status_code == 200
    assert "The Friday Swords" in page.content.decode()
    assert "/accounts/signup/?next=%2Fjoin%2F%3Fsecret%3D" in page.content.decode()
    assert browsers.nobody.post(ACCEPT, {"secret": secret}).status_code == 302
    assert Membership.objects.filter(name="charlie").count() == 0


@pytest.mark.parametrize("sent", ["", "wrong", "x" * 500, "a\0b"])
def test_a_secret_that_is_wrong_leads_nowhere(browsers: Clients, club: Club, sent: str) -> None:
    assert browsers.charlie.get(JOIN, {"secret": sent}).status_code == 404
    assert browsers.charlie.post(ACCEPT, {"secret": sent}).status_code == 404


def test_a_link_that_is_used_up_says_so(browsers: Clients, secret: str) -> None:
    assert browsers.charlie.post(ACCEPT, {"secret": secret}).status_code == 302
    page = browsers.nobody.get(JOIN, {"secret": secret})
    assert page.status_code == 410
    assert "new one" in page.content.decode()


def test_a_name_that_is_taken_is_refused_and_stays_in_the_form(browsers: Clients, club: Club, secret: str) -> None:
    page = browsers.charlie.post(ACCEPT, {"secret": secret, "name": "bob"})
    assert page.status_code == 400
    assert "name" in page.context["form"].errors
    assert 'value="bob"' in page.content.decode()


def test_a_link_is_revoked(browsers: Clients, secret: str) -> None:
    browsers.alice.post(reverse("campaigns:revoke", args=[Invitation.objects.get().pk]))
    assert browsers.charlie.get(JOIN, {"secret": secret}).status_code == 404


def test_a_seat_is_handed_over_with_the_warbands_that_were_kept_for_it(
    browsers: Clients, club: Club, alice: User, charlie: User
) -> None:
    browsers.alice.post(reverse("campaigns:guest", args=[club.pk]), {"name": "Carl"})
    seat = Membership.objects.get(name="Carl")
    assert seat.user is None
    kept = muster_warband(user=alice, ruleset="en-garde", faction="landsknechts", name="Carl's", kept=True)
    campaign = world.campaign_of(club, alice, running=False)
    told = {"warband_id": str(kept.pk), "player_id": str(seat.pk), "colour": "", "overrule": "He is new"}
    browsers.alice.post(reverse("campaigns:enrol", args=[campaign.pk]), told)
    made = browsers.alice.post(
        reverse("campaigns:invite", args=[club.pk]), {"role": "player", "seat_id": seat.pk, "uses": 1, "days": 14}
    )
    sent = parse_qs(urlsplit(made.context["link"]).query)["secret"][0]
    browsers.charlie.post(ACCEPT, {"secret": sent})
    assert Membership.objects.get(pk=seat.pk).user == charlie
    assert Warband.objects.get(pk=kept.pk).owner == charlie
