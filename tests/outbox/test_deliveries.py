"""Deliveries: signed, repeated, lost never, and doubled only with the same id."""

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from audit.models import Change
from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import Club
from core.errors import InvalidInput, NotFound, StateConflict
from outbox import tasks
from outbox.models import Delivery, DeliveryState, Webhook
from outbox.services import deliveries, relay
from outbox.services.webhooks import (
    MOST,
    add_webhook,
    remove_webhook,
    set_webhook_active,
)
from tests.outbox.conftest import Receiver

pytestmark = [pytest.mark.django_db]


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


def change(campaign: Campaign, alice: User, number: int = 1) -> None:
    for _ in range(number):
        record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)


def work() -> None:
    """Relay what is committed and run the tasks of all deliveries that are due."""
    relay.relay_changes()
    for delivery in Delivery.objects.filter(state=DeliveryState.WAITING):
        deliveries.deliver(delivery_id=delivery.pk)


def later(**wait: Any) -> None:
    """Move every delivery into the past, as if this time had passed."""
    for row in Delivery.objects.all():
        row.due_at -= timedelta(**wait)
        if row.claimed_until:
            row.claimed_until -= timedelta(**wait)
        row.save()


def test_change_arrives_signed(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    change(campaign, alice)
    work()
    (sent,) = receiver.requests
    message = Verifier(webhook.secret).verify(sent.body, sent.headers)
    assert message["type"] == "campaign.changed"
    assert message["data"]["subject"] == {
        "kind": "campaign",
        "id": str(campaign.pk),
        "name": campaign.name,
    }
    delivery = Delivery.objects.get()
    assert sent.headers["webhook-id"] == str(delivery.change_id) == message["data"]["id"]
    assert (delivery.state, delivery.status, delivery.attempts) == (DeliveryState.SENT, 200, 1)
    work()
    assert len(receiver.requests) == 1


def test_wrong_secret_does_not_verify(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    change(campaign, alice)
    work()
    (sent,) = receiver.requests
    tampered = sent.body.replace(b"campaign.changed", b"campaign.started")
    for secret, body in (("whsec_AAAA", sent.body), (webhook.secret, tampered)):
        with pytest.raises(Exception, match="No matching signature"):
            Verifier(secret).verify(body, sent.headers)


def test_failures_back_off_and_end(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    receiver.answers = [(500, {})] * 20
    change(campaign, alice)
    work()
    waits = []
    while (delivery := Delivery.objects.get()).state == DeliveryState.WAITING:
        wait = delivery.due_at - timezone.now()
        waits.append(wait)
        # It is not tried before its time.
        relay.queue_due()
        assert Delivery.objects.get().due_at == delivery.due_at
        later(seconds=wait.total_seconds() + 1)
        deliveries.deliver(delivery_id=delivery.pk)
    assert len(receiver.requests) == 10 == delivery.attempts
    assert delivery.state == DeliveryState.FAILED and (delivery.failure, delivery.status) == (
        "refused",
        500,
    )
    assert all(a < b for a, b in pairwise(waits)) and len(waits) == 9
    assert len({each.headers["webhook-id"] for each in receiver.requests}) == 1
    receiver.answers = []
    deliveries.send_again(delivery_id=delivery.pk, user=alice)
    work()
    assert Delivery.objects.get().state == DeliveryState.SENT
    assert len({each.headers["webhook-id"] for each in receiver.requests}) == 1


def test_receiver_that_is_too_slow_gets_no_more_attempts_than_others(
    webhook: Webhook, campaign: Campaign, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dripping(*_: Any, **__: Any) -> Any:
        # Celery raises this in the task when its time is over.
        raise SoftTimeLimitExceeded

    monkeypatch.setattr(deliveries, "send", dripping)
    change(campaign, alice)
    for _ in range(12):
        work()
        later(days=2)
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts) == (DeliveryState.FAILED, 10)
    assert delivery.failure == "too-slow"
    assert timedelta(seconds=tasks.deliver.time_limit or 0) < deliveries.CLAIM_HOLDS


def test_receiver_may_ask_for_a_longer_wait(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    receiver.answers = [(429, {"Retry-After": "120"})]
    change(campaign, alice)
    work()
    assert Delivery.objects.get().due_at > timezone.now() + timedelta(seconds=100)


def test_gone_receiver_pauses_the_webhook(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    receiver.answers = [(410, {})]
    change(campaign, alice)
    work()
    assert not Webhook.objects.get().active
    change(campaign, alice)
    work()
    assert len(receiver.requests) == 1 and Delivery.objects.count() == 1


@pytest.mark.parametrize("step", ["numbering", "fan-out", "queue", "claim", "sent", "finish"])
def test_killed_process_loses_nothing(
    step: str,
    webhook: Webhook,
    receiver: Receiver,
    campaign: Campaign,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kill the work before or after each of its steps; then another worker continues."""

    def killed(*_: Any, **__: Any) -> Any:
        raise Killed

    def sent_and_killed(*arguments: Any, **named: Any) -> Any:
        send(*arguments, **named)
        raise Killed

    send = deliveries.send
    change(campaign, alice, 2)
    with monkeypatch.context() as patch:
        if step == "numbering":
            patch.setattr(Change.objects, "bulk_update", killed)
        elif step == "fan-out":
            patch.setattr(Delivery.objects, "bulk_create", killed)
        elif step == "queue":
            patch.setattr(relay, "send_or_keep", killed)
        elif step == "claim":
            patch.setattr(deliveries, "send", killed)
        elif step == "sent":
            patch.setattr(deliveries, "send", sent_and_killed)
        else:
            patch.setattr(deliveries, "_finish", killed)
        with pytest.raises(Killed):
            work()
    for _ in range(3):
        later(minutes=5)
        work()
    ids = [each.headers["webhook-id"] for each in receiver.requests]
    # Both arrived. A double, after a kill between sending and writing that down, has its id.
    assert set(ids) == {str(each.change_id) for each in Delivery.objects.all()}
    assert len(set(ids)) == 2 and len(ids) == (3 if step in ("sent", "finish") else 2)
    assert {each.state for each in Delivery.objects.all()} == {DeliveryState.SENT}
    cursors = list(Change.objects.order_by("cursor").values_list("cursor", flat=True))
    assert cursors == list(range(1, len(cursors) + 1))


def test_two_workers_send_once(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    change(campaign, alice)
    relay.relay_changes()
    key = Delivery.objects.get().pk
    send = deliveries.send
    seen = []

    def twice(*arguments: Any, **named: Any) -> Any:
        seen.append(deliveries.deliver(delivery_id=key))
        return send(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deliveries, "send", twice)
        assert deliveries.deliver(delivery_id=key)
    assert seen == [False] and len(receiver.requests) == 1


def test_lost_message_is_queued_again(
    webhook: Webhook, campaign: Campaign, alice: User, queued: list[Any]
) -> None:
    change(campaign, alice)
    tasks.relay_changes()
    expected = ("outbox.tasks.deliver", [str(Delivery.objects.get().pk)])
    assert queued == [expected]
    tasks.relay_changes()
    assert queued == [expected]
    later(minutes=3)
    tasks.relay_changes()
    assert queued == [expected, expected]


def test_what_left_the_club_is_not_sent(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User, bob: User
) -> None:
    change(campaign, alice)
    relay.relay_changes()
    other = Club.objects.create(name="Elsewhere")
    Campaign.objects.update(club=other)
    deliveries.deliver(delivery_id=Delivery.objects.get().pk)
    assert receiver.requests == []
    assert Delivery.objects.get().state == DeliveryState.SKIPPED


def test_other_clubs_get_nothing(webhook: Webhook, receiver: Receiver, alice: User) -> None:
    other = Club.objects.create(name="Elsewhere")
    campaign = Campaign(club=other, name="Elsewhere", ruleset="toy", edition="1")
    record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, club=other.pk)
    work()
    assert receiver.requests == [] and not Delivery.objects.exists()


def test_only_organisers_have_webhooks(
    webhook: Webhook, club: Club, alice: User, bob: User, charlie: User, campaign: Campaign
) -> None:
    change(campaign, alice)
    work()
    for user in (bob, charlie):
        with pytest.raises(NotFound):
            remove_webhook(webhook_id=webhook.pk, user=user)
        with pytest.raises(NotFound):
            set_webhook_active(webhook_id=webhook.pk, user=user, active=False)
        with pytest.raises(NotFound):
            deliveries.send_again(delivery_id=Delivery.objects.get().pk, user=user)
    set_webhook_active(webhook_id=webhook.pk, user=alice, active=False)
    change(campaign, alice)
    work()
    assert Delivery.objects.count() == 1
    remove_webhook(webhook_id=webhook.pk, user=alice)
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    "address", ["https://10.0.0.1/", "http://example.org/", "https://localhost.:443@x/", "nonsense"]
)
def test_address_is_checked_when_added(club: Club, alice: User, address: str) -> None:
    with pytest.raises(InvalidInput) as error:
        add_webhook(club_id=club.pk, user=alice, name="x", address=address)
    assert (error.value.code, error.value.field) == ("webhook-address", "address")


def test_number_of_webhooks_is_limited(club: Club, alice: User) -> None:
    for number in range(MOST):
        add_webhook(club_id=club.pk, user=alice, name=f"{number}", address="https://example.org/")
    with pytest.raises(StateConflict, match="10 webhooks"):
        add_webhook(club_id=club.pk, user=alice, name="one more", address="https://example.org/")


def test_addresses_and_secrets_are_encrypted(webhook: Webhook, receiver: Receiver) -> None:
    row = Webhook.objects.get()
    assert row.address == f"{receiver.url}/hook" and row.secret.startswith("whsec_")
    assert b"hook" not in bytes(row.sealed) and row.secret.encode() not in bytes(row.sealed)


def test_old_deliveries_are_forgotten(webhook: Webhook, campaign: Campaign, alice: User) -> None:
    change(campaign, alice, 2)
    work()
    old = Delivery.objects.earliest("change__cursor")
    Delivery.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(days=31))
    tasks.tidy()
    assert Delivery.objects.count() == 1 and Change.objects.count() >= 2
