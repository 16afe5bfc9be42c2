"""The form of the API of a release: its operations with what they take and answer.

docs/api.md, "Versions and deprecation", says what may change within `/api/v1/`.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from tests.kept.stored_forms import (
    PART,
    FormComparison,
    Schema,
    in_words,
    types_of,
    without_words,
)

JSON = "application/json"
ANSWER = " answer "
WHAT_TO_DO = (
    "Programs use this. Keep operations, fields, parameters and types, and give what is new a "
    'default (docs/api.md, "Versions and deprecation").'
)


class AnswerComparison(FormComparison):
    """A comparison of answers: programs that know the old ones understand the new ones.

    Fields may be added.
    """

    def _compare_fields(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        now = new.get("properties", {})
        for name, schema in old.get("properties", {}).items():
            if name in now:
                yield from self._compare(f"{where}.{name}", schema, now[name])
            else:
                yield f"{where}: field {name!r} is gone, or has another name"

    def _compare_values(self, where: str, old: Schema, new: Schema) -> Iterator[str]:
        """Compare types only: texts that were one of a few may be others too."""
        before, now = types_of(old), types_of(new)
        if before and now and not now <= before | ({"integer"} if "number" in before else set()):
            yield f"{where} was {in_words(before)} and is {in_words(now)}"


def schema_of_api() -> dict[str, Any]:
    """Return the OpenAPI schema, as clients get it."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    answer: dict[str, Any] = json.loads(OpenApiJsonRenderer().render(schema))
    return answer


def form_of_api(schema: Schema) -> dict[str, Any]:
    """Return the form of a schema: parameters, body and answers of each operation, and their parts.

    Names of the operations are like "GET /api/v1/clubs/{}/".
    """
    form: dict[str, Any] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {re.sub('{.*?}', '{}', path)}"
            form |= _form_of_operation(name, operation)
    parts = schema["components"]["schemas"].items()
    form |= {f"{PART}/components/schemas/{name}": part for name, part in parts}
    without: dict[str, Any] = without_words(form)
    return without


def no_longer_served(old: Schema, new: Schema) -> list[str]:
    """Return what programs for the old API miss in the new one; nothing if they need no change."""
    requests, answers = (
        {name: part for name, part in old.items() if name.startswith(PART)} for _ in range(2)
    )
    for name, schema in old.items():
        (answers if ANSWER in name else requests)[name] = schema
    return [
        *FormComparison(requests, new).compare_all(),
        *AnswerComparison(answers, new).compare_all(),
    ]


def _form_of_operation(name: str, operation: Schema) -> dict[str, Any]:
    parameters = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
    form: dict[str, Any] = {
        name: {
            "type": "object",
            "properties": {each["name"]: each["schema"] for each in parameters},
            "required": [each["name"] for each in parameters if each.get("required")],
        }
    }
    body = operation.get("requestBody", {}).get("content", {})
    if JSON in body:
        form[f"{name} body"] = body[JSON]["schema"]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {})
        if status.startswith("2") and JSON in content:
            form[f"{name}{ANSWER}{status}"] = content[JSON]["schema"]
    return form
