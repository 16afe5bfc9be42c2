"""The search page with results by kind, and the suggestions of the field in the header."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.views import public_page
from search import selectors


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Show the first results of each kind; with `?kind=`, show one kind page by page."""
    query, kind = selectors.clean_query(request.GET.get("q", "")), request.GET.get("kind", "")
    if kind not in selectors.KINDS:
        return render(
            request,
            "search/search.html",
            {"section": "search", "found": selectors.search(request.user, query)},
        )
    results, page = selectors.page_of(request.user, kind, query, request.GET.get("page", ""))
    context = {
        "section": "search",
        "kind": kind,
        "label": selectors.KINDS[kind].label,
        "found": results,
        "page": page,
    }
    return render(request, "search/kind.html", context)


@require_safe
@public_page
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return the best few results as an HTML fragment below the field."""
    query = selectors.clean_query(request.GET.get("q", ""))
    return render(
        request, "search/suggestions.html", {"found": selectors.suggest(request.user, query)}
    )
