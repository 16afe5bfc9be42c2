"""Letters with cards, at once and as digests, in HTML and plain text.

A letter is claimed before it is sent, and marked afterwards. If a worker is killed in between, it
is unknown whether the letter was sent, and it is not sent again; its cards are on the home page
anyway. The claim is released for another try only if the server refused the letter for now or
could not be reached.
"""

import logging
import smtplib
from collections.abc import Sequence
from datetime import date

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext

from clubs.models import Answer, Attendance
from home.member_time import HOUR, last_morning
from home.models import WITH_DIGESTS, WITH_LETTERS_AT_ONCE, Letter, Mail, Notice, Preferences
from home.selectors.card_kinds import Card, Urgency
from home.selectors.cards import (
    ALWAYS_AT_ONCE,
    OF_ONES_OWN,
    WEEK,
    cards_for,
    fold_cards,
    urgency_of,
)
from home.selectors.club_night_cards import ToRememberTomorrow
from home.selectors.evenings import EveningCard, next_evening
from home.services.preferences import locked_preferences, mail_address, unsubscribing_token

MAX_IN_A_LETTER = 30

logger = logging.getLogger("muster.inbox")


class NotSent(Exception):
    """Raised if the mail server was unavailable or asked to try later.

    Nothing was sent or claimed.
    """


def write_at_once(*, user_id: int) -> bool:
    """Send a member one letter with the cards that no letter had before.

    A member who wants digests for the rest gets only those that concern this week; questions about
    club nights wait for the morning. A cancelled or moved club night waits for no digest, and the
    reminder of tomorrow's for no weekly one. Return whether it was sent.

    May run twice, at the same time, or after an incomplete run. Raises NotSent.
    """
    with transaction.atomic():
        letter = _claim_news(user_id)
    return letter is not None and _deliver(*letter)


