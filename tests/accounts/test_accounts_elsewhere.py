"""Signing in with accounts elsewhere and with passkeys: by settings, and not at all without."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import NoReverseMatch, reverse

from accounts.services.deletion import KeptForHistory, delete_account
from config.providers import settings_of, sign_in_providers
from tests.conftest import PASSWORD

ROOT = Path(__file__).parents[2]


def test_without_variables_there_is_no_provider() -> None:
    assert sign_in_providers() == ()
    assert settings_of(()) == {}


@pytest.mark.parametrize("name", ["google", "discord", "oidc"])
@pytest.mark.parametrize("client", [("given", ""), ("", "given")])
def test_half_a_provider_stops_the_start(name: str, client: tuple[str, str]) -> None:
    variable = f"{name.upper()}_CLIENT_SECRET"
    with pytest.raises(ImproperlyConfigured, match=variable):
        sign_in_providers(**{name: client})  # type: ignore[arg-type]


def test_openid_connect_needs_an_address() -> None:
    with pytest.raises(ImproperlyConfigured, match="OIDC_URL must be the address"):
        sign_in_providers(oidc=("muster", "secret"), oidc_url="id.example.org")


@pytest.mark.one_database
def test_pages_are_unchanged_without_providers_and_passkeys(db: None, alice: User) -> None:
    page = Client().get(reverse("account_login")).content.decode()
    assert "passkey" not in page and "With another account" not in page
    for name in ("socialaccount_connections", "mfa_login_webauthn"):
        with pytest.raises(NoReverseMatch):
            reverse(name)
    client = Client()
    client.force_login(alice)
    body = client.get(reverse("account")).content.decode()
    assert "Other accounts" not in body


@pytest.mark.one_database
def test_deleted_account_is_forgotten_elsewhere_too(db: None, bob: User) -> None:
    SocialAccount.objects.create(user=bob, provider="google", uid="4711")
    delete_account(user=bob, kept=KeptForHistory.NONE)
    assert not SocialAccount.objects.exists()


@pytest.mark.one_database
def test_password_alone_gets_no_token_if_there_is_a_passkey(alice: User, anonymous: Any) -> None:
    Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    answer = anonymous.post("/api/v1/tokens/", {"username": "alice", "password": PASSWORD})
    assert answer.json()["errors"][0]["code"] == "code_required"
    sent = {"username": "alice", "password": PASSWORD, "code": "123456"}
    assert anonymous.post("/api/v1/tokens/", sent).json()["errors"][0]["code"] == "wrong_code"


def test_people_sign_in_with_accounts_elsewhere(tmp_path: Path) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.accounts.site_with_providers"],
        cwd=ROOT,
        env={**environment, "VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = json.loads(done.stdout.splitlines()[-1])
    for name in ("Google", "Discord", "The Guild"):
        assert f"Sign in with {name}" in " ".join(answers["login page"].split())
    assert "Sign in with a passkey" in answers["login page"]
    assert "https://accounts.google.com" in answers["policy"]
    for name, host in (("google", "accounts.google.com"), ("discord", "discord.com")):
        address = urlsplit(answers[name])
        assert (address.scheme, address.netloc) == ("https", host)
        assert {"state", "code_challenge"} <= parse_qs(address.query).keys()
        assert answers[f"{name} asks first"] == 200
    assert answers["new"] == [302, "/account/"]
    assert answers["account"] == ["erna", "erna@example.org", False]
    assert "The Guild" in answers["connections"] and "Disconnect" in answers["connections"]
    for page in answers["to connect"]:
        assert "Connect Discord" in page and "/accounts/discord/login/?process=connect" in page
        assert 'id="code"' not in page
    assert urlsplit(answers["connect"]).netloc == "discord.com"
    for page in answers["connected"]:
        assert "erna_plays" in page and "Connect Discord" not in page
    assert answers["same account"] == [1, "erna"]
    assert answers["same address"] == ["erna@example.org", False]
    assert "Security" in answers["passkeys"]
