"""Every form of every page, sent twice as by a double tap: nothing is made twice, and both lead to
the same place."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from campaigns.models import Enrolment
from core.form_keys import FIELD, signer
from scripts.packages import APPS_OF_CLUBS
from tests.conftest import browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled, routes
from tests.permissions.test_every_route import THINGS
from tests.pictures.samples import scene, written
from warbands.models import Warband

pytestmark = pytest.mark.one_database

NOT_OURS = ("/api/", "/admin/", "/accounts/", "/health/")
ENDS_EVERYTHING = ("/account/deletion/", "/accounts/logout/")
TYPED = {
    "day": "2027-12-09",
    "date": "2027-12-09",
    "weeks": "3",
    "number": "1",
    "url": "https://example.org/",
}


class PostForm:
    """A form that posts, with what a browser would send; empty fields get a plausible value."""

    def __init__(self, page: str, action: str) -> None:
        self.action = urlsplit(urljoin(page, action) if action else page).path
        self.fields: dict[str, list[str]] = {}
        self.files: set[str] = set()
        self.buttons: list[tuple[str, str]] = []

    def add(self, kind: str, name: str, attributes: dict[str, str | None]) -> None:
        """Add another control."""
        value = attributes.get("value") or ""
        if "disabled" in attributes or not name:
            return
        if kind in ("submit", "image"):
            self.buttons.append((name, value))
        elif kind == "file":
            self.files.add(name)
        elif kind == "radio":
            if "checked" in attributes or name not in self.fields:
                self.fields[name] = [value]
        elif kind == "checkbox":
            if "checked" in attributes:
                self.fields.setdefault(name, []).append(value or "on")
        elif kind not in ("button", "reset"):
            self.fields.setdefault(name, []).append(
                value or TYPED.get(name, TYPED.get(kind, "")) or self._word(attributes)
            )

    @staticmethod
    def _word(attributes: dict[str, str | None]) -> str:
        return (
            "" if attributes.get("type") in ("hidden", "number", "date", "time") else "Some words"
        )

    def data(self, button: tuple[str, str] | None) -> dict[str, Any]:
        """Return what is sent when this button is pressed."""
        files = {
            name: SimpleUploadedFile("sent.png", written(scene(8, 6)), "image/png")
            for name in self.files
        }
        return {**self.fields, **files, **({button[0]: button[1]} if button else {})}


class PostForms(HTMLParser):
    """The forms of a page that post."""

    def __init__(self, path: str, html: str) -> None:
        super().__init__()
        self.path = path
        self.forms: list[PostForm] = []
        self.form: PostForm | None = None
        self.select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            posts = (attributes.get("method") or "").lower() == "post"
            self.form = PostForm(self.path, attributes.get("action") or "") if posts else None
            if self.form is not None:
                self.forms.append(self.form)
        if self.form is None:
            return
        name = attributes.get("name") or ""
        if tag in ("input", "button"):
            self.form.add(
                (attributes.get("type") or ("text" if tag == "input" else "submit")).lower(),
                name,
                attributes,
            )
        elif tag == "textarea":
            self.form.add("textarea", name, attributes)
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            # The one that is chosen, else the first that says something.
            chosen = self.form.fields.get(self.select, [""])
            if "selected" in attributes or not chosen[0]:
                self.form.fields[self.select] = [attributes.get("value") or ""]

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = ""


def numbers() -> dict[str, int]:
    """Return the number of rows of each of our tables."""
    kinds = (kind for app in APPS_OF_CLUBS for kind in apps.get_app_config(app).get_models())
    tables = {
        kind._meta.label: kind._meta.db_table
        for kind in (*kinds, apps.get_model("knox", "AuthToken"))
    }
    counts = " UNION ALL ".join(
        f"SELECT '{label}', count(*) FROM \"{table}\"" for label, table in tables.items()
    )
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return dict(cursor.fetchall())


def forms_of(
    browser: Client, ids: dict[str, str], apart: tuple[str, ...] = NOT_OURS
) -> Iterator[tuple[str, PostForm]]:
    """Yield every form of every page with its page.

    Of forms with the same address and fields, only the first is included.
    """
    seen = set()
    for route in routes():
        if route.startswith(apart):
            continue
        path = filled(route, ids)
        page = browser.get(path)
        if page.status_code != 200 or not page.headers["Content-Type"].startswith("text/html"):
            continue
        for form in PostForms(path, page.content.decode()).forms:
            way = (form.action, *sorted(form.fields), *sorted(form.buttons))
            if form.action not in ENDS_EVERYTHING and way not in seen:
                seen.add(way)
                yield path, form


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable throttles."""
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)


