"""Letters about changes of an account go to its owner, also at the old address. None gets lost."""

import smtplib
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from accounts.services.deletion import KeptForHistory, delete_account
from home.models import AccountLetter
from home.services.account_letters import queue_lost_account_letters, send_account_letter
from home.services.letters import NotSent
from home.services.preferences import prefer
from tests.accounts.test_second_factors import code_of
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

NEW = "drum and fife 9"


@pytest.fixture
def client(bob: User) -> Client:
    """Return Bob's browser, which has just signed in."""
    EmailAddress.objects.create(user=bob, email=bob.email, verified=True, primary=True)
    client = Client()
    assert (
        client.post("/accounts/login/", {"login": "bob", "password": PASSWORD}).status_code == 302
    )
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def letters() -> dict[str, list[AccountLetter]]:
    """Return the letters that wait to be sent, by subject."""
    by_subject: dict[str, list[AccountLetter]] = {}
    for letter in AccountLetter.objects.order_by("address"):
        by_subject.setdefault(letter.subject.removeprefix("Muster: "), []).append(letter)
    return by_subject


def the_letter(subject: str) -> AccountLetter:
    (letter,) = letters()[subject]
    return letter


def test_changed_password_sends_letter(client: Client, bob: User, settings: Any) -> None:
    settings.SITE_URL = "https://muster.example.org"
    words = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert (
        client.post(
            "/accounts/password/change/", words, headers={"User-Agent": "Firefox"}
        ).status_code
        == 302
    )
    letter = the_letter("your password was changed")
    assert letter.address == bob.email
    assert letter.body.startswith("Hello bob,\n\nThe password of your account was changed.\n")
    for text in (
        "If this was not you:",
        "https://muster.example.org/accounts/password/reset/",
        "Firefox",
        "127.0.0.1",
    ):
        assert text in letter.body
    assert letter.body.endswith(
        "\nMuster, your club's campaign manager: https://muster.example.org\n"
    )
    assert "testserver" not in letter.body and "localhost" not in letter.body
    assert PASSWORD not in letter.body and NEW not in letter.body


def test_reset_password_sends_letter(client: Client, bob: User) -> None:
    Client().post("/accounts/password/reset/", {"email": bob.email})
    (reset,) = mail.outbox
    assert reset.subject == "Muster: reset your password"
    assert "[" not in reset.subject and reset.body.rstrip().endswith(
        "club's campaign manager: http://127.0.0.1:8000"
    )
    address = next(word for word in reset.body.split() if "/reset/key/" in word)
    fresh = Client()
    form = fresh.get(address.removeprefix("http://testserver"))
    assert fresh.post(form["Location"], {"password1": NEW, "password2": NEW}).status_code == 302
    assert the_letter("your password was reset").address == bob.email


def test_added_address_is_told_to_the_old_one(client: Client, bob: User) -> None:
    client.post("/accounts/email/", {"action_add": "", "email": "bob@elsewhere.org"})
    assert EmailAddress.objects.filter(email="bob@elsewhere.org").exists()
    letter = the_letter("an e-mail address was added")
    assert letter.address == bob.email and "bob@elsewhere.org" in letter.body


def test_changed_and_removed_address_are_told_to_the_old_one(client: Client, bob: User) -> None:
    EmailAddress.objects.create(user=bob, email="bob@elsewhere.org", verified=True)
    client.post("/accounts/email/", {"action_primary": "", "email": "bob@elsewhere.org"})
    sent_letters = letters()["your e-mail address was changed"]
    assert [letter.address for letter in sent_letters] == sorted([bob.email, "bob@elsewhere.org"])
    assert f"from {bob.email} to bob@elsewhere.org" in sent_letters[0].body
    client.post("/accounts/email/", {"action_remove": "", "email": bob.email})
    sent_letters = letters()["an e-mail address was removed"]
    assert [letter.address for letter in sent_letters] == sorted([bob.email, "bob@elsewhere.org"])


