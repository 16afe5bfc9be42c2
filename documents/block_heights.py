"""Measure the heights of the blocks of a battle, and cache them.

A block is an element that is printed as a whole, such as the title, the text or the chart.
WeasyPrint lays out a battle with every block in all its forms, and this module reads their heights.

When a book is printed again, most of its battles have not changed. So each height is cached, by a
hash of the block's markup and of everything else that decides the height. Only one battle at a time
is laid out, so that a worker needs no more memory for a long book.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
from django.core.cache import caches
from weasyprint.text.ffi import pango

from documents.print_drawings import NUMBER
from documents.print_resources import MILLIMETRE
from documents.printing import Source, language_tag, rendered, scripts_of
from documents.template_fingerprint import edition

BLOCK = "data-block"
"""The attribute that makes an element a block. Its value is the block's name."""
WITHOUT_EFFECT = (BLOCK, NUMBER, "id", "href")
"""Attributes that do not change a height. They differ from battle to battle, so no key has them."""
CACHE = "pages"
"""The name of the cache. A full "default" would lose counters of wrong passwords."""
CACHED_SECONDS = 30 * 24 * 60 * 60
DECIMALS = 3
"""Heights are rounded to these decimals: further digits depend on the block's place on its page."""


def block_heights(html: str, paper: str) -> dict[str, float]:
    """Return the heights in mm of the blocks in the markup of a battle, by name."""
    source, cache = Source(html), caches[CACHE]
    blocks = _blocks_of(source.etree_element)
    # Pango breaks the lines, and its version is not part of the edition.
    where = [edition(), pango.pango_version(), paper, language_tag(), scripts_of(html)]
    keys = {name: _key(name, where, path) for name, path in blocks.items()}
    cached = cache.get_many(keys.values())
    heights = {name: cached[key] for name, key in keys.items() if key in cached}
    if len(heights) < len(blocks):
        # Blocks do not change each other's height, so blocks with a cached one are emptied first.
        for name in heights:
            _empty(blocks[name][-1])
        measured = dict(_measured(rendered(source, html, paper=paper)))
        cache.set_many({keys[name]: measured[name] for name in measured}, CACHED_SECONDS)
        heights |= measured
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


def _measured(layout: Any) -> Iterator[tuple[str, float]]:
    """Yield the names and heights of the blocks on the only page of a layout."""
    (page,) = layout.pages
    for box in page._page_box.descendants():
        if type(box).__name__ == "BlockBox" and box.element is not None:
            name = box.element.get(BLOCK)
            if name:
                yield name, round(box.border_height() / MILLIMETRE, DECIMALS)
