"""Read PDFs: text by page, bookmarks and tags."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader

from documents.content.documents import AnyContent
from documents.content.print_jobs import plans
from documents.pagination import print_plan
from documents.printing import Printed, markup

IDENTIFIER = "ab" * 16
KEPT: dict[tuple[str, str], Printed] = {}
"""The prints of this process, by their markup and paper."""


def printed(content: AnyContent, paper: str = "A4", *, fresh: bool = False) -> Printed:
    """Print a content in one go. Each process sets the same markup only once, unless ``fresh``."""
    (plan,) = plans(content)
    key = markup(plan)
    if fresh or (key, paper) not in KEPT:
        KEPT[key, paper] = print_plan(plan, paper=paper, identifier=IDENTIFIER)
    return KEPT[key, paper]


@cache
def reader(pdf: bytes) -> PdfReader:
    return PdfReader(BytesIO(pdf))


@cache
def pages(pdf: bytes) -> list[str]:
    """Return the text of each page, with normalised white space."""
    return [" ".join(page.extract_text().split()) for page in reader(pdf).pages]


def text(pdf: bytes) -> str:
    """Return the text of the whole file."""
    return "\n".join(pages(pdf))


def bookmarks(pdf: bytes) -> list[tuple[int, str]]:
    """Return depth (from 0) and title of every bookmark."""
    return list(_bookmarks(reader(pdf).outline, 0))


def _bookmarks(items: list[Any], depth: int) -> Iterator[tuple[int, str]]:
    for item in items:
        if isinstance(item, list):
            yield from _bookmarks(item, depth + 1)
        else:
            yield depth, str(item.title)


def tags(pdf: bytes) -> list[str]:
    """Return every tag of the structure tree, in reading order."""
    tree: Any = reader(pdf).root_object["/StructTreeRoot"]
    return list(_tags(tree["/K"]))


def _tags(kids: Any) -> Iterator[str]:
    for kid in kids if isinstance(kids, list) else [kids]:
        element = kid.get_object()
        if hasattr(element, "get") and "/S" in element:
            yield str(element["/S"]).removeprefix("/")
            yield from _tags(element.get("/K", []))
