"""One entry of a log corrected in its place: as it was and as it shall be side by side, and back to
where it stands."""

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
from battles.selectors.log_sentences import Wording
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.logbook import NewEvent, log_events
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
    """Correct an entry: of a confirmed battle first everything that changes is shown, then it is
    settled."""
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
            messages.success(
                request, gettext("Corrected. Every number that hung on it has followed.")
            )
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
    """The battle, if the asker may correct it: while it is under way whoever logs, afterwards an
    organiser."""
    battle: Battle = get_visible_or_404(Battle.objects, request.user, pk)
    if battle.state == BattleState.UNDER_WAY:
        return get_editable_or_404(Battle.objects.for_pages(), request.user, pk)
    if battle.state == BattleState.CONFIRMED:
        return organised(Battle.objects.for_pages(), request, pk)
    get_editable_or_404(Battle.objects, request.user, pk)
    raise Http404


def _of_whom(request: AuthenticatedRequest, kind: EventForm, entry: LoggedEvent) -> LoggedEvent:
    """The entry as it tells of those whom the form names: what can be chosen is theirs."""
    values = {
        field.key: request.POST.get(f"{ROW}-{field.key}")
        for field in kind.fields
        if field.kind in SOMEBODY
    }
    return replace(
        entry, data={**entry.data, **{key: value for key, value in values.items() if value}}
    )


def _instead(entry: LoggedEvent, row: EventRow) -> NewEvent:
    """The entry as it shall be; what its form does not ask for stays."""
    return NewEvent(
        row.client_id,
        entry.kind,
        merge_correction(entry.data, row.fields, row.event.data),
        row.event.turn,
    )


def _corrected(
    request: AuthenticatedRequest, battle: Battle, form: EntryForm, event: NewEvent
) -> EntryForm:
    """The form with what the correction would change as its answer; True once it is settled."""
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
    """An entry in words; "" for one that is struck out."""
    wording = Wording(ruleset_of_battle(battle), read_setup(battle, battle.sides.all()))
    return wording.sentence_of(entry) if entry else ""


def _back(request: AuthenticatedRequest, battle: Battle, sequence: int) -> str:
    """Return where whoever corrects goes back to: the live log, if that is where the link was
    followed."""
    if request.GET.get("from") == "table" and battle.state == BattleState.UNDER_WAY:
        return f"{reverse('battles:table', args=[battle.pk])}#feed"
    return back_to(battle, sequence)


def back_to(battle: Battle, sequence: int) -> str:
    """The address of the page where an entry stands."""
    return f"{reverse('battles:battle', args=[battle.pk])}?log={page_of(sequence)}#entry-{sequence}"
