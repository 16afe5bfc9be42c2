"""Requests that Schemathesis makes up from our schema, sensible ones and odd ones, by three roles.

Whatever is sent: no fault, an answer as the schema describes it, for each refusal a problem with a
code that docs/api-errors.md knows, and nothing of a private club for a stranger. What a request writes is
taken back, so that each finds the same world.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import ceil
from typing import Any

import hypothesis
import pytest
from django.contrib.auth.models import User
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import transaction
from hypothesis import strategies
from knox.models import AuthToken
from rest_framework.throttling import SimpleRateThrottle

from core.api.negotiation import PROBLEM_TYPE
from tests.house.test_codes import told_codes
from tests.permissions.conftest import SECRET, PrivateWorld
from tests.permissions.test_bad_input_everywhere import THINGS

pytestmark = pytest.mark.one_database

ROLES = {"organiser": "alice", "player": "bob", "stranger": "charlie"}
PARTS = 25
IN_THE_SOAK, IN_A_SAMPLE = 400, 40
"""Requests of a part: `make soak` sends ten thousand in each role."""
SPARE = 1.1
"""An address without parameters and body has fewer requests than are wanted of each."""
# Each role begins elsewhere, so that a sample of one part for each role asks different operations.
SHARES = [
    (role, (part + 8 * place) % PARTS) for place, role in enumerate(ROLES) for part in range(PARTS)
]
CODES = told_codes()
Complaint = Callable[[Any, Any], str]


@pytest.fixture
def api(schema: dict[str, Any], private: PrivateWorld, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the API for Schemathesis, in this process.

    Each id that it makes up may be replaced by one of the private club.
    """
    import schemathesis  # it takes a second, and other tests of this process do without

    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    # Both would close the connection with this test's transaction.
    for signal in (request_started, request_finished):
        monkeypatch.setattr(signal, "send", lambda *_, **__: [])
    # Sort by name: otherwise each run would use another first example.
    ids = [key for _, key in sorted(private.ids.items()) if len(key) == 36]
    schemathesis.openapi.format("uuid", strategies.sampled_from(ids) | strategies.uuids().map(str))
    described = schemathesis.openapi.from_dict(schema)
    described.app = get_wsgi_application()
    return described


def known_places(path: str, ids: dict[str, str]) -> dict[str, str]:
    """Return the values for the brackets of a path: `/clubs/{id}/` gets the club's id."""
    return {
        name: ids[before] if before in ids else ids[name]
        for before, part in pairwise(path.split("/"))
        for name in re.findall(r"{(\w+)}", part)
    }


@pytest.fixture
def signed_in(private: PrivateWorld) -> Callable[[str], dict[str, str]]:
    """Return a function that returns the headers of a signed-in user."""
    return lambda name: {
        "Authorization": f"Token {AuthToken.objects.create(User.objects.get(username=name))[1]}"
    }


def send(
    operation: Any,
    places: dict[str, str],
    headers: dict[str, str],
    number: int,
    seed: int,
    complaint: Complaint,
) -> int:
    """Send at most this number of requests to an operation, valid and odd; return their number.

    Raises AssertionError for the first wrong answer.
    """
    from schemathesis import GenerationMode

    sent = 0

    @hypothesis.settings(
        max_examples=number,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.seed(seed)
    @hypothesis.given(
        strategies.one_of(
            *(
                operation.as_strategy(generation_mode=mode, path_parameters=places)
                for mode in GenerationMode
            )
        )
    )
    def try_it(case: Any) -> None:
        nonlocal sent
        sent += 1
        with transaction.atomic():
            # The client that Schemathesis has for WSGI does not unpack.
            answer = case.call(headers=headers | {"Accept-Encoding": "identity"})
            transaction.set_rollback(True)
        problem = complaint(case, answer)
        assert not problem, f"{case.as_curl_command()}\n{answer.status_code} {problem}"

    try_it()
    return sent


def wrong(case: Any, answer: Any, *, secretive: bool) -> str:
    """Return what is wrong with an answer; "" for nothing."""
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
    )

    stated = case.operation.definition.raw["responses"]
    if answer.status_code >= 500:
        return "is a fault"
    if secretive and SECRET.encode() in answer.content:
        return "tells a stranger what is private"
    if answer.status_code >= 400:
        problem = answer.json() if answer.headers["content-type"] == [PROBLEM_TYPE] else {}
        if problem.get("code") not in CODES:
            return f"has no code that is documented: {answer.content[:300]}"
    elif str(answer.status_code) not in stated:
        return "is not among the answers of the schema"
    checks = [content_type_conformance]
    # With `?fields=`, an answer has only what was asked for.
    if not (case.query or {}).get("fields"):
        checks.append(response_schema_conformance)
    try:
        case.validate_response(answer, checks=checks)
    except BaseExceptionGroup as failures:
        return " ".join(map(str, failures.exceptions))
    return ""


@pytest.mark.soak(
    "requests made up from the schema for each of three roles", each=IN_THE_SOAK, sample=3
)
@pytest.mark.parametrize(("role", "part"), SHARES)
def test_whatever_is_made_up_from_the_schema_is_answered_as_it_says(
    role: str,
    part: int,
    api: Any,
    private: PrivateWorld,
    signed_in: Callable[[str], dict[str, str]],
    pytestconfig: pytest.Config,
) -> None:
    number = IN_THE_SOAK if pytestconfig.getoption("soak") else IN_A_SAMPLE
    operations = [result.ok() for result in api.get_all_operations()][part::PARTS]
    headers = signed_in(ROLES[role])
    of_each = ceil(SPARE * number / len(operations))
    seed, complaint = SHARES.index((role, part)), partial(wrong, secretive=role == "stranger")
    sent, faults = 0, []
    for operation in operations:
        places = known_places(operation.path, THINGS | private.ids)
        try:
            sent += send(operation, places, headers, of_each, seed, complaint)
        except AssertionError as fault:
            faults.append(f"{role}: {fault}")
    assert not faults, "\n\n".join(faults)
    assert sent >= number
