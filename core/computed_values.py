"""Keep computed values in memory, and find them again by everything that they depend on.

The key is a hash of all arguments. With other arguments, a value has another key, so no value is
ever out of date (docs/decisions/web.md). Each process keeps its own values.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec

Value = TypeVar("Value")


class ComputedValues(Generic[Value]):
    """A cache in memory for the values of pure functions.

    It keeps values whose sizes add up to at most ``most``, and drops those that were not used for
    longest. A value has the size 1 if ``size_of`` does not say otherwise. ``enc_hook`` turns
    arguments of other types into something that msgspec can encode, or raises TypeError.
    """

    def __init__(
        self,
        most: int,
        enc_hook: Callable[[Any], Any] | None = None,
        *,
        size_of: Callable[[Value], int] = lambda _: 1,
    ) -> None:
        self.most, self.enc_hook, self.size_of = most, enc_hook, size_of
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def value(self, depends_on: Any, compute: Callable[[], Value]) -> Value:
        """Return the kept value, or else compute and keep it. The caller must not change it.

        ``depends_on`` is everything that ``compute`` uses: structs, ids, dates, texts, numbers, and
        lists or mappings of these. Raises TypeError for other things.
        """
        encoded = msgspec.msgpack.encode(depends_on, enc_hook=self.enc_hook)
        key = hashlib.blake2b(encoded, digest_size=20).digest()
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        # Without the lock: others need not wait, and computing a value twice does no harm.
        value = compute()
        with self._lock:
            # Another thread may have computed it meanwhile.
            if key not in self._values:
                self._values[key] = value
                self._size += self.size_of(value)
            while self._size > self.most:
                _, dropped = self._values.popitem(last=False)
                self._size -= self.size_of(dropped)
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
            self._size = 0
