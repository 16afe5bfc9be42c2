"""Webhooks in the API: list, add, change, remove, and what was sent."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from audit.models import AuditEntry
from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import BattlesRunBy, Club
from core.models import Scope
from outbox.models import Delivery, DeliveryState, DiscordPost, Webhook
from outbox.services import relay
from outbox.services.deliveries import deliver
from tests.accounts.test_token_scopes import token_of
from tests.accounts.test_tokens import using
from tests.conftest import api_of
from tests.outbox.conftest import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def webhooks_of(club: Club) -> str:
    return f"/api/v1/clubs/{club.pk}/webhooks/"


def test_organiser_adds_reads_changes_and_removes_a_webhook(
    club: Club, alice: User, receiver: Receiver
) -> None:
    api = api_of(alice)
    sent = {"name": "Our site", "address": f"{receiver.url}/secret-path"}
    made = api.post(webhooks_of(club), sent)
    assert made.status_code == 201, made.json()
    row = made.json()
    assert row["secret"] == Webhook.objects.get().secret and row["secret"].startswith("whsec_")
    assert (row["kind"], row["active"], row["club"]) == ("program", True, str(club.pk))
    address = f"/api/v1/webhooks/{row['id']}/"
    assert api.get(address).json() == row == api.get(webhooks_of(club)).json()["results"][0]
    assert "secret-path" not in api.get(address).text
    changed = api.patch(address, {"name": "Site", "address": f"{receiver.url}/new"})
    assert (changed.status_code, changed.json()["name"]) == (200, "Site")
    webhook = Webhook.objects.get()
    assert (webhook.address, webhook.secret) == (f"{receiver.url}/new", row["secret"])
    assert api.patch(address, {"active": False}).json()["active"] is False
    assert api.delete(address).status_code == 204
    assert api.get(address).status_code == 404
    verbs = AuditEntry.objects.filter(verb__startswith="webhook.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "webhook.added",
        "webhook.changed",
        "webhook.paused",
        "webhook.removed",
    ]


def test_key_adds_one_webhook(club: Club, alice: User, receiver: Receiver) -> None:
    sent = {"name": "x", "address": receiver.url}
    head = {"Idempotency-Key": "one"}
    first, second = (api_of(alice).post(webhooks_of(club), sent, headers=head) for _ in range(2))
    assert first.json() == second.json() and Webhook.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "field", "code"),
    [
        ({"address": "https://example.org/"}, "/name", "required"),
        ({"name": "x"}, "/address", "required"),
        ({"name": "x", "address": "https://10.0.0.1/"}, "/address", "webhook-address"),
        ({"name": "x", "address": "http://example.org/"}, "/address", "webhook-address"),
        (
            {"name": "x", "kind": "discord", "address": "https://example.org/"},
            "/address",
            "not-a-discord-webhook",
        ),
        (
            {"name": "x", "kind": "fax", "address": "https://example.org/"},
            "/kind",
            "invalid_choice",
        ),
    ],
)
def test_wrong_webhook_names_its_field(
    club: Club, alice: User, sent: dict[str, Any], field: str, code: str
) -> None:
    answer = api_of(alice).post(webhooks_of(club), sent)
    [line] = answer.json()["errors"]
    assert (answer.status_code, line["field"], line["code"]) == (400, field, code)
    assert not Webhook.objects.exists()


def test_changed_address_is_checked(webhook: Webhook, alice: User) -> None:
    address = f"/api/v1/webhooks/{webhook.pk}/"
    answer = api_of(alice).patch(address, {"address": "https://192.168.0.1/", "name": "Other"})
    assert (answer.status_code, answer.json()["code"]) == (400, "webhook-address")
    webhook.refresh_from_db()
    assert webhook.name == "Our site"


def test_channel_with_another_address_forgets_its_messages(discord: Webhook, alice: User) -> None:
    Webhook.objects.update(guild="900")
    DiscordPost.objects.create(webhook=discord, subject=discord.pk, message="1")
    address = discord.address.replace("/42/", "/43/")
    answer = api_of(alice).patch(f"/api/v1/webhooks/{discord.pk}/", {"address": address})
    assert (answer.status_code, answer.json()["secret"]) == (200, "")
    assert not DiscordPost.objects.exists() and Webhook.objects.get().guild == ""


def test_club_has_ten_webhooks_at_most(club: Club, alice: User, receiver: Receiver) -> None:
    api = api_of(alice)
    for number in range(10):
        sent = {"name": f"x{number}", "address": receiver.url}
        assert api.post(webhooks_of(club), sent).status_code == 201
    answer = api.post(webhooks_of(club), {"name": "x", "address": receiver.url})
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-webhooks")


def test_players_never_see_webhooks(webhook: Webhook, club: Club, bob: User, charlie: User) -> None:
    # Players who may run every battle are no organisers.
    Club.objects.update(battles_run_by=BattlesRunBy.EVERY_PLAYER)
    address = f"/api/v1/webhooks/{webhook.pk}/"
    assert api_of(bob).get(webhooks_of(club)).status_code == 403
    assert api_of(bob).post(webhooks_of(club), {"name": "x"}).status_code in (400, 403)
    assert api_of(charlie).get(webhooks_of(club)).status_code == 404
    for user in (bob, charlie):
        assert api_of(user).get(address).status_code == 404
        assert api_of(user).patch(address, {"active": False}).status_code == 404
        assert api_of(user).delete(address).status_code == 404
        assert api_of(user).get(f"{address}deliveries/").status_code == 404
    assert Webhook.objects.get().active


def test_token_that_only_reads_gets_no_secret(webhook: Webhook, club: Club, alice: User) -> None:
    api = using(token_of(alice, Scope.READ))
    for address in (webhooks_of(club), f"/api/v1/webhooks/{webhook.pk}/"):
        answer = api.get(address)
        assert (answer.status_code, answer.json()["code"]) == (403, "insufficient-scope")
    assert api.get(f"/api/v1/webhooks/{webhook.pk}/deliveries/").status_code == 200


def test_failed_delivery_is_listed_and_sent_again(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User, bob: User
) -> None:
    receiver.answers = [(410, {})]
    record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)
    relay.relay_changes()
    delivery = Delivery.objects.get()
    api, again = api_of(alice), f"/api/v1/deliveries/{delivery.pk}/again/"
    deliveries = f"/api/v1/webhooks/{webhook.pk}/deliveries/"
    [row] = api.get(deliveries).json()["results"]
    assert (row["state"], row["attempts"]) == ("waiting", 0) and row["next_attempt_at"]
    answer = api.post(again)
    assert (answer.status_code, answer.json()["code"]) == (409, "being-sent")
    deliver(delivery_id=delivery.pk)
    [row] = api.get(deliveries, {"state": "failed"}).json()["results"]
    assert (row["status"], row["failure"], row["next_attempt_at"]) == (410, "refused", None)
    assert row["explanation"].endswith("(410). The webhook is paused.")
    assert row["webhook_id"] == receiver.requests[0].headers["webhook-id"]
    assert api.get(deliveries, {"state": "sent"}).json()["results"] == []
    assert api_of(bob).post(again).status_code == 404
    assert api.patch(f"/api/v1/webhooks/{webhook.pk}/", {"active": True}).status_code == 200
    assert api.post(again).json()["state"] == "waiting"
    deliver(delivery_id=delivery.pk)
    assert Delivery.objects.get().state == DeliveryState.SENT
    assert len({each.headers["webhook-id"] for each in receiver.requests}) == 1


def test_list_of_deliveries_takes_the_same_queries_for_many(
    webhook: Webhook, campaign: Campaign, alice: User, django_assert_max_num_queries: Any
) -> None:
    for _ in range(8):
        record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)
    relay.relay_changes()
    with django_assert_max_num_queries(4):
        page = api_of(alice).get(f"/api/v1/webhooks/{webhook.pk}/deliveries/").json()
    assert page["count"] == 8
