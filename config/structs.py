"""msgspec structs in the OpenAPI schema: a summary names its own answer, and the schema cannot disagree with it.

`@extend_schema(responses=WarbandPage)` is enough. Only answers are described this way, so every field is required.
"""

from typing import Any

import msgspec
from drf_spectacular.drainage import warn
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent

from rulebook.values.described import BLANK, NAME

REF = "#/components/schemas/"
BLANK_ENUM = "BlankEnum"
"""The name that drf-spectacular gives to the empty text of a closed set."""
RENAMED = {"Problem": "RuleProblem", "HouseRule": "RulesetHouseRule"}
"""`Problem` is what every operation may answer with (config.schema), `HouseRule` one with its value in a campaign."""


CLOSED_SETS: dict[str, list[str]] = {BLANK_ENUM: [""]}
"""The values of each closed set that a struct refers to, by its name."""


class StructExtension(OpenApiSerializerExtension):
    """Describes a struct and every struct inside it as components of the schema."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Any) -> str:
        """The name of the struct's component."""
        return RENAMED.get(self.target.__name__, self.target.__name__)

    def get_identity(self, auto_schema: AutoSchema, direction: Any) -> ComponentIdentity:
        """What tells this component from others: a struct is known by its name, at the top or inside another."""
        return ComponentIdentity(self.get_name(auto_schema, direction))

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        """The schema of the struct; those inside it are registered on the way."""
        _, components = msgspec.json.schema_components((self.target,), ref_template=REF + "{name}")
        for struct, names in _moments(msgspec.inspect.type_info(self.target)).items():
            for name in names:
                _describe_moment(components[struct]["properties"][name])
        components = {name: _name_enums(schema) for name, schema in components.items()}
        own = components.pop(self.target.__name__)
        for name, schema in components.items():
            _register(auto_schema, RENAMED.get(name, name), _plain(schema))
        described: dict[str, Any] = _plain(own)
        return described


def _register(auto_schema: AutoSchema, name: str, schema: dict[str, Any]) -> None:
    component = ResolvedComponent(
        name=name, type=ResolvedComponent.SCHEMA, object=ComponentIdentity(name), schema=schema
    )
    known = auto_schema.registry._components.get(component.key)
    if known is None:
        auto_schema.registry.register(component)
    elif known.schema and known.schema != schema:
        warn(f"Two different answers are called {name}: rename one of them.")


def describe_closed_sets(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of drf-spectacular: every closed set is a component, unless a serializer has made it one."""
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
        moments[kind.cls.__name__] = {field.encode_name for field in kind.fields if _is_moment(field.type)}
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
    return [each for each in values + several if isinstance(each, msgspec.inspect.Type | msgspec.inspect.Field)]


def _describe_moment(schema: dict[str, Any]) -> None:
    for text in [schema, *schema.get("anyOf", ()), schema.get("items", {}), schema.get("additionalProperties", {})]:
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
    """JSON Schema as it is published: references to renamed components, every field required, no default, no title."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        return {"$ref": REF + RENAMED.get(name, name)}
    if "prefixItems" in schema:
        # Generators of clients know no tuples.
        kinds = schema["prefixItems"]
        items = _plain(kinds[0]) if all(kind == kinds[0] for kind in kinds) else {}
        return {"type": "array", "items": items, "minItems": len(kinds), "maxItems": len(kinds)}
    plain = {key: _plain(value) for key, value in schema.items() if key not in ("default", "title")}
    if "enum" in plain:
        plain.setdefault("type", "string" if all(isinstance(each, str) for each in plain["enum"]) else "integer")
    if "description" in plain and isinstance(plain["description"], str):
        plain["description"] = " ".join(plain["description"].split())
    if isinstance(plain.get("properties"), dict) and plain.get("type") == "object":
        plain["properties"] = {name: _plain(value) for name, value in schema["properties"].items()}
        plain["required"] = list(schema["properties"])
    return plain
