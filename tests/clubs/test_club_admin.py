"""Support can read everything, and cannot change what histories prove."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from audit.models import AuditEntry
from campaigns.models import Campaign, Enrolment
from clubs.models import Club, Invitation, Membership
from clubs.services.invitations import invite
from tests.conftest import browser_of

pytestmark = pytest.mark.one_database

ADMIN = "/admin"


@pytest.fixture
def support(alice: User) -> Client:
    """Return a browser of a superuser of the admin site."""
    return browser_of(User.objects.create_superuser("support", password="x"))


@pytest.mark.parametrize("model", [Club, Membership, Invitation, Campaign, Enrolment])
def test_support_lists_and_reads_every_kind_of_row(
    enrolled: Campaign, alice: User, support: Client, model
) -> None:
    invite(club_id=enrolled.club_id, user=alice)
    place = f"{ADMIN}/{model._meta.app_label}/{model._meta.model_name}/"
    assert support.get(place).status_code == 200
    assert support.get(f"{place}?q=Long").status_code == 200
    assert support.get(f"{place}{model.objects.first().pk}/change/").status_code == 200


@pytest.mark.parametrize("model", [Club, Membership, Invitation, Campaign, Enrolment])
def test_support_adds_nothing(support: Client, model) -> None:
    assert (
        support.get(f"{ADMIN}/{model._meta.app_label}/{model._meta.model_name}/add/").status_code
        == 403
    )


def test_the_terms_of_a_campaign_stand(enrolled: Campaign, support: Client) -> None:
    inline = {f"enrolments-{part}_FORMS": "0" for part in ("TOTAL", "INITIAL")}
    sent = {
        "name": "Winter",
        "story": "",
        "visibility": "public",
        "points": "999",
        "state": "finished",
        **inline,
    }
    assert (
        support.post(f"{ADMIN}/campaigns/campaign/{enrolled.pk}/change/", sent).status_code == 302
    )
    enrolled.refresh_from_db()
    assert (enrolled.name, enrolled.visibility) == ("Winter", "public")
    assert (enrolled.points, enrolled.state) == (50, "planned")
    audit_entry = AuditEntry.objects.get(verb="club.mended-by-support")
    assert (audit_entry.club, audit_entry.campaign, str(audit_entry.actor)) == (
        enrolled.club_id,
        enrolled.pk,
        "support",
    )
    assert audit_entry.details["changes"]["visibility"] == ["private", "public"]


def test_what_support_does_to_members_is_told_to_the_club_without_their_names(
    enrolled: Campaign, bob: User, support: Client
) -> None:
    member = enrolled.club.memberships.get(user=bob)
    sent = {"name": "Robert", "role": "organiser"}
    assert support.post(f"{ADMIN}/clubs/membership/{member.pk}/change/", sent).status_code == 302
    audit_entry = AuditEntry.objects.get(verb="club.mended-by-support")
    assert audit_entry.details == {"changes": {"name": None, "role": ["player", "organiser"]}}
    assert (audit_entry.club, audit_entry.person_id) == (enrolled.club_id, bob.pk)


def test_an_enrolment_is_neither_changed_nor_deleted(enrolled: Campaign, support: Client) -> None:
    place = f"{ADMIN}/campaigns/enrolment/{Enrolment.objects.all()[0].pk}"
    assert support.post(f"{place}/change/", {"overruled": "x"}).status_code == 403
    assert support.post(f"{place}/delete/", {"post": "yes"}).status_code == 403


def test_the_digest_of_a_secret_is_not_shown(
    enrolled: Campaign, alice: User, support: Client
) -> None:
    issued = invite(club_id=enrolled.club_id, user=alice).invitation
    page = support.get(f"{ADMIN}/clubs/invitation/{issued.pk}/change/").content.decode()
    assert issued.digest not in page


def test_admin_is_hidden_from_members(enrolled: Campaign, alice: User) -> None:
    assert browser_of(alice).get(f"{ADMIN}/clubs/club/").status_code == 302
