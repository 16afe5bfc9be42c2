"""The units of systemd: what a server without containers is started by."""

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.start import ON_A_SERVER, command
from scripts.system import NEEDS

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
    done = subprocess.run(
        ["systemd-analyze", "verify", *copies], capture_output=True, text=True, check=False
    )
    complaints = [
        line for line in done.stderr.splitlines() if "muster-" in line or str(tmp_path) in line
    ]
    assert (done.returncode, complaints) == (0, [])


@pytest.mark.parametrize("name", PROCESSES)
def test_whatever_ends_is_started_again(name: str) -> None:
    service = parsed(f"muster-{name}.service")
    assert service["Service"]["Restart"] == "always"
    assert service["Unit"]["StartLimitIntervalSec"] == "0", (
        "systemd would give up after five attempts"
    )
    assert service["Install"]["WantedBy"] == "multi-user.target"


def test_the_web_server_can_be_reloaded_as_the_documentation_says() -> None:
    assert "systemctl reload muster-web" in (ROOT / "docs" / "running.md").read_text()
    assert parsed("muster-web.service")["Service"]["ExecReload"] == "/bin/kill -HUP $MAINPID"


def without_containers() -> str:
    """Return the section of the documentation."""
    text = (ROOT / "docs" / "running.md").read_text()
    return text.partition("### Without containers\n")[2].partition("\n## ")[0]


def test_the_environment_of_the_documentation_starts_a_server(tmp_path: Path) -> None:
    """Both files: what the processes are given, and what replaces it for the owner of the
    tables."""
    lines = re.findall(r"^ {7}([A-Z_]+)=(.*)$", without_containers(), re.MULTILINE)
    for environment in (dict(reversed(lines)), dict(lines)):
        environment |= {"VAR_DIR": str(tmp_path), "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "from config import settings as s; print(s.PROXIES, s.HTTPS, s.DEFAULT_FROM_EMAIL)",
            ],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.stdout.strip(), done.stderr) == (
            "1 True Muster <muster@muster.example.org>",
            "",
        )
    assert {value.partition("@")[0] for name, value in lines if name == "DATABASE_URL"} == {
        "postgres://muster_app",
        "postgres://muster",
    }


def test_the_documentation_names_every_step_and_package() -> None:
    """Nothing reads the environment with a shell, which stumbles over the address in EMAIL_FROM."""
    text = without_containers()
    assert ". /etc/muster/environment" not in text
    packages = {package for purpose in ("python", "documents") for _, _, package in NEEDS[purpose]}
    assert not {package for package in packages if package not in text}
    for step in (
        "git clone",
        "-m venv",
        "createuser",
        "createdb",
        "migrate",
        "grant_role",
        "createsuperuser",
    ):
        assert step in text, step


@pytest.mark.parametrize(
    "each", [each for each in FILES if each.suffix == ".service"], ids=lambda each: each.name
)
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
    assert "--clock" not in command("worker")
    assert {"--without-gossip", "--without-mingle"} <= set(command("worker"))
    assert "beat" in command("beat")


def test_unknown_process_is_refused_by_name() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scripts.start", "kettle"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "web, worker, beat" in done.stderr
