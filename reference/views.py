"""Pages of rule systems: their content by headings, and their calculators."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from core.page_cache import cached_page
from core.row_versions import NO_ROWS
from core.views import login_required_page, public_page
from reference.forms import CalculatorForm
from reference.selectors.calculators import calculator as calculator_of
from reference.selectors.calculators import ruleset_or_not_found
from reference.selectors.rules_page import calculator_groups, rules_page
from rulebook.registry import rulesets

LONGEST_QUERY = 100


@require_safe
@public_page
@cached_page(NO_ROWS)
def systems(request: HttpRequest) -> HttpResponse:
    """List the rule systems with their calculators."""
    rows = [(rules, calculator_groups(rules)) for rules in rulesets()]
    return render(request, "reference/rulesets.html", {"rows": rows, "section": "rules"})


@require_safe
@public_page
@cached_page(NO_ROWS)
def rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show the content of a rule system, or the part that matches a search."""
    query = " ".join(request.GET.get("q", "").replace("\0", " ").split())[:LONGEST_QUERY]
    page = rules_page(ruleset_or_not_found(ruleset), query)
    return render(request, "reference/rules.html", {"page": page, "section": "rules"})


@require_safe
@vary_on_headers("HX-Request")
@login_required_page
def ask(request: HttpRequest, ruleset: str, calculator: str) -> HttpResponse:
    """Show a calculator: its fields, and its answer to the values in the URL."""
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
