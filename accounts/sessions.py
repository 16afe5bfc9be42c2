"""Sessions in a table that says whose they are: Django's own would have to be opened one by one to
find somebody's."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from core.models import AccountSession


class SessionStore(db.SessionStore):
    """Django's store (``SESSION_ENGINE``), with the account beside each session."""

    @classmethod
    def get_model_class(cls) -> type[AccountSession]:
        """The table."""
        return AccountSession

    def create_model_instance(self, data: dict[str, Any]) -> AccountSession:
        """The row of a session, which names who is signed in."""
        session: Any = super().create_model_instance(data)
        session.account_id = data.get(SESSION_KEY)
        row: AccountSession = session
        return row
