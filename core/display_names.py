"""The display names of accounts: who logged, who confirmed, whose warband it is.

A deleted account leaves a row that nobody can sign in with, because the history of clubs refers to
it (docs/decisions/campaigns.md). Its user name is one that nobody can choose. Its first name is the
name that its owner chose to be shown by after leaving, or empty.
"""

import unicodedata
import uuid

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext

from core.search_text import same_name

GONE = "~"
"""The prefix of the user names of deleted accounts. No name at sign-up may contain it."""


def display_name(user: User | None) -> str:
    """Return the name that pages, prints and the API show, or "" for None. No query."""
    if user is None:
        return ""
    if has_left(user):
        return user.first_name or gettext("a former member")
    return user.get_username()


def longer_name(user: User) -> str:
    """Return the first and last name of an account if it has them, else ``display_name``.

    Makes no query.
    """
    return display_name(user) if has_left(user) else user.get_full_name() or user.get_username()


def has_left(user: User) -> bool:
    """Return whether the account was deleted and only its row is left."""
    return user.get_username().startswith(GONE)


def is_placeholder(user: User) -> bool:
    """Return whether the account only represents a person named in an imported archive.

    Nobody can sign in with it. Makes a query unless the account was loaded with its
    ``archived_person``, a relation that the app ``exchange`` adds.
    """
    archived = getattr(user, "archived_person", None)
    return archived is not None and archived.placeholder


def former_accounts() -> QuerySet[User]:
    """Return the rows of deleted accounts."""
    return User.objects.filter(username__startswith=GONE)


def username_of_nobody() -> str:
    """Return a unique user name that reveals nothing and that nobody can choose."""
    return f"{GONE}{uuid.uuid4().hex}"


def account_name(name: str) -> str:
    """Return a typed user name as accounts store it: stripped and, as in Django's forms, NFKC."""
    return unicodedata.normalize("NFKC", name).strip()


def is_name_kept(name: str) -> bool:
    """Return whether the history still uses this name for a former member. One query.

    No other account may take such a name.
    """
    names = former_accounts().exclude(first_name="").values_list("first_name", flat=True)
    return any(same_name(name, other) for other in names)
