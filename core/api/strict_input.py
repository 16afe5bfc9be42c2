"""Strict input:

refuse names that an operation does not have, with the nearest one it has, and values that its
parameters cannot have. The schema says what an operation has.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from difflib import get_close_matches
from functools import partial
from typing import Any, ClassVar

import django_filters
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.template.response import SimpleTemplateResponse
from django_filters.rest_framework import DjangoFilterBackend
from django_filters.utils import translate_validation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotAuthenticated, ValidationError
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from core.api.authentication import expect_scope
from core.api.field_choice import NAME as FIELDS
from core.api.field_choice import UnknownFieldName, chosen_fields, with_fields
from core.api.idempotency import answered_once, key_of
from core.api.preconditions import done_if_unchanged, etags_of
from core.api.rate_limits import write_limits
from core.cleaning import storable_moment
from core.errors import NotFound
from core.models import Scope

CONDITIONAL = ConditionalGetMiddleware(lambda request: HttpResponse())
"""Only its part for responses is used."""
YES, NO = ("true", "1", "yes"), ("false", "0", "no")
TAKES_A_BODY = ("POST", "PUT", "PATCH", "DELETE")
MAX_NAMED = 12


Path = tuple[str, ...]
Place = Callable[[Path], str]
"""A function that writes the path of a value in the input."""


class BadQuery(ValidationError):
    """Query parameters that the operation does not have or cannot read."""

    problem = "invalid"
    """The code of the whole."""


class MissingParameters(BadQuery):
    """Query parameters that the operation needs and did not get. There is no other error."""

    problem = "required"


class OnlyKnownNames:
    """Mixin for serializers: unknown names are refused, together with all other errors."""

    def names(self) -> set[str]:
        """Return the names of the writable fields."""
        return {name for name, field in self.fields.items() if not field.read_only}  # type: ignore[attr-defined]

    def to_internal_value(self, data: Any) -> Any:
        """Return the data as the fields read it. Raises ValidationError."""
        if not isinstance(data, Mapping):
            error = ErrorDetail(f"This must be an object, not {json_kind(data)}.", "invalid")
            raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [error]})
        unknown = unknown_fields(data, self.names()) if isinstance(data, Mapping) else {}
        for name in unknown.keys() & self.fields.keys():  # type: ignore[attr-defined]
            unknown[name] = [
                ErrorDetail(f"“{name}” can be read, and not be written.", "read-only-field")
            ]
        try:
            value = super().to_internal_value(data)  # type: ignore[misc]
        except ValidationError as error:
            if unknown and isinstance(error.detail, dict):
                raise ValidationError({**error.detail, **unknown}) from error
            raise
        if unknown:
            raise ValidationError(unknown)
        return value


class ExactSerializer(OnlyKnownNames, serializers.Serializer[Any]):
    """A body, or a part of one, without unknown names."""


class ExactView:
    """Mixin for every view of the API:

    it takes only what the schema of its operations has. A POST with an ``Idempotency-Key`` runs
    only once. A read has an ``ETag``, and is 304 if unchanged. Reads in ``public_reads`` need no
    account.
    """

    takes_a_body = False
    """True if the requested operation takes a body, once that is known."""
    public_reads: ClassVar[frozenset[str]] = frozenset()
    """The reads that need no account: rows decide who sees them, as on pages."""
    token_scopes: ClassVar[Mapping[str, Scope]] = {}
    """The scope that a token needs for each action, or method in views without actions.

    Without an entry, reading needs "read" and everything else "organise".
    """

    def get_permissions(self) -> Sequence[Any]:
        """Return no condition for public reads, and the usual ones for everything else."""
        if self.is_public_read:
            return [AllowAny()]
        return super().get_permissions()  # type: ignore[misc]

    @property
    def is_public_read(self) -> bool:
        """Return whether the request is a read that needs no account."""
        request: Any = self.request  # type: ignore[attr-defined]
        action = getattr(self, "action", None)
        return action in self.public_reads and (request is None or request.method in SAFE_METHODS)

    def handle_exception(self, error: Exception) -> Response:
        """Answer an error: 401 instead of 404 for a visitor who has not signed in."""
        request: Any = self.request  # type: ignore[attr-defined]
        if (
            isinstance(error, Http404 | NotFound)
            and self.is_public_read
            and not request.user.is_authenticated
        ):
            error = NotAuthenticated()
        return super().handle_exception(error)  # type: ignore[misc]

    throttles: Sequence[Any] = ()
    """The limits that were checked for the request."""

    def check_throttles(self, request: Request) -> None:
        """Check all limits, and keep them for the headers of the answer. Raises Throttled."""
        if getattr(request._request, "is_inner_read", False):
            return
        self.throttles = self.get_throttles()  # type: ignore[attr-defined]
        refusing = [each for each in self.throttles if not each.allow_request(request, self)]
        if refusing:
            waits = [wait for each in refusing if (wait := each.wait()) is not None]
            self.throttled(request, max(waits, default=None))  # type: ignore[attr-defined]

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        """Answer the request, with what is left of its limits."""
        response: HttpResponseBase = super().dispatch(request, *args, **named)  # type: ignore[misc]
        if isinstance(response, SimpleTemplateResponse) and not response.is_rendered:
            response.add_post_render_callback(partial(self._finish, request))
            return response
        return self._finish(request, response)

    def _finish(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return a complete answer, or 304 if the client has it, with what is left of limits."""
        # By a digest of the whole answer, so that no change in it is missed, not even of rights or
        # names.
        answer = CONDITIONAL.process_response(request, response)
        write_limits(answer, self.throttles)
        return answer

    def initial(self, request: Request, *args: Any, **named: Any) -> None:
        """Check the input after the permissions. Raises ValidationError."""
        super().initial(request, *args, **named)  # type: ignore[misc]
        expect_scope(request.auth, self.needed_scope(request))
        operation = _operation_of(self, request)
        if operation is not None:
            refuse_query(
                request.query_params,
                operation.parameters,
                open_ended=operation.open_ended,
                required=operation.required,
            )
            self.takes_a_body = operation.takes_a_body
            if not operation.takes_a_body and request.data:
                raise ValidationError(unknown_fields(request.data, ()))
            if operation.has_fields and (names := chosen_fields(request)):
                self.get: Any = partial(_read_fields, self.get, names)
        self._expect_once_and_unchanged(request)

    def _expect_once_and_unchanged(self, request: Request) -> None:
        """Make the handler of a change obey ``Idempotency-Key`` and ``If-Match``."""
        method, key, etags = str(request.method).lower(), key_of(request), etags_of(request)
        handler = getattr(self, method, None)
        if handler is None or not (key or etags):
            return
        make = partial(answered_once, key=key) if key else (lambda handler: handler)
        once = done_if_unchanged(make, handler, etags) if etags else make(handler)
        setattr(self, method, once)

    def needed_scope(self, request: Request) -> Scope:
        """Return the scope that a token needs for the request."""
        name = getattr(self, "action", None) or str(request.method).lower()
        default = Scope.READ if request.method in SAFE_METHODS else Scope.ORGANISE
        return self.token_scopes.get(name, default)

    def media_types(self, request: Request) -> tuple[str, ...]:
        """Return the media types of the operation's answers where its schema names them, such as
        application/pdf."""
        operation = _operation_of(self, request)
        return operation.media_types if operation else ()


