"""Every route, page or API, by every method, in six roles, compared with matrix.txt."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import PASSWORD, browser_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import METHODS, filled, routes
from tests.permissions.matrix import ROLES, expected, letter, row, rows, written
from tests.permissions.test_bad_input_everywhere import operations
from tests.permissions.test_every_route import THINGS

pytestmark = pytest.mark.one_database

PARTS = 72
Ask = Callable[[int, str, str], HttpResponseBase]


def share(part: int) -> list[str]:
    """Return the routes of one part. The first part also has those without a row."""
    lacking = [route for route in routes() if expected(route) is None]
    expected_routes = [route for route in routes() if expected(route) is not None]
    return expected_routes[part::PARTS] + (lacking if part == 0 else [])


@pytest.fixture
def ask(
    schema: dict[str, Any],
    private: PrivateWorld,
    alice: User,
    bob: User,
    charlie: User,
    dora: User,
    monkeypatch: pytest.MonkeyPatch,
) -> Ask:
    """Return a function that sends a request in a role, with the schema's example as its body.

    Changes are rolled back.
    """
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    staff = User.objects.create_superuser("support", password=PASSWORD)
    people = (None, charlie, dora, bob, alice, staff)
    cookies = [browser_of(user).cookies if user else {} for user in people]
    anything = {
        "content_type_id": str(ContentType.objects.get_for_model(User).pk),
        "object_id": str(staff.pk),
    }
    ids = THINGS | private.ids | anything
    bodies = {(shape(each.path), each.method): each.example() for each in operations(schema)}

    def ask(role: int, method: str, route: str) -> HttpResponseBase:
        client: Client | APIClient = APIClient() if route.startswith("/api/") else Client()
        client.raise_request_exception = False
        if isinstance(client, APIClient):
            client.force_authenticate(people[role])
        else:
            client.cookies.update(cookies[role])
        body = bodies.get((shape(route), method), {})
        kwargs = {"format": "json"} if body else {}
        cache.clear()
        with transaction.atomic():
            answer: HttpResponseBase = getattr(client, method)(filled(route, ids), body, **kwargs)
            transaction.set_rollback(True)
        return answer

    return ask


def shape(address: str) -> str:
    """Return a path with empty brackets, so that routes and the schema have the same form."""
    return "/".join("<>" if part.startswith(("<", "{")) else part for part in address.split("/"))


@pytest.mark.soak(
    "requests of the permission matrix, every route by every method in six roles",
    each=180,
    sample=1,
)
@pytest.mark.parametrize("part", range(PARTS))
def test_everybody_is_let_in_where_the_table_says_and_nowhere_else(part: int, ask: Ask) -> None:
    wrong = []
    for route in share(part):
        letters = {
            method: "".join(letter(ask(role, method, route)) for role in range(len(ROLES)))
            for method in METHODS
        }
        actual = row(route, letters)
        if actual != expected(route):
            wrong.append(f"{written(route, actual)}\n  and not {expected(route)}")
    assert not wrong, "Let in are now:\n" + "\n".join(wrong)


def test_no_row_of_the_table_is_of_a_route_that_is_gone() -> None:
    assert set(rows()) - set(routes()) == set()
