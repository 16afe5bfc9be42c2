"""Fixtures with other processes: a Celery worker on the test database, and a browser."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as configured
from django.db import connection
from playwright.sync_api import Browser, BrowserType, Page, expect, sync_playwright

from config.celery import PATIENCE as PATIENCE_OF_SENDERS
from operations.health import last_heartbeat
from tests.queue import use_queue

PATIENCE = 180
"""The timeout in seconds for another process on a busy machine."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def eventually(question: Callable[[], Any], within: float = PATIENCE) -> Any:
    """Return the first truthy answer. Fail if there is none within this time in seconds."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        answer = question()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{question} was not true within {within} seconds")


class LiveWorker:
    """A Celery worker with one child, in its own process group and with its own queue."""

    def __init__(self, folder: Path, files: Path, queue: str) -> None:
        self.queue = queue
        self.log = folder / "worker.log"
        self.environment = {
            **os.environ,
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(folder),
            "FILES_DIR": str(files),
            "TASK_QUEUE": queue,
            "WORKER_CONCURRENCY": "1",
            "CACHE_URL": "",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **environment: str) -> None:
        """Start the worker, and wait until it has done its first task."""
        before = last_heartbeat()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "celery",
                    "-A",
                    "config",
                    "worker",
                    "--without-gossip",
                    "--without-mingle",
                ],
                env=self.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        eventually(lambda: self._gone() or last_heartbeat() != before)
        if self._gone():
            pytest.fail(f"The worker did not start:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Kill the worker and its child at once, like a power cut."""
        if self.process:
            self._signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def stop(self) -> None:
        """Ask the worker to finish its current task and exit."""
        if self.process:
            self.process.terminate()
            self.process.wait(PATIENCE)
            self.process = None

    def _gone(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self.process.pid if self.process else 0, number)
        except ProcessLookupError:
            return


def database_url() -> str:
    """Return the URL of the current test database."""
    facts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{facts['NAME']}"
    return f"postgres://{facts['USER']}:{facts['PASSWORD']}@{facts['HOST']}:{facts['PORT']}/{facts['NAME']}"


@pytest.fixture
def worker(
    transactional_db: None,
    own_world: None,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[LiveWorker]:
    """Run a worker: another process does the tasks that the test sends through the real broker."""
    # Nothing resends here what a busy Redis does not accept within the usual short timeout.
    for each in ("socket_timeout", "socket_connect_timeout"):
        monkeypatch.setitem(PATIENCE_OF_SENDERS, each, PATIENCE)
    folder = tmp_path / "var"
    folder.mkdir(exist_ok=True)
    backend = "django.core.cache.backends.filebased.FileBasedCache"
    pages = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    settings.CACHES = {
        "default": {"BACKEND": backend, "LOCATION": folder / "cache"},
        "pages": pages,
    }
    live = LiveWorker(folder, Path(settings.MEDIA_ROOT), queue=f"test-{uuid4().hex}")
    use_queue(settings.CELERY_BROKER_URL, broker_options(folder), live.queue)
    try:
        live.start()
        yield live
    finally:
        live.kill()


def broker_options(folder: Path) -> dict[str, Any]:
    """Return the options of the configured broker; a file queue gets its own folder."""
    options = configured.CELERY_BROKER_TRANSPORT_OPTIONS
    return options | {"folder": str(folder / "broker")} if "folder" in options else dict(options)


def launch(chromium: BrowserType, **options: Any) -> Browser:
    """Start the distribution's own Chromium, with more options of Playwright."""
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        pytest.fail("There is no Chromium here: `make test` installs it on Debian and Ubuntu.")
    # Chromium's own sandbox does not work for root or inside most containers.
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    return chromium.launch(executable_path=program, args=arguments, **options)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the distribution's own Chromium."""
    # The default of five seconds is too short on a busy machine.
    expect.set_options(timeout=PATIENCE * 1000 / 3)
    # Playwright keeps an event loop in this thread, in which the tests use the database too.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = launch(playwright.chromium)
        yield chromium
        chromium.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Browser, live_server: Any) -> Iterator[Page]:
    """Open a new tab on the live server, to use as `page.goto("/")`.

    Errors in the console and blocked content fail the test.
    """
    context = browser.new_context(base_url=live_server.url)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on(
        "console",
        lambda line: complaints.append(line.text) if "Content Security" in line.text else None,
    )
    yield tab
    context.close()
    assert complaints == []
