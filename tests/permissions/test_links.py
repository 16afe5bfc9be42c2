"""Pages offer each reader only links that they may follow."""

import re
from collections import Counter, deque
from html import unescape
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import Resolver404, resolve

from tests.conftest import browser_of
from tests.permissions.conftest import PrivateWorld
from warbands.models import Fighter
from warbands.services.roster import adjust_fighter

pytestmark = pytest.mark.one_database

LINK = re.compile(r'<a\s[^>]*href="(/[^"#]*)')
HIDDEN = re.compile(r"<aside[^>]* hidden.*?</aside>", re.DOTALL)
"""The list of unsent entries of a live log, which is shown to somebody who has logged some."""
OF_EACH_VIEW = 4
"""The most addresses of a view that are opened: other rows, or other parameters."""


def broken_links(client: Client) -> list[str]:
    """Follow links from the home page. Return those that are not answered with a page or file."""
    broken, seen, opened = [], {"/"}, Counter[str]()
    waiting = deque([("/", "the start")])
    while waiting:
        address, page = waiting.popleft()
        answer = client.get(address)
        if answer.status_code >= 400:
            broken.append(f"{address} on {page}: {answer.status_code}")
        if answer.status_code != 200 or "text/html" not in answer.get("Content-Type", ""):
            continue
        for link in map(unescape, LINK.findall(HIDDEN.sub("", answer.content.decode()))):
            try:
                view = resolve(urlsplit(link).path).view_name
            except Resolver404:
                # Static files and the manual are served outside the routes of Django.
                continue
            if link not in seen and opened[view] < OF_EACH_VIEW:
                seen.add(link)
                opened[view] += 1
                waiting.append((link, address))
    return broken


@pytest.mark.parametrize("reader", ["alice", "bob", "dora", None])
def test_every_link_on_a_page_may_be_followed(
    private: PrivateWorld, alice: User, bob: User, dora: User, reader: str | None
) -> None:
    for fighter in Fighter.objects.filter(warband__enrolments__campaign=private.campaign):
        adjust_fighter(fighter_id=fighter.pk, user=alice, experience=30, reason="For the song")
    users = {"alice": alice, "bob": bob, "dora": dora}
    client = browser_of(users[reader]) if reader else Client()
    assert broken_links(client) == []
