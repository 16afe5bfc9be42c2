"""What the printer leaves open in the tags of a PDF, settled before it is written, as PDF/UA-1 (ISO 14289-1) has it.

Running heads and page numbers become artefacts; header cells say what they head; headings skip no level; links say
where they lead; elements without any content go.
"""

from collections.abc import Iterator, Mapping
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
        for box in page._page_box.descendants():
            _name_cell(box)
            _name_link(box)
    tree = _thing(pdf, pdf.catalog["StructTreeRoot"])
    root, owners = _thing(pdf, tree["K"][0]), _thing(pdf, tree["ParentTree"])["Nums"]
    moved = dict(_join_links(pdf, root))
    for place, owner in enumerate(owners):
        owners[place] = _moved(owner, moved)
    _prune(pdf, root)
    elements = list(_descendants(pdf, root))
    _close_gaps(elements)
    known = {element.reference for element in elements}
    for page, owned in zip(_pages(pdf), owners[1::2], strict=False):
        _make_artefacts(_thing(pdf, page["Contents"]), owned, known)


def _name_cell(box: Any) -> None:
    """A header cell heads its row or its column; a cell in another language says which."""
    cell = getattr(box, "mark", None)
    if cell is None:
        return
    if language := box.element.get("lang"):
        cell["Lang"] = pydyf.String(language)
    if cell["S"] == "/TH":
        cell["A"]["Scope"] = "/Row" if box.element.get("scope") in ROWS else "/Column"


def _name_link(box: Any) -> None:
    """A link is spoken as what it says, not as the name of an anchor."""
    link = getattr(box, "link_annotation", None)
    if link is not None:
        link["Contents"] = pydyf.String(" ".join("".join(box.element.itertext()).split()))
        link["F"] = PRINTED


def _thing(pdf: pydyf.PDF, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]


def _pages(pdf: pydyf.PDF) -> Iterator[Any]:
    return (_thing(pdf, reference) for reference in pdf.page_references)


def _elements(pdf: pydyf.PDF, element: Any) -> Iterator[Any]:
    """The elements right under this one: its other kids are marks in the content, and links."""
    things = (_thing(pdf, kid) for kid in element["K"] if not isinstance(kid, int))
    return (thing for thing in things if thing["Type"] == "/StructElem")


def _descendants(pdf: pydyf.PDF, element: Any) -> Iterator[Any]:
    for child in _elements(pdf, element):
        yield child
        yield from _descendants(pdf, child)


def _join_links(pdf: pydyf.PDF, element: Any) -> Iterator[tuple[bytes, bytes]]:
    """What a style sheet adds to a link is a link within it for the printer: make it the same one. Gives old and new
    owner of what moves."""
    for child in [*_elements(pdf, element)]:
        yield from _join_links(pdf, child)
        if child["S"] == element["S"] == "/Link":
            place = element["K"].index(child.reference)
            element["K"][place : place + 1] = child["K"]
            yield child.reference, element.reference


def _moved(owner: Any, moved: Mapping[bytes, bytes]) -> Any:
    """The owner, or owners, of marks, where links may have been joined several times."""
    if isinstance(owner, list):
        return pydyf.Array(_moved(each, moved) for each in owner)
    while owner in moved:
        owner = moved[owner]
    return owner


def _prune(pdf: pydyf.PDF, element: Any) -> None:
    """Let go of the elements under this one that hold nothing: boxes to tick, swatches, what a page break left over."""
    empty = set()
    for child in _elements(pdf, element):
        _prune(pdf, child)
        if not child["K"] and child["S"] not in MAY_BE_EMPTY:
            empty.add(child.reference)
    element["K"][:] = [kid for kid in element["K"] if kid not in empty]


def _close_gaps(elements: list[Any]) -> None:
    """No heading more than one level below the one before it: a card is an h3 wherever it stands."""
    above = 1
    for element in elements:
        if depth := HEADINGS.get(element["S"]):
            above = min(depth, above + 1)
            element["S"] = f"/H{above}"


def _make_artefacts(stream: Any, owners: Any, known: set[bytes]) -> None:
    """What is marked for an element that is not in the tree stands in a margin: it is no part of what is told."""
    strays = {mark for mark, owner in enumerate(owners) if owner not in known}
    operators = stream.stream
    for place, operator in enumerate(operators):
        if operator == b"BDC" and operators[place - 1].get("MCID") in strays:
            operators[place - 2], operators[place - 1] = "/Artifact", pydyf.Dictionary({"Type": "/Pagination"})
    owners[:] = ["null" if mark in strays else owner for mark, owner in enumerate(owners)]
