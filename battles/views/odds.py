"""Pages with the odds between two fighters: from their rosters, or in a battle."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers
from msgspec import Struct

from battles.forms.odds import KIND, OddsForm
from battles.models import Battle
from battles.selectors.odds import BATTLE, encounter_of
from battles.selectors.opponents import opponents_of
from core.errors import InvalidInput, MusterError
from core.views import AuthenticatedRequest, get_visible_or_404, login_required_page
from reference.selectors.calculators import FIGHTERS, calculators_about, kind_of_odds, odds_between
from rulebook.ruleset import Calculator, RulesError, Ruleset
from warbands.models import Fighter
from warbands.rulebook_values import ruleset_of_warband
from warbands.views.fighters import seen

AskKind = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
AGAINST = {"against": gettext_noop("Against")}
BOTH = {"attacker": gettext_noop("Attacker"), "target": gettext_noop("Target")}


class KindTab(Struct, frozen=True):
    """A kind of odds as a tab: its name, its address, and whether it is shown."""

    name: str
    address: str
    current: bool


@require_safe
@vary_on_headers("HX-Request")
@login_required_page
def between(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the odds of a fighter against another, from their rosters."""
    row = seen(request, pk)
    rules, other = ruleset_of_warband(row.warband), _other(request)

    def ask(kind: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
        if other is None:
            sentence = gettext("Choose a fighter from the list, or give the id of a fighter.")
            raise InvalidInput("wrong-fighter", sentence, field="against")
        return odds_between(row, other, kind, values)

    form = OddsForm(
        request.GET,
        calculator=_kind(request, rules, FIGHTERS, ask if other else None),
        people=AGAINST,
        parties=opponents_of(row, request.user, other),
    )
    context = {"fighter": row, "other": other, "section": "warbands"}
    return _answered(request, "battles/odds_between.html", form, ask, rules, FIGHTERS, context)


def _other(request: HttpRequest) -> Fighter | None:
    """Return the fighter named in the address, or None. Raises Http404 if it may not be seen."""
    try:
        key = UUID(request.GET.get("against", ""))
    except ValueError:
        return None
    return seen(request, key)


@require_safe
@vary_on_headers("HX-Request")
@login_required_page
def in_battle(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the odds between two combatants of a battle, in its present state."""
    battle: Battle = get_visible_or_404(Battle.objects, request.user, pk)
    encounter = encounter_of(battle)
    pair = attacker, target = request.GET.get("attacker", ""), request.GET.get("target", "")
    ask = partial(encounter.odds, attacker, target)
    form = OddsForm(
        request.GET,
        calculator=_kind(request, encounter.rules, BATTLE, ask if all(pair) else None),
        people=BOTH,
        parties=encounter.parties,
    )
    names = {key: name for party in encounter.parties for key, name in party.members}
    context = {
        "battle": battle,
        "names": [names.get(key, "") for key in pair],
        "section": "battles",
    }
    return _answered(
        request, "battles/odds_in_battle.html", form, ask, encounter.rules, BATTLE, context
    )


def _kind(request: HttpRequest, rules: Ruleset, about: str, ask: AskKind | None) -> Calculator:
    """Return the calculator that the address names, otherwise the first that gives an answer.

    ``ask`` is None until both fighters are chosen. Raises Http404 for an unknown kind.
    """
    requested = request.GET.get(KIND, "")
    if requested:
        try:
            return kind_of_odds(rules, requested, about)
        except InvalidInput as error:
            raise Http404(error.sentence) from error
    calculators = calculators_about(rules, about)
    if not calculators:
        raise Http404
    if ask is None:
        return calculators[0]
    return next(
        (each for each in calculators if _answers(partial(ask, each.key, {}))), calculators[0]
    )


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except (RulesError, MusterError):
        return False
    return True


def _answered(
    request: HttpRequest,
    template: str,
    form: OddsForm,
    ask: AskKind,
    rules: Ruleset,
    about: str,
    context: Mapping[str, Any],
) -> HttpResponse:
    if form.chosen:
        form.ask(partial(ask, form.calculator.key))
    tabs = [_tab(request, each, form) for each in calculators_about(rules, about)]
    shown = {
        "form": form,
        "rules": rules,
        "calculator": form.calculator,
        "tabs": tabs,
        "turned": _turned(form),
    }
    return render(
        request, template, {**shown, **context}, status=form.status if form.chosen else 200
    )


def _tab(request: HttpRequest, kind: Calculator, form: OddsForm) -> KindTab:
    query = {name: value for name, value in form.beside.items() if value} | {KIND: kind.key}
    return KindTab(kind.name, f"{request.path}?{urlencode(query)}", kind.key == form.calculator.key)


def _turned(form: OddsForm) -> str:
    """Return the query string with the two fighters exchanged."""
    people = [form.beside[name] for name in form.people]
    turned = dict(zip(form.people, reversed(people), strict=True))
    return urlencode({KIND: form.calculator.key} | turned)
