"""Search engines learn what to leave out, and every request for an icon gets it."""

from urllib.robotparser import RobotFileParser

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.one_database


def test_robots_leave_out_what_is_private(client: Client, db: None) -> None:
    answer = client.get("/robots.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    rules = RobotFileParser()
    rules.parse(answer.content.decode().splitlines())
    for address in (
        "/account/data/",
        "/accounts/login/",
        "/admin/",
        "/api/v1/docs/",
        "/join/key/",
        "/search/?q=a",
    ):
        assert not rules.can_fetch("*", address), address
    for address in ("/", "/rulesets/en-garde/", "/warbands/", "/clubs/8a/"):
        assert rules.can_fetch("*", address), address


def test_favicon_leads_to_the_icon(client: Client, db: None) -> None:
    answer = client.get("/favicon.ico")
    assert (answer.status_code, answer["Location"]) == (302, "/static/site/favicon.svg")
    assert finders.find("site/favicon.svg")


def test_admin_site_is_titled_muster(client: Client, db: None) -> None:
    client.force_login(User.objects.create_superuser("root", "root@example.org", "secret"))
    page = client.get("/admin/").content.decode()
    assert "| Muster</title>" in page
    assert "Django" not in page


def test_api_docs_lead_back_to_muster(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    assert "<title>API · Muster</title>" in page
    assert '<a href="/">Back to Muster</a>' in page
