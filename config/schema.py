"""What the OpenAPI schema says about every endpoint alike."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.structs import StructExtension

__all__ = ["KEY", "StructExtension", "describe_problems", "no_content", "path_key"]

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
        "code": {"type": "string", "example": "invalid", "description": "Stable: scripts can lean on it."},
        "detail": {"type": "string"},
        "instance": {"type": "string", "example": "/api/v1/battles/"},
        "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ProblemLine"}},
    },
}
PROBLEM_LINE = {
    "type": "object",
    "required": ["field", "code", "detail"],
    "properties": {
        "field": {"type": "string", "example": "sides.0.warband", "description": "Empty: the request as a whole."},
        "code": {"type": "string", "example": "required"},
        "detail": {"type": "string"},
        "severity": {"type": "string", "enum": ["forbids", "warns"]},
        "fighters": {"type": "array", "items": {"type": "string"}},
        "source": {"type": "string", "description": "Where the rule stands."},
        "value": {"description": "What was sent, if it is short and no secret."},
    },
}
METHODS = {"get", "post", "put", "patch", "delete"}


def describe_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of drf-spectacular: every operation may answer with a problem."""
    result["components"].setdefault("schemas", {}).update(Problem=PROBLEM, ProblemLine=PROBLEM_LINE)
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    result["components"]["responses"] = {"Problem": {"description": "What went wrong.", "content": content}}
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            path[method]["responses"].setdefault("default", {"$ref": "#/components/responses/Problem"})
    return result


def no_content() -> dict[int, None]:
    """The answers of an operation that has nothing to say when it worked."""
    return {204: None}


def path_key(name: str, what: str) -> OpenApiParameter:
    """An id in the address of an endpoint that lies below another thing's."""
    return OpenApiParameter(name, OpenApiTypes.UUID, OpenApiParameter.PATH, description=f"The id of the {what}.")
