"""The log as a result form: all events on one page, and the result."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from battles.forms.events import CORRECTION, MAX_ROWS, CombatantNames, SheetForm, sheet_kinds
from battles.models import Battle, BattleState, Side
from battles.rulebook_values import read_setup, ruleset_of_battle, scenario_of
from battles.selectors.battle_page import log_lines
from battles.selectors.battle_rows import name_of
from battles.selectors.confirmation_preview import preview_confirmation
from battles.services.logbook import NewEvent, log_events
from battles.services.sheet_preview import SheetPreview, preview_sheet
from battles.stored_play import load_battle_play
from core.errors import Forbidden, MusterError, NotFound, StateConflict
from core.forms import ReasonForm
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    login_required_page,
    post_data,
    render_form,
)
from rulebook.battle_log.log import REPLACED
from rulebook.ruleset import RulesError, TableView


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def sheet(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Fill in what happened. A row that is sent twice counts once.

    "review" continues with the result; "look" shows the result so far and writes nothing. The QR
    code of a printed result sheet leads here: a battle that has not begun is first started on its
    own page, and one that is over is shown there.
    """
    battle = get_editable_or_404(Battle.objects.for_pages(), request.user, pk)
    if battle.state == BattleState.PLANNED and request.method != "POST":
        start_first = gettext("Choose the line-ups and start the battle. Then enter the result.")
        messages.info(request, start_first)
        return redirect("battles:battle", pk)
    if battle.state in (BattleState.CONFIRMED, BattleState.VOID) and request.method != "POST":
        messages.info(request, gettext("You can't enter anything for this battle any more."))
        return redirect("battles:battle", pk)
    sides = list(battle.sides.all())
    kinds, names = sheet_kinds(ruleset_of_battle(battle), battle.scenario), names_of(battle, sides)
    table = _table(battle, sides)
    form = SheetForm(
        post_data(request), kinds, names, everybody=True, turn=table.turn if table else 0
    )
    context = {"battle": battle, "form": form, "section": "battles", "name": name_of(battle)}
    context |= {"log": log_lines(battle, sides), "most_rows": MAX_ROWS, "shown": battle.shown}
    states = {each.id: each for each in table.fighters} if table else {}
    context["board_sides"] = names.board_sides(states)
    if "look" in request.POST:
        return render(
            request, "battles/sheet.html", {**context, "so_far": _so_far(request, battle, form)}
        )
    if not form.wants_more and form.is_valid() and _logged(request, battle, form):
        return redirect("battles:review" if "review" in request.POST else "battles:sheet", pk)
    return render(request, "battles/sheet.html", context, status=_http_status(form))


def _table(battle: Battle, sides: Sequence[Side]) -> TableView | None:
    """Return the battle as its log has left it; None if nothing is logged turn by turn.

    One query, two if the play was not stored; none for an empty log.
    """
    if not battle.last_sequence:
        return None
    return ruleset_of_battle(battle).at_table(load_battle_play(battle, sides).play)


def _so_far(request: AuthenticatedRequest, battle: Battle, form: SheetForm) -> SheetPreview | None:
    """Return the result of the form as it is filled in now; invalid rows are left out."""
    form.is_valid()
    events = tuple(row.event for row in form.filled if not row.errors)
    try:
        return preview_sheet(battle_id=battle.pk, events=events, user=request.user)
    except MusterError:
        return None


def _logged(request: AuthenticatedRequest, battle: Battle, form: SheetForm) -> bool:
    """Log the filled rows, and return whether that succeeded; a form without any succeeds."""
    if not form.events:
        return True
    events = [replacing(battle, form.replaced(row), row.event) for row in form.filled]
    try:
        log_events(battle_id=battle.pk, events=events, user=request.user)
    except (Forbidden, NotFound):
        raise
    except (RulesError, MusterError) as error:
        form.add_errors(error)
        form.outrun = isinstance(error, StateConflict)
        return False
    number = len(form.events)
    messages.success(
        request,
        ngettext("%(number)s entry saved.", "%(number)s entries saved.", number)
        % {"number": number},
    )
    return True


def _http_status(form: SheetForm) -> int:
    if form.outrun:
        return 409
    return 400 if form.errors and not form.wants_more else 200


def names_of(
    battle: Battle, sides: Sequence[Side], table: TableView | None = None
) -> CombatantNames:
    """Return the names in the battle's log, and those of the groups of ``table`` if it is given.

    No queries for a battle loaded by ``for_pages``.
    """
    setup = read_setup(battle, sides)
    combatants = [
        (side.name, [(fighter.id, fighter.name) for fighter in side.fighters])
        for side in setup.sides
    ]
    others = ruleset_of_battle(battle).bystanders(setup)
    return CombatantNames(
        sides=[(side.key, side.name) for side in setup.sides],
        combatants=[*combatants, *([(gettext("Bystanders"), [*others])] if others else [])],
        groups=[(group.key, group.title) for group in table.groups] if table else [],
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def strike(request: AuthenticatedRequest, pk: UUID, sequence: int) -> HttpResponse:
    """Cancel an entry of an open log, with a reason. The log keeps both."""
    battle = get_editable_or_404(Battle.objects.for_pages(), request.user, pk)
    line = next(
        (each for each in log_lines(battle, battle.sides.all()) if each.sequence == sequence), None
    )
    if line is None:
        raise Http404
    form = ReasonForm(post_data(request))
    if form.is_valid():
        event = striking(battle, sequence, form.cleaned_data["reason"], uuid4())
        if form.submit(partial(log_events, battle_id=pk, events=(event,), user=request.user)):
            return redirect("battles:sheet", pk)
    return render_form(
        request, "battles/strike.html", form, battle=battle, line=line, section="battles"
    )


def striking(
    battle: Battle, sequence: int, reason: str, client_id: UUID, instead: NewEvent | None = None
) -> NewEvent:
    """Return the event that cancels an entry, or replaces it by ``instead``.

    The rule system says which field holds the number of the entry.
    """
    kind = next(each for each in ruleset_of_battle(battle).log.forms() if each.key == CORRECTION)
    target = next(field.key for field in kind.fields if field.kind == "number" and field.required)
    with_reason = {"reason": reason} if any(field.key == "reason" for field in kind.fields) else {}
    replacement = (
        {"kind": instead.kind, "data": instead.data, "turn": instead.turn} if instead else {}
    )
    replacement = {key: value for key, value in replacement.items() if value is not None}
    return NewEvent(
        client_id=client_id, kind=CORRECTION, data={target: sequence, **with_reason, **replacement}
    )


def replacing(battle: Battle, entry: int | None, event: NewEvent) -> NewEvent:
    """Return the event, or the correction that replaces an equal earlier entry by it."""
    if entry is None:
        return event
    return striking(battle, entry, REPLACED, event.client_id, instead=event)


@require_safe
@login_required_page
def review(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the result of the log with every change, before it counts. Nothing is written."""
    battle = get_editable_or_404(Battle.objects.select_related("campaign"), request.user, pk)
    context = {
        "battle": battle,
        "scenario": scenario_of(battle),
        "section": "battles",
        "name": name_of(battle),
    }
    context |= {"words": battle.words, "logged": battle.events.values_list("client_id", flat=True)}
    try:
        return render(
            request, "battles/review.html", {**context, "preview": preview_confirmation(pk)}
        )
    except StateConflict:
        return redirect("battles:battle", pk)
    except RulesError as error:
        return render(
            request, "battles/review.html", {**context, "problems": error.problems}, status=400
        )