def test_no_form_of_any_page_makes_two_things(private: PrivateWorld, alice: User) -> None:
    browser = browser_of(alice)
    without_key, twice, elsewhere = [], [], []
    made: set[str] = set()
    for page, form in forms_of(browser, THINGS | private.ids):
        if FIELD not in form.fields:
            without_key.append(f"{page}: {form.action}")
            continue
        for button in (*form.buttons,) or (None,):
            with transaction.atomic():
                head = {"Referer": f"http://testserver{page}"}
                before = numbers()
                first = browser.post(form.action, form.data(button), headers=head)
                after = numbers()
                second = browser.post(form.action, form.data(button), headers=head)
                again = numbers()
                transaction.set_rollback(True)
            made |= {label for label in after if after[label] > before[label]}
            if again != after:
                twice.append(f"{page}: {form.action} {button}: {after.items() ^ again.items()}")
            if first.status_code == 302 and first.headers["Location"] != second.headers.get(
                "Location"
            ):
                elsewhere.append(
                    f"{page}: {form.action} {button}: {first['Location']} {second.status_code}"
                )
    assert (without_key, twice, elsewhere) == ([], [], [])
    assert made >= {
        "clubs.Club",
        "campaigns.Campaign",
        "clubs.Evening",
        "clubs.Invitation",
        "campaigns.JournalEntry",
        "clubs.Membership",
        "exchange.Import",
        "knox.AuthToken",
        "pictures.Picture",
        "warbands.ChronicleEntry",
        "warbands.Fighter",
        "warbands.Warband",
    }, "forms that were filled well enough to make something"


def test_forms_that_want_more_than_some_words_make_one_thing(
    private: PrivateWorld, alice: User
) -> None:
    ids, browser = private.ids, browser_of(alice)
    campaign, warbands = ids["campaigns"], [str(row.pk) for row in Warband.objects.order_by("pk")]
    home, away = (
        str(row.pk) for row in Enrolment.objects.filter(campaign=UUID(campaign)).order_by("pk")[:2]
    )
    forms = {
        f"/battles/plan/?campaign={campaign}&scenario=skirmish": {
            "fought_on": "2027-03-07", "points_limit": "300", "title": "",
            "warband.0": warbands[0], "warband.1": warbands[1],
        },
        f"/rounds/{ids['rounds']}/add/": {
            "home_id": home, "away_id": away, "deadline": "", "agreed": "They play twice",
        },
        f"/fighters/{ids['fighters']}/adjust/": {"experience": "3", "reason": "Held the ford"},
        f"/exports/ask/?kind=warband&subject={ids['warbands']}": {},
        f"/warbands/{ids['warbands']}/recruit/cardinals-guard/guard/": {"count": "2", "name": "", "overrule": "More"},
    }  # fmt: skip
    for number, (path, fields) in enumerate(forms.items()):
        page = browser.get(path)
        shown = PostForms(path, page.content.decode()).forms if page.status_code == 200 else []
        hidden = next((form.fields for form in shown if form.action == urlsplit(path).path), {})
        sent = {**hidden, **fields, FIELD: signer.sign(f"{alice.pk}.{number}")}
        before = numbers()
        first = browser.post(path, sent)
        after = numbers()
        second = browser.post(path, sent)
        assert numbers() == after, path
        assert first.status_code == 302, (path, first.content.decode())
        assert (before != after, second.headers["Location"]) == (True, first.headers["Location"]), (
            path
        )
