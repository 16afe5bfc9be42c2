"""Delete an account, or preview what would happen (docs/decisions/campaigns.md)."""

from collections.abc import Iterator
from enum import StrEnum
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from knox.models import AuthToken
from msgspec import Struct

from accounts.mail import notify_account
from battles.models import Battle
from battles.selectors.battle_rows import name_of
from battles.services.account_deletion import give_up_battles, unsettled_one_offs
from campaigns.models import Enrolment, JournalEntry
from campaigns.services.leaving import (
    ClubLeft,
    WarbandLeft,
    clubs_left,
    expect_organisers,
    leave_clubs,
    warbands_left,
)
from clubs.models import Evening, clubs_of
from core.cleaning import clean_text, field_error
from core.display_names import account_name, has_left, is_name_kept, username_of_nobody
from core.errors import InvalidInput, StateConflict
from core.locks import DEADLOCK
from core.models import AccountSession
from core.queries import ids_of_any
from documents.models import Document, SubjectKind, kinds_about
from documents.services.requesting import renew_documents
from exchange.models import Export, Import, ReceivedPassport
from home.models import Device, Dismissal, Letter, Notice, Preferences
from pictures.models import Picture
from pictures.services.files import forget_pictures
from pictures.subjects import PictureKind
from rulebook.ruleset import Problem
from warbands.models import Fighter
from warbands.services.account_deletion import leave_warbands, never_played, warbands_of

MAX_KEPT_NAME = 80
"""The maximum length of a name that history keeps."""
"""In characters."""


class KeptForHistory(StrEnum):
    """The name that the history of clubs keeps for a former member."""

    PRESENT = "present"
    OTHER = "other"
    NONE = "none"


class Labelled(Struct, frozen=True):
    """An item of a preview: its id and its name."""

    id: UUID
    name: str


class LeavingPreview(Struct, frozen=True):
    """The effects if the account were deleted now."""

    username: str
    problems: tuple[Problem, ...]
    """Problems that prevent it, each with a solution."""
    clubs: tuple[ClubLeft, ...]
    handed_over: tuple[WarbandLeft, ...]
    """Warbands in running campaigns, which an organiser takes over."""
    archived: tuple[Labelled, ...]
    """Warbands that have played: they are archived under the name that history keeps."""
    hidden: tuple[Labelled, ...]
    """Warbands that have never played: nobody sees them after that."""
    given_up: tuple[Labelled, ...]
    """Open battles outside campaigns, which nobody could settle after that: they become void."""


def preview_leaving(user: User) -> LeavingPreview:
    """Return what would happen to everything that a user has, without any changes.

    Makes a fixed number of queries.
    """
    clubs = clubs_left(user)
    handed_over = warbands_left(user, clubs)
    playing = Enrolment.objects.current().filter(warband__in=warbands_of(user)).values("warband")
    others = warbands_of(user).exclude(pk__in=playing).order_by("name", "pk")
    alone = set(never_played(user).values_list("pk", flat=True))
    names = [Labelled(key, name) for key, name in others.values_list("pk", "name")]
    return LeavingPreview(
        username=user.get_username(),
        problems=tuple(
            problem for refusal in _refusals(user, clubs) for problem in refusal.problems
        ),
        clubs=clubs,
        handed_over=handed_over,
        archived=tuple(named for named in names if named.id not in alone),
        hidden=tuple(named for named in names if named.id in alone),
        given_up=tuple(Labelled(battle.pk, name_of(battle)) for battle in unsettled_one_offs(user)),
    )


def delete_account(*, user: User, kept: KeptForHistory, name: str = "") -> None:
    """Delete an account permanently.

    ``kept`` decides which name history keeps; with ``OTHER`` it is ``name``.

    Raises InvalidInput (`last-organiser`, `last-superuser`, `name-taken`, or a code for an invalid
    text). Raises StateConflict (`account-gone`) if the account is already deleted, and
    (`account-in-use`) if another transaction is writing to it.
    """
    try:
        with transaction.atomic():
            _delete(user, kept, name)
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", "") != DEADLOCK:
            raise
        sentence = gettext("This account is being changed at the moment. Try again.")
        raise StateConflict("account-in-use", sentence) from error


def _delete(user: User, kept: KeptForHistory, name: str) -> None:
    # One deletion at a time. Transactions that only refer to the row, such as those that log an
    # event, do not have to wait.
    account = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if has_left(account):
        raise StateConflict("account-gone", gettext("This account was already deleted."))
    called = _cleaned_name(account, kept, name)
    for refusal in _refusals(account, ()):
        raise refusal
    shown = _documents_with(account)
    give_up_battles(user=account)
    keepers = {
        warband.id: warband.keeper
        for warband in leave_clubs(user=account, name=_seat_name(kept, called))
    }
    alone = list(never_played(account).values_list("pk", flat=True))
    leave_warbands(user=account, keepers=keepers)
    _forget_files(alone)
    # Before the addresses and the language are deleted.
    notify_account(user=account, template="account/email/account_deleted")
    _forget(account)
    if kept != KeptForHistory.PRESENT:
        renew_documents(Document.objects.filter(pk__in=shown))
    _empty(account, called)


