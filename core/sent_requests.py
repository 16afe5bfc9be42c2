"""What is sent twice is done once: one table of keys for the forms of pages and for the API's
``Idempotency-Key``.

The key is written in the transaction of what it was sent for. If that fails, the key is free again;
whoever sends the same key meanwhile waits for the end of it at the unique constraint
(docs/decisions/sent-once.md).
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, TypeVar

import msgspec
from cryptography.fernet import InvalidToken
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from core.derived_keys import lock
from core.models import SentRequest
from core.signatures import canonical_bytes, digest

PURPOSE = b"muster answers of requests"
KEPT_FOR = timedelta(days=2)
MAX_OF_A_PATH = 300

Done = TypeVar("Done")


class SentAlready(Exception):
    """The request was carried out before. ``answer`` is what it got, None if that cannot be read
    any more; ``differs``: something else was sent under the key then."""

    def __init__(self, answer: Any, *, differs: bool) -> None:
        self.answer, self.differs = answer, differs
        super().__init__("sent already")


def do_once(
    *,
    user: User,
    path: str,
    key: str,
    digest: str,
    verb: Callable[[], Done],
    answer_of: Callable[[Done], Any],
) -> Done:
    """What ``verb`` returns, unless the user has sent this key to this path before: then
    SentAlready is raised.

    ``answer_of`` says what is remembered of the answer, in terms of JSON; None: nothing was done,
    the key stays free.
    """
    with transaction.atomic():
        # Before anything else is locked: who sends the same key waits here, holding nothing.
        row, is_new = SentRequest.objects.get_or_create(
            user=user, path=path[:MAX_OF_A_PATH], key=key, defaults={"digest": digest}
        )
        if not is_new:
            raise SentAlready(_opened(row.answer), differs=row.digest != digest)
        done = verb()
        answer = answer_of(done)
        if answer is None:
            row.delete()
        else:
            # Not by save: whoever has deleted the account meanwhile has deleted its keys as well.
            answered = SentRequest.objects.filter(pk=row.pk)
            answered.update(answer=lock(PURPOSE).encrypt(msgspec.json.encode(answer)))
        return done


def digest_of(parts: Iterable[Any]) -> str:
    """By what it is known that the same was sent."""
    return digest(canonical_bytes(list(parts)))


def forget_sent_requests() -> int:
    """Delete the keys whose time is over; returns how many."""
    number, _ = SentRequest.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return number


def _opened(sealed: bytes | memoryview) -> Any:
    try:
        return msgspec.json.decode(lock(PURPOSE).decrypt(bytes(sealed)))
    except InvalidToken:
        return None
