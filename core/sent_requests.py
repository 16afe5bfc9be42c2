"""Carry out each request once: one table of keys, for forms and for the API's ``Idempotency-Key``.

The key is written in the same transaction as the change. If that fails, the key is free again. A
second request with the same key waits at the unique constraint until the first one has ended
(docs/decisions/web.md).
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
    """The request was carried out before.

    ``answer`` is its stored answer, or None if that can no longer be decrypted. ``differs`` is
    whether the earlier request had other content.
    """

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
    """Call ``verb`` and return its result. Raises SentAlready if the user sent this key before.

    ``answer_of`` returns the answer to remember, as JSON values. If it returns None, nothing was
    done and the key stays free.
    """
    with transaction.atomic():
        # Before all other locks: a second request with the same key waits here and holds none.
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
            # Do not use save(): if the account was deleted meanwhile, this row is gone too.
            answered = SentRequest.objects.filter(pk=row.pk)
            answered.update(answer=lock(PURPOSE).encrypt(msgspec.json.encode(answer)))
        return done


def digest_of(parts: Iterable[Any]) -> str:
    """Return the hash by which equal requests are recognised."""
    return digest(canonical_bytes(list(parts)))


def forget_sent_requests() -> int:
    """Delete expired keys. Return how many were deleted."""
    number, _ = SentRequest.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return number


def _opened(sealed: bytes | memoryview) -> Any:
    try:
        return msgspec.json.decode(lock(PURPOSE).decrypt(bytes(sealed)))
    except InvalidToken:
        return None
