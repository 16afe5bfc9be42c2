"""Pages of keys: this installation's own, the trusted ones, and trusting and withdrawing."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from clubs.models import Club
from core.errors import MusterError
from core.qr_codes import qr_code
from core.signatures import PublicKey
from core.views import (
    AuthenticatedRequest,
    get_visible_or_404,
    login_required_page,
    post_data,
    public_page,
    question,
    render_form,
    run_service,
)
from exchange.downloads import json_answer
from exchange.forms import KeyForm, TrustForm
from exchange.models import TrustedKey
from exchange.selectors.keys import trusted_keys
from exchange.services.trust import key_file, may_trust, read_key, trust_key, withdraw_trust
from exchange.signing import public_key


@require_safe
@public_page
def keys(request: HttpRequest) -> HttpResponse:
    """Show the key of this installation, and the keys trusted by the whole installation."""
    return _page(request, None)


@require_safe
@public_page
def of_club(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the keys that a club trusts, and the installation's own key."""
    return _page(request, get_visible_or_404(Club.objects, request.user, pk))


@require_safe
@public_page
def own_file(request: HttpRequest) -> HttpResponse:
    """Download the public key of this installation."""
    return json_answer(key_file(), request.get_host().partition(":")[0], ".key.json")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def trust(request: AuthenticatedRequest) -> HttpResponse:
    """Trust a key for the whole installation."""
    return _trust(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def trust_in_club(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Trust a key for a club."""
    return _trust(request, get_visible_or_404(Club.objects, request.user, pk))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def withdraw(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Withdraw the trust in a key, after a confirmation."""
    row = get_visible_or_404(TrustedKey.objects.select_related("club"), request.user, pk)
    if request.method != "POST":
        if not may_trust(request.user, row.club):
            raise PermissionDenied
        return question(
            request,
            heading=gettext("Withdraw trust from %(name)s?") % {"name": row.name},
            lines=[
                gettext(
                    "Passports and archives from there will count as unknown. Everything already "
                    "imported stays."
                )
            ],
            button=gettext("Withdraw trust"),
            back=reverse("exchange:club-keys", args=[row.club_id])
            if row.club_id
            else reverse("exchange:keys"),
            section="clubs",
        )
    run_service(
        request,
        partial(withdraw_trust, user=request.user, key_id=pk),
        gettext("Trust withdrawn."),
    )
    return _home(row.club_id)


def _page(request: HttpRequest, club: Club | None) -> HttpResponse:
    own_key = public_key()
    context = {
        "section": "clubs",
        "club": club,
        "own": own_key,
        "code": qr_code(own_key.public.upper()),
        "trusted": trusted_keys(request.user, club),
        "trust": reverse("exchange:trust-in-club", args=[club.pk])
        if club
        else reverse("exchange:trust"),
        "may_trust": may_trust(request.user, club),
    }
    return render(request, "exchange/keys.html", context)


def _trust(request: AuthenticatedRequest, club: Club | None) -> HttpResponse:
    """Trust a key in two steps.

    The user enters the key and sees its fingerprint; once they have compared it, it is trusted.
    """
    if not may_trust(request.user, club):
        raise PermissionDenied
    if "public" in request.POST:
        return _trust_compared(request, club)
    form = KeyForm(post_data(request), request.FILES or None)
    if form.is_valid() and form.submit(lambda: read_key(form.cleaned_data["text"])):
        key, address = form.answer
        empty_form = TrustForm(initial={"public": key.public, "address": address})
        return render_form(
            request, "exchange/compare.html", empty_form, club=club, key=key, section="clubs"
        )
    return render_form(request, "exchange/trust.html", form, club=club, section="clubs")


def _trust_compared(request: AuthenticatedRequest, club: Club | None) -> HttpResponse:
    form = TrustForm(request.POST)
    values = {name: form.data.get(name, "") for name in ("public", "name", "address")}
    if form.is_valid() and form.submit(
        lambda: trust_key(user=request.user, club=club.pk if club else None, **values)
    ):
        messages.success(request, gettext("Key of %(name)s trusted.") % {"name": form.answer.name})
        return _home(club.pk if club else None)
    try:
        key: PublicKey | None = read_key(form.data.get("public", ""))[0]
    except MusterError:
        key = None
    return render_form(request, "exchange/compare.html", form, club=club, key=key, section="clubs")


def _home(club: UUID | None) -> HttpResponse:
    return redirect("exchange:club-keys", club) if club else redirect("exchange:keys")
