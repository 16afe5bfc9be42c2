"""The number of cards, for the header of every page.

Building the query takes longer than running it, so the number is cached for a short time. Every
change that a member makes deletes their own number at once. Changes by other members may appear up
to half a minute late.
"""

from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from home.selectors.waiting import number_waiting
from home.user_cache import forget, keep, kept

SECONDS = 30
"""The time for which a number is cached."""


def inbox_badge(request: HttpRequest) -> dict[str, Any]:
    """Add ``inbox_number`` to templates: the number of cards of the signed-in member.

    The number is read only if a template uses it.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    add_number(request, user)
    return {"inbox_number": request.inbox_number}  # type: ignore[attr-defined]


def add_number(request: HttpRequest, user: User) -> None:
    """Add ``request.inbox_number``, which is read when it is needed, at most once."""
    if not hasattr(request, "inbox_number"):
        request.inbox_number = SimpleLazyObject(  # type: ignore[attr-defined]
            lambda: number_of(user)
        )


def number_of(user: User) -> int:
    """Return the number of cards of a member, at most half a minute old.

    Takes four queries at most, and usually none.
    """
    return kept(_key(user.pk), SECONDS, lambda: number_waiting(user, timezone.localdate()))


def keep_number(user: User, number: int) -> None:
    """Cache a number that was just counted."""
    keep(_key(user.pk), SECONDS, number)


def forget_number(user_id: int) -> None:
    """Delete the cached number, so that the next page counts again."""
    forget(_key(user_id))


def _key(user_id: int) -> str:
    return f"inbox-number:{user_id}"
