"""All kinds of log entries as forms on one page, also those that no action offers.

The page stays the same as long as the battle lasts, so that a phone loads it once and has it when
the network fails.
"""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.forms.events import CORRECTION, CombatantNames, as_uuid
from battles.forms.table import ActionForm, by_hand_of
from battles.models import Battle, BattleEvent, BattleState
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.battle_rows import name_of
from battles.services.logbook import log_events
from battles.stored_play import load_battle_play
from battles.views.offline_queue import answers_the_queue, is_queued, logged, refused
from battles.views.result_sheet import names_of, replacing
from core.site_pages import cacheable_offline
from core.views import AuthenticatedRequest, get_editable_or_404, login_required_page
from rulebook.values.battles import EventForm
from rulebook.values.table import TableView


@require_http_methods(["GET", "HEAD", "POST"])
@answers_the_queue
@login_required_page
def by_hand(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show a form for each kind of event, and log the one that `?kind=` names.

    The turn of the entry is the battle's present one.
    """
    battle = get_editable_or_404(Battle.objects.for_table(), request.user, pk)
    if battle.state != BattleState.UNDER_WAY:
        return redirect("battles:battle", pk)
    all_kinds = sorted(
        ruleset_of_battle(battle).log.forms(), key=lambda kind: not kind.turn_by_turn
    )
    kinds = {kind.key: kind for kind in all_kinds if kind.key != CORRECTION}
    sides = list(battle.sides.all())
    table = ruleset_of_battle(battle).at_table(load_battle_play(battle, sides).play, "")
    names, sent_form = names_of(battle, sides, table), None
    if request.method == "POST":
        kind = kinds.get(request.GET.get("kind", ""))
        if kind is None:
            raise Http404
        sent_form = _form(kind, names, request.POST, turn=_turn_of(table, kind.key))
        answer = _logged(request, battle, sent_form)
        if answer is not None:
            return answer
    first = {"version": battle.version}
    forms = [
        sent_form
        if sent_form and key == sent_form.action.key
        else _form(kinds[key], names, initial=first)
        for key in kinds
    ]
    context = {
        "battle": battle,
        "name": name_of(battle),
        "forms": forms,
        "section": "battles",
        "sent": sent_form,
    }
    page = render(
        request, "battles/by_hand.html", context, status=sent_form.status if sent_form else 200
    )
    return cacheable_offline(request, page)


def _form(
    kind: EventForm, names: CombatantNames, data: Any = None, turn: int | None = None, **named: Any
) -> ActionForm:
    """Return the form of a kind of event, with field ids of its own."""
    return ActionForm(
        data, action=by_hand_of(kind, turn), names=names, auto_id=f"{kind.key}-%s", **named
    )


def _turn_of(table: TableView | None, kind: str) -> int | None:
    """Return the turn for such an event now: that of its action, otherwise the present turn."""
    if table is None:
        return None
    return next(
        (action.turn for action in table.actions if action.kind == kind), table.turn or None
    )


def _logged(request: AuthenticatedRequest, battle: Battle, form: ActionForm) -> HttpResponse | None:
    """Return the response for a logged entry; None for a page that shows why it was refused."""
    stored = battle.events.filter(client_id=as_uuid(request.POST.get("client_id", ""))).first()
    if stored is not None:
        return logged(request, battle, stored)
    if form.is_valid() and form.submit(lambda: _log(request, battle, form)):
        return logged(request, battle, form.answer)
    return refused(request, battle.pk, form) if is_queued(request) else None


def _log(request: AuthenticatedRequest, battle: Battle, form: ActionForm) -> BattleEvent:
    """Return the logged event. Raises what the service raises."""
    version = form.cleaned_data["version"]
    new_event = replacing(battle, form.cleaned_data["replaces"], form.event)
    (event,) = log_events(
        battle_id=battle.pk, events=(new_event,), user=request.user, version=version
    )
    return event
