"""Answers that every page asks for, kept for a moment. A cache that does not answer is no reason to
fail."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

Answer = TypeVar("Answer", int, str)

logger = logging.getLogger("muster.inbox")


def kept(key: str, seconds: int, ask: Callable[[], Answer]) -> Answer:
    """The answer as it was so many seconds ago at most; asked for where none is kept."""
    try:
        answer: Answer | None = cache.get(key)
    except (OSError, RedisError):
        answer = None
    if answer is None:
        answer = ask()
        keep(key, seconds, answer)
    return answer


def keep(key: str, seconds: int, answer: int | str) -> None:
    """Keep what was found just now."""
    try:
        cache.set(key, answer, seconds)
    except (OSError, RedisError):
        logger.warning("The cache does not answer: %s is asked for by every page", key)


def forget(key: str) -> None:
    """Have it asked for anew."""
    try:
        cache.delete(key)
    except (OSError, RedisError):
        logger.warning("The cache does not answer: %s may be a moment old", key)
