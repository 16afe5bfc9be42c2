"""Pages of warbands: the list, one warband, its chronicle, and create, edit, copy and archive."""

from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.compiled_queries import CompiledQuery
from core.forms import PageForm
from core.history import LINES_ON_A_PAGE
from core.page_cache import cached_page
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    local_page,
    login_required_page,
    open_ended,
    post_data,
    public_page,
    render_form,
    run_service,
    visible_row_or_404,
)
from pictures.selectors.pictures import pictures_seen
from pictures.subjects import PictureKind
from rulebook.ruleset import Roster
from warbands.forms.warbands import CopyForm, MusterForm, WarbandForm
from warbands.models import Warband
from warbands.page_rows import WARBAND_ROWS
from warbands.rulebook_values import ruleset_of_warband, terms_of_row
from warbands.selectors.access import access_of
from warbands.selectors.chronicle_log import warband_history
from warbands.selectors.crests import crest_of, crests_of
from warbands.selectors.roster_text import roster_texts
from warbands.selectors.warband_page import warband_page
from warbands.services.warbands import (
    archive_warband,
    copy_warband,
    muster_warband,
    rename_warband,
    show_warband,
    write_warband_story,
)

VIEWS = ("cards", "list", "print", "text")
LONGEST_NUMBER = 9


@require_safe
@public_page
def warbands(request: HttpRequest) -> HttpResponse:
    """List the warbands that the user may see, their own first.

    `?archived=1` shows their archived ones.
    """
    user = request.user
    rows = Warband.objects.filter(archived_at__isnull="archived" not in request.GET).order_by(
        "name", "pk"
    )
    mine = Q(owner=user) | Q(keeper=user) if user.is_authenticated else Q(pk=None)
    own_warbands = list(rows.filter(mine)) if user.is_authenticated else []
    others = rows.exclude(mine)
    page = open_ended(
        request, others, public_rows=others.public(), known_rows=others.known_to(user)
    )
    context = {
        "section": "warbands",
        "mine": own_warbands,
        "page": page,
        "crests": crests_of([row.pk for row in (*own_warbands, *page.object_list)], user),
        "archived": "archived" in request.GET,
    }
    return render(request, "warbands/warbands.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def muster(request: AuthenticatedRequest) -> HttpResponse:
    """Create a warband.

    `?ruleset=` offers the lists of one rule system. The builder gets `?limit=`, the points of the
    campaign, and `?next=`, a page of this site that follows once the roster is saved.
    """
    form = MusterForm(post_data(request), ruleset=request.GET.get("ruleset", ""))
    if form.is_valid() and form.submit(partial(muster_warband, user=request.user, **form.details)):
        messages.success(
            request,
            gettext("%(answer)s created. Next: add fighters.") % {"answer": form.answer.name},
        )
        build = reverse("warbands:build", args=[form.answer.pk])
        query = {"limit": request.GET.get("limit", ""), "next": local_page(request.GET, "next")}
        query = {name: value for name, value in query.items() if value}
        return redirect(f"{build}?{urlencode(query)}" if query else build)
    return render_form(request, "warbands/muster.html", form, section="warbands")


WARBAND: CompiledQuery[Warband] = CompiledQuery(
    lambda key, _: Warband.objects.filter(pk=key).select_related("owner", "keeper").order_by()
)


@require_safe
@public_page
@cached_page(WARBAND_ROWS)
def warband(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a warband as cards, as a list, for printing, or as text to copy: `?view=`."""
    access = access_of(pk, request.user)
    if access is None:
        raise Http404
    row = visible_row_or_404(WARBAND, request.user, pk)
    view = request.GET.get("view", "cards")
    page = warband_page(row, request.user, access.rights)
    pictures = pictures_seen(
        {PictureKind.WARBAND: [pk], PictureKind.FIGHTER: [card.id for card in page.fighters]}
    )
    context = {"section": "warbands", "page": page, "view": view if view in VIEWS else "cards"}
    context["crests"] = {pk: crest_of(row, access, pictures)}
    context["portraits"] = pictures
    context["warband"] = row
    if view == "text":
        context["texts"] = roster_texts(page, request.build_absolute_uri(request.path))
    context["buys"] = bool(ruleset_of_warband(row).extras_fields(Roster(terms_of_row(row), ())))
    return render(request, "warbands/warband.html", context)


@require_safe
@public_page
def chronicle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the chronicle of a warband, newest first, with the seals that chain it.

    `?entry=` selects the page with the entry of that number.
    """
    row = get_visible_or_404(Warband.objects, request.user, pk)
    page, lines = warband_history(row).page(request.GET.get("page") or _page_of_entry(request, row))
    context = {"section": "warbands", "warband": row, "page": page, "lines": lines}
    return render(request, "warbands/chronicle.html", context)


def _page_of_entry(request: HttpRequest, row: Warband) -> str:
    """Return the page of the chronicle with the entry of `?entry=`; the first without one."""
    entry = request.GET.get("entry", "")
    is_number = entry.isascii() and entry.isdecimal() and len(entry) <= LONGEST_NUMBER
    return str((row.sequence - int(entry)) // LINES_ON_A_PAGE + 1) if is_number else "1"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change a warband's name, story and visibility."""
    row = get_editable_or_404(Warband.objects, request.user, pk)
    form = WarbandForm(
        post_data(request),
        initial={"name": row.name, "story": row.story, "visibility": row.visibility},
    )
    if form.is_valid() and form.submit(partial(_change, request, row, form)):
        return redirect("warbands:warband", pk)
    return render_form(request, "warbands/change.html", form, warband=row, section="warbands")


def _change(request: AuthenticatedRequest, row: Warband, form: PageForm) -> None:
    data, user = form.cleaned_data, request.user
    with transaction.atomic():
        if data["name"] != row.name:
            rename_warband(warband_id=row.pk, name=data["name"], user=user)
        show_warband(warband_id=row.pk, visibility=data["visibility"], user=user)
        write_warband_story(warband_id=row.pk, story=data["story"], user=user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def copy(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Copy a visible warband into a new one of the user."""
    row = get_visible_or_404(Warband.objects, request.user, pk)
    form = CopyForm(post_data(request), initial={"name": row.name})
    if form.is_valid() and form.submit(
        partial(copy_warband, warband_id=pk, user=request.user, **form.cleaned_data)
    ):
        return redirect("warbands:warband", form.answer.pk)
    return render_form(request, "warbands/copy.html", form, warband=row, section="warbands")


@require_POST
@login_required_page
def archive(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Archive a warband, or restore it."""
    row = get_editable_or_404(Warband.objects, request.user, pk)
    away = row.archived_at is None
    done = gettext("%(warband)s archived.") if away else gettext("%(warband)s restored.")
    done %= {"warband": row.name}
    run_service(
        request, partial(archive_warband, warband_id=pk, user=request.user, archived=away), done
    )
    return redirect("warbands:warband", pk)
