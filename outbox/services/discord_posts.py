"""Posts in Discord: results with a picture, promotions, pairings and club nights.

There is one message about each battle and club night; it is edited when that changes. A worker can
be killed after Discord has taken a new message and before its id is stored. Webhooks take no key
that would make a repetition harmless, and list no messages. If the installation has a bot, it looks
for the message in the channel; else the message is posted again: a double is better than a lost
result.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext
from msgspec import Struct
from urllib3.filepost import encode_multipart_formdata

from audit.models import Change
from audit.verbs import Verb
from battles.models import Battle, BattleState
from campaigns.models import Campaign, Fixture, Round
from clubs.models import Evening
from core.errors import MusterError
from documents.content.documents import ResultCard
from documents.content.registry import content_hash, read_content
from documents.languages import CODES
from documents.models import PNG, DocumentKind, Language, Paper
from documents.selectors.result_cards import newest_result_card
from documents.services.requesting import add_result_card
from documents.services.stored_files import open_file
from leagues.selectors.club_night import night_pairings
from outbox.discord_text import escaped
from outbox.models import DiscordPost, Webhook
from outbox.safe_requests import Answer, NoAnswer, Refused, send
from warbands.models import Warband

RED, GREY, BLUE = 0x7C1D1D, 0x8A7B66, 0x2F5D8A
MOST_LINES = 25
"""The most pairings that a post lists."""
LONGEST_NAME, LONGEST_TEXT = 250, 3000
"""Characters; Discord allows 256 in a title and 4,096 in a description."""
PICTURE_WAIT = timedelta(minutes=3)
"""The longest time for which a result waits for its picture."""
LOOK_AGAIN = timedelta(seconds=15)
CLAIM_HOLDS = timedelta(seconds=90)
CLOCKS_DIFFER = timedelta(seconds=10)
FIRST_MILLISECOND = 1420070400000
"""The time from which Discord counts, the start of 2015."""
RESULTS = frozenset(
    {
        Verb.BATTLE_CONFIRMED,
        Verb.SUBMITTED_AND_CONFIRMED,
        Verb.BATTLE_DECIDED,
        Verb.BATTLE_CORRECTED,
        Verb.BATTLE_VOIDED,
        Verb.BATTLE_RESTORED,
        Verb.BATTLE_DESCRIBED,
        Verb.DAY_CHANGED,
    }
)
EVENINGS = frozenset(
    {
        Verb.EVENINGS_MADE,
        Verb.SERIES_MADE,
        Verb.EVENING_CHANGED,
        Verb.EVENING_CANCELLED,
        Verb.EVENING_RESTORED,
    }
)


class ChannelMessage(Struct, frozen=True):
    """A message in a channel, as Discord lists it. ``webhook_id`` is "" for those of people."""

    id: str
    webhook_id: str = ""


class NotYet(Exception):
    """A picture for the post is being made; try again after ``wait``."""

    def __init__(self, wait: timedelta) -> None:
        self.wait = wait
        super().__init__()


class Embed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The framed part of a message in Discord."""

    title: str
    url: str
    description: str = ""
    color: int = RED
    timestamp: datetime | None = None
    image: Mapping[str, str] | None = None


class Post(Struct, frozen=True, kw_only=True):
    """A message: what it shows, and its picture. A later post about ``subject`` replaces it."""

    embed: Embed
    subject: UUID | None = None
    picture: bytes = b""
    only_edit: bool = False
    """True if the message matters only to those who have read an earlier one."""


def post_change(change: Change, webhook: Webhook) -> Answer | None:
    """Post a change, or edit the message about its subject; None if there is nothing to post.

    Raises NotYet, and Refused and NoAnswer as ``send`` does.
    """
    if not webhook.guild or not webhook.channel:
        _learn_guild(webhook)
    with translation.override(webhook.language), timezone.override(webhook.club.zone):
        post = post_of(change, webhook.language)
    if post is None:
        return None
    # A post that is never edited has a row as well: after a crash it is looked for in the channel.
    return _post_or_edit(webhook, post, post.subject or change.pk)


