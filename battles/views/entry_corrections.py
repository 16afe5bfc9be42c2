"""A page that corrects one entry of a log: it shows the entry before and after the correction."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from battles.forms.events import TURN, EventRow, as_uuid
from battles.forms.review import EntryForm
from battles.models import Battle, BattleState
from battles.rulebook_values import logged, read_setup, ruleset_of_battle
from battles.selectors.battle_rows import name_of
from battles.selectors.entry_form import SOMEBODY, entry_form, merge_correction, value_at
from battles.selectors.log_history import page_of
from battles.selectors.log_sentences import Wording, page_text
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.locking import UNDER_REVIEW
from battles.services.logbook import NewEvent, log_events
from battles.services.review import correct_under_review
from battles.views.corrections import organised, previewed
from battles.views.result_sheet import names_of, striking
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_visible_or_404,
    login_required_page,
    post_data,
)
from rulebook.battle_log.corrections import effective_events
from rulebook.ruleset import LoggedEvent
from rulebook.values.battles import EventForm

ROW = "entry"
"""The prefix of the fields of an entry."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def correct_entry(request: AuthenticatedRequest, pk: UUID, sequence: int) -> HttpResponse:
    """Correct an entry; for a confirmed battle the changes are shown before they are saved."""
    battle = _battle(request, pk)
    log, sides = (*logged(battle.events.all()),), list(battle.sides.all())
    entry = next((each for each in effective_events(log) if each.sequence == sequence), None)
    kind = next(
        (
            each
            for each in ruleset_of_battle(battle).log.forms()
            if entry and each.key == entry.kind
        ),
        None,
    )
    if entry is None or kind is None:
        raise Http404
    form = EntryForm(post_data(request), initial={"version": battle.version})
    fields = entry_form(
        ruleset_of_battle(battle),
        read_setup(battle, sides),
        log,
        kind,
        _of_whom(request, kind, entry),
    )
    row = EventRow(
        None if request.POST.get("strike") else post_data(request),
        prefix=ROW,
        kind=replace(kind, fields=fields),
        names=names_of(battle, sides),
        client_id=as_uuid(request.POST.get("client_id", "")),
        initial={
            **{field.key: value_at(entry.data, field.key) for field in fields},
            TURN.key: entry.turn,
        },
        empty_permitted=False,
    )
    shown: LoggedEvent | None = entry
    if (
        request.method == "POST"
        and form.is_valid()
        and (form.cleaned_data["strike"] or row.is_valid())
    ):
        instead = None if form.cleaned_data["strike"] else _instead(entry, row)
        shown = (
            replace(entry, data=instead.data, turn=instead.turn or entry.turn) if instead else None
        )
        form = _corrected(
            request,
            battle,
            form,
            striking(battle, sequence, form.cleaned_data["reason"], row.client_id, instead),
        )
        if form.answer is True:
            done = gettext("Correction saved. All totals are up to date.")
            if battle.state in UNDER_REVIEW:
                done = gettext("Correction saved. All sides confirm the new result.")
            messages.success(request, done)
            return redirect(_back(request, battle, sequence))
    context = {
        "battle": battle,
        "name": name_of(battle),
        "row": row,
        "sequence": sequence,
        "section": "battles",
    }
    context |= {"before": _sentence(battle, entry), "after": _sentence(battle, shown)}
    context |= {
        "difference": form.answer,
        "shown": battle.shown,
        "words": battle.words,
        "client_id": row.client_id,
    }
    context |= {
        "back": _back(request, battle, sequence),
        "confirmed": battle.state == BattleState.CONFIRMED,
    }
    http_status = 400 if row.errors else form.status
    return render(
        request, "battles/correct_entry.html", {"form": form, **context}, status=http_status
    )


def _battle(request: AuthenticatedRequest, pk: UUID) -> Battle:
    """Return the battle, if the user may correct it.

    While it is under way users who may log it can, afterwards an organiser.
    """
    battle: Battle = get_visible_or_404(Battle.objects, request.user, pk)
    if battle.state == BattleState.UNDER_WAY:
        return get_editable_or_404(Battle.objects.for_pages(), request.user, pk)
    if battle.state in (BattleState.CONFIRMED, *UNDER_REVIEW):
        return organised(Battle.objects.for_pages(), request, pk)
    get_editable_or_404(Battle.objects, request.user, pk)
    raise Http404


def _of_whom(request: AuthenticatedRequest, kind: EventForm, entry: LoggedEvent) -> LoggedEvent:
    """Return the entry with the fighters and sides that the form names, to find their choices."""
    values = {
        field.key: request.POST.get(f"{ROW}-{field.key}")
        for field in kind.fields
        if field.kind in SOMEBODY
    }
    return replace(
        entry, data={**entry.data, **{key: value for key, value in values.items() if value}}
    )


def _instead(entry: LoggedEvent, row: EventRow) -> NewEvent:
    """Return the corrected entry; values without a field in the form stay."""
    return NewEvent(
        row.client_id,
        entry.kind,
        merge_correction(entry.data, row.fields, row.event.data),
        row.event.turn,
    )


def _corrected(
    request: AuthenticatedRequest, battle: Battle, form: EntryForm, event: NewEvent
) -> EntryForm:
    """Return the form with the preview of the correction as its answer; True once it is saved."""
    if battle.state == BattleState.UNDER_WAY:
        version = form.cleaned_data["version"]
        form.submit(
            partial(
                log_events, battle_id=battle.pk, events=(event,), user=request.user, version=version
            )
        )
        form.answer = None if form.errors else True
        return form
    reason = form.cleaned_data["reason"]
    kwargs: dict[str, Any] = {"battle_id": battle.pk, "user": request.user}
    if battle.state in UNDER_REVIEW:
        version = form.cleaned_data["version"]
        form.submit(
            partial(correct_under_review, event=event, reason=reason, version=version, **kwargs)
        )
        form.answer = None if form.errors else True
        return form
    return previewed(
        request,
        form,
        lambda answers: preview_correction(
            correction=Correction((event,), reason, answers), **kwargs
        ),
        lambda answers, version: correct_battle(
            correction=Correction((event,), reason, answers), version=version, **kwargs
        ),
    )


def _sentence(battle: Battle, entry: LoggedEvent | None) -> str:
    """Return the sentence of an entry; "" for a removed one."""
    wording = Wording(ruleset_of_battle(battle), read_setup(battle, battle.sides.all()))
    return page_text(entry.kind, wording.sentence_of(entry)) if entry else ""


def _back(request: AuthenticatedRequest, battle: Battle, sequence: int) -> str:
    """Return the address after the correction: the live log if the user came from it."""
    if request.GET.get("from") == "table" and battle.state == BattleState.UNDER_WAY:
        return f"{reverse('battles:table', args=[battle.pk])}#feed"
    return back_to(battle, sequence)


def back_to(battle: Battle, sequence: int) -> str:
    """Return the address of the page that shows an entry."""
    return f"{reverse('battles:battle', args=[battle.pk])}?log={page_of(sequence)}#entry-{sequence}"
