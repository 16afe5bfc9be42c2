"""The script that proves a passport without any Muster."""

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.exchange.conftest import Abroad
from tests.exchange.test_passports import change_fact, forged, sealed_anew, signed_by

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SCRIPT = Path(__file__).parents[2] / "static" / "site" / "check_passport.py"


def checked(tmp_path: Path, content: bytes, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the script on a file, in a folder from which Muster cannot be imported."""
    (tmp_path / "one.passport.json").write_bytes(content)
    command = [sys.executable, "-I", str(SCRIPT), "one.passport.json", *options]
    return subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )


def test_script_accepts_valid_passport(abroad: Abroad, tmp_path: Path):
    completed = checked(tmp_path, abroad.warband, "--key", abroad.key.public.upper())
    assert completed.returncode == 0 and completed.stderr == ""
    for text in (
        "Passport of Der schwarze Haufen",
        abroad.key.groups,
        "The Old Mill: drew",
        "against Compagnie du Cardinal; The Long Summer, The Friday Swords",
        "Jörg, Landsknecht: 1 battles",
        "fought",
    ):
        assert text in completed.stdout
    fighter = checked(tmp_path, abroad.fighter)
    assert fighter.returncode == 0 and "Passport of Hans of Der schwarze Haufen" in fighter.stdout
    assert "recruited" in fighter.stdout and "Veit," not in fighter.stdout


def test_a_forged_one_is_found_out_with_the_first_entry_that_does_not_hold(
    abroad: Abroad, tmp_path: Path
):
    other = Ed25519PrivateKey.generate()
    steering = signed_by(
        other, abroad.warband, lambda body: body["battles"][0].update(title="\x1b[2J")
    )
    for content, options, message in (
        (
            forged(abroad.warband, lambda body: change_fact(body, 2, "Hans", "Hanz")),
            (),
            "entry 2: its seal does not",
        ),
        (
            forged(abroad.warband, lambda body: body["entries"].pop(2)),
            (),
            "entry 3: it does not follow",
        ),
        (forged(abroad.warband, sealed_anew), (), "the key did not sign this passport."),
        (
            signed_by(other, abroad.warband),
            ("--key", abroad.key.public),
            "signed by a key that you do not trust",
        ),
        (
            signed_by(other, abroad.warband, lambda body: body["entries"].pop(2)),
            (),
            "entry 3: it does not follow",
        ),
        (signed_by(other, abroad.warband, lambda body: body.pop("battles")), (), "not of the form"),
        (b"[" * 100_000, (), "not proper JSON"),
        (b"\xff", (), "not proper JSON"),
    ):
        answer = checked(tmp_path, content, *options)
        assert answer.returncode == 1 and message in answer.stderr and answer.stdout == "", answer
    assert "\x1b" not in checked(tmp_path, steering).stdout
