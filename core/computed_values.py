"""Values that were computed before, found again by everything that they depend on.

The key is a hash of all arguments. A value with other arguments has another key, so none is ever
out of date (docs/decisions/web.md). Each process keeps its own.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec

Value = TypeVar("Value")


class ComputedValues(Generic[Value]):
    """The values of a pure function that a process keeps, without those not used for longest.

    ``enc_hook`` turns other types into something that msgspec encodes, or raises TypeError.
    """

    def __init__(self, most: int, enc_hook: Callable[[Any], Any] | None = None) -> None:
        self.most, self.enc_hook = most, enc_hook
        self._values: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = Lock()

    def value(self, depends_on: Any, compute: Callable[[], Value]) -> Value:
        """Return the value, computed now or before. Nobody may change it.

        ``depends_on`` is everything that ``compute`` uses: structs, ids, dates, texts, numbers, and
        lists or mappings of these. Raises TypeError for other things.
        """
        encoded = msgspec.msgpack.encode(depends_on, enc_hook=self.enc_hook)
        key = hashlib.blake2b(encoded, digest_size=20).digest()
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = compute()
        with self._lock:
            self._values[key] = value
            if len(self._values) > self.most:
                self._values.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()
