"""Repeated requests get the answer that the schema declares, marked if a key was sent."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import api_of
from tests.permissions.conftest import PrivateWorld
from tests.permissions.every_route import filled
from tests.permissions.test_bad_input_everywhere import THINGS, Operation, operations
from tests.permissions.test_missing_fields import with_real_ids

pytestmark = [pytest.mark.one_database]


def requests_of(operation: Operation, private: PrivateWorld) -> list[dict[str, Any]]:
    """Return bodies that may be accepted: examples with ids of the private world, and an empty
    one.
    """
    example = with_real_ids(operation.example(), private)
    if operation.path.endswith("/warbands/{warband_id}/fighters/"):
        build = {"profile": "cardinals-guard/guard"}
        example = {
            "fighters": [{"build": build, "client_id": str(uuid4())}],
            "overrule": "We agreed on it.",
        }
    if operation.path.endswith("/battles/{battle_id}/events/"):
        example = {"client_id": str(uuid4()), "kind": "note", "data": {"text": "As it was."}}
    return [example, {}]


def sent_twice(client: APIClient, address: str, body: dict[str, Any], key: str) -> list[Any]:
    """Return both answers, and roll back their changes."""
    headers = {"Idempotency-Key": key} if key else {}
    with transaction.atomic():
        answers = [
            client.generic("POST", address, json.dumps(body), "application/json", headers=headers)
            for _ in range(2)
        ]
        transaction.set_rollback(True)
    return answers


@pytest.mark.parametrize("key", ["", "once"])
def test_a_repeated_request_is_answered_as_declared(
    schema: dict[str, Any],
    private: PrivateWorld,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *_: True)
    client, repeated, wrong = api_of(alice), set(), []
    for operation in operations(schema):
        if operation.method != "post":
            continue
        address = filled(operation.path.replace("{", "<").replace("}", ">"), THINGS | private.ids)
        for body in requests_of(operation, private):
            first, second = sent_twice(client, address, body, key)
            if first.status_code >= 300 or second.status_code >= 300:
                continue
            repeated.add(operation.path)
            declared = operation.described["responses"]
            if not {str(first.status_code), str(second.status_code)} <= declared.keys():
                wrong.append(
                    f"{operation}: {first.status_code}, then {second.status_code}; declared: "
                    f"{[*declared]}"
                )
            if key and second.status_code == first.status_code:
                header = declared[str(second.status_code)].get("headers", {})
                if (
                    second.headers.get("Idempotency-Replayed") != "true"
                    or "Idempotency-Replayed" not in header
                ):
                    wrong.append(
                        f"{operation}: the repeated answer is not marked, or the mark is not "
                        "declared"
                    )
    assert wrong == []
    assert len(repeated) >= 15
    with_client_id = {"fighters/", "events/"}
    assert with_client_id <= {path.removesuffix("/").rpartition("/")[2] + "/" for path in repeated}
