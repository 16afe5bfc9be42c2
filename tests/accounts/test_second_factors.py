"""Secrets of second factors: locked in the database, shown nowhere, and kept when the
installation's key changes."""

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command

from clubs.models import CalendarLink
from clubs.services.evenings import make_calendar_link
from tests.conftest import browser_of
from tests.pages.markup import faults

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def code_of(secret: str) -> str:
    """Return the current code of an authenticator with this secret."""
    cache.clear()
    return f"{hotp_value(secret, list(yield_hotp_counters_from_time())[-1]):06d}"


@pytest.fixture
def secret(bob: User) -> str:
    """Return the secret of Bob's second factor."""
    secret = generate_totp_secret()
    TOTP.activate(bob, secret)
    RecoveryCodes.activate(bob)
    return secret


def stored() -> str:
    return json.dumps([factor.data for factor in Authenticator.objects.order_by("pk")])


def test_second_factor_secret_is_stored_encrypted(bob: User, secret: str) -> None:
    assert secret not in stored()
    codes = Authenticator.objects.get(user=bob, type="recovery_codes")
    assert codes.data["seed"].startswith("gAAAAA")
    assert Authenticator.objects.get(user=bob, type="totp").wrap().validate_code(code_of(secret))
    assert codes.wrap().validate_code(codes.wrap().get_unused_codes()[0])


def test_the_admin_site_shows_no_secret_of_a_second_factor(
    bob: User, secret: str, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    client = browser_of(User.objects.get(pk=alice.pk))
    for factor in Authenticator.objects.all():
        page = client.get(f"/admin/mfa/authenticator/{factor.pk}/change/")
        assert page.status_code == 200
        shown = page.content.decode()
        assert not any(
            part in shown for part in ("gAAAAA", secret, "data", "seed") if part != "data"
        )
        assert (
            client.post(f"/admin/mfa/authenticator/{factor.pk}/change/", {"data": "{}"}).status_code
            == 403
        )
    assert client.get("/admin/mfa/authenticator/add/").status_code == 403


def test_what_is_locked_outlives_a_change_of_the_secret_key(
    bob: User, secret: str, settings: Any
) -> None:
    make_calendar_link(user=bob)
    link = CalendarLink.objects.get().secret
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key that is long enough for anybody to use",
    )
    factor = Authenticator.objects.get(user=bob, type="totp")
    assert not factor.wrap().validate_code(code_of(secret)), (
        "a lost key lets nobody in, and breaks no page"
    )
    with pytest.raises(CommandError):
        call_command("renew_keys")
    settings.SECRET_KEY_FALLBACKS = [former]
    assert factor.wrap().validate_code(code_of(secret))
    call_command("renew_keys")
    settings.SECRET_KEY_FALLBACKS = []
    factor.refresh_from_db()
    assert factor.wrap().validate_code(code_of(secret))
    assert CalendarLink.objects.get().secret == link


def test_set_up_shows_a_qr_code_on_white_and_a_secret_to_copy(bob: User) -> None:
    bob.set_password("correct horse")
    bob.save()
    client = browser_of(bob)
    client.post("/accounts/reauthenticate/", {"password": "correct horse"})
    page = client.get("/accounts/2fa/totp/activate/")
    body = page.content.decode()
    secret = page.context["form"].secret
    drawing = re.search(r"<svg[^>]*viewBox=\"0 0 (\d+) \1\">(.*?)</svg>", body, re.DOTALL)
    assert drawing is not None
    size, paths = int(drawing[1]), drawing[2]
    # The whole square is white, and the code begins four modules from its edge.
    assert re.search(rf'fill="#(fff|ffffff)" d="M0 0h{size}v{size}h-{size}z"', paths)
    assert 'stroke="#000"' in paths and 'd="M4 4.5h7' in paths
    field = re.search(r'<input id="authenticator_secret"[^>]*>', body)
    assert field is not None
    assert secret in field[0] and "readonly" in field[0] and "disabled" not in field[0]
    assert 'data-copy="authenticator_secret"' in body
    assert 'href="otpauth://totp/bob' in body and f"secret={secret}" in body
    assert list(faults(body)) == []
