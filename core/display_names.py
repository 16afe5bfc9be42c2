"""What people are called where an account stands behind something: who logged, who confirmed, whose
warband it is.

An account that was deleted leaves a row behind that nobody can sign into, since the history of
clubs refers to it (docs/decisions/leaving.md). Such a row has a user name that nobody can choose,
and in the place of the first name what its owner wanted to be called from then on: nothing, or a
name.
"""

import unicodedata
import uuid

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext

from core.search_text import same_name

GONE = "~"
"""How the user names of deleted accounts begin: no name that somebody signs up with may hold it."""


def display_name(user: User | None) -> str:
    """What pages, prints and the API call an account; "" for none. No query."""
    if user is None:
        return ""
    if has_left(user):
        return user.first_name or gettext("a former member")
    return user.get_username()


def longer_name(user: User) -> str:
    """As ``display_name``, and the first and last name where somebody has given them. No query."""
    return display_name(user) if has_left(user) else user.get_full_name() or user.get_username()


def has_left(user: User) -> bool:
    """Whether the account was deleted, and only its row is left."""
    return user.get_username().startswith(GONE)


def is_placeholder(user: User) -> bool:
    """Return whether the account only stands for somebody whom an imported archive names: nobody
    can sign in as it.

    Queries unless the account was loaded with its ``archived_person``, which the app ``exchange``
    adds to it.
    """
    archived = getattr(user, "archived_person", None)
    return archived is not None and archived.placeholder


def former_accounts() -> QuerySet[User]:
    """What is left of deleted accounts."""
    return User.objects.filter(username__startswith=GONE)


def username_of_nobody() -> str:
    """A user name that says nothing, and that nobody else has or can take."""
    return f"{GONE}{uuid.uuid4().hex}"


def account_name(name: str) -> str:
    """A typed user name as accounts bear it: in NFKC, as Django's own forms have it, without white
    space around it."""
    return unicodedata.normalize("NFKC", name).strip()


def is_name_kept(name: str) -> bool:
    """Whether the history still calls somebody by this name who has left: then nobody else may take
    it. One query."""
    names = former_accounts().exclude(first_name="").values_list("first_name", flat=True)
    return any(same_name(name, other) for other in names)
