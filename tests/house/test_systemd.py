"""The units of systemd: what a server without containers is started by."""

import configparser
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.start import ON_A_SERVER, command

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "deploy" / "systemd").glob("muster-*"))
HOME = "/srv/muster"
PROCESSES = ("web", "worker", "beat")


def parsed(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(ROOT / "deploy" / "systemd" / name)
    return parser


def test_systemd_understands_every_file(tmp_path: Path) -> None:
    """With the installation in a folder that exists: systemd looks for the programs."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    copies = [tmp_path / each.name for each in FILES]
    for each, copy in zip(FILES, copies, strict=True):
        copy.write_text(each.read_text().replace(HOME, str(tmp_path)))
    done = subprocess.run(["systemd-analyze", "verify", *copies], capture_output=True, text=True, check=False)
    complaints = [line for line in done.stderr.splitlines() if "muster-" in line or str(tmp_path) in line]
    assert (done.returncode, complaints) == (0, [])


@pytest.mark.parametrize("name", PROCESSES)
def test_whatever_ends_is_started_again(name: str) -> None:
    found = parsed(f"muster-{name}.service")
    assert found["Service"]["Restart"] == "always"
    assert found["Unit"]["StartLimitIntervalSec"] == "0", "systemd would give up after five attempts"
    assert found["Install"]["WantedBy"] == "multi-user.target"


def test_the_web_server_can_be_reloaded_as_the_documentation_says() -> None:
    assert "systemctl reload muster-web" in (ROOT / "docs" / "running.md").read_text()
    assert parsed("muster-web.service")["Service"]["ExecReload"] == "/bin/kill -HUP $MAINPID"


@pytest.mark.parametrize("each", [each for each in FILES if each.suffix == ".service"], ids=lambda each: each.name)
def test_services_run_as_a_user_without_rights(each: Path) -> None:
    service = parsed(each.name)["Service"]
    assert (service["User"], service["CapabilityBoundingSet"]) == ("muster", "")
    assert (service["NoNewPrivileges"], service["ProtectSystem"]) == ("yes", "strict")


def test_systemd_and_containers_start_what_one_place_says() -> None:
    for name in PROCESSES:
        start = parsed(f"muster-{name}.service")["Service"]["ExecStart"]
        assert start == f"{HOME}/.venv/bin/python -m scripts.start {name}"
    assert set(PROCESSES) == ON_A_SERVER.keys()


def test_there_is_one_clock_and_workers_do_not_gossip() -> None:
    assert "--beat" not in command("worker")
    assert {"--without-gossip", "--without-mingle"} <= set(command("worker"))
    assert "beat" in command("beat")


def test_unknown_process_is_refused_by_name() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.start", "kettle"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "web, worker, beat" in done.stderr
