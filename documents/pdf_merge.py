"""Merge the parts of a big document into one file: pages, links, bookmarks, tags, page numbers.

The same parts always make the same bytes. Objects are copied in the order of the parts, and nothing
is drawn again (docs/decisions/documents.md).

A book has a hundred thousand objects, nearly all of them tags. So objects are copied as the bytes
that they are in the file of a part, in which only numbers are replaced: reading and writing each
one as a value took a third of the time of a book, and half a gigabyte.
"""

import re
import zlib
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pydyf  # type: ignore[import-untyped]

from documents.pdf_writing import STREAM, FileWriter, stream

TEXT = rb"\((?:[^\\()]|\\.)*\)|<[0-9A-Fa-f]+>"
"""A string in a file, as pydyf writes it: brackets in it are escaped."""
REPLACED = re.compile(
    rb"(?P<number>\d+) 0 R"
    rb"|(?P<kind>/StructParents?) (?P<key>\d+)"
    rb"|/Headers \[(?P<headers>[^\]]*)\]"
    rb"|/ID \((?P<id>[^)]*)\)"
    rb"|/A <</Type /Action/S /URI/URI \(muster:(?P<anchor>[^)]*)\)>>"
    rb"|" + TEXT,
    re.DOTALL,
)
"""Everything that is replaced in an object. Strings match too, so that they stay as they are."""
REFERENCE = re.compile(rb"(\d+) 0 R")
ANCHOR = re.compile(rb"(" + TEXT + rb") (\[\d+ 0 R /XYZ [^\]]*\])", re.DOTALL)
OWNERS = re.compile(rb"(\d+) (\[[^\]]*\]|\d+ 0 R)")
"""A key of a parent tree, and the element or elements that it belongs to."""
METADATA = re.compile(
    rb"/Lang (?:" + TEXT + rb")|/(?:MarkInfo|ViewerPreferences) <<[^>]*>>|/Metadata \d+ 0 R",
    re.DOTALL,
)
"""The entries of a catalogue that describe the whole file."""
GUTTER = 6 * 72 / 25.4
"""The difference between the inner and the outer margin of a page, in points.

It must match the margins in static/print/print.css.
"""
BOX = re.compile(rb"/(MediaBox|TrimBox|BleedBox) \[([^\]]*)\]")
PAGES, CATALOG, TREE, ROOT, PARENTS = range(1, 6)
"""The numbers of the objects that the parts share."""


@dataclass(frozen=True)
class Bookmark:
    """A bookmark: its title, its page in the whole file (from 0), and whether it is a sub-entry.

    A sub-entry belongs to the last entry before it that is not one.
    """

    title: str
    page: int
    under: bool


class Part:
    """The file of a part, as pydyf has written it: its objects as bytes, by number."""

    def __init__(self, pdf: bytes) -> None:
        self.objects = dict[int, bytes]()
        start = int(pdf[pdf.rindex(b"startxref") :].split()[1])
        table = _content(pdf[start:])
        head, _, body = table.partition(STREAM)
        widths = [int(width) for width in _of(rb"/W \[([^\]]*)\]", head).split()]
        self._read(pdf, zlib.decompress(body), widths)
        self.catalog = self.objects[int(_of(rb"/Root (\d+) 0 R", head))]
        self.info = self.objects[int(_of(rb"/Info (\d+) 0 R", head))]
        self.pages = int(_of(rb"/Pages (\d+) 0 R", self.catalog))
        self.tree = int(_of(rb"/StructTreeRoot (\d+) 0 R", self.catalog))
        self.root = int(_of(rb"/K \[(\d+) 0 R\]", self.objects[self.tree]))

    def _read(self, pdf: bytes, table: bytes, widths: Sequence[int]) -> None:
        """Read all objects, by the table of their places (ISO 32000-1, 7.5.8).

        An object with a place of its own ends where the next one begins. The others are compressed
        into streams, which are not needed afterwards.
        """
        kind, place, _ = widths
        rows = (table[start : start + sum(widths)] for start in range(0, len(table), sum(widths)))
        own = [
            (int.from_bytes(row[kind : kind + place]), number)
            for number, row in enumerate(rows)
            if int.from_bytes(row[:kind]) == 1
        ]
        for (start, number), (end, _) in pairwise([*sorted(own), (len(pdf), 0)]):
            content = _content(pdf[start:end])
            head, _, body = content.partition(STREAM)
            if b"/Type /ObjStm" in head:
                self._read_compressed(zlib.decompress(body), int(_of(rb"/First (\d+)", head)))
            else:
                self.objects[number] = content

    def _read_compressed(self, data: bytes, first: int) -> None:
        numbers = [int(each) for each in data[:first].split()]
        starts = [first + place for place in numbers[1::2]]
        for number, (start, end) in zip(numbers[::2], pairwise([*starts, len(data)]), strict=True):
            self.objects[number] = data[start:end].rstrip()

    def page_numbers(self) -> list[int]:
        """Return the numbers of the objects that are pages, in order."""
        return _numbers(rb"/Kids \[([^\]]*)\]", self.objects[self.pages])

    def elements(self) -> list[int]:
        """Return the numbers of the uppermost tags."""
        return _numbers(rb"/K \[([^\]]*)\]", self.objects[self.root])

    def owners(self) -> list[tuple[int, bytes]]:
        """Return the keys of the parent tree, and what they belong to."""
        number = int(_of(rb"/ParentTree (\d+) 0 R", self.objects[self.tree]))
        return [(int(key), owner) for key, owner in OWNERS.findall(self.objects[number])]

    def anchors(self) -> list[tuple[bytes, bytes]]:
        """Return the names of all anchors, and their places."""
        return ANCHOR.findall(self.catalog)

    def metadata(self) -> bytes:
        """Return what the catalogue says about the whole file."""
        return b"".join(match[0] for match in METADATA.finditer(self.catalog))


