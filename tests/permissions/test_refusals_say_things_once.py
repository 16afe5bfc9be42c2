"""No refusal says the same twice: not within its text, not in its list of errors, not in a box
above a form."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of, browser_of
from tests.pages.markup import VOID, Markup
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled, routes
from tests.permissions.signed_in import SignedIn
from tests.permissions.test_bad_input_everywhere import THINGS, answer_to, odd_requests
from tests.permissions.test_every_route import THINGS as PAGES
from tests.permissions.test_forms_sent_twice import PostForm, forms_of

pytestmark = pytest.mark.one_database

ODD_FORMS: tuple[dict[str, str], ...] = (
    {},
    {
        "name": " ",
        "reason": "",
        "version": "x",
        "points": "-1",
        "username": "x",
        "warband": "x",
        "day": "x",
    },
    {"name": "x" * 500, "version": "0", "commit": "1"},
)
WRONG = ("", "x" * 600, "-1", None)
"""Values for every field of a form; None leaves it as the page shows it."""
CARRIED = re.compile(
    r"form_key|csrfmiddlewaretoken|version|sequence|secret|seed|fingerprint|step|.*client_id|rows_.*"
)
"""Fields that a page carries along: with anything else in them a form is refused as a whole."""
PARTS = 30
"""Of the odd requests to the API one in so many is sent."""


def repeated(texts: list[str]) -> list[str]:
    """Return the texts of at least two words that are repeated."""
    return sorted({text for text in texts if " " in text and texts.count(text) > 1})


def sentences(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"(?<=[.!?])\s+", text) if each.strip()]


def repeated_in_problem(problem: dict[str, Any]) -> list[str]:
    """Return what a refusal of the API repeats."""
    lines = [f"{line['field']} {line['detail']}" for line in problem.get("errors", ())]
    texts = [problem["detail"], *(line["detail"] for line in problem.get("errors", ()))]
    repeats = repeated(lines) + [again for text in texts for again in repeated(sentences(text))]
    repeats += [text for text in texts if re.match(r"(.{3,40}?): \1", text)]
    repeats += [
        line["detail"] for line in problem.get("errors", ()) if line["detail"] in problem["detail"]
    ]
    return repeats


class Refusals(Markup):
    """The refusals of a page: for each box of errors its lines, each with the label before it."""

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
    """Return what a box of errors repeats, in two lines or in one."""
    boxes = Refusals(html).boxes
    return [
        again
        for box in boxes
        for again in repeated(box) + [x for line in box for x in repeated(sentences(line))]
    ]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles, so that every route answers."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


@pytest.mark.soak("thirtieths of all odd requests to the API", each=1, sample=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_problems_say_things_once(
    part: int, schema: dict[str, Any], private: PrivateWorld, alice: User
) -> None:
    client = api_of(alice)
    client.raise_request_exception = False
    doubled = {}
    for request in islice(odd_requests(schema, THINGS | private.ids), part, None, PARTS):
        answer = answer_to(client, *request)
        if (
            answer.status_code >= 400
            and answer.content
            and (repeats := repeated_in_problem(answer.json()))
        ):
            doubled[" ".join(request)[:200]] = repeats
    assert doubled == {}


def refused_forms(user: User, ids: dict[str, str], part: int) -> Iterator[tuple[str, str]]:
    """Yield route and HTML of each page that refuses a form. Each part sends every page another
    form.
    """
    signed_in = SignedIn(user)
    pages = [route for route in routes() if not route.startswith("/api/")]
    for place, route in enumerate(pages):
        data = ODD_FORMS[(place + part) % len(ODD_FORMS)]
        with transaction.atomic():
            answer = signed_in.browser.post(filled(route, ids), data, follow=True)
            transaction.set_rollback(True)
        if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
            yield route, answer.content.decode()


@pytest.mark.soak("rounds of an odd form for every page", each=1, sample=1)
@pytest.mark.parametrize("part", range(len(ODD_FORMS)))
def test_pages_say_things_once(part: int, private: PrivateWorld, alice: User) -> None:
    doubled = {
        route: repeats
        for route, html in refused_forms(alice, PAGES | private.ids, part)
        if (repeats := repeated_on_page(html))
    }
    assert doubled == {}


@pytest.fixture
def cleaned(monkeypatch: pytest.MonkeyPatch) -> list[forms.BaseForm]:
    """Return a list of the forms that were validated, in order. Readers empty it."""
    checked: list[forms.BaseForm] = []
    full_clean = forms.BaseForm.full_clean

    def noted(form: forms.BaseForm) -> None:
        checked.append(form)
        full_clean(form)

    monkeypatch.setattr(forms.BaseForm, "full_clean", noted)
    return checked


def errors_of(checked: list[forms.BaseForm]) -> Counter[str]:
    """Return the error messages of forms, each with its number of fields."""
    errors: Counter[str] = Counter()
    for form in {id(form): form for form in checked}.values():
        for lines in form.errors.values():
            errors.update({" ".join(str(line).split()) for line in lines})
    return errors


def filled_wrongly(
    form: PostForm, button: tuple[str, str] | None, wrong: str | None
) -> dict[str, Any]:
    kept = {button[0]} if button else set()
    data = form.data(button)
    if wrong is None:
        return data
    return {
        name: value if name in kept or CARRIED.fullmatch(name) else wrong
        for name, value in data.items()
    }


@pytest.mark.soak("rounds of a wrong value for every form", each=1, sample=1)
@pytest.mark.parametrize("part", range(len(WRONG)))
def test_every_form_says_what_is_wrong_once(
    part: int, cleaned: list[forms.BaseForm], private: PrivateWorld, alice: User
) -> None:
    """Each part fills every form with another wrong value."""
    browser, wrongly, refused = browser_of(alice), {}, set()
    for place, (page, form) in enumerate(
        forms_of(browser, PAGES | private.ids, apart=("/api/", "/admin/", "/health/"))
    ):
        wrong = WRONG[(place + part) % len(WRONG)]
        if form.action == "/language/":
            # What comes after it would be German.
            continue
        for button in dict.fromkeys(form.buttons[:1] + form.buttons[-1:]) or (None,):
            cleaned.clear()
            with transaction.atomic():
                data = filled_wrongly(form, button, wrong)
                answer = browser.post(
                    form.action, data, headers={"Referer": f"http://testserver{page}"}
                )
                transaction.set_rollback(True)
            if answer.status_code not in (200, 400, 409) or not answer.headers[
                "Content-Type"
            ].startswith("text/html"):
                continue
            text = " ".join(" ".join(Markup(answer.content.decode()).text).split())
            errors = errors_of(cleaned)
            refused |= {form.action} if errors else set()
            counted = {error: (text.count(error), number) for error, number in errors.items()}
            if other := {error: pair for error, pair in counted.items() if pair[0] != pair[1]}:
                wrongly[f"{page}: {form.action} {button}"] = other
    assert wrongly == {}, (
        "how often each sentence stands on the page, and of how many fields it is true"
    )
    assert len(refused) > 3, "forms that were filled wrongly enough to be refused"
