"""The search: a page of what was found, kind by kind, and what the field in the header suggests."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.views import public_page
from search import selectors


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Everything that was found, the first of each kind; `?kind=` shows one kind, page by page."""
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
    """The likeliest few, as a fragment below the field."""
    query = selectors.clean_query(request.GET.get("q", ""))
    return render(
        request, "search/suggestions.html", {"found": selectors.suggest(request.user, query)}
    )
