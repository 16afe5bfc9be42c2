"""Commands and buttons in Discord, which sends each as a signed HTTP request.

There is no gateway process. The commands are /next, /standings, /odds, /going and /link; the
buttons are "Going" and "Confirm". A reply is for the sender alone. Members who have connected or
linked their account see what it may see; everybody else, what strangers may see.
"""

import json
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from battles.services.review import confirm_side
from clubs.models import Answer, Club
from clubs.services.evenings import answer_evening
from core.errors import MusterError
from outbox.models import Webhook
from outbox.selectors.discord_accounts import member_of
from outbox.selectors.discord_replies import (
    link_words,
    next_evening,
    next_reply,
    odds_reply,
    plain_reply,
    standings_reply,
)
from outbox.services.discord_accounts import link_account
from rulebook.ruleset import RulesError

PING, COMMAND, BUTTON = 1, 2, 3
PONG, MESSAGE = 1, 4
FRESH = 300
"""The seconds for which a request is accepted after Discord has signed it."""
LONGEST = 64 * 1024

Reply = dict[str, Any]
Person = User | AnonymousUser
READS: dict[str, Callable[[Club, Person], Reply]] = {
    "next": next_reply,
    "standings": standings_reply,
    "odds": odds_reply,
}


@csrf_exempt
@require_POST
def interactions(request: HttpRequest) -> HttpResponse:
    """Answer a command or a button. 401 if it is not signed by Discord for this installation."""
    if not settings.DISCORD_PUBLIC_KEY:
        return HttpResponse(status=404)
    body = request.body
    if len(body) > LONGEST or not is_signed_by_discord(request, body):
        return HttpResponse("invalid request signature", status=401, content_type="text/plain")
    try:
        interaction = json.loads(body)
        if interaction["type"] == PING:
            return JsonResponse({"type": PONG})
        reply = _answer(interaction)
    except (ValueError, KeyError, TypeError):
        return HttpResponse("not an interaction", status=400, content_type="text/plain")
    return JsonResponse({"type": MESSAGE, "data": reply})


interactions.access = "open"  # type: ignore[attr-defined]


def is_signed_by_discord(request: HttpRequest, body: bytes) -> bool:
    """Return whether Discord has signed this body a moment ago."""
    moment = request.headers.get("X-Signature-Timestamp", "")
    if not moment.isascii() or not moment.isdigit() or abs(time.time() - int(moment)) > FRESH:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
        signature = bytes.fromhex(request.headers.get("X-Signature-Ed25519", ""))
        key.verify(signature, moment.encode() + body)
    except (InvalidSignature, ValueError):
        return False
    return True


def _answer(interaction: dict[str, Any]) -> Reply:
    """Return the reply, in the language of the sender."""
    language = "de" if str(interaction.get("locale", "")).startswith("de") else "en-gb"
    sender = (interaction.get("member") or interaction)["user"]
    user = _user(str(sender["id"]))
    with translation.override(language):
        data = interaction["data"]
        try:
            if interaction["type"] == COMMAND and data["name"] == "link":
                return _link(data, sender)
            club = _club(str(interaction.get("guild_id", "")))
            if club is None:
                return plain_reply(gettext("No club of Muster posts on this server."))
            with timezone.override(club.zone):
                if interaction["type"] == COMMAND:
                    return _command(data, club, user)
                return _press(str(data["custom_id"]), user)
        except (MusterError, RulesError) as error:
            return plain_reply(_sentence(error))


def _command(data: dict[str, Any], club: Club, user: Person) -> Reply:
    name = data["name"]
    if name in READS:
        return READS[name](club, user)
    if name != "going":
        raise KeyError(name)
    if isinstance(user, AnonymousUser):
        return plain_reply(link_words())
    evening = next_evening(club, user)
    if evening is None:
        return plain_reply(gettext("No club night is planned."))
    return _go(evening.pk, _option(data, "answer") or Answer.COMING, user)


def _press(custom_id: str, user: Person) -> Reply:
    """Return the reply to a button, whose id says what it does: Discord signs that as well."""
    action, key, value = custom_id.split(":")
    if action == "going":
        return _go(UUID(key), value, user)
    if action != "confirm":
        raise KeyError(action)
    if isinstance(user, AnonymousUser):
        return plain_reply(link_words())
    # With the version that the sender has seen: a result that changed since is not confirmed.
    confirm_side(battle_id=UUID(key), user=user, version=int(value))
    return plain_reply(gettext("Confirmed."))


def _go(evening: UUID, answer: str, user: Person) -> Reply:
    if isinstance(user, AnonymousUser):
        return plain_reply(link_words())
    given = answer_evening(evening_id=evening, user=user, answer=answer)
    words = gettext("Your answer: %(answer)s") % {"answer": given.get_answer_display()}
    return plain_reply(words)


def _link(data: dict[str, Any], sender: dict[str, Any]) -> Reply:
    code, name = _option(data, "code"), str(sender.get("username", ""))
    link_account(code=code, discord_id=str(sender["id"]), name=name)
    return plain_reply(gettext("Your accounts are linked."))


def _option(data: dict[str, Any], name: str) -> str:
    options = data.get("options") or []
    return next((str(each["value"]) for each in options if each["name"] == name), "")


def _user(discord_id: str) -> Person:
    return member_of(discord_id) or AnonymousUser()


def _club(guild: str) -> Club | None:
    """Return the club that posts on a server: an organiser has typed in the address of its webhook.

    If there are several, it is the one that came first.
    """
    rows = Webhook.objects.filter(guild=guild, active=True) if guild else Webhook.objects.none()
    webhook = rows.select_related("club").order_by("created_at", "pk").first()
    return webhook.club if webhook else None


def _sentence(error: MusterError | RulesError) -> str:
    sentences = [problem.sentence for problem in error.problems]
    return " ".join(dict.fromkeys(sentences)) or str(error)