def test_second_factor_and_codes_send_letters(
    client: Client, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200, page["Location"]
    secret = page.context["form"].secret
    with django_capture_on_commit_callbacks(execute=True):
        assert (
            client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}).status_code
            == 302
        )
    assert secret not in the_letter("two-factor authentication switched on").body
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post("/accounts/2fa/recovery-codes/generate/").status_code == 302
    codes = Authenticator.objects.get(user=bob, type="recovery_codes").wrap().get_unused_codes()
    body = the_letter("new recovery codes").body
    assert not any(code in body for code in codes)
    assert client.post("/accounts/2fa/totp/deactivate/").status_code == 302
    assert the_letter("two-factor authentication switched off").address == bob.email


def test_used_recovery_code_sends_letter(bob: User, anonymous: Any) -> None:
    TOTP.activate(bob, generate_totp_secret())
    codes = RecoveryCodes.activate(bob).get_unused_codes()
    client = Client()
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    page = client.get("/accounts/2fa/authenticate/").content.decode()
    assert "recovery code" in page
    assert client.post("/accounts/2fa/authenticate/", {"code": codes[0]}).status_code == 302
    letter = the_letter("a recovery code was used")
    assert "9 codes are left." in letter.body and codes[0] not in letter.body
    sent = {"username": "bob", "password": PASSWORD, "code": codes[1]}
    assert anonymous.post("/api/v1/tokens/", sent, format="json").status_code == 201
    assert len(letters()["a recovery code was used"]) == 2


def test_created_token_sends_letter_without_token(client: Client, anonymous: Any) -> None:
    token = client.post("/account/tokens/").context["token"]
    assert token not in the_letter("an API token was created").body
    anonymous.post("/api/v1/tokens/", {"username": "bob", "password": PASSWORD}, format="json")
    assert len(letters()["an API token was created"]) == 2


def test_deleted_account_sends_letter(client: Client, bob: User) -> None:
    address = bob.email
    delete_account(user=bob, kept=KeptForHistory.NONE)
    letter = the_letter("your account was deleted")
    assert letter.address == address and letter.body.startswith("Hello bob,")


def test_letters_speak_the_language_of_the_account(client: Client, bob: User) -> None:
    prefer(user=bob, language="de")
    client.post("/account/tokens/")
    with override("de"):
        day = date_format(timezone.localtime(), "j. F Y")
    assert day in AccountLetter.objects.get().body


def test_a_letter_is_sent_once_and_then_forgotten(client: Client, bob: User) -> None:
    client.post("/account/tokens/")
    letter = AccountLetter.objects.get()
    assert send_account_letter(letter_id=letter.pk)
    assert not send_account_letter(letter_id=letter.pk)
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == ([bob.email], "Muster: an API token was created")
    assert not AccountLetter.objects.exists()


def test_a_letter_of_a_dead_worker_is_sent_by_another(client: Client) -> None:
    client.post("/account/tokens/")
    letter = AccountLetter.objects.get()
    AccountLetter.objects.update(claimed_at=timezone.now())
    assert not send_account_letter(letter_id=letter.pk)
    assert queue_lost_account_letters() == 0
    AccountLetter.objects.update(claimed_at=timezone.now() - timedelta(minutes=6))
    assert queue_lost_account_letters() == 1
    assert send_account_letter(letter_id=letter.pk)


@pytest.mark.parametrize(
    ("answer", "stays"),
    [
        (smtplib.SMTPResponseException(451, b"later"), True),
        (OSError(), True),
        (smtplib.SMTPResponseException(550, b"never"), False),
    ],
)
def test_a_server_that_is_away_is_asked_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, answer: Exception, stays: bool
) -> None:
    client.post("/account/tokens/")
    letter = AccountLetter.objects.get()

    def refuse(*args: Any, **named: Any) -> None:
        raise answer

    monkeypatch.setattr("home.services.account_letters.EmailMessage.send", refuse)
    if stays:
        with pytest.raises(NotSent):
            send_account_letter(letter_id=letter.pk)
        assert AccountLetter.objects.get().claimed_at is None
    else:
        assert not send_account_letter(letter_id=letter.pk)
        assert not AccountLetter.objects.exists()
