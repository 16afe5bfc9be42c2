"""The functions that the prose of a book's chapters has in every language."""

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Protocol

from django.utils.translation import get_language

from documents.prose import book_english, book_german
from documents.prose.lives import Decision, Life, Remains


class BookProse(Protocol):
    """A module that writes the chapters about people in one language. All texts are plain."""

    DEATHS: Sequence[Callable[[Life], str]]
    """The wordings of the sentence about a death."""
    LIVES: Sequence[Callable[[Life], str]]
    """The wordings of the sentence about a life."""

    def earlier(self, life: Life, /) -> str:
        """Return how many battles there were before the campaign, or "" without any."""

    def vengeance(self, life: Life, choice: int, /) -> str:
        """Return what happened to the killer, or "" if nothing is known.

        ``choice`` is any number, which picks a wording.
        """

    def with_name(self, life: Life, text: str, /) -> str:
        """Return an epitaph that begins with the name."""

    def remains(self, fact: Remains, /) -> tuple[str, ...]:
        """Return what happened to a warband, as sentences."""

    def place(self, fact: Remains, /) -> str:
        """Return the position of a warband, with its battles and survivors."""

    def decision(self, fact: Decision, /) -> str:
        """Return which battle decided the campaign."""


IN: MappingProxyType[str, BookProse] = MappingProxyType({"en": book_english, "de": book_german})


def book_prose() -> BookProse:
    """Return the prose of the active language; English if it has none."""
    return IN.get((get_language() or "")[:2], book_english)


def epitaphs(lives: Sequence[Life]) -> tuple[str, ...]:
    """Return an epitaph for each life, in order: death, life, and what happened to the killer.

    No two of them are alike, and neighbours begin differently where several wordings fit.
    """
    prose, used, texts = book_prose(), set[str](), list[str]()
    for place, life in enumerate(lives):
        ending = " ".join(filter(None, (prose.earlier(life), prose.vengeance(life, place))))
        drafts = (
            " ".join(filter(None, (death(life), lived(life), ending)))
            for death, lived in _wordings(prose, place)
        )
        text = next((draft for draft in drafts if draft not in used), "")
        text = text or prose.with_name(life, f"{prose.DEATHS[0](life)} {ending}".strip())
        used.add(text)
        texts.append(text)
    return tuple(texts)


def _wordings(
    prose: BookProse, start: int
) -> Sequence[tuple[Callable[[Life], str], Callable[[Life], str]]]:
    """Return all pairs of wordings, from another one for each place."""
    pairs = []
    for step in range(len(prose.DEATHS) * len(prose.LIVES)):
        death = prose.DEATHS[(start + step) % len(prose.DEATHS)]
        lived = prose.LIVES[(start // 2 + step // len(prose.DEATHS)) % len(prose.LIVES)]
        pairs.append((death, lived))
    return pairs
