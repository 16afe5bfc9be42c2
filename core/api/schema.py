"""The OpenAPI schema: what every endpoint has in common, and msgspec structs as components.

``@extend_schema(responses=SomeStruct)`` is enough: the schema cannot disagree with what is sent.
"""

from functools import lru_cache
from typing import Any, Final

import msgspec
from django.utils.translation import get_language
from drf_spectacular.drainage import warn
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from core.api.field_choice import PARAMETER as FIELDS
from core.api.idempotency import PARAMETER, REPEATED, REPEATED_HEADER
from core.api.preconditions import PARAMETER as IF_MATCH
from core.api.rate_limits import HEADERS as LIMITS
from rulebook.values.described import BLANK, NAME

__all__ = [
    "KEY",
    "Described",
    "DrawnOnce",
    "StructExtension",
    "describe_problems",
    "no_content",
    "path_key",
]

KEY = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
"""An id in an address; anything else is not found."""

PROBLEM = {
    "type": "object",
    "description": "Problem details as in RFC 9457.",
    "required": ["type", "title", "status", "code", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "example": "urn:muster:problem:invalid"},
        "title": {"type": "string", "example": "Bad Request"},
        "status": {"type": "integer", "example": 400},
        "code": {
            "type": "string",
            "example": "invalid",
            "description": "Stable: scripts can lean on it.",
        },
        "detail": {"type": "string"},
        "instance": {"type": "string", "example": "/api/v1/battles/"},
        "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ProblemLine"}},
    },
}
PROBLEM_LINE = {
    "type": "object",
    "required": ["field", "code", "detail"],
    "properties": {
        "field": {
            "type": "string",
            "example": "/sides/0/warband",
            "description": "A JSON pointer into what was sent, `?name` of a parameter, or empty: "
            "the whole request.",
        },
        "code": {"type": "string", "example": "required"},
        "detail": {"type": "string"},
        "severity": {"$ref": "#/components/schemas/Severity"},
        "fighters": {"type": "array", "items": {"type": "string"}},
        "source": {"type": "string", "description": "Place of the rule in the rulebook."},
        "value": {"description": "What was sent, if it is short and no secret."},
        "cell": {
            "type": "string",
            "example": "C7",
            "description": "Of a spreadsheet, as a spreadsheet names it.",
        },
        "nearest": {"type": "string", "description": "What is known and written most like it."},
    },
}
METHODS = {"get", "post", "put", "patch", "delete"}
NO_BODY = "No response body"
"""The description of a 204 by drf-spectacular."""
ANSWERS = {
    "200": "Success.",
    "201": "Created.",
    "202": "Accepted: a worker does it in the background.",
    "204": "Success, with nothing to say.",
}
"""Descriptions of answers for endpoints without their own."""


class Described(AutoSchema):
    """Schema of an operation, with a DELETE's body where an endpoint declares one:

    drf-spectacular ignores it.
    """

    def get_request_serializer(self) -> Any:
        """Return the serializer of the body; None for a DELETE unless ``extend_schema`` has one."""
        return None if self.method == "DELETE" else super().get_request_serializer()

    def _get_request_body(self, direction: Any = "request") -> Any:
        if self.method != "DELETE" or self.get_request_serializer() is None:
            return super()._get_request_body(direction)
        self.method = "POST"
        try:
            return super()._get_request_body(direction)
        finally:
            self.method = "DELETE"

    def _resolve_path_parameters(self, variables: Any) -> Any:
        parameters = super()._resolve_path_parameters(variables)
        for parameter in parameters:
            if parameter["schema"].get("pattern") == f"^{KEY}$":
                # One type wherever an address has an id: clients make a class of it.
                parameter["schema"] = {"type": "string", "format": "uuid"}
        return parameters


class DrawnOnce(SchemaGenerator):
    """The schema, created once in each process for each language:

    it takes seconds and is the same for everyone.
    """

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        """Return the whole schema. It must not be changed."""
        return _drawn(get_language())


