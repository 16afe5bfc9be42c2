"""Link the account of a member with one in Discord, by a code that the member sends there.

Discord signs who has sent the command with the code, so no password and no other site is involved.
It is for installations on which people cannot sign in with Discord.
"""

from datetime import timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.utils.translation import gettext

from core.errors import InvalidInput
from outbox.models import DiscordAccount

PURPOSE = "muster.discord-link"
CODE_HOLDS = timedelta(minutes=15)


def link_code(user: User) -> str:
    """Return a code that links the user's account to the sender, for ``CODE_HOLDS``."""
    return signing.dumps(user.pk, salt=PURPOSE)


@transaction.atomic
def link_account(*, code: str, discord_id: str, name: str) -> User:
    """Link the account of a code to an account in Discord, in place of earlier links.

    Return the user. Raises InvalidInput "wrong-code".
    """
    try:
        key = signing.loads(code.strip(), salt=PURPOSE, max_age=CODE_HOLDS)
        user = User.objects.get(pk=key, is_active=True)
    except (signing.BadSignature, User.DoesNotExist) as error:
        sentence = gettext("This code is wrong or has expired. Get a new one on your account page.")
        raise InvalidInput("wrong-code", sentence, field="code") from error
    DiscordAccount.objects.filter(discord_id=discord_id).exclude(user=user).delete()
    values = {"discord_id": discord_id, "name": name[:100]}
    DiscordAccount.objects.update_or_create(user=user, defaults=values)
    return user


def unlink_account(*, user: User) -> None:
    """Remove the link to Discord, if there is one."""
    DiscordAccount.objects.filter(user=user).delete()
