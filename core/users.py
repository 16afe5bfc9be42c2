"""Who asks, and who may look: users, and the visibility of rows."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

User = AbstractBaseUser | AnonymousUser


class Visibility(models.TextChoices):
    """Who may look: those concerned, whoever has the link, or everybody."""

    PRIVATE = "private", gettext_lazy("Private: the owner and the clubs it plays in")
    UNLISTED = "unlisted", gettext_lazy("Unlisted: whoever has the link")
    PUBLIC = "public", gettext_lazy("Public: everybody")


OPEN_TO_ALL = Q(visibility__in=(Visibility.PUBLIC, Visibility.UNLISTED))
"""What strangers may see. Few rows are, and an index of those alone keeps lists from reading
all."""
