"""What is one's own: all of it to take away, and the account to delete. The password is asked for again."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from config.leaving import MOST_LETTERS, Kept, delete_account, preview_leaving
from config.own_data.sending import data_answer, minutes_to_wait
from config.own_data.tables import TOLD
from config.pages.forms import PageForm
from config.pages.lookup import MemberRequest
from config.pages.responses import bound_data, form_page, members_only


class LeavingForm(PageForm):
    """What history calls whoever leaves, and the user name, typed so that nobody leaves by mistake."""

    kept = forms.ChoiceField(
        label=_("What clubs call you from then on"),
        choices=[
            (Kept.PRESENT.value, _("As they call me now")),
            (Kept.OTHER.value, _("By another name")),
            (Kept.NONE.value, _("By no name: a former member")),
        ],
        widget=forms.RadioSelect,
        initial=Kept.NONE.value,
    )
    name = forms.CharField(label=_("The other name"), max_length=MOST_LETTERS, required=False)
    username = forms.CharField(
        label=_("Your user name, so that nobody deletes an account by mistake"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )

    def __init__(self, *arguments: Any, username: str, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._username = username

    def clean_username(self) -> str:
        """The name as it was typed, if it is the right one. Raises ValidationError."""
        typed: str = self.cleaned_data["username"].strip()
        if typed != self._username:
            raise forms.ValidationError(_("This is not your user name: it is “%(name)s”.") % {"name": self._username})
        return typed


@require_http_methods(["GET", "HEAD"])
@members_only
@reauthentication_required
def data(request: MemberRequest) -> HttpResponse:
    """What there is to download."""
    return render(request, "home/own_data.html", {"titles": [told.title for told in TOLD]})


@require_POST
@members_only
@reauthentication_required
def archive(request: MemberRequest) -> HttpResponseBase:
    """All that Muster holds of one, as a file."""
    minutes = minutes_to_wait(request)
    if minutes:
        told = ngettext(
            "You have downloaded your data several times. Try again in %(minutes)d minute.",
            "You have downloaded your data several times. Try again in %(minutes)d minutes.",
            minutes,
        )
        messages.error(request, told % {"minutes": minutes})
        return redirect("own-data")
    return data_answer(request.user)


@require_http_methods(["GET", "HEAD", "POST"])
@members_only
@reauthentication_required
def leave(request: MemberRequest) -> HttpResponse:
    """What would happen if the account were deleted; and the deed."""
    form = LeavingForm(bound_data(request), username=request.user.get_username())
    if form.is_valid() and form.submit(lambda: _leave(request, form.cleaned_data)):
        logout(request)
        messages.success(request, gettext("Your account is deleted. Thank you for having played."))
        return redirect("home")
    return form_page(request, "home/delete_account.html", form, preview=preview_leaving(request.user))


def _leave(request: MemberRequest, told: dict[str, Any]) -> None:
    delete_account(user=request.user, kept=Kept(told["kept"]), name=told["name"])