def _read_fields(
    read: Callable[..., Any], names: tuple[str, ...], request: Request, *args: Any, **named: Any
) -> Any:
    """Return the answer to a read with these fields only. Raises BadQuery."""
    try:
        return with_fields(read(request, *args, **named), names)
    except UnknownFieldName as unknown:
        raise BadQuery(
            {FIELDS: [_unknown("field", unknown.name, unknown.known_names)]}
        ) from unknown


class ExactFilters(DjangoFilterBackend):
    """Filters of lists.

    They refuse a value that is neither true nor false, and an unknown order.
    """

    def get_filterset(self, request: Request, queryset: Any, view: Any) -> Any:
        """Return the filters with the request's values. Raises BadQuery."""
        filterset = super().get_filterset(request, queryset, view)
        if filterset is None:
            return None
        valid, read = filterset.is_valid(), filterset.form.cleaned_data
        expectations = {
            name: _wanted(each, request.query_params.get(name, ""), read.get(name))
            for name, each in filterset.filters.items()
        }
        wrong = {
            name: [_malformed(expected)] for name, expected in expectations.items() if expected
        }
        if wrong or not valid:
            raise BadQuery({**translate_validation(filterset.errors).detail, **wrong})
        return filterset


def _wanted(each: django_filters.Filter, value: str, read: Any) -> str:
    """Return the valid values of a filter that accepts anything, or "" if the value is valid."""
    match each:
        case django_filters.BooleanFilter() if not _is_flag(value):
            return "yes or no (true, false)"
        case django_filters.OrderingFilter() if value and not all(value.split(",")):
            return "names with a comma between each two"
        case django_filters.IsoDateTimeFilter() if read and not storable_moment(read):
            return "a time between the years 1 and 9999 in UTC"
    return ""


