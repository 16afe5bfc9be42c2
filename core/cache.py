"""The cache: Django's Redis cache with a circuit breaker, which skips a server for a few seconds
after a failure."""

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
    """A circuit breaker for a server that may not answer.

    The threads of a process share it. Without a lock, two of them may wait at worst.
    """

    def __init__(self) -> None:
        self._asked_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """True while the server is skipped because it has just failed to answer."""
        return time.monotonic() < self._asked_again_at

    def trip(self) -> None:
        """Skip the server for a few seconds because it did not answer."""
        self._asked_again_at = time.monotonic() + LEFT_ALONE.total_seconds()

    def reset(self) -> None:
        """Use the server again at once."""
        self._asked_again_at = 0.0


PATIENCE = 0.2
"""The timeout of Redis in seconds. Redis runs close to the server and answers within a thousandth
of that."""

logger = logging.getLogger("muster.cache")
breaker = Breaker()


class TolerantRedisClient(RedisCacheClient):
    """A Redis client that acts like an empty cache while Redis does not answer.

    It waits once, briefly, and then skips Redis for a few seconds.
    """

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
        """Add a key. Return True without Redis, so that a caller who asks for a lock gets it."""
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
    """A cache in Redis, or one that stores nothing while Redis does not answer."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = TolerantRedisClient


def counting() -> bool:
    """Return whether counters work, which they do not while Redis is down. Writes a test key."""
    trial = f"counting-{uuid4().hex}"
    cache.set(trial, True, 10)
    return cache.get(trial) is True
