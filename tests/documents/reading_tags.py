"""Reading the tags of a PDF: the tree of what is told, the marks in the pages' content, and the
links."""

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
    """A piece of a page's content: page (from 0) and number."""

    page: int
    number: int


@dataclass
class Element:
    """An element of the tree."""

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
    """Kids and marks as they are told."""

    def walk(self) -> Iterator["Element"]:
        """It and everything under it, as it is told."""
        yield self
        for kid in self.kids:
            yield from kid.walk()

    def all_marks(self) -> Iterator[Mark]:
        """Its marks and those of everything under it, as they are told."""
        for each in self.order:
            yield from [each] if isinstance(each, Mark) else each.all_marks()

    @property
    def columns(self) -> int:
        """How many columns a cell takes."""
        return int(self.attributes.get("/ColSpan", 1))


@cache
def document(pdf: bytes) -> Element:
    """The root element."""
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
    """Page (from 0) and number of the mark of all that leaves ink and is no artefact; -1 for ink
    without any mark."""
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
    """What hangs beside the tree: owners of marks, links, and where things stand."""

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
        """Whose a mark is."""
        owners = self.parents[int(self.reader.pages[page]["/StructParents"])].get_object()  # type: ignore[call-overload]
        return int(list.__getitem__(owners, mark).idnum)

    def links(self) -> dict[int, Any]:
        """Every link annotation, by its number."""
        return {
            each.idnum: each.get_object()
            for page in self.reader.pages
            for each in page.get("/Annots", [])
            if each.get_object()["/Subtype"] == "/Link"
        }

    def leads(self, link: Any) -> bool:
        """Whether a link leads to a page of the file, or out of it."""
        if "/Dest" in link:
            return str(link["/Dest"]) in self.reader.named_destinations
        return str(link["/A"]["/URI"]).startswith(("https://", "http://"))

    def left_edge(self, element: Element) -> float | None:
        """Where the first piece of an element begins, in points from the left; None if it shows
        nothing."""
        edges = [
            edge
            for mark in element.all_marks()
            if (edge := _edges(self.pdf).get((mark.page, mark.number)))
        ]
        return min(edges, default=None)


@cache
def roots(pdf: bytes) -> Roots:
    """What hangs beside the tree of this file."""
    return Roots(pdf)


@cache
def _texts(pdf: bytes) -> dict[tuple[int, int], tuple[str, float]]:
    """What each mark says, and its left edge in points, by page (from 0) and number."""
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
    """What an element says, as it is told."""
    texts = (_texts(pdf).get((mark.page, mark.number), ("", 0))[0] for mark in element.all_marks())
    return " ".join(" ".join(texts).split())
