"""Parts, bound into one file."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from pypdf import PageObject
from pypdf.generic import NullObject

from documents.content.print_jobs import Plan, back_matter, plans
from documents.pdf_merge import Binder, Bookmark
from documents.printing import markup, page_numbers, typeset
from tests.documents import samples
from tests.documents.reading_pdfs import IDENTIFIER, bookmarks, pages, reader, tags


def set_part(plan: Plan) -> bytes:
    return typeset(markup(plan), paper="A4", identifier=IDENTIFIER).pdf


@pytest.fixture(scope="module")
def planned() -> tuple[Plan, ...]:
    """Return a campaign in small parts: front matter, twice three battles, two rosters."""
    content = samples.campaign(6, 2, ("Ana", "Otto"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("documents.content.print_jobs.IN_ONE_GO", 0)
        patch.setattr("documents.content.print_jobs.PAGES_A_PART", 4)
        return plans(replace(content, veterans=(), memorial=()))


@pytest.fixture(scope="module")
def parts(planned: tuple[Plan, ...]) -> list[bytes]:
    front, *body = planned
    entries = tuple(
        replace(entry, page=str(number)) for number, entry in enumerate(front.entries, start=1)
    )
    return [set_part(replace(front, entries=entries)), *map(set_part, body)]


def bind(parts: list[bytes]) -> bytes:
    front = len(reader(parts[0]).pages)
    count = sum(len(reader(part).pages) for part in parts[1:])
    numbers = typeset(page_numbers(count), paper="A4", identifier=IDENTIFIER).pdf
    binder = Binder(numbers, front)
    for part in parts:
        binder.add(part)
    return binder.bound(
        [Bookmark("Standings", front, False), Bookmark("First", front + 1, True)], IDENTIFIER
    )


@pytest.fixture(scope="module")
def bound(parts: list[bytes]) -> bytes:
    return bind(parts)


def test_the_same_parts_make_the_same_bytes(parts: list[bytes], bound: bytes) -> None:
    assert bind(parts) == bound


def test_every_page_is_there_in_order_and_bears_its_number(
    parts: list[bytes], bound: bytes
) -> None:
    front = len(reader(parts[0]).pages)
    before = [page for part in parts for page in pages(part)]
    after = pages(bound)
    assert len(after) == len(before)
    for number, (old, new) in enumerate(zip(before[front:], after[front:], strict=True), start=1):
        assert new.startswith(old)
        assert new.endswith(f" {number}")
    assert reader(bound).page_labels[front - 1 : front + 2] == ["ii", "1", "2"]


def test_links_from_the_contents_lead_into_other_parts(bound: bytes) -> None:
    file = reader(bound)
    links = {str(link["/Dest"]) for page in file.pages[:3] for link in _links(page)}
    assert {"standings", "battles", "battle-b1", "battle-b4", "roster-w1"} <= links
    assert not [link for page in file.pages for link in _links(page) if "muster:" in str(link)]
    places = file.named_destinations
    standings = file.get_destination_page_number(places["standings"])
    assert standings == _front(file)
    assert (file.get_destination_page_number(places["battle-b4"]) or 0) > standings


def _front(file: Any) -> int:
    return list(file.page_labels).index("1")


def _links(page: PageObject) -> Iterator[Any]:
    for annotation in page.get("/Annots", []):
        link = annotation.get_object()
        if "/Dest" in link:
            yield link


def test_bookmarks_are_those_that_were_given(bound: bytes) -> None:
    assert bookmarks(bound) == [(0, "Standings"), (1, "First")]


def test_the_tags_of_all_parts_hang_under_one_document(parts: list[bytes], bound: bytes) -> None:
    kinds = tags(bound)
    assert kinds.count("Document") == 1
    assert len(kinds) == sum(len(tags(part)) for part in parts) - len(parts) + 1
    assert kinds.count("TR") == sum(tags(part).count("TR") for part in parts)


def test_every_page_finds_its_tags_in_the_parent_tree(bound: bytes) -> None:
    file = reader(bound)
    tree: Any = file.root_object["/StructTreeRoot"]
    numbers = tree["/ParentTree"]["/Nums"]
    keys = [int(key) for key in numbers[::2]]
    assert keys == sorted(set(keys))
    by_number = dict(zip(keys, numbers[1::2], strict=True))
    for page in file.pages:
        own = by_number[int(page["/StructParents"])].get_object()  # type: ignore[call-overload]
        elements = [
            element.get_object() for element in own if not isinstance(element, NullObject)
        ]  # the others are artefacts
        assert {element["/Pg"].indirect_reference for element in elements} == {
            page.indirect_reference
        }


def test_every_link_finds_its_tag_in_the_parent_tree(bound: bytes) -> None:
    file = reader(bound)
    tree: Any = file.root_object["/StructTreeRoot"]
    numbers = tree["/ParentTree"]["/Nums"]
    by_key = {
        int(key): entry.get_object() for key, entry in zip(numbers[::2], numbers[1::2], strict=True)
    }
    links = [link for page in file.pages for link in _links(page)]
    assert len(links) >= 10
    assert {by_key[int(link["/StructParent"])]["/S"] for link in links} == {"/Link"}


def test_headers_of_tables_are_unique_in_the_whole(bound: bytes) -> None:
    tree: Any = reader(bound).root_object["/StructTreeRoot"]
    ids = list(_ids(tree["/K"]))
    assert len(ids) > 20
    assert len(ids) == len(set(ids))


def _ids(kids: Any) -> Iterator[str]:
    for kid in kids if isinstance(kids, list) else [kids]:
        element = kid.get_object()
        if hasattr(element, "get") and "/S" in element:
            if "/ID" in element:
                yield str(element["/ID"])
            yield from _ids(element.get("/K", []))


def test_the_whole_says_what_the_front_matter_says_of_itself(
    parts: list[bytes], bound: bytes
) -> None:
    assert reader(bound).metadata == reader(parts[0]).metadata
    whole: Any = reader(bound).root_object
    front: Any = reader(parts[0]).root_object
    assert whole["/Lang"] == "en-GB"
    assert whole["/MarkInfo"]["/Marked"]
    assert whole["/Metadata"].get_data() == front["/Metadata"].get_data()


def test_the_whole_is_no_bigger_than_its_parts(parts: list[bytes], bound: bytes) -> None:
    assert len(bound) < 1.2 * sum(len(part) for part in parts)


def test_every_line_of_the_contents_has_an_anchor_in_a_part(planned: tuple[Plan, ...]) -> None:
    front, *body = planned
    parts = (*body, back_matter(front, {}))
    anchors = {anchor for plan in parts for anchor in _anchors(markup(plan))}
    assert {entry.anchor for entry in front.entries} <= anchors


def _anchors(html: str) -> list[str]:
    return [piece.split('"')[0] for piece in html.split('id="')[1:]]


def test_text_that_looks_like_references_stays() -> None:
    words = r"See 3 0 R, /ID (4) \ /StructParent 5 (or 6 0 R"
    html = (
        f"<html lang='en'><head><title>{words}</title></head>"
        f"<body><p><a href='muster:there'>{words}</a></p><p id='there'>é {words}</p></body></html>"
    )
    part = typeset(html, paper="A4", identifier=IDENTIFIER).pdf
    binder = Binder()
    binder.add(part)
    binder.add(part)
    file = reader(binder.bound([Bookmark(f"é {words}", 1, False)], IDENTIFIER))
    links = [link for page in file.pages for link in _links(page)]
    assert [(link["/Contents"], link["/Dest"]) for link in links] == [(words, "there")] * 2
    assert file.metadata is not None
    assert file.metadata.title == words
    assert [item["/Title"] for item in file.outline] == [f"é {words}"]  # type: ignore[call-overload]
    assert [words in page.extract_text() for page in file.pages] == [True, True]


def test_bookmarks_of_any_number_are_nested(parts: list[bytes]) -> None:
    binder = Binder()
    binder.add(parts[0])
    marks = [Bookmark(str(number), 0, number % 3 > 0) for number in range(1, 8)]
    assert bookmarks(binder.bound(marks, IDENTIFIER)) == [
        (0, "1"),
        (1, "2"),
        (0, "3"),
        (1, "4"),
        (1, "5"),
        (0, "6"),
        (1, "7"),
    ]
