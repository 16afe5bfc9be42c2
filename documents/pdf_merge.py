"""Merge the parts of a big document into one file: pages, links, bookmarks, tags, page numbers.

The same parts always make the same bytes. Objects are copied in the order of the parts, and nothing
is drawn again (docs/decisions/documents.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any

import pydyf  # type: ignore[import-untyped]
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    Fit,
    NameObject,
    NumberObject,
    PdfObject,
    StreamObject,
    TextStringObject,
)

LINK = "muster:"
"""The prefix by which a part's markup refers to an anchor in another part."""
CATALOGUE = ("/Lang", "/MarkInfo", "/ViewerPreferences", "/Metadata")


@dataclass(frozen=True)
class Bookmark:
    """A bookmark: its title, its page in the whole file (from 0), and whether it is a sub-entry.

    A sub-entry belongs to the last entry before it that is not one.
    """

    title: str
    page: int
    under: bool


class Packed(pydyf.Object):
    """An object of pypdf for the writer of pydyf; None is an unused object number."""

    def __init__(self, number: int, thing: PdfObject | None) -> None:
        super().__init__()
        self.number = number
        self.thing = thing
        self.free = "f" if thing is None else "n"
        self.generation = int(thing is None)

    @cached_property
    def data(self) -> bytes:
        """The object as it is written to a file."""
        output = BytesIO()
        if self.thing is not None:
            self.thing.write_to_stream(output)
        return output.getvalue()

    @property
    def compressible(self) -> bool:
        """True if it can be compressed into an object stream: everything except streams."""
        return self.thing is not None and not isinstance(self.thing, StreamObject)


class Binder:
    """A file that grows part by part.

    The first part is the front matter, and its metadata become those of the file.
    """

    def __init__(self) -> None:
        self.writer = PdfWriter()
        self.info: dict[str, str] = {}
        self.anchors: dict[str, PdfObject] = {}
        self.parents = ArrayObject()
        self.next_parent = 0
        self.elements = ArrayObject()
        self.tree = self._add(
            DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
        )
        self.root = self._add(
            DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/StructElem"),
                    NameObject("/S"): NameObject("/Document"),
                    NameObject("/P"): self.tree,
                    NameObject("/K"): self.elements,
                }
            )
        )

    def add(self, pdf: bytes) -> None:
        """Add the pages of a part with their anchors and tags."""
        reader = PdfReader(BytesIO(pdf))
        catalogue = reader.root_object
        if not self.info:
            self._take_metadata(reader)
        for page in reader.pages:
            self._take_page(page)
        self._take_anchors(catalogue)
        self._take_tags(catalogue)

    def number(self, pdf: bytes, after: int) -> None:
        """Add page numbers to all pages after the first ``after`` ones.

        ``pdf`` has a page with nothing but its number for each of them.
        """
        for stamp, page in zip(
            PdfReader(BytesIO(pdf)).pages, self.writer.pages[after:], strict=True
        ):
            _stamp(page, self._drawing(stamp))
        numbers = ArrayObject([NumberObject(0), _style("/r"), NumberObject(after), _style("/D")])
        self.writer.root_object[NameObject("/PageLabels")] = DictionaryObject(
            {NameObject("/Nums"): numbers}
        )

    def bound(self, bookmarks: Sequence[Bookmark], identifier: str) -> bytes:
        """Return the whole file. ``identifier`` (hex) becomes its file identifier."""
        self._close_tags()
        self._close_anchors()
        above = None
        for mark in bookmarks:
            parent = above if mark.under else None
            item = self.writer.add_outline_item(
                title=mark.title, page_number=mark.page, parent=parent, fit=Fit.fit_horizontally()
            )
            above = above if mark.under else item
        return self._written(identifier)

    def _written(self, identifier: str) -> bytes:
        """Return the file with small objects compressed into streams, as WeasyPrint writes it.

        pypdf does not do this.
        """
        pdf = pydyf.PDF()
        pdf.info.update({key: pydyf.String(value) for key, value in self.info.items()})
        pdf.objects[1:] = [
            Packed(number, thing) for number, thing in enumerate(self.writer._objects, start=1)
        ]
        pdf.catalog = pdf.objects[self.writer.root_object.indirect_reference.idnum]  # type: ignore[union-attr]
        output = BytesIO()
        pdf.write(output, b"1.7", identifier.encode(), compress=True)
        return output.getvalue()

    def _add(self, thing: Any) -> Any:
        return self.writer._add_object(thing)

    def _take_metadata(self, reader: PdfReader) -> None:
        self.info = {
            key.removeprefix("/"): str(value) for key, value in (reader.metadata or {}).items()
        }
        for key in CATALOGUE:
            if key in reader.root_object:
                self.writer.root_object[NameObject(key)] = reader.root_object.raw_get(key).clone(
                    self.writer
                )

    def _take_anchors(self, catalogue: DictionaryObject) -> None:
        names = catalogue.get("/Names", {}).get("/Dests", {}).get("/Names", [])
        for name, place in zip(names[::2], names[1::2], strict=True):
            self.anchors.setdefault(str(name), place.get_object().clone(self.writer))

    def _take_page(self, page: PageObject) -> None:
        """Copy a page and renumber its keys in the parent tree.

        The keys of the page and its links follow the present ones.
        """
        copy = self.writer.add_page(page)
        copy[NameObject("/StructParents")] = self._moved(page.raw_get("/StructParents"))
        for annotation in copy.get("/Annots", []):
            link = annotation.get_object()
            link[NameObject("/StructParent")] = self._moved(link.raw_get("/StructParent"))

    def _moved(self, key: Any) -> NumberObject:
        return NumberObject(int(key) + self.next_parent)

    def _take_tags(self, catalogue: DictionaryObject) -> None:
        """Add a part's tags to the common root."""
        tree = catalogue["/StructTreeRoot"]
        part = f"{len(self.elements)}."
        start = len(self.writer._objects)
        for element in tree["/K"][0].get_object()["/K"]:  # type: ignore[index]
            copy = element.get_object().clone(self.writer)
            copy[NameObject("/P")] = self.root
            self.elements.append(copy.indirect_reference)
        numbers: Any = tree["/ParentTree"]["/Nums"]  # type: ignore[index]
        for key, entry in zip(numbers[::2], numbers[1::2], strict=True):
            copy = entry.clone(self.writer)
            self.parents.extend([self._moved(key), copy])
        for thing in self.writer._objects[start:]:
            _prefix_ids(thing, part)
        self.next_parent += max(numbers[::2], default=-1) + 1

    def _close_tags(self) -> None:
        tree = self.tree.get_object()
        tree[NameObject("/K")] = ArrayObject([self.root])
        tree[NameObject("/ParentTree")] = self._add(
            DictionaryObject({NameObject("/Nums"): self.parents})
        )
        self.writer.root_object[NameObject("/StructTreeRoot")] = self.tree

    def _close_anchors(self) -> None:
        pairs = ArrayObject()
        for name in sorted(self.anchors):
            pairs.extend([TextStringObject(name), self.anchors[name]])
        places = DictionaryObject({NameObject("/Names"): pairs})
        self.writer.root_object[NameObject("/Names")] = DictionaryObject(
            {NameObject("/Dests"): places}
        )
        for page in self.writer.pages:
            for link in _links_between_parts(page):
                self._point(link)

    def _point(self, link: DictionaryObject) -> None:
        anchor = str(link["/A"]["/URI"]).removeprefix(LINK)  # type: ignore[index]
        del link["/A"]
        link[NameObject("/Dest")] = TextStringObject(anchor)

    def _drawing(self, page: PageObject) -> Any:
        """Return a page as a drawing that can be placed on another page."""
        drawing = DecodedStreamObject()
        drawing.set_data(page.get_contents().get_data())  # type: ignore[union-attr]
        drawing.update(
            {
                NameObject("/Type"): NameObject("/XObject"),
                NameObject("/Subtype"): NameObject("/Form"),
                NameObject("/BBox"): ArrayObject(page.mediabox),
                NameObject("/Resources"): page["/Resources"].clone(self.writer),
            }
        )
        return self._add(drawing.flate_encode())


