"""A campaign's pages with a thousand battles, against bare SQL that reads the same rows."""

from functools import partial
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scripts.bench.bare import Statement, bare_connection, read
from scripts.bench.findings import Finding, at_most_count, at_most_times
from scripts.bench.timing import side_by_side
from scripts.bench.world import World

MOST_QUERIES = 12


def page_findings(world: World, battles: int, turns: int) -> list[Finding]:
    """Queries and time of a campaign's overview, of its battles, and of the same list in the API."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(world.alice, backend="django.contrib.auth.backends.ModelBackend")
    key = str(world.campaign.pk)
    addresses = {
        "Campaign's page": reverse("campaigns:campaign", args=[key]),
        "Campaign's battles": reverse("battles:campaign", args=[key]),
        "The same in the API": f"{reverse('battle-list')}?campaign={key}",
    }
    return [
        finding
        for name, address in addresses.items()
        for finding in _of_page(f"{name}, {battles:,} battles", client, address, turns)
    ]


def _of_page(what: str, client: Client, address: str, turns: int) -> list[Finding]:
    _open(client, address)
    with CaptureQueriesContext(connection) as asked:
        _open(client, address)
    queries = [query["sql"] for query in asked]
    reads = [Statement(query) for query in queries if query.startswith("SELECT")]
    with bare_connection() as bare:
        pair = side_by_side(partial(_open, client, address), partial(read, bare, reads), turns)
    return [
        at_most_count(what, len(queries), MOST_QUERIES, "queries"),
        at_most_times(f"{what}, time", pair, None, "bare SQL"),
    ]


def _open(client: Client, address: str) -> Any:
    answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} was answered with {answer.status_code}.")
    return answer
