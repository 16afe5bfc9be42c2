"""Health: who is well, and who is not."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.utils.timezone import now

from operations import health
from operations.tasks import heartbeat
from tests.queue import use_queue

pytestmark = pytest.mark.django_db


def test_a_web_process_that_answers_is_alive(client):
    assert client.get("/health/live").json() == {"healthy": True}


def test_all_is_well_when_database_migrations_broker_and_cache_are_there(client):
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json()["components"].keys() == {
        "database",
        "migrations",
        "static",
        "broker",
        "cache",
        "store",
    }


def test_a_database_that_does_not_answer_makes_muster_unready(client, monkeypatch):
    def refuse(*_):
        raise OperationalError("password authentication failed for user muster")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert answer.json()["components"]["database"] == {
        "healthy": False,
        "detail": "does not answer",
    }
    assert "password" not in answer.content.decode()


def test_without_a_replica_its_health_check_passes(client):
    answer = client.get("/health/replica")
    assert answer.status_code == 200
    assert "REPLICA_URL" in answer.json()["components"]["replica"]["detail"]


@pytest.mark.parametrize(
    ("behind", "healthy", "detail"),
    [
        (0, True, "follows the first server, 0 bytes behind"),
        (2048, True, "follows the first server, 2048 bytes behind"),
        (None, False, "follows no server: pages are read from the first server"),
        (OperationalError("gone"), False, "does not answer: pages are read from the first server"),
    ],
)
def test_health_of_the_replica(settings, monkeypatch, behind, healthy, detail):
    def bytes_behind() -> int | None:
        if isinstance(behind, Exception):
            raise behind
        return behind

    monkeypatch.setitem(settings.DATABASES, "replica", {})
    monkeypatch.setattr(health, "bytes_behind", bytes_behind)
    assert health.examine("replica") == {"replica": {"healthy": healthy, "detail": detail}}


def test_a_missing_migration_makes_muster_unready(client, monkeypatch):
    names = health.migration_names()
    monkeypatch.setattr(health, "migration_names", lambda: names | {("core", "0002_next")})
    answer = client.get("/health/migrations")
    assert answer.status_code == 503
    assert "1 not applied" in answer.json()["components"]["migrations"]["detail"]


def test_a_server_whose_static_files_were_not_collected_is_unready(client, settings, tmp_path):
    settings.SERVER, settings.STATIC_ROOT = True, tmp_path
    assert "collectstatic" in client.get("/health/ready").json()["components"]["static"]["detail"]
    assert client.get("/health/ready").status_code == 503
    (tmp_path / health.MANIFEST).write_text("{}")
    assert client.get("/health/ready").status_code == 200


def test_a_broker_that_nobody_hears_is_unwell(client):
    use_queue("redis://127.0.0.1:1/0", {"socket_connect_timeout": 1})
    answer = client.get("/health/broker")
    assert answer.status_code == 503
    assert answer.json()["components"]["broker"] == {
        "healthy": False,
        "detail": "does not answer: background tasks are delayed",
    }


def test_a_worker_that_was_never_heard_of_is_unwell(client):
    assert client.get("/health/worker").status_code == 503


def test_a_worker_that_takes_the_heartbeat_is_well(client):
    heartbeat()
    assert client.get("/health/worker").status_code == 200


def test_a_worker_that_has_fallen_silent_is_unwell(client, settings):
    silence = settings.WORKER_SILENCE_LIMIT + timedelta(seconds=1)
    cache.set(health.HEARTBEAT, (now() - silence).isoformat())
    answer = client.get("/health/worker")
    assert answer.status_code == 503
    assert "no heartbeat" in answer.json()["components"]["worker"]["detail"]


def test_an_unknown_component_is_not_found(client):
    assert client.get("/health/kettle").status_code == 404


def test_health_is_never_cached(client):
    assert "no-store" in client.get("/health/live")["Cache-Control"]


@pytest.mark.worker
def test_a_live_worker_is_heard_of(client, worker):
    assert client.get("/health/worker").status_code == 200
    worker.kill()
    health.cache.delete(health.HEARTBEAT)
    assert client.get("/health/worker").status_code == 503
