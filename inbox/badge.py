"""The number of cards, for the header of every page.

Putting the question together costs more than asking it, so the number is kept for a moment. Whatever a member does
forgets their own number at once: only what others do may show half a minute late.
"""

import logging
from typing import Any

from django.contrib.auth.models import User
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from redis.exceptions import RedisError

from inbox.summaries.waiting import number_waiting

SECONDS = 30
"""How long a number is kept."""

logger = logging.getLogger("muster.inbox")


def inbox_badge(request: HttpRequest) -> dict[str, Any]:
    """``inbox_number`` for templates: how many cards wait for who is signed in. One query at most, when asked for."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"inbox_number": SimpleLazyObject(lambda: number_of(user))}


def number_of(user: User) -> int:
    """How many cards wait for a member, as it was half a minute ago at most. One query, or none."""
    try:
        known = cache.get(_key(user.pk))
    except (OSError, RedisError):
        known = None
    if known is None:
        known = number_waiting(user, timezone.localdate())
        keep_number(user, known)
    return int(known)


def keep_number(user: User, number: int) -> None:
    """Keep a number that was counted just now. A cache that does not answer is no reason to fail."""
    try:
        cache.set(_key(user.pk), number, SECONDS)
    except (OSError, RedisError):
        logger.warning("The cache does not answer: the number of cards is counted for every page")


def forget_number(user_id: int) -> None:
    """Have it counted anew for the next page."""
    try:
        cache.delete(_key(user_id))
    except (OSError, RedisError):
        logger.warning("The cache does not answer: the number of cards may be a moment old")


def _key(user_id: int) -> str:
    return f"inbox-number:{user_id}"
