"""``?fields=``: an answer with only some of its fields."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response

NAME = "fields"
PARAMETER = {
    "in": "query",
    "name": NAME,
    "schema": {"type": "string", "pattern": "^[a-z_]+(,[a-z_]+)*$", "example": "id,name"},
    "description": "Names of fields, with commas: only these are returned. In a list, of each row.",
}

Handler = Callable[..., Any]
Refusal = Callable[[str, set[str]], ErrorDetail]


class UnknownFieldName(Exception):
    """The answer has no such field. ``known_names`` are those that it has."""

    def __init__(self, name: str, known_names: set[str]) -> None:
        self.name, self.known_names = name, known_names
        super().__init__(name)


def chosen_fields(request: Request) -> tuple[str, ...]:
    """Return the names of the fields that a request asks for; none means all."""
    names = ",".join(request.query_params.getlist(NAME)).split(",")
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def with_fields(response: Any, names: tuple[str, ...]) -> Any:
    """Return the answer with these fields only. Raises UnknownFieldName."""
    if response.status_code != 200:
        return response
    if isinstance(response, Response):
        response.data = _chosen(response.data, names)
        return response
    # A copy of an earlier answer.
    answer = _chosen(json.loads(response.content), names)
    chosen = HttpResponse(json.dumps(answer), content_type=response.headers["Content-Type"])
    for name, value in response.headers.items():
        chosen.headers.setdefault(name, value)
    return chosen


def _chosen(answer: Any, names: tuple[str, ...]) -> Any:
    if isinstance(answer, Mapping) and isinstance(answer.get("results"), list):
        return {**answer, "results": _of_each(answer["results"], names)}
    return _of_each(answer, names) if isinstance(answer, list) else _of_each([answer], names)[0]


def _of_each(rows: list[Any], names: tuple[str, ...]) -> list[Any]:
    known_names = {name for row in rows if isinstance(row, Mapping) for name in row}
    for name in names if rows else ():
        if name not in known_names:
            raise UnknownFieldName(name, known_names)
    return [
        {name: row[name] for name in names if name in row} if isinstance(row, Mapping) else row
        for row in rows
    ]
