"""Users and the visibility of rows."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

User = AbstractBaseUser | AnonymousUser


class Visibility(models.TextChoices):
    """The people who can view a row: those concerned, anyone with the link, or everyone."""

    PRIVATE = "private", gettext_lazy("Private: the owner, and the clubs where it plays")
    UNLISTED = "unlisted", gettext_lazy("Unlisted: anyone with the link")
    PUBLIC = "public", gettext_lazy("Public: everyone")


OPEN_TO_ALL = Q(visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
"""Rows that strangers may view. They are few, and an index on them keeps lists from reading all
rows."""
