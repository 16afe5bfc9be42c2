"""Seals and signatures keep their values: what one release has signed, the next one still accepts.

The values were made once and are kept here as text. If one of them changes, every stored row of that
kind fails its check.
"""

from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from audit.chains import SEALED, chain_is_signed, seal_of, sign_chain
from battles.log_seals import battle_is_signed, battle_signature, log_seal, opening_seal
from battles.models import Revision
from campaigns.models import Round
from core.signatures import Signature, fingerprint_of, public_part, sign_bytes, verify
from exchange.models import SigningKey
from rulebook.chronicle.facts import seal
from rulebook.dice.committed import commitment
from warbands.chronicle_seals import (
    enter,
    head_is_signed,
    head_signature,
    register_holds,
    sign_register,
)
from warbands.signed import sign_new

ID, OTHER = UUID(int=1), UUID("0197a3c4-5d6e-7f80-91a2-b3c4d5e6f708")
MOMENT = datetime(2026, 12, 4, 19, 30, 0, 123456, tzinfo=UTC)
ELSEWHERE = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
"""The same moment in another time zone: it is signed alike."""
DATA = {"ü": [1, 2.5, None, True], "a": {"z": "“", "b": -0.0}}


@pytest.fixture(autouse=True)
def secret_key(settings: Any) -> None:
    """Sign with a secret key that no other test changes."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = (
        "a key that these values were made with",
        [],
    )


def battle(**changes: Any) -> Any:
    """Return the columns of a battle that its seals cover."""
    values: dict[str, Any] = {
        "pk": ID,
        "ruleset": "toy",
        "edition": "2026",
        "scenario": "field",
        "part": "",
        "friendly": False,
        "points_limit": 300,
        "house_rules": DATA,
        "set_up": {},
        "dice_seed": "seed",
        "state": "confirmed",
        "revision": 1,
        "last_sequence": 2,
        "log_seal": "ab" * 32,
        "result": DATA,
        "fought_on": date(2026, 12, 4),
        "place_in_day": MOMENT,
        "dice_used": 7,
        "signature": "",
    }
    return SimpleNamespace(**values | changes)


def side() -> Any:
    """Return a side with one combatant."""
    hans = SimpleNamespace(
        fighter_id=OTHER,
        name="Jörg",
        rank=2,
        points=41,
        build=DATA,
        condition={"wounds": 1},
        posts=["leader"],
    )
    return SimpleNamespace(
        key="a",
        warband_id=ID,
        role="attacker",
        extras=DATA,
        combatants=SimpleNamespace(all=lambda: [hans]),
    )


def event(sequence: int, **changes: Any) -> Any:
    """Return the columns of an entry of a log."""
    values: dict[str, Any] = {
        "sequence": sequence,
        "client_id": OTHER,
        "kind": "note",
        "data": DATA,
        "asked": None,
        "first_die": None,
        "dice": [6, 1],
        "turn": 3,
        "version": 1,
        "revision": 0,
        "recorded_at": ELSEWHERE,
        "recorded_as": None,
        "recorded_by_id": 42,
    }
    return SimpleNamespace(**values | changes)


def test_chronicle_seal_keeps_its_value() -> None:
    sealed = seal(
        "ab" * 32, warband=str(ID), sequence=3, payload=DATA, recorded=f"{MOMENT.isoformat()} 42"
    )
    assert sealed == "fb7cb6c6f3fb710793f38a75049e3dcbf2168a1a921e5cb0528e5dfc846b29c8"


def test_head_signature_keeps_its_value() -> None:
    signature = head_signature(ID, 3, "ab" * 32)
    assert signature == "1aa58b6363680d5eddcbb75205232e47d4ca80af0ea458130606a7e0b3f4c030"
    assert head_is_signed(ID, 3, "ab" * 32, signature)
    assert not head_is_signed(ID, 4, "ab" * 32, signature)


def test_register_of_chronicles_keeps_its_value() -> None:
    register = SimpleNamespace(count=0, digest="", signature="")
    sign_register(register, [ID])
    enter(register, [OTHER])
    assert (register.count, register.digest) == (
        2,
        "0e8a2076e7ad82e9e260a0232ae6900bd025364a4318ead9fbc25f3ed7a113dd",
    )
    assert register.signature == "7baa376fb1c71a1b5399c9f7865601aa343017cec8fc4caed1ef94ef3ebcb5ac"
    assert register_holds(register, [OTHER, ID]) and not register_holds(register, [ID])


def test_log_seal_keeps_its_value() -> None:
    opening = opening_seal(battle(), [side()])
    assert opening == "33699a818373c8ae1c38ea0476a8cfc28dcc317188d1ff41211ea180ce054fa6"
    assert (
        log_seal(opening, [event(1), event(2, recorded_as="abc:7", asked=DATA)])
        == "5b0b6d767f898893e3f0c07d7597c12065b779539652e84c9f954d446e144ca9"
    )


def test_battle_signature_keeps_its_value() -> None:
    confirmed = battle()
    confirmed.signature = battle_signature(confirmed)
    assert confirmed.signature == "d2e0b589c91acaf2f4f7f07fbef97b39199e20a6902e2c0fde6036639434d60e"
    assert (
        battle_signature(battle(place_in_day=None))
        == "b1ad749c363eb5f9c4a8d1e67a0debc41391767d225274eb312f3ec5f0d97f50"
    )
    assert battle_is_signed(confirmed) and not battle_is_signed(
        battle(dice_used=8, signature=confirmed.signature)
    )


def test_row_signatures_keep_their_values() -> None:
    ladder = Round(
        id=OTHER,
        campaign_id=ID,
        number=2,
        name="Ü",
        deadline="2026-12-04",
        order=[str(ID)],
        reach=3,
    )
    revision = Revision(
        battle_id=ID, number=1, reason="Forgotten.", result_before=DATA, made_by_id=42
    )
    revision.difference, revision.made_at = {}, ELSEWHERE
    key = SigningKey(
        number=1, fingerprint="0" * 32, public="ab" * 32, sealed=b"x", retired_at=MOMENT
    )
    signatures = [row.row_signature for row in sign_new([ladder, revision, key])]
    assert signatures == [
        "ac2a4583bc60a674114b245f8ee2c7453071d0f163a68e59150291980c8f9040",
        "17064daecbe0ff69b337df3dca083a4952c6d8b77823dc80b29dd5d29f0ea64a",
        "9acc32b571b392060ff51ddffc322f3dbcb446de314c3e7c437512f29b5e47d9",
    ]


def test_activity_log_seal_keeps_its_value() -> None:
    values: dict[str, Any] = dict.fromkeys(SEALED)
    values |= {
        "chain": 7,
        "place": 3,
        "id": OTHER,
        "at": ELSEWHERE,
        "actor_id": 42,
        "club": ID,
        "details": DATA,
    }
    values |= {"subject_name": "Jörg", "number": 5}
    sealed = seal_of(SimpleNamespace(**values), "ab" * 32)
    assert sealed == "4d50c7bcaaf930e6b1df01fc07d925f9788b0c3a21fd18e1a2421b404be57556"
    chain = SimpleNamespace(pk=7, length=3, seal=sealed, signature="")
    sign_chain(chain)
    assert chain.signature == "9d9bb0e78ca4e558b5cef01b8f255d222eb824070e1cb5448d0e91070ee3cafa"
    assert chain_is_signed(chain)


def test_keys_of_installations_keep_their_values() -> None:
    private = bytes(range(32))
    key = public_part(private)
    assert fingerprint_of(key.public) == key.fingerprint == "56475aa75463474c0285df5dbf2bcab7"
    signature = Signature(key.fingerprint, sign_bytes(b"text", private))
    assert verify(b"text", signature, key.public) and not verify(b"texts", signature, key.public)
    assert signature.signature == (
        "422ef70e9d7a086bd170caca163fa9bcb15f1198a96be404adb773f52d943bd8"
        "7c7c96611b65e54874ac467f6e324796bcbe8942b6e0fb6f157658620401ee05"
    )
    assert commitment("seed") == "19b25856e1c150ca834cffc8b59b23adbd0ec0389e58eb22b3b64768098d002b"
