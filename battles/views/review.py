"""Pages that submit, confirm, dispute, decide and reopen a battle."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from battles.forms.review import DecideForm, DisputeForm, LateForm, VersionForm
from battles.models import Battle, BattleState
from battles.services.correction_conflicts import ConflictAnswers
from battles.services.correction_differences import CorrectionDifference
from battles.services.late_battles import QUESTIONS, Consent
from battles.services.review import (
    Decision,
    confirm_side,
    decide_battle,
    dispute_side,
    preview_confirming,
    reopen_battle,
    submit_battle,
)
from battles.views.corrections import organised, previewed
from core.errors import StateConflict
from core.forms import PageForm
from core.views import (
    AuthenticatedRequest,
    add_warnings,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    render_form,
    run_service,
)


@require_POST
@login_required_page
def submit(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Submit the log to the other side."""
    get_editable_or_404(Battle.objects, request.user, pk)
    done = _act(
        request,
        VersionForm(request.POST),
        submit_battle,
        pk,
        gettext("Result submitted. The other side can now confirm or dispute it."),
    )
    return redirect("battles:battle" if done else "battles:review", pk)


@require_POST
@login_required_page
def confirm(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Confirm a log for the side that `side` names; without it, for every side of the user."""
    get_editable_or_404(Battle.objects, request.user, pk)
    side = request.POST.get("side") or None
    return _confirm(
        request,
        VersionForm(request.POST),
        partial(confirm_side, side=side),
        pk,
        gettext("Result confirmed."),
    )


@require_POST
@login_required_page
def dispute(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Dispute a log, with a reason."""
    get_editable_or_404(Battle.objects, request.user, pk)
    side = request.POST.get("side") or None
    _act(
        request,
        DisputeForm(request.POST),
        dispute_side,
        pk,
        gettext("Result disputed. An organiser will decide."),
        side=side,
    )
    return redirect("battles:battle", pk)


@require_POST
@login_required_page
def decide(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Decide a submitted or disputed battle."""
    battle = organised(Battle.objects, request, pk)
    done = (
        gettext("Result confirmed.")
        if battle.state == BattleState.SUBMITTED
        and request.POST.get("decision") == Decision.AS_LOGGED
        else gettext("Decision saved.")
    )
    return _confirm(request, DecideForm(request.POST), _decide, pk, done)


def _decide(*, decision: str, **kwargs: Any) -> object:
    return decide_battle(decision=Decision(decision), **kwargs)


def _confirm(
    request: AuthenticatedRequest, form: PageForm, verb: Callable[..., object], pk: UUID, done: str
) -> HttpResponse:
    """Confirm a battle; for a late one first show the changes and ask about conflicts."""
    answering, questions = "look" in request.POST or "commit" in request.POST, list[str]()

    def attempted(**kwargs: Any) -> None:
        try:
            verb(**kwargs)
        except StateConflict as error:
            if error.code not in QUESTIONS:
                raise
            questions.append(error.code)

    if not answering:
        if _act(request, form, attempted, pk, "") and not questions:
            messages.success(request, done)
        if not questions:
            return redirect("battles:battle", pk)
    late = _late(request, form, verb, pk)
    if late.answer is True:
        messages.success(request, done)
        return redirect("battles:battle", pk)
    battle = get_visible_or_404(Battle.objects, request.user, pk)
    context = {
        "battle": battle,
        "difference": late.answer,
        "shown": battle.shown,
        "words": battle.words,
    }
    return render_form(request, "battles/late.html", late, section="battles", **context)


def _late(
    request: AuthenticatedRequest, form: PageForm, verb: Callable[..., object], pk: UUID
) -> LateForm:
    """Return the form with the preview of a late battle as its answer; True once confirmed."""
    late = LateForm(request.POST)
    side = request.POST.get("side") or None
    if not late.is_valid() or not form.is_valid():
        return late

    def settle(answers: ConflictAnswers, version: int) -> None:
        values = {**form.cleaned_data, "version": version}
        verb(battle_id=pk, user=request.user, consent=Consent(answers, changes=True), **values)

    def preview(answers: ConflictAnswers) -> CorrectionDifference:
        return preview_confirming(battle_id=pk, user=request.user, side=side, answers=answers)

    return previewed(request, late, preview, settle)


@require_POST
@login_required_page
def reopen(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Reopen a submitted log."""
    get_editable_or_404(Battle.objects, request.user, pk)
    _act(request, VersionForm(request.POST), reopen_battle, pk, gettext("Log reopened."))
    return redirect("battles:sheet", pk)


def _act(
    request: AuthenticatedRequest,
    form: PageForm,
    verb: Callable[..., object],
    pk: UUID,
    done: str,
    **more: Any,
) -> bool:
    """Call a service for a form of the battle's page, and show the outcome on the next page."""
    if not form.is_valid():
        add_warnings(
            request,
            [
                f"{name.capitalize()}: {' '.join(map(str, errors))}"
                for name, errors in form.errors.items()
            ],
        )
        return False
    return run_service(
        request, lambda: verb(battle_id=pk, user=request.user, **form.cleaned_data, **more), done
    )
