"""The bot of a club: an account for programs, whose tokens the organisers create and revoke.

The bot is an organiser of the club. What a program may do follows from the scope of its token.
"""

from secrets import token_hex
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.services.tokens import unknown_token
from audit.services.recording import record
from audit.verbs import Verb
from clubs.models import Club, ClubBot, Membership, Role
from clubs.services.members import free_variant
from clubs.services.permissions import organised_club
from core.models import TokenDetails
from core.tokens import TokenTerms, create_token, tokens_of
from core.users import expect_person
from warbands.signed import create_signed


@transaction.atomic
def make_bot_token(*, club_id: UUID, user: User, terms: TokenTerms) -> tuple[TokenDetails, str]:
    """Return a new token of the club's bot and its secret, which is known only now.

    The first token creates the bot, and a bot that was removed from the club comes back. Raises
    NotFound, and Forbidden, also if a bot asks (`people-only`).
    """
    club = organised_club(club_id, user)
    # A token that somebody got hold of must not outlive itself.
    expect_person(user)
    member = _bot_member(club)
    assert member.user is not None  # noqa: S101 - this tells the type checker
    details, secret = create_token(user=member.user, terms=terms)
    record(
        Verb.BOT_TOKEN_MADE,
        member,
        user=user,
        club=club_id,
        token=details.name,
        scope=details.scope,
    )
    return details, secret


@transaction.atomic
def revoke_bot_token(*, club_id: UUID, user: User, token_id: UUID) -> None:
    """Delete a token of the club's bot. Raises NotFound, Forbidden."""
    club = organised_club(club_id, user)
    details = bot_tokens(club).filter(pk=token_id).first()
    if details is None:
        raise unknown_token()
    name, scope = details.name, details.scope
    details.token.delete()
    record(Verb.BOT_TOKEN_REVOKED, club, user=user, club=club_id, token=name, scope=scope)


def bot_tokens(club: Club) -> QuerySet[TokenDetails]:
    """Return the valid tokens of the club's bot, the newest first."""
    bot = ClubBot.objects.filter(club=club).select_related("user").first()
    return tokens_of(bot.user) if bot else TokenDetails.objects.none()


def _bot_member(club: Club) -> Membership:
    """Return the bot's membership of the club, which is locked; create what is missing."""
    bot = ClubBot.objects.filter(club=club).select_related("user").first()
    if bot is None:
        account = User(username=f"bot-{token_hex(8)}", first_name=gettext("Bot"))
        account.set_unusable_password()
        account.save()
        bot = ClubBot.objects.create(club=club, user=account)
    member = club.memberships.filter(user=bot.user).first()
    if member is None:
        name = free_variant(club.pk, gettext("Bot"))
        member = create_signed(Membership, club=club, user=bot.user, name=name, role=Role.ORGANISER)
    return member
