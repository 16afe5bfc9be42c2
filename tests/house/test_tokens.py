"""Tokens: got with a password, used in a header, ended by time or by hand."""

from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils.timezone import now
from knox.models import AuthToken
from rest_framework.test import APIClient

from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def sign_in(**facts: str) -> dict:
    answer = APIClient().post("/api/v1/tokens/", facts)
    assert answer.status_code == 201, answer.json()
    return answer.json()


def using(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


@pytest.mark.parametrize("name", ["alice", "alice@example.org"])
def test_a_token_is_got_with_the_name_or_the_address(alice, name):
    token = sign_in(username=name, password=PASSWORD)["token"]
    assert using(token).get("/api/v1/me/").json()["username"] == "alice"


def test_only_a_hash_of_the_token_is_kept(alice):
    token = sign_in(username="alice", password=PASSWORD)["token"]
    assert token not in str(AuthToken.objects.values().get())


def test_a_wrong_password_gets_no_token(alice, anonymous):
    answer = anonymous.post("/api/v1/tokens/", {"username": "alice", "password": "a guess"})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "wrong_credentials"
    assert "a guess" not in answer.content.decode()


def test_nobody_and_a_wrong_password_sound_the_same(alice, anonymous):
    wrong, nobody = (
        anonymous.post("/api/v1/tokens/", {"username": name, "password": "a guess"}).json()["errors"]
        for name in ("alice", "nobody")
    )
    assert wrong == nobody


def test_somebody_who_has_left_gets_no_token(alice, anonymous):
    alice.is_active = False
    alice.save(update_fields=["is_active"])
    assert anonymous.post("/api/v1/tokens/", {"username": "alice", "password": PASSWORD}).status_code == 400


def test_a_token_ends_when_its_time_is_over(alice):
    token = sign_in(username="alice", password=PASSWORD)["token"]
    AuthToken.objects.update(expiry=now() - timedelta(seconds=1))
    assert using(token).get("/api/v1/me/").status_code == 401


def test_a_token_lasts_as_long_as_the_settings_say(alice):
    expires = sign_in(username="alice", password=PASSWORD)["expires"]
    assert expires > (now() + timedelta(days=29)).isoformat()


def test_a_token_revokes_itself_and_no_other(alice):
    first, second = (sign_in(username="alice", password=PASSWORD)["token"] for _ in range(2))
    assert using(first).delete("/api/v1/tokens/current/").status_code == 204
    assert using(first).get("/api/v1/me/").status_code == 401
    assert using(second).get("/api/v1/me/").status_code == 200


def test_all_tokens_of_ones_own_can_be_revoked_at_once(alice, bob):
    for name in ("alice", "alice", "bob"):
        last = sign_in(username=name, password=PASSWORD)["token"]
    token = sign_in(username="alice", password=PASSWORD)["token"]
    assert using(token).delete("/api/v1/tokens/all/").status_code == 204
    assert [row.user for row in AuthToken.objects.all()] == [bob]
    assert using(last).get("/api/v1/me/").status_code == 200


def test_who_uses_no_token_cannot_revoke_the_current_one(as_alice):
    answer = as_alice.delete("/api/v1/tokens/current/")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "no_token"


def test_strangers_revoke_nothing(anonymous):
    assert anonymous.delete("/api/v1/tokens/all/").status_code == 401


def test_a_stale_token_does_not_stop_anybody_from_getting_a_new_one(alice):
    answer = using("stale").post("/api/v1/tokens/", {"username": "alice", "password": PASSWORD})
    assert answer.status_code == 201


def test_an_account_with_a_second_factor_needs_it_for_a_token_as_well(alice, anonymous):
    TOTP.activate(alice, generate_totp_secret())
    codes = RecoveryCodes.activate(alice).get_unused_codes()
    facts = {"username": "alice", "password": PASSWORD}
    assert anonymous.post("/api/v1/tokens/", facts).json()["errors"][0]["code"] == "code_required"
    assert anonymous.post("/api/v1/tokens/", facts | {"code": "000"}).json()["errors"][0]["code"] == "wrong_code"
    assert sign_in(**facts, code=codes[0])["token"]
    assert anonymous.post("/api/v1/tokens/", facts | {"code": codes[0]}).json()["errors"][0]["code"] == "wrong_code"


@pytest.mark.parametrize("sent", [{}, {"username": "alice"}, {"username": ["a"], "password": {}}, []])
def test_nonsense_is_answered_with_a_problem(alice, anonymous, sent):
    answer = anonymous.post("/api/v1/tokens/", sent)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"


GUESSES = 5
"""Wrong passwords, or wrong codes, of one account in five minutes."""


def elsewhere(number: int) -> dict[str, str]:
    """The address of another machine each time: whoever guesses has many."""
    return {"REMOTE_ADDR": f"192.0.2.{number}"}


def test_the_lock_on_guessing_passwords_of_an_account_counts_for_api_and_login_page(alice, anonymous, client):
    for number in range(GUESSES):
        if number % 2:
            client.post("/accounts/login/", {"login": "Alice", "password": "a guess"}, **elsewhere(number))
        else:
            sent = {"username": "alice", "password": "a guess"}
            answer = anonymous.post("/api/v1/tokens/", sent, HTTP_HOST=f"testserver:{number + 1}", **elsewhere(number))
            assert answer.status_code == 400
    answer = anonymous.post("/api/v1/tokens/", {"username": "alice", "password": PASSWORD}, **elsewhere(100))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "too_many_guesses", "300")
    page = client.post("/accounts/login/", {"login": "alice", "password": PASSWORD}, **elsewhere(101))
    assert "Too many failed login attempts" in page.content.decode()
    assert "_auth_user_id" not in client.session


def test_guessing_second_factors_is_locked_for_api_and_login_page(alice, anonymous, client):
    TOTP.activate(alice, generate_totp_secret())
    codes = RecoveryCodes.activate(alice).get_unused_codes()
    facts = {"username": "alice", "password": PASSWORD}
    for number in range(GUESSES):
        answer = anonymous.post("/api/v1/tokens/", facts | {"code": "000000"}, **elsewhere(number))
        assert answer.json()["errors"][0]["code"] == "wrong_code"
    answer = anonymous.post("/api/v1/tokens/", facts | {"code": codes[0]}, **elsewhere(100))
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_guesses")
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD}, **elsewhere(101))
    client.post("/accounts/2fa/authenticate/", {"code": codes[0]}, **elsewhere(102))
    assert "_auth_user_id" not in client.session


def test_the_right_password_is_no_guess_however_often_it_is_used(alice):
    for _ in range(2 * GUESSES):
        sign_in(username="alice", password=PASSWORD)


def test_the_admin_site_has_no_door_of_its_own_where_nobody_counts(client):
    assert client.get("/admin/login/").status_code == 302
    assert client.post("/admin/login/", {"username": "alice", "password": "a guess"}).url.startswith("/accounts/login/")
