"""The keys by which an installation signs what leaves it."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from core.errors import Unavailable
from core.signatures import Signature, fingerprint_of, verify
from exchange.models import SigningKey
from exchange.signing import own_key, public_key, sign

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_a_key_is_made_when_first_needed_and_signs_what_anybody_can_prove():
    key, signature = public_key(), sign(b"what happened")
    assert SigningKey.objects.count() == 1
    assert signature.key == key.fingerprint == fingerprint_of(key.public)
    assert key.groups.replace(" ", "") == key.fingerprint
    assert verify(b"what happened", signature, key.public)
    assert not verify(b"what else", signature, key.public)
    assert not verify(b"what happened", Signature("0" * 32, signature.signature), key.public)
    for nonsense in ("", "zz", "00" * 31, "00" * 32):
        assert not verify(b"what happened", signature, nonsense)
        assert not verify(b"what happened", Signature(key.fingerprint, nonsense), key.public)


def test_a_retired_key_proves_what_it_has_signed():
    before = public_key()
    signature = sign(b"of old")
    output = StringIO()
    call_command("renew_signing_key", stdout=output)
    assert public_key() != before and public_key().groups in output.getvalue()
    assert sign(b"of old").key == public_key().fingerprint
    assert verify(b"of old", signature, own_key(signature.key) or "")
    assert own_key("0" * 32) is None
    assert list(
        SigningKey.objects.filter(retired_at__isnull=False).values_list("fingerprint", flat=True)
    ) == [before.fingerprint]


def test_of_two_who_make_the_first_key_at_once_both_get_the_same(monkeypatch: pytest.MonkeyPatch):
    key = public_key()
    monkeypatch.setattr(type(SigningKey.objects.all()), "first", lambda rows: None)
    assert public_key() == key, (
        "who has seen none makes one, and takes the one that is there by then"
    )


def test_the_private_part_is_locked_and_outlives_a_change_of_the_secret_key(settings: Any):
    signature = sign(b"what happened")
    former, settings.SECRET_KEY = (
        settings.SECRET_KEY,
        "another key that is long enough for anybody to use",
    )
    with pytest.raises(Unavailable, match="another SECRET_KEY"):
        sign(b"what happened")
    with pytest.raises(CommandError):
        call_command("renew_keys")
    settings.SECRET_KEY_FALLBACKS = [former]
    call_command("renew_keys", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert sign(b"what happened") == signature
