"""The home page, notification settings, dismissed cards, and the link to unsubscribe."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language_from_request, gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from campaigns.models import Campaign, CampaignState, Round
from clubs.models import Evening, Membership
from clubs.page_rows import HOME_ROWS
from core.compiled_queries import ANY_KEY, CompiledQuery
from core.page_cache import cached_page, without_rows
from core.views import (
    AuthenticatedRequest,
    login_required_page,
    post_data,
    public_page,
    render_form,
    run_service,
)
from home.context_processors import keep_number
from home.forms.preferences import HERE, PreferencesForm, hour_in
from home.page_rows import WELCOME_ROWS
from home.selectors.cards import NEEDED, fold_cards, inbox_of, is_for_this_week
from home.selectors.evenings import next_evening
from home.services import devices
from home.services import preferences as verbs
from home.services.preferences import mail_address, prefer, preferences_of, subscriber
from warbands.models import Warband


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def preferences(request: AuthenticatedRequest) -> HttpResponse:
    """Edit when the user gets e-mails, their devices, their time zone and their language."""
    stored = preferences_of(request.user)
    initial = {
        "mail": stored.mail,
        "time_zone": stored.time_zone or HERE,
        "language": stored.language,
    }
    form = PreferencesForm(post_data(request), initial=initial)
    if form.is_valid():
        prefer(user=request.user, **form.cleaned_data)
        with translation.override(
            form.cleaned_data["language"] or get_language_from_request(request)
        ):
            messages.success(request, gettext("Settings saved."))
        return redirect("home:preferences")
    return render_form(
        request,
        "home/preferences.html",
        form,
        address=mail_address(request.user),
        hour=hour_in(stored.zone, timezone.now()),
        devices=devices.devices_of(request.user),
        public_key=devices.public_key(),
    )


@require_POST
@login_required_page
def add_device(request: AuthenticatedRequest) -> HttpResponse:
    """Show notifications on this device. The browser fills in its push subscription."""
    kwargs = {name: request.POST.get(name, "") for name in ("endpoint", "key", "secret")}
    name = devices.browser_name(request.headers.get("User-Agent", ""))
    run_service(
        request,
        lambda: devices.add_device(user=request.user, name=name, **kwargs),
        gettext("Notifications are on for this device."),
    )
    return redirect(f"{reverse('home:preferences')}#devices")


@require_POST
@login_required_page
def remove_device(request: AuthenticatedRequest, device_id: UUID) -> HttpResponse:
    """Remove a device of the user. Devices of other users are not found."""
    devices.remove_device(user=request.user, device_id=device_id)
    messages.success(request, gettext("Device removed. It gets no more notifications."))
    return redirect(f"{reverse('home:preferences')}#devices")


@require_POST
@public_page
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Choose a language, and redirect back to the page.

    It is kept in a cookie, and for a member in their preferences.
    """
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        prefer(user=request.user, language=language)
    return set_language(request)


@require_POST
@login_required_page
def dismiss(request: AuthenticatedRequest) -> HttpResponse:
    """Dismiss a card permanently."""
    try:
        subject = UUID(request.POST.get("subject", ""))
    except ValueError as error:
        raise Http404 from error
    kind = request.POST.get("kind", "")
    run_service(
        request,
        lambda: verbs.dismiss(user=request.user, kind=kind, subject=subject),
        gettext("Dismissed."),
    )
    return redirect("home")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@public_page
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the letters: GET asks, and one POST does it.

    E-mail programs send the POST (RFC 8058).

    Anyone with the link may do this, without signing in and without a cookie.
    """
    if request.method == "POST":
        verbs.unsubscribe(token)
    else:
        subscriber(token)
    return render(request, "home/unsubscribe.html", {"done": request.method == "POST"})


MOST = 12
MEMBERSHIPS: CompiledQuery[Membership] = CompiledQuery(
    lambda _, user: Membership.objects.present().filter(user=user.pk).select_related("club")[:MOST]
)
CAMPAIGNS: CompiledQuery[Campaign] = CompiledQuery(
    lambda _, user: (
        Campaign.objects.filter(club__memberships__user=user.pk)
        .exclude(state=CampaignState.FINISHED)
        .select_related("club")[:MOST]
    )
)
WARBANDS: CompiledQuery[Warband] = CompiledQuery(
    lambda _, user: Warband.objects.filter(
        Q(owner=user.pk) | Q(keeper=user.pk), archived_at=None
    ).order_by("-created_at")[:MOST]
)


@require_safe
@public_page
def home(request: HttpRequest) -> HttpResponseBase:
    """Show the welcome page, or for a member their cards, warbands, campaigns and clubs."""
    return (_home_of_member if request.user.is_authenticated else _welcome)(request)


@cached_page(WELCOME_ROWS, counts_cards=True)
def _welcome(request: HttpRequest) -> HttpResponse:
    return render(request, "home/welcome.html", {"example": Campaign.objects.example()})


@cached_page(HOME_ROWS, counts_cards=True)
def _home_of_member(request: AuthenticatedRequest) -> HttpResponse:
    user = request.user
    without = without_rows(request, *NEEDED, Campaign, Evening, Round)
    memberships = () if Membership in without else MEMBERSHIPS.rows(ANY_KEY, user)
    inbox, today = inbox_of(user, memberships, without), timezone.localdate()
    evening = next_evening(user) if memberships and Evening not in without else None
    keep_number(user, inbox.number)
    # The next club night has its buttons at the top, and needs no card.
    cards = [card for card in inbox.cards if evening is None or card.subject != evening.id]
    folds = fold_cards(cards, today)
    is_urgent = [is_for_this_week(fold.cards[0], today) for fold in folds]
    has_campaigns = memberships and Campaign not in without
    context = {
        "inbox": inbox,
        "inbox_number": inbox.number,
        "evening": evening,
        "primary": cards[0] if cards else None,
        "this_week": [fold for fold, urgent in zip(folds, is_urgent, strict=True) if urgent],
        "later": [fold for fold, urgent in zip(folds, is_urgent, strict=True) if not urgent],
        "today": today,
        "memberships": memberships,
        "campaigns": CAMPAIGNS.rows(ANY_KEY, user) if has_campaigns else (),
        "warbands": () if Warband in without else WARBANDS.rows(ANY_KEY, user),
    }
    return render(request, "home/home.html", context)
