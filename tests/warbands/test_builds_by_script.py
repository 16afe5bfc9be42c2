"""The API alone shows a newcomer how to build a warband and log a battle."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from rulebook.registry import RULESETS, newest_ruleset

ROOT = "/api/v1/"
ODD_BUILDS: tuple[Any, ...] = (
    {"profile": "nonsense"},
    {"profile": 7},
    {"profile": ["unit"]},
    {"weapons": ["sword"]},
)

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
systems = pytest.mark.parametrize("key", RULESETS)


class Newcomer:
    """A client that knows a rule system only from its catalogue."""

    def __init__(self, client: APIClient, key: str) -> None:
        self.client = client
        self.catalogue = self.get(f"rulesets/{key}/")

    def get(self, address: str) -> Any:
        return self.client.get(ROOT + address).json()

    def send(self, address: str, body: Any, method: str = "post") -> Any:
        answer = getattr(self.client, method)(ROOT + address, body, format="json")
        assert answer.status_code < 300, (address, body, answer.content)
        return answer.json()

    def muster(self, name: str) -> dict[str, Any]:
        """Create a warband of the first list with its ready builds; without any, with its
        profiles.
        """
        faction = self.catalogue["factions"][0]["key"]
        warband = self.send(
            "warbands/", {"ruleset": self.catalogue["key"], "faction": faction, "name": name}
        )
        ready = [{"build": each["build"]} for each in self.catalogue["ready_builds"][faction]]
        forms = [{"build": each["build"]} for each in self.forms(faction)]
        self.send(f"warbands/{warband['id']}/fighters/", {"fighters": ready or forms})
        return warband

    def forms(self, faction: str) -> list[dict[str, Any]]:
        return [each for each in self.catalogue["build_fields"] if each["faction"] == faction]

    def fighters(self, warband: dict[str, Any]) -> list[str]:
        return [
            each["id"]
            for each in self.get(f"warbands/{warband['id']}/fighters/?page_size=200")["results"]
        ]

    def plan(self, *warbands: dict[str, Any]) -> str:
        """Start a battle of the first scenario for two sides, with everybody in the line-up."""
        scenario, roles = next(self.for_two())
        sides = [
            {"warband": each["id"], "role": role}
            for each, role in zip(warbands, roles, strict=True)
        ]
        plan = {
            "client_id": str(uuid4()),
            "scenario": scenario,
            "fought_on": "2026-03-07",
            "sides": sides,
        }
        battle: str = self.send("battles/", plan)["id"]
        for side, warband in zip("ab", warbands, strict=True):
            force = {"fighters": self.fighters(warband)}
            self.send(f"battles/{battle}/sides/{side}/combatants/", force, "put")
        self.send(f"battles/{battle}/start/", {})
        return battle

    def for_two(self) -> Iterator[tuple[str, list[str]]]:
        for each in self.catalogue["scenarios"]:
            roles = [role["key"] for role in each["roles"] for _ in range(role["least"])]
            if len(roles) == 2:
                yield each["key"], roles

    def event(self, key: str, battle: str) -> dict[str, Any]:
        """Return an event of this kind, with required fields filled in from their descriptions."""
        kind = next(each for each in self.catalogue["event_kinds"] if each["key"] == key)
        first, second = self.get(f"battles/{battle}/")["sides"]
        fighters = [first["combatants"][0]["fighter"], second["combatants"][0]["fighter"]]
        filled = {
            "combatant": lambda field: fighters.pop(0),
            "side": lambda field: first["key"],
            "choice": lambda field: field["choices"][0][0],
            "number": lambda field: field["least"] or 1,
            "text": lambda field: "As it was.",
        }
        data = {
            each["key"]: filled[each["kind"]](each) for each in kind["fields"] if each["required"]
        }
        return {"client_id": str(uuid4()), "kind": key, "data": data}


@pytest.fixture
def newcomer(as_alice: APIClient, key: str) -> Newcomer:
    return Newcomer(as_alice, key)


@systems
def test_a_newcomer_builds_two_warbands_and_logs_their_battle(newcomer: Newcomer, key: str) -> None:
    battle = newcomer.plan(newcomer.muster("First"), newcomer.muster("Second"))
    sheet = [each["key"] for each in newcomer.catalogue["event_kinds"] if not each["turn_by_turn"]]
    assert "note" in sheet
    newcomer.send(f"battles/{battle}/events/", newcomer.event("note", battle))
    settled = newcomer.send(f"battles/{battle}/submit/", {})
    assert settled["state"] == "confirmed"
    assert [line["kind"] for line in settled["log"]] == ["note"]


@systems
def test_a_fighter_of_every_profile_is_recruited_from_its_form(
    newcomer: Newcomer, key: str
) -> None:
    warband = newcomer.muster("All")
    for form in newcomer.forms(warband["faction"]):
        field = next(each for each in form["fields"] if each["key"] == "profile")
        build = {"profile": field["choices"][0][0]}
        assert build["profile"] == form["build"]["profile"] == field["default"]
        priced = newcomer.send(f"warbands/{warband['id']}/draft/price/", {"build": build})
        assert priced


@systems
@pytest.mark.parametrize("build", ODD_BUILDS)
def test_a_build_that_no_form_offers_recruits_nobody(
    newcomer: Newcomer, key: str, build: dict[str, Any]
) -> None:
    """Wherever a build is sent: the field is named with its value, and the way out."""
    warband = newcomer.muster("Odd")
    (fighter, *_), (field, value) = newcomer.fighters(warband), next(iter(build.items()))
    own = f"warbands/{warband['id']}/"
    for method, address, body, place in (
        ("post", f"{own}fighters/", {"fighters": [{"build": build}]}, "/fighters/0/build"),
        ("post", f"{own}draft/", {"changes": [{"do": "add", "build": build}]}, ""),
        ("post", f"{own}draft/price/", {"build": build}, ""),
        ("put", f"fighters/{fighter}/build/", {"build": build}, "/build"),
    ):
        answer = getattr(newcomer.client, method)(ROOT + address, body, format="json")
        assert answer.status_code == 400, (address, answer.content)
        (line, *_) = [
            each for each in answer.json()["errors"] if each["field"].endswith(f"/{field}")
        ]
        assert line["field"] == f"{place}/{field}" or not place
        assert line["detail"] and (not isinstance(value, str) or line["value"] == value)
    assert len(newcomer.fighters(warband)) == len(newcomer.fighters(newcomer.muster("Even")))


@systems
def test_a_build_without_a_profile_is_refused_where_there_are_several(
    newcomer: Newcomer, key: str
) -> None:
    """The form of a build says whether it must name its profile."""
    warband = newcomer.muster("Nameless")
    profile = next(
        each for each in newcomer.forms(warband["faction"])[0]["fields"] if each["key"] == "profile"
    )
    forms = newest_ruleset(key).build_forms
    assert profile["required"] is (len(forms) > 1)
    for build in ({}, {"profile": ""}):
        fighters = {"fighters": [{"build": build}]}
        answer = newcomer.client.post(
            f"{ROOT}warbands/{warband['id']}/fighters/", fighters, format="json"
        )
        if not profile["required"]:
            assert answer.status_code == 201
            continue
        (error,) = answer.json()["errors"]
        assert answer.status_code == 400 and error["code"] in ("no-profile", "required")
        assert error["field"] == "/fighters/0/build/profile"
        assert str(forms[0].fields[0].default).rpartition("/")[2] in error["detail"], "a way out"


@pytest.mark.parametrize("key", ["wards"])
@pytest.mark.parametrize("arm", ["general", "light-gun"])
def test_arm_without_bases_is_refused_with_bases(newcomer: Newcomer, key: str, arm: str) -> None:
    own = f"warbands/{newcomer.muster('Bases')['id']}/"
    for bases in (1, 4, 20):
        fighters = {"fighters": [{"build": {"arm": arm, "bases": bases}}]}
        answer = newcomer.client.post(f"{ROOT}{own}fighters/", fighters, format="json")
        (error,) = answer.json()["errors"]
        expected = (400, "arm-without-bases", "/fighters/0/build/bases", str(bases))
        assert (answer.status_code, error["code"], error["field"], error["value"]) == expected
    newcomer.send(
        f"{own}draft/", {"changes": [{"do": "add", "build": {"arm": "foot", "bases": 5}}]}
    )
    lots = [lot for section in newcomer.get(f"{own}draft/")["sections"] for lot in section["lots"]]
    (joining,) = [
        each["id"] for lot in lots for each in lot["fighters"] if each["build"]["bases"] == 5
    ]
    given = {"do": "give", "fighters": [joining], "field": "arm", "choice": arm}
    assert newcomer.send(f"{own}draft/", {"changes": [given]})["said"] == "Added to 1."


@systems
def test_a_list_of_no_game_musters_no_warband(as_alice: APIClient, key: str) -> None:
    answer = as_alice.post(
        f"{ROOT}warbands/", {"ruleset": key, "faction": "nonsense", "name": "Nobody"}
    )
    assert answer.status_code == 400
    assert [(each["field"], each["value"]) for each in answer.json()["errors"]] == [
        ("/faction", "nonsense")
    ]
    assert as_alice.get(f"{ROOT}rulesets/{key}/spreadsheet/?faction=nonsense").status_code == 400


@systems
def test_help_says_how_fighters_and_sides_are_written(newcomer: Newcomer, key: str) -> None:
    battle = newcomer.plan(newcomer.muster("First"), newcomer.muster("Second"))
    sides = newcomer.get(f"battles/{battle}/")["sides"]
    assert sides[0]["key"] == "a" and sides[0]["combatants"][0]["fighter"]
    hints = {
        "combatant": "`fighter` of each",
        "list": "fighter IDs",
        "side": "such as “a”",
        "group": "`group` of each combatant",
    }
    kinds = set()
    for kind in newcomer.catalogue["event_kinds"]:
        for field in kind["fields"]:
            if field["kind"] in hints and not field["choices"]:
                kinds.add(field["kind"])
                assert hints[field["kind"]] in field["help"], (kind["key"], field["key"])
    assert {"combatant", "side"} <= kinds


@pytest.mark.parametrize("key", ["wards"])
def test_a_newcomer_names_wards_in_events(newcomer: Newcomer, key: str) -> None:
    """Each combatant of the battle has the key of its Ward; the field says so, and a wrong key
    lists the right ones."""
    first = newcomer.muster("First")
    second = newcomer.muster("Second")
    for warband in (first, second):
        build = {"profile": "unit", "ward": "Left", "bases": 4}
        newcomer.send(
            f"warbands/{warband['id']}/fighters/", {"fighters": [{"build": build, "count": 2}]}
        )
    battle = newcomer.plan(first, second)
    groups = {
        each["group"]
        for side in newcomer.get(f"battles/{battle}/")["sides"]
        for each in side["combatants"]
    }
    assert {"a/Left", "b/Left"} <= groups
    charge = next(each for each in newcomer.catalogue["event_kinds"] if each["key"] == "charge")
    for field in charge["fields"]:
        assert field["kind"] != "group" or (
            "“a/Left”" in field["help"] and "`battles/{id}/`" in field["help"]
        )
    for ward, wrong in (("a/Left", False), ("Left", True)):
        data = {"ward": ward, "target": "b/Left"}
        events = [{"client_id": str(uuid4()), "kind": "charge", "data": data}]
        answer = newcomer.client.post(f"{ROOT}battles/{battle}/events/", events, format="json")
        lines = answer.json().get("errors", [])
        about_wards = [each for each in lines if each["code"] == "unknown-ward"]
        assert [each["field"] for each in about_wards] == (["/0/data/ward"] if wrong else [])
        assert all("a/Left" in each["detail"] for each in about_wards)
