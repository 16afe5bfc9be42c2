"""URLs of the search."""

from django.contrib.sitemaps.views import index, sitemap
from django.urls import path
from django.views.decorators.http import require_safe

from core.views import public_page
from search import views
from search.sitemaps import SITEMAPS

app_name = "search"

urlpatterns = [
    path("search/", views.search, name="search"),
    path(
        "sitemap.xml",
        public_page(require_safe(index)),
        {"sitemaps": SITEMAPS, "sitemap_url_name": "search:sitemap"},
        name="sitemaps",
    ),
    path(
        "sitemap-<section>.xml",
        public_page(require_safe(sitemap)),
        {"sitemaps": SITEMAPS},
        name="sitemap",
    ),
    path("search/suggestions/", views.suggestions, name="suggestions"),
]
