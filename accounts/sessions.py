"""Sessions in a table with their account. Django's own sessions do not store it, so finding an
account's sessions would mean decoding all of them."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from core.models import AccountSession


class SessionStore(db.SessionStore):
    """Django's session store (``SESSION_ENGINE``) with the account of each session."""

    @classmethod
    def get_model_class(cls) -> type[AccountSession]:
        """Return the model of sessions."""
        return AccountSession

    def create_model_instance(self, data: dict[str, Any]) -> AccountSession:
        """Return the row of a session, with the account that is signed in."""
        session: Any = super().create_model_instance(data)
        session.account_id = data.get(SESSION_KEY)
        row: AccountSession = session
        return row
