"""Invitations by link: made, shown again, accepted with an account or by making one."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Invitation, Membership
from clubs.services.invitations import invite
from home.models import Preferences
from tests.pages import world
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from warbands.models import Warband
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.one_database

JOIN = "/join/"
ACCEPT = "/join/accept/"
SIGN_UP = "/join/sign-up/"


@pytest.fixture
def secret(club: Club, alice: User) -> str:
    return invite(club_id=club.pk, user=alice).secret


def invited(browsers: Clients, club: Club, **terms: object) -> Any:
    """Return the page of an invitation that Alice has just created."""
    data = {"role": "player", "uses": 1, "days": 14, **terms}
    made = browsers.alice.post(reverse("clubs:invite", args=[club.pk]), data)
    return browsers.alice.get(made["Location"])


def secret_in(page: Any) -> str:
    """Return the secret in the link that the page shows."""
    return parse_qs(urlsplit(page.context["one"]["link"]).query)["secret"][0]


@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_top_bar_of_an_invitation_leads_back_to_it(client: Client, secret: str, name: str) -> None:
    page = client.get(JOIN, {"secret": secret}).content.decode()
    (link,) = re.findall(
        rf'href="({reverse(name)}\?next=[^"]+)">\s*(?:Sign in|Create account)<', page
    )
    form = client.get(unescape(link)).content.decode()
    assert f'name="next" value="{JOIN}?secret={secret}"' in unescape(form)


def test_the_link_is_shown_as_often_as_organisers_like_and_opens_the_door(
    browsers: Clients, club: Club, charlie: User
) -> None:
    page = invited(browsers, club)
    sent, body = secret_in(page), page.content.decode()
    assert list(faults(body)) == []
    assert page.context["one"]["link"] in body and 'role="img"' in body and "<path" in body
    again = browsers.alice.get(reverse("clubs:invitations", args=[club.pk]))
    assert (
        page.context["one"]["link"] in again.content.decode()
        and list(faults(again.content.decode())) == []
    )
    browsers.charlie.post(ACCEPT, {"secret": sent, "name": "Charlie the Bold"})
    assert Membership.objects.get(club=club, user=charlie).name == "Charlie the Bold"
    used = browsers.alice.get(reverse("clubs:invitations", args=[club.pk])).content.decode()
    assert sent not in used and "no uses left" in used


def test_a_link_of_older_times_says_that_it_was_not_kept(
    browsers: Clients, club: Club, secret: str
) -> None:
    Invitation.objects.update(sealed=b"")
    page = browsers.alice.get(reverse("clubs:invitations", args=[club.pk]))
    assert "can no longer be shown" in page.content.decode()
    assert browsers.charlie.get(JOIN, {"secret": secret}).status_code == 200


def test_a_stranger_makes_an_account_and_is_in_by_one_form(
    browsers: Clients, club: Club, secret: str
) -> None:
    page = browsers.nobody.get(JOIN, {"secret": secret})
    html = page.content.decode()
    assert list(faults(html)) == []
    assert "alice invites you" in html and "The Friday Swords" in html
    words = {
        "username": "emil",
        "email": "emil@example.org",
        "password1": "drum and fife 9",
        "password2": "drum",
    }
    taken = {**words, "password2": "drum and fife 9", "secret": secret, "name": "bob"}
    for wrong in (words | {"secret": secret}, taken):
        answer = browsers.nobody.post(SIGN_UP, wrong)
        assert answer.status_code == 400 and list(faults(answer.content.decode())) == []
        assert not User.objects.filter(username="emil").exists()
    joined = browsers.nobody.post(SIGN_UP, {**taken, "name": "Émile"}, follow=True)
    assert joined.redirect_chain[-1][0] == reverse("home:club", args=[club.pk])
    assert "Welcome to The Friday Swords" in joined.content.decode()
    assert Membership.objects.get(club=club, user__username="emil").name == "Émile"
    assert browsers.nobody.post(SIGN_UP, {**taken, "name": "Other"}).status_code == 410


def test_a_site_that_takes_nobody_in_offers_signing_in_alone(
    browsers: Clients, secret: str, settings: Any
) -> None:
    settings.SIGNUP_OPEN = False
    page = browsers.nobody.get(JOIN, {"secret": secret}).content.decode()
    assert SIGN_UP not in page and "Sign in and join" in page
    assert browsers.nobody.post(SIGN_UP, {"secret": secret, "username": "emil"}).status_code == 200
    assert not User.objects.filter(username="emil").exists()


def test_who_is_not_signed_in_sees_what_is_offered_and_where_to_sign_in(
    browsers: Clients, secret: str
) -> None:
    page = browsers.nobody.get(JOIN, {"secret": secret})
    assert page.status_code == 200
    assert "The Friday Swords" in page.content.decode()
    assert "/accounts/login/?next=%2Fjoin%2F%3Fsecret%3D" in page.content.decode()
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


def test_a_name_that_is_taken_is_refused_and_stays_in_the_form(
    browsers: Clients, club: Club, secret: str
) -> None:
    page = browsers.charlie.post(ACCEPT, {"secret": secret, "name": "bob"})
    assert page.status_code == 400
    assert "name" in page.context["form"].errors
    assert 'value="bob"' in page.content.decode()


def test_a_link_is_revoked(browsers: Clients, secret: str) -> None:
    browsers.alice.post(reverse("clubs:revoke", args=[Invitation.objects.get().pk]))
    assert browsers.charlie.get(JOIN, {"secret": secret}).status_code == 404


def test_a_seat_is_handed_over_with_the_warbands_that_were_kept_for_it(
    browsers: Clients, club: Club, alice: User, charlie: User
) -> None:
    browsers.alice.post(reverse("clubs:guest", args=[club.pk]), {"name": "Carl"})
    seat = Membership.objects.get(name="Carl")
    assert seat.user is None
    kept = muster_warband(
        user=alice, ruleset="en-garde", faction="landsknechts", name="Carl's", kept=True
    )
    campaign = world.campaign_of(club, alice, running=False)
    data = {
        "warband_id": str(kept.pk),
        "player_id": str(seat.pk),
        "colour": "",
        "overrule": "He is new",
    }
    browsers.alice.post(reverse("campaigns:enrol", args=[campaign.pk]), data)
    assert (
        f"?seat={seat.pk}"
        in browsers.alice.get(reverse("home:club", args=[club.pk])).content.decode()
    )
    sent = secret_in(invited(browsers, club, seat_id=seat.pk))
    browsers.charlie.post(ACCEPT, {"secret": sent})
    assert Membership.objects.get(pk=seat.pk).user == charlie
    assert Warband.objects.get(pk=kept.pk).owner == charlie


@pytest.mark.parametrize("takes_seat", [False, True])
def test_member_who_opens_an_invitation_is_not_offered_to_join(
    browsers: Clients, club: Club, alice: User, takes_seat: bool
) -> None:
    guest = Membership.objects.create(club=club, name="Gaston") if takes_seat else None
    secret = invite(club_id=club.pk, user=alice, seat_id=guest.pk if guest else None).secret
    page = browsers.bob.get(JOIN, {"secret": secret})
    body = page.content.decode()
    assert page.status_code == 200 and list(faults(body)) == []
    assert "You are already in The Friday Swords, as" in body
    assert ACCEPT not in body and reverse("home:club", args=[club.pk]) in body
    assert ("ask an organiser to merge" in body) == takes_seat
    assert browsers.bob.post(ACCEPT, {"secret": secret}).status_code == 400


def test_invitation_is_for_several_people_by_default(
    browsers: Clients, club: Club, alice: User
) -> None:
    page = browsers.alice.get(reverse("clubs:invite", args=[club.pk]))
    assert page.context["form"]["uses"].value() == 10
    link = invited(browsers, club, uses=10).context["one"]
    assert link["invitation"].uses_left == 10
    organiser = invited(browsers, club, uses=10, role="organiser").context["one"]
    assert organiser["invitation"].uses_left == 1


def test_invitation_can_be_sent_by_email(browsers: Clients, club: Club) -> None:
    body = invited(browsers, club).content.decode()
    assert 'href="mailto:?subject=Join%20The%20Friday%20Swords&amp;body=http%3A%2F%2F' in body


def test_joining_as_guest_player_asks_for_no_name(
    browsers: Clients, club: Club, alice: User
) -> None:
    guest = Membership.objects.create(club=club, name="Gaston")
    issued = invite(club_id=club.pk, user=alice, seat_id=guest.pk)
    for browser in (browsers.charlie, browsers.nobody):
        page = browser.get(JOIN, {"secret": issued.secret})
        assert "name" not in page.context["form"].fields
    browsers.charlie.post(ACCEPT, {"secret": issued.secret})
    assert Membership.objects.get(pk=guest.pk).name == "Gaston"


@pytest.mark.parametrize(
    ("sent", "stored"), [("Europe/Berlin", ["Europe/Berlin"]), ("Mars/Base", []), ("", [])]
)
def test_sign_up_stores_time_zone_of_browser(
    browsers: Clients, secret: str, sent: str, stored: list[str]
) -> None:
    page = browsers.nobody.get(JOIN, {"secret": secret}).content.decode()
    assert "data-time-zone" in page
    account = {"username": "emil", "email": "emil@example.org", "time_zone": sent}
    passwords = {"password1": "drum and fife 9", "password2": "drum and fife 9"}
    browsers.nobody.post(SIGN_UP, {**account, **passwords, "secret": secret, "name": ""})
    zones = Preferences.objects.filter(user__username="emil").values_list("time_zone", flat=True)
    assert list(zones) == stored
