"""A page for organisers that changes the day of a battle, or its place in the day."""

from datetime import date
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from battles.days import battles_of_the_day
from battles.forms.days import DayForm
from battles.models import Battle, BattleState
from battles.selectors.battle_rows import name_of
from battles.services.correction_conflicts import ConflictAnswers
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.planning import describe_battle
from battles.views.corrections import organised, previewed
from core.views import AuthenticatedRequest, login_required_page, post_data, render_form


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def day(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Change when a battle was played. For a confirmed one the changes are shown first."""
    battle = organised(Battle.objects.select_related("campaign"), request, pk)
    confirmed = battle.state == BattleState.CONFIRMED
    form = DayForm(
        post_data(request),
        others=battles_of_the_day(battle, _day_sent(request) or battle.fought_on),
        confirmed=confirmed,
        initial={"fought_on": battle.fought_on, "version": battle.version},
    )
    if form.is_valid():
        form = _correct(request, battle, form) if confirmed else _change(request, battle, form)
        if form.answer is True:
            messages.success(request, gettext("Day saved."))
            return redirect("battles:battle", pk)
    context = {
        "battle": battle,
        "name": name_of(battle),
        "confirmed": confirmed,
        "difference": form.answer,
    }
    context |= {"shown": battle.shown, "words": battle.words, "section": "battles"}
    return render_form(request, "battles/day.html", form, **context)


def _day_sent(request: AuthenticatedRequest) -> date | None:
    """Return the submitted day, whose other battles are offered; None if it is not valid."""
    try:
        return parse_date(request.POST.get("fought_on", ""))
    except ValueError:
        return None


def _change(request: AuthenticatedRequest, battle: Battle, form: DayForm) -> DayForm:
    version = form.cleaned_data["version"]
    verb = partial(
        describe_battle, battle_id=battle.pk, user=request.user, day=form.day, version=version
    )
    form.answer = True if form.submit(verb) else None
    return form


def _correct(request: AuthenticatedRequest, battle: Battle, form: DayForm) -> DayForm:
    reason, new = form.cleaned_data["reason"], form.day

    def preview(answers: ConflictAnswers) -> CorrectionDifference:
        correction = Correction((), reason, answers, new)
        return preview_correction(battle_id=battle.pk, user=request.user, correction=correction)

    def settle(answers: ConflictAnswers, version: int) -> None:
        correction = Correction((), reason, answers, new)
        correct_battle(
            battle_id=battle.pk, user=request.user, correction=correction, version=version
        )

    return previewed(
        request,
        form,
        preview,
        settle,
        others=battles_of_the_day(battle, form.cleaned_data["fought_on"]),
    )
