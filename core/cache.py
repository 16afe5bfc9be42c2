"""The cache: Django's for Redis, with a circuit breaker that skips a server for a moment after a
failure."""

import logging
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

LEFT_ALONE = timedelta(seconds=5)


class Breaker:
    """Whether it makes sense to ask a server. Shared by the threads of a process; at worst two of
    them wait."""

    def __init__(self) -> None:
        self._asked_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """True while the server is left alone, since it has just failed to answer."""
        return time.monotonic() < self._asked_again_at

    def trip(self) -> None:
        """The server did not answer: leave it alone for a moment."""
        self._asked_again_at = time.monotonic() + LEFT_ALONE.total_seconds()

    def reset(self) -> None:
        """Ask it again at once."""
        self._asked_again_at = 0.0


PATIENCE = 0.2
"""Seconds for each answer of Redis: it stands beside the server, and answers within a thousandth of
that."""

logger = logging.getLogger("muster.cache")
breaker = Breaker()


class TolerantRedisClient(RedisCacheClient):
    """Answers as an empty cache while Redis does not, after one short wait."""

    def __init__(self, servers: Any, **options: Any) -> None:
        waits: dict[str, Any] = {
            "socket_timeout": PATIENCE,
            "socket_connect_timeout": PATIENCE,
            "retry": Retry(NoBackoff(), 0),
        }
        super().__init__(servers, **(waits | options))

    def _ask(self, question: Callable[..., Any], otherwise: Any, about: Any, named: Any) -> Any:
        if breaker.is_open:
            return otherwise
        try:
            return question(*about, **named)
        except (RedisError, OSError) as error:
            breaker.trip()
            logger.warning(
                "The cache does not answer: requests are not counted, and nobody can sign in (%s)",
                error,
            )
            return otherwise

    def add(self, *about: Any, **named: Any) -> Any:
        """True without Redis: who asks for a lock gets it."""
        return self._ask(super().add, True, about, named)

    def get(self, key: Any, default: Any) -> Any:
        return self._ask(super().get, default, (key, default), {})

    def set(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().set, None, about, named)

    def touch(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().touch, False, about, named)

    def delete(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().delete, False, about, named)

    def get_many(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().get_many, {}, about, named)

    def has_key(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().has_key, False, about, named)

    def set_many(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().set_many, None, about, named)

    def delete_many(self, *about: Any, **named: Any) -> Any:
        return self._ask(super().delete_many, None, about, named)

    def clear(self) -> Any:
        return self._ask(super().clear, False, (), {})


class TolerantRedisCache(RedisCache):
    """Redis while it answers, else a cache that keeps nothing."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = TolerantRedisClient


def counting() -> bool:
    """Whether what is counted now will be known in a moment: not while Redis is silent."""
    trial = f"counting-{uuid4().hex}"
    cache.set(trial, True, 10)
    return cache.get(trial) is True