def learn_guild(*, webhook_id: UUID) -> None:
    """Ask Discord for the server of a webhook, so that commands there find the club."""
    webhook = Webhook.objects.filter(pk=webhook_id, guild="").first()
    if webhook is not None:
        _learn_guild(webhook)


def _learn_guild(webhook: Webhook) -> None:
    try:
        answer = send("GET", webhook.address, body=b"", headers={})
        row = msgspec.json.decode(answer.body)
        guild, channel = row["guild_id"], row.get("channel_id", "")
    except (Refused, NoAnswer, msgspec.DecodeError, KeyError, TypeError):
        # Commands find no club for now. The next post asks again.
        return
    webhook.guild, webhook.channel = str(guild)[:30], str(channel)[:30]
    webhook.save(update_fields=["guild", "channel"])


def post_of(change: Change, language: str) -> Post | None:
    """Return the post about a change, in the active language. Raises NotYet."""
    makers: Mapping[str, Callable[[Change, str], Post | None]] = {
        **dict.fromkeys(RESULTS, _result),
        **dict.fromkeys(EVENINGS, _evening),
        Verb.RANK_UP_TAKEN: _promotion,
        Verb.ROUNDS_MADE: _pairings,
        Verb.PAIRINGS_PUBLISHED: _night_pairings,
    }
    maker = makers.get(change.entry.verb)
    return maker(change, language) if maker else None


def _result(change: Change, language: str) -> Post | None:
    battle = Battle.objects.filter(pk=_subject(change)).first()
    if battle is None:
        return None
    url = _page("battles:battle", battle.pk)
    if battle.state != BattleState.CONFIRMED:
        if battle.state != BattleState.VOID:
            return None
        void = gettext("This battle does not count any more.")
        title = escaped(change.entry.subject_name)[:LONGEST_NAME]
        embed = Embed(title=title, url=url, description=void, color=GREY)
        return Post(embed=embed, subject=battle.pk, only_edit=True)
    try:
        card = read_content(DocumentKind.RESULT_CARD, battle.pk)
        summary: Any = read_content(DocumentKind.BATTLE, battle.pk)
    except MusterError:
        return None
    assert isinstance(card, ResultCard)  # noqa: S101 - this tells the type checker
    picture = _picture(change, card, language)
    sides = summary.battle.sides
    lines = [f"**{_score(card)}**", escaped(card.sentence)]
    fallen = [each.name for side in sides for each in side.fallen]
    if fallen:
        names = ", ".join(escaped(name) for name in fallen[:MOST_LINES])
        lines.append(gettext("Killed: %(names)s") % {"names": names})
    embed = Embed(
        title=escaped(card.title)[:LONGEST_NAME],
        url=url,
        description="\n".join(filter(None, lines))[:LONGEST_TEXT],
        image={"url": "attachment://card.png"} if picture else None,
    )
    return Post(embed=embed, subject=battle.pk, picture=picture)


def _score(card: ResultCard) -> str:
    sides = [
        f"{escaped(side.warband)} {side.points}" if card.scored else escaped(side.warband)
        for side in card.sides
    ]
    return " : ".join(sides)


def _picture(change: Change, content: ResultCard, language: str) -> bytes:
    """Return the PNG of the card if it shows this content. Raises NotYet while it is made."""
    language = next((each for each, code in CODES.items() if code == language), Language.ENGLISH)
    battle = _subject(change)
    add_result_card(battle, Language(language))
    card = newest_result_card(battle, language=language)
    if card is not None and card.content_hash == content_hash(content, Paper.WIDE, language):
        try:
            with open_file(card) as file:
                return bytes(file.read())
        except MusterError:
            pass
    if timezone.now() - change.entry.at < PICTURE_WAIT:
        raise NotYet(LOOK_AGAIN)
    return b""


