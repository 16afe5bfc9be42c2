"""Keep rendered parts of pages, and find them again by the values that they show.

A part depends on the values that its ``{% fragment %}`` tag lists, on the language and on the time
zone, and on nothing else. Its key is a hash of all these, so a part with other values has another
key, and no part is ever out of date (docs/decisions/web.md).
"""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core.computed_values import ComputedValues

MAX_LETTERS = 4_000_000
"""The length of all parts together that a process keeps: about 8 megabytes, and 2,000 parts."""


def rendered(name: str, values: Any, render: Callable[[], SafeString]) -> SafeString:
    """Return a part of a page. Call ``render`` only if the process has no part with these values.

    ``values`` are structs, ids, dates, texts, numbers, and lists or mappings of these. Raises
    TypeError for other values, such as rows of the database.
    """
    depends_on = (name, get_language(), timezone.get_current_timezone_name(), values)
    return PARTS.value(depends_on, render)


def _text(value: Any) -> str | tuple[str, str]:
    """Return what a lazy translation or another kind of text adds to the key."""
    if isinstance(value, Promise):
        return str.__str__(str(value))
    if isinstance(value, str):
        # Text that is marked as safe is shown differently from the same text without the mark.
        return type(value).__name__, str.__str__(value)
    raise TypeError(f"A part of a page cannot be found again by {type(value).__name__}.")


PARTS: ComputedValues[SafeString] = ComputedValues(MAX_LETTERS, _text, size_of=len)
