"""Tables of the house itself."""

from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.module_loading import import_string


class SentRequest(models.Model):
    """Something that was sent with a key, and how it was answered: sent again, it gets that answer.

    ``path`` is where it was sent to, ``digest`` tells what was sent, ``answer`` is locked under the installation's key.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    path = models.CharField(max_length=300)
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    answer = models.BinaryField(default=b"")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=("user", "path", "key"), name="request_answered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.path} {self.key}"


class AccountSession(AbstractBaseSession):
    """A session, and the account that is signed in with it; None for a visitor (``config.sessions``)."""

    # Without a constraint: a request may save its session after somebody has deleted the account.
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, db_constraint=False, related_name="+"
    )

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The store that reads and writes these rows."""
        return import_string(f"{settings.SESSION_ENGINE}.SessionStore")
