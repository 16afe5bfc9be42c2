"""Repeated requests have one effect: forms by their hidden key, API requests by their
``Idempotency-Key``."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLResolver
from django.utils import timezone
from knox.models import AuthToken
from rest_framework.test import APIClient

from clubs.models import Club
from config import api_router
from core.api.strict_input import ExactView
from core.form_keys import FIELD, signer
from core.models import SentRequest
from core.sent_requests import forget_sent_requests
from tests.conftest import browser_of

pytestmark = pytest.mark.django_db

CLUB = {"name": "The Friday Swords", "member_name": "Alice", "visibility": "private"}
API = "/api/v1/clubs/"
PAGE = "/clubs/found/"


def key_for(user: User, key: str = "one") -> str:
    return signer.sign(f"{user.pk}.{key}")


def test_form_sent_twice_makes_one_club_and_leads_to_the_same_place(alice: User) -> None:
    browser = browser_of(alice)
    first, second = (browser.post(PAGE, {**CLUB, FIELD: key_for(alice)}) for _ in range(2))
    assert first.status_code == second.status_code == 302
    assert (
        first.headers["Location"]
        == second.headers["Location"]
        == f"/clubs/{Club.objects.get().pk}/"
    )
    browser.post(PAGE, {**CLUB, FIELD: key_for(alice, "two")})
    assert Club.objects.count() == 2, "another form makes another club"


def test_form_with_errors_keeps_its_key_and_works_on_the_next_post(alice: User) -> None:
    browser = browser_of(alice)
    key = key_for(alice)
    refused = browser.post(PAGE, {"name": "", "member_name": "Alice", FIELD: key})
    assert (
        refused.status_code == 400 and f'name="{FIELD}" value="{key}"' in refused.content.decode()
    )
    assert browser.post(PAGE, {**CLUB, FIELD: key}).status_code == 302
    assert Club.objects.count() == 1


def test_each_form_of_a_page_has_a_key_of_its_own(alice: User) -> None:
    pages = [browser_of(alice).get(PAGE).content.decode() for _ in range(2)]
    keys = [
        part.split('"')[1] for page in pages for part in page.split(f'name="{FIELD}" value=')[1:]
    ]
    assert len(keys) == len(set(keys)) >= 2
    assert FIELD not in Client().get("/accounts/login/").content.decode()


def test_form_changed_and_sent_again_makes_nothing_and_keeps_what_was_typed(alice: User) -> None:
    browser = browser_of(alice)
    browser.post(PAGE, {**CLUB, FIELD: key_for(alice)})
    changed = {**CLUB, "name": "The Saturday Swords", FIELD: key_for(alice)}
    again = browser.post(PAGE, changed, headers={"Referer": f"http://testserver{PAGE}"})
    assert (again.status_code, again.headers["Location"]) == (302, PAGE)
    assert Club.objects.count() == 1
    page = browser.get(PAGE).content.decode()
    assert 'value="The Saturday Swords"' in page and "already sent once" in page
    assert "has not been sent" not in page, "one notice does not contradict the other"


def test_key_of_another_account_does_not_count(alice: User, bob: User) -> None:
    for user in (alice, bob):
        browser_of(user).post(PAGE, {**CLUB, FIELD: key_for(alice)})
    assert Club.objects.count() == 2
    browser_of(alice).post(PAGE, {**CLUB, FIELD: f"{alice.pk}.one:forged"})
    assert Club.objects.count() == 3


def test_new_token_is_made_once_and_shown_once(alice: User) -> None:
    browser = browser_of(alice)
    first, second = (browser.post("/account/tokens/", {FIELD: key_for(alice)}) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 302)
    assert AuthToken.objects.filter(user=alice).count() == 1


def test_what_a_script_sends_by_one_form_is_not_held_back(alice: User) -> None:
    browser = browser_of(alice)
    for mode in ({"HX-Request": "true"}, {"Sec-Fetch-Mode": "cors"}):
        for name in ("One", "Two"):
            browser.post(PAGE, {**CLUB, "name": name, FIELD: key_for(alice)}, headers=mode)
    assert Club.objects.count() == 4


def test_api_request_with_a_key_is_answered_again_as_before(as_alice: APIClient) -> None:
    head = {"Idempotency-Key": "5b7c"}
    first, second = (as_alice.post(API, CLUB, headers=head) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json() and Club.objects.count() == 1
    assert (
        "Idempotency-Replayed" not in first.headers
        and second.headers["Idempotency-Replayed"] == "true"
    )
    other = as_alice.post(API, CLUB | {"name": "Another"}, headers=head)
    assert (other.status_code, other.json()["code"]) == (409, "client-id-reused")
    assert [line["field"] for line in other.json()["errors"]] == ["Idempotency-Key"]
    malformed = as_alice.post(API, CLUB, headers={"Idempotency-Key": "two words"})
    assert malformed.status_code == 400
    assert [line["field"] for line in malformed.json()["errors"]] == ["Idempotency-Key"]
    assert (
        as_alice.post(API, CLUB, headers={"Idempotency-Key": "5b7d"}).json()["id"]
        != first.json()["id"]
    )


def test_refused_api_request_leaves_its_key_free(as_alice: APIClient, as_bob: APIClient) -> None:
    head = {"Idempotency-Key": "5b7c"}
    assert as_alice.post(API, {"name": ""}, headers=head).status_code == 400
    assert not SentRequest.objects.exists()
    club = as_alice.post(API, CLUB, headers=head).json()["id"]
    assert as_bob.post(API, CLUB, headers=head).json()["id"] != club, "a key is its owner's"


@pytest.mark.parametrize("key", ["x" * 101, "two words", "Jos\xe9"])
def test_malformed_key_is_refused(as_alice: APIClient, key: str) -> None:
    answer = as_alice.post(API, CLUB, headers={"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_answers_are_locked_and_forgotten_after_their_time(
    as_alice: APIClient, settings: Any
) -> None:
    head = {"Idempotency-Key": "5b7c"}
    club = as_alice.post(API, CLUB, headers=head).json()["id"]
    made = as_alice.post(f"{API}{club}/invitations/", {"role": "player"}, headers=head)
    secret = made.json()["link"].split("=")[-1]
    assert not any(secret.encode() in bytes(row.answer) for row in SentRequest.objects.all())
    assert forget_sent_requests() == 0
    SentRequest.objects.update(created_at=timezone.now() - timedelta(days=3))
    assert forget_sent_requests() == 2
    settings.SECRET_KEY = "another"
    as_alice.post(API, CLUB, headers=head)


def test_unreadable_answer_creates_nothing_twice(as_alice: APIClient, alice: User) -> None:
    as_alice.post(API, CLUB, headers={"Idempotency-Key": "5b7c"})
    browser_of(alice).post(PAGE, {**CLUB, FIELD: key_for(alice)})
    SentRequest.objects.update(answer=b"unreadable")
    assert as_alice.post(API, CLUB, headers={"Idempotency-Key": "5b7c"}).status_code == 409
    assert browser_of(alice).post(PAGE, {**CLUB, FIELD: key_for(alice)}).status_code == 302
    assert Club.objects.count() == 2


def test_every_view_of_the_api_takes_a_key() -> None:
    views = [pattern.callback for pattern in _patterns(api_router.urlpatterns)]
    classes = {getattr(view, "cls", None) or getattr(view, "view_class", None) for view in views}
    others = {
        each.__name__ for each in classes if each is not None and not issubclass(each, ExactView)
    }
    assert others == {"APIRootView", "SpectacularJSONAPIView", "SpectacularSwaggerSplitView"}, (
        "none of them writes"
    )


def _patterns(patterns: Any) -> Any:
    for each in patterns:
        yield from _patterns(each.url_patterns) if isinstance(each, URLResolver) else [each]
