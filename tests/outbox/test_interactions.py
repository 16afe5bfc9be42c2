"""Commands and buttons in Discord: only signed ones, and only with the rights of the sender."""

import json
import time
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from battles.models import Battle, BattleState
from campaigns.models import Campaign, CampaignState
from clubs.models import Attendance, Club
from config.providers import sign_in_providers
from core.users import Visibility
from outbox.models import DiscordAccount, Webhook
from outbox.selectors.discord_accounts import member_of
from outbox.services import discord_posts
from outbox.services.discord_accounts import link_code
from tests.battles import field
from tests.conftest import browser_of
from tests.outbox.conftest import Receiver
from tests.pages.world import evening_of
from warbands.models import Warband

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

GUILD = "900"
PATH = "/discord/interactions/"


class Discord:
    """A fake of Discord that signs what its users do."""

    def __init__(self) -> None:
        self.key = Ed25519PrivateKey.generate()

    def post(self, interaction: Any, *, moment: int | None = None, key: Any = None) -> Any:
        body = json.dumps(interaction).encode()
        stamp = str(int(time.time()) if moment is None else moment)
        signature = (key or self.key).sign(stamp.encode() + body).hex()
        return Client().post(
            PATH,
            body,
            content_type="application/json",
            headers={"X-Signature-Ed25519": signature, "X-Signature-Timestamp": stamp},
        )

    def _said(self, kind: int, data: Any, sender: str, **more: Any) -> Any:
        member = {"user": {"id": sender, "username": f"user {sender}"}}
        sent = {"type": kind, "guild_id": GUILD, "member": member, "data": data, **more}
        answer = self.post(sent)
        assert answer.status_code == 200, answer.content
        assert answer.json()["type"] == 4 and answer.json()["data"]["flags"] == 64
        return answer.json()["data"]

    def command(self, name: str, sender: str = "1", **options: str) -> Any:
        given = [{"name": key, "value": value} for key, value in options.items()]
        return self._said(2, {"name": name, "options": given}, sender)

    def press(self, custom_id: str, sender: str = "1") -> Any:
        return self._said(3, {"custom_id": custom_id}, sender)


@pytest.fixture
def fake(settings: Any, discord: Webhook) -> Discord:
    fake = Discord()
    settings.DISCORD_PUBLIC_KEY = fake.key.public_key().public_bytes_raw().hex()
    Webhook.objects.update(guild=GUILD)
    return fake


def link(user: User, discord_id: str = "1") -> None:
    DiscordAccount.objects.create(user=user, discord_id=discord_id)


def test_ping_is_answered_if_signed(fake: Discord) -> None:
    answer = fake.post({"type": 1})
    assert (answer.status_code, answer.json()) == (200, {"type": 1})


def test_unsigned_requests_are_refused(fake: Discord) -> None:
    assert Client().post(PATH, {"type": 1}, content_type="application/json").status_code == 401
    assert fake.post({"type": 1}, key=Ed25519PrivateKey.generate()).status_code == 401
    assert fake.post({"type": 1}, moment=int(time.time()) - 3600).status_code == 401
    for wrong in ("zz", "", "00" * 64):
        headers = {
            "X-Signature-Ed25519": wrong,
            "X-Signature-Timestamp": str(int(time.time())),
        }
        answer = Client().post(PATH, b"{}", content_type="application/json", headers=headers)
        assert answer.status_code == 401
    assert Client().get(PATH).status_code == 405


@pytest.mark.parametrize("sent", [[], {"type": 2}, {"type": 3, "user": {"id": "1"}, "data": {}}])
def test_signed_nonsense_is_400_or_a_reply(fake: Discord, sent: Any) -> None:
    assert fake.post(sent).status_code in (200, 400)


def test_installation_without_discord_has_no_such_page() -> None:
    assert Client().post(PATH, b"{}", content_type="application/json").status_code == 404


def test_connected_account_is_known_without_a_code(
    fake: Discord, club: Club, bob: User, charlie: User, settings: Any
) -> None:
    evening = evening_of(club, User.objects.get(username="alice"))
    SocialAccount.objects.create(user=bob, provider="discord", uid="7")
    SocialAccount.objects.create(user=charlie, provider="google", uid="8")
    # Without Discord's client on this installation nobody could check or end the connection.
    assert "/link" in fake.command("going", sender="7", answer="coming")["content"]
    settings.PROVIDERS = sign_in_providers(discord=("id", "secret"))
    for sender in ("8", "9"):
        assert "Connect Discord" in fake.command("going", sender=sender)["content"]
    assert "Your answer" in fake.command("going", sender="7", answer="coming")["content"]
    assert Attendance.objects.get(evening=evening).member.user == bob
    # It goes before a link by code, and an account that is closed does nothing.
    link(charlie, "7")
    assert member_of("7") == bob
    User.objects.filter(pk=bob.pk).update(is_active=False)
    SocialAccount.objects.filter(user=charlie).delete()
    assert member_of("7") == charlie


