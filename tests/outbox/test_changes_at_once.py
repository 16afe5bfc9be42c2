"""Transactions commit in another order than they began: readers of changes miss nothing."""

from functools import partial

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from audit.models import Change
from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import Club
from outbox.models import Delivery
from outbox.selectors.changes import changes_after
from outbox.services import relay
from outbox.services.deliveries import deliver
from outbox.services.webhooks import add_webhook
from tests.outbox.conftest import Receiver
from tests.together import at_once
from warbands.models import Warband

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def write(warband: Warband, club: Club, user: User) -> None:
    for _ in range(5):
        record(Verb.RANK_UP_TAKEN, warband, user=user, club=club.pk, fighter="Klaus")


def test_slow_transaction_is_read_after_those_that_overtook_it(
    alice: User, bob: User, club: Club, reds: Warband
) -> None:
    relay.relay_changes()
    seen = changes_after(0, alice, site="").next
    with transaction.atomic():
        # Alice's entry has a lower id than Bob's, and commits later.
        record(Verb.RANK_UP_TAKEN, reds, user=alice, club=club.pk, fighter="First")
        at_once(partial(write, reds, club, bob))
        at_once(relay.relay_changes)
        before = at_once(lambda: changes_after(seen, alice, site=""))[0]
        assert len(before.changes) == 5
    relay.relay_changes()
    after = changes_after(before.next, alice, site="")
    assert len(after.changes) == 1
    entries = Change.objects.order_by("cursor").values_list("entry", flat=True)
    assert list(entries) != sorted(entries)


def test_relays_and_writers_at_once_number_everything_once(
    alice: User, bob: User, club: Club, reds: Warband, receiver: Receiver
) -> None:
    relay.relay_changes()
    add_webhook(club_id=club.pk, user=alice, name="x", address=f"{receiver.url}/hook")
    start = Change.objects.count()
    at_once(
        *(partial(write, reds, club, user) for user in (alice, bob, alice)),
        *(relay.relay_changes for _ in range(4)),
    )
    relay.relay_changes()
    cursors = list(Change.objects.order_by("cursor").values_list("cursor", flat=True))
    assert cursors == list(range(1, start + 16))
    assert Delivery.objects.count() == 15


def test_two_workers_at_once_send_a_change_once(
    alice: User, club: Club, campaign: Campaign, receiver: Receiver
) -> None:
    relay.relay_changes()
    add_webhook(club_id=club.pk, user=alice, name="x", address=f"{receiver.url}/hook")
    for _ in range(3):
        record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)
    relay.relay_changes()
    for delivery in Delivery.objects.all():
        at_once(*(partial(deliver, delivery_id=delivery.pk) for _ in range(3)))
    ids = [each.headers["webhook-id"] for each in receiver.requests]
    assert len(ids) == len(set(ids)) == 3
