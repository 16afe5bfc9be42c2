"""Tokens: got with a password, used in a header, ended by time or by hand."""

import threading
from datetime import timedelta

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.utils.timezone import now
from knox.models import AuthToken
from rest_framework.test import APIClient

from accounts.throttle import count_guess, guess_keys
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def sign_in(**facts: str | int) -> dict:
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
        anonymous.post("/api/v1/tokens/", {"username": name, "password": "a guess"}).json()[
            "errors"
        ]
        for name in ("alice", "nobody")
    )
    assert wrong == nobody


def test_somebody_who_has_left_gets_no_token(alice, anonymous):
    alice.is_active = False
    alice.save(update_fields=["is_active"])
    assert (
        anonymous.post("/api/v1/tokens/", {"username": "alice", "password": PASSWORD}).status_code
        == 400
    )


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
    assert (
        anonymous.post("/api/v1/tokens/", facts | {"code": "000"}).json()["errors"][0]["code"]
        == "wrong_code"
    )
    assert sign_in(**facts, code=codes[0])["token"]
    assert (
        anonymous.post("/api/v1/tokens/", facts | {"code": codes[0]}).json()["errors"][0]["code"]
        == "wrong_code"
    )


@pytest.mark.parametrize(
    "sent", [{}, {"username": "alice"}, {"username": ["a"], "password": {}}, []]
)
def test_nonsense_is_answered_with_a_problem(alice, anonymous, sent):
    answer = anonymous.post("/api/v1/tokens/", sent)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"


GUESSES = 5
"""Wrong passwords, or wrong codes, of one account in five minutes."""


def elsewhere(number: int) -> dict[str, str]:
    """Return the address of another machine for each number, as attackers have many."""
    return {"REMOTE_ADDR": f"192.0.2.{number}"}


def test_the_lock_on_guessing_passwords_of_an_account_counts_for_api_and_login_page(
    alice, anonymous, client
):
    for number in range(GUESSES):
        if number % 2:
            client.post(
                "/accounts/login/", {"login": "Alice", "password": "a guess"}, **elsewhere(number)
            )
        else:
            sent = {"username": "alice", "password": "a guess"}
            answer = anonymous.post(
                "/api/v1/tokens/", sent, HTTP_HOST=f"testserver:{number + 1}", **elsewhere(number)
            )
            assert answer.status_code == 400
    answer = anonymous.post(
        "/api/v1/tokens/", {"username": "alice", "password": PASSWORD}, **elsewhere(100)
    )
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (
        429,
        "too_many_guesses",
        "300",
    )
    page = client.post(
        "/accounts/login/", {"login": "alice", "password": PASSWORD}, **elsewhere(101)
    )
    assert "Too many failed sign-ins" in page.content.decode()
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "guessed", ["alice@example.org", "ALICE@example.org", "alice ", "Alice", "\uff41lice"]
)
def test_name_and_address_of_an_account_are_counted_together(alice, anonymous, client, guessed):
    for number in range(GUESSES):
        login = ("alice", guessed)[number % 2]
        client.post(
            "/accounts/login/", {"login": login, "password": "a guess"}, **elsewhere(number)
        )
    for login in ("alice", "alice@example.org"):
        answer = anonymous.post(
            "/api/v1/tokens/", {"username": login, "password": PASSWORD}, **elsewhere(100)
        )
        assert answer.json()["code"] == "too_many_guesses"
        client.post("/accounts/login/", {"login": login, "password": PASSWORD}, **elsewhere(101))
        assert "_auth_user_id" not in client.session


def test_guesses_by_a_shared_address_count_for_each_account(alice, bob, anonymous):
    bob.email = alice.email
    bob.save()
    for number in range(GUESSES):
        anonymous.post(
            "/api/v1/tokens/", {"username": alice.email, "password": "a guess"}, **elsewhere(number)
        )
    for name in ("alice", "bob"):
        answer = anonymous.post(
            "/api/v1/tokens/", {"username": name, "password": PASSWORD}, **elsewhere(100)
        )
        assert answer.json()["code"] == "too_many_guesses"


