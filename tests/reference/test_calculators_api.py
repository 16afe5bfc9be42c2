"""Calculators in the API: the two fixed forms, every permission, every bad value, the schema."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from battles.api.examples import ODDS
from rulebook.ruleset import Calculator, Ruleset
from rulebook.systems.en_garde.calculators.registry import ask, calculators
from rulebook.values.answers import Answer
from tests.full_toy import register_toy as register_toy
from warbands.api.examples import EXAMPLE_ANSWER, EXAMPLE_CALCULATOR

pytestmark = pytest.mark.one_database

BASE = "/api/v1/rulesets/en-garde"
SHOT = f"{BASE}/odds/shot/"
ATTACK = f"{BASE}/odds/attack/"
NUMBERS = [each for each in calculators() if each.about == "numbers"]


def test_the_odds_of_a_shot_have_their_fixed_form(as_bob: APIClient) -> None:
    answer = as_bob.get(f"{SHOT}?shoot=1&modifier=-1&wound_modifier=0&armour_rating=1")
    assert answer.status_code == 200
    assert answer.json()["outcomes"] == {
        "miss": "5/12",
        "scratch": "1/6",
        "stunned": "5/36",
        "light": "7/36",
        "grievous": "1/12",
        "critical": "0",
    }


def test_the_odds_of_an_attack_have_their_fixed_form(as_bob: APIClient) -> None:
    numbers = "fight=3&defender_fight=2&wound_modifier=0&armour_rating=1"
    flags = "parry=true&mighty_blow=false&weapon_master=false&defender_weapon_master=false"
    answer = as_bob.get(f"{ATTACK}?{numbers}&{flags}")
    assert answer.status_code == 200
    assert answer.json()["outcomes"] == {
        "miss": "575/1296",
        "scratch": "73/648",
        "stunned": "35/324",
        "light": "229/1296",
        "grievous": "17/162",
        "critical": "35/648",
    }


def test_a_weapon_master_rolls_again_before_anything_is_discarded(as_bob: APIClient) -> None:
    flags = "mighty_blow=true&weapon_master=true&defender_weapon_master=true&parry=true"
    answer = as_bob.get(f"{ATTACK}?fight=2&defender_fight=3&{flags}").json()["outcomes"]
    counted = counted_by_hand(2 - 3)
    assert answer == {key: str(Fraction(counted[key], 6**7)) for key in answer}


def counted_by_hand(edge: int) -> dict[str, int]:
    """Count the results of three dice against two, both with a re-roll: 6 to the power of 7 ways."""
    up, down = sums(3, drop=True), sums(2, drop=False)
    names = dict.fromkeys(("miss", "scratch", "stunned", "light", "grievous", "critical"), 0)
    for mine, ways in up.items():
        for theirs, others in down.items():
            names[table(mine - theirs + edge)] += ways * others
    return names


def sums(number: int, *, drop: bool) -> dict[int, int]:
    counts: dict[int, int] = {}
    for code in range(6**number):
        dice = sorted(code // 6**place % 6 + 1 for place in range(number))
        for face in range(1, 7):
            final = sorted([face, *dice[1:]] if dice[0] <= 2 else dice)
            total = sum(final[1:] if drop else final)
            counts[total] = counts.get(total, 0) + 1
    return counts


def table(hit: int) -> str:
    if hit < 1:
        return "miss"
    return (
        "stunned" if hit == 1 else "light" if hit <= 3 else "grievous" if hit <= 5 else "critical"
    )


def test_all_parameters_are_optional_and_their_defaults_are_stated(as_bob: APIClient) -> None:
    answer = as_bob.get(SHOT).json()
    assert answer["asked"] == {
        "shoot": 1,
        "modifier": 0,
        "wound_modifier": 0,
        "armour_rating": 0,
        "sharpshooter": False,
        "spray": False,
        "table": "standard",
    }
    fields = {each["key"]: each["default"] for each in read(as_bob, "shot")["fields"]}
    assert fields["shoot"] == "1" and fields["sharpshooter"] == "false"


def read(client: APIClient, key: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = client.get(f"{BASE}/calculators/?about=numbers").json()["results"]
    return next(row for row in rows if row["key"] == key)


BAD = {"number": "x", "flag": "maybe", "choice": "none-such"}
PARAMETERS = [
    (address, field.key, BAD[field.kind])
    for address, key in ((SHOT, "shot"), (ATTACK, "attack"))
    for field in next(each for each in NUMBERS if each.key == key).fields
]


@pytest.mark.parametrize(("address", "field", "value"), PARAMETERS)
def test_each_wrong_parameter_is_a_problem_with_field_value_and_way_out(
    as_bob: APIClient, address: str, field: str, value: str
) -> None:
    answer = as_bob.get(address, {field: value})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    (line,) = answer.json()["errors"]
    assert (line["field"], line["value"]) == (f"?{field}", value)
    assert f"give '{field}' as" in line["detail"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("shoot=-1", "out-of-range"),
        ("shoot=51", "out-of-range"),
        ("shoot=1.5", "not-a-number"),
        ("shoot=%00", "not-a-number"),
        ("shoot=1&shoot=2", "wrong-type"),
        ("shoe=1", "unknown-field"),
        ("table=LARGE", "not-a-choice"),
    ],
)
def test_wrong_values_have_stable_codes(as_bob: APIClient, query: str, code: str) -> None:
    answer = as_bob.get(f"{SHOT}?{query}")
    assert answer.status_code == 400
    assert [line["code"] for line in answer.json()["errors"]] == [code]


def test_nobody_asks_without_signing_in(anonymous: APIClient, as_charlie: APIClient) -> None:
    for address in (SHOT, ATTACK, f"{BASE}/calculators/", f"{BASE}/calculators/morale/"):
        assert anonymous.get(address).status_code == 401
        assert as_charlie.get(address).status_code == 200
        assert as_charlie.post(address).status_code == 405


def test_what_is_not_there_is_not_found(as_bob: APIClient) -> None:
    for address, code in (
        ("/api/v1/rulesets/chess/odds/shot/", "unknown-ruleset"),
        ("/api/v1/rulesets/chess/calculators/", "unknown-ruleset"),
        (f"{BASE}/odds/wibble/", "unknown-calculator"),
        (f"{BASE}/odds/morale/", "unknown-calculator"),
        (f"{BASE}/calculators/wibble/", "unknown-calculator"),
    ):
        answer = as_bob.get(address)
        assert (answer.status_code, answer.json()["code"]) == (404, code), address


@pytest.mark.parametrize("each", NUMBERS, ids=lambda each: each.key)
def test_every_calculator_answers_over_the_api(as_bob: APIClient, each: Calculator) -> None:
    for example in each.examples:
        answer = as_bob.get(f"{BASE}/calculators/{each.key}/", example)
        assert answer.status_code == 200
        assert answer.json() == msgspec.json.decode(msgspec.json.encode(ask(each.key, example)))


def test_odds_have_both_addresses(as_bob: APIClient) -> None:
    assert as_bob.get(f"{BASE}/calculators/shot/").json() == as_bob.get(SHOT).json()


def test_calculators_are_listed_with_their_fields(as_bob: APIClient) -> None:
    whole = as_bob.get(f"{BASE}/calculators/").json()
    assert whole["count"] == len(calculators()) == len(whole["results"])
    battle = as_bob.get(f"{BASE}/calculators/?about=battle").json()["results"]
    assert [row["key"] for row in battle] == [
        "shot",
        "attack",
        "round",
        "best-split",
        "equilibrium",
    ]
    assert (
        as_bob.get(f"{BASE}/calculators/?page_size=3&page=2").json()["results"][0]["key"]
        == "resolve-attack"
    )
    refused = as_bob.get(f"{BASE}/calculators/?about=weather")
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-about")
    assert refused.json()["errors"][0]["field"] == "?about"


def test_asking_takes_no_query(as_bob: APIClient) -> None:
    with CaptureQueriesContext(connection) as seen:
        as_bob.get(SHOT)
        as_bob.get(f"{BASE}/calculators/")
    assert len(seen) == 0


def test_any_rule_system_is_asked_the_same_way(as_bob: APIClient, register_toy: Ruleset) -> None:
    answer = as_bob.get("/api/v1/rulesets/toy/odds/hit/?needed=5").json()
    assert answer["outcomes"] == {"hit": "1/3", "miss": "2/3"}
    assert as_bob.get("/api/v1/rulesets/toy/calculators/surprise/").status_code == 200
    assert as_bob.get("/api/v1/rulesets/toy/odds/surprise/").status_code == 404


# The schema


def test_schema_describes_every_calculator(
    schema: dict[str, Any],
) -> None:
    for each in NUMBERS:
        place = "odds" if each.group == "odds" else "calculators"
        operation = schema["paths"][f"{BASE}/{place}/{each.key}/"]["get"]
        parameters = [parameter["name"] for parameter in operation["parameters"]]
        # Every read can be limited to some fields of its answer.
        assert parameters == [*(field.key for field in each.fields), "fields"]
        shown = operation["responses"]["200"]["content"]["application/json"]
        assert shown["schema"] == {"$ref": "#/components/schemas/Answer"}
        assert msgspec.convert(shown["examples"]["Answer"]["value"], Answer).calculator == each.key
        assert "default" in operation["responses"]


def test_the_schema_states_bounds_choices_and_examples(schema: dict[str, Any]) -> None:
    by_name = {each["name"]: each for each in schema["paths"][SHOT]["get"]["parameters"]}
    assert by_name["shoot"]["schema"] == {"type": "integer", "minimum": 0, "maximum": 50}
    assert by_name["modifier"]["example"] == -1
    assert by_name["sharpshooter"]["schema"] == {"type": "boolean"}
    assert by_name["table"]["schema"] == {"type": "string", "enum": ["standard", "large", "huge"]}
    assert "Empty: 1." in by_name["shoot"]["description"]


def test_schema_lists_calculator_endpoints(schema: dict[str, Any]) -> None:
    for path in (
        "/api/v1/rulesets/{ruleset}/calculators/",
        "/api/v1/rulesets/{ruleset}/calculators/{calculator}/",
        "/api/v1/rulesets/{ruleset}/odds/{calculator}/",
        "/api/v1/fighters/{fighter_id}/odds/",
        "/api/v1/battles/{battle_id}/odds/",
    ):
        shown = schema["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
        assert shown["examples"], path


def test_the_examples_are_what_is_answered(as_bob: APIClient) -> None:
    assert as_bob.get(f"{BASE}/calculators/drowning/?heavy_armour=1").json() == EXAMPLE_ANSWER
    assert msgspec.convert(EXAMPLE_CALCULATOR, Calculator).key == "drowning"
    assert msgspec.to_builtins(msgspec.convert(ODDS, Answer)).keys() == ODDS.keys()
