"""Shared parts of page views: access to rows, decorators, forms that run a service, pagination."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from math import ceil
from typing import Any, TypeVar
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from rest_framework.throttling import UserRateThrottle

from core.compiled_queries import CompiledQuery
from core.errors import Forbidden, MusterError, NotFound
from core.form_resubmission import answer_once
from core.forms import PageForm
from core.pagination import OpenEndedPaginator, page_of
from core.typed_text import page_of_form
from rulebook.ruleset import RulesError

TableRow = TypeVar("TableRow", bound=Model)
Asker = User | AnonymousUser


class AuthenticatedRequest(HttpRequest):
    """The request of a signed-in user, as a view with ``login_required_page`` gets it."""

    user: User


def get_visible_or_404(rows: Any, user: Asker, key: UUID) -> Any:
    """Return the row with this key if the user may view it. Raises Http404."""
    row = rows.visible_to(user).filter(pk=key).first()
    if row is None:
        raise Http404
    return row


def visible_row_or_404(rows: CompiledQuery[TableRow], user: Asker, key: UUID) -> TableRow:
    """Return the row of a compiled query for what the user may view. Raises Http404."""
    row = rows.first(key, user)
    if row is None:
        raise Http404
    return row


def is_editable(row: Model, user: Asker) -> bool:
    """Return whether the user may change the row. One query, or none if nobody is signed in."""
    rows: Any = type(row)._default_manager
    return user.is_authenticated and rows.editable_by(user).filter(pk=row.pk).exists()


def get_editable_or_404(rows: Any, user: Asker, key: UUID) -> Any:
    """Return the row with this key if the user may change it.

    Raises Http404 if it is hidden, or PermissionDenied if the user may only view it.
    """
    row = get_visible_or_404(rows, user, key)
    if not is_editable(row, user):
        raise PermissionDenied
    return row


def get_or_404(rows: QuerySet[TableRow], key: UUID | str) -> TableRow:
    """Return the row with this key from rows that the user may use. Raises Http404."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise Http404
    return row


View = Callable[..., HttpResponseBase]
AnyRow = TypeVar("AnyRow")
PAGE_SIZE = 25


def login_required_page(view: View) -> View:
    """Restrict a page to signed-in users. Others sign in first and then return to it."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_way_back(request))
        return _with_errors(view, request, *args, **named)

    answer.access = "members"  # type: ignore[attr-defined]
    return answer


def public_page(view: View) -> View:
    """Make a page whose rows decide who may view it.

    A visitor who is not signed in and may not view it is sent to the sign-in page.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        try:
            return _with_errors(view, request, *args, **named)
        except (Http404, PermissionDenied):
            if request.user.is_authenticated:
                raise
            return redirect_to_login(_way_back(request))

    answer.access = "open"  # type: ignore[attr-defined]
    return answer


def public_file(view: View) -> View:
    """Make an address that programs and other sites fetch, such as a feed or a card.

    Nobody can sign in there, so what a visitor may not view is not found.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        return _with_errors(view, request, *args, **named)

    answer.access = "open"  # type: ignore[attr-defined]
    return answer


def _with_errors(view: View, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
    try:
        return answer_once(request, partial(view, request, *args, **named))
    except NotFound as error:
        raise Http404(error.sentence) from error
    except Forbidden as error:
        raise PermissionDenied(error.sentence) from error


def _way_back(request: HttpRequest) -> str:
    """Return the page to open after signing in: this page, or the page of the sent form."""
    return request.get_full_path() if request.method in ("GET", "HEAD") else page_of_form(request)


def post_data(request: HttpRequest) -> QueryDict | None:
    """Return the data for a form: the posted values, or None for a GET."""
    return request.POST if request.method == "POST" else None


def run_service(request: HttpRequest, verb: Callable[[], object], done: str = "") -> bool:
    """Call a service and show a message about the result. Return whether it succeeded."""
    try:
        verb()
    except (Forbidden, NotFound):
        raise
    except (RulesError, MusterError) as error:
        for sentence in sentences(error):
            messages.error(request, sentence)
        return False
    if done:
        messages.success(request, done)
    return True


def sentences(error: RulesError | MusterError) -> Sequence[str]:
    """Return the sentences of the problems, each once, or the error's own sentence."""
    return list(dict.fromkeys(problem.sentence for problem in error.problems)) or [str(error)]


def render_form(
    request: HttpRequest, template: str, form: PageForm, **context: Any
) -> HttpResponse:
    """Return a page with a form: 200 if it is new, 400 with errors, 409 after someone's change."""
    return render(request, template, {"form": form, **context}, status=form.status)


def question(
    request: HttpRequest,
    *,
    heading: str,
    lines: Sequence[str],
    button: str,
    back: str,
    section: str = "",
) -> HttpResponse:
    """Return the page that asks for confirmation before an action that cannot be undone.

    Its form posts to the same address.
    """
    context = {
        "heading": heading,
        "lines": lines,
        "button": button,
        "back": back,
        "section": section,
    }
    return render(request, "question.html", context)


def way_back(request: HttpRequest, otherwise: str) -> str:
    """Return the address within Muster in the form's field ``back``, or ``otherwise``."""
    return local_page(request.POST, "back") or otherwise


def local_page(data: QueryDict, name: str) -> str:
    """Return the address within Muster in a field, or "" without one."""
    address: str = data.get(name, "")
    # Accept only paths: django.shortcuts.redirect would read other words as names of views.
    inside = address.startswith("/") and url_has_allowed_host_and_scheme(
        address, allowed_hosts=None
    )
    return address if inside else ""


def paginate(
    request: HttpRequest,
    rows: QuerySet[Any] | Sequence[AnyRow],
    size: int = PAGE_SIZE,
    *,
    first_rows: Callable[[], Sequence[Any]] | None = None,
) -> "Page[Any]":
    """Return the page of the rows that `?page=` asks for, or the nearest page.

    Makes one query if all rows are on the first page, else two. ``first_rows`` returns the rows of
    the first page and one more, if there is a faster way than to slice ``rows``.
    """
    return page_of(rows, request.GET.get("page", "1"), size, first_rows)


def open_ended(
    request: HttpRequest,
    rows: QuerySet[Any],
    *,
    public_rows: QuerySet[Any],
    known_rows: QuerySet[Any],
) -> "Page[Any]":
    """Return a page like ``paginate``, without counting the pages of a list that grows.

    Lists the rows that are public or known to the user. All three querysets have the same order.
    """
    paginator = OpenEndedPaginator(rows, PAGE_SIZE, shown=request.GET.get("page", ""))
    paginator.narrow(public_rows, known_rows)
    return paginator.shown_page()


def minutes_to_wait(request: HttpRequest, throttle_class: type[UserRateThrottle]) -> int:
    """Count a page's request as the API would. Return the minutes to wait, 0 if it is allowed."""
    throttle = throttle_class()
    if throttle.allow_request(request, None):  # type: ignore[arg-type]
        return 0
    return ceil((throttle.wait() or 1) / 60)


def add_warnings(request: HttpRequest, lines: Iterable[str]) -> None:
    """Show sentences as warnings on the next page."""
    for line in lines:
        messages.warning(request, line)