def write_digest(*, user_id: int) -> bool:
    """Send a member the digest of the last morning, if it is due and not empty.

    A daily digest is sent only if it has a card that no letter had before. Return whether it was
    sent. Raises NotSent.
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
    if preferences.mail == Mail.NEVER or not address or not user.is_active:
        return None
    with timezone.override(preferences.zone), translation.override(preferences.written):
        today = timezone.localdate()
        news = [
            card
            for card in _untold(user, cards_for(user, today))
            if not waits_for_morning(card)
            and (
                _goes_at_once(card, preferences.mail, today)
                or _is_reminder(card, user, preferences)
            )
        ]
        if not news:
            return None
        letter = Letter(user=user, kind=Mail.AT_ONCE, day=today, claimed_at=timezone.now())
        return _claimed(letter, address, news, news)


def _goes_at_once(card: Card, mail: str, today: date) -> bool:
    """Return whether a member with this choice of e-mails gets the card at once."""
    if card.kind in ALWAYS_AT_ONCE:
        return True
    if mail not in WITH_LETTERS_AT_ONCE or card.kind in OF_ONES_OWN:
        return False
    return mail == Mail.AT_ONCE or urgency_of(card, today) < Urgency.CLUB_NIGHT


def _is_reminder(card: Card, user: User, preferences: Preferences) -> bool:
    """Return whether it reminds a member with weekly e-mails of tomorrow's club night.

    Only if the member wants to go. Other cards wait for Monday.
    """
    if preferences.mail != Mail.WEEKLY or card.kind != ToRememberTomorrow.kind:
        return False
    going = Attendance.objects.filter(
        evening=card.subject, member__user=user, answer__in=(Answer.COMING, Answer.PERHAPS)
    )
    return going.exists()


def waits_for_morning(card: Card) -> bool:
    """Return whether a card that is new at midnight is sent later, so that no phone rings then."""
    return card.kind == ToRememberTomorrow.kind and timezone.localtime().hour < HOUR


def _claim_digest(user_id: int) -> Claimed | None:
    user = User.objects.get(pk=user_id)
    preferences, address = locked_preferences(user), mail_address(user)
    if preferences.mail not in WITH_DIGESTS or not user.is_active:
        return None
    with timezone.override(preferences.zone), translation.override(preferences.written):
        day = last_morning(preferences.mail, timezone.localtime())
        if preferences.digested_on is not None and preferences.digested_on >= day:
            return None
        if not address:
            # This day is finished too: otherwise every periodic run would find it again until the
            # member has an address.
            preferences.digested_on = day
            preferences.save(update_fields=["digested_on"])
            return None
        cards = cards_for(user, timezone.localdate())
        untold = _untold(user, cards)
        kind = Mail.WEEKLY if preferences.mail == Mail.WEEKLY else Mail.DAILY
        claimed_before = Letter.objects.filter(user=user, kind=kind, day=day).exists()
        if claimed_before or not (untold if kind == Mail.DAILY else cards):
            preferences.digested_on = day
            preferences.save(update_fields=["digested_on"])
            return None
        letter = Letter(user=user, kind=kind, day=day, claimed_at=timezone.now())
        return _claimed(letter, address, cards, untold)


def _untold(user: User, cards: Sequence[Card]) -> list[Card]:
    """Return the cards that no letter had before. One query."""
    notified = set(Notice.objects.filter(user=user).values_list("kind", "subject", "occasion"))
    return [card for card in cards if (card.kind, card.subject, card.occasion) not in notified]


def _claimed(
    letter: Letter, address: str, cards: Sequence[Card], untold: Sequence[Card]
) -> Claimed:
    """Store and return the letter with its notices, claimed, in the transaction of the caller."""
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
    """Send a claimed letter outside of any transaction, and mark it. Raises NotSent."""
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
        # The connection broke, so it may have been sent: no letter is better than two.
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
    """Return whether the server will never accept it: replies from 500 on (RFC 5321, 4.2.1)."""
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
    """Return the letter as a message of two parts.

    Its headers let an e-mail program offer to unsubscribe.
    """
    stop = link(reverse("home:unsubscribe", args=[unsubscribing_token(letter.user)]))
    new_cards = {(card.kind, card.subject) for card in untold}
    subject, today = subject_of(cards), timezone.localdate()
    context = {
        "user": letter.user,
        "kind": letter.kind,
        "number": len(cards),
        "lines": [
            (
                fold.title,
                [
                    (
                        card,
                        link(card.url),
                        letter.kind != Mail.AT_ONCE and (card.kind, card.subject) in new_cards,
                    )
                    for card in fold.cards
                ],
            )
            for fold in fold_cards(cards[:MAX_IN_A_LETTER], today)
        ],
        "left": max(0, len(cards) - MAX_IN_A_LETTER),
        "subject": subject,
        "home": link("/"),
        "site": link(""),
        "preferences": link(reverse("home:preferences")),
        "stop": stop,
        "written_on": today,
        "evening": _evening_this_week(letter.user, today),
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


def _evening_this_week(user: User, today: date) -> EveningCard | None:
    """Return the next club night of the member, if it is in the next days and they can answer."""
    evening = next_evening(user)
    return evening if evening and evening.may_answer and evening.day - today < WEEK else None


def subject_of(cards: Sequence[Card]) -> str:
    """Return the subject of a letter: its only card, or the number of cards."""
    if len(cards) == 1:
        button = (
            cards[0].button
            if get_language() == "de"
            else cards[0].button[:1].lower() + cards[0].button[1:]
        )
        return " ".join(f"{cards[0].title}: {button}".split())
    return ngettext("You have %(number)s task", "You have %(number)s tasks", len(cards)) % {
        "number": len(cards)
    }


def link(path: str) -> str:
    """Return the absolute URL of a page of this site."""
    return settings.SITE_URL.rstrip("/") + path


def _host() -> str:
    return settings.SITE_URL.partition("://")[2].partition(":")[0].partition("/")[0]
