"""Create the typefaces of pages from those of documents: `python -m scripts.typefaces`.

Each face of ``static/fonts/fonts.css`` becomes three files in ``static/site/typefaces``: the
letters of Western Europe and the symbols of our pages, which every visit loads; those of Central
Europe and Turkey; and all others. Browsers load the last two only for a page that has one of their
letters. Their style sheet is ``static/site/css/typefaces.css``. Glyphs and their features do not
change.
"""

import re
import sys
from collections.abc import Collection, Iterator
from itertools import pairwise
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

STATIC = Path(__file__).resolve().parent.parent / "static"
SOURCES = STATIC / "fonts"
FONTS = STATIC / "site" / "typefaces"
SHEET = STATIC / "site" / "css" / "typefaces.css"
CORE = frozenset(
    code
    for first, last in (
        (0x20, 0x7E),  # ASCII
        (0xA0, 0xFF),  # Latin-1: German, French, Spanish, the Nordic languages
        (0x152, 0x153),  # Œ œ
        (0x160, 0x161),  # Š š
        (0x178, 0x178),  # Ÿ
        (0x17D, 0x17E),  # Ž ž
        (0x2009, 0x200B),  # narrow spaces
        (0x2010, 0x2015),  # hyphens and dashes
        (0x2018, 0x201E),  # quotation marks
        (0x2020, 0x2022),  # † ‡ •
        (0x2026, 0x2026),  # …
        (0x202F, 0x202F),  # narrow no-break space
        (0x2032, 0x2033),  # ′ ″
        (0x2039, 0x203A),  # ‹ ›
        (0x2044, 0x2044),  # the stroke of a fraction
        (0x20AC, 0x20AC),  # €
        (0x2190, 0x2193),  # arrows
        (0x2212, 0x2212),  # −
        (0x25B2, 0x25BE),  # triangles
        (0x2713, 0x2714),  # ✓
        (0x2766, 0x2766),  # ❦
    )
    for code in range(first, last + 1)
)
CENTRAL = frozenset([*range(0x100, 0x180), *range(0x218, 0x21C)]) - CORE
FEATURES = (
    *("kern", "liga", "clig", "calt", "ccmp", "locl", "rlig", "mark", "mkmk"),
    *("smcp", "lnum", "onum", "pnum", "tnum"),
)
"""The features that browsers use automatically, and those that the style sheets use."""
FACE = re.compile(
    r"@font-face \{\n(?P<lines>.*?)  src: url\(\"(?P<file>[\w-]+)\.woff2\"\)", re.DOTALL
)
HEAD = (
    "/* The typefaces of fonts/fonts.css in three parts, by `python -m scripts.typefaces`: most "
    "pages need one. */\n"
)


def main() -> int:
    """Write all files and the style sheet; return 0."""
    FONTS.mkdir(exist_ok=True)
    sheet = [HEAD]
    for face in FACE.finditer((SOURCES / "fonts.css").read_text(encoding="utf-8")):
        name = face["file"]
        letters = set(TTFont(SOURCES / f"{name}.woff2").getBestCmap())
        parts = {
            name: letters & CORE,
            f"{name}-central": letters & CENTRAL,
            f"{name}-more": letters - CORE - CENTRAL,
        }
        for part, codes in parts.items():
            cut(name, part, codes)
            source = f'  src: url("../typefaces/{part}.woff2") format("woff2");\n'
            sheet.append(f"@font-face {{\n{face['lines']}{source}{unicode_range(codes)}}}\n")
    SHEET.write_text("\n".join(sheet), encoding="utf-8")
    return 0


def cut(name: str, part: str, codes: Collection[int]) -> None:
    """Write a typeface with only these letters."""
    options = subset.Options(flavor="woff2", layout_features=[*FEATURES], recalc_timestamp=False)
    options.drop_tables += ["FFTM"]
    font = subset.load_font(SOURCES / f"{name}.woff2", options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    subset.save_font(font, FONTS / f"{part}.woff2", options)


def unicode_range(codes: Collection[int]) -> str:
    """Return the CSS descriptor of the letters in a file, wrapped into lines."""
    lines, line = [], "  unicode-range:"
    for each in spans(codes):
        if len(line) + len(each) > 110:
            lines.append(line)
            line = "   "
        line = f"{line} {each},"
    return "\n".join([*lines, f"{line[:-1]};\n"])


def spans(codes: Collection[int]) -> Iterator[str]:
    """Yield the ranges of letters in order, such as U+20-7E."""
    ordered = sorted(codes)
    starts = [ordered[0], *(after for before, after in pairwise(ordered) if after - before > 1)]
    ends = [*(before for before, after in pairwise(ordered) if after - before > 1), ordered[-1]]
    for first, last in zip(starts, ends, strict=True):
        yield f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}"


if __name__ == "__main__":
    sys.exit(main())
