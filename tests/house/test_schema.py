"""The schema says what is taken and given, so that a program can write the client."""

from collections.abc import Iterator
from typing import Any

BODIES = {f"/api/v1/{name}/": ["multipart/form-data"] for name in ("pictures", "imports")}
"""What is uploaded; everything else is JSON."""


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every operation with its address."""
    for path, methods in schema["paths"].items():
        yield from ((path, described) for described in methods.values() if isinstance(described, dict))


def everything_in(described: Any) -> Iterator[dict[str, Any]]:
    """Every object of the schema, however deep."""
    if isinstance(described, dict):
        yield described
    inner = described.values() if isinstance(described, dict) else described if isinstance(described, list) else ()
    for each in inner:
        yield from everything_in(each)


def test_no_body_is_a_form_unless_something_is_uploaded(schema):
    bodies = {path: list(each["requestBody"]["content"]) for path, each in operations(schema) if "requestBody" in each}
    assert {path: kinds for path, kinds in bodies.items() if kinds != ["application/json"]} == BODIES


def test_null_is_a_type_like_any_other(schema):
    """`nullable` says nothing where no type stands beside it, and nothing at all since OpenAPI 3.1."""
    assert schema["openapi"].startswith("3.1")
    assert [each for each in everything_in(schema) if "nullable" in each] == []


def test_the_log_takes_a_bare_list_of_events(schema):
    body = schema["paths"]["/api/v1/battles/{battle_id}/events/"]["post"]["requestBody"]
    several, bare, one = body["content"]["application/json"]["schema"]["oneOf"]
    assert (bare["type"], bare["items"]) == ("array", one)
    assert schema["components"]["schemas"][several["$ref"].rpartition("/")[2]]["properties"]["events"]["items"] == one


def test_the_one_draft_of_a_warband_is_no_list(schema):
    answer = schema["paths"]["/api/v1/warbands/{warband_id}/draft/"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/DraftPage"}


def test_whatever_the_schema_refers_to_is_in_it(schema):
    referred = {each["$ref"] for each in everything_in(schema) if isinstance(each.get("$ref"), str)}
    kinds = schema["components"]
    assert [ref for ref in referred if ref.split("/")[-1] not in kinds[ref.split("/")[-2]]] == []
