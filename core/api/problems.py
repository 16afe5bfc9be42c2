"""Every error of the API in one form: RFC 9457 problem details, with codes that do not change.

{"type": "urn:muster:problem:invalid", "title": "Bad Request", "status": 400, "code": "invalid",
 "detail": "...", "instance": "/api/v1/battles/",
 "errors": [{"field": "/sides/0/warband", "code": "required", "detail": "..."}]}

A `field` is a JSON pointer (RFC 6901) into what was sent, `?name` for a parameter behind the
question mark, or the name of a header.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from math import isfinite
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, PermissionDenied, RequestDataTooBig
from django.core.exceptions import ValidationError as ModelValidationError
from django.db import Error
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from core.api import idempotency, preconditions
from core.api.negotiation import PROBLEM_TYPE
from core.api.strict_input import BadQuery, Path, Place, json_kind, parameter, pointer
from core.csv_files import CellError, UnreadableSpreadsheet
from core.errors import MusterError, Unavailable
from core.file_stores import StoreError, note_fault
from core.locks import is_lock_timeout
from core.outage import is_outage, note_outage
from rulebook.ruleset import Problem as RuleProblem
from rulebook.ruleset import RulesError
from rulebook.values.problems import Repeated

INVALID = "Some of what was sent cannot be used: see the list of errors."
AGAINST_RULES = "The rules do not allow this: see the list of errors."
NOT_DONE = "This cannot be done: see the list of errors."
WITHOUT_A_BODY = ("GET", "HEAD", "DELETE")
WANTED_KINDS = {"not_a_dict": "an object", "not_a_list": "a list"}
"""The expected kinds of JSON, by the codes of the framework's complaints."""
SIGN_IN = "Sign in first: send `Authorization: Token ...` with a token from `POST /api/v1/tokens/`."
HEADERS = (idempotency.HEADER, preconditions.HEADER)
"""The headers that an error can be about."""
SECRETIVE = ("password", "secret", "token", "code")


@dataclass(frozen=True)
class Problem:
    """The client's answer to an error:

    HTTP status, stable code, a sentence, and one line for each fault.
    """

    status: int
    code: str
    detail: str
    errors: tuple[dict[str, Any], ...] = ()
    headers: dict[str, str] = field(default_factory=dict)

    def body(self, path: str) -> dict[str, Any]:
        """Return the members of RFC 9457, with `code` and `errors`."""
        body: dict[str, Any] = {
            "type": f"urn:muster:problem:{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "instance": path,
        }
        written: dict[str, Any] = _writable(
            body | ({"errors": list(self.errors)} if self.errors else {})
        )
        return written


def _writable(value: Any) -> Any:
    """Return the value with half characters replaced:

    it is echoed, and they cannot be written in UTF-8.
    """
    if isinstance(value, dict):
        return {_writable(name): _writable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(inner) for inner in value]
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Handle exceptions for DRF.

    Return None for an unexpected one: it becomes a 500 and a line in the log.
    """
    request = context["request"]
    sent = _sent(request)
    bodiless = request.method in WITHOUT_A_BODY and not getattr(
        context["view"], "takes_a_body", False
    )
    if isinstance(error, BadQuery) or (bodiless and not sent):
        problem = problem_of(error, request.query_params, parameter)
    else:
        problem = problem_of(error, sent, getattr(context["view"], "place", pointer))
    if problem is None:
        return None
    set_rollback()
    body = problem.body(request.path)
    return Response(body, status=problem.status, headers=problem.headers, content_type=PROBLEM_TYPE)


def problem_of(error: Exception, body: Any = None, place: Place = pointer) -> Problem | None:
    """Return the problem for an exception, or None if it is a fault of Muster.

    `sent` is the client's data, `place` writes a path into it.
    """
    place = _in_headers_or(place)
    match error:
        case MusterError():
            return _from_service(error, place)
        case RulesError():
            return _from_rules(error, place)
        case ModelValidationError():
            return Problem(400, "invalid", INVALID, _once(_cleaning_lines(error, place)))
        case exceptions.ValidationError():
            return Problem(
                400,
                getattr(error, "problem", "invalid"),
                INVALID,
                _once(_lines(error.detail, body, place)),
            )
        case exceptions.APIException():
            return _from_framework(error)
        case Http404():
            return Problem(404, "not_found", "Not found, or you don't have access.")
        case RequestDataTooBig():
            return TOO_LARGE
        case Error() | StoreError():
            return _from_store(error)
        case PermissionDenied():
            return Problem(403, "permission_denied", "You cannot do this.")
    return None


def _in_headers_or(place: Place) -> Place:
    """Return ``place``, except that the path of a header is the header's name."""
    return lambda path: path[0] if path and path[0] in HEADERS else place(path)