def _promotion(change: Change, language: str) -> Post | None:
    warband = Warband.objects.filter(pk=_subject(change)).first()
    fighter = change.entry.details.get("fighter")
    if warband is None or not fighter:
        return None
    title = gettext("%(fighter)s of %(warband)s was promoted.") % {
        "fighter": escaped(str(fighter)),
        "warband": escaped(warband.name),
    }
    return Post(embed=Embed(title=title[:LONGEST_NAME], url=_page("warbands:warband", warband.pk)))


def _pairings(change: Change, language: str) -> Post | None:
    campaign = Campaign.objects.filter(pk=_subject(change)).first()
    made = change.entry.details.get("number", 0)
    rows = Round.objects.filter(campaign=_subject(change)).order_by("-number")[: made or 1]
    rounds = sorted(rows, key=lambda each: each.number)
    if campaign is None or not rounds:
        return None
    # Of rounds that were made together, people play the first one now.
    fixtures = Fixture.objects.filter(
        round=rounds[0], home__isnull=False, away__isnull=False
    ).select_related("home__warband", "away__warband", "home__player", "away__player")
    lines = [
        f"{escaped(each.home.warband.name)} v. {escaped(each.away.warband.name)} "
        f"({escaped(each.home.player.name)}, {escaped(each.away.player.name)})"
        for each in fixtures[:MOST_LINES]
        if each.home and each.away
    ]
    if rounds[0].deadline:
        until = gettext("Play by %(day)s.")
        lines.append(until % {"day": f"{rounds[0].deadline:%Y-%m-%d}"})
    title = gettext("New pairings in %(campaign)s") % {"campaign": escaped(campaign.name)}
    return Post(
        embed=Embed(
            title=title[:LONGEST_NAME],
            url=_page("leagues:fixtures", campaign.pk),
            description="\n".join(lines)[:LONGEST_TEXT],
            color=BLUE,
        )
    )


def _night_pairings(change: Change, language: str) -> Post | None:
    """Return the games and their tables, as strangers read them: without private warbands."""
    evening = Evening.objects.select_related("club").filter(pk=_subject(change)).first()
    if evening is None or evening.published_at is None:
        return None
    lines = []
    for game in night_pairings(evening, AnonymousUser()).played[:MOST_LINES]:
        names = " v. ".join(escaped(side.name) for side in game.sides)
        table = gettext("Table %(number)s") % {"number": game.table} if game.table else ""
        lines.append(f"{table}: {names}" if table else names)
    title = gettext("Pairings of the club night on %(day)s")
    return Post(
        embed=Embed(
            title=title % {"day": date_format(evening.local_start, gettext("j F Y"))},
            url=_page("leagues:pairings", evening.pk),
            description="\n".join(lines)[:LONGEST_TEXT],
            color=BLUE,
        )
    )


def _evening(change: Change, language: str) -> Post | None:
    evening = Evening.objects.select_related("club").filter(pk=_subject(change)).first()
    if evening is None:
        return None
    # Discord shows the time in the zone of each reader.
    start = int(evening.starts_at.timestamp())
    lines = [f"<t:{start}:F> (<t:{start}:R>)", escaped(evening.place), escaped(evening.note)]
    title = gettext("Club night of %(club)s") % {"club": escaped(evening.club.name)}
    if evening.cancelled_at:
        title = gettext("Cancelled: %(title)s") % {"title": title}
        lines = [lines[0], escaped(evening.reason)]
    weeks = change.entry.details.get("number", 1)
    if change.entry.verb == Verb.SERIES_MADE and weeks > 1:
        more = gettext("The first of %(number)s club nights, one each week.")
        lines.append(more % {"number": weeks})
    embed = Embed(
        title=title[:LONGEST_NAME],
        url=_page("home:evening", evening.pk),
        description="\n".join(filter(None, lines))[:LONGEST_TEXT],
        color=GREY if evening.cancelled_at else BLUE,
    )
    return Post(embed=embed, subject=evening.pk)


def _subject(change: Change) -> UUID:
    subject = change.entry.subject_id
    assert subject is not None  # noqa: S101 - of these kinds, every entry has one
    return subject


