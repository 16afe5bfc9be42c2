"""The account pages say Muster's words, in place of those of the libraries."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def shown(client: Client, where: str) -> str:
    return " ".join(client.get(f"/accounts/{where}/").content.decode().split())


@pytest.mark.parametrize(
    ("where", "english", "german", "not_english"),
    [
        ("signup", "Repeat password", "Passwort wiederholen", "(again)"),
        ("password/reset", "Send link", "Link senden", "Reset My Password"),
        ("email", "Make main address", "Als Hauptadresse festlegen", "Make Primary"),
        ("password/change", "Repeat new password", "Neues Passwort wiederholen", "(again)"),
        ("2fa", "No authenticator app.", "Keine Authenticator-App.", "is not active"),
    ],
)
def test_account_page_says_plain_words(
    bob: User, where: str, english: str, german: str, not_english: str
) -> None:
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    for language, words in (("en", english), ("de", german)):
        client = Client(headers={"accept-language": language})
        if where in ("email", "password/change", "2fa"):
            client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
            client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        page = shown(client, where)
        assert words in page and not_english not in page


def test_wrong_password_says_so_in_plain_words(bob: User) -> None:
    wrong = {"login": "bob", "password": "wrong"}
    page = Client().post("/accounts/login/", wrong).content.decode()
    assert "Wrong user name or password." in page


def test_page_after_a_password_reset_leads_to_sign_in() -> None:
    page = shown(Client(), "password/reset/key/done")
    assert "Password changed" in page and 'class="button" href="/accounts/login/"' in page
