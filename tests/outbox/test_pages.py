"""The pages of webhooks: add one, see what was sent, send it again, pause and remove it."""

import pytest
from django.contrib.auth.models import User

from audit.models import AuditEntry
from audit.services.recording import record
from audit.verbs import Verb
from campaigns.models import Campaign
from clubs.models import Club
from outbox.models import Delivery, DeliveryState, Webhook
from outbox.services import relay
from outbox.services.deliveries import deliver
from tests.conftest import browser_of
from tests.outbox.conftest import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_organiser_adds_a_webhook_and_reads_its_secret(
    club: Club, alice: User, receiver: Receiver
) -> None:
    browser = browser_of(alice)
    assert f"/clubs/{club.pk}/webhooks/" in browser.get(f"/clubs/{club.pk}/").text
    form = {
        "name": "Our <site>",
        "kind": "program",
        "address": f"{receiver.url}/secret-path",
        "language": "en-gb",
    }
    answer = browser.post(f"/clubs/{club.pk}/webhooks/", form)
    webhook = Webhook.objects.get()
    assert answer.headers["Location"] == f"/webhooks/{webhook.pk}/"
    page = browser.get(f"/webhooks/{webhook.pk}/").text
    assert webhook.secret in page and "Our &lt;site&gt;" in page and "secret-path" not in page
    assert "secret-path" not in browser.get(f"/clubs/{club.pk}/webhooks/").text
    entry = AuditEntry.objects.get(verb="webhook.added")
    assert "secret-path" not in str(entry.details) and webhook.secret not in str(entry.details)


def test_wrong_address_is_shown_at_its_field(club: Club, alice: User) -> None:
    form = {"name": "x", "kind": "program", "address": "https://10.0.0.1/", "language": "en-gb"}
    answer = browser_of(alice).post(f"/clubs/{club.pk}/webhooks/", form)
    assert answer.status_code == 400
    assert "Enter a public one" in answer.text and "https://10.0.0.1/" in answer.text


def test_failed_delivery_is_sent_again(
    webhook: Webhook, receiver: Receiver, campaign: Campaign, alice: User, bob: User
) -> None:
    receiver.answers = [(410, {})]
    record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)
    relay.relay_changes()
    delivery = Delivery.objects.get()
    deliver(delivery_id=delivery.pk)
    browser = browser_of(alice)
    page = browser.get(f"/webhooks/{webhook.pk}/").text
    assert "alice changed the settings of" in page and "campaign.changed" not in page
    assert "wants no more messages (410)" in page and "Send again" in page and "Paused" in page
    browser.post(f"/webhooks/{webhook.pk}/pause/", {"active": "yes"})
    assert browser_of(bob).post(f"/deliveries/{delivery.pk}/again/").status_code == 404
    again = browser.post(f"/deliveries/{delivery.pk}/again/")
    assert again.headers["Location"] == f"/webhooks/{webhook.pk}/"
    deliver(delivery_id=delivery.pk)
    assert Delivery.objects.get().state == DeliveryState.SENT
    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


def test_webhook_is_changed_and_keeps_an_address_left_empty(
    webhook: Webhook, receiver: Receiver, alice: User
) -> None:
    browser, page = browser_of(alice), f"/webhooks/{webhook.pk}/change/"
    before = webhook.address
    shown = browser.get(page).text
    assert f'value="{webhook.name}"' in shown and before not in shown and "Language" not in shown
    browser.post(page, {"name": "New <site>", "address": ""})
    webhook.refresh_from_db()
    assert (webhook.name, webhook.address) == ("New <site>", before)
    browser.post(page, {"name": "New <site>", "address": f"{receiver.url}/moved"})
    webhook.refresh_from_db()
    assert webhook.address == f"{receiver.url}/moved"
    assert AuditEntry.objects.filter(verb="webhook.changed").count() == 2


def test_wrong_change_of_a_webhook_changes_nothing(webhook: Webhook, alice: User) -> None:
    page = f"/webhooks/{webhook.pk}/change/"
    answer = browser_of(alice).post(page, {"name": "Moved", "address": "https://10.0.0.1/"})
    assert answer.status_code == 400 and "Enter a public one" in answer.text
    assert browser_of(alice).post(page, {"name": "", "address": ""}).status_code == 400
    before = webhook.name
    webhook.refresh_from_db()
    assert webhook.name == before != "Moved"
