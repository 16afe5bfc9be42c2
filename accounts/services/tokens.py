"""Tokens of an account, for its owner."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from accounts.mail import notify_account
from core.errors import NotFound
from core.models import TokenDetails
from core.tokens import TokenTerms, create_token, tokens_of


@transaction.atomic
def make_token(*, user: User, terms: TokenTerms) -> tuple[TokenDetails, str]:
    """Return a new token and its secret, which is known only now, and e-mail the owner of the
    account.
    """
    details, secret = create_token(user=user, terms=terms)
    notify_account(user=user, template="account/email/token_created")
    return details, secret


def revoke_token(*, user: User, token_id: UUID) -> None:
    """Delete a token of the user. Raises NotFound."""
    details = tokens_of(user).filter(pk=token_id).first()
    if details is None:
        raise unknown_token()
    details.token.delete()


def unknown_token() -> NotFound:
    """Return the error for a token that is not the user's, or no longer valid."""
    return NotFound("unknown-token", gettext("You have no such token."), field="token")
