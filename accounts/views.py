"""Pages of the user's own account: names, tokens, calendar link, own data, deletion."""

from functools import partial
from typing import Any
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST
from knox.models import AuthToken
from knox.settings import knox_settings

from accounts.adapter import MAX_LETTERS, expect_visible
from accounts.data_export.archive import OwnDataThrottle, data_answer
from accounts.data_export.tables import OWN_DATA_TABLES
from accounts.services import tokens
from accounts.services.bots import bot_tokens, make_bot_token, revoke_bot_token
from accounts.services.deletion import (
    MAX_KEPT_NAME,
    KeptForHistory,
    delete_account,
    preview_leaving,
)
from clubs.models import CalendarLink, Club
from clubs.services.evenings import make_calendar_link as make_link
from clubs.services.evenings import revoke_calendar_link as revoke_link
from core.forms import PageForm
from core.input_forms import form_class, like, radio
from core.inputs import parse
from core.models import Scope, TokenDetails
from core.secret_links import calendar_path
from core.tokens import TokenTerms
from core.views import (
    AuthenticatedRequest,
    get_editable_or_404,
    get_or_404,
    login_required_page,
    minutes_to_wait,
    post_data,
    question,
    render_form,
    run_service,
    way_back,
)
from outbox.selectors.discord_accounts import can_connect, connected_account


class ProfileForm(PageForm):
    """The names of an account. Clubs may use other names."""

    first_name = forms.CharField(
        label=_("First name"), max_length=MAX_LETTERS, required=False, validators=[expect_visible]
    )
    last_name = forms.CharField(
        label=_("Last name"), max_length=MAX_LETTERS, required=False, validators=[expect_visible]
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def account(request: AuthenticatedRequest) -> HttpResponse:
    """Show and change names, tokens and the calendar link."""
    user = request.user
    form = _profile_form(request)
    if form.is_valid():
        user.first_name, user.last_name = (
            form.cleaned_data["first_name"],
            form.cleaned_data["last_name"],
        )
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, "Saved.")
        return redirect("account")
    return _account_page(request, form)


def _profile_form(request: AuthenticatedRequest) -> ProfileForm:
    names = {"first_name": request.user.first_name, "last_name": request.user.last_name}
    # The form of tokens has fields of its own on the same page.
    return ProfileForm(None if "scope" in request.POST else post_data(request), initial=names)


def _account_page(
    request: AuthenticatedRequest,
    form: ProfileForm,
    *,
    token_form: PageForm | None = None,
    status: int | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "tokens": _tokens(request.user),
        "token_form": token_form or empty_token_form(),
        "calendar": _calendar(request),
        "commands_in_discord": bool(settings.DISCORD_PUBLIC_KEY),
        "connects_discord": can_connect(),
        "connected_discord": connected_account(request.user),
    }
    return render(request, "accounts/account.html", context, status=status or form.status)


def empty_token_form() -> PageForm:
    """Return the form for a new token, with the least scope and the usual lifetime."""
    days = knox_settings.TOKEN_TTL.days
    return TokenForm(initial={"scope": Scope.READ, "days": days})


def _shown_once(
    request: AuthenticatedRequest, details: TokenDetails, secret: str, *, back: str
) -> HttpResponse:
    """Return the page with a new token. The token cannot be shown again."""
    context = {"token": secret, "details": details, "back": back}
    return render(request, "accounts/token.html", context, status=201)


TokenForm = form_class(TokenTerms, PageForm, scope=radio(), days=like(required=True))


@require_POST
@login_required_page
def make_token(request: AuthenticatedRequest) -> HttpResponse:
    """Create a token and show it once, in this response."""
    form = TokenForm(request.POST) if "scope" in request.POST else None
    terms = TokenTerms()
    if form is not None:
        if not form.is_valid():
            return _account_page(request, _profile_form(request), token_form=form, status=400)
        terms = parse(TokenTerms, form.cleaned_data)
    details, secret = tokens.make_token(user=request.user, terms=terms)
    return _shown_once(request, details, secret, back=reverse("account"))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def revoke_token(request: AuthenticatedRequest, key: str) -> HttpResponse:
    """Revoke a token of the user after confirmation. Raises Http404 for other users' tokens."""
    tokens = {each.key: each for each in _tokens(request.user)}
    if key not in tokens:
        raise Http404
    token = tokens[key]
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke the token %(name)s?") % {"name": name_of_token(token)},
            lines=[gettext("Programs that use it can no longer sign in. It cannot be restored.")],
            button=gettext("Revoke token"),
            back=reverse("account"),
        )
    token.delete()
    messages.success(request, gettext("Token revoked."))
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def make_calendar_link(request: AuthenticatedRequest) -> HttpResponse:
    """Create or replace the user's secret calendar address. GET asks for confirmation."""
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Create a new calendar address?"),
            lines=[
                gettext(
                    "The old address stops working: calendars that use it have to be set up again."
                )
            ],
            button=gettext("Create new address"),
            back=f"{reverse('account')}#calendar",
        )
    replaced = CalendarLink.objects.filter(user=request.user).exists()
    make_link(user=request.user)
    messages.success(
        request,
        gettext("New calendar address created. The old one no longer works.")
        if replaced
        else gettext("Calendar address created."),
    )
    return redirect(way_back(request, f"{reverse('account')}#calendar"))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def revoke_calendar_link(request: AuthenticatedRequest) -> HttpResponse:
    """Revoke the user's calendar address after confirmation."""
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke your calendar address?"),
            lines=[gettext("Calendars that use it will no longer be updated.")],
            button=gettext("Revoke address"),
            back=f"{reverse('account')}#calendar",
        )
    revoke_link(user=request.user)
    messages.success(request, gettext("Calendar address revoked."))
    return redirect("account")