class Binder:
    """A file that grows part by part. Each part is written when it is added.

    The first part is the front matter, and its metadata become those of the file. ``numbers`` is a
    file with a page for each page after the first ``front`` pages, with nothing but its number.
    """

    def __init__(self, numbers: bytes = b"", front: int = 0) -> None:
        self.writer = FileWriter(PARENTS + 1)
        self.pages = list[int]()
        self.info = b""
        self.catalog = b""
        self.anchors = dict[bytes, bytes]()
        self.owners = list[bytes]()
        self.next_owner = 0
        self.elements = list[int]()
        self.moved = dict[int, float]()
        """The distance in points by which the boxes of pages are moved to the right."""
        self.front, self.numbers, self.saving = front, list[int](), 0
        """The pages without numbers, the drawings of all other numbers, and what comes before the
        content of a page to which one is added."""
        if numbers:
            self._draw_numbers(numbers)

    def _draw_numbers(self, pdf: bytes) -> None:
        """Write the page numbers as drawings, to be placed on the pages of the parts."""
        part = Part(pdf)
        copier = Copier(part, self.writer, b"", 0)
        self.numbers = [
            self.writer.add(_as_drawing(part, page, copier)) for page in part.page_numbers()
        ]
        self.saving = self.writer.add(stream(b"", b"q\n"))
        self.writer.write_all(copier.copied())

    def add(self, pdf: bytes) -> None:
        """Add the pages of a part with their anchors, tags and page numbers."""
        part = Part(pdf)
        copier = Copier(part, self.writer, f"{len(self.elements)}.".encode(), self.next_owner)
        if not self.info:
            self.info, self.catalog = part.info, copier.replaced(part.metadata())
        begun = len(self.pages)
        pages = [copier.number_of(number) for number in part.page_numbers()]
        self.pages += pages
        for name, place in part.anchors():
            self.anchors.setdefault(name, copier.replaced(place))
        self.elements += map(copier.number_of, part.elements())
        owners = part.owners()
        for key, owner in owners:
            self.owners.append(b"%d %b" % (key + self.next_owner, copier.replaced(owner)))
        self.next_owner += max((key for key, _ in owners), default=-1) + 1
        objects = copier.copied()
        if begun % 2:
            self._mirror(pages, objects)
        if self.numbers and begun >= self.front:
            first = begun - self.front
            self._number(pages, self.numbers[first : first + len(pages)], objects)
        self.writer.write_all(objects)

    def _mirror(self, pages: Sequence[int], objects: dict[int, bytes]) -> None:
        """Move the margins of a part that was laid out as if it began on a right page.

        The boxes of its pages are moved, so that nothing in them has to be: not the text, and not
        the links and their targets.
        """
        for place, page in enumerate(pages):
            self.moved[page] = GUTTER if place % 2 == 0 else -GUTTER
            objects[page] = BOX.sub(
                lambda box, by=self.moved[page]: _moved_box(box, by),  # type: ignore[misc]
                objects[page],
            )

    def _number(
        self, pages: Sequence[int], drawings: Sequence[int], objects: dict[int, bytes]
    ) -> None:
        """Place the drawings of their numbers on the pages of a part, as artefacts.

        The present content of a page is enclosed in a saved graphics state, not rewritten.
        """
        named = defaultdict[int, bytes](bytes)
        for page, drawing in zip(pages, drawings, strict=True):
            name = b"PageNumber%d" % drawing
            by = b"1 0 0 1 %.3f 0 cm " % self.moved[page] if page in self.moved else b""
            after = self.writer.add(
                stream(b"", b"\nQ\n/Artifact BMC\nq %b/%b Do Q\nEMC\n" % (by, name))
            )
            objects[page] = re.sub(
                rb"/Contents (\d+ 0 R)",
                rb"/Contents [%d 0 R \1 %d 0 R]" % (self.saving, after),
                objects[page],
            )
            resources = int(_of(rb"/Resources (\d+) 0 R", objects[page]))
            named[resources] += b"/%b %d 0 R" % (name, drawing)
        for resources, names in named.items():
            objects[resources] = objects[resources].replace(
                b"/XObject <<", b"/XObject <<" + names, 1
            )

    def bound(self, bookmarks: Sequence[Bookmark], identifier: str) -> bytes:
        """Return the whole file. ``identifier`` (hex) becomes its file identifier."""
        if self.numbers:
            labels = b"/PageLabels <</Nums [0 <</S /r>> %d <</S /D>>]>>" % self.front
            self.catalog += labels
        places = b" ".join(b"%b %b" % anchor for anchor in sorted(self.anchors.items()))
        shared = {
            PAGES: b"<</Type /Pages/Kids %b/Count %d>>"
            % (_references(self.pages), len(self.pages)),
            TREE: b"<</Type /StructTreeRoot/K [%d 0 R]/ParentTree %d 0 R>>" % (ROOT, PARENTS),
            ROOT: b"<</Type /StructElem/S /Document/P %d 0 R/K %b>>"
            % (TREE, _references(self.elements)),
            PARENTS: b"<</Nums [%b]>>" % b" ".join(self.owners),
            CATALOG: (
                b"<</Type /Catalog/Pages %d 0 R/StructTreeRoot %d 0 R/Outlines %d 0 R"
                b"/Names <</Dests <</Names [%b]>>>>%b>>"
            )
            % (PAGES, TREE, self._outline(bookmarks), places, self.catalog),
        }
        self.writer.write_all(shared)
        return self.writer.finished(catalog=CATALOG, info=self.info, identifier=identifier)

    def _outline(self, bookmarks: Sequence[Bookmark]) -> int:
        """Write the bookmarks, all of them open, and return the number of the outline."""
        outline = self.writer.new_number()
        numbers = [self.writer.new_number() for _ in bookmarks]
        children: defaultdict[int, list[int]] = defaultdict(list)
        for number, mark in zip(numbers, bookmarks, strict=True):
            upper = children[outline]
            children[upper[-1] if mark.under and upper else outline].append(number)
        siblings = {
            number: (parent, group[place - 1] if place else 0, (*group, 0)[place + 1])
            for parent, group in children.items()
            for place, number in enumerate(group)
        }
        for number, mark in zip(numbers, bookmarks, strict=True):
            parent, previous, following = siblings[number]
            links = {b"Parent": parent, b"Prev": previous, b"Next": following}
            self.writer.write(
                number,
                b"<</Title %b/Dest [%d 0 R /FitH null]%b%b>>"
                % (
                    pydyf.String(mark.title).data,
                    self.pages[mark.page],
                    b"".join(b"/%b %d 0 R" % (key, to) for key, to in links.items() if to),
                    _ends(children[number], len(children[number])),
                ),
            )
        self.writer.write(
            outline, b"<</Type /Outlines%b>>" % _ends(children[outline], len(bookmarks))
        )
        return outline


