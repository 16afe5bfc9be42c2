"""What the OpenAPI schema says about every endpoint alike."""

from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.idempotency import PARAMETER, REPEATED, REPEATED_HEADER
from config.structs import StructExtension

__all__ = ["KEY", "Described", "DrawnOnce", "StructExtension", "describe_problems", "no_content", "path_key"]

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
        "field": {
            "type": "string",
            "example": "/sides/0/warband",
            "description": "A JSON pointer into what was sent, `?name` of a parameter, or empty: the whole request.",
        },
        "code": {"type": "string", "example": "required"},
        "detail": {"type": "string"},
        "severity": {"$ref": "#/components/schemas/Severity"},
        "fighters": {"type": "array", "items": {"type": "string"}},
        "source": {"type": "string", "description": "Where the rule stands."},
        "value": {"description": "What was sent, if it is short and no secret."},
        "cell": {"type": "string", "example": "C7", "description": "Of a spreadsheet, as a spreadsheet names it."},
        "nearest": {"type": "string", "description": "What is known and written most like it."},
    },
}
METHODS = {"get", "post", "put", "patch", "delete"}
NO_BODY = "No response body"
"""What drf-spectacular says of a 204."""
ANSWERS = {
    "200": "Success.",
    "201": "Created.",
    "202": "Accepted: a worker does it in the background.",
    "204": "Success, with nothing to say.",
}
"""What an answer means where its endpoint says no more."""


class Described(AutoSchema):
    """Also what a DELETE takes, where an endpoint says so: drf-spectacular knows no body of it."""

    def get_request_serializer(self) -> Any:
        """What is sent; nothing with a DELETE unless ``extend_schema`` says otherwise."""
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
    """The schema, drawn once in each process for each language: it takes seconds, and says the same to everybody."""

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        """The whole schema, whoever asks; nobody may change it."""
        return _drawn(get_language())


@lru_cache(maxsize=4)
def _drawn(language: str | None) -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def describe_problems(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of drf-spectacular: what any operation may answer, and that a body holds its fields alone."""
    result["components"].setdefault("schemas", {}).update(Problem=PROBLEM, ProblemLine=PROBLEM_LINE)
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    result["components"]["responses"] = {"Problem": {"description": "What went wrong.", "content": content}}
    for name, body in result["components"]["schemas"].items():
        if name.endswith("Request") and "properties" in body:
            body["additionalProperties"] = False
    for path in result["paths"].values():
        for method in METHODS & path.keys():
            for status, answer in path[method]["responses"].items():
                if answer.get("description") in ("", NO_BODY):
                    answer["description"] = ANSWERS[status]
            path[method]["responses"].setdefault("default", {"$ref": "#/components/responses/Problem"})
    return result


def describe_keys(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """A hook of drf-spectacular: a POST by whoever is signed in takes a key, under which it is carried out once.

    A repeated request gets the status that it got first, with a header that says so.
    """
    for path in result["paths"].values():
        if path.get("post", {}).get("security"):
            path["post"]["parameters"] = [*path["post"].get("parameters", ()), PARAMETER]
            for status, response in path["post"]["responses"].items():
                if status.startswith("2"):
                    response["headers"] = {**response.get("headers", {}), REPEATED: REPEATED_HEADER}
    return result


def no_content() -> dict[int, None]:
    """The answers of an operation that has nothing to say when it worked."""
    return {204: None}


def path_key(name: str, what: str) -> OpenApiParameter:
    """An id in the address of an endpoint that lies below another thing's."""
    return OpenApiParameter(name, OpenApiTypes.UUID, OpenApiParameter.PATH, description=f"The id of the {what}.")
