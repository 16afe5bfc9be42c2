"""Container files, examples and tables agree with the settings, as far as that can be seen without an engine."""

import ast
import os
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from config.tasks import heartbeat
from scripts import probe

ROOT = Path(__file__).parents[2]
# Variables that other programs read.
FOREIGN = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE", "SITES"}
OF_COMPOSE = {"COMPOSE_PROFILES"}


def variables_of_the_settings() -> set[str]:
    """The name in every call of a function of `config.environment`, and the one that `database` makes."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    ours = (call for call in calls if ast.unparse(call.func).startswith("env."))
    return {ast.literal_eval(call.args[0]) for call in ours} | {"DATABASE_PASSWORD"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return found


def test_the_example_names_every_variable_and_no_other():
    lines = (ROOT / ".env.example").read_text().splitlines()
    named = [line.partition("=")[0] for line in lines if line and not line.startswith("#")]
    assert sorted(named) == sorted(variables_of_the_settings() | OF_COMPOSE)


def test_the_table_names_every_variable_and_no_other():
    table = (ROOT / "docs" / "running.md").read_text().partition("## Variables")[2]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall("`([A-Z_]+)`", " ".join(cells))) == sorted(variables_of_the_settings())


def test_the_containers_set_only_variables_that_something_reads(compose):
    known = variables_of_the_settings() | {f"{name}_FILE" for name in variables_of_the_settings()} | FOREIGN
    for service in compose["services"].values():
        assert service.get("environment", {}).keys() <= known


@pytest.mark.parametrize("name", ["web", "worker", "beat", "backup", "migrate", "database", "redis"])
def test_the_server_has_all_its_parts(compose, name):
    assert name in compose["services"]


def test_whatever_stays_up_has_a_health_check(compose):
    dockerfile = (ROOT / "Dockerfile").read_text()
    for name, service in compose["services"].items():
        of_the_image = service["image"].startswith("muster") and "HEALTHCHECK" in dockerfile
        assert service.get("restart") == "no" or "healthcheck" in service or of_the_image, name


def test_every_volume_and_secret_in_use_is_declared(compose):
    for service in compose["services"].values():
        volumes = {volume.partition(":")[0] for volume in service.get("volumes", []) if volume[0] != "."}
        assert volumes <= compose["volumes"].keys()
        assert set(service.get("secrets", [])) <= compose["secrets"].keys()


def test_there_is_one_clock_and_it_is_not_in_the_worker(compose):
    commands = [service.get("command") or [] for service in compose["services"].values()]
    assert [command for command in commands if "beat" in command] == [compose["services"]["beat"]["command"]]
    assert not any("--beat" in command for command in commands)


def test_caddy_alone_is_reached_from_outside_and_the_web_server_from_this_machine(compose):
    ports = {name: service["ports"] for name, service in compose["services"].items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"], "caddy": ["80:80", "443:443", "443:443/udp"]}


def test_no_secret_stands_in_the_files(compose):
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            assert name.endswith("_FILE") or not re.search("PASSWORD|SECRET", name), name
            assert not re.search("://[^/@]+:[^/@]+@", str(value)), name


def test_the_image_does_not_run_as_root():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert lines.index("USER muster") < next(place for place, line in enumerate(lines) if line.startswith("CMD"))


def test_secrets_are_kept_out_of_the_image_and_the_repository():
    for name in (".dockerignore", ".gitignore"):
        lines = {line.strip("/") for line in (ROOT / name).read_text().splitlines()}
        assert {".env", "secrets", "var", ".venv"} <= lines


@pytest.mark.parametrize(
    ("allowed", "asked"),
    [
        ("muster.example,other", "muster.example"),
        (".muster.example", "muster.example"),
        ("*", "localhost"),
        ("", "localhost"),
    ],
)
def test_the_probe_asks_under_a_name_that_is_allowed(allowed, asked):
    assert probe.host_name(allowed) == asked


@pytest.mark.django_db
def test_the_probe_tells_the_well_from_the_unwell(live_server, settings):
    assert probe.main(f"{live_server.url}/health/live") == 0
    assert probe.main(f"{live_server.url}/health/worker") == 1


@pytest.mark.django_db
def test_the_command_line_tells_who_is_well(capsys):
    heartbeat()
    call_command("health")
    assert "worker: heard of" in capsys.readouterr().out


@pytest.mark.django_db
def test_the_command_line_fails_when_somebody_is_unwell():
    with pytest.raises(CommandError, match=r"Unwell: worker\."):
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
