"""Headers, cookies, throttles, and access to files."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def rates(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    cache.clear()
    rates: dict[str, Any] = dict(SimpleRateThrottle.THROTTLE_RATES)
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    return rates


def test_pages_run_our_own_scripts_only(client):
    policy = client.get("/accounts/login/")["Content-Security-Policy"]
    directives = {part.split()[0]: part.split()[1:] for part in policy.split(";")}
    assert directives["script-src"] == directives["default-src"] == ["'self'"]
    assert directives["object-src"] == directives["frame-ancestors"] == ["'none'"]


def test_the_usual_doors_are_shut(client):
    answer = client.get("/accounts/login/")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_session_cookie_is_out_of_reach_of_scripts(client, bob):
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_with_https_plain_requests_are_sent_there(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/accounts/login/")
    assert (answer.status_code, answer.url) == (301, "https://testserver/accounts/login/")


def test_health_answers_without_https_for_the_probes_inside(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/health/live").status_code == 200


def test_a_host_that_is_not_ours_is_refused(client, settings):
    settings.ALLOWED_HOSTS = ["muster.example"]
    assert client.get("/accounts/login/", headers={"Host": "evil.example"}).status_code == 400


def test_guessing_passwords_is_slowed_down(anonymous, rates):
    rates["tokens"] = "3/hour"
    guess = {"username": "alice", "password": "a guess"}
    answers = [anonymous.post("/api/v1/tokens/", guess) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [400, 400, 400, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert answers[-1].json()["code"] == "throttled"


def test_strangers_and_players_have_allowances_of_their_own(anonymous, as_alice, as_bob, rates):
    rates |= {"anon": "1/hour", "user": "2/hour"}
    assert [anonymous.get("/api/v1/docs/").status_code for _ in range(2)] == [200, 429]
    assert [as_alice.get("/api/v1/me/").status_code for _ in range(3)] == [200, 200, 429]
    assert as_bob.get("/api/v1/me/").status_code == 200


def test_a_session_without_a_csrf_token_changes_nothing(bob):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert client.patch("/api/v1/me/", {"first_name": "Mallory"}).status_code == 403


def test_the_schema_describes_problems_for_every_operation(client):
    schema = client.get("/api/v1/schema/").json()
    operations = [
        path[method]
        for path in schema["paths"].values()
        for method in path
        if method != "parameters"
    ]
    assert operations
    assert all("default" in operation["responses"] for operation in operations)


def test_the_docs_are_served_from_our_own_files(client):
    page = client.get("/api/v1/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "http://" not in page
    assert "https://" not in page


def test_the_docs_need_no_inline_script_and_no_inline_style(client):
    answer, page = client.get("/api/v1/docs/"), client.get("/accounts/login/")
    assert not re.search("<script>|<style| style=", answer.content.decode())
    assert answer["Content-Security-Policy"] == page["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]


@pytest.mark.browser
def test_the_docs_come_up_in_a_browser(page):
    page.goto("/api/v1/docs/")
    page.get_by_role("heading", name="Muster").wait_for()
    page.get_by_text("/api/v1/battles/").first.wait_for()
