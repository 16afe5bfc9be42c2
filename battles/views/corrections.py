"""Pages that correct, void and restore a battle; each shows what changes first."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from battles.forms.events import SheetForm, as_uuid, sheet_kinds
from battles.forms.review import CorrectionForm
from battles.models import Battle, BattleState
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.battle_page import log_lines
from battles.services.correction_conflicts import NO_ANSWERS, ConflictAnswers
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import (
    Correction,
    correct_battle,
    preview_correction,
    preview_restore,
    preview_void,
    restore_battle,
    void_battle,
)
from battles.services.dependents import fixture_is_free
from battles.services.locking import BEFORE_SUBMISSION
from battles.services.logbook import NewEvent
from battles.views.result_sheet import names_of, striking
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
    render_form,
)

Preview = Callable[[ConflictAnswers], CorrectionDifference]
AnyForm = TypeVar("AnyForm", bound=CorrectionForm)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def correct(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Correct a confirmed battle: remove and add entries, preview the changes, save them."""
    battle = organised(Battle.objects.for_pages(), request, pk)
    sides = list(battle.sides.all())
    sheet = SheetForm(
        post_data(request),
        sheet_kinds(ruleset_of_battle(battle), battle.scenario),
        names_of(battle, sides),
    )
    form = CorrectionForm(post_data(request), initial={"version": battle.version})
    if (
        request.method == "POST"
        and not sheet.wants_more
        and all([sheet.is_valid(), form.is_valid()])
    ):
        form = _correct(request, battle, sheet, form)
        if form.answer is True:
            messages.success(request, gettext("Correction saved. All totals are up to date."))
            return redirect("battles:battle", pk)
    # Entries of a result form have no turn: they are one group after those of the turns.
    log = sorted(log_lines(battle, sides), key=lambda line: (not line.turn, line.turn or 0))
    struck = request.POST.getlist("strike")
    context = {"battle": battle, "sheet": sheet, "log": log, "section": "battles"}
    context |= {
        "shown": battle.shown,
        "words": battle.words,
        "client_id": _client_id(request),
        "struck": struck,
    }
    context["mended_turns"] = {line.turn for line in log if str(line.sequence) in struck}
    return render_form(request, "battles/correct.html", form, difference=form.answer, **context)


def _correct(
    request: AuthenticatedRequest, battle: Battle, sheet: SheetForm, form: CorrectionForm
) -> CorrectionForm:
    """Return the form with the preview of the correction as its answer; True once it is saved."""
    reason = form.cleaned_data["reason"]
    struck = _struck(request, battle, reason)
    sheet.before = len(struck)
    events = (*struck, *sheet.events)

    def preview(answers: ConflictAnswers) -> CorrectionDifference:
        return preview_correction(
            battle_id=battle.pk, user=request.user, correction=Correction(events, reason, answers)
        )

    def settle(answers: ConflictAnswers, version: int) -> None:
        correction = Correction(events, reason, answers)
        correct_battle(
            battle_id=battle.pk, user=request.user, correction=correction, version=version
        )

    return previewed(request, form, preview, settle)


def _struck(request: AuthenticatedRequest, battle: Battle, reason: str) -> tuple[NewEvent, ...]:
    """Return an event for each ticked entry. A form that is sent twice uses the same ids."""
    ticked = [
        int(place)
        for place in request.POST.getlist("strike")
        if place.isdecimal() and len(place) < 6
    ]
    base = _client_id(request)
    return tuple(
        striking(battle, place, reason, uuid5(base, str(place))) for place in sorted(set(ticked))
    )


def _client_id(request: AuthenticatedRequest) -> UUID:
    return as_uuid(request.POST.get("client_id", ""))


