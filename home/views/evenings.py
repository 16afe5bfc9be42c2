"""Pages of club nights: create, answer, edit and cancel them."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.models import Club, Evening
from clubs.services.evenings import (
    answer_evening,
    cancel_evening,
    change_evening,
    make_evenings,
    restore_evening,
)
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    render_form,
    run_service,
)
from home.forms.evenings import CancellingForm, ChangedEveningForm, NewEveningForm
from home.selectors.evenings import evening_card, members_to_answer_for

HOURS = {"since": "19:00", "until": "23:00"}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def make(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Create one club night, or one a week. The form suggests the data of the club's last one."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = NewEveningForm(post_data(request), zone=club.zone, initial=_as_last_time(club))
    if form.is_valid():
        weeks = form.cleaned_data["weeks"]
        if form.submit(
            lambda: make_evenings(club_id=pk, user=request.user, weeks=weeks, **form.details)
        ):
            made = ngettext("Club night added.", "%(weeks)s club nights added.", weeks)
            messages.success(request, made % {"weeks": weeks})
            day = form.cleaned_data["day"]
            if day < timezone.localdate(timezone=club.zone):
                sentence = gettext(
                    "%(day)s is in the past. If that is a mistake, cancel the club night."
                )
                written = date_format(day, gettext("j F Y"))
                messages.warning(request, sentence % {"day": written})
            return redirect(f"{reverse('home:calendar', args=[pk])}?month={day:%Y-%m}")
    return render_form(request, "home/make_evenings.html", form, club=club, section="clubs")


@require_safe
@public_page
def evening(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a club night: when, where, and who comes."""
    row = get_visible_or_404(Evening.objects.select_related("club"), request.user, pk)
    card = evening_card(row, request.user)
    context = {"club": row.club, "evening": card, "section": "clubs", "whole": True}
    if card.organises and card.may_answer:
        context["members"] = members_to_answer_for(row, request.user)
    if card.organises and card.cancelled:
        context["also_off"] = row.later.exclude(cancelled_at=None).count()
    return render(request, "home/evening.html", context)


@require_POST
@login_required_page
def answer(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Answer whether a member comes.

    HTMX takes the card, the tasks and their number from the page to which the answer leads.
    """
    row = get_visible_or_404(Evening.objects.select_related("club"), request.user, pk)
    given, member = request.POST.get("answer", ""), request.POST.get("member", "")
    verb = partial(
        answer_evening, evening_id=pk, user=request.user, answer=given, member_id=_key(member)
    )
    run_service(request, verb)
    page = request.POST.get("shown_on", "club")
    where = {"evening": reverse("home:evening", args=[pk]), "home": reverse("home")}
    return redirect(f"{where.get(page, reverse('home:club', args=[row.club_id]))}#evening-{pk}")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def change(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Edit the hours, place or note of a club night, and optionally of the later ones."""
    row = get_editable_or_404(Evening.objects.select_related("club"), request.user, pk)
    initial = {
        "day": row.local_start.date(),
        "since": row.local_start.time(),
        "until": row.local_end.time(),
        "place": row.place,
        "note": row.note,
    }
    form = ChangedEveningForm(
        post_data(request), zone=row.club.zone, later=row.later.count(), initial=initial
    )
    verb = partial(change_evening, evening_id=pk, user=request.user)
    if form.is_valid() and form.submit(lambda: verb(later=form.with_later, **form.details)):
        return redirect("home:evening", pk)
    return render_form(
        request, "home/change_evening.html", form, club=row.club, evening=row, section="clubs"
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def cancel(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Cancel a club night; optionally the later ones of its series too."""
    row = get_editable_or_404(Evening.objects.select_related("club"), request.user, pk)
    form = CancellingForm(post_data(request), later=row.later.filter(cancelled_at=None).count())
    verb = partial(cancel_evening, evening_id=pk, user=request.user)
    if form.is_valid() and form.submit(
        lambda: verb(reason=form.cleaned_data["reason"], later=form.with_later)
    ):
        messages.success(request, gettext("Club night cancelled. All calendars show it."))
        return redirect("home:evening", pk)
    return render_form(
        request, "home/cancel_evening.html", form, club=row.club, evening=row, section="clubs"
    )


@require_POST
@login_required_page
def restore(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Restore a cancelled club night."""
    get_editable_or_404(Evening.objects, request.user, pk)
    verb = partial(
        restore_evening, evening_id=pk, user=request.user, later=request.POST.get("later") == "true"
    )
    run_service(request, verb, gettext("Club night restored."))
    return redirect("home:evening", pk)


def _as_last_time(club: Club) -> dict[str, Any]:
    """Return initial values: a week after the club's last club night, same hours, same place."""
    last = (
        Evening.objects.filter(club=club, cancelled_at=None)
        .order_by("-starts_at")
        .select_related("club")
        .first()
    )
    if last is None:
        return dict(HOURS)
    week = timedelta(weeks=1)
    return {
        "day": (last.local_start + week).date(),
        "since": last.local_start.time(),
        "until": last.local_end.time(),
        "place": last.place,
    }


def _key(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
