"""What the printer leaves open in the tags of a PDF, settled before it is written, as PDF/UA-1 (ISO
14289-1) has it.

Running heads and page numbers become artefacts; header cells say what they head; headings skip no
level; links say where they lead; elements without any content go.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import pydyf  # type: ignore[import-untyped]
from weasyprint import Document as Layout

HEADINGS = {f"/H{depth}": depth for depth in range(1, 7)}
MAY_BE_EMPTY = ("/TD", "/TH", "/Document")
PRINTED = 4
"""The flag of an annotation that is on paper what it is on the screen."""
ROWS = ("row", "rowgroup")


def settle_tags(layout: Layout, pdf: pydyf.PDF) -> None:
    """Settle the tags of a PDF that is laid out and about to be written."""
    for page in layout.pages:
        for box in _boxes(page._page_box):
            attributes = vars(box)
            if "mark" in attributes:
                _name_cell(box)
            if "link_annotation" in attributes:
                _name_link(box)
    tree = _thing(pdf, pdf.catalog["StructTreeRoot"])
    root, owners = _thing(pdf, tree["K"][0]), _thing(pdf, tree["ParentTree"])["Nums"]
    joined, elements = dict[bytes, bytes](), dict[bytes, Any]()
    _settle(pdf, root, root.reference, joined, elements)
    if joined:
        owners[:] = [_moved(owner, joined) for owner in owners]
    _close_gaps(elements.values())
    for page, owned in zip(_pages(pdf), owners[1::2], strict=False):
        _make_artefacts(_thing(pdf, page["Contents"]), owned, elements)


def _boxes(page: Any) -> Iterator[Any]:
    """Every box of a page, in no particular order: a book has millions."""
    left = [page]
    while left:
        box = left.pop()
        yield box
        left += getattr(box, "children", ())


def _name_cell(box: Any) -> None:
    """A header cell heads its row or its column; a cell in another language says which."""
    cell = box.mark
    if language := box.element.get("lang"):
        cell["Lang"] = pydyf.String(language)
    if cell["S"] == "/TH":
        cell["A"]["Scope"] = "/Row" if box.element.get("scope") in ROWS else "/Column"


def _name_link(box: Any) -> None:
    """A link is spoken as what it says, not as the name of an anchor."""
    box.link_annotation["Contents"] = pydyf.String(
        " ".join("".join(box.element.itertext()).split())
    )
    box.link_annotation["F"] = PRINTED


def _thing(pdf: pydyf.PDF, reference: bytes) -> Any:
    return pdf.objects[int(reference.partition(b" ")[0])]


def _pages(pdf: pydyf.PDF) -> Iterator[Any]:
    return (_thing(pdf, reference) for reference in pdf.page_references)


def _settle(
    pdf: pydyf.PDF, element: Any, own: bytes, joined: dict[bytes, bytes], elements: dict[bytes, Any]
) -> None:
    """Put the elements under this one, whose reference is its ``own``, into ``elements``, by their
    references and in their order.

    What a style sheet adds to a link is a link within it for the printer: it becomes the same one,
    and ``joined`` tells the new owner of what was its own. Elements that hold nothing go: boxes to
    tick, swatches, what a page break left over. What else an element holds are marks in the
    content, and links.
    """
    kids = []
    for kid in element["K"]:
        child = None if isinstance(kid, int) else _thing(pdf, kid)
        if child is None or child["Type"] != "/StructElem":
            kids.append(kid)
            continue
        elements[kid] = child
        _settle(pdf, child, kid, joined, elements)
        if child["S"] == element["S"] == "/Link":
            joined[kid] = own
            kids += child["K"]
            del elements[kid]
        elif child["K"] or child["S"] in MAY_BE_EMPTY:
            kids.append(kid)
        else:
            del elements[kid]
    element["K"][:] = kids


def _moved(owner: Any, moved: Mapping[bytes, bytes]) -> Any:
    """The owner, or owners, of marks, where links may have been joined several times."""
    if isinstance(owner, list):
        return pydyf.Array(_moved(each, moved) for each in owner)
    while owner in moved:
        owner = moved[owner]
    return owner


def _close_gaps(elements: Iterable[Any]) -> None:
    """No heading more than one level below the one before it: a card is an h3 wherever it
    stands."""
    above = 1
    for element in elements:
        if depth := HEADINGS.get(element["S"]):
            above = min(depth, above + 1)
            element["S"] = f"/H{above}"


def _make_artefacts(stream: Any, owners: Any, elements: Container[bytes]) -> None:
    """What is marked for an element that is not in the tree stands in a margin: it is no part of
    what is told."""
    strays = {mark for mark, owner in enumerate(owners) if owner not in elements}
    operators = stream.stream
    for place, operator in enumerate(operators):
        if operator == b"BDC" and operators[place - 1].get("MCID") in strays:
            operators[place - 2], operators[place - 1] = (
                "/Artifact",
                pydyf.Dictionary({"Type": "/Pagination"}),
            )
    owners[:] = ["null" if mark in strays else owner for mark, owner in enumerate(owners)]
