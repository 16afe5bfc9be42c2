"""Whose sessions are whose: Django's table does not say, each has to be opened."""

from collections.abc import Iterator

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone


def sessions_of(user: User) -> Iterator[Session]:
    """The sessions of somebody that are still open. One query, read piece by piece."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator(1000):
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            yield session
