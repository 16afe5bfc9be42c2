"""Make a booklet of a book: two pages on each side of a sheet, in the order in which it is folded.

The pages become drawings on the sheets. So links, bookmarks and tags are lost, and the file is not
PDF/UA: the order of the pages in it is nothing that anybody could read. The same book always makes
the same bytes.
"""

import re
import zlib
from collections.abc import Iterator

from documents.pdf_merge import Copier, Part
from documents.pdf_writing import STREAM, FileWriter, stream

MAX_SECTION = 64
"""The most pages of a section: sixteen sheets, which can still be folded and stapled."""
SIDE = 4
"""The number of pages on a sheet, both of its sides."""
SHEETS = {"A4": (841.89, 595.28), "Letter": (792.0, 612.0)}
"""The width and the height of a sheet in points."""
CATALOG, PAGES, FIRST = 1, 2, 3
"""The numbers of the catalogue and of the list of pages, and the first of all others."""
VIEWER = b"<</DisplayDocTitle true/Duplex /DuplexFlipShortEdge/PrintScaling /None>>"
"""The settings that a viewer of the file suggests for printing."""

Sides = Iterator[tuple[int | None, int | None]]


def saddle_stitched(count: int) -> Sides:
    """Yield the left and the right page (from 0) of each side of the sheets; None is blank.

    A front side is followed by its back. A book of more than ``MAX_SECTION`` pages has several
    sections of about the same size, one behind the other.
    """
    sheets = -(-count // SIDE)
    sections = -(-count // MAX_SECTION)
    start = 0
    for section in range(sections):
        size = SIDE * (sheets // sections + (section < sheets % sections))
        end = start + size - 1
        for front in range(0, size // 2, 2):
            order = (end - front, start + front, start + front + 1, end - front - 1)
            left, right, back_left, back_right = (p if p < count else None for p in order)
            yield left, right
            yield back_left, back_right
        start += size


def booklet(pdf: bytes, *, paper: str, identifier: str) -> tuple[bytes, int]:
    """Return the file of a booklet, and its number of pages, which are sides of sheets.

    ``pdf`` is a book on the same paper, as WeasyPrint or ``pdf_merge`` wrote it. ``identifier``
    (hex) becomes the file identifier.
    """
    part = Part(pdf)
    writer = FileWriter(FIRST)
    copier = Copier(part, writer, b"", 0)
    width, height = SHEETS[paper]
    drawings = []
    for number in part.page_numbers():
        drawing, matrix = _drawing(part, number, copier, width / 2, height)
        drawings.append((writer.add(drawing), matrix))
    writer.write_all(copier.copied())

    sides = []
    for pair in saddle_stitched(len(drawings)):
        placed, named = [b"/Artifact BMC"], []
        for place, page in enumerate(pair):
            if page is not None:
                drawing_number, (scale, left, bottom) = drawings[page]
                shift = left + place * width / 2
                placed.append(
                    b"q %.5f 0 0 %.5f %.3f %.3f cm /P%d Do Q" % (scale, scale, shift, bottom, place)
                )
                named.append(b"/P%d %d 0 R" % (place, drawing_number))
        contents = writer.add(stream(b"", b"\n".join([*placed, b"EMC"])))
        side = (
            b"<</Type /Page/Parent %d 0 R/MediaBox [0 0 %.2f %.2f]/Contents %d 0 R"
            b"/Resources <</XObject <<%b>>>>>>"
        ) % (PAGES, width, height, contents, b"".join(named))
        sides.append(writer.add(side))

    kids = b" ".join(b"%d 0 R" % side for side in sides)
    writer.write(PAGES, b"<</Type /Pages/Kids [%b]/Count %d>>" % (kids, len(sides)))
    language = re.search(rb"/Lang \([^)]*\)", part.catalog)
    catalog = b"<</Type /Catalog/Pages %d 0 R%b/ViewerPreferences %b>>" % (
        PAGES,
        language[0] if language else b"",
        VIEWER,
    )
    writer.write(CATALOG, catalog)
    file = writer.finished(catalog=CATALOG, info=part.info, identifier=identifier)
    return file, len(sides)


def _drawing(
    part: Part, page: int, copier: Copier, width: float, height: float
) -> tuple[bytes, tuple[float, float, float]]:
    """Return a page as a drawing, and its scale and position in an area of this size."""
    data = part.objects[page]
    contents = _entry(rb"/Contents (\[[^\]]*\]|\d+ 0 R)", data)
    parts = (part.objects[int(number)] for number in re.findall(rb"(\d+) 0 R", contents))
    content = b"\n".join(
        zlib.decompress(each.partition(STREAM)[2].removesuffix(b"\nendstream")) for each in parts
    )
    box = _entry(rb"/MediaBox (\[[^\]]*\])", data)
    left, bottom, right, top = map(float, box.strip(b"[]").split())
    scale = min(width / (right - left), height / (top - bottom))
    free = width - scale * (right - left), height - scale * (top - bottom)
    resources = copier.replaced(_entry(rb"/Resources (\d+ 0 R)", data))
    head = b"/Type /XObject/Subtype /Form/BBox %b/Resources %b" % (box, resources)
    matrix = scale, free[0] / 2 - scale * left, free[1] / 2 - scale * bottom
    return stream(head, content), matrix


def _entry(pattern: bytes, data: bytes) -> bytes:
    match = re.search(pattern, data)
    if match is None:
        raise ValueError(f"A page has no {pattern.decode()}: {data[:80]!r}.")
    return match[1]
