"""Pages of passports: download one, upload one, read it, and import its warband."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    paginate,
    post_data,
    public_page,
    render_form,
    run_service,
)
from exchange.downloads import json_answer
from exchange.forms import PassportForm
from exchange.models import ReceivedPassport
from exchange.selectors.passports import read_passport
from exchange.services.passports import issue_fighter, issue_warband, receive_passport, take_on
from warbands.models import Fighter, Warband

ENDING = ".passport.json"
LINES = 50


@require_safe
@login_required_page
def of_warband(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Download the passport of a warband."""
    warband = get_editable_or_404(Warband.objects, request.user, pk)
    return json_answer(issue_warband(warband_id=pk, user=request.user), warband.name, ENDING)


@require_safe
@login_required_page
def of_fighter(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Download the passport of a fighter."""
    content = issue_fighter(fighter_id=pk, user=request.user)
    return json_answer(content, Fighter.objects.get(pk=pk).name, ENDING)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def passports(request: AuthenticatedRequest) -> HttpResponse:
    """List the passports that the user has uploaded, and upload another one."""
    form = PassportForm(post_data(request), request.FILES or None)
    if form.is_valid() and form.submit(
        lambda: receive_passport(content=form.content, user=request.user)
    ):
        return redirect("exchange:passport", form.answer.pk)
    mine = (
        ReceivedPassport.objects.filter(user=request.user)
        .defer("content")
        .select_related("warband")
    )
    return render_form(request, "exchange/passports.html", form, section="warbands", mine=mine)


@require_safe
@public_page
def passport(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the content of a passport, its checks, and the history."""
    received = get_visible_or_404(
        ReceivedPassport.objects.select_related("warband"), request.user, pk
    )
    reading = read_passport(received, request.user)
    page = paginate(request, reading.history, LINES)
    context = {"section": "warbands", "received": received, "reading": reading, "page": page}
    return render(request, "exchange/passport.html", context)


@require_POST
@login_required_page
def take(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Import the warband of a passport."""
    received = get_visible_or_404(ReceivedPassport.objects, request.user, pk)
    if run_service(request, partial(take_on, passport_id=pk, user=request.user)):
        messages.success(
            request, gettext("%(name)s imported with its whole history.") % {"name": received.name}
        )
        return redirect(
            "warbands:warband",
            ReceivedPassport.objects.values_list("warband_id", flat=True).get(pk=pk),
        )
    return redirect("exchange:passport", pk)
