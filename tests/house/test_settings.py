"""The two modes: what each needs, and what follows from it. Settings are read in a process of their
own."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from config.environment import kept_secret_key

ROOT = Path(__file__).parents[2]
SERVER = {
    "MUSTER_MODE": "server",
    "SECRET_KEY": "a-secret-key-that-is-long-enough-for-anybody-0123456789",
    "ALLOWED_HOSTS": "muster.example",
    "DATABASE_URL": "postgres://muster@db/muster",
    "CELERY_BROKER_URL": "redis://broker/0",
    "CACHE_URL": "redis://broker/1",
}
ASK = """
import json, sys
from config import settings
print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}, default=str))
"""


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    bare = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=bare | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def ask(environment: dict[str, str], *names: str) -> dict[str, Any]:
    done = run(environment, "-c", ASK, *names)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture
def var(tmp_path: Path) -> dict[str, str]:
    return {"VAR_DIR": str(tmp_path / "var")}


def test_without_any_environment_muster_is_embedded(var, tmp_path):
    settings = ask(var, "SERVER", "DEBUG", "DATABASES", "CELERY_BROKER_URL", "SECURE_SSL_REDIRECT")
    assert settings["SERVER"] is settings["DEBUG"] is settings["SECURE_SSL_REDIRECT"] is False
    assert settings["DATABASES"]["default"]["NAME"] == str(tmp_path / "var" / "muster.sqlite3")
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert settings["CELERY_BROKER_URL"].startswith("files:")


def test_the_embedded_secret_key_is_made_once_and_kept(var, tmp_path):
    first, second = (ask(var, "SECRET_KEY")["SECRET_KEY"] for _ in range(2))
    assert first == second
    assert len(first) > 50
    assert (tmp_path / "var" / "secret_key").stat().st_mode & 0o077 == 0


def test_only_the_owner_can_enter_the_embedded_folder_and_read_its_keys(var, tmp_path):
    """Also when the folder was there before, or a key was copied into it."""
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o755)
    for name in ("secret_key", "vapid_key"):
        (folder / name).write_text(f"the {name} of another machine")
        (folder / name).chmod(0o644)
    assert ask(var, "SECRET_KEY")["SECRET_KEY"] == "the secret_key of another machine"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {
        stat.S_IMODE((folder / name).stat().st_mode) for name in ("secret_key", "vapid_key")
    } == {0o600}


def test_a_folder_that_everyone_shares_is_refused_and_left_open(var, tmp_path):
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o1777)
    refused = run(var, "-c", ASK, "MODE")
    assert refused.returncode == 1
    assert "which everyone on this machine shares" in refused.stderr
    assert stat.S_IMODE(folder.stat().st_mode) == 0o1777


def test_a_key_that_cannot_be_closed_to_others_is_refused(monkeypatch, tmp_path):
    (tmp_path / "secret_key").write_text("a key")
    (tmp_path / "secret_key").chmod(0o644)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(ImproperlyConfigured, match="chmod 600"):
        kept_secret_key(tmp_path)


def test_a_server_leaves_its_folder_as_it_is(var, tmp_path):
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o755)
    ask(var | SERVER, "MODE")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


@pytest.mark.parametrize("name", [name for name in SERVER if name != "MUSTER_MODE"])
def test_a_server_does_not_start_without(name, var):
    environment = {key: value for key, value in (SERVER | var).items() if key != name}
    done = run(environment, "-c", ASK)
    assert done.returncode != 0
    assert f"{name} is required" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOWED_HOSTS", "https://muster.example"),
        ("CORS_ORIGINS", "https://club.example,other.example"),
        ("CSRF_TRUSTED_ORIGINS", "https://muster.example/clubs"),
        ("DISCORD_PUBLIC_KEY", "0123"),
        ("REPLICA_URL", "sqlite:////srv/replica"),
        ("SECURITY_CONTACT", "security@muster.example"),
        ("SITE_URL", "muster.example"),
        ("TIME_ZONE", "Europe/Nowhere"),
    ],
)
def test_invalid_value_stops_the_start_and_is_named(name, value, var):
    done = run(SERVER | var | {name: value}, "-c", "from config import settings")
    assert done.returncode != 0
    assert f"The environment variable {name} should" in done.stderr


def test_server_for_all_hosts_needs_its_address(var):
    everywhere = SERVER | var | {"ALLOWED_HOSTS": "*"}
    assert "SITE_URL is required" in run(everywhere, "-c", "from config import settings").stderr
    site = everywhere | {"SITE_URL": "https://muster.example/"}
    assert ask(site, "SITE_URL") == {"SITE_URL": "https://muster.example"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("SECRET_KEY", "too-short"), ("METRICS_TOKEN", "guess"), ("TASK_REDELIVERY", "10")],
)
def test_web_server_does_not_start_with_a_harmful_value(name, value, var):
    done = run(SERVER | var | {name: value}, "-c", "import config.wsgi")
    assert done.returncode != 0
    assert f"ImproperlyConfigured: {name} " in done.stderr


def test_a_server_makes_no_secret_key_of_its_own(var, tmp_path):
    ask(SERVER | var, "SECRET_KEY")
    assert not (tmp_path / "var" / "secret_key").exists()


def test_a_server_speaks_https_unless_told_otherwise(var):
    names = (
        "SECURE_SSL_REDIRECT",
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS",
    )
    assert all(ask(SERVER | var, *names).values())
    assert not any(ask(SERVER | var | {"HTTPS": "no"}, *names).values())


def test_forwarded_headers_are_believed_only_behind_a_proxy(var):
    assert ask(SERVER | var, "SECURE_PROXY_SSL_HEADER")["SECURE_PROXY_SSL_HEADER"] is None
    behind = ask(SERVER | var | {"PROXIES": "1"}, "SECURE_PROXY_SSL_HEADER", "REST_FRAMEWORK")
    assert behind["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]
    assert behind["REST_FRAMEWORK"]["NUM_PROXIES"] == 1


def test_the_database_plans_once_what_is_asked_often_unless_a_pooler_stands_before_it(var):
    def often(**change: str) -> int | None:
        options = ask(SERVER | var | change, "DATABASES")["DATABASES"]["default"]["OPTIONS"]
        prepare_threshold: int | None = options["prepare_threshold"]
        return prepare_threshold

    assert often() == 1
    assert often(DATABASE_PREPARED_STATEMENTS="no") is None


def test_a_task_is_not_handed_out_again_while_it_may_still_run(var):
    settings = ask(SERVER | var, "CELERY_TASK_TIME_LIMIT", "CELERY_BROKER_TRANSPORT_OPTIONS")
    assert (
        settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]
        > settings["CELERY_TASK_TIME_LIMIT"]
    )


def test_tasks_use_the_password_of_redis(var):
    environment = SERVER | var | {"REDIS_PASSWORD": "hush/hush"}
    urls = "from config.celery import app; "
    urls += (
        "print(*(c().as_uri(True) for c in (app.connection_for_read, app.connection_for_write)))"
    )
    done = run(environment, "-c", urls)
    assert done.stdout.split() == ["redis://:hush%2Fhush@broker:6379/0"] * 2, done.stderr


def test_the_mode_must_be_one_of_two(var):
    done = run(var | {"MUSTER_MODE": "club"}, "-c", ASK)
    assert "embedded, server" in done.stderr


def test_a_good_server_passes_the_deployment_check(var):
    done = run(
        SERVER | var | {"EMAIL_HOST": "mail.example"},
        "manage.py",
        "check",
        "--deploy",
        "--fail-level",
        "WARNING",
    )
    hsts = "security.W005"
    assert done.returncode == 0 or hsts in done.stderr, done.stderr


def test_every_static_file_that_another_one_points_to_is_there(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (tmp_path / "static" / "staticfiles.json").exists()


HURTS = {
    "config.E001": {"DATABASE_URL": "sqlite:///club.sqlite3"},
    "config.E002": {"CELERY_BROKER_URL": "files://localhost"},
    "config.E003": {"SECRET_KEY": "short"},
    "config.W001": {"EMAIL_HOST": ""},
    "config.W002": {"DEBUG": "yes"},
}


def test_all_dangerous_settings_are_named_at_once(var):
    change = {name: value for setting in HURTS.values() for name, value in setting.items()}
    done = run(SERVER | var | change, "manage.py", "check", "--fail-level", "WARNING")
    assert done.returncode != 0
    assert {name for name in HURTS if name in done.stderr} == {*HURTS}


def test_what_would_hurt_is_named_alone(var):
    done = run(
        SERVER | var | {"TASK_REDELIVERY": "60"}, "manage.py", "check", "--fail-level", "WARNING"
    )
    assert done.returncode != 0
    assert {name for name in (*HURTS, "config.E004") if name in done.stderr} == {
        "config.W001",
        "config.E004",
    }
