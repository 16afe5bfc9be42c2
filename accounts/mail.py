"""E-mails about changes of an account, so that its owner learns what others may have done.

They go to every confirmed address and to the main one, and to an address that is replaced or
removed. No e-mail contains a secret. docs/decisions/web.md says which changes they are
about.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm as AllauthAddEmailForm
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from home.services.account_letters import queue_account_letters
from home.services.letters import link
from home.services.preferences import preferences_of

LONGEST_AGENT = 200
"""The maximum length of a browser's User-Agent in an e-mail."""


def notify_account(
    *, user: User, template: str, values: Mapping[str, Any] | None = None, extra: Iterable[str] = ()
) -> None:
    """Queue an e-mail about a change of the account, to its own and the ``extra`` addresses.

    It is in the account's language. ``template`` is the common start of the names of two templates,
    ``…_subject.txt`` and ``…_message.txt``.
    """
    preferences = preferences_of(user)
    with timezone.override(preferences.zone), translation.override(preferences.written):
        context = {
            "name": user.get_username(),
            "time": timezone.localtime(),
            "site": settings.SITE_URL,
            "reset": link(reverse("account_reset_password")),
            "account": link(reverse("account")),
            **_origin(allauth_context.request),
            **(values or {}),
        }
        subject = " ".join(render_to_string(f"{template}_subject.txt", context).split())
        body = render_to_string(f"{template}_message.txt", context).strip()
    queue_account_letters(
        addresses=[*addresses_of(user), *extra], subject=subject, body=f"{body}\n"
    )


def addresses_of(user: User) -> list[str]:
    """Return an account's confirmed addresses and its main one, even if unconfirmed. One query."""
    addresses = EmailAddress.objects.filter(Q(verified=True) | Q(primary=True), user=user)
    emails = list(addresses.order_by("-primary", "pk").values_list("email", flat=True))
    return emails or ([user.email] if user.email else [])


class AddEmailForm(AllauthAddEmailForm):
    """The form for a new address, which informs the addresses that the account already has."""

    def save(self, request: HttpRequest) -> EmailAddress:
        # Before the address is stored: the new address gets its own e-mail to confirm it.
        added = {"added_email": self.cleaned_data["email"]}
        notify_account(user=self.user, template="account/email/email_added", values=added)
        address: EmailAddress = super().save(request)
        return address


def _origin(request: HttpRequest | None) -> dict[str, str]:
    """Return the IP address and browser of a change, or nothing outside a request."""
    if request is None:
        return {}
    adapter = get_adapter()
    try:
        address = adapter.get_client_ip(request)
    except PermissionDenied:
        address = ""
    return {
        "ip": address or "",
        "user_agent": request.headers.get("User-Agent", "")[:LONGEST_AGENT],
    }
