"""Invalid input is refused with a stable code, the field, the value and a way out; nothing changes."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from campaigns.models import Campaign
from tests.warbands.conftest import fight, fighter_of
from warbands.models import ChronicleEntry, Warband

pytestmark = pytest.mark.one_database

LONG = "x" * 101
DEEP: Any = {}
for _ in range(20):
    DEEP = {"a": DEEP}

NEW = {"ruleset": "toy", "faction": "reds", "name": "x"}
RECRUIT = {"profile": "recruit"}
JOIN, RISE = "warbands/{warband}/fighters/", "fighters/{fighter}/rank-ups/"


def one(build: Any, **more: Any) -> dict[str, Any]:
    """Return the body to recruit one fighter."""
    return {"fighters": [{"build": build, **more}]}


BAD: list[tuple[str, str, Any, str, str]] = [
    # method and path, body, code of the first error, its field
    ("post", "warbands/", {}, "required", "ruleset"),
    ("post", "warbands/", [], "invalid", ""),
    ("post", "warbands/", NEW | {"ruleset": "chess"}, "unknown-ruleset", "ruleset"),
    ("post", "warbands/", NEW | {"faction": "greens"}, "unknown-list", "faction"),
    ("post", "warbands/", NEW | {"name": LONG}, "max_length", "name"),
    ("post", "warbands/", NEW | {"name": " "}, "blank", "name"),
    ("post", "warbands/", NEW | {"extras": []}, "not_a_dict", "extras"),
    ("post", "warbands/", NEW | {"extras": {"gun": 1}}, "unknown-extra", "extras.gun"),
    ("post", "warbands/", NEW | {"extras": DEEP}, "unstorable-json", "extras"),
    ("post", "warbands/", NEW | {"visibility": "no"}, "invalid_choice", "visibility"),
    ("patch", "warbands/{warband}/", {"name": ""}, "blank", "name"),
    ("patch", "warbands/{warband}/", {"name": None}, "null", "name"),
    ("patch", "warbands/{warband}/", {"story": "x" * 20_001}, "max_length", "story"),
    ("patch", "warbands/{warband}/", {"visibility": 3}, "invalid_choice", "visibility"),
    ("post", "warbands/{warband}/copy/", {"name": LONG}, "max_length", "name"),
    ("post", "warbands/{warband}/copy/", {"starting": "perhaps"}, "invalid", "starting"),
    ("post", "warbands/{warband}/archive/", {"archived": "perhaps"}, "invalid", "archived"),
    ("post", "warbands/{warband}/hand-over/", {}, "required", "player"),
    ("post", "warbands/{warband}/hand-over/", {"player": ""}, "blank", "player"),
    ("post", "warbands/{warband}/hand-over/", {"player": ["bob"]}, "invalid", "player"),
    ("post", "warbands/{warband}/hand-over/", {"player": LONG * 2}, "max_length", "player"),
    ("post", "warbands/{warband}/hand-over/", {"player": "nobody"}, "unknown-player", "player"),
    ("post", "warbands/{warband}/furnish/", {}, "required", "extras"),
    ("post", "warbands/{warband}/furnish/", {"extras": {"gun": 2}}, "unknown-extra", "extras.gun"),
    (
        "post",
        "warbands/{warband}/furnish/",
        {"extras": {}, "reason": "x" * 301},
        "max_length",
        "reason",
    ),
    (
        "post",
        "warbands/{warband}/furnish/",
        {"extras": {}, "sequence": -1},
        "min_value",
        "sequence",
    ),
    ("post", "warbands/{warband}/appoint/", {"leader": "Jack"}, "invalid", "leader"),
    ("post", JOIN, {}, "required", "fighters"),
    ("post", JOIN, {"fighters": []}, "empty", "fighters"),
    ("post", JOIN, {"fighters": {"build": {}}}, "not_a_list", "fighters"),
    ("post", JOIN, {"fighters": [{}]}, "required", "fighters.0.build"),
    ("post", JOIN, one("recruit"), "not_a_dict", "fighters.0.build"),
    ("post", JOIN, one({}), "required", "fighters.0.build.profile"),
    ("post", JOIN, one({"profile": 10**40}), "unstorable-json", "fighters.0.build"),
    ("post", JOIN, one(RECRUIT, count=0), "min_value", "fighters.0.count"),
    ("post", JOIN, one(RECRUIT, count=51), "max_value", "fighters.0.count"),
    ("post", JOIN, one(RECRUIT, client_id="1"), "invalid", "fighters.0.client_id"),
    ("patch", "fighters/{fighter}/", {"name": LONG}, "max_length", "name"),
    ("put", "fighters/{fighter}/build/", {}, "required", "build"),
    (
        "put",
        "fighters/{fighter}/build/",
        {"build": {"profile": "dragon"}},
        "not-a-choice",
        "build.profile",
    ),
    (
        "put",
        "fighters/{fighter}/build/",
        {"build": {"profile": "recruit", "options": "x"}},
        "not-a-choice",
        "build.options",
    ),
    ("post", "fighters/{fighter}/leave/", {}, "required", "reason"),
    ("post", "fighters/{fighter}/leave/", {"reason": "bored"}, "invalid_choice", "reason"),
    ("post", "fighters/{fighter}/adjust/", {"experience": 1}, "required", "reason"),
    ("post", "fighters/{fighter}/adjust/", {"experience": 1, "reason": " "}, "blank", "reason"),
    (
        "post",
        "fighters/{fighter}/adjust/",
        {"experience": 101, "reason": "x"},
        "max_value",
        "experience",
    ),
    (
        "post",
        "fighters/{fighter}/adjust/",
        {"experience": "many", "reason": "x"},
        "invalid",
        "experience",
    ),
    (
        "post",
        "fighters/{fighter}/adjust/",
        {"fate": "bored", "reason": "x"},
        "invalid_choice",
        "fate",
    ),
    ("post", RISE, {}, "required", "step"),
    ("post", RISE, {"step": "emperor"}, "unknown-step", "step"),
    ("post", RISE, {"step": "veteran", "picks": []}, "not_a_dict", "picks"),
    ("post", RISE, {"step": "veteran", "picks": {"option": "wand"}}, "not-a-choice", "options"),
]


@pytest.mark.parametrize(("method", "path", "body", "code", "field"), BAD)
def test_bad_input_is_named_and_nothing_is_written(
    reds: Warband, as_bob: APIClient, method: str, path: str, body: Any, code: str, field: str
) -> None:
    entries = ChronicleEntry.objects.count()
    address = "/api/v1/" + path.format(warband=reds.pk, fighter=fighter_of(reds, "Jack").pk)
    answer = getattr(as_bob, method)(address, body)
    assert answer.status_code == 400, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    errors = answer.json()["errors"]
    assert (errors[0]["code"], errors[0]["field"]) == (
        code,
        "".join(f"/{step}" for step in field.split(".") if step),
    )
    assert errors[0]["detail"]
    assert ChronicleEntry.objects.count() == entries
    assert Warband.objects.count() == 1


def test_problems_name_kinds_as_json_does(reds: Warband, as_bob: APIClient) -> None:
    """Neither Python's dictionaries nor its types are named."""
    address = f"/api/v1/{JOIN.format(warband=reds.pk)}"
    bodies: tuple[Any, ...] = (one("recruit"), [], {"fighters": {}})
    details = [as_bob.post(address, body).json()["errors"][0]["detail"] for body in bodies]
    assert details == [
        "This must be an object, not a text.",
        "This must be an object, not a list.",
        "This must be a list, not an object.",
    ]


