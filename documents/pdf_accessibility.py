"""Complete the tags of a PDF before it is written, as PDF/UA-1 (ISO 14289-1) requires.

WeasyPrint leaves these open: running heads and page numbers become artefacts, header cells name
their direction, headings skip no level, links describe their target, and empty elements are
removed.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

import pydyf  # type: ignore[import-untyped]
from weasyprint import Document as Layout

HEADINGS = {f"/H{depth}": depth for depth in range(1, 7)}
MAY_BE_EMPTY = ("/TD", "/TH", "/Document")
PRINTED = 4
"""The annotation flag for "print"."""
ROWS = ("row", "rowgroup")


def settle_tags(layout: Layout, pdf: pydyf.PDF) -> None:
    """Complete the tags of a PDF that is laid out and about to be written."""
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
    """Yield all boxes of a page in no particular order, without recursion: a book has millions."""
    left = [page]
    while left:
        box = left.pop()
        yield box
        left += getattr(box, "children", ())


def _name_cell(box: Any) -> None:
    """Set the direction of a header cell, and the language of a cell in another language."""
    cell = box.mark
    if language := box.element.get("lang"):
        cell["Lang"] = pydyf.String(language)
    if cell["S"] == "/TH":
        cell["A"]["Scope"] = "/Row" if box.element.get("scope") in ROWS else "/Column"


def _name_link(box: Any) -> None:
    """Describe a link by its text instead of the name of its anchor."""
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
    """Collect the elements below this one in ``elements``, by reference and in order.

    ``own`` is the reference of ``element``. WeasyPrint makes a separate link of what a style sheet
    adds to a link: it is merged into the outer one, and ``joined`` maps its reference to the new
    owner. Elements without content are removed: boxes to tick, swatches, remains of page breaks.
    All other children are marks in the content, and links.
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
    """Return the owner or owners of marks, after links were merged once or several times."""
    if isinstance(owner, list):
        return pydyf.Array(_moved(each, moved) for each in owner)
    while owner in moved:
        owner = moved[owner]
    return owner


def _close_gaps(elements: Iterable[Any]) -> None:
    """Change headings so that none is more than one level below the heading before it.

    A card is an h3 wherever it is.
    """
    above = 1
    for element in elements:
        if depth := HEADINGS.get(element["S"]):
            above = min(depth, above + 1)
            element["S"] = f"/H{above}"


def _make_artefacts(stream: Any, owners: Any, elements: Container[bytes]) -> None:
    """Mark content outside the tree as artefacts.

    It belongs to elements in the margins, which are not part of the text.
    """
    strays = {mark for mark, owner in enumerate(owners) if owner not in elements}
    operators = stream.stream
    for place, operator in enumerate(operators):
        if operator == b"BDC" and operators[place - 1].get("MCID") in strays:
            operators[place - 2], operators[place - 1] = (
                "/Artifact",
                pydyf.Dictionary({"Type": "/Pagination"}),
            )
    owners[:] = ["null" if mark in strays else owner for mark, owner in enumerate(owners)]
