"""One's own account: the name that people see, and the tokens by which scripts act in one's name."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST
from knox.models import AuthToken

from campaigns.links import calendar_path
from campaigns.models import CalendarLink
from campaigns.services.calendars import make_calendar_link as make_link
from campaigns.services.calendars import revoke_calendar_link as revoke_link
from config import tokens
from config.accounts import MOST_LETTERS, expect_visible
from config.pages.forms import PageForm
from config.pages.lookup import MemberRequest, among
from config.pages.responses import bound_data, form_page, members_only, question, way_back


class ProfileForm(PageForm):
    """The names of an account; clubs can know it by another."""

    first_name = forms.CharField(
        label=_("First name"), max_length=MOST_LETTERS, required=False, validators=[expect_visible]
    )
    last_name = forms.CharField(
        label=_("Last name"), max_length=MOST_LETTERS, required=False, validators=[expect_visible]
    )


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def account(request: MemberRequest) -> HttpResponse:
    """Names and tokens."""
    user = request.user
    form = ProfileForm(bound_data(request), initial={"first_name": user.first_name, "last_name": user.last_name})
    if form.is_valid():
        user.first_name, user.last_name = form.cleaned_data["first_name"], form.cleaned_data["last_name"]
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, "Saved.")
        return redirect("account")
    return form_page(request, "home/account.html", form, tokens=_tokens(user), calendar=_calendar(request))


@require_POST
@members_only
def make_token(request: MemberRequest) -> HttpResponse:
    """A new token, shown once, in the answer."""
    row, token = tokens.make_token(user=request.user)
    return render(request, "home/token.html", {"token": token, "row": row}, status=201)


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def revoke_token(request: MemberRequest, digest: str) -> HttpResponse:
    """Make one of one's own tokens worthless, after a question. Other people's are not found."""
    token = among(_tokens(request.user), digest)
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke the token %(name)s…?") % {"name": token.token_key},
            lines=[gettext("Programs that use it can no longer sign in. It cannot be restored.")],
            button=gettext("Revoke"),
            back=reverse("account"),
        )
    token.delete()
    messages.success(request, gettext("The token works no longer."))
    return redirect("account")


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def make_calendar_link(request: MemberRequest) -> HttpResponse:
    """A secret calendar address of one's own, made or made anew; the page asks before an old one is replaced."""
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Make a new calendar address?"),
            lines=[gettext("The old address stops working: calendars that use it have to be set up again.")],
            button=gettext("Make a new address"),
            back=f"{reverse('account')}#calendar",
        )
    make_link(user=request.user)
    messages.success(request, gettext("Your calendar has a new address. An older one leads nowhere any more."))
    return redirect(way_back(request, f"{reverse('account')}#calendar"))


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
def revoke_calendar_link(request: MemberRequest) -> HttpResponse:
    """Make one's calendar address worthless, after a question."""
    if request.method != "POST":
        return question(
            request,
            heading=gettext("Revoke your calendar address?"),
            lines=[gettext("Calendars that use it no longer get anything new.")],
            button=gettext("Revoke"),
            back=f"{reverse('account')}#calendar",
        )
    revoke_link(user=request.user)
    messages.success(request, gettext("Your calendar's address leads nowhere any more."))
    return redirect("account")


def _calendar(request: MemberRequest) -> str:
    """The address of one's own calendar, "" if there is none."""
    link = CalendarLink.objects.filter(user=request.user).first()
    secret = link.secret if link else ""
    return request.build_absolute_uri(calendar_path(reverse("campaigns:own-feed"), secret)) if secret else ""


def _tokens(user: User) -> Any:
    return AuthToken.objects.filter(user=user).order_by("-created")