def test_member_links_and_unlinks_the_account(fake: Discord, bob: User, charlie: User) -> None:
    page = browser_of(bob).get("/account/discord/").text
    code = link_code(bob)
    assert 'id="code"' in page
    assert "linked" in fake.command("link", sender="7", code=code)["content"]
    assert DiscordAccount.objects.get().user == bob
    assert "user 7" in browser_of(bob).get("/account/discord/").text
    assert "wrong or has expired" in fake.command("link", sender="8", code=code + "x")["content"]
    # One account in Discord acts for one member: the last one whose code it sent.
    fake.command("link", sender="7", code=link_code(charlie))
    assert DiscordAccount.objects.get().user == charlie
    browser_of(charlie).post("/account/discord/")
    assert not DiscordAccount.objects.exists()


def test_going_by_command_and_by_button(
    fake: Discord, club: Club, alice: User, bob: User, charlie: User
) -> None:
    evening = evening_of(club, alice)
    assert "Link your account first" in fake.command("going")["content"]
    link(bob)
    assert "Your answer" in fake.command("going", answer="perhaps")["content"]
    reply = fake.command("next")
    assert f"/evenings/{evening.pk}/" in reply["content"]
    (row,) = reply["components"]
    fake.press(row["components"][0]["custom_id"])
    assert Attendance.objects.get(evening=evening).answer == "coming"
    # Who does not belong to the club finds nothing, even with the button of a member.
    link(charlie, "2")
    fake.press(row["components"][0]["custom_id"], sender="2")
    assert Attendance.objects.count() == 1


def test_result_is_confirmed_by_a_button(
    fake: Discord, campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    battle = field.fight(alice, campaign, reds, blues)
    assert battle.state == BattleState.SUBMITTED
    link(bob)
    (row,) = fake.command("next")["components"]
    custom_id = row["components"][0]["custom_id"]
    assert "Link your account" in fake.press(custom_id, sender="99")["content"]
    old = custom_id.rpartition(":")[0] + ":1"
    fake.press(old)
    assert Battle.objects.get().state == BattleState.SUBMITTED
    assert fake.press(custom_id)["content"] == "Confirmed."
    assert Battle.objects.get().state == BattleState.CONFIRMED
    assert fake.command("next")["components"] == []


def test_standings_show_only_what_the_sender_may_see(
    fake: Discord, campaign: Campaign, bob: User
) -> None:
    Campaign.objects.update(state=CampaignState.RUNNING)
    assert campaign.name not in fake.command("standings")["content"]
    link(bob)
    assert "Reds: 0" in fake.command("standings")["content"]
    Campaign.objects.update(visibility=Visibility.PUBLIC)
    assert "Reds: 0" in fake.command("standings", sender="99")["content"]


def test_odds_link_to_calculators(fake: Discord, campaign: Campaign, bob: User) -> None:
    link(bob)
    Campaign.objects.update(state=CampaignState.RUNNING)
    assert fake.command("odds")["content"]


def test_reply_is_in_the_language_of_the_sender(fake: Discord) -> None:
    data = {"name": "going", "options": []}
    sent = {"type": 2, "guild_id": "1", "user": {"id": "1"}, "data": data, "locale": "de"}
    assert fake.post(sent).status_code == 200


def test_unknown_server_has_no_club(fake: Discord) -> None:
    Webhook.objects.update(guild="another")
    assert "No club" in fake.command("next")["content"]


def test_server_is_learned_from_the_webhook(
    discord: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = discord_posts.Answer(200, {}, b'{"guild_id": "900", "channel_id": "1"}')
    monkeypatch.setattr(discord_posts, "send", lambda *_, **__: answer)
    discord_posts.learn_guild(webhook_id=discord.pk)
    assert Webhook.objects.get().guild == GUILD


def test_commands_are_registered(receiver: Receiver, settings: Any) -> None:
    with pytest.raises(CommandError, match="DISCORD_APPLICATION_ID"):
        call_command("discord_commands")
    settings.DISCORD_APPLICATION_ID, settings.DISCORD_BOT_TOKEN = "5", "secret"
    settings.DISCORD_API = receiver.url
    call_command("discord_commands")
    (sent,) = receiver.requests
    assert (sent.method, sent.path) == ("PUT", "/applications/5/commands")
    assert sent.headers["authorization"] == "Bot secret"
    assert [each["name"] for each in json.loads(sent.body)] == [
        "next",
        "standings",
        "odds",
        "going",
        "link",
    ]
