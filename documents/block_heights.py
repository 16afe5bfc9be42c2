"""Measure the heights of the blocks of a battle, and cache them.

A block is an element that is printed as a whole, such as the title, the text or the chart.
WeasyPrint lays out a battle with every block in all its forms, and this module reads their heights.

When a book is printed again, most of its battles have not changed. So each height is cached, by a
hash of the block's markup and of everything else that decides the height. The battles of a part of
a book are laid out together, so that their styles are computed once.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

import msgspec
from django.core.cache import caches
from weasyprint.text.ffi import pango

from documents.print_drawings import NUMBER
from documents.print_resources import MILLIMETRE
from documents.printing import Source, free, language_tag, rendered, scripts_of
from documents.template_fingerprint import edition

BLOCK = "data-block"
"""The attribute that makes an element a block. Its value is the block's name."""
WITHOUT_EFFECT = (BLOCK, NUMBER, "id", "href")
"""Attributes that do not change a height. They differ from battle to battle, so no key has them."""
CACHE = "pages"
"""The name of the cache. A full "default" would lose counters of wrong passwords."""
CACHED_SECONDS = 30 * 24 * 60 * 60
TOGETHER = 12
"""The most battles that are laid out together, for the memory of a worker."""
EACH_ON_A_PAGE = "body + body { break-before: page }"
DECIMALS = 3
"""Heights are rounded to these decimals: further digits depend on the block's place on its page."""


def block_heights(markups: Sequence[str], paper: str) -> list[dict[str, float]]:
    """Return the heights in mm of the blocks in the markup of each battle, by name."""
    battles = [Battle(html, paper) for html in markups]
    cache = caches[CACHE]
    heights: dict[str, float] = cache.get_many(
        [key for battle in battles for key in battle.keys.values()]
    )
    # Typefaces depend on the scripts of the letters.
    for _, alike in groupby(battles, key=lambda battle: battle.scripts):
        # A block that another battle has, too, is measured once.
        seen = set(heights)
        new = [battle for battle in alike if battle.keep_only_new_blocks(seen)]
        for start in range(0, len(new), TOGETHER):
            measured = _measured(new[start : start + TOGETHER], paper)
            cache.set_many(measured, CACHED_SECONDS)
            heights |= measured
    return [{name: heights[key] for name, key in battle.keys.items()} for battle in battles]


class Battle:
    """The markup of a battle, its blocks, and their keys in the cache."""

    def __init__(self, html: str, paper: str) -> None:
        self.html, self.source, self.scripts = html, Source(html), scripts_of(html)
        self.blocks = _blocks_of(self.source.etree_element)
        # Pango breaks the lines, and its version is not part of the edition.
        where = [edition(), pango.pango_version(), paper, language_tag(), self.scripts]
        self.keys = {name: _key(name, where, path) for name, path in self.blocks.items()}

    def keep_only_new_blocks(self, seen: set[str]) -> bool:
        """Empty all blocks with these keys, add the others to them, and return if there are any.

        Blocks do not change each other's height.
        """
        new = {*self.keys.values()} - seen
        for name, key in self.keys.items():
            if key in seen:
                _empty(self.blocks[name][-1])
        seen |= new
        return bool(new)


def _measured(battles: Sequence[Battle], paper: str) -> dict[str, float]:
    """Lay out battles, each on its own page, and return the heights of their blocks by key."""
    first, *others = (battle.source for battle in battles)
    for other in others:
        first.append(other)
    layout = rendered(first, battles[0].html, EACH_ON_A_PAGE, paper=paper)
    heights = {
        battle.keys[name]: height
        for battle, page in zip(battles, layout.pages, strict=True)
        for name, height in _heights_on(page)
    }
    free(layout)
    return heights


def _blocks_of(root: Any) -> dict[str, list[Any]]:
    """Return each block by its name, as the list of elements from the root down to it."""
    blocks: dict[str, list[Any]] = {}
    left = [[root]]
    while left:
        path = left.pop()
        if name := path[-1].get(BLOCK):
            blocks[name] = path
        left += ([*path, child] for child in path[-1])
    return blocks


def _key(name: str, where: list[Any], path: list[Any]) -> str:
    """Return the cache key of a block's height, from its markup, its place and its ancestors.

    ``where`` is everything outside the markup that decides the height.
    """
    above = [
        [parent.tag, parent.get("class"), list(parent).index(child)]
        for parent, child in pairwise(path)
    ]
    content = msgspec.json.encode([where, above, _plain(path[-1])])
    return f"block-{name}-{hashlib.sha256(content).hexdigest()}"


def _plain(element: Any) -> list[Any]:
    """Return an element as nested lists, without attributes that do not change its height."""
    attributes = [pair for pair in element.items() if pair[0] not in WITHOUT_EFFECT]
    children = [[_plain(child), child.tail] for child in element]
    return [element.tag, attributes, element.text, children]


def _empty(block: Any) -> None:
    """Remove the content of a block, but keep the element: style sheets may depend on its place."""
    del block[:]
    block.text = None
    del block.attrib[BLOCK]


def _heights_on(page: Any) -> Iterator[tuple[str, float]]:
    """Yield the names and heights of the blocks on a page."""
    for box in page._page_box.descendants():
        if type(box).__name__ == "BlockBox" and box.element is not None:
            name = box.element.get(BLOCK)
            if name:
                yield name, round(box.border_height() / MILLIMETRE, DECIMALS)
