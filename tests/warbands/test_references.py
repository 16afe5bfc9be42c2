"""``check_chronicle`` names rows that point to rows which do not exist."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from campaigns.models import Campaign
from clubs.models import Club, Membership
from tests.warbands.test_check_chronicle import complaint
from warbands.models import Warband
from warbands.services.references import check_references


@pytest.fixture(autouse=True)
def battles_of_facts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the check of battles: the campaign of these warbands has none."""
    monkeypatch.setattr("operations.management.commands.check_chronicle.check_battles", lambda: ())


@contextmanager
def constraints_off() -> Iterator[None]:
    """Defer constraints: deletions leave the rows that refer to them, and are rolled back."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            connection.cursor().execute("SET CONSTRAINTS ALL DEFERRED")
        yield
        transaction.set_rollback(True)


def delete_campaign(campaign: Campaign) -> str:
    enrolment = campaign.enrolments.order_by("pk")[0]
    Campaign.objects.filter(pk=campaign.pk)._raw_delete("default")
    return (
        f"enrolment {enrolment.pk}: campaign points to campaign {campaign.pk}, which does not exist"
    )


def delete_club(campaign: Campaign) -> str:
    Club.objects.filter(pk=campaign.club_id)._raw_delete("default")
    return f"campaign {campaign.pk}: club points to club {campaign.club_id}, which does not exist"


def delete_account(campaign: Campaign) -> str:
    membership = Membership.objects.filter(club=campaign.club_id, user__isnull=False).order_by(
        "pk"
    )[0]
    User.objects.filter(pk=membership.user_id or 0)._raw_delete("default")
    return (
        f"membership {membership.pk}: user points to user {membership.user_id}, which does not "
        "exist"
    )


@pytest.mark.parametrize("delete", [delete_campaign, delete_club, delete_account])
def test_row_without_its_target_is_named(
    reds: Warband, campaign: Campaign, delete: Callable[[Campaign], str]
) -> None:
    assert not list(check_references())
    with constraints_off():
        expected = delete(campaign)
        assert expected in complaint(every=True)
