"""Container files, examples and tables agree with the settings, as far as that can be seen without
an engine."""

import ast
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from operations.tasks import heartbeat
from scripts import probe, system
from scripts.processes import Process, answers, free_port, wait_for

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).parents[2]
# Variables that other programs read.
FOREIGN = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE", "SITES"}
OF_COMPOSE = {"COMPOSE_PROFILES"}
PASSWORDS = {"DATABASE_PASSWORD", "REPLICA_PASSWORD"}
"""Variables that `env.database` reads with an address."""


def variables_of_the_settings() -> set[str]:
    """Return the names in all calls of functions of `config.environment`, and that of `database`."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    ours = (call for call in calls if ast.unparse(call.func).startswith("env."))
    return {ast.literal_eval(call.args[0]) for call in ours} | PASSWORDS


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return data


def test_the_example_names_every_variable_and_no_other():
    lines = (ROOT / ".env.example").read_text().splitlines()
    named = [line.partition("=")[0] for line in lines if line and not line.startswith("#")]
    assert sorted(named) == sorted(variables_of_the_settings() | OF_COMPOSE)


def test_the_page_names_every_variable_and_no_other():
    page = (ROOT / "docs" / "variables.md").read_text().partition("\n## ")[2]
    items = re.findall(r"^- (.+?)(?=^- |^#|\Z)", page, re.MULTILINE | re.DOTALL)
    heads = [re.split(r":\s", item)[0] for item in items]
    defaults = {"UTC", "INFO"}
    named = set(re.findall("`([A-Z][A-Z0-9_]+)`", " ".join(heads))) - defaults
    assert named == variables_of_the_settings()


def test_the_containers_set_only_variables_that_something_reads(compose):
    names = (
        variables_of_the_settings()
        | {f"{name}_FILE" for name in variables_of_the_settings()}
        | FOREIGN
    )
    for service in compose["services"].values():
        assert service.get("environment", {}).keys() <= names


@pytest.mark.parametrize(
    "name", ["web", "worker", "beat", "backup", "migrate", "database", "redis"]
)
def test_the_server_has_all_its_parts(compose, name):
    assert name in compose["services"]


def test_whatever_stays_up_has_a_health_check(compose):
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, service in compose["services"].items():
        of_the_image = service["image"].startswith("muster") and "HEALTHCHECK" in dockerfile
        assert service.get("restart") == "no" or "healthcheck" in service or of_the_image, name


def test_every_volume_and_secret_in_use_is_declared(compose):
    for service in compose["services"].values():
        volumes = {
            volume.partition(":")[0] for volume in service.get("volumes", []) if volume[0] != "."
        }
        assert volumes <= compose["volumes"].keys()
        assert set(service.get("secrets", [])) <= compose["secrets"].keys()


def test_there_is_one_clock_and_it_is_not_in_the_worker(compose):
    commands = [service.get("command") or [] for service in compose["services"].values()]
    assert [command for command in commands if "beat" in command] == [
        compose["services"]["beat"]["command"]
    ]
    assert not any("--clock" in command for command in commands)


def test_only_caddy_is_reached_from_outside(compose):
    ports = {
        name: service["ports"]
        for name, service in compose["services"].items()
        if "ports" in service
    }
    assert ports == {"caddy": ["80:80", "443:443", "443:443/udp"]}


def test_web_server_has_a_port_for_another_proxy_of_this_machine():
    override = yaml.safe_load((ROOT / "docker-compose.port.yml").read_text())
    assert override == {"services": {"web": {"ports": ["127.0.0.1:8000:8000"]}}}
    for file in (".env.example", "docs/running.md"):
        assert (
            "COMPOSE_FILE=docker-compose.yml:docker-compose.port.yml" in (ROOT / file).read_text()
        ), file


def test_stores_are_reached_by_muster_alone(compose):
    services = compose["services"]
    assert compose["networks"] == {"stores": {"internal": True}}
    networks = {name: service.get("networks", ["default"]) for name, service in services.items()}
    assert networks["database"] == networks["redis"] == ["stores"]
    assert networks["caddy"] == ["default"]
    # Caddy asks the web server; mail and push go out from workers. Nothing else has a way out.
    assert [name for name, each in networks.items() if "default" in each] == [
        "web",
        "caddy",
        "worker",
    ]


def test_backups_reach_a_bucket_if_the_operator_wants_one(compose):
    bucket = yaml.safe_load((ROOT / "docker-compose.bucket.yml").read_text())
    assert bucket["services"] == {
        key: {"networks": ["stores", "default"]} for key in ("migrate", "backup")
    }


def test_redis_wants_the_password_that_muster_gives(compose):
    services = compose["services"]
    for service in services.values():
        if service["image"].startswith("muster"):
            assert service["environment"]["REDIS_PASSWORD_FILE"] == "/run/secrets/redis_password"
            assert "redis_password" in service["secrets"]
    redis = services["redis"]
    assert redis["secrets"] == ["redis_password"]
    # A dollar of the shell is two in the file.
    assert (
        "requirepass %s" in redis["command"][-1]
        and "$$(cat /run/secrets/redis_password)" in redis["command"][-1]
    )
    assert "$$(cat /run/secrets/redis_password)" in redis["healthcheck"]["test"][-1]
    for file in ("docs/running.md",):
        assert "secrets/redis_password" in (ROOT / file).read_text()


def test_redis_starts_and_is_well_with_its_password_alone(compose, tmp_path):
    """The very words of the file, run by a shell of this machine."""
    secret, port = tmp_path / "redis_password", free_port()
    secret.write_text("a password of Redis\n".replace(" ", "-"))

    def words(text: str) -> str:
        text = text.replace("$$", "$").replace("/run/secrets/redis_password", str(secret))
        text = text.replace(
            "redis-server -", f"{system.program('redis-server')} - --port {port} --dir {tmp_path}"
        )
        return text.replace("redis-cli", f"redis-cli -p {port}")

    def well(password: str) -> bool:
        secret.write_text(password)
        test = words(compose["services"]["redis"]["healthcheck"]["test"][-1])
        return subprocess.run(["sh", "-c", test], check=False, capture_output=True).returncode == 0

    server = Process("Redis", ["sh", "-c", words(compose["services"]["redis"]["command"][-1])])
    try:
        wait_for(lambda: answers(port), server)
        assert well("a-password-of-Redis")
        assert not well("another")
    finally:
        server.stop()


def test_compose_files_contain_no_secret(compose):
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            assert name.endswith("_FILE") or not re.search("PASSWORD|SECRET", name), name
            assert not re.search("://[^/@]+:[^/@]+@", str(value)), name


def test_the_image_does_not_run_as_root():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert lines.index("USER muster") < next(
        place for place, line in enumerate(lines) if line.startswith("CMD")
    )


def test_secrets_are_kept_out_of_the_image_and_the_repository():
    for name in (".dockerignore", ".gitignore"):
        lines = {line.strip("/") for line in (ROOT / name).read_text().splitlines()}
        assert {".env", "secrets", "var", ".venv"} <= lines


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ("muster.example,other", "muster.example"),
        (".muster.example", "muster.example"),
        ("*", "localhost"),
        ("", "localhost"),
    ],
)
def test_the_probe_asks_under_a_name_that_is_allowed(allowed, expected):
    assert probe.host_name(allowed) == expected


@pytest.mark.django_db
def test_the_probe_tells_the_well_from_the_unwell(live_server, settings):
    assert probe.main(f"{live_server.url}/health/live") == 0
    assert probe.main(f"{live_server.url}/health/worker") == 1


@pytest.mark.django_db
def test_the_command_line_tells_who_is_well(capsys):
    heartbeat()
    call_command("health")
    assert "worker: last heartbeat" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_command_line_fails_when_somebody_is_unwell():
    with pytest.raises(CommandError, match=r"Unhealthy: worker\."):
        call_command("health", "database", "worker")


def test_an_unknown_component_is_named():
    with pytest.raises(CommandError, match="kettle"):
        call_command("health", "kettle")


def test_what_has_to_run_can_be_run():
    assert os.access(ROOT / "manage.py", os.X_OK)
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_everything_the_readme_points_to_is_there():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []
