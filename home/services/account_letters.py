"""Letters about changes of an account: a new password, another address, a used recovery code.

Unlike the letters with cards, these must not be lost, and nobody can turn them off. Each is a row
until it is sent. If a worker dies while it sends one, the claim expires and another worker sends
it again: two letters are better than none.
"""

import logging
import smtplib
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from home.models import AccountLetter
from home.services.letters import NotSent, refused_for_good
from warbands.outbox import send_or_keep

SEND = "home.tasks.send_account_letter"
CLAIM_HOLDS = timedelta(minutes=5)
"""The time for which a claim holds. After that, another worker sends a letter that is left."""

logger = logging.getLogger("muster.inbox")


def queue_account_letters(*, addresses: Iterable[str], subject: str, body: str) -> None:
    """Queue a letter to each address after the current transaction commits."""
    now = timezone.now()
    for address in dict.fromkeys(addresses):
        letter = AccountLetter.objects.create(
            address=address, subject=subject[:200], body=body, written_at=now
        )
        transaction.on_commit(partial(_queue, str(letter.pk)))


def send_account_letter(*, letter_id: UUID) -> bool:
    """Send a letter, and return whether it was sent now.

    May run twice or at the same time. Raises NotSent.
    """
    now = timezone.now()
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM_HOLDS)
    # This one UPDATE decides between workers that run at the same time. Sending happens outside of
    # any transaction.
    if not AccountLetter.objects.filter(free, pk=letter_id).update(claimed_at=now):
        return False
    letter = AccountLetter.objects.get(pk=letter_id)
    message = EmailMessage(
        letter.subject,
        letter.body,
        to=[letter.address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        if refused_for_good(error):
            logger.warning(
                "A letter about an account was refused for good", extra={"letter": str(letter_id)}
            )
            letter.delete()
            return False
        AccountLetter.objects.filter(pk=letter_id).update(claimed_at=None)
        raise NotSent(str(error)) from error
    letter.delete()
    return True


def queue_lost_account_letters() -> int:
    """Queue every letter that no worker is sending now, and return their number."""
    free = Q(claimed_at=None) | Q(claimed_at__lt=timezone.now() - CLAIM_HOLDS)
    keys = list(AccountLetter.objects.filter(free).values_list("pk", flat=True))
    for key in keys:
        _queue(str(key))
    return len(keys)


def _queue(key: str) -> None:
    send_or_keep(SEND, [[key]])
