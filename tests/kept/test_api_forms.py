"""Programs that use the API of an earlier release need no change."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.kept import releases
from tests.kept.api_forms import WHAT_TO_DO, form_of_api, no_longer_served
from tests.kept.releases import kept_releases, read_json

Form = dict[str, Any]
CLUB, FOUND = "#/components/schemas/Club", "#/components/schemas/ClubFoundRequest"
FOUNDING = "POST /api/v1/clubs/"


@pytest.mark.parametrize("folder", kept_releases(), ids=lambda folder: folder.name)
def test_api_of_earlier_release_is_still_served(folder: Path, schema: Form) -> None:
    reasons = no_longer_served(read_json(folder, releases.API), form_of_api(schema))
    assert not reasons, "\n".join([*reasons, WHAT_TO_DO])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda form: form.pop(FOUNDING), f"{FOUNDING} is gone"),
        (
            lambda form: form["GET /api/v1/clubs/"]["properties"].pop("page_size"),
            "GET /api/v1/clubs/: field 'page_size' is gone, or has another name",
        ),
        (
            lambda form: form[FOUND]["properties"].pop("story"),
            f"{FOUNDING} body: field 'story' is gone, or has another name",
        ),
        (
            lambda form: form[FOUND]["required"].append("motto"),
            f"{FOUNDING} body: field 'motto' is new, and has no default",
        ),
        (
            lambda form: form[FOUND]["properties"]["name"].update(maxLength=9),
            f"{FOUNDING} body.name: maxLength was 100 and is 9",
        ),
        (
            lambda form: form[CLUB]["properties"].pop("story"),
            "GET /api/v1/clubs/ answer 200.results[]: field 'story' is gone, or has another name",
        ),
        (
            lambda form: form[CLUB]["properties"]["name"].update(type=["string", "null"]),
            "GET /api/v1/clubs/ answer 200.results[].name was string and is null or string",
        ),
    ],
)
def test_changes_that_programs_notice(
    change: Callable[[Form], Any], reason: str, schema: Form
) -> None:
    old, new = form_of_api(schema), deepcopy(form_of_api(schema))
    change(new)
    assert no_longer_served(old, new)[:1] == [reason]


def test_changes_that_programs_bear(schema: Form) -> None:
    old, new = form_of_api(schema), deepcopy(form_of_api(schema))
    new[CLUB]["properties"]["motto"] = new[FOUND]["properties"]["motto"] = {"type": "string"}
    new[CLUB]["required"].append("motto")
    new["GET /api/v1/mottos/"] = {"type": "object"}
    assert no_longer_served(old, new) == []
