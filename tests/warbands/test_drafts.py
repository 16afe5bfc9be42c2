"""Drafts of rosters: filling up, names, what the API makes of them, and that a change costs the
same however long."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec.structs import replace
from rest_framework.test import APIClient

from rulebook.book.names import suggested_name
from rulebook.chronicle.facts import Arranged
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState
from rulebook.registry import find_ruleset, newest_ruleset, rulesets
from tests.conftest import api_of
from warbands.drafts.values import Draft, DraftRecruit, drafted, facts_of
from warbands.models import ChronicleEntry, RosterDraft, Warband
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.verification import prove
from warbands.services.warbands import muster_warband

pytestmark = pytest.mark.one_database

Sent = tuple[str, dict[str, Any]]
"""The end of an address and the body that is sent there."""
EN_GARDE = newest_ruleset("en-garde")
SYSTEMS = rulesets()
"""Without the toy, which the tests of this folder enter in the registry."""
WARBAND = WarbandState(ruleset="en-garde", edition=EN_GARDE.edition, faction="landsknechts")


def test_every_faction_of_every_system_has_names_enough_and_none_twice() -> None:
    for rules in SYSTEMS:
        for faction in rules.catalogue({})["factions"]:
            taken: set[str] = set()
            for place in range(60):
                profile = faction["profiles"][place % len(faction["profiles"])]["key"]
                build = rules.bare_build(faction["key"], profile)
                name = suggested_name(rules.names, faction["key"], build, taken, Random(place))
                assert name and name not in taken, (rules.key, faction["key"])
                taken.add(name)


@pytest.fixture
def haufen(bob: User) -> Warband:
    return muster_warband(
        user=bob, ruleset="en-garde", faction="landsknechts", name="Der helle Haufen"
    )


@pytest.fixture
def as_bob(bob: User) -> APIClient:
    return api_of(bob)


@pytest.mark.django_db
def test_a_script_drafts_a_roster_and_records_it_once(
    as_bob: APIClient, haufen: Warband, alice: User
) -> None:
    base = f"/api/v1/warbands/{haufen.pk}/draft/"
    oberst = {"profile": "landsknechts/oberst"}
    changes = [
        {"do": "add", "build": oberst, "name": "Götz"},
        {"do": "limit", "points": 300},
        {"do": "fill"},
        {"do": "name-all"},
    ]
    sent = {"changes": changes, "client_id": str(uuid4())}
    page = as_bob.post(base, sent, format="json").json()
    assert (page["points"], page["limit"], page["version"]) == (300, 300, 1)
    assert page["said"].startswith("Added ")
    assert as_bob.post(base, sent, format="json").json()["version"] == 1, "sent twice, done once"
    wrong = as_bob.post(base, {"changes": [{"do": "dance"}]}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "unreadable-change")
    late = as_bob.post(f"{base}record/", {"version": 0}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "draft-went-on")
    saved = as_bob.post(f"{base}save-template/", {"name": "Core"}, format="json")
    assert (saved.status_code, saved.json()["points"]) == (201, 300)
    recorded = as_bob.post(f"{base}record/", {"version": 1}, format="json").json()
    assert (recorded["points"], len(recorded["fighters"])) == (300, page["fighters"])
    assert prove(Warband.objects.get(pk=haufen.pk)) == []
    (template,) = as_bob.get("/api/v1/roster-templates/").json()
    assert (
        as_bob.post(f"{base}use-template/", {"template": template["id"]}, format="json").json()[
            "points"
        ]
        == 600
    )
    assert as_bob.post(f"{base}undo/", {"all_of_it": True}, format="json").json()["points"] == 300
    stranger = api_of(alice)
    assert stranger.get("/api/v1/roster-templates/").json() == []
    assert stranger.delete(f"/api/v1/roster-templates/{template['id']}/").status_code == 404
    assert as_bob.delete(f"/api/v1/roster-templates/{template['id']}/").status_code == 204


ADD = {"changes": [{"do": "add", "build": {"profile": "landsknechts/landsknecht"}, "count": 2}]}
ANOTHER = {"changes": [{"do": "add", "build": {"profile": "landsknechts/landsknecht"}, "count": 3}]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "repeat", "other"),
    [
        (("", ADD), ("", {**ADD, "version": 9}), ("", ANOTHER)),
        (("", ADD), ("", ADD), ("undo/", {})),
        (("undo/", {}), ("undo/", {"all_of_it": False}), ("undo/", {"all_of_it": True})),
        (
            ("record/", {}),
            ("record/", {"version": 9, "overrule": ""}),
            ("record/", {"overrule": "They may."}),
        ),
        (("record/", {}), ("record/", {}), ("", ANOTHER)),
    ],
)
def test_draft_refuses_client_id_of_another_request(
    as_bob: APIClient, haufen: Warband, first: Sent, repeat: Sent, other: Sent
) -> None:
    base, key = f"/api/v1/warbands/{haufen.pk}/draft/", str(uuid4())
    as_bob.post(
        base,
        {"changes": [{"do": "add", "build": {"profile": "landsknechts/oberst"}}]},
        format="json",
    )

    def send(request: Sent) -> Any:
        path, body = request
        return as_bob.post(f"{base}{path}", {**body, "client_id": key}, format="json")

    assert (send(first).status_code, send(repeat).status_code) == (200, 200)
    before = as_bob.get(base).json()
    refused = send(other)
    assert (refused.status_code, refused.json()["code"]) == (409, "client-id-reused")
    assert refused.json()["errors"][0]["field"] == "/client_id"
    assert as_bob.get(base).json() == before


@pytest.mark.django_db
def test_draft_answers_client_ids_that_were_kept_without_a_digest(
    as_bob: APIClient, haufen: Warband
) -> None:
    base, key = f"/api/v1/warbands/{haufen.pk}/draft/", str(uuid4())
    as_bob.post(base, {**ADD, "client_id": key}, format="json")
    RosterDraft.objects.update(carried_out=[key])
    assert as_bob.post(base, {**ANOTHER, "client_id": key}, format="json").json()["fighters"] == 2


LANDSKNECHT = {"profile": "landsknechts/landsknecht"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("refused_change", "field"),
    [
        (
            {"do": "add", "build": {**LANDSKNECHT, "equipment": ["teapot"]}},
            "/changes/1/build/equipment",
        ),
        ({"do": "add", "build": {"profile": "landsknechts/dragon"}}, "/changes/1/build/profile"),
        ({"do": "add", "build": LANDSKNECHT, "count": 51}, "/changes/1/count"),
        ({"do": "add", "build": LANDSKNECHT, "name": "A" * 101}, "/changes/1/name"),
        (
            {"do": "equip", "fighters": [], "build": {"profile": "landsknechts/dragon"}},
            "/changes/1/build/profile",
        ),
        ({"do": "copy", "fighter": "nobody"}, "/changes/1/fighter"),
        ({"do": "appoint", "post": "cook", "fighter": "soldier"}, "/changes/1/post"),
        ({"do": "limit", "points": 0}, "/changes/1/points"),
    ],
)
def test_refused_change_is_named_by_its_whole_pointer(
    as_bob: APIClient, haufen: Warband, bob: User, refused_change: dict[str, Any], field: str
) -> None:
    recruit_fighters(warband_id=haufen.pk, fighters=[NewFighter(LANDSKNECHT)], user=bob)
    if refused_change.get("fighter") == "soldier":
        refused_change = {**refused_change, "fighter": str(haufen.fighters.get().pk)}
    changes = [{"do": "limit", "points": 300}, refused_change]
    answer = as_bob.post(
        f"/api/v1/warbands/{haufen.pk}/draft/", {"changes": changes}, format="json"
    )
    assert [line["field"] for line in answer.json()["errors"]] == [field]


@pytest.mark.django_db
def test_post_that_is_not_for_a_fighter_is_named_in_its_change(
    as_bob: APIClient, bob: User
) -> None:
    warband = muster_warband(
        user=bob, ruleset="en-garde", faction="conquistadors", name="Los Perdidos"
    )
    recruit_fighters(
        warband_id=warband.pk,
        fighters=[NewFighter({"profile": "conquistadors/warhound"})],
        user=bob,
    )
    appoint = {"do": "appoint", "post": "leader", "fighter": str(warband.fighters.get().pk)}
    answer = as_bob.post(
        f"/api/v1/warbands/{warband.pk}/draft/", {"changes": [appoint]}, format="json"
    )
    assert [line["field"] for line in answer.json()["errors"]] == ["/changes/0/post"]


@pytest.mark.django_db
def test_a_price_and_names_are_asked_for_without_a_trace(
    as_bob: APIClient, haufen: Warband
) -> None:
    base, entries = f"/api/v1/warbands/{haufen.pk}/draft/", ChronicleEntry.objects.count()
    build = {"profile": "landsknechts/doppelsoldner", "options": {"exchange-pike": "halberd"}}
    priced = as_bob.post(f"{base}price/", {"build": build}, format="json").json()
    assert priced["sheet"]["points"] == 23
    names = as_bob.get(f"{base}names/?count=7&profile=landsknechts/oberst").json()["names"]
    assert len(set(names)) == 7
    assert ChronicleEntry.objects.count() == entries


@pytest.mark.django_db
def test_a_change_and_a_record_take_as_many_queries_for_twenty_as_for_four(
    as_bob: APIClient, bob: User
) -> None:
    def queries(count: int) -> list[int]:
        warband = muster_warband(
            user=bob, ruleset="en-garde", faction="landsknechts", name=f"Of {count}"
        )
        build: dict[str, Any] = {"profile": "landsknechts/landsknecht"}
        recruit_fighters(warband_id=warband.pk, fighters=[NewFighter(build, count=count)], user=bob)
        base = f"/api/v1/warbands/{warband.pk}/draft/"
        changes = [{"do": "add", "build": build, "count": count}, {"do": "name-all"}]
        names = {
            str(key): f"Number {place}"
            for place, key in enumerate(warband.fighters.values_list("pk", flat=True))
        }
        counted = []
        for path, sent in (
            (base, {"changes": changes}),
            (base, {"changes": [{"do": "name", "names": names}]}),
            (f"{base}record/", {}),
        ):
            with CaptureQueriesContext(connection) as captured:
                assert as_bob.post(path, sent, format="json").status_code == 200
            counted.append(len(captured))
        return counted

    assert queries(20) == queries(4)


def recruits(*profiles: str) -> Draft:
    """Return a draft of these profiles, whose ids are their keys."""
    joining = (DraftRecruit(each, {"profile": f"landsknechts/{each}"}) for each in profiles)
    return Draft(joining=tuple(joining))


def test_draft_orders_a_new_roster_by_rank() -> None:
    draft = recruits("landsknecht", "oberst", "doppelsoldner")
    state = drafted(draft, WARBAND)
    assert [*state.fighters] == ["oberst", "doppelsoldner", "landsknecht"]
    more = drafted(recruits("hauptmann"), state)
    assert [*more.fighters] == ["oberst", "hauptmann", "doppelsoldner", "landsknecht"]


def test_draft_keeps_the_order_that_a_player_chose() -> None:
    state = drafted(recruits("oberst", "landsknecht"), WARBAND)
    own = step(state, Arranged(order=("landsknecht", "oberst")), find_ruleset).state
    more = drafted(recruits("hauptmann"), own)
    assert [*more.fighters] == ["landsknecht", "oberst", "hauptmann"]


def test_draft_orders_recruits_of_a_warband_that_has_fought() -> None:
    state = replace(drafted(recruits("oberst", "landsknecht"), WARBAND), games_played=2)
    more = drafted(recruits("hauptmann"), state)
    assert [*more.fighters] == ["oberst", "hauptmann", "landsknecht"]


def test_draft_facts_match_its_changes() -> None:
    assert Draft().empty and Draft(limit=300).empty
    draft = Draft(joining=(DraftRecruit("a", {"profile": "landsknechts/oberst"}),))
    assert not draft.empty
    assert facts_of(Draft(), WARBAND) == []
    (fact,) = facts_of(draft, WARBAND)
    assert [each.name for each in fact.recruits] == ["Oberst 1"]