def _from_rules(error: RulesError, place: Place) -> Problem:
    lines = _once(_rule_line(problem, place, error.within) for problem in error.problems)
    return Problem(400, "rules", AGAINST_RULES if lines else str(error), lines)


def _once(lines: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the lines without repeats about the same field."""
    return tuple({(line["field"], line["code"], line["detail"]): line for line in lines}.values())


def _from_service(error: MusterError, place: Place) -> Problem:
    lines = [_rule_line(problem, place, error.within) for problem in error.problems]
    if isinstance(error, UnreadableSpreadsheet):
        lines = [_cell_line(cell, place(_steps(error.field))) for cell in error.cells]
    if error.field and not lines:
        lines = [
            {
                "field": place(_steps(error.within, error.field)),
                "code": error.code,
                "detail": error.sentence,
            }
        ]
    headers = {"Retry-After": str(error.wait)} if isinstance(error, Unavailable) else {}
    detail = error.sentence
    for line in lines:
        # What the list says need not be said above it. A way out that stands there alone stays.
        detail = detail.replace(line["detail"], "").strip()
    detail = detail or (INVALID if error.http_status == HTTPStatus.BAD_REQUEST else NOT_DONE)
    return Problem(error.http_status, error.code, detail, _once(lines), headers)


def _from_store(error: Error | StoreError) -> Problem | None:
    if isinstance(error, StoreError):
        note_fault(error)
        return STORE_SILENT
    if is_lock_timeout(error):
        return BUSY
    if is_outage(error):
        note_outage(error)
        return UNAVAILABLE
    return None


def _from_framework(error: exceptions.APIException) -> Problem:
    header_values = {
        "WWW-Authenticate": getattr(error, "auth_header", None),
        "Retry-After": _seconds(error),
    }
    headers = {name: value for name, value in header_values.items() if value}
    detail = error.detail
    code = detail.code if isinstance(detail, exceptions.ErrorDetail) else error.default_code
    sentence = SIGN_IN if isinstance(error, exceptions.NotAuthenticated) else str(detail)
    if isinstance(error, preconditions.PreconditionFailed):
        line = {"field": preconditions.HEADER, "code": str(code), "detail": sentence}
        return Problem(error.status_code, str(code), NOT_DONE, (line,), headers)
    return Problem(error.status_code, str(code), sentence, headers=headers)


def _seconds(error: exceptions.APIException) -> str | None:
    wait = getattr(error, "wait", None)
    return str(int(wait)) if wait else None


def _steps(*fields: str) -> Path:
    """Return the steps of a path that services and rule systems write with dots."""
    return tuple(step for field in fields for step in field.split(".") if step)


def _rule_line(problem: RuleProblem, place: Place, within: str) -> dict[str, Any]:
    where = place(_steps(within, problem.field))
    line: dict[str, Any] = {"field": where, "code": problem.code, "detail": problem.sentence}
    line["severity"] = str(problem.severity)
    extras: dict[str, Any] = {
        "fighters": list(problem.fighters),
        "value": problem.value,
        "source": problem.source,
    }
    if isinstance(problem, Repeated):
        # The entry that tells it already, and the data of the correction that puts this event in
        # its place.
        extras |= {"entry": problem.entry, "correction": problem.correction}
    return line | {name: value for name, value in extras.items() if value}


def _cell_line(wrong: CellError, where: str) -> dict[str, Any]:
    """Return the line for a cell of a spreadsheet inside one field, with its name there, such as
    C7.
    """
    line = {"field": where, "cell": wrong.cell, "code": wrong.code, "detail": wrong.sentence}
    return line | {
        name: value for name, value in (("value", wrong.found), ("nearest", wrong.nearest)) if value
    }


def _cleaning_lines(error: ModelValidationError, place: Place) -> Iterator[dict[str, Any]]:
    """Return a model's complaints; those about no single column have an empty field."""
    errors_by_field = (
        error.error_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.error_list}
    )
    for name, complaints in errors_by_field.items():
        for complaint in complaints:
            where = place(() if name == NON_FIELD_ERRORS else (name,))
            yield {
                "field": where,
                "code": complaint.code or "invalid",
                "detail": " ".join(complaint.messages),
            }


