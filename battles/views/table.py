"""The live log of a battle: all who may see it can watch, all who may log it can add entries."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import UUID, uuid5

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from battles.forms.casualty import CASUALTY, CasualtyForm
from battles.forms.events import CombatantNames, as_uuid
from battles.forms.table import ActionForm
from battles.models import Battle, BattleEvent, BattleState, Side
from battles.page_rows import BATTLE_ROWS
from battles.selectors.dice import own_secrets, secret_of
from battles.selectors.permissions import may_log
from battles.selectors.table import (
    SecretChoices,
    TablePage,
    TableQuery,
    battle_at_table,
    choices_of,
    pending_choices,
    table_page,
)
from battles.services.logbook import log_course, log_events
from battles.services.secret_choices import SecretChoiceInput, choose_in_secret, roll_private_dice
from battles.views.offline_queue import (
    answer_address,
    answers_the_queue,
    is_queued,
    logged,
    refused,
    submitted_data,
)
from battles.views.result_sheet import names_of, replacing, striking
from core.page_cache import cached_page, for_this_request
from core.site_pages import cacheable_offline
from core.views import (
    AuthenticatedRequest,
    add_warnings,
    get_editable_or_404,
    login_required_page,
    public_page,
    run_service,
    sentences,
)
from rulebook.ruleset import RulesError

QUICKER = gettext_lazy(
    "Someone else saved an entry first. Check the newest entries, then choose again."
)
UNDONE = "Undone at the table"
"""The reason that is stored when an entry is undone; it is not translated.

Two users who undo the same entry at once must send the same event, whatever their languages.
"""
WAITED = "waited"
"""The query parameter with the length of the log when the user made a secret choice."""


def answers_polls(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Decorate a live log: a polling page that has seen the present version gets 204.

    Polls are frequent, so they do not even read the versions of the page's rows.
    """

    @wraps(view)
    def answer(request: HttpRequest, pk: UUID) -> HttpResponseBase:
        return HttpResponse(status=204) if _has_seen_it(request, pk) else view(request, pk=pk)

    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@answers_the_queue
