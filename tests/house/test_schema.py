"""The schema says what is taken and given, so that a program can write the client."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulebook.values.fields import KINDS, READERS

BODIES = {f"/api/v1/{name}/": ["multipart/form-data"] for name in ("pictures", "imports")}
"""Uploads; everything else is JSON."""
IDS_THAT_ARE_NONE: dict[str, str] = {}
"""Names of parameters in addresses that end like an id without being UUIDs, and why."""
MOMENTS_THAT_ARE_TEXT = {
    "PassportReading.issued_at": "a passport says it in the words of the installation that issued "
    "it",
}
OPEN_SETS = {
    "AskRequest.options": "what a kind of document does not have is refused with a list of what it "
    "has",
    "AuditPiece.part": "the name of a part of a sentence",
    "AuditSubject.kind": "entries keep the kinds of later versions",
    "BattleTold.outcome": "a passport says it in the words of the installation that issued it",
    "Card.kind": "each part of the site has cards of its own",
    "ChangeSubject.kind": "changes keep the kinds of later versions",
    "ChronicleLine.kind": "a kind of fact, of which rule systems have their own",
    "ConfirmationPreview.verdict": "a sentence",
    "EventLine.kind": "a kind of event, of which each rule system has its own",
    "FighterTold.fate": "a passport says it in the words of the installation that issued it",
    "Hit.state": "of a battle, a campaign or a fighter",
    "Item.kind": "each rule system has its own",
    "LaterConflict.kind": "a kind of fact, of which rule systems have their own",
    "LogLine.kind": "a kind of fact, of which rule systems have their own",
    "LoggedRow.kind": "a kind of event, of which each rule system has its own",
    "NewEventRequest.kind": "a kind of event, of which each rule system has its own",
    "OpenBattle.decision": "a reason in somebody's words",
    "OpenBattle.standing": "a sentence",
    "OpenBattle.verdict": "a sentence",
    "PlannedSideRequest.role": "a role of the scenario",
    "ReportedSideRequest.role": "a role of the scenario",
    "RowSide.role": "a role of the scenario",
    "SidePage.role": "a role of the scenario",
}
"""Texts that are called like a closed set elsewhere and are none, and why."""
WORDS_OF_PEOPLE = {"reason", "ruleset"}
"""Names that are mostly typed by people, or keys of rule systems, which can be added."""


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every operation with its path."""
    for path, methods in schema["paths"].items():
        yield from (
            (path, described) for described in methods.values() if isinstance(described, dict)
        )


