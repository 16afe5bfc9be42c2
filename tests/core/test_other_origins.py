"""Pages of other sites read the API from browsers if ``CORS_ORIGINS`` names them."""

import pytest
from django.conf import settings
from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

CLUB = "https://club.example"
ALLOWED = "Access-Control-Allow-Origin"


@pytest.fixture
def named(settings):
    settings.CORS_ALLOWED_ORIGINS = [CLUB]
    settings.MIDDLEWARE = ["corsheaders.middleware.CorsMiddleware", *settings.MIDDLEWARE]


def test_named_site_reads_the_api(named, client: Client) -> None:
    answer = client.get("/api/v1/rulesets/", headers={"Origin": CLUB})
    assert (answer.status_code, answer[ALLOWED]) == (200, CLUB)
    assert "ETag" in answer["Access-Control-Expose-Headers"]
    # Browsers send no cookie and show none of a signed-in member's answers.
    assert "Access-Control-Allow-Credentials" not in answer


def test_named_site_may_send_a_token(named, client: Client) -> None:
    preflight = {
        "Origin": CLUB,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    answer = client.options("/api/v1/battles/report/", headers=preflight)
    assert (answer.status_code, answer[ALLOWED]) == (200, CLUB)
    assert "authorization" in answer["Access-Control-Allow-Headers"]


def test_other_sites_and_other_pages_get_nothing(named, client: Client) -> None:
    others = {"Origin": "https://other.example"}
    assert ALLOWED not in client.get("/api/v1/rulesets/", headers=others)
    assert ALLOWED not in client.get("/rulesets/", headers={"Origin": CLUB})


def test_without_the_setting_nobody_is_named(client: Client) -> None:
    assert "corsheaders.middleware.CorsMiddleware" not in settings.MIDDLEWARE
    assert ALLOWED not in client.get("/api/v1/rulesets/", headers={"Origin": CLUB})
