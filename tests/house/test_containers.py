"""The environment of the containers of docker-compose.yml: from the image, .env, and the file."""

import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from redis import Redis

from scripts.processes import Process, free_port, stop_all, wait_for
from scripts.services import services

ROOT = Path(__file__).parents[2]
HOST = "muster.example.org"
ASK = """
import json, sys
from config import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""
SECRETS = {
    "SECRET_KEY": "a-secret-key-that-is-long-enough-for-anybody-0123456789",
    "DATABASE_PASSWORD": "hush",
}
Json = dict[str, Any]


def compose() -> Json:
    data: Json = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return data


def instructions(name: str) -> list[str]:
    """Return the arguments of an instruction in the last stage of the Dockerfile, one per line."""
    stage = (ROOT / "Dockerfile").read_text().rpartition("\nFROM ")[2].replace("\\\n", " ")
    return re.findall(rf"^{name} (.*)$", stage, re.MULTILINE)


def image_environment() -> dict[str, str]:
    """Return the variables that the image sets."""
    return dict(word.split("=", 1) for line in instructions("ENV") for word in shlex.split(line))


def example_environment() -> dict[str, str]:
    """Return .env as copied from the example, including empty values."""
    lines = (ROOT / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def merged(service: Json) -> dict[str, str]:
    """Return the environment of a service's container, as Compose merges it."""
    return image_environment() | example_environment() | service["environment"]


def ours() -> dict[str, Json]:
    """Return the services that run Muster's image."""
    return {
        name: each
        for name, each in compose()["services"].items()
        if each["image"].startswith("muster")
    }


@pytest.mark.parametrize("name", ["web", "worker", "beat", "backup", "migrate"])
def test_no_blank_line_of_the_example_takes_away_what_the_image_says(name):
    environment = merged(ours()[name])
    assert {each: environment[each] for each in image_environment()} == image_environment()


def test_muster_in_a_container_writes_to_its_volume_alone_and_finds_what_the_image_collected():
    service = ours()["web"]
    places = {volume.split(":")[1] for volume in service["volumes"]}
    environment = {
        name: value for name, value in merged(service).items() if not name.endswith("_FILE")
    } | SECRETS
    names = (
        "STATIC_ROOT",
        "VAR_DIR",
        "FILES_DIR",
        "CELERY_BEAT_SCHEDULE_FILENAME",
        "EMAIL_FILE_PATH",
    )
    environment["PATH"] = os.environ["PATH"]
    command = [sys.executable, "-c", ASK, *names]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    data = json.loads(done.stdout)
    assert data.pop("STATIC_ROOT") == image_environment()["STATIC_ROOT"]
    assert places == {data["VAR_DIR"]}
    assert all(Path(place).is_relative_to(data["VAR_DIR"]) for place in data.values()), data
    assert any(data["FILES_DIR"] in line for line in instructions("RUN")), (
        "there before the first document"
    )


def test_the_image_is_built_once_for_all_services():
    assert [name for name, each in ours().items() if "build" in each] == ["migrate"]
    assert {each["pull_policy"] for name, each in ours().items() if name != "migrate"} == {"never"}
    waiting = [
        each["depends_on"].get("migrate") for name, each in ours().items() if name != "migrate"
    ]
    assert waiting == [{"condition": "service_completed_successfully"}] * 4


def test_nothing_grows_without_end():
    for name, service in compose()["services"].items():
        assert "mem_limit" in service, name
        assert "pids_limit" in service, name
        assert {"max-size", "max-file"} <= service["logging"]["options"].keys(), name
    redis = compose()["services"]["redis"]
    command = redis["command"][-1].split()
    most = command[command.index("--maxmemory") + 1]
    assert int(most.removesuffix("mb")) < int(redis["mem_limit"].removesuffix("m"))


def test_https_comes_from_caddy_unless_somebody_else_brings_it():
    caddy = compose()["services"]["caddy"]
    assert caddy["profiles"] == [example_environment()["COMPOSE_PROFILES"]]
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in caddy["volumes"]
    rules = (ROOT / "Caddyfile").read_text()
    port = re.findall(r":(\d+)", instructions("CMD")[0])[0]
    assert all(f"{{${name}}}" in rules for name in caddy["environment"])
    assert re.search(rf"dynamic a \{{\s+name web\s+port {port}\s", rules)
    assert example_environment()["PROXIES"] == "1"


def test_web_servers_can_be_several():
    services = compose()["services"]
    assert not any("container_name" in each for each in services.values())
    # Nothing of the machine that two of them would share: no port, no name.
    assert not services["web"].keys() & {"ports", "hostname", "network_mode"}
    assert not any("ports" in each for name, each in services.items() if name != "caddy")
    # Migrations run once, before all of them; the clock and the backup are one each.
    assert services["migrate"]["restart"] == "no"
    assert "beat" in services["beat"]["command"]
    assert "--clock" not in services["worker"]["command"]


def test_requests_are_finished_before_a_web_server_is_killed():
    grace = int(services_grace().removesuffix("s"))
    settings = runpy.run_path(str(ROOT / "gunicorn.conf.py"))
    assert grace > settings["graceful_timeout"]


