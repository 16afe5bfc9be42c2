"""Letters: at once and as digests, in HTML and plain text. Claimed before they are sent, marked
after.

A letter that was claimed and not marked is one whose worker was killed: nobody knows whether it
went, and it is not sent again. What waits stands in the inbox all the same. Only where the server
has said no, or was not there, is the claim given back, for another try.
"""

import logging
import smtplib
from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext

from home.member_time import last_morning
from home.models import Letter, Mail, Notice
from home.selectors.card_kinds import Card
from home.selectors.cards import OF_ONES_OWN, cards_for
from home.services.preferences import locked_preferences, mail_address, unsubscribing_token

MAX_IN_A_LETTER = 30

logger = logging.getLogger("muster.inbox")


class NotSent(Exception):
    """The mail server was not there, or asked to come again later. Nothing was sent, nothing is
    claimed."""


def write_at_once(*, user_id: int) -> bool:
    """Tell a member of what is new, in one letter; what was told before is not told again. Whether
    one was sent.

    Safe to run twice, at once, or after a half run. Raises NotSent.
    """
    with transaction.atomic():
        letter = _claim_news(user_id)
    return letter is not None and _deliver(*letter)


def write_digest(*, user_id: int) -> bool:
    """Send a member the digest of the last morning, if it is still to be sent and there is anything
    to tell.

    A daily one goes out only if something in it was not told before. Whether one was sent. Raises
    NotSent.
    """
    with transaction.atomic():
        letter = _claim_digest(user_id)
    is_sent = letter is not None and _deliver(*letter)
    if letter is not None:
        _digested(letter[0])
    return is_sent


Claimed = tuple[Letter, EmailMultiAlternatives]


def _claim_news(user_id: int) -> Claimed | None:
    user = User.objects.get(pk=user_id)
    preferences, address = locked_preferences(user), mail_address(user)
    if preferences.mail != Mail.AT_ONCE or not address or not user.is_active:
        return None
    with timezone.override(preferences.zone), translation.override(preferences.written):
        today = timezone.localdate()
        news = [
            card for card in _untold(user, cards_for(user, today)) if card.kind not in OF_ONES_OWN
        ]
        if not news:
            return None
        letter = Letter(user=user, kind=Mail.AT_ONCE, day=today, claimed_at=timezone.now())
        return _claimed(letter, address, news, news)


def _claim_digest(user_id: int) -> Claimed | None:
    user = User.objects.get(pk=user_id)
    preferences, address = locked_preferences(user), mail_address(user)
    if preferences.mail not in (Mail.DAILY, Mail.WEEKLY) or not user.is_active:
        return None
    with timezone.override(preferences.zone), translation.override(preferences.written):
        day = last_morning(preferences.mail, timezone.localtime())
        if preferences.digested_on is not None and preferences.digested_on >= day:
            return None
        if not address:
            # Done with as well, or the clock would find it again in every round until there is an
            # address.
            preferences.digested_on = day
            preferences.save(update_fields=["digested_on"])
            return None
        cards = cards_for(user, timezone.localdate())
        untold = _untold(user, cards)
        claimed_before = Letter.objects.filter(user=user, kind=preferences.mail, day=day).exists()
        if claimed_before or not (untold if preferences.mail == Mail.DAILY else cards):
            preferences.digested_on = day
            preferences.save(update_fields=["digested_on"])
            return None
        letter = Letter(user=user, kind=preferences.mail, day=day, claimed_at=timezone.now())
        return _claimed(letter, address, cards, untold)


def _untold(user: User, cards: Sequence[Card]) -> list[Card]:
    """The cards that no letter has told of. One query."""
    notified = set(Notice.objects.filter(user=user).values_list("kind", "subject", "occasion"))
    return [card for card in cards if (card.kind, card.subject, card.occasion) not in notified]


def _claimed(
    letter: Letter, address: str, cards: Sequence[Card], untold: Sequence[Card]
) -> Claimed:
    """The letter, written and claimed together with all that it tells of. In the caller's
    transaction."""
    message = written(letter, address, cards, untold)
    letter.save()
    Notice.objects.bulk_create(
        Notice(
            user=letter.user,
            letter=letter,
            kind=card.kind,
            subject=card.subject,
            occasion=card.occasion,
        )
        for card in untold
    )
    return letter, message


def _deliver(letter: Letter, message: EmailMultiAlternatives) -> bool:
    """Send a claimed letter, outside any transaction, and mark it. Raises NotSent."""
    connection = get_connection()
    try:
        connection.open()
    except (smtplib.SMTPException, OSError) as error:
        letter.delete()
        raise NotSent(str(error)) from error
    try:
        connection.send_messages([message])
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
        if refused_for_good(error):
            logger.warning("A letter was refused for good", extra={"letter": str(letter.pk)})
            return False
        letter.delete()
        raise NotSent(str(error)) from error
    except (smtplib.SMTPException, OSError):
        # The line broke: it may have gone out. Rather no letter than two.
        logger.warning(
            "Whether a letter went out is not known",
            extra={"letter": str(letter.pk)},
            exc_info=True,
        )
        return False
    finally:
        connection.close()
    Letter.objects.filter(pk=letter.pk).update(sent_at=timezone.now())
    return True


def refused_for_good(error: Exception) -> bool:
    """Whether the server will never take it, as replies from 500 on say (RFC 5321, 4.2.1)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500


def _digested(letter: Letter) -> None:
    with transaction.atomic():
        preferences = locked_preferences(letter.user)
        preferences.digested_on = max(letter.day, preferences.digested_on or letter.day)
        preferences.save(update_fields=["digested_on"])


def written(
    letter: Letter, address: str, cards: Sequence[Card], untold: Sequence[Card]
) -> EmailMultiAlternatives:
    """The letter as a message of two parts, with the headers by which a mail program offers to stop
    such letters."""
    stop = link(reverse("home:unsubscribe", args=[unsubscribing_token(letter.user)]))
    new_cards = {(card.kind, card.subject) for card in untold}
    subject = subject_of(cards)
    context = {
        "user": letter.user,
        "kind": letter.kind,
        "number": len(cards),
        "lines": [
            (
                card,
                link(card.url),
                letter.kind != Mail.AT_ONCE and (card.kind, card.subject) in new_cards,
            )
            for card in cards[:MAX_IN_A_LETTER]
        ],
        "left": max(0, len(cards) - MAX_IN_A_LETTER),
        "subject": subject,
        "home": link("/"),
        "preferences": link(reverse("home:preferences")),
        "stop": stop,
        "written_on": timezone.localdate(),
    }
    message = EmailMultiAlternatives(
        subject=subject,
        body=render_to_string("home/letter.txt", context),
        to=[address],
        headers={
            "Message-ID": f"<{letter.pk}@{_host()}>",
            "List-ID": f"Muster <inbox.{_host()}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    message.attach_alternative(render_to_string("home/letter.html", context), "text/html")
    return message


def subject_of(cards: Sequence[Card]) -> str:
    """What stands over a letter: the one thing it tells of, or how many."""
    if len(cards) == 1:
        button = (
            cards[0].button
            if get_language() == "de"
            else cards[0].button[:1].lower() + cards[0].button[1:]
        )
        return " ".join(f"{cards[0].title}: {button}".split())
    return ngettext("Something waits for you", "%(number)s things wait for you", len(cards)) % {
        "number": len(cards)
    }


def link(path: str) -> str:
    """The whole address of a page of this site."""
    return settings.SITE_URL.rstrip("/") + path


def _host() -> str:
    return settings.SITE_URL.partition("://")[2].partition(":")[0].partition("/")[0]
