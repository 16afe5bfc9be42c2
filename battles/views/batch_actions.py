"""The same action for several fighters: logged together, or one by one if dice are rolled."""

from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from battles.forms.batch_actions import SeveralForm, common_actions
from battles.forms.events import as_uuid
from battles.models import Battle, BattleState
from battles.selectors.table import TablePage, TableQuery, actions_of, table_page
from battles.services.batch_actions import BatchResult, log_for_several
from battles.views.offline_queue import (
    answers_the_queue,
    is_queued,
    logged,
    refused,
    submitted_data,
)
from battles.views.result_sheet import names_of
from battles.views.table import QUICKER
from core.site_pages import cacheable_offline
from core.views import AuthenticatedRequest, get_editable_or_404, login_required_page
from rulebook.ruleset import Action

MOST = 60
"""The maximum number of fighters who act at once."""


@require_http_methods(["GET", "HEAD", "POST"])
@answers_the_queue
@login_required_page
def several(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Choose fighters (`?who=`, repeated), their action (`?do=`), and its fields."""
    battle = get_editable_or_404(Battle.objects.for_table(), request.user, pk)
    if battle.state != BattleState.UNDER_WAY:
        return redirect("battles:battle", pk)
    page = table_page(battle, TableQuery())
    if page is None:
        raise Http404
    requested = list(dict.fromkeys(request.GET.getlist("who")))[:MOST]
    chosen = {who: name for who, name in page.names.items() if who in requested}
    tables = actions_of(battle, tuple(chosen))
    shared = common_actions([*tables.values()])
    alone = {each.label: why for each in shared if (why := _alone(each, page))}
    common = [each for each in shared if each.label not in alone]
    do = next((each.key for each in common if each.key == request.GET.get("do")), "")
    alike = (
        {who: next(each for each in actions if each.key == do) for who, actions in tables.items()}
        if do
        else {}
    )
    if request.method == "POST":
        return _log(request, battle, page, chosen, alike)
    hurdles = [(each, _hurdles(each, tables, chosen)) for each in common]
    form = _form(request, battle, alike, chosen) if alike else None
    return _shown(request, page, chosen=chosen, common=hurdles, alone=alone, form=form)


def _alone(action: Action, page: TablePage) -> str:
    """Return why an action is possible for only one fighter at a time, "" if several can do it."""
    if action.secrets:
        return gettext("each side chooses in secret")
    return (
        gettext("the dice are rolled at the table")
        if action.rolls and page.table.dice == "table"
        else ""
    )


def _hurdles(action: Action, tables: dict[str, tuple[Action, ...]], called: dict[str, str]) -> str:
    """Return what prevents an action, with the names of the fighters."""
    own = {
        who: next(each for each in some if each.key == action.key) for who, some in tables.items()
    }
    return "; ".join(f"{called[who]}: {each.hurdle}" for who, each in own.items() if each.hurdle)


def _form(
    request: HttpRequest,
    battle: Battle,
    alike: dict[str, Action],
    called: dict[str, str],
    data: Any = None,
) -> SeveralForm:
    """Return the form for all of them; with `?some=` only fighters with own values act."""
    names, some = names_of(battle, list(battle.sides.all())), bool(request.GET.get("some"))
    initial = {"version": battle.version}
    return SeveralForm(data, alike=alike, called=called, names=names, some=some, initial=initial)


def _log(
    request: AuthenticatedRequest,
    battle: Battle,
    page: TablePage,
    called: dict[str, str],
    alike: dict[str, Action],
) -> HttpResponse:
    """Log an event for each of them, or none; a repeated request gets its first answer."""
    first = as_uuid(request.POST.get("client_id", ""))
    names = [uuid5(first, who) for who in called] if first else []
    stored = [*battle.events.filter(client_id__in=names).order_by("sequence")]
    if stored and (len(stored) == len(names) or not alike):
        return logged(request, battle, stored[-1])
    if not alike:
        if is_queued(request):
            return refused(request, battle.pk, None, str(QUICKER))
        messages.error(request, QUICKER)
        return _shown(request, page, 409, chosen=called)
    form = _form(request, battle, alike, called, submitted_data(request, battle))
    if form.is_valid() and form.submit(partial(_tell, request, battle, form)):
        return _to_last_entry(request, battle, form)
    if is_queued(request):
        return refused(request, battle.pk, form)
    current = (
        table_page(Battle.objects.for_table().get(pk=battle.pk), TableQuery())
        if form.outrun
        else page
    )
    return _shown(request, current or page, form.status, chosen=called, form=form)


def _tell(request: AuthenticatedRequest, battle: Battle, form: SeveralForm) -> BatchResult:
    data = form.cleaned_data
    kwargs = {"events": form.events, "version": data["version"], "reason": data["overruled"]}
    return log_for_several(battle_id=battle.pk, user=request.user, **kwargs)


def _to_last_entry(
    request: AuthenticatedRequest, battle: Battle, form: SeveralForm
) -> HttpResponse:
    """Return the response for the last entry, with messages about entries that were not logged."""
    done: BatchResult = form.answer
    number = len(done.logged)
    apart = len({event.version for event in done.logged}) > 1
    sentence = ngettext("%(number)d entry saved.", "%(number)d entries saved together.", number)
    if apart:
        sentence = gettext("%(number)d entries saved one by one.")
    if not is_queued(request):
        messages.success(request, sentence % {"number": number})
    for problems in done.left.values():
        messages.warning(request, gettext("Not saved: %(why)s") % {"why": form.named(problems[0])})
    return logged(request, battle, done.logged[-1])


def _shown(request: HttpRequest, page: TablePage, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "section": "battles",
        "page": page,
        "logs": True,
        "picks": True,
        "form": None,
        "common": (),
        **more,
    }
    return cacheable_offline(
        request, render(request, "battles/table_several.html", context, status=status)
    )