def services_grace() -> str:
    grace: str = compose()["services"]["web"]["stop_grace_period"]
    return grace


class Containers:
    """The services as processes, in a read-only tree in place of the image's root folder."""

    # Root itself cannot write there any more: `cap_drop: [ALL]`.
    powerless = (
        ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs")
        if os.geteuid() == 0
        else ()
    )

    def __init__(self, root: Path, stores: dict[str, str]) -> None:
        self.root = root
        self.port = free_port()
        self.stores = stores
        self.tree = root / "srv" / "muster"
        self.processes: list[Process] = []
        self._copy()

    def _copy(self) -> None:
        """Do `COPY . .` with .dockerignore, and make the folders of the image."""
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        ignored = ("tests/", "docs/", ".git")
        for name in filter(None, listed.stdout.split("\0")):
            if not name.startswith(ignored) and (ROOT / name).is_file():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.tree / name)
        for place in ("srv/static", "srv/var/files", "secrets"):
            (self.root / place).mkdir(parents=True)
        for name in compose()["secrets"]:
            (self.root / "secrets" / name).write_text(SECRETS["SECRET_KEY"])
        for each in (self.tree, *self.tree.rglob("*")):
            each.chmod(each.stat().st_mode & 0o555)

    def environment(self, service: Json) -> dict[str, str]:
        """Return the merged environment, with places of this machine instead of the container's."""
        variables = merged(service) | {"PATH": os.environ["PATH"], "ALLOWED_HOSTS": HOST}
        return {name: self.here(value) for name, value in variables.items()}

    def here(self, text: str) -> str:
        """Return the text with places of this machine instead of those inside the containers."""
        places = {
            "/srv/": f"{self.root}/srv/",
            "/run/secrets/": f"{self.root}/secrets/",
            "/dev/shm": "/tmp",
        }
        for inside, here in (places | self.stores).items():
            text = text.replace(inside, here)
        return text

    def run(self, command: list[str], environment: dict[str, str]) -> None:
        """Run a command that must end successfully."""
        command = [*self.powerless, sys.executable, *command[1:]]
        done = subprocess.run(
            command, cwd=self.tree, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self, name: str, service: Json) -> None:
        """Start a service that keeps running."""
        words = service.get("command") or json.loads(instructions("CMD")[0])
        program = words[1:] if words[0] == "python" else ["-m", *words]
        command = [*self.powerless, sys.executable, *program]
        command = [word.replace("0.0.0.0:8000", f"127.0.0.1:{self.port}") for word in command]
        log = self.root / f"{name}.log"
        self.processes.append(
            Process(name, command, folder=self.tree, environment=self.environment(service), log=log)
        )

    def get(self, path: str) -> tuple[int, str]:
        """Return status and text of an answer to a request like Caddy's."""
        headers = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def says_well(self, path: str) -> Callable[[], bool]:
        return lambda: self.get(path)[0] == 200


@pytest.mark.soak(
    "starts of web, worker and beat in the environment of their containers", each=1, sample=0
)
def test_web_worker_and_beat_start_as_compose_starts_them_where_nothing_else_can_be_written(
    tmp_path,
):
    described = ours()
    with services() as environment:
        names = {"database:5432": "DATABASE_URL", "redis:6379": "CELERY_BROKER_URL"}
        stores = {
            inside: urlsplit(environment[name]).netloc.rpartition("@")[2]
            for inside, name in names.items()
        }
        containers = Containers(tmp_path / "container", stores)
        # With the password that the containers read from their secret, and closed to everybody
        # else.
        with Redis.from_url(environment["CELERY_BROKER_URL"]) as client:
            client.config_set("requirepass", SECRETS["SECRET_KEY"])
        web = containers.environment(described["web"])
        containers.run(
            ["python", "manage.py", "collectstatic", "--no-input", "--verbosity", "0"], web
        )
        for step in described["migrate"]["command"][-1].split("&&"):
            containers.run(
                shlex.split(containers.here(step)), containers.environment(described["migrate"])
            )
        try:
            for name in ("web", "worker", "beat"):
                containers.start(name, described[name])
            for path in ("/health/ready", "/health/worker"):
                wait_for(containers.says_well(path), *containers.processes, seconds=120)
            components = json.loads(containers.get("/health/ready")[1])["components"]
            assert all(each["healthy"] for each in components.values()), components
            status, page = containers.get("/")
            sheet = re.findall(r'href="(/static/[^"]+\.css)"', page)[0]
            assert (status, containers.get(sheet)[0]) == (200, 200)
            wait_for(
                lambda: any((containers.root / "srv/var").glob("beat-schedule*")),
                *containers.processes,
            )
            assert not list(containers.tree.rglob("__pycache__")), (
                "nothing was written beside the code"
            )
        finally:
            stop_all(*containers.processes)
    archive = ["tar", "-C", str(containers.root / "srv/var"), "-cf", "/dev/null", "files"]
    assert subprocess.run(archive, check=False).returncode == 0, (
        "the backup of an installation without documents"
    )
