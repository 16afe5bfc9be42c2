"""How many lines a text takes in our typefaces: from the widths of their letters, without setting it."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.conf import settings
from fontTools.ttLib import TTFont
from msgspec import Struct

MILLIMETRES = 25.4 / 72
"""A point."""
UNKNOWN, WIDE, FIRST_WIDE = 0.5, 1.0, 0x2E80
"""How wide a letter is that a typeface does not know, and one of the scripts whose letters are as wide as high."""

HANGING = 0.7
"""How far the space behind its last word hangs over the end of a line, in millimetres."""


class Face(Struct, frozen=True):
    """A typeface in a size: the name of its file, its letters in points, and a line of it in millimetres."""

    file: str
    points: float
    line: float

    def words(self, text: str) -> list[float]:
        """How wide each word of a text is, with the space behind it, in millimetres."""
        scale = self.points * MILLIMETRES
        return [scale * _wide(self.file, word) for word in text.split()]

    def tall(self, text: str, room: float) -> float:
        """How tall a paragraph is in lines so wide, in millimetres; nought without words."""
        return self.line * lines(self.words(text), room)


def serif(points: float, line: float) -> Face:
    """The typeface of people and stories; a line of it so many times as high as its letters."""
    return Face("eb-garamond-regular", points, points * line * MILLIMETRES)


def sans(points: float, line: float) -> Face:
    """The typeface of tables."""
    return Face("alegreya-sans-regular", points, points * line * MILLIMETRES)


def lines(words: Iterable[float], room: float) -> int:
    """How many lines words of these widths take, which are broken only where one alone is wider than a line."""
    count, left, room = 0, 0.0, room + HANGING
    for word in words:
        if word <= left:
            left -= word
            continue
        rows = max(-(-word // room), 1)
        count, left = count + int(rows), rows * room - word
    return count


@lru_cache(maxsize=20_000)
def _wide(file: str, word: str) -> float:
    """How wide a word is with the space behind it, in parts of its height: the same words come again and again."""
    known = _widths(file)
    return sum(known.get(letter) or _unknown(letter) for letter in f"{word} ")


@lru_cache(maxsize=4)
def _widths(file: str) -> Mapping[str, float]:
    """How wide each letter is, in parts of its height."""
    font = TTFont(settings.BASE_DIR / "static" / "fonts" / f"{file}.woff2", lazy=True)
    widths, height = font["hmtx"].metrics, font["head"].unitsPerEm
    return {chr(code): widths[glyph][0] / height for code, glyph in font.getBestCmap().items()}


def _unknown(letter: str) -> float:
    return WIDE if ord(letter) >= FIRST_WIDE else UNKNOWN
