"""Posts in Discord, against a fake that records requests: results are posted once and edited."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState
from battles.services.corrections import void_battle
from campaigns.models import Campaign, Method
from clubs.models import Club
from clubs.services.evenings import answer_evening, cancel_evening, make_evenings
from core.errors import InvalidInput
from documents.models import Document
from documents.services.rendering import render_document
from documents.services.requesting import refresh_documents
from leagues.services.club_night import draw_pairings, publish_pairings
from leagues.services.rounds import RoundTerms, make_rounds
from outbox.models import Delivery, DeliveryState, DiscordPost, Webhook, WebhookKind
from outbox.services import discord_posts, relay
from outbox.services.deliveries import deliver, send_again
from outbox.services.webhooks import add_webhook
from tests.battles import field
from tests.outbox.conftest import Receiver
from tests.pages.world import evening_of
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def work() -> None:
    """Relay what is committed and run the tasks of all deliveries."""
    relay.relay_changes()
    waiting = Delivery.objects.filter(state=DeliveryState.WAITING)
    for delivery in waiting.order_by("change__cursor"):
        deliver(delivery_id=delivery.pk)


def render() -> None:
    """Print the documents that wait."""
    for document in Document.objects.filter(state="queued"):
        Document.objects.filter(pk=document.pk).update(due_at=None)
        render_document(document.pk)


@pytest.fixture
def battle(
    discord: Webhook, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> Battle:
    """Return a battle that was confirmed after the webhook was added."""
    captain, victims = field.fighters(reds)[0], field.fighters(blues)
    events = (field.wound(captain, victims[1], "dead"),)
    return field.confirmed(alice, campaign, reds, blues, events=events)


def test_result_is_posted_with_its_picture(battle: Battle, receiver: Receiver) -> None:
    work()
    # It waits for the picture, which somebody has to print.
    assert receiver.requests == []
    render()
    work()
    (sent,) = receiver.requests
    assert (sent.method, sent.path) == ("POST", "/api/webhooks/42/token?wait=true")
    (embed,) = sent.payload["embeds"]
    assert embed["url"].endswith(f"/battles/{battle.pk}/")
    assert "Reds" in embed["description"] and "Killed: Blues 1" in embed["description"]
    assert embed["image"] == {"url": "attachment://card.png"}
    assert sent.parts["files[0]"].startswith(b"\x89PNG")
    assert sent.payload["allowed_mentions"] == {"parse": []}
    assert DiscordPost.objects.get().message == "1001"
    work()
    assert len(receiver.requests) == 1


def test_result_without_picture_is_posted_after_a_while(
    battle: Battle, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    work()
    monkeypatch.setattr(discord_posts, "PICTURE_WAIT", timedelta())
    work()
    (sent,) = receiver.requests
    assert "image" not in sent.payload["embeds"][0] and list(sent.parts) == ["payload_json"]


def test_corrected_result_is_edited(
    battle: Battle, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    work()
    render()
    work()
    Battle.objects.update(title="Another name @everyone *now*")
    record(Verb.BATTLE_DESCRIBED, battle, user=alice, campaign=campaign.pk)
    # The old picture shows the old name.
    work()
    assert len(receiver.requests) == 1
    refresh_documents("result-card", battle.pk, add_plain=False)  # type: ignore[arg-type]
    render()
    work()
    edited = receiver.requests[1]
    assert (edited.method, edited.path) == ("PATCH", "/api/webhooks/42/token/messages/1001")
    assert edited.payload["embeds"][0]["title"] == r"Another name \@everyone \*now\*"
    assert edited.payload["attachments"] == [{"id": 0, "filename": "card.png"}]


def test_voided_result_says_so(battle: Battle, receiver: Receiver, alice: User) -> None:
    work()
    render()
    work()
    void_battle(battle_id=battle.pk, user=alice, reason="Rain")
    work()
    assert [each.method for each in receiver.requests] == ["POST", "PATCH"]
    assert "does not count" in receiver.requests[1].payload["embeds"][0]["description"]


def test_voided_result_that_nobody_has_read_is_not_posted(
    battle: Battle, receiver: Receiver
) -> None:
    Battle.objects.update(state=BattleState.VOID)
    work()
    assert receiver.requests == []


def test_deleted_message_does_not_come_back(
    battle: Battle, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    work()
    render()
    work()
    receiver.answers = [(404, {})]
    record(Verb.BATTLE_DESCRIBED, battle, user=alice, campaign=campaign.pk)
    work()
    assert [each.method for each in receiver.requests] == ["POST", "PATCH"]
    assert set(Delivery.objects.values_list("state", flat=True)) == {DeliveryState.SENT}


def test_two_changes_of_a_battle_at_once_make_one_post(
    battle: Battle, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    record(Verb.BATTLE_DESCRIBED, battle, user=alice, campaign=campaign.pk)
    work()
    render()
    first, second = Delivery.objects.filter(
        state=DeliveryState.WAITING, change__entry__subject_id=battle.pk
    ).order_by("change__cursor")
    send = discord_posts.send

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        deliver(delivery_id=second.pk)
        return send(*arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord_posts, "send", meanwhile)
        deliver(delivery_id=first.pk)
    assert [each.method for each in receiver.requests] == ["POST"]
    deliver(delivery_id=second.pk)
    assert [each.method for each in receiver.requests] == ["POST", "PATCH"]


def test_club_night_is_posted_and_edited(
    discord: Webhook, receiver: Receiver, club: Club, alice: User
) -> None:
    evening = evening_of(club, alice)
    work()
    start = int(evening.starts_at.timestamp())
    assert f"<t:{start}:F>" in receiver.requests[0].payload["embeds"][0]["description"]
    cancel_evening(evening_id=evening.pk, user=alice, reason="Snow")
    work()
    edited = receiver.requests[1]
    assert edited.method == "PATCH" and "Snow" in edited.payload["embeds"][0]["description"]
    assert edited.payload["embeds"][0]["title"].startswith("Cancelled")


def test_pairings_are_posted(
    discord: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    make_rounds(campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.ROUND_ROBIN))
    work()
    (sent,) = receiver.requests
    embed = sent.payload["embeds"][0]
    assert "New pairings" in embed["title"] and "Blues v. Reds" in embed["description"]


def test_promotion_is_posted(
    discord: Webhook, receiver: Receiver, campaign: Campaign, alice: User, reds: Warband
) -> None:
    record(Verb.RANK_UP_TAKEN, reds, user=alice, campaign=campaign.pk, fighter="Klaus_Raiser")
    work()
    embed = receiver.requests[0].payload["embeds"][0]
    assert embed["title"] == r"Klaus\_Raiser of Reds was promoted."


def test_nothing_else_is_posted(
    discord: Webhook, receiver: Receiver, campaign: Campaign, alice: User
) -> None:
    record(Verb.CAMPAIGN_CHANGED, campaign, user=alice, campaign=campaign.pk)
    work()
    assert receiver.requests == []
    assert Delivery.objects.get().state == DeliveryState.SENT


@pytest.mark.parametrize(
    "address", ["https://example.org/api/webhooks/1/x", "https://discord.com/channels/1/2"]
)
def test_address_of_discord_is_checked(club: Club, alice: User, address: str) -> None:
    with pytest.raises(InvalidInput) as error:
        add_webhook(
            club_id=club.pk, user=alice, name="x", kind=WebhookKind.DISCORD, address=address
        )
    assert error.value.code == "not-a-discord-webhook"


def test_changes_before_the_webhook_are_not_posted(
    campaign: Campaign, alice: User, club: Club, receiver: Receiver, reds: Warband
) -> None:
    record(Verb.RANK_UP_TAKEN, reds, user=alice, campaign=campaign.pk, fighter="Klaus")
    add_webhook(
        club_id=club.pk,
        user=alice,
        name="x",
        kind=WebhookKind.DISCORD,
        address=f"{receiver.url}/api/webhooks/1/x",
    )
    work()
    assert receiver.requests == []


def test_published_pairings_of_a_club_night_are_posted(
    discord: Webhook, receiver: Receiver, club: Club, alice: User, bob: User
) -> None:
    start = timezone.now() + timedelta(hours=1)
    (evening,) = make_evenings(
        club_id=club.pk, user=alice, starts_at=start, ends_at=start + timedelta(hours=4)
    )
    for user in (alice, bob):
        answer_evening(evening_id=evening.pk, user=user, answer="coming")
    draw_pairings(evening_id=evening.pk, user=alice, tables=2, large_tables=0)
    publish_pairings(evening_id=evening.pk, user=alice)
    work()
    night, pairings = receiver.requests
    assert pairings.method == night.method == "POST"
    embed = pairings.payload["embeds"][0]
    assert "Table 1" in embed["description"] and "alice" in embed["description"]
    assert embed["url"].endswith(f"/evenings/{evening.pk}/pairings/")


def snowflake(moment: datetime, number: int = 0) -> str:
    """Return the id that Discord gives to a message at this time."""
    return str(((int(moment.timestamp() * 1000) - 1420070400000) << 22) + number)


@pytest.fixture
def killed(
    club: Club, alice: User, discord: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> DiscordPost:
    """Return a post whose worker died after Discord had taken it, and before it stored the id."""
    with monkeypatch.context() as patch:

        def die(_: bytes) -> str:
            raise SystemExit

        patch.setattr(discord_posts, "_message_id", die)
        evening_of(club, alice)
        with pytest.raises(SystemExit):
            work()
    assert [sent.method for sent in receiver.requests] == ["POST"]
    Delivery.objects.update(claimed_until=None)
    return DiscordPost.objects.get()


def test_message_of_a_killed_worker_is_found_by_the_bot(
    killed: DiscordPost, receiver: Receiver, settings: Any
) -> None:
    settings.DISCORD_BOT_TOKEN, settings.DISCORD_API = "secret", f"{receiver.url}/api/v10"
    now = timezone.now()
    mine = snowflake(now, 2)
    receiver.channel = [
        {"id": snowflake(now + timedelta(minutes=5)), "webhook_id": "42"},
        {"id": snowflake(now, 3), "webhook_id": "42"},
        {"id": mine, "webhook_id": "42", "embeds": []},
        {"id": snowflake(now, 1), "webhook_id": "4"},
        {"id": snowflake(now), "content": "Hello"},
    ]
    work()
    assert [sent.method for sent in receiver.requests] == ["POST", "PATCH"]
    assert receiver.requests[1].path == f"/api/webhooks/42/token/messages/{mine}"
    killed.refresh_from_db()
    assert (killed.message, killed.begun_at) == (mine, None)


def test_message_of_another_post_is_not_taken_for_the_lost_one(
    killed: DiscordPost, receiver: Receiver, settings: Any, discord: Webhook
) -> None:
    settings.DISCORD_BOT_TOKEN, settings.DISCORD_API = "secret", f"{receiver.url}/api/v10"
    other = snowflake(timezone.now())
    DiscordPost.objects.create(webhook=discord, subject=discord.pk, message=other)
    receiver.channel = [{"id": other, "webhook_id": "42"}]
    work()
    assert [sent.method for sent in receiver.requests] == ["POST", "POST"]


@pytest.mark.parametrize("channel", [{"message": "Missing Access", "code": 50001}, []])
def test_message_that_cannot_be_found_is_posted_again(
    killed: DiscordPost, receiver: Receiver, settings: Any, channel: Any
) -> None:
    settings.DISCORD_BOT_TOKEN, settings.DISCORD_API = "secret", f"{receiver.url}/api/v10"
    receiver.channel = channel
    work()
    assert [sent.method for sent in receiver.requests] == ["POST", "POST"]
    assert DiscordPost.objects.get().message == "1002"


def test_without_a_bot_a_lost_message_is_posted_again(
    killed: DiscordPost, receiver: Receiver
) -> None:
    work()
    assert [sent.method for sent in receiver.requests] == ["POST", "POST"]


def test_post_that_was_sent_again_is_edited(
    discord: Webhook, receiver: Receiver, alice: User, reds: Warband
) -> None:
    record(Verb.RANK_UP_TAKEN, reds, user=alice, club=discord.club_id, fighter="Klaus")
    work()
    send_again(delivery_id=Delivery.objects.get().pk, user=alice)
    work()
    assert [sent.method for sent in receiver.requests] == ["POST", "PATCH"]
