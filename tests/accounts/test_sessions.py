"""The account of a session is read with it, and every check of Django still holds."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.sessions import SessionStore, account_of
from core.models import AccountSession
from tests.conftest import browser_of

pytestmark = pytest.mark.django_db
PAGE = "/rulesets/"


@pytest.fixture
def browser(bob: User) -> Client:
    client = browser_of(bob)
    assert client.get(PAGE).context["user"] == bob
    return client


def stored(client: Client) -> SessionStore:
    session = SessionStore(client.session.session_key)
    session.load()
    return session


def test_session_and_account_take_one_query(browser: Client, bob: User) -> None:
    with CaptureQueriesContext(connection) as seen:
        assert browser.get(PAGE).context["user"] == bob
    assert len([query for query in seen if "accountsession" in query["sql"]]) == 1
    alone = [query["sql"] for query in seen if 'FROM "auth_user"' in query["sql"]]
    # The versions of the rows of a page are no reading of the account.
    assert not [sql for sql in alone if "LIMIT 21" in sql]


def test_account_of_a_valid_session(browser: Client, bob: User) -> None:
    assert account_of(stored(browser)) == bob


def changed_password(user: User) -> None:
    user.set_password("another long password")


def deactivated(user: User) -> None:
    user.is_active = False


@pytest.mark.parametrize("change", [changed_password, deactivated])
def test_changed_account_is_signed_out(
    browser: Client, bob: User, change: Callable[[User], None]
) -> None:
    change(bob)
    bob.save()
    assert account_of(stored(browser)) is None
    assert browser.get(PAGE).context["user"].is_anonymous


def test_deleted_account_is_signed_out(browser: Client, bob: User) -> None:
    session = AccountSession.objects.get(account=bob)
    User.objects.filter(pk=bob.pk)._raw_delete(using="default")
    assert AccountSession.objects.filter(pk=session.pk).exists()
    assert browser.get(PAGE).context["user"].is_anonymous


def test_unknown_session_is_nobodys(client: Client) -> None:
    client.cookies["sessionid"] = "a" * 32
    assert client.get(PAGE).context["user"].is_anonymous


def test_session_of_an_earlier_secret_key_is_renewed(browser: Client, settings, bob: User) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key of fifty letters, and some more"
    # The data of the session is signed as well, and Django reads it with the earlier key.
    assert browser.get(PAGE).context["user"] == bob


@pytest.mark.parametrize("key", ["_auth_user_id", "_auth_user_backend", "_auth_user_hash"])
def test_session_without_its_marks_has_no_account(browser: Client, key: str) -> None:
    session = stored(browser)
    session[key] = "other"
    assert account_of(session) is None
