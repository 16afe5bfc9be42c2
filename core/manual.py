"""Links to the manual, which is built from ``manual/`` into the static files (`make docs`)."""

from django.conf import settings
from django.urls import ResolverMatch
from django.utils.translation import get_language

PAGES = {
    "battles": "battles",
    "campaigns": "leagues",
    "clubs": "members",
    "documents": "printing",
    "exchange": "moving",
    "home": "club-nights",
    "leagues": "leagues",
    "reference": "house-rules",
    "warbands": "warbands",
}
"""The page of the manual for the pages of an app, by the namespace of its addresses."""

PAGES_OF_VIEWS = {
    "account": "privacy",
    "account_signup": "first-campaign",
    "battles:correct": "results",
    "battles:correct-entry": "results",
    "battles:decide": "results",
    "battles:dispute": "results",
    "battles:fixture-result": "results",
    "battles:review": "results",
    "battles:sheet": "results",
    "battles:strike": "results",
    "battles:submit": "results",
    "battles:void": "results",
    "campaigns:enrol": "warbands",
    "campaigns:house-rules": "house-rules",
    "campaigns:plan": "first-campaign",
    "delete-account": "privacy",
    "home": "first-campaign",
    "home:audit": "members",
    "home:club": "members",
    "home:clubs": "first-campaign",
    "home:found": "first-campaign",
    "leagues:game-result": "results",
    "leagues:settings": "house-rules",
    "own-data": "privacy",
    "warbands:from-spreadsheet": "spreadsheets",
    "warbands:rank-ups": "rank-ups",
    "warbands:spreadsheet": "spreadsheets",
}
"""The page of the manual for a single page, by the name of its address."""


def manual_address(match: ResolverMatch | None = None) -> str:
    """Return the address of the manual's page about an address, or of its first page.

    It is in the reader's language.
    """
    page = "index"
    if match:
        app = PAGES.get(match.namespace, page)
        page = PAGES_OF_VIEWS.get(match.view_name, app)
    return page_address(page)


def page_address(page: str) -> str:
    """Return the address of a page of the manual in the reader's language."""
    folder = "manual/de" if get_language() == "de" else "manual"
    return f"{settings.STATIC_URL}{folder}/{page}.html"
