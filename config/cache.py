"""The cache of a club's server. Without Redis it keeps nothing, and everything that does not need it goes on.

Django's backend passes errors of Redis on: then nobody who is signed in could use the API, since its requests are
counted there. Who has to know whether anything is counted just now asks ``counting``.
"""

import logging
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.core.cache import cache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from config.breaker import Breaker

PATIENCE = 0.2
"""Seconds for each answer of Redis: it stands beside the server, and answers within a thousandth of that."""

logger = logging.getLogger("muster.cache")
breaker = Breaker()


class PatientClient(RedisCacheClient):
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
            logger.warning("The cache does not answer: requests are not counted, and nobody can sign in (%s)", error)
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


class PatientRedisCache(RedisCache):
    """Redis while it answers, else a cache that keeps nothing."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = PatientClient


def counting() -> bool:
    """Whether what is counted now will be known in a moment: not while Redis is silent."""
    trial = f"counting-{uuid4().hex}"
    cache.set(trial, True, 10)
    return cache.get(trial) is True
