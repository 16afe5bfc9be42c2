"""Parts of pages that were rendered before, found again by what they show.

A part is a function of the values that its tag lists, of the language and of the time zone. The key
is a hash of these values, so a part that shows something else has another key, and none is ever out
of date (docs/decisions/web.md).
"""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core.computed_values import ComputedValues

MAX_PARTS = 3000
"""The number of parts that a process keeps: some ten megabytes."""


def rendered(name: str, values: Any, render: Callable[[], SafeString]) -> SafeString:
    """Return a part of a page, rendered now or before.

    ``values`` are structs, ids, dates, texts, numbers, and lists or mappings of these. Raises
    TypeError for other values, such as rows of the database.
    """
    depends_on = (name, get_language(), timezone.get_current_timezone_name(), values)
    return PARTS.value(depends_on, render)


def _text(value: Any) -> str | tuple[str, str]:
    if isinstance(value, Promise):
        return str.__str__(str(value))
    if isinstance(value, str):
        # Text that is marked as safe is shown differently from the same text without the mark.
        return type(value).__name__, str.__str__(value)
    raise TypeError(f"A part of a page cannot be found again by {type(value).__name__}.")


PARTS: ComputedValues[SafeString] = ComputedValues(MAX_PARTS, _text)
