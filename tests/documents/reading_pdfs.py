"""Read PDFs: text by page, bookmarks and tags."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader

from documents.content.documents import AnyContent
from documents.content.print_jobs import plans
from documents.printing import Printed, markup, typeset

IDENTIFIER = "ab" * 16


def printed(content: AnyContent, paper: str = "A4", *, fresh: bool = False) -> Printed:
    """Print a content in one go. Each process sets the same markup only once, unless ``fresh``."""
    (plan,) = plans(content)
    return (_set.__wrapped__ if fresh else _set)(markup(plan), paper)


@cache
def _set(html: str, paper: str) -> Printed:
    return typeset(html, paper=paper, identifier=IDENTIFIER)


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
