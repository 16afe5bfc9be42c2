"""No refusal says the same twice: not within its text, not in its list of errors, not in a box above a form."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of, browser_of
from tests.pages.markup import VOID, Markup
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled, routes
from tests.permissions.test_bad_input_everywhere import THINGS, answer_to, odd_requests
from tests.permissions.test_every_route import THINGS as PAGES

pytestmark = pytest.mark.one_database

ODD_FORMS: tuple[dict[str, str], ...] = (
    {},
    {"name": " ", "reason": "", "version": "x", "points": "-1", "username": "x", "warband": "x", "day": "x"},
    {"name": "x" * 500, "version": "0", "commit": "1"},
)
PARTS = 30
"""Of the odd requests to the API one in so many is sent."""


def repeated(texts: list[str]) -> list[str]:
    """The texts of at least two words that stand there more than once."""
    return sorted({text for text in texts if " " in text and texts.count(text) > 1})


def sentences(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"(?<=[.!?])\s+", text) if each.strip()]


def repeated_in_problem(problem: dict[str, Any]) -> list[str]:
    """What a refusal of the API says twice."""
    lines = [f"{line['field']} {line['detail']}" for line in problem.get("errors", ())]
    texts = [problem["detail"], *(line["detail"] for line in problem.get("errors", ()))]
    found = repeated(lines) + [again for text in texts for again in repeated(sentences(text))]
    found += [text for text in texts if re.match(r"(.{3,40}?): \1", text)]
    found += [line["detail"] for line in problem.get("errors", ()) if line["detail"] in problem["detail"]]
    return found


class Refusals(Markup):
    """The refusals of a page: for each box of errors the texts of its lines, each with the label before it."""

    def __init__(self, html: str) -> None:
        self.boxes: list[list[str]] = []
        self.depth = 0
        super().__init__(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        classes = {*(dict(attrs).get("class") or "").split()}
        opens = "error" in classes or {"notice", "bad"} <= classes
        if self.depth == 0 and opens:
            self.boxes.append([])
        if tag not in VOID and (self.depth or opens):
            self.depth += 1
        if self.depth and tag in ("li", "p", "h2", "h3"):
            self.boxes[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self.depth = max(0, self.depth - (tag not in VOID))

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if self.depth and data.strip():
            before = self.boxes[-1].pop() if self.boxes[-1] else ""
            self.boxes[-1].append(f"{before} {' '.join(data.split())}".strip())


def repeated_on_page(html: str) -> list[str]:
    """What a box of errors says twice, in two lines or in one."""
    boxes = Refusals(html).boxes
    return [again for box in boxes for again in repeated(box) + [x for line in box for x in repeated(sentences(line))]]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked to wait: every route shall answer."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.mark.soak("thirtieths of all odd requests to the API", each=1, sample=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_problems_say_things_once(part: int, schema: dict[str, Any], private: PrivateWorld, alice: User) -> None:
    client = api_of(alice)
    client.raise_request_exception = False
    doubled = {}
    for request in islice(odd_requests(schema, THINGS | private.known), part, None, PARTS):
        answer = answer_to(client, *request)
        if answer.status_code >= 400 and answer.content and (found := repeated_in_problem(answer.json())):
            doubled[" ".join(request)[:200]] = found
    assert doubled == {}


def refused_forms(user: User, known: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each page that refuses what was filled in: its route and its HTML."""
    for route in routes():
        for data in () if route.startswith("/api/") else ODD_FORMS:
            with transaction.atomic():
                answer = browser_of(user).post(filled(route, known), data, follow=True)
                transaction.set_rollback(True)
            if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
                yield route, answer.content.decode()


def test_pages_say_things_once(private: PrivateWorld, alice: User) -> None:
    doubled = {
        route: found for route, html in refused_forms(alice, PAGES | private.known) if (found := repeated_on_page(html))
    }
    assert doubled == {}