def _lines(detail: Any, body: Any, place: Place, path: Path = ()) -> Iterator[dict[str, Any]]:
    """Return DRF's nested complaints as a flat list:

    `{"sides": [{"role": ["..."]}]}` is about the field `/sides/0/role`.
    """
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _lines(inner, body, place, (*path, str(name)))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from _lines(inner, body, place, (*path, str(number)) if nested else path)
    else:
        yield _line(detail, body, place, path)


def _line(detail: Any, body: Any, place: Place, path: Path) -> dict[str, Any]:
    path = tuple(step for step in path if step != api_settings.NON_FIELD_ERRORS_KEY)
    line = {"field": place(path), "code": getattr(detail, "code", "invalid"), "detail": str(detail)}
    if line["code"] in WANTED_KINDS:
        # What was sent may lie elsewhere than the path says, where a single event or a bare list
        # came.
        value_sent = _at(body, path)
        instead = "" if value_sent is None else f", not {json_kind(value_sent)}"
        line["detail"] = f"This must be {WANTED_KINDS[line['code']]}{instead}."
    value = _value(body, path)
    return line if value is None else line | {"value": value}


def _value(body: Any, path: Path) -> str | int | float | bool | None:
    """Return the client's value in this place if it is short, not secret, and valid in JSON;

    else None.
    """
    if not path or any(word in path[-1].lower() for word in SECRETIVE):
        return None
    body = _at(body, path)
    if isinstance(body, str):
        return body if len(body) <= 200 else None
    if isinstance(body, float):
        return body if isfinite(body) else None
    return body if isinstance(body, bool | int) else None


def _at(body: Any, path: Path) -> Any:
    for step in path:
        body = _inside(body, step)
    return body


def _inside(body: Any, step: str) -> Any:
    if isinstance(body, list):
        return body[int(step)] if step.isdecimal() and int(step) < len(body) else None
    return body.get(step) if hasattr(body, "get") else None


def _sent(request: Any) -> Any:
    """Return the request's data, or None if they could not be read."""
    try:
        return request.data
    except (exceptions.APIException, RequestDataTooBig):
        return None


def is_for_programs(request: HttpRequest) -> bool:
    """Return whether an address belongs to the API or a health check:

    programs read a problem there, not a page.
    """
    return request.path.startswith(("/api/", "/health/"))


def json_response(problem: Problem, request: HttpRequest) -> JsonResponse:
    """Return the problem as a plain Django response, for errors before a view of the API."""
    body = problem.body(request.path)
    return JsonResponse(
        body, status=problem.status, headers=problem.headers, content_type=PROBLEM_TYPE
    )


NOT_FOUND = Problem(404, "not_found", "Not found.")
FORBIDDEN = Problem(403, "permission_denied", "You cannot do this.")
BAD_REQUEST = Problem(400, "bad_request", "The request cannot be read.")
BUSY = Problem(
    503, "busy", "The server is busy. Try again in a moment.", headers={"Retry-After": "1"}
)
UNAVAILABLE = Problem(
    503,
    "database_unavailable",
    "The database is not available. Try again in a few seconds.",
    headers={"Retry-After": "5"},
)
STORE_SILENT = Problem(
    503,
    "store-unusable",
    "The store for files does not answer. Try again in a few seconds.",
    headers={"Retry-After": "5"},
)
# What the web server refuses before it has read all of a request.
TOO_SLOW = Problem(408, "too_slow", "The request did not arrive in time. Send it again.")
TOO_LARGE = Problem(413, "too_large", "The request is too large for this server.")
ADDRESS_TOO_LONG = Problem(
    414, "address_too_long", "The address is too long. At most 8,190 bytes are allowed."
)
HEADERS_TOO_LARGE = Problem(
    431,
    "headers_too_large",
    "The headers are too large. At most 64 KB are allowed, with the address.",
)
NOT_IMPLEMENTED = Problem(
    501, "not_implemented", "This server supports only the transfer coding chunked."
)
FAULT = Problem(
    500, "fault", "Something went wrong. Report the request id to the person who runs this site."
)
