"""The calendar of a club by month, and the feeds for people's own calendars."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import groupby
from math import ceil
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from rest_framework.throttling import SimpleRateThrottle

from campaigns.models import Campaign
from clubs.models import CalendarLink, Club, Evening
from core.secret_links import calendar_path, digest_of
from core.views import Asker, get_visible_or_404, is_editable, public_page
from home.selectors.calendar import CalendarEntry, campaign_calendar, club_calendar, own_calendar
from pictures.selectors.pictures import picture_of
from pictures.subjects import PictureKind

BACK, AHEAD = timedelta(days=180), timedelta(days=800)
"""The time before and after today that a feed covers."""
FRESH = 900
"""For how many seconds a feed may be cached."""
PAGES = {"evening": "home:evening", "battle": "battles:battle"}


@require_safe
@public_page
def club_month(request: HttpRequest, pk: UUID) -> HttpResponse:
    """List the club nights and battles of a month by day. `?month=2026-11`; default: this month."""
    club = get_visible_or_404(Club.objects, request.user, pk)
    today = timezone.now().astimezone(club.zone).date()
    first = _month(request.GET.get("month", ""), today)
    following = (first + timedelta(days=31)).replace(day=1)
    entries = club_calendar(club, request.user, first, following - timedelta(days=1))
    ahead = Evening.objects.filter(club=club).ahead(timezone.now()).select_related("club").first()
    context = {
        "section": "clubs",
        "tab": "calendar",
        "club": club,
        "club_picture": picture_of(PictureKind.CLUB, pk),
        "organises": is_editable(club, request.user),
        "first": first,
        "before": (first - timedelta(days=1)).replace(day=1),
        "following": following,
        "today": today,
        "days": [
            (day, list(day_entries))
            for day, day_entries in groupby(entries, key=lambda entry: max(entry.day, first))
        ],
        "ahead": ahead,
        "feed": _shown_feed(request, club),
    }
    return render(request, "home/calendar.html", context)


@require_safe
@public_page
def club_feed(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Return the calendar of a club as a file. A private club needs the key of a member."""

    def fetch(user: Asker) -> tuple[str, Sequence[CalendarEntry]] | None:
        club = Club.objects.visible_to(user).filter(pk=pk).first()
        return (club.name, club_calendar(club, user, *_window())) if club else None

    return _feed(request, fetch)


@require_safe
@public_page
def campaign_feed(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """Return the calendar of a campaign as a file. A private campaign needs the key of a member."""

    def fetch(user: Asker) -> tuple[str, Sequence[CalendarEntry]] | None:
        campaign = Campaign.objects.visible_to(user).filter(pk=pk).first()
        return (campaign.name, campaign_calendar(campaign, *_window())) if campaign else None

    return _feed(request, fetch)


@require_safe
@public_page
def own_feed(request: HttpRequest) -> HttpResponseBase:
    """Return the calendar of a user as a file. It needs their key."""

    def fetch(user: Asker) -> tuple[str, Sequence[CalendarEntry]] | None:
        return ("Muster", own_calendar(user, *_window())) if isinstance(user, User) else None

    return _feed(request, fetch)


class CalendarThrottle(SimpleRateThrottle):
    """The limit of calendar requests per network address."""

    scope = "calendars"

    def get_cache_key(self, request: HttpRequest, view: object) -> str:
        """Return the cache key for the network address of a request."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}  # type: ignore[arg-type]


def _feed(
    request: HttpRequest, fetch: Callable[[Asker], tuple[str, Sequence[CalendarEntry]] | None]
) -> HttpResponseBase:
    """Return a calendar file for the holder of the key, or for everybody; the session is ignored.

    A calendar program cannot sign in, so it gets "not found" where a browser is sent to the
    sign-in page.
    """
    throttle = CalendarThrottle()
    if not throttle.allow_request(request, None):  # type: ignore[arg-type]
        return HttpResponse(
            gettext("Too many requests. Try again later."),
            "text/plain",
            429,
            headers={"Retry-After": str(ceil(throttle.wait() or 1))},
        )
    key = request.GET.get("key", "")
    holder = _holder(key)
    calendar = fetch(holder or AnonymousUser()) if holder or not key else None
    if calendar is None:
        return HttpResponse(
            gettext("Calendar not found. Its address may have been revoked."), "text/plain", 404
        )
    # It loads a library of 80 modules, which most processes never need.
    from home.views.icalendar import calendar_file  # noqa: PLC0415

    name, entries = calendar
    body = calendar_file(name, entries, lambda entry: request.build_absolute_uri(_page(entry)))
    headers = {
        "ETag": f'"{sha256(body).hexdigest()}"',
        "Cache-Control": f"{'private' if key else 'public'}, max-age={FRESH}",
        "Content-Disposition": 'inline; filename="muster.ics"',
        "X-Robots-Tag": "noindex",
    }
    answer = HttpResponse(body, "text/calendar; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag=headers["ETag"], response=answer) or answer


def _holder(key: str) -> User | None:
    """Return the holder of the key, if the account is active."""
    links = CalendarLink.objects.filter(digest=digest_of(key), user__is_active=True) if key else ()
    return next((link.user for link in links), None)


def _page(entry: CalendarEntry) -> str:
    """Return the page of an entry: its own, or that of its campaign."""
    own = PAGES.get(entry.kind)
    return (
        reverse(own, args=[entry.id]) if own else reverse("leagues:campaign", args=[entry.campaign])
    )


def _window() -> tuple[date, date]:
    today = timezone.now().date()
    return today - BACK, today + AHEAD


def _month(text: str, today: date) -> date:
    """Return the first day of the requested month, or else of this month."""
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return today.replace(day=1)
    return month if 2000 <= month.year <= 2200 else today.replace(day=1)


def _shown_feed(request: HttpRequest, club: Club) -> str:
    """Return the address of the club's feed for this reader.

    Return "" if it needs a key and the reader has not created one.
    """
    path = reverse("home:club-feed", args=[club.pk])
    if club.visibility != "private":
        return request.build_absolute_uri(path)
    link = (
        CalendarLink.objects.filter(user=request.user.pk).first()
        if request.user.is_authenticated
        else None
    )
    return (
        request.build_absolute_uri(calendar_path(path, link.secret)) if link and link.secret else ""
    )