def test_recruiting_other_fighters_under_a_client_id_is_a_conflict(
    reds: Warband, as_bob: APIClient
) -> None:
    address, key = f"/api/v1/{JOIN.format(warband=reds.pk)}", "3f0c1a52-7f0f-4b21-9d1f-1f1f3a0b7c11"
    assert as_bob.post(address, one(RECRUIT, client_id=key)).status_code == 201
    other = as_bob.post(address, one({"profile": "veteran"}, client_id=key))
    assert (other.status_code, other.json()["code"]) == (409, "fighter-differs")
    assert other.json()["errors"][0]["field"] == "/fighters/0/client_id"


def test_missing_page_names_the_last(reds: Warband, as_bob: APIClient) -> None:
    answer = as_bob.get("/api/v1/warbands/?page=99")
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "There is no page 99; the last is 1.",
    )


def test_unknown_scheme_gets_sign_in_hint() -> None:
    answer = APIClient().get("/api/v1/me/", HTTP_AUTHORIZATION="Basic x")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert "send `Authorization: Token ...`" in answer.json()["detail"]


def test_api_refuses_invalid_json(reds: Warband, as_bob: APIClient) -> None:
    answer = as_bob.post("/api/v1/warbands/", data='{"name": NaN', content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


@pytest.mark.parametrize("half", [r"\ud800", r"\u0000"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        (JOIN, '{"fighters": [{"build": {"profile": "%s"}}]}'),
        (JOIN, '{"fighters": [{"build": {"%s": 1}}]}'),
        (JOIN, '{"fighters": [{"build": {"profile": "recruit"}, "name": "%s"}]}'),
        ("warbands/{warband}/furnish/", '{"extras": {"%s": true}}'),
        ("warbands/", '{"ruleset": "%s", "faction": "reds", "name": "x"}'),
    ],
)
def test_what_no_text_can_hold_is_refused(
    reds: Warband, as_bob: APIClient, path: str, body: str, half: str
) -> None:
    address = "/api/v1/" + path.format(warband=reds.pk)
    answer = as_bob.post(address, data=body % half, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("campaign=17", "campaign"),
        ("mine=perhaps", "mine"),
        ("ordering=shoe_size", "ordering"),
        ("search=a%00b", "search"),
        ("visibility=secret", "visibility"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(
    reds: Warband, as_bob: APIClient, query: str, field: str
) -> None:
    answer = as_bob.get(f"/api/v1/warbands/?{query}")
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, f"?{field}")


def test_a_page_that_is_not_there_is_not_found(reds: Warband, as_bob: APIClient) -> None:
    assert as_bob.get("/api/v1/warbands/?page=99").status_code == 404


# What the rules refuse


@pytest.fixture
def in_play(reds: Warband, campaign: Campaign) -> Warband:
    fight(reds)
    return reds


def test_refused_recruit_lists_problems_and_ways_out(in_play: Warband, as_bob: APIClient) -> None:
    body = {"fighters": [{"build": {"profile": "veteran"}, "count": 4}]}
    answer = as_bob.post(f"/api/v1/warbands/{in_play.pk}/fighters/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "illegal-roster")
    assert [error["code"] for error in answer.json()["errors"]] == ["over-points", "late-veteran"]
    assert answer.json()["errors"][0]["value"] == "66"
    assert "override" in answer.json()["detail"]
    assert len(answer.json()["errors"][1]["fighters"]) == 4


def test_a_locked_roster_says_so(in_play: Warband, as_bob: APIClient) -> None:
    jack = fighter_of(in_play, "Jack").pk
    answers = [
        as_bob.put(f"/api/v1/fighters/{jack}/build/", {"build": {"profile": "veteran"}}),
        as_bob.post(f"/api/v1/fighters/{jack}/leave/", {"reason": "struck"}),
        as_bob.post(f"/api/v1/warbands/{in_play.pk}/furnish/", {"extras": {"banner": True}}),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (400, "roster-locked")
    ] * 3


def test_an_unaffordable_step_says_what_is_wanting(in_play: Warband, as_bob: APIClient) -> None:
    jack = fighter_of(in_play, "Jack").pk
    answer = as_bob.post(f"/api/v1/fighters/{jack}/rank-ups/", {"step": "veteran"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unaffordable-rank-up")
    assert answer.json()["errors"][0]["detail"] == "Jack has 1 experience; Veteran costs 3."


def test_a_lost_race_is_a_conflict(in_play: Warband, as_bob: APIClient) -> None:
    jack = fighter_of(in_play, "Jack").pk
    stale = {"sequence": 1}
    answers = [
        as_bob.post(f"/api/v1/warbands/{in_play.pk}/fighters/", one(RECRUIT) | stale),
        as_bob.post(f"/api/v1/warbands/{in_play.pk}/furnish/", {"extras": {}, **stale}),
        as_bob.put(f"/api/v1/fighters/{jack}/build/", {"build": {"profile": "veteran"}, **stale}),
        as_bob.post(f"/api/v1/fighters/{jack}/leave/", {"reason": "retired", **stale}),
        as_bob.post(f"/api/v1/fighters/{jack}/rank-ups/", {"step": "veteran", **stale}),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [
        (409, "chronicle-went-on")
    ] * 5


def test_an_archived_warband_is_changed_by_nobody(reds: Warband, as_bob: APIClient) -> None:
    as_bob.post(f"/api/v1/warbands/{reds.pk}/archive/", {})
    answer = as_bob.patch(f"/api/v1/warbands/{reds.pk}/", {"name": "Ghosts"})
    assert (answer.status_code, answer.json()["code"]) == (400, "warband-archived")