def everything_in(described: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the schema at any depth."""
    if isinstance(described, dict):
        yield described
    inner = (
        described.values()
        if isinstance(described, dict)
        else described
        if isinstance(described, list)
        else ()
    )
    for each in inner:
        yield from everything_in(each)


def test_no_body_is_a_form_unless_something_is_uploaded(schema):
    bodies = {
        path: list(each["requestBody"]["content"])
        for path, each in operations(schema)
        if "requestBody" in each
    }
    assert {
        path: kinds for path, kinds in bodies.items() if kinds != ["application/json"]
    } == BODIES


def test_null_is_a_type_like_any_other(schema):
    """`nullable` means nothing without a type, and nothing at all since OpenAPI 3.1."""
    assert schema["openapi"].startswith("3.1")
    assert [each for each in everything_in(schema) if "nullable" in each] == []


def test_the_log_takes_a_bare_list_of_events(schema):
    body = schema["paths"]["/api/v1/battles/{battle_id}/events/"]["post"]["requestBody"]
    several, bare, single = body["content"]["application/json"]["schema"]["oneOf"]
    assert (bare["type"], bare["items"]) == ("array", single)
    assert (
        schema["components"]["schemas"][several["$ref"].rpartition("/")[2]]["properties"]["events"][
            "items"
        ]
        == single
    )


def test_schema_has_one_draft_per_warband(schema):
    answer = schema["paths"]["/api/v1/warbands/{warband_id}/draft/"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/DraftPage"
    }


def test_whatever_the_schema_refers_to_is_in_it(schema):
    referred = {each["$ref"] for each in everything_in(schema) if isinstance(each.get("$ref"), str)}
    kinds = schema["components"]
    assert [ref for ref in referred if ref.split("/")[-1] not in kinds[ref.split("/")[-2]]] == []


@pytest.fixture(scope="module")
def registry(schema: dict[str, Any]) -> Registry[Any]:
    """Return a registry of the whole schema for its internal references."""
    return Registry().with_resource("urn:schema", DRAFT202012.create_resource(schema))


def complaints(described: Any, value: Any, registry: Registry[Any]) -> list[str]:
    """Return the errors of a value according to its description in the schema."""
    validator = Draft202012Validator(
        within(described), registry=registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def within(described: Any) -> Any:
    """Return a description for use outside of the schema, with adjusted references."""
    if isinstance(described, dict):
        return {
            key: f"urn:schema{value}" if key == "$ref" else within(value)
            for key, value in described.items()
        }
    return [within(each) for each in described] if isinstance(described, list) else described


def examples_of(schema: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield every example with its place and its description.

    Places are parameters, bodies, answers and properties.
    """
    for path, each in operations(schema):
        places = [
            (f"{each['operationId']} ?{named['name']}", named)
            for named in each.get("parameters", ())
        ]
        bodies = each.get("requestBody", {}).get("content", {}).values()
        places += [(f"{each['operationId']} {path} body", body) for body in bodies]
        for status, answer in each["responses"].items():
            contents = answer.get("content", {}).values()
            places += [(f"{each['operationId']} {path} {status}", content) for content in contents]
        for where, place in places:
            values = {name: named["value"] for name, named in place.get("examples", {}).items()}
            if "example" in place:
                values["example"] = place["example"]
            yield from (
                (f"{where} {name!r}", place["schema"], value) for name, value in values.items()
            )
    for name, described in schema["components"]["schemas"].items():
        for key, inner in described.get("properties", {}).items():
            if "example" in inner:
                yield f"{name}.{key}", inner, inner["example"]


def test_every_example_is_as_the_schema_says(schema, registry):
    examples = list(examples_of(schema))
    assert len(examples) > 400
    wrong = {
        where: problems
        for where, described, value in examples
        if (problems := complaints(described, value, registry))
    }
    assert wrong == {}


def test_wrong_example_is_found(schema, registry):
    described = {"$ref": "#/components/schemas/BattleRow"}
    example = next(value for where, _, value in examples_of(schema) if "'Battles'" in where)
    row = example["results"][0]
    assert complaints(described, row, registry) == []
    for change in ({"state": "won"}, {"fought_on": "tomorrow"}, {"id": "7"}, {"friendly": "true"}):
        assert len(complaints(described, row | change, registry)) == 1, change


def test_every_id_in_an_address_is_a_uuid(schema):
    ids = {
        f"{path} {named['name']}": named["schema"].get("format")
        for path, each in operations(schema)
        for named in each.get("parameters", ())
        if named["in"] == "path"
        and named["name"].endswith("id")
        and named["name"] not in IDS_THAT_ARE_NONE
    }
    assert len(ids) > 50
    assert {where: kind for where, kind in ids.items() if kind != "uuid"} == {}


def test_every_answer_has_a_description(schema):
    answers = {
        f"{each['operationId']} {status}": answer.get(
            "description", "a reference" if "$ref" in answer else ""
        )
        for _, each in operations(schema)
        for status, answer in each["responses"].items()
    }
    assert [where for where, words in answers.items() if not words.strip()] == []


def properties_of(schema: dict[str, Any]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield every property of a component: the component, its name, and its possible schemas.

    References are followed.
    """
    components = schema["components"]["schemas"]

    def kinds(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield described
        if "$ref" in described:
            yield components[described["$ref"].rpartition("/")[2]]
        for inner in [
            *described.get("oneOf", ()),
            *described.get("anyOf", ()),
            described.get("items"),
        ]:
            if inner:
                yield from kinds(inner)

    for owner, described in components.items():
        yield from (
            (owner, name, list(kinds(inner)))
            for name, inner in described.get("properties", {}).items()
        )


def is_text(kind: dict[str, Any]) -> bool:
    return kind.get("type") == "string" and not {"enum", "const", "format"} & kind.keys()


def test_every_moment_is_a_date_time(schema):
    texts = {
        f"{owner}.{name}"
        for owner, name, kinds in properties_of(schema)
        if (name.endswith("_at") or name == "at") and any(map(is_text, kinds))
    }
    assert texts == set(MOMENTS_THAT_ARE_TEXT)


def test_texts_called_like_a_closed_set_are_closed(schema):
    closed: dict[str, set[str]] = defaultdict(set)
    texts: dict[str, set[str]] = defaultdict(set)
    for owner, name, kinds in properties_of(schema):
        if any("enum" in kind for kind in kinds):
            closed[name].add(owner)
        elif any(map(is_text, kinds)):
            texts[name].add(owner)
    open_ones = {
        f"{owner}.{name}" for name in closed.keys() - WORDS_OF_PEOPLE for owner in texts[name]
    }
    assert open_ones == set(OPEN_SETS)


def test_every_closed_set_has_a_name(schema):
    """An enum without one gets another name in each generated client."""
    components = schema["components"]["schemas"]
    nameless = [
        f"{owner}.{name}"
        for owner, described in components.items()
        for name, inner in described.get("properties", {}).items()
        if any("enum" in each for each in everything_in(inner))
    ]
    assert nameless == []


def test_kinds_of_fields_are_those_that_can_be_read(schema):
    assert set(KINDS) == set(READERS) == set(schema["components"]["schemas"]["FieldKind"]["enum"])