@public_page
@answers_polls
@cached_page(BATTLE_ROWS, counts_cards=True)
def table(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the live log, or log an action.

    `?who=` chooses a fighter, group or side, `?do=` its action, `?latest=` the entry whose outcome
    is shown.
    """
    battle = battle_at_table(pk, request.user)
    if battle is None:
        raise Http404
    if battle.state == BattleState.PLANNED:
        return redirect("battles:battle", pk)
    try:
        page, logs = _page(request, battle), may_log(battle, request.user)
    except RulesError as error:
        add_warnings(request, sentences(error))
        return redirect("battles:battle", pk)
    if request.method == "POST":
        return _log(request, battle, page)
    if not (logs and page.under_way):
        return _shown(request, page)
    choices = _chooses(request, battle, page)
    if WAITED in request.GET and not (choices and choices.made):
        return redirect(_opened(request, battle))
    form = _form(request, battle, page, choices)
    shown = {
        "casualty": _casualty(request, battle, page),
        "pending": None if form else pending_choices(battle, page, request.user),
        **_secrets(request, battle, page),
    }
    return _shown(request, page, logs=True, form=form, choices=choices, **shown)


def _has_seen_it(request: HttpRequest, pk: UUID) -> bool:
    """Return whether a polling page has seen the present version.

    One query, for such a page only.
    """
    seen = number_in(request, "seen") if request.method == "GET" else None
    if seen is None:
        return False
    made = Battle.objects.visible_to(request.user).choices_made_in(pk, seen)
    return made == (number_in(request, "choices") or 0)


def _chooses(request: HttpRequest, battle: Battle, page: TablePage) -> SecretChoices | None:
    """Return the secret choices of the requested action.

    None if there are none, or if both players share a phone.
    """
    action = page.action(request.GET.get("do", ""))
    if action is None or request.GET.get("shared"):
        return None
    choices = choices_of(battle, action, request.user)
    return choices if choices is not None and choices.mine else None


def _page(request: HttpRequest, battle: Battle) -> TablePage:
    """Return the page that the address requests. Raises Http404 if the rules have no live log."""
    glance = TableQuery(
        who=request.GET.get("who", ""),
        about=request.GET.get("about", ""),
        latest=number_in(request, "latest"),
        leaf=number_in(request, "feed") or 0,
    )
    page = table_page(battle, glance)
    if page is None:
        raise Http404
    return page


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a number from the address, None without one."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 9 else None


def _form(
    request: HttpRequest, battle: Battle, page: TablePage, choices: SecretChoices | None
) -> ActionForm | None:
    """Return the form of the requested action, filled in from the address.

    None if the action is not available now.
    """
    action = page.action(request.GET.get("do", ""))
    if action is None:
        return None
    values = {
        field.key: request.GET[field.key] for field in action.fields if field.key in request.GET
    }
    secret = choices.mine if choices else ""
    return ActionForm(
        action=action,
        names=_names(battle),
        secret=secret,
        initial={"version": battle.version, **values},
    )


def _casualty(request: HttpRequest, battle: Battle, page: TablePage) -> CasualtyForm | None:
    """Return the casualty board if the address requests it, or in a light turn by default."""
    board, do = page.light.board, request.GET.get("do", "")
    shows_board = do == CASUALTY or (page.is_light and not do and not page.who)
    if board is None or page.table.ended or not shows_board:
        return None
    data = submitted_data(request, battle) if request.method == "POST" else None
    turn = page.table.turn or None
    return CasualtyForm(
        data, board=board, names=_names(battle), turn=turn, initial={"version": battle.version}
    )


def _secrets(request: HttpRequest, battle: Battle, page: TablePage) -> dict[str, Any]:
    """Return the dice that Muster rolled for a side alone, for the users who play it.

    If they are not drawn yet, the context says whether the user may draw them.
    """
    if page.who not in {side.view.key for side in page.sides} or request.GET.get("do"):
        return {}
    bare = Battle.objects.get(pk=battle.pk)
    drawn = {secret.side: secret for secret in own_secrets(bare, request.user).secrets}
    plays = Side.objects.played_by(request.user).filter(battle=battle, key=page.who)
    if page.who in drawn or not plays.exists():
        return {"secret": drawn.get(page.who)}
    return {"may_learn": secret_of(bare, page.who) is not None}


@require_POST
@login_required_page
def secret(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Draw the dice that Muster rolled for the user's own side alone. They are then binding."""
    get_editable_or_404(Battle.objects, request.user, pk)
    side = request.POST.get("side", "")
    run_service(request, partial(roll_private_dice, battle_id=pk, user=request.user, side=side))
    return redirect(f"{reverse('battles:table', args=[pk])}?{urlencode({'who': side})}")


def _names(battle: Battle) -> CombatantNames:
    return names_of(battle, list(battle.sides.all()))


def _shown(request: HttpRequest, page: TablePage, status: int = 200, **more: Any) -> HttpResponse:
    """Return the page.

    ``more`` has its form, its secret choices, and whether the user may log.
    """
    form, choices = more.get("form"), more.get("choices")
    context: dict[str, Any] = {
        "section": "battles",
        "page": page,
        "logs": False,
        "waits": bool(choices and choices.made and form and not form.is_bound),
        **more,
    }
    shown = render(request, "battles/table.html", context, status=status)
    if form or more.get("casualty"):
        # The form has an id of its own: what it sends is a new entry.
        for_this_request(shown)
    return cacheable_offline(request, shown)


def _log(request: HttpRequest, battle: Battle, page: TablePage) -> HttpResponse:
    """Log the submitted action once; show its outcome, or why it was refused."""
    member: Any = request
    get_editable_or_404(Battle.objects, member.user, battle.pk)
    client_id = as_uuid(request.POST.get("client_id", ""))
    stored = battle.events.filter(client_id=client_id).first()
    if stored is not None:
        return logged(request, battle, stored)
    action, choices = page.action(request.GET.get("do", "")), _chooses(request, battle, page)
    if (casualty := _casualty(request, battle, page)) is not None:
        return _hurt(member, battle, page, casualty)
    if action is None:
        return _too_late(request, battle, page)
    if choices and is_queued(request):
        return refused(
            request,
            battle.pk,
            None,
            gettext("This is a secret choice. Make it in the live log while you are online."),
        )
    form = ActionForm(
        submitted_data(request, battle),
        action=action,
        names=_names(battle),
        secret=choices.mine if choices else "",
    )
    verb = (
        partial(_choose, member, battle, form, choices)
        if choices
        else partial(_tell, member, battle, form)
    )
    if form.is_valid() and form.submit(verb):
        return _done(request, battle, form)
    if is_queued(request):
        return refused(request, battle.pk, form)
    current = _page(request, Battle.objects.for_table().get(pk=battle.pk)) if form.outrun else page
    return _shown(request, current, form.status, logs=True, form=form, choices=choices)


def _hurt(
    request: AuthenticatedRequest, battle: Battle, page: TablePage, form: CasualtyForm
) -> HttpResponse:
    """Log a casualty; if it is refused, show the board as it was tapped, with the reason."""
    if form.is_valid() and form.submit(partial(_tell, request, battle, form)):
        return logged(request, battle, form.answer)
    if is_queued(request):
        return refused(request, battle.pk, form)
    current = _page(request, Battle.objects.for_table().get(pk=battle.pk)) if form.outrun else page
    return _shown(request, current, form.status, logs=True, casualty=form)


def _too_late(request: HttpRequest, battle: Battle, page: TablePage) -> HttpResponse:
    """Return the response for an action that is not available any more.

    Either the user's own first tap has just logged it, or another user was faster.
    """
    newest = page.undoable.line if page.undoable else None
    is_own = (
        newest is not None
        and newest.recorded_by == request.user.get_username()
        and not is_queued(request)
    )
    version = page.undoable.version if page.undoable else 0
    just_logged = [each.line for each in page.feed if each.version == version]
    twice = next((each for each in just_logged if each.kind == request.GET.get("do", "")), None)
    if is_own and twice is not None:
        return redirect(answer_address(battle.pk, twice.sequence))
    if is_queued(request):
        return refused(request, battle.pk, None, str(QUICKER))
    messages.error(request, QUICKER)
    return _shown(request, page, 409, logs=True)


def _done(request: HttpRequest, battle: Battle, form: ActionForm) -> HttpResponse:
    """Return the response for a logged entry.

    If a secret choice must wait for the others, it is the same page, which says so.
    """
    if form.answer is not None:
        return logged(request, battle, form.answer)
    query = {
        "who": request.GET.get("who", ""),
        "do": request.GET.get("do", ""),
        WAITED: str(battle.last_sequence),
    }
    return redirect(f"{request.path}?{urlencode(query)}")


def _opened(request: HttpRequest, battle: Battle) -> str:
    """Return the address after the other sides' choices.

    It is that of the logged entry, or of the live log without one.
    """
    since = number_in(request, WAITED)
    since = battle.last_sequence if since is None else since
    opened = (
        battle.events.filter(kind=request.GET.get("do", ""), sequence__gt=since)
        .order_by("sequence")
        .first()
    )
    return (
        answer_address(battle.pk, opened.sequence)
        if opened
        else reverse("battles:table", args=[battle.pk])
    )


def _tell(
    request: AuthenticatedRequest, battle: Battle, form: ActionForm | CasualtyForm
) -> BattleEvent:
    version, course = form.cleaned_data["version"], getattr(form, "course", None)
    entry = form.cleaned_data["replaces"]
    if course is not None and entry is None:
        return log_course(
            battle_id=battle.pk, event=form.event, course=course, user=request.user, version=version
        )[0]
    new_event = replacing(battle, entry, form.event)
    (event,) = log_events(
        battle_id=battle.pk, events=(new_event,), user=request.user, version=version
    )
    return event


def _choose(
    request: AuthenticatedRequest, battle: Battle, form: ActionForm, choices: SecretChoices
) -> BattleEvent | None:
    action = form.whole
    choosing = SecretChoiceInput(
        occasion=choices.occasion,
        field=form.secret,
        value=form.cleaned_data[form.secret],
        fields=action.secrets,
        kind=action.kind,
        data=action.given,
        turn=action.turn,
        follow=action.follow,
    )
    return choose_in_secret(battle_id=battle.pk, user=request.user, choosing=choosing)


@require_POST
@login_required_page
def undo(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Cancel the newest entry that counts, with `together` every entry logged with it.

    The log keeps both, and a second tap cancels nothing more.
    """
    battle = get_editable_or_404(Battle.objects.for_table(), request.user, pk)
    sequence = request.POST.get("sequence", "")
    page = table_page(
        battle,
        TableQuery(latest=int(sequence) if sequence.isdecimal() and len(sequence) < 9 else None),
    )
    if page is None:
        raise Http404
    if page.undoable is not None and sequence == str(page.undoable.line.sequence):
        numbers = page.together if "together" in request.POST else (int(sequence),)
        struck = [
            striking(battle, each, UNDONE, uuid5(battle.pk, f"undo {each}")) for each in numbers
        ]
        log = partial(log_events, battle_id=pk, events=struck, user=request.user)
        run_service(request, log, gettext("Entry undone. The log still shows it."))
    elif page.latest_entry is None or not page.latest_entry.struck:
        messages.error(request, QUICKER)
    return redirect("battles:table", pk)
