"""The form key: a hidden field, next to the CSRF token, that identifies a form and its account.

``{% csrf_token %}`` writes it (core/templatetags/form_keys.py). With it, a form that is sent twice
is carried out once (core.form_resubmission), and text that a user typed while signed out is kept
for that account (core.typed_text).
"""

import secrets

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

FIELD = "form_key"
signer = Signer(salt="muster.form-keys")


def form_key_input(request: HttpRequest) -> SafeString:
    """Return the hidden field for a form of this page, or "" if nobody is signed in.

    A page that shows a form again with errors keeps the key that the form was sent with.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return SafeString("")
    sent = request.POST.get(FIELD, "") if request.method == "POST" else ""
    key = sent if key_of(sent, user.pk) else new_form_key(user.pk)
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, key)


def new_form_key(user_id: int) -> str:
    """Return a new key for a form of this account."""
    return signer.sign(f"{user_id}.{secrets.token_urlsafe(12)}")


def key_of(sent: str, user_id: int) -> str:
    """Return the key of a form if it was made for this account, else ""."""
    owner, key = _read(sent)
    return key if owner == user_id else ""


def author_of(sent: str) -> int | None:
    """Return the id of the account that a form was made for, or None if the key is invalid."""
    return _read(sent)[0]


def _read(sent: str) -> tuple[int | None, str]:
    try:
        owner, _, key = signer.unsign(sent).partition(".")
    except BadSignature:
        return None, ""
    return int(owner), key
