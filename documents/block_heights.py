"""The heights of the blocks of a battle, measured by the printer and remembered.

A book is made again after a battle, and then most of its battles have not changed. So the height of
each block is cached, by a hash of its markup and of everything else that decides it.
Only one battle at a time is laid out, so that a worker needs no more memory for a long book.
"""

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
from django.core.cache import caches
from weasyprint.text.ffi import pango

from documents.print_resources import MILLIMETRE
from documents.printing import Source, language_tag, rendered, scripts_of
from documents.template_fingerprint import edition

BLOCK = "data-block"
"""The attribute with the name of a block."""
WITHOUT_EFFECT = (BLOCK, "id", "href")
"""Attributes that no height depends on. They differ from battle to battle."""
CACHE = "pages"
"""The cache that may forget entries. The default one must not be crowded out."""
CACHED_SECONDS = 30 * 24 * 60 * 60
DECIMALS = 3
"""Heights are rounded, because their last digits depend on the place of a block on its page."""


def block_heights(html: str, paper: str) -> dict[str, float]:
    """Return the heights in mm of the blocks in the markup of a battle, by name."""
    source, cache = Source(html), caches[CACHE]
    blocks = _blocks_of(source.etree_element)
    # The version of the library that breaks lines is not part of the edition.
    where = [edition(), pango.pango_version(), paper, language_tag(), scripts_of(html)]
    keys = {name: _key(name, where, path) for name, path in blocks.items()}
    cached = cache.get_many(keys.values())
    heights = {name: cached[key] for name, key in keys.items() if key in cached}
    if len(heights) < len(blocks):
        # Blocks do not depend on each other, so the others are laid out alone.
        for name in heights:
            _empty(blocks[name][-1])
        measured = dict(_measured(rendered(source, html, paper=paper)))
        cache.set_many({keys[name]: measured[name] for name in measured}, CACHED_SECONDS)
        heights |= measured
    return heights


def _blocks_of(root: Any) -> dict[str, list[Any]]:
    """Return the path from the root to each block, by name."""
    blocks: dict[str, list[Any]] = {}
    left = [[root]]
    while left:
        path = left.pop()
        if name := path[-1].get(BLOCK):
            blocks[name] = path
        left += ([*path, child] for child in path[-1])
    return blocks


def _key(name: str, where: list[Any], path: list[Any]) -> str:
    """Return the cache key of a block's height: of its markup, its place and its ancestors."""
    above = [
        [parent.tag, parent.get("class"), list(parent).index(child)]
        for parent, child in pairwise(path)
    ]
    content = msgspec.json.encode([where, above, _plain(path[-1])])
    return f"block-{name}-{hashlib.sha256(content).hexdigest()}"


def _plain(element: Any) -> list[Any]:
    """Return an element as lists, without attributes that do not matter."""
    attributes = [pair for pair in element.items() if pair[0] not in WITHOUT_EFFECT]
    children = [[_plain(child), child.tail] for child in element]
    return [element.tag, attributes, element.text, children]


def _empty(block: Any) -> None:
    """Remove the content of a block. It stays in its place, which style sheets may refer to."""
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
