"""Metrics for Prometheus: what is counted, by all processes together, and who can read it."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from celery import shared_task, signals
from django.test import Client
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from core import metrics

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-that-nobody-guesses-0123456789"
CHILD = """
import os, sys
from pathlib import Path
from django.conf import settings
settings.configure(METRICS_TOKEN="x", METRICS_DIR=Path(sys.argv[1]))
from core import metrics
metrics.document_made("battle", 2.0)
if os.fork() == 0:
    metrics.document_made("battle", 3.0)
    os._exit(0)
os.wait()
print("counted", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def on(settings: Any, tmp_path: Path) -> Iterator[Any]:
    """Turn metrics on for this process."""
    settings.METRICS_TOKEN, settings.METRICS_DIR = TOKEN, tmp_path / "metrics"
    settings.MIDDLEWARE = ["core.metrics.Measured", *settings.MIDDLEWARE]
    metrics.instruments.cache_clear()
    yield settings
    metrics.instruments.cache_clear()


def read(
    client: Client, token: str = TOKEN
) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Return the values by name and labels."""
    # Prometheus uses an address that is not among ALLOWED_HOSTS.
    answer = client.get(
        "/metrics", headers={"Authorization": f"Bearer {token}", "Host": "web:8000"}
    )
    assert answer.status_code == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    }


def labels(**named: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(named.items()))


@pytest.mark.django_db
def test_requests_are_counted_by_view_and_status(client, on):
    for _ in range(3):
        client.get(reverse("home"))
    client.get("/no/such/address-of-ottilie/")
    client.generic("BREW", "/")
    values = read(client)
    home = labels(view="home", method="GET", status="200")
    assert values["muster_request_seconds_count", home] == 3
    assert values["muster_request_seconds_sum", home] > 0
    nowhere = labels(view="none", method="GET", status="404")
    assert values["muster_request_seconds_count", nowhere] == 1
    assert not any("ottilie" in str(key) or "BREW" in str(key) for key in values)
    assert values["muster_database_queries_total", labels(view="home")] > 0


@pytest.mark.django_db
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}"])
def test_strangers_see_no_metrics(client, on, header):
    answer = client.get("/metrics", headers={"Authorization": header})
    assert answer.status_code == 404
    assert b"muster_request" not in answer.content


@pytest.mark.django_db
def test_without_a_token_there_are_no_metrics_and_nothing_is_imported(client, tmp_path):
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    ask = "import config.loading, sys; print([name for name in ('prometheus_client', 'sentry_sdk', 'core.metrics') if name in sys.modules])"
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"CELERY_BROKER_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.django_db
def test_all_processes_are_added_up_and_a_killed_one_leaves_its_numbers(client, on):
    metrics.document_made("battle", 1.0)
    key = ("muster_document_seconds_sum", labels(kind="battle"))
    for rounds in (1, 2):
        command = [sys.executable, "-c", CHILD, str(on.METRICS_DIR)]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as other:
            assert other.stdout
            assert other.stdout.readline() == "counted\n"
            other.send_signal(signal.SIGKILL)
        assert read(client)[key] == 1 + 5 * rounds
    # The second pair of processes went on in the files of the first.
    assert len(list(on.METRICS_DIR.glob("*.lock"))) == 3


@pytest.mark.django_db
def test_tasks_are_counted_with_their_result(client, on, monkeypatch):
    @shared_task
    def brew(fails: bool) -> None:
        if fails:
            raise ValueError("spilt")

    before = {
        each: list(each.receivers or ()) for each in (signals.task_prerun, signals.task_postrun)
    }
    metrics.measure_tasks()
    try:
        brew.apply(args=(False,))
        brew.apply(args=(True,))
    finally:
        for each, receivers in before.items():
            each.receivers = receivers
    values = read(client)
    for state in ("SUCCESS", "FAILURE"):
        assert values["muster_task_seconds_count", labels(task=brew.name, state=state)] == 1


@pytest.mark.django_db
def test_the_length_of_the_queue_is_read_when_asked(client, on, monkeypatch):
    monkeypatch.setattr(metrics, "queue_length", lambda: 7)
    assert read(client)["muster_queue_length", ()] == 7
    monkeypatch.setattr(metrics, "queue_length", lambda: None)
    values = read(client)
    assert values["muster_queue_up", ()] == 0
    assert ("muster_queue_length", ()) not in values


@pytest.mark.django_db
def test_queue_length_of_an_earlier_answer_is_not_repeated(client, on, monkeypatch):
    for length in (7, 0):
        monkeypatch.setattr(metrics, "queue_length", lambda length=length: length)
        lengths = {key: value for key, value in read(client).items() if "queue" in key[0]}
        assert lengths == {("muster_queue_up", ()): 1, ("muster_queue_length", ()): length}
    assert not list(on.METRICS_DIR.glob("gauge*"))


def test_queue_length_counts_the_messages_that_wait(tmp_path):
    ask = (
        "import config.loading; from config import celery_app as app; from core.metrics import queue_length as q; "
        "print(q()); [app.send_task('operations.tasks.heartbeat') for _ in range(2)]; print(q())"
    )
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"CELERY_BROKER_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["0", "2"], done.stderr


def test_the_dashboard_shows_metrics_that_exist():
    dashboard = json.loads((ROOT / "deploy/grafana/muster.json").read_text())
    names = {"muster_queue_length", "muster_queue_up"}
    for kind, name, _, _, _ in metrics.METRICS.values():
        endings = ("_total",) if kind == "counter" else ("_bucket", "_count", "_sum")
        names |= {name + ending for ending in endings}
    shown = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"muster_\w+", target["expr"])
    }
    assert shown <= names
    # Every metric has a panel.
    assert all(
        any(each.startswith(name) for each in shown) for _, name, *_ in metrics.METRICS.values()
    )
    places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
    assert len(set(places)) == len(places)


def test_the_example_for_prometheus_asks_where_the_metrics_are():
    (job,) = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text())[
        "scrape_configs"
    ]
    assert job["metrics_path"] == metrics.PATH
    assert job["authorization"]["type"] == "Bearer"
