"""The phones of signed-in users, for all tests that drive a browser."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, Page, ViewportSize

from battles.models import Battle
from tests.conftest import PASSWORD
from tests.live import PATIENCE

PHONE: ViewportSize = {"width": 390, "height": 844}
Phone = Callable[..., Page]
"""Takes a user name, ``at`` for the page after signing in, and options of the browser context."""


def table_of(battle: Battle) -> str:
    """Return the path of the live log of a battle."""
    return f"/battles/{battle.pk}/table/"


@pytest.fixture
def live_server(transactional_db: None, live_server: Any) -> Iterator[Any]:
    """Return the server; after the test and its browsers, wait for the requests that still run.

    The database is emptied next, which would lock with them, and leave rows to the next test.
    """
    running: set[int] = set()

    def start(environ: dict[str, Any], **_: Any) -> None:
        running.add(threading.get_ident())

    def end(**_: Any) -> None:
        running.discard(threading.get_ident())

    request_started.connect(start)
    request_finished.connect(end)
    try:
        yield live_server
        deadline = time.monotonic() + PATIENCE
        while running and time.monotonic() < deadline:
            time.sleep(0.02)
    finally:
        request_started.disconnect(start)
        request_finished.disconnect(end)


@pytest.fixture
def phone(browser: Browser, live_server: Any) -> Iterator[Phone]:
    """Return a function that opens a phone and signs a user in."""
    contexts = []

    def sign_in(name: str, *, at: str = "", **options: Any) -> Page:
        contexts.append(
            browser.new_context(base_url=live_server.url, **{"viewport": PHONE, **options})
        )
        page = contexts[-1].new_page()
        # The machine may be busy, so use long timeouts.
        page.set_default_timeout(PATIENCE * 1000 / 2)
        page.goto(f"/accounts/login/?next={at}" if at else "/accounts/login/")
        page.get_by_label("User name or e-mail address").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        return page

    yield sign_in
    for context in contexts:
        context.close()


@pytest.fixture
def table_phone(phone: Phone, battle: Battle) -> Phone:
    """Return a function that opens a phone on the live log of the test's battle."""
    return partial(phone, at=table_of(battle))
