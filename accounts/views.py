"""Pages of the user's own account: names, tokens, calendar link, own data, deletion."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST
from knox.models import AuthToken

from accounts.adapter import MAX_LETTERS, expect_visible
from accounts.api import tokens
from accounts.data_export.archive import OwnDataThrottle, data_answer
from accounts.data_export.tables import OWN_DATA_TABLES
from accounts.services.deletion import (
    MAX_KEPT_NAME,
    KeptForHistory,
    delete_account,
    preview_leaving,
)
from clubs.models import CalendarLink
from clubs.services.evenings import make_calendar_link as make_link
from clubs.services.evenings import revoke_calendar_link as revoke_link
from core.forms import PageForm
from core.secret_links import calendar_path
from core.views import (
    AuthenticatedRequest,
    get_or_404,
    login_required_page,
    minutes_to_wait,
    post_data,
    question,
    render_form,
    way_back,
)


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
    form = ProfileForm(
        post_data(request), initial={"first_name": user.first_name, "last_name": user.last_name}
    )
    if form.is_valid():
        user.first_name, user.last_name = (
            form.cleaned_data["first_name"],
            form.cleaned_data["last_name"],
        )
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, "Saved.")
        return redirect("account")
    return render_form(
        request,
        "accounts/account.html",
        form,
        tokens=_tokens(user),
        calendar=_calendar(request),
        commands_in_discord=bool(settings.DISCORD_PUBLIC_KEY),
    )


@require_POST
@login_required_page
def make_token(request: AuthenticatedRequest) -> HttpResponse:
    """Create a token and show it once, in this response."""
    row, token = tokens.make_token(user=request.user)
    return render(request, "accounts/token.html", {"token": token, "row": row}, status=201)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required_page
def revoke_token(request: AuthenticatedRequest, digest: str) -> HttpResponse:
    """Revoke a token of the user after confirmation. Raises Http404 for other users' tokens."""
    token = get_or_404(_tokens(request.user), digest)
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke the token %(name)s…?") % {"name": token.token_key},
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


def _tokens(user: User) -> Any:
    return AuthToken.objects.filter(user=user).order_by("-created")


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
