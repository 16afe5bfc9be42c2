"""Read the tags of a PDF: the structure tree, the marks in the content of pages, and the links."""

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from io import BytesIO
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from pypdf import PdfReader

from tests.documents.reading_pdfs import reader


@dataclass(frozen=True)
class Mark:
    """A marked piece of a page's content: page (from 0) and number."""

    page: int
    number: int


@dataclass
class Element:
    """An element of the structure tree."""

    reference: int
    kind: str
    parent: int
    attributes: Mapping[str, Any]
    alternative: str
    language: str = ""
    kids: list["Element"] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    order: list["Element | Mark"] = field(default_factory=list)
    """Children and marks in reading order."""

    def walk(self) -> Iterator["Element"]:
        """Yield the element and all its descendants, in reading order."""
        yield self
        for kid in self.kids:
            yield from kid.walk()

    def all_marks(self) -> Iterator[Mark]:
        """Yield its marks and those of its descendants, in reading order."""
        for each in self.order:
            yield from [each] if isinstance(each, Mark) else each.all_marks()

    @property
    def columns(self) -> int:
        """Return the number of columns that a cell spans."""
        return int(self.attributes.get("/ColSpan", 1))


@cache
def document(pdf: bytes) -> Element:
    """Return the root element."""
    file = reader(pdf)
    pages = {page.indirect_reference.idnum: place for place, page in enumerate(file.pages)}
    tree: Any = file.root_object["/StructTreeRoot"]
    (root,) = tree["/K"]
    return _element(root, pages, 0)


def _element(reference: Any, pages: Mapping[int, int], page: int) -> Element:
    node = reference.get_object()
    if "/Pg" in node:
        page = pages[node.raw_get("/Pg").idnum]
    attributes = node.get("/A", {})
    parent = node.raw_get("/P").idnum
    element = Element(
        reference.idnum, str(node["/S"])[1:], parent, attributes, str(node.get("/Alt", ""))
    )
    element.language = str(node.get("/Lang", ""))
    kids = node["/K"]
    for kid in kids if isinstance(kids, list) else [kids]:
        thing = kid.get_object()
        if isinstance(thing, int):
            element.marks.append(Mark(page, int(thing)))
            element.order.append(element.marks[-1])
        elif thing.get("/Type") == "/OBJR":
            element.links.append(thing.raw_get("/Obj").idnum)
        else:
            element.kids.append(_element(kid, pages, page))
            element.order.append(element.kids[-1])
    return element


@cache
def painted(pdf: bytes) -> set[tuple[int, int]]:
    """Return page (from 0) and mark of all content that leaves ink and is not an artefact.

    The mark is -1 for ink without any mark.
    """
    file = pypdfium2.PdfDocument(BytesIO(pdf))
    marks = {
        (place, pdfium.FPDFPageObj_GetMarkedContentID(thing.raw))
        for place, page in enumerate(file)
        for thing in page.get_objects(max_depth=1)
        if "Artifact" not in _names_of_marks(thing)
    }
    file.close()
    return marks


def _names_of_marks(thing: Any) -> Iterator[str]:
    for place in range(pdfium.FPDFPageObj_CountMarks(thing.raw)):
        mark, length = pdfium.FPDFPageObj_GetMark(thing.raw, place), ctypes.c_ulong()
        buffer = (pdfium.FPDF_WCHAR * 40)()
        pdfium.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), length)
        yield bytes(buffer)[: length.value].decode("utf-16-le").rstrip("\0")


class Roots:
    """The data next to the tree: owners of marks, links, and positions."""

    def __init__(self, pdf: bytes) -> None:
        self.pdf = pdf
        self.reader: PdfReader = reader(pdf)

    @cached_property
    def parents(self) -> dict[int, Any]:
        """The parent tree."""
        tree: Any = self.reader.root_object["/StructTreeRoot"]
        numbers = tree["/ParentTree"]["/Nums"]
        return dict(zip(map(int, numbers[::2]), numbers[1::2], strict=True))

    def owner(self, page: int, mark: int) -> int:
        """Return the element that owns a mark."""
        owners = self.parents[int(self.reader.pages[page]["/StructParents"])].get_object()  # type: ignore[call-overload]
        return int(list.__getitem__(owners, mark).idnum)

    def links(self) -> dict[int, Any]:
        """Return every link annotation by its number."""
        return {
            each.idnum: each.get_object()
            for page in self.reader.pages
            for each in page.get("/Annots", [])
            if each.get_object()["/Subtype"] == "/Link"
        }

    def leads(self, link: Any) -> bool:
        """Return whether a link leads to a destination in the file, or to a web address."""
        if "/Dest" in link:
            return str(link["/Dest"]) in self.reader.named_destinations
        return str(link["/A"]["/URI"]).startswith(("https://", "http://"))

    def left_edge(self, element: Element) -> float | None:
        """Return the left edge of an element's content in points; None if it shows nothing."""
        edges = [
            edge
            for mark in element.all_marks()
            if (edge := _edges(self.pdf).get((mark.page, mark.number)))
        ]
        return min(edges, default=None)


@cache
def roots(pdf: bytes) -> Roots:
    """Return the ``Roots`` of this file."""
    return Roots(pdf)


@cache
def _texts(pdf: bytes) -> dict[tuple[int, int], tuple[str, float]]:
    """Return the text of each mark and its left edge in points, by page (from 0) and number."""
    texts: dict[tuple[int, int], tuple[str, float]] = {}
    file = pypdfium2.PdfDocument(BytesIO(pdf))
    for place, page in enumerate(file):
        text_page = page.get_textpage()
        for thing in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT]):
            mark = pdfium.FPDFPageObj_GetMarkedContentID(thing.raw)
            if mark >= 0:
                before, left = texts.get((place, mark), ("", 1e9))
                texts[place, mark] = (
                    before + _said(thing, text_page),
                    min(left, thing.get_bounds()[0]),
                )
    file.close()
    return texts


def _said(thing: Any, text_page: Any) -> str:
    length = pdfium.FPDFTextObj_GetText(thing.raw, text_page.raw, None, 0)
    buffer = (pdfium.FPDF_WCHAR * length)()
    pdfium.FPDFTextObj_GetText(thing.raw, text_page.raw, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


def _edges(pdf: bytes) -> dict[tuple[int, int], float]:
    return {place: left for place, (_, left) in _texts(pdf).items()}


def words_of(pdf: bytes, element: Element) -> str:
    """Return the text of an element in reading order."""
    texts = (_texts(pdf).get((mark.page, mark.number), ("", 0))[0] for mark in element.all_marks())
    return " ".join(" ".join(texts).split())
