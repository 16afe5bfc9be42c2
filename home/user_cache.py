"""Cache values that every page needs. A cache that is unavailable is not an error."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.core.cache import cache

Answer = TypeVar("Answer", int, str)

logger = logging.getLogger("muster.inbox")


def kept(key: str, seconds: int, ask: Callable[[], Answer]) -> Answer:
    """Return the cached value, at most ``seconds`` old, or else the result of ``ask``."""
    try:
        answer: Answer | None = cache.get(key)
    except OSError:
        answer = None
    if answer is None:
        answer = ask()
        keep(key, seconds, answer)
    return answer


def keep(key: str, seconds: int, answer: int | str) -> None:
    """Cache a value."""
    try:
        cache.set(key, answer, seconds)
    except OSError:
        logger.warning("The cache does not answer: %s is asked for by every page", key)


def forget(key: str) -> None:
    """Delete a cached value."""
    try:
        cache.delete(key)
    except OSError:
        logger.warning("The cache does not answer: %s may be a moment old", key)