def _style(style: str) -> DictionaryObject:
    return DictionaryObject({NameObject("/S"): NameObject(style)})


def _prefix_ids(thing: Any, part: str) -> None:
    """Prefix the ids of table headers, which are unique only within their part."""
    if not isinstance(thing, DictionaryObject) or "/S" not in thing:
        return
    if "/ID" in thing:
        thing[NameObject("/ID")] = TextStringObject(part + str(thing["/ID"]))
    layout: Any = thing.get("/A", {})
    if headers := layout.get("/Headers"):
        layout[NameObject("/Headers")] = ArrayObject(
            TextStringObject(part + str(header)) for header in headers
        )


def _links_between_parts(page: PageObject) -> Iterator[DictionaryObject]:
    for annotation in page.get("/Annots", []):
        link = annotation.get_object()
        if str(link.get("/A", {}).get("/URI", "")).startswith(LINK):
            yield link


def _stamp(page: PageObject, drawing: Any) -> None:
    """Place a drawing on a page as an artefact.

    The present content is enclosed in a saved graphics state, not rewritten.
    """
    resources: Any = page["/Resources"]
    drawings = resources.setdefault(NameObject("/XObject"), DictionaryObject())
    name = f"/PageNumber{drawing.idnum}"
    drawings.get_object()[NameObject(name)] = drawing
    writer = drawing.pdf
    before, after = DecodedStreamObject(), DecodedStreamObject()
    before.set_data(b"q\n")
    after.set_data(f"\nQ\n/Artifact BMC\nq {name} Do Q\nEMC\n".encode())
    contents = [writer._add_object(before), page.raw_get("/Contents"), writer._add_object(after)]
    page[NameObject("/Contents")] = ArrayObject(contents)
