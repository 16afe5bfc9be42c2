"""Submitting a log, confirming or disputing it, deciding, opening it again."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from battles.forms.review import DecideForm, DisputeForm, VersionForm
from battles.models import Battle
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    reopen_battle,
    submit_battle,
)
from battles.views.permissions import organised
from config.pages.forms import PageForm
from config.pages.lookup import MemberRequest, editable
from config.pages.responses import attempt, members_only, warn_of


@require_POST
@members_only
def submit(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Close the log and hand it to the other side."""
    editable(Battle.objects, request.user, pk)
    done = _act(
        request,
        VersionForm(request.POST),
        submit_battle,
        pk,
        gettext("Submitted. The other side confirms or disputes."),
    )
    return redirect("battles:battle" if done else "battles:review", pk)


@require_POST
@members_only
def confirm(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Say that a log is right. `side` names one; without it, all that one plays."""
    editable(Battle.objects, request.user, pk)
    side = request.POST.get("side") or None
    _act(request, VersionForm(request.POST), confirm_side, pk, gettext("Confirmed."), side=side)
    return redirect("battles:battle", pk)


@require_POST
@members_only
def dispute(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Say that a log is wrong, and why."""
    editable(Battle.objects, request.user, pk)
    side = request.POST.get("side") or None
    _act(
        request, DisputeForm(request.POST), dispute_side, pk, gettext("Disputed. An organiser will decide."), side=side
    )
    return redirect("battles:battle", pk)


@require_POST
@members_only
def decide(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Decide a submitted or disputed battle."""
    organised(Battle.objects, request, pk)
    _act(request, DecideForm(request.POST), _decide, pk, gettext("Decided."))
    return redirect("battles:battle", pk)


def _decide(*, decision: str, **told: Any) -> object:
    return decide_battle(decision=Decision(decision), **told)


@require_POST
@members_only
def reopen(request: MemberRequest, pk: UUID) -> HttpResponse:
    """Take a submitted log back."""
    editable(Battle.objects, request.user, pk)
    _act(request, VersionForm(request.POST), reopen_battle, pk, gettext("The log is open again."))
    return redirect("battles:sheet", pk)


def _act(request: MemberRequest, form: PageForm, verb: Callable[..., object], pk: UUID, done: str, **more: Any) -> bool:
    """Do what a form of the battle's page asks for, and say how it went on the next page."""
    if not form.is_valid():
        warn_of(request, [f"{name.capitalize()}: {' '.join(map(str, said))}" for name, said in form.errors.items()])
        return False
    return attempt(request, lambda: verb(battle_id=pk, user=request.user, **form.cleaned_data, **more), done)
