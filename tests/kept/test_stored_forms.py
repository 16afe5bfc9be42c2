"""Rows of earlier releases can be read, and released migrations do not change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.conf import settings

from rulebook.registry import newest_ruleset
from tests.kept import releases
from tests.kept.migrations import edited, fingerprints, what_to_do
from tests.kept.releases import kept_releases, read_json, released_version
from tests.kept.stored_forms import WHAT_TO_DO, form_of_stored, unreadable

Form = dict[str, Any]
EACH = pytest.mark.parametrize("folder", kept_releases(), ids=lambda folder: folder.name)
WOUND = f"event wound of en-garde {newest_ruleset('en-garde').edition}"
STEP = ("#RankedUp", "properties", "step")


def copy_of(form: Form) -> Form:
    copy: Form = msgspec.json.decode(msgspec.json.encode(form))
    return copy


def part(form: Form, *path: str) -> Any:
    return part(form[path[0]], *path[1:]) if path else form


@EACH
def test_stored_facts_and_events_stay_readable(folder: Path) -> None:
    reasons = unreadable(read_json(folder, releases.FORMS), form_of_stored())
    assert not reasons, "\n".join([*reasons, WHAT_TO_DO])


@EACH
def test_released_migrations_do_not_change(folder: Path) -> None:
    names = edited(read_json(folder, releases.MIGRATIONS), fingerprints())
    assert not names, f"{what_to_do(folder.name)}\n{', '.join(names)}"


def test_this_version_has_been_kept() -> None:
    version = settings.VERSION
    assert released_version(version) != version or (releases.FOLDER / version).is_dir(), (
        f"{version} is a release without a kept database: run `make keep-release`"
    )


def test_edited_and_missing_migrations_are_named() -> None:
    kept = {"clubs.0001_initial": "1", "clubs.0002_motto": "2"}
    assert edited(kept, {**kept, "clubs.0003_flag": "3"}) == []
    assert edited(kept, {"clubs.0001_initial": "4"}) == ["clubs.0001_initial", "clubs.0002_motto"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda form: part(form, "#RankedUp", "properties", "kind").update(enum=["rise"]),
            "fact 'ranked-up' is gone",
        ),
        (
            lambda form: part(form, "#RankedUp", "properties").pop("step"),
            "fact 'ranked-up': field 'step' is gone, or has another name",
        ),
        (
            lambda form: part(form, *STEP).update(default="sergeant"),
            "fact 'ranked-up': field 'step' has another default",
        ),
        (
            lambda form: part(form, *STEP).update(type="integer"),
            "fact 'ranked-up'.step was string and is integer",
        ),
        (
            lambda form: part(form, "#Recruit", "required").append("cost"),
            "fact 'recruited'.recruits[]: field 'cost' is new, and has no default",
        ),
        (
            lambda form: part(form, "#Fate", "enum").remove("dead"),
            "fact 'fought'.records[].fate no longer takes 'dead'",
        ),
        (lambda form: form.pop(WOUND), f"{WOUND} is gone"),
    ],
)
def test_changes_that_make_stored_rows_unreadable(
    change: Callable[[Form], Any], reason: str
) -> None:
    old, new = copy_of(form_of_stored()), copy_of(form_of_stored())
    change(new)
    assert unreadable(old, new)[:1] == [reason]


def test_changes_that_old_rows_bear() -> None:
    old, new = copy_of(form_of_stored()), copy_of(form_of_stored())
    part(new, "#RankedUp", "properties")["mentor"] = {"type": "string", "default": ""}
    part(new, "#Fate", "enum").append("lost-at-sea")
    new["event parley of en-garde 2"] = {"type": "object"}
    assert unreadable(old, new) == []


def test_choices_of_an_event_may_be_added_but_not_taken_away() -> None:
    old = {"event": {"type": "string", "pattern": "^(a|b)$"}}
    assert unreadable(old, {"event": {"type": "string", "pattern": "^(a|b|c)$"}}) == []
    assert unreadable(old, {"event": {"type": "string", "pattern": "^(a|c)$"}}) == [
        "event: pattern was ^(a|b)$ and is ^(a|c)$"
    ]
