"""Why a delivery did not arrive: stable codes, and sentences for organisers."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from outbox.models import Delivery, WebhookKind

REFUSED = "refused"
"""The code of an answer whose status is not a success: ``status`` says which."""
TOO_SLOW = "too-slow"
SENTENCES: Mapping[str, Any] = {
    "not-an-address": _("This is not a web address. Enter it again."),
    "not-https": _("The address does not start with https://."),
    "not-public": _("The address leads into a private network, where Muster sends nothing."),
    "unknown-host": _("There is no server with this name. Check the address."),
    "no-connection": _("The server cannot be reached. It may be switched off."),
    "wrong-certificate": _("The server's HTTPS certificate is not valid."),
    "connection-lost": _("The connection ended before an answer came."),
    TOO_SLOW: _("The server took too long to answer."),
}
"""The sentences by code, for failures without an answer."""
STATUSES: Mapping[int, Any] = {
    HTTPStatus.BAD_REQUEST: _("The receiver cannot read the message (400)."),
    HTTPStatus.UNAUTHORIZED: _("The receiver asks for a sign-in (401). Check its settings."),
    HTTPStatus.FORBIDDEN: _("The receiver does not allow this (403). Check its settings."),
    HTTPStatus.NOT_FOUND: _("There is nothing at this address any more (404). Add a new one."),
    HTTPStatus.METHOD_NOT_ALLOWED: _("Nothing accepts messages at this address (405)."),
    HTTPStatus.GONE: _("The receiver wants no more messages (410). The webhook is paused."),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: _("The message is too large for the receiver (413)."),
    HTTPStatus.TOO_MANY_REQUESTS: _("The receiver is busy and asks Muster to wait (429)."),
}
DISCORD_STATUSES: Mapping[int, Any] = {
    HTTPStatus.UNAUTHORIZED: _("Discord does not know this webhook (401). Add it again."),
    HTTPStatus.NOT_FOUND: _("The webhook was deleted in Discord (404). Create a new one there."),
}


def failure_sentence(delivery: Delivery) -> str:
    """Return why the last attempt failed, in the active language; "" if it did not."""
    if not delivery.failure:
        return ""
    if delivery.failure != REFUSED or delivery.status is None:
        return str(SENTENCES.get(delivery.failure, SENTENCES["no-connection"]))
    return _answer_sentence(delivery.status, delivery.webhook.kind)


def _answer_sentence(status: int, kind: str) -> str:
    own = DISCORD_STATUSES if kind == WebhookKind.DISCORD else {}
    sentence = own.get(status) or STATUSES.get(status)
    if sentence is not None:
        return str(sentence)
    if 300 <= status < 400:
        text = gettext("The address leads to another one (%(status)s). Enter the new one.")
    elif status >= 500:
        text = gettext("The receiver has a fault (%(status)s).")
    else:
        text = gettext("The receiver did not accept the message (%(status)s).")
    return text % {"status": status}
