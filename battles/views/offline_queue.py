"""JSON answers for the queue of a phone that sends entries which were logged without a network.

Each entry has the ``client_id`` that it got when it was typed, so that an entry whose answer was
lost is logged once. It also has the version of the battle that its writer saw, so that nothing is
logged blindly into a log that has changed.
"""

from functools import wraps
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
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
from rulebook.battle_log.kinds import Note
from rulebook.ruleset import Problem

WRITER = "Muster-Writer"
"""The header in which the queue names the user who typed the entry."""
MOST = 30
"""The maximum number of other entries in an answer."""


def is_queued(request: HttpRequest) -> bool:
    """Return whether the queue of a phone sends this request."""
    return request.method == "POST" and WRITER in request.headers


def answers_the_queue(view: View) -> View:
    """Decorate a view that logs entries, so that it answers the queue of a phone in JSON.

    The answer is 401 if the writer is not signed in, and 403 if the writer may not log the battle.
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
                gettext("You cannot add entries to this battle, or it no longer exists."),
            )
        if isinstance(done, JsonResponse):
            return done
        return _said(409, "not-open", gettext("This battle is not open for entries now."))

    return answer


def submitted_data(request: HttpRequest, battle: Battle) -> QueryDict:
    """Return the submitted form. Notes that others have added since do not hold up the queue.

    If nothing but notes was logged after the version that the writer saw, the form gets the
    present version: a note changes nothing that an entry depends on.
    """
    seen = request.POST.get("version", "")
    if not is_queued(request) or not seen.isdecimal() or len(seen) > 9:
        return request.POST
    kinds = set(
        battle.events.filter(version__gt=int(seen)).values_list("kind", flat=True).distinct()
    )
    if kinds != {Note.key}:
        return request.POST
    data = request.POST.copy()
    data["version"] = str(battle.version)
    return data


def logged(request: HttpRequest, battle: Battle, event: BattleEvent) -> HttpResponse:
    """Return the response for a logged entry: a redirect to its outcome, or JSON for the queue."""
    address = answer_address(battle.pk, event.sequence)
    if not is_queued(request):
        return redirect(address)
    return JsonResponse({"sequence": event.sequence, "version": event.version, "address": address})


def answer_address(pk: UUID, sequence: int) -> str:
    """Return the address that shows the outcome of an entry."""
    return f"{reverse('battles:table', args=[pk])}?{urlencode({'latest': sequence})}"


def refused(
    request: HttpRequest, pk: UUID, form: LoggingForm | None, sentence: str = ""
) -> JsonResponse:
    """Return why the entry was not logged, and what others have logged since its writer looked."""
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
    """Return the entries that were logged after that version, oldest first. One query."""
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