@lru_cache(maxsize=4)
def _drawn(language: str | None) -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def describe_problems(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the errors of any operation to the schema, and forbid unknown fields in bodies.

    A hook of drf-spectacular.
    """
    result["components"].setdefault("schemas", {}).update(Problem=PROBLEM, ProblemLine=PROBLEM_LINE)
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    result["components"]["responses"] = {
        "Problem": {"description": "What went wrong.", "content": content}
    }
    for name, body in result["components"]["schemas"].items():
        if name.endswith("Request") and "properties" in body:
            body["additionalProperties"] = False
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            for status, answer in path[method]["responses"].items():
                if answer.get("description") in ("", NO_BODY):
                    answer["description"] = ANSWERS[status]
            path[method]["responses"].setdefault(
                "default", {"$ref": "#/components/responses/Problem"}
            )
    return result


def describe_keys(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add what many operations share: ``Idempotency-Key``, ``If-Match``, ``fields``, rate limits.

    A hook of drf-spectacular.
    """
    for address, path in result["paths"].items():
        for method in METHODS & path.keys():
            operation, more = path[method], []
            if method != "get" and operation.get("security"):
                more = [IF_MATCH]
            # A signed passport is read whole.
            elif method == "get" and _has_fields(operation) and not address.endswith("/passport/"):
                more = [FIELDS]
            operation["parameters"] = [*operation.get("parameters", ()), *more]
            for status, response in operation["responses"].items():
                if status.startswith("2"):
                    response["headers"] = {**response.get("headers", {}), **LIMITS}
        if path.get("post", {}).get("security"):
            path["post"]["parameters"] = [*path["post"].get("parameters", ()), PARAMETER]
            for status, response in path["post"]["responses"].items():
                if status.startswith("2"):
                    response["headers"] = {**response.get("headers", {}), REPEATED: REPEATED_HEADER}
    return result


def _has_fields(operation: dict[str, Any]) -> bool:
    """Return whether an operation reads JSON, and takes no parameters of any name."""
    open_ended = any(each.get("style") == "form" for each in operation.get("parameters", ()))
    return not open_ended and "application/json" in operation["responses"].get("200", {}).get(
        "content", {}
    )


def no_content() -> dict[int, None]:
    """Return the answers of an operation without content."""
    return {204: None}


def path_key(name: str, what: str) -> OpenApiParameter:
    """Return the parameter for an id in the address of a nested endpoint."""
    return OpenApiParameter(
        name, OpenApiTypes.UUID, OpenApiParameter.PATH, description=f"The id of the {what}."
    )


REF = "#/components/schemas/"
BLANK_ENUM = "BlankEnum"
"""The name that drf-spectacular gives to the empty text of a closed set."""
COMPONENT_NAMES: Final = {
    "Problem": "RuleProblem",
    "HouseRule": "RulesetHouseRule",
    "PrivateDie": "Aside",
    "PassportBattle": "BattleTold",
    "AttendanceRow": "Comer",
    "EventDetail": "Detail",
    "CorrectionDifference": "Difference",
    "PassportFighter": "FighterTold",
    "SearchResults": "Found",
    "SearchResultGroup": "FoundGroup",
    "PassportLedgerLine": "LedgerTold",
    "Omission": "LeftOut",
    "CampaignDie": "Lot",
    "Labelled": "Named",
    "MemberTask": "Need",
    "SealedOrderView": "OwnOrder",
    "PrivateRoll": "OwnSecret",
    "HonouredFighter": "Remembered",
    "WarbandPermissions": "Rights",
    "VisibleNumbers": "Shown",
    "Killer": "Slayer",
    "KeyTrust": "Standing",
    "Provenance": "Station",
    "AdoptedWarband": "TakenOn",
    "PassportWarband": "WarbandTold",
    "Rivalry": "Foe",
}
"""The names of components that are not called like their class: clients are generated from them."""

CLOSED_SETS: dict[str, list[str]] = {BLANK_ENUM: [""]}
"""The values of each closed set that a struct refers to, by its name."""


class StructExtension(OpenApiSerializerExtension):
    """Describes a struct and every struct inside it as components of the schema."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Any) -> str:
        """Return the name of the struct's component."""
        return COMPONENT_NAMES.get(self.target.__name__, self.target.__name__)

    def get_identity(self, auto_schema: AutoSchema, direction: Any) -> ComponentIdentity:
        """Return the component's identity:

        a struct is known by its name, at the top or inside another.
        """
        return ComponentIdentity(self.get_name(auto_schema, direction))

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """Return the schema of the struct, and register those inside it."""
        _, components = msgspec.json.schema_components((self.target,), ref_template=REF + "{name}")
        for struct, names in _moments(msgspec.inspect.type_info(self.target)).items():
            for name in names:
                _describe_moment(components[struct]["properties"][name])
        components = {name: _name_enums(schema) for name, schema in components.items()}
        component = components.pop(self.target.__name__)
        for name, schema in components.items():
            _register(auto_schema, COMPONENT_NAMES.get(name, name), _plain(schema))
        described: dict[str, Any] = _plain(component)
        return described


def _register(auto_schema: AutoSchema, name: str, schema: dict[str, Any]) -> None:
    component = ResolvedComponent(
        name=name, type=ResolvedComponent.SCHEMA, object=ComponentIdentity(name), schema=schema
    )
    existing = auto_schema.registry._components.get(component.key)
    if existing is None:
        auto_schema.registry.register(component)
    elif existing.schema and existing.schema != schema:
        warn(f"Two different answers are called {name}: rename one of them.")


def describe_closed_sets(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add each closed set as a component, unless a serializer did. A hook of drf-spectacular."""
    schemas = result["components"]["schemas"]
    for name, values in CLOSED_SETS.items():
        described = schemas.setdefault(name, {"enum": values, "type": "string"})
        if set(described.get("enum", ())) != set(values):
            warn(f"{name} is the name of two closed sets: rename one of them.")
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _moments(kind: Any, moments: dict[str, set[str]] | None = None) -> dict[str, set[str]]:
    """Return the names of the fields that hold moments, of a struct and of each struct inside it.

    msgspec says that they are texts: it names their format only where a time zone is demanded.
    """
    moments = {} if moments is None else moments
    if isinstance(kind, msgspec.inspect.StructType):
        if kind.cls.__name__ in moments:
            return moments
        moments[kind.cls.__name__] = {
            field.encode_name for field in kind.fields if _is_moment(field.type)
        }
    for inner in _inner(kind):
        _moments(inner, moments)
    return moments


def _is_moment(kind: Any) -> bool:
    if isinstance(kind, msgspec.inspect.DateTimeType):
        return True
    return not isinstance(kind, msgspec.inspect.StructType) and any(map(_is_moment, _inner(kind)))


def _inner(kind: Any) -> list[Any]:
    """Return the types of which a type is made."""
    values = [getattr(kind, name) for name in kind.__struct_fields__]
    several = [each for value in values if isinstance(value, tuple) for each in value]
    return [
        each
        for each in values + several
        if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field)
    ]


def _describe_moment(schema: dict[str, Any]) -> None:
    for text in [
        schema,
        *schema.get("anyOf", ()),
        schema.get("items", {}),
        schema.get("additionalProperties", {}),
    ]:
        if isinstance(text, dict) and text.get("type") == "string" and "format" not in text:
            text["format"] = "date-time"


def _name_enums(schema: Any) -> Any:
    """Refer to each closed set (rulebook.values.described) by its name."""
    if isinstance(schema, list):
        return [_name_enums(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if NAME not in schema:
        return {key: _name_enums(value) for key, value in schema.items()}
    CLOSED_SETS[schema[NAME]] = schema["enum"]
    reference = {"$ref": REF + schema[NAME]}
    return {"oneOf": [reference, {"$ref": REF + BLANK_ENUM}]} if schema[BLANK] else reference


def _plain(schema: Any) -> Any:
    """Return JSON Schema as it is published:

    references to renamed components, every field required, no default, no title.
    """
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return {"$ref": REF + COMPONENT_NAMES.get(name, name)}
    if "prefixItems" in schema:
        # Generators of clients know no tuples.
        kinds = schema["prefixItems"]
        items = _plain(kinds[0]) if all(kind == kinds[0] for kind in kinds) else {}
        return {"type": "array", "items": items, "minItems": len(kinds), "maxItems": len(kinds)}
    plain = {key: _plain(value) for key, value in schema.items() if key not in ("default", "title")}
    if "enum" in plain:
        plain.setdefault(
            "type", "string" if all(isinstance(each, str) for each in plain["enum"]) else "integer"
        )
    if "description" in plain and isinstance(plain["description"], str):
        plain["description"] = " ".join(plain["description"].split())
    if isinstance(plain.get("properties"), dict) and plain.get("type") == "object":
        plain["properties"] = {name: _plain(value) for name, value in schema["properties"].items()}
        plain["required"] = list(schema["properties"])
    return plain
