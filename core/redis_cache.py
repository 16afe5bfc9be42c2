"""The cache of a server: Django's Redis cache with a circuit breaker.

Only the settings name this module, so an installation without Redis does not load its client.
"""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from core.cache import Breaker

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
        self._clients: dict[bool, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return a client for reading or writing. Making one takes longer than its request."""
        if write not in self._clients:
            self._clients[write] = super().get_client(key, write=write)
        return self._clients[write]

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