class _Operation:
    """Input of one operation:

    the parameters by name, each with the reason why a value is not valid, and a body.
    """

    def __init__(self, view: Any, method: str) -> None:
        schema = _schema_of(view, method)
        declared = [each for each in schema.get_override_parameters() if _is_query(each)]
        self.parameters = {each.name: _reader(each) for each in declared}
        self.required = {each.name: str(each.description) for each in declared if each.required}
        # Described as an object: each of its fields is a parameter of its own.
        self.open_ended = any(isinstance(each.type, dict) for each in declared)
        lists = schema._is_list_view()
        paginator = getattr(view, "paginator", None) if lists else None
        if paginator is not None:
            self.parameters |= {
                paginator.page_query_param: _no_page,
                paginator.page_size_query_param: _no_number,
            }
        filters = (
            getattr(view, "filterset_class", None)
            if lists and getattr(view, "filter_backends", ())
            else None
        )
        if filters is not None:
            # The filters read their values themselves.
            self.parameters |= dict.fromkeys(filters.base_filters, _nothing_wrong)
        self.takes_a_body = method in TAKES_A_BODY and schema.get_request_serializer() is not None
        answers = schema.get_response_serializers()
        keys = answers if isinstance(answers, Mapping) else ()
        self.media_types = tuple(key[1] for key in keys if isinstance(key, tuple))
        self.has_fields = method == "GET" and not self.media_types and not self.open_ended
        if self.has_fields:
            self.parameters[FIELDS] = _no_names


KNOWN: dict[tuple[type, str, str], _Operation] = {}


def _operation_of(view: Any, request: Request) -> _Operation | None:
    """Return the input of the operation that the request calls, or None."""
    method = "GET" if request.method == "HEAD" else str(request.method)
    name = getattr(view, "action", None) or method.lower()
    if method == "OPTIONS" or not hasattr(view, name):
        return None
    key = (type(view), name, method)
    if key not in KNOWN:
        KNOWN[key] = _Operation(view, method)
    return KNOWN[key]


def _schema_of(view: Any, method: str) -> Any:
    """Return the description of the operation by drf-spectacular."""
    handler = getattr(view, getattr(view, "action", None) or method.lower())
    described = getattr(handler, "kwargs", {}).get("schema")
    # A schema of a whole view is shared by all threads.
    schema = described() if described else copy(view.schema)
    schema.view, schema.method, schema.path = view, method, ""
    return schema


def _is_query(each: Any) -> bool:
    return isinstance(each, OpenApiParameter) and each.location == OpenApiParameter.QUERY


