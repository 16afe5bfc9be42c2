"""Highlights of search results: the pieces of a text that match the words of a query."""

import re
from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from core.search_text import normalise

WORD = re.compile(r"[^\W_]+[^\W_\s]*", re.UNICODE)


class Highlight(Struct, frozen=True):
    """A piece of a text, and whether it matches the query."""

    text: str
    marked: bool = False


def highlights(text: str, words: Sequence[str]) -> Iterator[Highlight]:
    """Yield the text in pieces, with each start of a word marked that matches one of the ``words``.

    ``words`` are normalised.
    """
    done = 0
    for match in WORD.finditer(text):
        length = max((_length(match[0], word) for word in words), default=0)
        if length:
            if match.start() > done:
                yield Highlight(text[done : match.start()])
            done = match.start() + length
            yield Highlight(text[match.start() : done], marked=True)
    if done < len(text):
        yield Highlight(text[done:])


def _length(written: str, word: str) -> int:
    """Return how many letters of a written word match ``word``, or 0 if it begins differently."""
    if not normalise(written).startswith(word):
        return 0
    return next(
        end for end in range(1, len(written) + 1) if len(normalise(written[:end])) >= len(word)
    )


register = template.Library()


@register.filter
def marked(text: str, words: Sequence[str]) -> SafeString:
    """Return the text, escaped, with matches in <mark>."""
    return format_html_join(
        "", "{}", ((_piece(each.text, each.marked),) for each in highlights(text, words))
    )


def _piece(text: str, is_marked: bool) -> SafeString:
    return mark_safe(f"<mark>{escape(text)}</mark>" if is_marked else escape(text))  # noqa: S308  both are escaped
