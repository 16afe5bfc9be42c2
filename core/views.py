"""What views of pages share: access to rows, decorators, forms that run a service, pagination."""

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

from core.errors import Forbidden, MusterError, NotFound
from core.form_resubmission import answer_once
from core.forms import PageForm
from core.pagination import OpenEndedPaginator, page_of
from core.typed_text import page_of_form
from rulebook.ruleset import RulesError

TableRow = TypeVar("TableRow", bound=Model)
Asker = User | AnonymousUser


class AuthenticatedRequest(HttpRequest):
    """The request of somebody who is signed in, as a page behind ``login_required_page`` gets
    it."""

    user: User


def get_visible_or_404(rows: Any, user: Asker, key: UUID) -> Any:
    """The row with this key among those that the user may see. Raises Http404."""
    row = rows.visible_to(user).filter(pk=key).first()
    if row is None:
        raise Http404
    return row


def is_editable(row: Model, user: Asker) -> bool:
    """Whether the user may change the row. One query, none for somebody who is not signed in."""
    rows: Any = type(row)._default_manager
    return user.is_authenticated and rows.editable_by(user).filter(pk=row.pk).exists()


def get_editable_or_404(rows: Any, user: Asker, key: UUID) -> Any:
    """The row, if the user may change it. Raises Http404 if it is hidden, PermissionDenied if it
    may only be seen."""
    row = get_visible_or_404(rows, user, key)
    if not is_editable(row, user):
        raise PermissionDenied
    return row


def get_or_404(rows: QuerySet[TableRow], key: UUID | str) -> TableRow:
    """The row with this key among rows that were found rightfully. Raises Http404."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise Http404
    return row


View = Callable[..., HttpResponseBase]
AnyRow = TypeVar("AnyRow")
PAGE_SIZE = 25


def login_required_page(view: View) -> View:
    """A page for people who are signed in; the others are sent to sign in, and come back after."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(_way_back(request))
        return _with_errors(view, request, *args, **named)

    answer.access = "members"  # type: ignore[attr-defined]
    return answer


def public_page(view: View) -> View:
    """A page that decides by its rows who may see it. Who is not signed in and may not see it is
    sent to sign in."""

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


def _with_errors(view: View, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
    try:
        return answer_once(request, partial(view, request, *args, **named))
    except NotFound as error:
        raise Http404(error.sentence) from error
    except Forbidden as error:
        raise PermissionDenied(error.sentence) from error


def _way_back(request: HttpRequest) -> str:
    """Where to go after signing in: to the page, or to the one whose form was sent."""
    return request.get_full_path() if request.method in ("GET", "HEAD") else page_of_form(request)


def post_data(request: HttpRequest) -> QueryDict | None:
    """What a form holds: what was posted, nothing before."""
    return request.POST if request.method == "POST" else None


def run_service(request: HttpRequest, verb: Callable[[], object], done: str = "") -> bool:
    """Carry out what a button asks for, and tell how it went. True if it was done."""
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
    """What went wrong: the sentence of each problem, once."""
    return list(dict.fromkeys(problem.sentence for problem in error.problems)) or [str(error)]


def render_form(
    request: HttpRequest, template: str, form: PageForm, **context: Any
) -> HttpResponse:
    """A page around a form: 200 when it is fresh, 400 when it was filled in wrongly, 409 when
    somebody was quicker."""
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
    """The page that asks before a button does what cannot be taken back. Its form posts to the same
    address."""
    context = {
        "heading": heading,
        "lines": lines,
        "button": button,
        "back": back,
        "section": section,
    }
    return render(request, "question.html", context)


def way_back(request: HttpRequest, otherwise: str) -> str:
    """Return the address within Muster that a form calls ``back``; ``otherwise`` if it names
    none."""
    back: str = request.POST.get("back", "")
    # Only a path: django.shortcuts.redirect would look up any other word as the name of a view.
    inside = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return back if inside else otherwise


def paginate(
    request: HttpRequest, rows: QuerySet[Any] | Sequence[AnyRow], size: int = PAGE_SIZE
) -> "Page[Any]":
    """Return the page of the rows that `?page=` asks for; the nearest one if there is no such page.

    One query where all rows are on the first page, else two.
    """
    return page_of(rows, request.GET.get("page", "1"), size)


def open_ended(
    request: HttpRequest,
    rows: QuerySet[Any],
    *,
    public_rows: QuerySet[Any],
    known_rows: QuerySet[Any],
) -> "Page[Any]":
    """As ``paginate``, for a list that grows with the installation: how many pages there are is not
    counted.

    Of the rows those are listed that are public or known to who asks; all three are in the same
    order.
    """
    paginator = OpenEndedPaginator(rows, PAGE_SIZE, shown=request.GET.get("page", ""))
    paginator.narrow(public_rows, known_rows)
    return paginator.shown_page()


def minutes_to_wait(request: HttpRequest, throttle_class: type[UserRateThrottle]) -> int:
    """Count a request of a page as the API counts it. Return how many minutes to wait: 0 if it is
    allowed."""
    throttle = throttle_class()
    if throttle.allow_request(request, None):  # type: ignore[arg-type]
        return 0
    return ceil((throttle.wait() or 1) / 60)


def add_warnings(request: HttpRequest, lines: Iterable[str]) -> None:
    """Sentences that warn and do not forbid, shown on the next page."""
    for line in lines:
        messages.warning(request, line)