def pointer(path: Path) -> str:
    """Return the JSON pointer of the path: `/sides/0/warband`, empty for the whole."""
    return "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)


def parameter(path: Path) -> str:
    """Return the name of a query parameter, or of a value in it: `?mine`."""
    return f"?{'.'.join(path)}" if path else ""


def unknown_fields(data: Any, known_names: Iterable[str]) -> dict[str, list[ErrorDetail]]:
    """Return a complaint about each unknown name in the data."""
    names = {str(name) for name in data} if isinstance(data, Mapping) else {""}
    return {
        name: [_unknown("field", name, known_names)]
        for name in sorted(names.difference(known_names))
    }


def refuse_query(
    query: QueryDict,
    checks: Mapping[str, Callable[[str], str]],
    *,
    open_ended: bool = False,
    required: Mapping[str, str] | None = None,
) -> None:
    """Refuse unknown parameters (unless all are allowed), values that are not valid, and missing
    ones. ``required`` describes each that is needed. Raises BadQuery, or MissingParameters if that
    is all.
    """
    wrong: dict[str, list[ErrorDetail]] = {}
    for name in query:
        if name in checks:
            complaint = checks[name](query.get(name, ""))
            if complaint:
                wrong[name] = [_malformed(complaint)]
        elif not open_ended:
            wrong[name] = [_unknown("parameter", name, checks)]
    missing = {
        name: [
            ErrorDetail(f"This parameter is required: ?{name}=. {description}".strip(), "required")
        ]
        for name, description in (required or {}).items()
        if name not in query
    }
    if wrong:
        raise BadQuery({**wrong, **missing})
    if missing:
        raise MissingParameters(missing)


def json_kind(value: Any) -> str:
    """Return what JSON calls a value: "a list", "an object"."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    kinds = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), "this")


def _unknown(what: str, name: str, valid_names: Iterable[str]) -> ErrorDetail:
    names = sorted(valid_names)
    nearest = get_close_matches(name.lower(), names, n=1)
    if nearest:
        hint = f"The nearest is “{nearest[0]}”."
    elif names:
        several = "The fields are" if what == "field" else "The parameters are"
        start = several if len(names) > 1 else f"The only {what} is"
        hint = f"{start} {', '.join(names[:MAX_NAMED])}{', …' if len(names) > MAX_NAMED else ''}."
    else:
        hint = "Nothing is taken here."
    return ErrorDetail(f"There is no {what} “{name[:40]}” here. {hint}", f"unknown-{what}")


def _malformed(expected: str) -> ErrorDetail:
    return ErrorDetail(f"This should be {expected}.", "malformed-parameter")


def _reader(parameter: OpenApiParameter) -> Callable[[str], str]:
    """Says what a value of the parameter should be, or nothing if it is well; an empty one is as
    good as none."""
    return (
        KINDS.get(parameter.type, _nothing_wrong)
        if isinstance(parameter.type, Hashable)
        else _nothing_wrong
    )


def _nothing_wrong(value: str) -> str:
    return ""


def _is_flag(value: str) -> bool:
    return not value or value.lower() in (*YES, *NO)


def _no_flag(value: str) -> str:
    return "" if _is_flag(value) else "yes or no (true, false)"


def _no_number(value: str) -> str:
    return "" if not value or re.fullmatch(r"-?\d{1,18}", value, re.ASCII) else "a whole number"


def _no_page(value: str) -> str:
    return "" if value == "last" else _no_number(value)


def _no_names(value: str) -> str:
    # Empty means all, as without the parameter.
    named = re.fullmatch(r"(\s*\w+\s*(,\s*\w+\s*)*)?", value, re.ASCII)
    return "" if named else "names of fields with commas"


KINDS: dict[Any, Callable[[str], str]] = {
    OpenApiTypes.BOOL: _no_flag,
    bool: _no_flag,
    OpenApiTypes.INT: _no_number,
    int: _no_number,
}
"""The checks of parameter values, by their type in the schema; views read the other kinds
themselves."""
