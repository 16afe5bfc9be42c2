"""What the queue of a phone is answered that sends what was logged while it had no network: JSON
instead of pages.

Each entry comes with the ``client_id`` that it got when it was typed, so that one whose answer was
lost is logged once, and with the version of the battle that its writer saw, so that nothing is
logged blindly into a log that has gone on.
"""

from functools import wraps
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from battles.forms.table import OVERRULED, LoggingForm
from battles.models import Battle, BattleEvent
from battles.rulebook_values import read_setup, ruleset_of_battle
from battles.selectors.log_sentences import Wording
from core.errors import Forbidden, NotFound
from core.views import View
from rulebook.ruleset import Problem

WRITER = "Muster-Writer"
"""The header in which the queue says who typed the entry."""
MOST = 30
"""Entries of others that are told at most."""


def is_queued(request: HttpRequest) -> bool:
    """Whether the queue of a phone sends this, and reads the answer."""
    return request.method == "POST" and WRITER in request.headers


def answers_the_queue(view: View) -> View:
    """A view that logs entries, and tells the queue of a phone in JSON where it would show a page.

    401 if nobody, or somebody else than the writer, is signed in; 403 if the battle is not the
    writer's to log.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if not is_queued(request):
            return view(request, *args, **named)
        if not request.user.is_authenticated or str(request.user.pk) != request.headers[WRITER]:
            return JsonResponse({"code": "sign-in"}, status=401)
        try:
            done = view(request, *args, **named)
        except (Http404, PermissionDenied, NotFound, Forbidden):
            return _said(
                403,
                "not-yours",
                gettext("You cannot log anything in this battle, or it is there no more."),
            )
        if isinstance(done, JsonResponse):
            return done
        return _said(409, "not-open", gettext("Nothing can be logged in this battle just now."))

    return answer


def logged(request: HttpRequest, battle: Battle, event: BattleEvent) -> HttpResponse:
    """The entry is in the log: on to what it came to."""
    address = answer_address(battle.pk, event.sequence)
    if not is_queued(request):
        return redirect(address)
    return JsonResponse({"sequence": event.sequence, "version": event.version, "address": address})


def answer_address(pk: UUID, sequence: int) -> str:
    """The address that shows what an entry came to."""
    return f"{reverse('battles:table', args=[pk])}?{urlencode({'told': sequence})}"


def refused(
    request: HttpRequest, pk: UUID, form: LoggingForm | None, sentence: str = ""
) -> JsonResponse:
    """Why the entry is not in the log, and what others have logged since its writer looked."""
    battle = Battle.objects.for_table().get(pk=pk)
    problems: list[Problem] = list(form.problems) if form else []
    problem_lines = [{"sentence": each.sentence, "rule": each.source} for each in problems]
    if sentence:
        problem_lines = [{"sentence": sentence, "rule": ""}]
    sentences = {each["sentence"] for each in problem_lines}
    for name, errors in form.errors.items() if form else ():
        label = str(form[name].label) if form and name in form.fields else ""
        problem_lines += [{"sentence": f"{label}: {error}" if label else str(error), "rule": ""}
                 for error in errors if str(error) not in sentences]  # fmt: skip
    outrun = form is None or form.outrun
    gone_on = form is not None and form.refusal == "stale-version"
    body = {
        "code": "gone-on" if gone_on else "refused",
        "problems": [] if gone_on else problem_lines,
        "overrule": any(each.field.endswith(OVERRULED) for each in problems),
        "version": battle.version,
        "since": since(battle, request.POST.get("version", "")),
    }
    return JsonResponse(body, status=409 if outrun else 400)


def since(battle: Battle, version: str) -> list[dict[str, Any]]:
    """What was logged after that version, in words, the newest last. One query."""
    if not version.isdecimal() or len(version) > 9:
        return []
    rows = (
        battle.events.filter(version__gt=int(version))
        .select_related("recorded_by")
        .order_by("-sequence")[:MOST]
    )
    wording = Wording(ruleset_of_battle(battle), read_setup(battle, battle.sides.all()))
    lines = [wording.line(row) for row in reversed(rows)]
    return [
        {"sequence": each.sequence, "sentence": each.sentence, "by": each.recorded_by}
        for each in lines
    ]


def _said(status: int, code: str, sentence: str) -> JsonResponse:
    return JsonResponse(
        {"code": code, "problems": [{"sentence": sentence, "rule": ""}]}, status=status
    )
