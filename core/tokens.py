"""Tokens of the API: create them, check what they may do, and note their last use."""

from datetime import datetime, timedelta
from typing import Annotated, Final

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken
from knox.settings import knox_settings

from core.inputs import Input, column, field, validate
from core.models import Scope, TokenDetails

MOST_DAYS = 3650
NOTED_EVERY: Final = timedelta(minutes=1)
ORDER: Final = (Scope.READ, Scope.LOG, Scope.ORGANISE)


class TokenTerms(Input, frozen=True, kw_only=True):
    """Name, scope and lifetime of a token."""

    name: Annotated[
        str, column(TokenDetails, "name", _("Name"), _("What uses it, such as “Discord bot”."))
    ] = ""
    scope: Annotated[Scope, field(_("Permissions"), default=True)] = Scope.ORGANISE
    days: Annotated[
        int | None,
        field(
            _("Expires after (days)"),
            api="Lifetime in days. By default that of this installation.",
            ge=1,
            le=MOST_DAYS,
            null=False,
        ),
    ] = None


@transaction.atomic
def create_token(*, user: User, terms: TokenTerms) -> tuple[TokenDetails, str]:
    """Return a new token and its secret, which is known only now."""
    terms = validate(terms)
    lifetime = knox_settings.TOKEN_TTL if terms.days is None else timedelta(days=terms.days)
    token, secret = AuthToken.objects.create(user=user, expiry=lifetime)
    details = TokenDetails.objects.create(token=token, name=terms.name, scope=terms.scope)
    return details, secret


def tokens_of(user: User) -> QuerySet[TokenDetails]:
    """Return the user's tokens that have not expired, the newest first."""
    valid = Q(token__expiry=None) | Q(token__expiry__gt=timezone.now())
    rows = TokenDetails.objects.filter(valid, token__user=user).select_related("token")
    return rows.order_by("-token__created", "pk")


def scope_of(token: object) -> Scope:
    """Return what a token may do. Sessions, and tokens without details, may do everything."""
    details = getattr(token, "details", None)
    return Scope.ORGANISE if details is None else Scope(details.scope)


def includes(scope: Scope, needed: Scope) -> bool:
    """Return whether a scope is enough where ``needed`` is required."""
    return ORDER.index(scope) >= ORDER.index(needed)


def note_use(token: AuthToken, now: datetime) -> None:
    """Store that a token is used, at most once a minute. A busy database does not stop a request.

    ``token`` was read with its details, so usually this makes no query.
    """
    details = getattr(token, "details", None)
    if details is None or (details.last_used_at and now - details.last_used_at < NOTED_EVERY):
        return
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
    try:
        with transaction.atomic():
            TokenDetails.objects.filter(stale, pk=details.pk).update(last_used_at=now)
    except DatabaseError:
        return
    details.last_used_at = now