def previewed(
    request: AuthenticatedRequest,
    form: AnyForm,
    preview: Preview,
    settle: Callable[[ConflictAnswers, int], object],
    **of_form: Any,
) -> AnyForm:
    """Preview the changes, ask about conflicts, and save if that is requested and all are answered.

    ``of_form`` are further arguments of the form's class.
    """
    if not form.submit(partial(preview, NO_ANSWERS)):
        return form
    asking = type(form)(request.POST, conflicts=form.answer.conflicts, **of_form)
    if not asking.is_valid() or not asking.submit(lambda: preview(asking.answers)):
        return asking
    version = asking.cleaned_data["version"]
    if "commit" in request.POST:
        seen = asking.answer
        done = asking.submit(lambda: settle(asking.answers, version))
        asking.answer = True if done else seen
    return asking


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def void(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Void a battle. For a confirmed one everything that depends on it is shown first."""
    battle = _entitled(request, pk)
    form = CorrectionForm(post_data(request), initial={"version": battle.version})
    if form.is_valid():
        form = _void(request, battle, form)
        if form.answer is True:
            messages.success(request, gettext("Battle voided. It no longer counts."))
            return redirect("battles:battle", pk)
    context = {
        "battle": battle,
        "difference": form.answer,
        "shown": battle.shown,
        "words": battle.words,
        "section": "battles",
    }
    return render_form(request, "battles/void.html", form, **context)


def _void(request: AuthenticatedRequest, battle: Battle, form: CorrectionForm) -> CorrectionForm:
    def settle(answers: ConflictAnswers, version: int) -> None:
        reason = form.cleaned_data["reason"]
        void_battle(
            battle_id=battle.pk, user=request.user, reason=reason, answers=answers, version=version
        )

    if battle.state == BattleState.CONFIRMED:
        preview = partial(_void_preview, request, battle)
        return previewed(request, form, preview, settle)
    done = form.submit(lambda: settle(NO_ANSWERS, form.cleaned_data["version"]))
    form.answer = True if done else None
    return form


def _void_preview(
    request: AuthenticatedRequest, battle: Battle, answers: ConflictAnswers
) -> CorrectionDifference:
    return preview_void(battle_id=battle.pk, user=request.user, answers=answers)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def restore(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Restore a voided battle. For one that was confirmed, the changes are shown first."""
    battle = organised(Battle.objects, request, pk)
    form = CorrectionForm(post_data(request), initial={"version": battle.version})
    if form.is_valid():

        def settle(answers: ConflictAnswers, version: int) -> None:
            reason = form.cleaned_data["reason"]
            restore_battle(
                battle_id=pk, user=request.user, reason=reason, answers=answers, version=version
            )

        def preview(answers: ConflictAnswers) -> CorrectionDifference:
            return preview_restore(battle_id=pk, user=request.user, answers=answers)

        form = previewed(request, form, preview, settle)
        if form.answer is True:
            messages.success(request, gettext("Battle restored."))
            return redirect("battles:battle", pk)
    context = {"battle": battle, "shown": battle.shown, "words": battle.words, "section": "battles"}
    context |= {
        "difference": form.answer if battle.confirmed_at else None,
        "counted": battle.confirmed_at is not None,
    }
    context["fixture_taken"] = battle.state == BattleState.VOID and not fixture_is_free(
        battle, battle.sides.all()
    )
    return render_form(request, "battles/restore.html", form, **context)


def _entitled(request: AuthenticatedRequest, pk: UUID) -> Battle:
    """Return the battle, if the user may void it.

    Before submission users who may log it can, later only an organiser.
    """
    battle: Battle = get_visible_or_404(Battle.objects, request.user, pk)
    if battle.state in BEFORE_SUBMISSION:
        return get_editable_or_404(Battle.objects, request.user, pk)
    return organised(Battle.objects, request, pk)


def organised(rows: Any, request: AuthenticatedRequest, pk: UUID) -> Battle:
    """Return the battle, if the user may decide it.

    Raises Http404 if it is hidden, PermissionDenied if the user is not its organiser.
    """
    battle: Battle = get_visible_or_404(rows, request.user, pk)
    if not Battle.objects.organised_by(request.user).filter(pk=pk).exists():
        raise PermissionDenied(gettext("Only organisers can do this."))
    return battle