def _calendar(request: AuthenticatedRequest) -> str:
    """Return the address of the user's own calendar, or "" if there is none."""
    link = CalendarLink.objects.filter(user=request.user).first()
    secret = link.secret if link else ""
    return (
        request.build_absolute_uri(calendar_path(reverse("home:own-feed"), secret))
        if secret
        else ""
    )


def _tokens(user: User) -> list[Any]:
    """Return the user's valid tokens, the newest first, each with its ``key`` in addresses.

    A token without details has only its digest.
    """
    valid = Q(expiry=None) | Q(expiry__gt=timezone.now())
    rows: list[Any] = [*AuthToken.objects.filter(valid, user=user).select_related("details")]
    for row in rows:
        details = getattr(row, "details", None)
        row.key = str(details.pk) if details else row.digest
    return sorted(rows, key=lambda row: (row.created, row.key), reverse=True)


def name_of_token(token: AuthToken) -> str:
    """Return the name of a token, or its first characters."""
    details = getattr(token, "details", None)
    return details.name if details and details.name else f"{token.token_key}…"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def club_bot(request: AuthenticatedRequest, pk: UUID) -> HttpResponse:
    """Show the tokens of a club's bot and create one, which is shown once."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    form = TokenForm(post_data(request), initial=empty_token_form().initial)
    if form.is_valid() and form.submit(lambda: _make_bot_token(request, pk, form.cleaned_data)):
        details, secret = form.answer
        return _shown_once(request, details, secret, back=reverse("club-bot", args=[pk]))
    return render_form(
        request, "accounts/club_bot.html", form, club=club, tokens=bot_tokens(club), section="clubs"
    )


def _make_bot_token(
    request: AuthenticatedRequest, club_id: UUID, data: dict[str, Any]
) -> tuple[TokenDetails, str]:
    return make_bot_token(club_id=club_id, user=request.user, terms=parse(TokenTerms, data))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def revoke_club_token(request: AuthenticatedRequest, pk: UUID, token_id: UUID) -> HttpResponse:
    """Revoke a token of a club's bot after confirmation."""
    club = get_editable_or_404(Club.objects, request.user, pk)
    details = get_or_404(bot_tokens(club), token_id)
    back = reverse("club-bot", args=[pk])
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke the token %(name)s?") % {"name": name_of_token(details.token)},
            lines=[gettext("Programs that use it can no longer sign in. It cannot be restored.")],
            button=gettext("Revoke token"),
            back=back,
        )
    revoke = partial(revoke_bot_token, club_id=pk, user=request.user, token_id=token_id)
    if run_service(request, revoke):
        messages.success(request, gettext("Token revoked."))
    return redirect(back)


class LeavingForm(PageForm):
    """The name that history keeps, and the user name, typed to prevent deletion by mistake."""

    kept = forms.ChoiceField(
        label=_("Your name in the history of your clubs"),
        choices=[
            (KeptForHistory.PRESENT.value, _("My current name")),
            (KeptForHistory.OTHER.value, _("Another name")),
            (KeptForHistory.NONE.value, _("No name: “former member”")),
        ],
        widget=forms.RadioSelect,
        initial=KeptForHistory.NONE.value,
    )
    name = forms.CharField(label=_("New name"), max_length=MAX_KEPT_NAME, required=False)
    username = forms.CharField(
        label=_("Your user name, to confirm"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, *arguments: Any, username: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._username = username

    def clean_username(self) -> str:
        """Return the typed user name if it is correct. Raises ValidationError."""
        typed: str = self.cleaned_data["username"].strip()
        if typed != self._username:
            raise forms.ValidationError(
                _("This is not your user name. Enter “%(name)s”.") % {"name": self._username}
            )
        return typed


@require_http_methods(["GET", "HEAD"])
@login_required_page
@reauthentication_required
def data(request: AuthenticatedRequest) -> HttpResponse:
    """Show what the user can download."""
    titles = [table.title for table in OWN_DATA_TABLES]
    return render(request, "accounts/own_data.html", {"titles": titles})


@require_POST
@login_required_page
@reauthentication_required
def archive(request: AuthenticatedRequest) -> HttpResponseBase:
    """Return everything that Muster stores about the user, as a file."""
    minutes = minutes_to_wait(request, OwnDataThrottle)
    if minutes:
        sentence = ngettext(
            "You have downloaded your data several times. Try again in %(minutes)d minute.",
            "You have downloaded your data several times. Try again in %(minutes)d minutes.",
            minutes,
        )
        messages.error(request, sentence % {"minutes": minutes})
        return redirect("own-data")
    return data_answer(request.user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
@reauthentication_required
def leave(request: AuthenticatedRequest) -> HttpResponse:
    """Show what would happen if the account were deleted, and delete it."""
    form = LeavingForm(post_data(request), username=request.user.get_username())
    if form.is_valid() and form.submit(lambda: _leave(request, form.cleaned_data)):
        logout(request)
        messages.success(request, gettext("Account deleted. Thank you for playing."))
        return redirect("home")
    return render_form(
        request, "accounts/delete_account.html", form, preview=preview_leaving(request.user)
    )


def _leave(request: AuthenticatedRequest, data: dict[str, Any]) -> None:
    delete_account(user=request.user, kept=KeptForHistory(data["kept"]), name=data["name"])