class Copier:
    """Copies objects of a part, with everything that they refer to, for the file of ``writer``.

    ``prefix`` is put before the ids of table headers, which are unique only within their part.
    ``shift`` is added to the keys of the parent tree.
    """

    def __init__(self, part: Part, writer: FileWriter, prefix: bytes, shift: int) -> None:
        self.part, self.prefix, self.shift = part, prefix, shift
        shared = {part.pages: PAGES, part.tree: TREE, part.root: ROOT}
        self.references = References(writer, shared)

    def number_of(self, number: int) -> int:
        """Return the new number of an object, which is copied by the next call of ``copied``."""
        return int(self.references[b"%d" % number].partition(b" ")[0])

    def copied(self) -> dict[int, bytes]:
        """Return everything that has a new number by now, and what it refers to, by new number."""
        objects, left = {}, self.references.left
        while left:
            number, new_number = left.popleft()
            head, stream, body = self.part.objects[number].partition(STREAM)
            objects[new_number] = self.replaced(head) + stream + body
        return objects

    def replaced(self, data: bytes) -> bytes:
        """Return data of the part with new numbers, keys, ids, and links between parts."""
        if b"(" in data or b"/StructParent" in data:
            return REPLACED.sub(self._replacement, data)
        # Nine of ten objects have nothing but references to replace.
        pieces = REFERENCE.split(data)
        pieces[1::2] = map(self.references.__getitem__, pieces[1::2])
        return b"".join(pieces)

    def _replacement(self, match: re.Match[bytes]) -> bytes:
        kind = match.lastgroup
        if kind is None:
            return match[0]
        if kind == "number":
            return self.references[match[kind]]
        if kind == "key":
            return b"%b %d" % (match["kind"], int(match[kind]) + self.shift)
        if kind == "headers":
            return b"/Headers [%b]" % match[kind].replace(b"(", b"(" + self.prefix)
        if kind == "id":
            return b"/ID (%b%b)" % (self.prefix, match[kind])
        return b"/Dest (%b)" % match["anchor"]


