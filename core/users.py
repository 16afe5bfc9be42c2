"""Users and the visibility of rows."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from core.errors import Forbidden

User = AbstractBaseUser | AnonymousUser


class Visibility(models.TextChoices):
    """The people who can view a row: those concerned, anyone with the link, or everyone."""

    PRIVATE = "private", gettext_lazy("Private: the owner, and the clubs where it plays")
    UNLISTED = "unlisted", gettext_lazy("Unlisted: anyone with the link")
    PUBLIC = "public", gettext_lazy("Public: everyone")


OPEN_TO_ALL = Q(visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
"""Rows that strangers may view. They are few, and an index on them keeps lists from reading all
rows."""


def expect_person(user: AbstractBaseUser) -> None:
    """Check that the user is not the bot of a club, which acts only inside that club.

    Raises Forbidden "people-only".
    """
    # Bots have no password: for most people this costs no query. `clubs.ClubBot` lies above.
    if not user.has_usable_password() and hasattr(user, "club_bot"):
        raise Forbidden(
            "people-only",
            gettext("A club's bot acts only in its club. Use your own account for this."),
        )