def test_guesses_for_nobody_are_counted_too(db, anonymous):
    sent = {"username": "nobody@example.org", "password": "a guess"}
    codes = [
        anonymous.post("/api/v1/tokens/", sent, **elsewhere(number)).json()["code"]
        for number in range(6)
    ]
    assert codes == ["invalid"] * GUESSES + ["too_many_guesses"]


def test_every_place_that_takes_a_password_counts_for_the_same_account(
    alice, anonymous, client, as_alice
):
    client.force_login(alice)
    wrong = {
        "oldpassword": "a guess",
        "password1": "another long one",
        "password2": "another long one",
    }
    client.post("/accounts/password/change/", wrong)
    client.post("/accounts/reauthenticate/", {"password": "a guess"})
    as_alice.delete("/api/v1/me/", {"kept": "none", "password": "a guess"})
    anonymous.post("/api/v1/tokens/", {"username": "alice", "password": "a guess"})
    client.post("/accounts/password/change/", wrong)
    page = client.post("/accounts/password/change/", wrong | {"oldpassword": PASSWORD})
    assert "Too many failed sign-ins" in page.content.decode()
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_password_reset_forgets_the_guesses(alice, anonymous, client):
    for number in range(GUESSES):
        anonymous.post(
            "/api/v1/tokens/", {"username": "alice", "password": "a guess"}, **elsewhere(number)
        )
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = next(word for word in mail.outbox[-1].body.split() if "/password/reset/key/" in word)
    page = client.get(link[link.index("/accounts/") :], follow=True)
    again = {"password1": "a new long password", "password2": "a new long password"}
    client.post(page.request["PATH_INFO"], again)
    sign_in(username="alice", password="a new long password")


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


def test_right_password_never_counts_as_guess(alice):
    for _ in range(2 * GUESSES):
        sign_in(username="alice", password=PASSWORD)


def test_right_passwords_never_count_on_any_page(alice, client):
    client.force_login(alice)
    for number in range(2 * GUESSES):
        old, new = f"{PASSWORD}{number or ''}", f"{PASSWORD}{number + 1}"
        page = client.post(
            "/accounts/password/change/", {"oldpassword": old, "password1": new, "password2": new}
        )
        assert page.status_code == 302
    for _ in range(3 * GUESSES):
        assert client.post("/accounts/reauthenticate/", {"password": new}).status_code == 302


def test_right_passwords_do_not_make_wrong_ones_forgotten(alice, anonymous):
    for number in range(GUESSES):
        sign_in(username="alice", password=PASSWORD)
        anonymous.post(
            "/api/v1/tokens/", {"username": "alice", "password": "a guess"}, **elsewhere(number)
        )
    answer = anonymous.post(
        "/api/v1/tokens/", {"username": "alice", "password": PASSWORD}, **elsewhere(100)
    )
    assert answer.json()["code"] == "too_many_guesses"


def test_right_password_waits_for_others_that_are_in_check(alice, rf):
    request, keys = rf.post("/"), guess_keys("alice")
    earlier = [count_guess(request, keys) for _ in range(GUESSES)]
    timer = threading.Timer(0.3, earlier[0].rollback)
    timer.start()
    assert count_guess(request, keys) is not None
    timer.join()


def test_nobody_waits_once_guesses_were_wrong(alice, rf, monkeypatch):
    request, keys = rf.post("/"), guess_keys("alice")
    assert all(count_guess(request, keys) for _ in range(GUESSES))
    monkeypatch.setattr("accounts.throttle.CHECKING", 0.0)
    monkeypatch.setattr("accounts.throttle.time.sleep", lambda _: pytest.fail("It waits."))
    assert count_guess(request, keys) is None


def test_the_admin_site_has_no_door_of_its_own_where_nobody_counts(client):
    assert client.get("/admin/login/").status_code == 302
    assert client.post(
        "/admin/login/", {"username": "alice", "password": "a guess"}
    ).url.startswith("/accounts/login/")
