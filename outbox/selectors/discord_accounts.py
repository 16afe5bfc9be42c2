"""The members behind accounts in Discord.

Where people can sign in with Discord, a member connects it on the account page (allauth), and is
known in Discord after that. Elsewhere members link their accounts by a code
(``outbox.services.discord_accounts``).
"""

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import User

from outbox.models import DiscordAccount

PROVIDER = "discord"


def can_connect() -> bool:
    """Return whether people can sign in with Discord on this installation."""
    return any(provider.key == PROVIDER for provider in settings.PROVIDERS)


def connected_account(user: User) -> SocialAccount | None:
    """Return the account in Discord that the user has connected on the account page, or None."""
    rows = SocialAccount.objects.filter(user=user, provider=PROVIDER)
    return rows.order_by("pk").first() if can_connect() else None


def member_of(discord_id: str) -> User | None:
    """Return the active user behind an account in Discord, or None. Two queries at most.

    A connected account goes before one that was linked by a code.
    """
    if can_connect():
        connected = SocialAccount.objects.filter(
            provider=PROVIDER, uid=discord_id, user__is_active=True
        )
        account = connected.select_related("user").first()
        if account is not None:
            user: User = account.user
            return user
    rows = DiscordAccount.objects.filter(discord_id=discord_id, user__is_active=True)
    linked = rows.select_related("user").first()
    return linked.user if linked else None
