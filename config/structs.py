"""msgspec structs in the OpenAPI schema: a summary names its own answer, and the schema cannot disagree with it.

`@extend_schema(responses=WarbandPage)` is enough. Only answers are described this way, so every field is required.
"""

from typing import Any

import msgspec
from drf_spectacular.drainage import warn
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentIdentity, ResolvedComponent

REF = "#/components/schemas/"
RENAMED = {"Problem": "RuleProblem", "HouseRule": "RulesetHouseRule"}
"""`Problem` is what every operation may answer with (config.schema), `HouseRule` one with its value in a campaign."""


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