def _refusals(user: User, clubs: tuple[ClubLeft, ...]) -> Iterator[InvalidInput]:
    """Yield the errors that prevent deleting an account."""
    try:
        expect_organisers(clubs)
    except InvalidInput as refused:
        yield refused
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        sentence = gettext("You are the only superuser of this site. Create another one first.")
        yield InvalidInput(
            "last-superuser", sentence, problems=[Problem("last-superuser", sentence)]
        )


def _cleaned_name(user: User, kept: KeptForHistory, name: str) -> str:
    """Return the name for the remaining row. Raises InvalidInput."""
    if kept != KeptForHistory.OTHER:
        return user.get_username() if kept == KeptForHistory.PRESENT else ""
    cleaned = clean_text("name", " ".join(name.split()), most=MAX_KEPT_NAME, least=1)
    taken = User.objects.filter(username__iexact=account_name(cleaned)).exclude(pk=user.pk).exists()
    if taken or is_name_kept(cleaned):
        sentence = gettext("“%(name)s” is already taken. Choose another name.")
        raise field_error("name", "name-taken", sentence % {"name": cleaned}, cleaned)
    return cleaned


def _seat_name(kept: KeptForHistory, called: str) -> str | None:
    """Return the new name of the user's club members, or None to keep their names."""
    if kept == KeptForHistory.PRESENT:
        return None
    return called or gettext("Former member")


def _documents_with(user: User) -> list[UUID]:
    """Return the documents that may show the user's name. Call this before anything is deleted.

    They are about warbands, fighters, battles, campaigns and club nights.
    """
    enrolments = Enrolment.objects.filter(player__user=user)
    warbands = ids_of_any(warbands_of(user), enrolments.values("warband"))
    battles = ids_of_any(
        Battle.objects.filter(sides__warband__in=warbands),
        Battle.objects.filter(sides__decided_by=user),
        Battle.objects.filter(created_by=user),
        Battle.objects.filter(submitted_by=user),
        Battle.objects.filter(sides__substitute__user=user),
    )
    campaigns = ids_of_any(
        Enrolment.objects.filter(warband__in=warbands).values("campaign"),
        JournalEntry.objects.filter(author__user=user).values("campaign"),
    )
    shown = {
        SubjectKind.WARBAND: warbands,
        SubjectKind.FIGHTER: Fighter.objects.filter(warband__in=warbands).values("pk"),
        SubjectKind.BATTLE: battles,
        SubjectKind.CAMPAIGN: campaigns,
        SubjectKind.EVENING: Evening.objects.filter(club__in=clubs_of(user)).values("pk"),
    }
    of_each = (
        Document.objects.filter(kind__in=kinds_about(about), subject__in=rows)
        for about, rows in shown.items()
    )
    return list(Document.objects.filter(pk__in=ids_of_any(*of_each)).values_list("pk", flat=True))


def _forget_files(warbands: list[UUID]) -> None:
    """Delete pictures and documents of warbands that nobody may see any more.

    Files are deleted after the commit, or later by a sweep.
    """
    fighters = Fighter.objects.filter(warband__in=warbands).values("pk")
    forget_pictures(
        Picture.objects.filter(
            Q(kind=PictureKind.WARBAND, subject__in=warbands)
            | Q(kind=PictureKind.FIGHTER, subject__in=fighters)
        )
    )
    Document.objects.filter(
        Q(kind__in=kinds_about(SubjectKind.WARBAND), subject__in=warbands)
        | Q(kind__in=kinds_about(SubjectKind.FIGHTER), subject__in=fighters)
    ).delete()


def _forget(user: User) -> None:
    """Delete everything that belongs only to the account."""
    for model in (
        EmailAddress,
        Authenticator,
        SocialAccount,
        AuthToken,
        Notice,
        Letter,
        Device,
        Dismissal,
        Preferences,
    ):
        model.objects.filter(user=user).delete()
    for errand in (Export, Import):
        # The sweep deletes their files, because no row refers to them any more.
        errand.objects.filter(asked_by=user).delete()
    ReceivedPassport.objects.filter(user=user, warband__isnull=True).delete()
    Document.objects.filter(asked_by=user).update(asked_by=None)
    own_log = Q(user=user) | Q(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    )
    LogEntry.objects.filter(own_log).delete()
    AccountSession.objects.filter(account=user).delete()


def _empty(user: User, called: str) -> None:
    """Empty the row except for the name that history keeps."""
    user.username, user.first_name, user.last_name, user.email = (
        username_of_nobody(),
        called,
        "",
        "",
    )
    user.is_active = user.is_staff = user.is_superuser = False
    user.date_joined, user.last_login = timezone.now(), None
    user.set_unusable_password()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
