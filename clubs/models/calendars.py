"""The secret addresses by which calendars fetch what their owners may see."""

from django.conf import settings
from django.db import models

from core.secret_links import CALENDARS, opened_secret


class CalendarLink(models.Model):
    """Somebody's secret calendar address. Made anew or revoked, the old one leads nowhere."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="calendar_link"
    )
    digest = models.CharField(max_length=64, unique=True)
    """SHA-256 of the secret, by which the link is known again."""
    sealed = models.BinaryField(editable=False)
    """The secret under the installation's key, to be shown to its owner again."""
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"calendar of {self.user}"

    @property
    def secret(self) -> str:
        """Its secret, for its owner's eyes; "" if the site has another key by now."""
        return opened_secret(self.sealed, CALENDARS)