class References(dict[bytes, bytes]):
    """The new references to objects of a part, by their numbers in the part.

    An object gets its new number when it is first referred to, and then is in ``left``, with both
    numbers, until it is copied. Objects that parts share have fixed numbers.
    """

    def __init__(self, writer: FileWriter, shared: Mapping[int, int]) -> None:
        super().__init__({b"%d" % number: _reference(new) for number, new in shared.items()})
        self.writer, self.left = writer, deque[tuple[int, int]]()

    def __missing__(self, number: bytes) -> bytes:
        new_number = self.writer.new_number()
        self.left.append((int(number), new_number))
        reference = self[number] = _reference(new_number)
        return reference


def _moved_box(box: re.Match[bytes], by: float) -> bytes:
    """Return a box of a page, moved to the right."""
    left, bottom, right, top = map(float, box[2].split())
    return b"/%b [%.3f %.3f %.3f %.3f]" % (box[1], left + by, bottom, right + by, top)


def _as_drawing(part: Part, page: int, copier: Copier) -> bytes:
    """Return a page as a drawing that can be placed on another page."""
    data = part.objects[page]
    head, stream, body = part.objects[int(_of(rb"/Contents (\d+) 0 R", data))].partition(STREAM)
    box, resources = _of(rb"/MediaBox (\[[^\]]*\])", data), _of(rb"/Resources (\d+ 0 R)", data)
    kind = b"/Type /XObject/Subtype /Form/BBox %b/Resources %b>>" % (
        box,
        copier.replaced(resources),
    )
    return head.removesuffix(b">>") + kind + stream + body


def _content(data: bytes) -> bytes:
    """Return an object without its number and without the words around it."""
    return data.partition(b" obj\n")[2].rpartition(b"\nendobj")[0]


def _numbers(pattern: bytes, data: bytes) -> list[int]:
    """Return the numbers of the references in the group of a pattern."""
    return [int(number) for number in re.findall(rb"(\d+) 0 R", _of(pattern, data))]


def _of(pattern: bytes, data: bytes) -> bytes:
    """Return the group of a pattern in an object, which must have it."""
    match = re.search(pattern, data)
    if match is None:
        raise ValueError(f"An object of a part has no {pattern.decode()}: {data[:80]!r}.")
    return match[1]


def _ends(children: Sequence[int], count: int) -> bytes:
    """Return the entries of a bookmark, or of the outline, about the bookmarks in it."""
    if not children:
        return b""
    return b"/First %d 0 R/Last %d 0 R/Count %d" % (children[0], children[-1], count)


def _reference(number: int) -> bytes:
    return b"%d 0 R" % number


def _references(numbers: Sequence[int]) -> bytes:
    return b"[%b]" % b" ".join(map(_reference, numbers))
