"""Rule systems as pages: what they hold, heading by heading, and calculators to ask."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from core.views import login_required_page, public_page
from reference.forms import CalculatorForm
from reference.selectors.calculators import calculator as calculator_of
from reference.selectors.calculators import ruleset_or_not_found
from reference.selectors.rules_page import calculator_groups, rules_page
from rulebook.registry import rulesets

LONGEST_QUERY = 100


@require_safe
@public_page
def systems(request: HttpRequest) -> HttpResponse:
    """The rule systems, each with what it can be asked."""
    rows = [(rules, calculator_groups(rules)) for rules in rulesets()]
    return render(request, "reference/rulesets.html", {"rows": rows, "section": "rules"})


@require_safe
@public_page
def rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Everything that a rule system holds, or what of it is looked for."""
    query = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:LONGEST_QUERY]
    page = rules_page(ruleset_or_not_found(ruleset), query)
    return render(request, "reference/rules.html", {"page": page, "section": "rules"})


@require_safe
@vary_on_headers("HX-Request")
@login_required_page
def ask(request: HttpRequest, ruleset: str, calculator: str) -> HttpResponse:
    """A calculator: its fields, and its answer to what the address says."""
    system = ruleset_or_not_found(ruleset)
    chosen = calculator_of(system, calculator)
    form = CalculatorForm(request.GET, calculator=chosen)
    form.ask(partial(system.calculators.ask, chosen.key))
    context = {
        "form": form,
        "rules": system,
        "calculator": chosen,
        "groups": calculator_groups(system),
    }
    return render(
        request, "reference/ask.html", {**context, "section": "rules"}, status=form.status
    )