def _page(name: str, key: UUID) -> str:
    return f"{settings.SITE_URL.rstrip('/')}{reverse(name, args=[key])}"


def _post_or_edit(webhook: Webhook, post: Post, subject: UUID) -> Answer | None:
    """Edit the message about a subject, or post it and store its id."""
    if post.only_edit and not webhook.posts.filter(subject=subject).exclude(message="").exists():
        return None
    row, _ = DiscordPost.objects.get_or_create(webhook=webhook, subject=subject)
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    # This one UPDATE decides between workers with two changes of the same battle: otherwise both
    # would post it.
    rows = DiscordPost.objects.filter(pk=row.pk)
    if not rows.filter(free).update(claimed_until=now + CLAIM_HOLDS):
        raise NotYet(LOOK_AGAIN)
    try:
        message, begun_at = rows.values_list("message", "begun_at").get()
        if not message and begun_at:
            message = _message_since(webhook, begun_at)
            rows.update(message=message, begun_at=None)
        if message:
            answer = _send("PATCH", f"{webhook.address}/messages/{message}", post)
            # Somebody has deleted the message in Discord, and does not want it back.
            return None if answer.status == 404 else answer
        rows.update(begun_at=timezone.now())
        answer = _send("POST", webhook.address, post)
        # In one UPDATE: whoever finds ``begun_at`` later does not know whether it was posted.
        message = _message_id(answer.body) if answer.status < 300 else ""
        rows.update(message=message, begun_at=None)
        return answer
    finally:
        rows.update(claimed_until=None)


def _message_since(webhook: Webhook, begun_at: datetime) -> str:
    """Return the id of the message that the webhook posted since, and that no row has; or "".

    Only a bot that may read the channel's history can list messages. It may see them without their
    content, so that is not compared.
    """
    if not settings.DISCORD_BOT_TOKEN or not webhook.channel:
        return ""
    earliest = begun_at - CLOCKS_DIFFER
    url = f"{settings.DISCORD_API}/channels/{webhook.channel}/messages?after={_id_at(earliest)}"
    headers = {"Authorization": f"Bot {settings.DISCORD_BOT_TOKEN}"}
    try:
        answer = send("GET", f"{url}&limit=50", body=b"", headers=headers)
        messages = msgspec.json.decode(answer.body, type=list[ChannelMessage])
    except (Refused, NoAnswer, msgspec.DecodeError):
        # The bot may not read here, or Discord does not answer.
        return ""
    latest, number = _id_at(begun_at + CLAIM_HOLDS), webhook.address.rpartition("/")[0]
    stored = set(webhook.posts.exclude(message="").values_list("message", flat=True))
    posted = [
        message.id
        for message in messages
        if number.endswith(f"/{message.webhook_id}")
        and message.id not in stored
        and int(message.id) < latest
    ]
    return min(posted, key=int, default="")


def _id_at(moment: datetime) -> int:
    """Return the lowest id that Discord can give at a time: ids begin with their milliseconds."""
    return (int(moment.timestamp() * 1000) - FIRST_MILLISECOND) << 22


def _message_id(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body)["id"])[:30]
    except (msgspec.DecodeError, KeyError, TypeError):
        return ""


def _send(method: str, address: str, post: Post) -> Answer:
    payload: dict[str, Any] = {
        "embeds": [msgspec.to_builtins(post.embed)],
        # Names of warbands must not call everybody.
        "allowed_mentions": {"parse": []},
        "attachments": [{"id": 0, "filename": "card.png"}] if post.picture else [],
    }
    parts: dict[str, Any] = {
        "payload_json": (None, msgspec.json.encode(payload).decode(), "application/json")
    }
    if post.picture:
        parts["files[0]"] = ("card.png", post.picture, PNG.content_type)
    body, content_type = encode_multipart_formdata(parts)
    url = f"{address}?wait=true" if method == "POST" else address
    return send(method, url, body=body, headers={"Content-Type": content_type})
