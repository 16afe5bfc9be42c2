"""All kinds of log entries as forms on one page, also those that no action offers.

The page stays the same as long as the battle lasts, so that a phone loads it once and has it when
the network fails.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods
from msgspec.structs import replace

from battles.forms.events import CombatantNames, as_uuid
from battles.forms.table import ActionForm
from battles.models import Battle, BattleEvent, BattleState
from battles.rulebook_values import ruleset_of_battle, scenario_of
from battles.selectors.battle_rows import name_of
from battles.services.logbook import log_events
from battles.stored_play import load_battle_play
from battles.views.offline_queue import (
    answers_the_queue,
    is_queued,
    logged,
    refused,
    submitted_data,
)
from battles.views.result_sheet import names_of, replacing
from core.site_pages import cacheable_offline
from core.views import AuthenticatedRequest, get_editable_or_404, login_required_page
from rulebook.at_table.manual_entries import ManualEntry, manual_entries
from rulebook.values.battles import Scenario
from rulebook.values.table import Action, TableView

UNLISTED = gettext_lazy("Other entries")
EntryForm = tuple[ManualEntry, ActionForm]


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
    sides = list(battle.sides.all())
    rules, play = ruleset_of_battle(battle), load_battle_play(battle, sides).play
    table = rules.at_table(play, "")
    entries = {
        entry.action.key: entry
        for entry in manual_entries(play, dice=table is None or table.dice != "app")
    }
    names, sent_form = names_of(battle, sides, table), None
    if request.method == "POST":
        entry = entries.get(request.GET.get("kind", ""))
        if entry is None:
            raise Http404
        action = replace(entry.action, turn=_turn_of(table, entry.action))
        sent_form = _form(action, names, submitted_data(request, battle))
        answer = _logged(request, battle, sent_form)
        if answer is not None:
            return answer
    first = {"version": battle.version}
    forms = [
        (
            entry,
            sent_form
            if sent_form and key == sent_form.action.key
            else _form(entry.action, names, initial=first),
        )
        for key, entry in entries.items()
    ]
    context = {
        "battle": battle,
        "name": name_of(battle),
        "groups": _grouped(forms, table, scenario_of(battle)),
        "section": "battles",
        "sent": sent_form,
        "unlisted": UNLISTED,
    }
    page = render(
        request, "battles/by_hand.html", context, status=sent_form.status if sent_form else 200
    )
    return cacheable_offline(request, page)


def _form(action: Action, names: CombatantNames, data: Any = None, **named: Any) -> ActionForm:
    """Return the form of a kind of event, with field ids of its own."""
    return ActionForm(data, action=action, names=names, auto_id=f"{action.key}-%s", **named)


def _grouped(
    forms: Iterable[EntryForm], table: TableView | None, scenario: Scenario
) -> list[tuple[str, list[EntryForm]]]:
    """Return the forms by phase of the turn, each group with its name.

    The last group is what the board does not list: entries of other scenarios, and those that
    need JSON.
    """
    phases = {phase.key: phase.name for phase in table.phases} if table else {}
    new_turn, at_any_time = gettext("New turn"), gettext("At any time")
    names = [new_turn, *phases.values(), at_any_time, str(UNLISTED)]
    groups: dict[str, list[EntryForm]] = {name: [] for name in names}
    for entry, form in forms:
        if entry.needs_json or (entry.some_battles and form.action.key not in scenario.event_kinds):
            groups[str(UNLISTED)].append((entry, form))
        elif entry.starts_turn:
            groups[new_turn].append((entry, form))
        else:
            groups[phases.get(entry.action.phase, at_any_time)].append((entry, form))
    return [(name, group) for name, group in groups.items() if group]


def _turn_of(table: TableView | None, action: Action) -> int | None:
    """Return the turn for such an event now: that of its offer, otherwise the present turn.

    None for an event with a turn of its own.
    """
    if table is None or any(field.key == "turn" for field in action.fields):
        return None
    return next(
        (each.turn for each in table.actions if each.kind == action.kind), table.turn or None
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
