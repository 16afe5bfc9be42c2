"""Sessions in a table with their account. Django's own sessions do not store it, so finding an
account's sessions would mean decoding all of them.

The account and its preferences are read together with the session, in one query.
"""

from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from core.compiled_queries import CompiledQuery
from core.models import AccountSession
from core.replica import PRIMARY


class SessionStore(db.SessionStore):
    """Django's session store (``SESSION_ENGINE``) with the account of each session."""

    account: User | None = None
    """The account that was read with the session."""

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

    def load(self) -> dict[str, Any]:
        """Return the data of the session, and keep its account."""
        key = self.session_key
        row = SESSIONS.first(key) if key else None
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return {}
        self.account = row.account
        data: dict[str, Any] = self.decode(row.session_data)
        return data


SESSIONS: CompiledQuery[AccountSession] = CompiledQuery(
    lambda key, _: AccountSession.objects.filter(session_key=str(key)).select_related(
        "account__inbox_preferences"
    ),
    database=PRIMARY,
    plan_once=True,
)


class SessionAccounts(AuthenticationMiddleware):
    """Django's middleware for ``request.user``, with the account that was read with the session."""

    def process_request(self, request: HttpRequest) -> None:
        """Add ``request.user``, which is read when it is needed."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _user_of(request))  # type: ignore[assignment]


def _user_of(request: Any) -> Any:
    if not hasattr(request, "_cached_user"):
        request._cached_user = account_of(request.session) or auth.get_user(request)
    return request._cached_user


def account_of(session: SessionStore) -> User | None:
    """Return the account of a session, or None if Django has to look at the session.

    It makes the checks of ``django.contrib.auth.get_user``. It also ends sessions whose account
    has another password by now, and renews those of an earlier secret key.
    """
    user_id = session.get(SESSION_KEY)
    account = session.account
    is_valid = (
        account is not None
        and account.is_active
        and str(account.pk) == user_id
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(
            session.get(HASH_SESSION_KEY, ""), account.get_session_auth_hash()
        )
    )
    return account if is_valid else None
