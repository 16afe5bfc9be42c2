"""A campaign's pages with a thousand battles, against bare SQL that reads the same rows."""

from functools import partial
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from battles.models import BattleState
from scripts.bench.bare import Statement, bare_connection, read
from scripts.bench.findings import Finding, at_most_count, at_most_times
from scripts.bench.timing import side_by_side
from scripts.bench.world import World

MAX_QUERIES, MAX_OF_ONE = 12, 24


def page_findings(world: World, battles: int, turns: int) -> list[Finding]:
    """Return the findings for pages with many battles: queries and time.

    The pages are a campaign's overview, battles (also in the API) and honours, all battles, one
    battle, the search, and a warband and a fighter who fought in all battles.
    """
    client = Client(SERVER_NAME="localhost")
    client.force_login(world.alice, backend="django.contrib.auth.backends.ModelBackend")
    key = str(world.campaign.pk)
    addresses = {
        "Campaign's page": reverse("leagues:campaign", args=[key]),
        "Campaign's battles": reverse("battles:campaign", args=[key]),
        "The same in the API": f"{reverse('battle-list')}?campaign={key}",
        "Campaign's honours": reverse("leagues:honours", args=[key]),
        "Everybody's battles": reverse("battles:battles"),
    }
    warband = world.warbands[0]
    fighter, battles_of = warband.fighters.earliest("place"), world.campaign.battles
    battle = battles_of.filter(state=BattleState.CONFIRMED).latest("confirmed_at")
    going_on = battles_of.get(state=BattleState.UNDER_WAY)
    larger = {
        "A fighter's page": reverse("warbands:fighter", args=[fighter.pk]),
        "A warband's page": reverse("warbands:warband", args=[warband.pk]),
        "A battle's page": reverse("battles:battle", args=[battle.pk]),
        f"A battle under way, {going_on.events.count():,} events": reverse(
            "battles:battle", args=[going_on.pk]
        ),
        "Search by a name": f"{reverse('search:search')}?q={fighter.name}",
    }
    pages = [(name, address, MAX_QUERIES) for name, address in addresses.items()]
    pages += [(name, address, MAX_OF_ONE) for name, address in larger.items()]
    return [
        finding
        for name, address, most in pages
        for finding in _of_page(f"{name}, {battles:,} battles", client, address, turns, most)
    ]


def _of_page(what: str, client: Client, address: str, turns: int, most: int) -> list[Finding]:
    _open(client, address)
    with CaptureQueriesContext(connection) as captured:
        _open(client, address)
    queries = [query["sql"] for query in captured]
    reads = [Statement(query) for query in queries if query.startswith("SELECT")]
    with bare_connection() as bare:
        pair = side_by_side(partial(_open, client, address), partial(read, bare, reads), turns)
    return [
        at_most_count(what, len(queries), most, "queries"),
        at_most_times(f"{what}, time", pair, None, "bare SQL"),
    ]


def _open(client: Client, address: str) -> Any:
    answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} was answered with {answer.status_code}.")
    return answer
