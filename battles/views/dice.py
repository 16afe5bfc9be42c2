"""Pages with the dice of a battle: the commitment, the rolls, and how to check them."""

from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from battles.models import Battle
from battles.selectors.battle_page import log_lines
from battles.selectors.dice import dice_record
from core.views import get_visible_or_404, public_page


@require_safe
@public_page
def dice(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the commitment and every roll, and once the battle is confirmed or void the seed.

    The page explains how to roll all dice again.
    """
    battle = get_visible_or_404(Battle.objects.for_pages(), request.user, pk)
    record = dice_record(Battle.objects.get(pk=battle.pk))
    sentences = {line.sequence: line.sentence for line in log_lines(battle, battle.sides.all())}
    throws = [(throw, sentences.get(throw.event, gettext("Setup"))) for throw in record.throws]
    typed = [(sequence, sentences.get(sequence, "")) for sequence in record.typed]
    corrected = [(sequence, sentences.get(sequence, "")) for sequence in record.corrected]
    names = {side.key: side.warband.name for side in battle.sides.all()}
    asides = [(names.get(each.side, each.side), each.die) for each in record.asides]
    context = {
        "battle": battle,
        "record": record,
        "throws": throws,
        "typed": typed,
        "corrected": corrected,
    }
    return render(request, "battles/dice.html", {"section": "battles", "asides": asides, **context})


@require_safe
@public_page
def dice_file(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the same data as a file, for the script that checks it."""
    battle = get_visible_or_404(Battle.objects, request.user, pk)
    answer = HttpResponse(msgspec.json.encode(dice_record(battle)), content_type="application/json")
    answer["Content-Disposition"] = 'attachment; filename="dice.json"'
    return answer
