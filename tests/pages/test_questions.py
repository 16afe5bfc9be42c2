"""Irreversible actions ask for confirmation first, on a page that explains the effects."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from knox.models import AuthToken

from campaigns.models import Campaign, JournalEntry
from campaigns.services.journal import write_entry
from clubs.models import CalendarLink, Club, Invitation
from clubs.services.evenings import make_calendar_link
from clubs.services.invitations import invite
from exchange.models import TrustedKey
from pictures.models import Picture
from pictures.services.pictures import add_picture
from pictures.subjects import PictureKind
from tests.pages.conftest import Clients
from tests.pages.markup import faults
from tests.pictures.samples import scene, sent, written

pytestmark = pytest.mark.one_database


def invitation_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    row = invite(club_id=club.pk, user=alice).invitation
    return reverse("clubs:revoke", args=[row.pk]), reverse("clubs:invitation", args=[row.pk])


def entry_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    entry = write_entry(campaign_id=campaign.pk, user=alice, text="Snow.")
    return reverse("campaigns:remove-entry", args=[entry.pk]), reverse(
        "campaigns:change-entry", args=[entry.pk]
    )


def token_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    row, _ = AuthToken.objects.create(user=alice)
    return reverse("revoke-token", args=[row.digest]), reverse("account")


def calendar_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    make_calendar_link(user=alice)
    return reverse("revoke-calendar-link"), reverse("account")


def key_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    key = TrustedKey.objects.create(club=club, fingerprint="0" * 32, public="0" * 64, name="York")
    return reverse("exchange:withdraw", args=[key.pk]), reverse(
        "exchange:club-keys", args=[club.pk]
    )


def picture_of(club: Club, campaign: Campaign, alice: User) -> tuple[str, str]:
    small = written(scene(8, 6))
    picture = add_picture(
        user=alice, kind=PictureKind.CLUB, subject=club.pk, file=sent(small), size=len(small)
    )
    return reverse("pictures:remove", args=[picture.pk]), reverse(
        "pictures:of-club", args=[club.pk]
    )


def there() -> list[int]:
    """Return the number of rows of everything that has not been removed."""
    return [
        Invitation.objects.count(),
        JournalEntry.objects.filter(removed_at=None).count(),
        AuthToken.objects.count(),
        CalendarLink.objects.count(),
        TrustedKey.objects.filter(withdrawn_at=None).count(),
        Picture.objects.count(),
    ]


@pytest.mark.parametrize(
    "make", [invitation_of, entry_of, token_of, calendar_of, key_of, picture_of]
)
def test_a_question_is_asked_before_something_is_gone(
    browsers: Clients, club: Club, campaign: Campaign, alice: User, make
) -> None:
    address, page = make(club, campaign, alice)
    before = there()
    body = browsers.alice.get(page).content.decode()
    assert f'href="{address}"' in body and f'action="{address}"' not in body
    question = browsers.alice.get(address)
    body = question.content.decode()
    assert question.status_code == 200 and list(faults(body)) == []
    assert 'class="danger"' in body and page.split("#")[0] in body
    assert there() == before
    assert browsers.alice.post(address).status_code == 302
    assert sum(there()) == sum(before) - 1


def test_a_new_calendar_address_is_asked_about_only_if_there_is_one(
    browsers: Clients, alice: User
) -> None:
    address = reverse("make-calendar-link")
    assert f'action="{address}"' in browsers.alice.get(reverse("account")).content.decode()
    browsers.alice.post(address)
    digest = CalendarLink.objects.get().digest
    body = browsers.alice.get(reverse("account")).content.decode()
    assert f'href="{address}"' in body and f'action="{address}"' not in body
    assert "The old address stops working" in browsers.alice.get(address).content.decode()
    assert CalendarLink.objects.get().digest == digest
