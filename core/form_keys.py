"""The key that every form of a page carries beside its CSRF token: it tells one form from another,
and whose it is.

``{% csrf_token %}`` writes it (core/templatetags/form_keys.py). By it a form that is sent twice is
carried out once (core.form_resubmission), and what somebody typed while signed out is kept for that
account (core.typed_text).
"""

import secrets

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

FIELD = "form_key"
signer = Signer(salt="muster.form-keys")


def form_key_input(request: HttpRequest) -> SafeString:
    """The hidden field for a form of this page; "" for whoever is not signed in.

    A page that answers to a form with errors shows it with the key that it came with.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return SafeString("")
    sent = request.POST.get(FIELD, "") if request.method == "POST" else ""
    key = sent if key_of(sent, user.pk) else signer.sign(f"{user.pk}.{secrets.token_urlsafe(12)}")
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, key)


def key_of(sent: str, user_id: int) -> str:
    """The key that tells this form from all others, if it was made for this account; else ""."""
    owner, key = _read(sent)
    return key if owner == user_id else ""


def author_of(sent: str) -> int | None:
    """For which account a form was made; None if that cannot be proved."""
    return _read(sent)[0]


def _read(sent: str) -> tuple[int | None, str]:
    try:
        owner, _, key = signer.unsign(sent).partition(".")
    except BadSignature:
        return None, ""
    return int(owner), key
