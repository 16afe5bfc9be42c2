"""The staff page that shows what each club keeps."""

from django.contrib import admin
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from operations.club_use import SORTS, clubs_by_use, described

PAGE = 50
HEADS = {
    "name": "Club",
    "documents": "Documents",
    "pictures": "Pictures",
    "disk": "Disk, MB",
    "archives": "Archives, MB",
    "events": "Events in logs",
    "activity": "Last activity",
}


@require_safe
def club_use(request: HttpRequest) -> HttpResponse:
    """List the clubs with their documents, pictures, disk, archives, events and last activity.

    `?q=` searches names, `?o=` sorts (`-` for the greatest first), `?p=` is the page. The admin
    site lets only staff in.
    """
    words = request.GET.get("q", "").replace("\0", " ")[:100]
    sort = request.GET.get("o", "")
    sort = sort if sort.removeprefix("-") in SORTS else "-disk"
    page = Paginator(clubs_by_use(words=words, sort=sort), PAGE).get_page(request.GET.get("p"))
    heads = [
        {
            "title": title,
            "sorted": {key: "ascending", f"-{key}": "descending"}.get(sort, ""),
            "arrow": {key: " ▴", f"-{key}": " ▾"}.get(sort, ""),
            # Numbers are most useful from the greatest, names from the first.
            "next": (f"-{key}", key)[sort == f"-{key}" or (key == "name" and sort != key)],
        }
        for key, title in HEADS.items()
    ]
    context = {
        **admin.site.each_context(request),
        "title": "Use by clubs",
        "words": words,
        "sort": sort,
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "heads": heads,
        "lines": [described(club) for club in page.object_list],
    }
    return render(request, "admin/club_use.html", context)
