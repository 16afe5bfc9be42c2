"""The number of cards, for the header of every page.

Putting the question together costs more than asking it, so the number is kept for a moment.
Whatever a member does forgets their own number at once: only what others do may show half a minute
late.
"""

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from home.selectors.waiting import number_waiting
from home.user_cache import forget, keep, kept

SECONDS = 30
"""How long a number is kept."""


def inbox_badge(request: HttpRequest) -> dict[str, Any]:
    """``inbox_number`` for templates: how many cards wait for who is signed in. Asked for when a
    template does."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {"inbox_number": SimpleLazyObject(lambda: number_of(user))}


def number_of(user: User) -> int:
    """How many cards wait for a member, as it was half a minute ago at most. Four queries at most,
    mostly none."""
    return kept(_key(user.pk), SECONDS, lambda: number_waiting(user, timezone.localdate()))


def keep_number(user: User, number: int) -> None:
    """Keep a number that was counted just now."""
    keep(_key(user.pk), SECONDS, number)


def forget_number(user_id: int) -> None:
    """Have it counted anew for the next page."""
    forget(_key(user_id))


def _key(user_id: int) -> str:
    return f"inbox-number:{user_id}"
