"""The numbers of queries in `query_counts.toml`: none has grown, whatever there is to show."""

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles.models import Battle
from campaigns.models import Campaign
from campaigns.services.journal import write_entry
from clubs.models import Club
from core.page_cache import COMPUTED
from documents.models import DocumentKind
from documents.services.requesting import request_document
from home.selectors.cards import inbox_of
from leagues.selectors.honours import deeds_of
from tests.conftest import api_of, browser_of
from tests.pages import world
from tests.pages.test_query_counts import many_battles
from warbands.models import Warband
from warbands.services.roster import NewFighter, recruit_fighters

pytestmark = pytest.mark.usefixtures("copies_of_pages")

FILE = Path(__file__).with_name("query_counts.toml")
Counts = dict[str, list[int]]


class Season:
    """Alice's club with Bob: two warbands, a campaign, and battles in every state."""

    def __init__(self, alice: User, bob: User) -> None:
        self.alice, self.bob = alice, bob
        self.club: Club = world.club_of(alice, players=[bob])
        self.guards = world.guards(alice)
        self.haufen = world.landsknechts(bob)
        self.both: tuple[Warband, Warband] = (self.guards, self.haufen)
        self.campaign: Campaign = world.campaign_of(self.club, alice, *self.both)
        self.battle: Battle = world.confirmed_battle(alice, alice, self.campaign, *self.both)
        self.live: Battle = world.begun_battle(alice, self.campaign, *self.both)
        self.document = request_document(
            user=alice, kind=DocumentKind.BATTLE, subject=self.battle.pk
        )

    def grow(self) -> None:
        """Make more of everything that a page can show."""
        many_battles(self.campaign, self.alice, list(self.both), 40)
        recruits = [NewFighter(build={"profile": "ruffian"}, name="Ruffian", count=6)]
        recruit_fighters(
            warband_id=self.guards.pk, fighters=recruits, user=self.alice, overrule="More hands"
        )
        for place in range(3):
            write_entry(campaign_id=self.campaign.pk, user=self.alice, text=f"Page {place}")
            other = world.guards(self.alice, f"Compagnie {place}")
            campaign = world.campaign_of(self.club, self.alice, other, running=False)
            request_document(user=self.alice, kind=DocumentKind.CAMPAIGN, subject=campaign.pk)
            world.evening_of(self.club, self.alice, place + 1)
        world.confirmed_battle(self.alice, self.alice, self.campaign, *self.both)

    def addresses(self) -> dict[str, str]:
        """Return the addresses of pages and API reads by their names in the file."""
        campaign, battle, live = (each.pk for each in (self.campaign, self.battle, self.live))
        warband, fighter = self.guards.pk, world.named("Jussac").pk
        pages = {
            "home": "/",
            "club": f"/clubs/{self.club.pk}/",
            "campaign": f"/campaigns/{campaign}/",
            "standings": f"/campaigns/{campaign}/standings/",
            "campaign's battles": f"/campaigns/{campaign}/battles/",
            "battles": "/battles/",
            "battle": f"/battles/{battle}/",
            "live log": f"/battles/{live}/table/",
            "warband": f"/warbands/{warband}/",
            "fighter": f"/fighters/{fighter}/",
            "documents": "/documents/",
            "search": "/search/?q=compagnie",
            "badge": "/rulesets/",
        }
        reads = {
            "campaign": f"campaigns/{campaign}/",
            "standings": f"campaigns/{campaign}/standings/",
            "battles": f"battles/?campaign={campaign}",
            "battle": f"battles/{battle}/",
            "log": f"battles/{live}/events/",
            "warband": f"warbands/{warband}/",
            "fighter": f"fighters/{fighter}/",
            "inbox": "me/inbox/",
        }
        return pages | {f"API: {name}": f"/api/v1/{path}" for name, path in reads.items()}


@pytest.fixture
def season(alice: User, bob: User) -> Season:
    return Season(alice, bob)


def counted(user: User, address: str) -> list[int]:
    """Return the number of queries with an empty cache, and of the same request again."""
    client: Any = (api_of if address.startswith("/api/") else browser_of)(user)
    cache.clear()
    caches["pages"].clear()
    deeds_of.cache_clear()
    COMPUTED.clear()
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == 200
        counts.append(len(seen))
    return counts


def allowed() -> Counts:
    """Return the numbers of the file."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def compare(counts: Counts) -> None:
    """Fail if a number has grown; write the numbers if that is asked for."""
    if "UPDATE_QUERY_COUNTS" in os.environ:
        write(allowed() | counts)
    numbers = allowed()
    grown = {
        name: f"cold, warm: {count}, allowed: {numbers.get(name)}"
        for name, count in counts.items()
        if any(now > most for now, most in zip(count, numbers.get(name, [0, 0]), strict=True))
    }
    assert grown == {}


def write(counts: Counts) -> None:
    """Write the numbers, below the comments of the file."""
    comments = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line[:1] == "#"]
    lines = [f'"{name}" = {count}' for name, count in counts.items()]
    FILE.write_text("\n".join([*comments, "", *lines, ""]), encoding="utf-8")


# On SQLite, the content of rows is compared, by a statement for each table.
@pytest.mark.postgres
def test_no_page_or_read_takes_more_queries_than_in_the_file(season: Season) -> None:
    addresses = season.addresses()
    season.grow()
    small = {name: counted(season.alice, address) for name, address in addresses.items()}
    season.grow()
    large = {name: counted(season.alice, address) for name, address in addresses.items()}
    assert large == small, "a number depends on how much there is"
    compare(large)


@pytest.mark.postgres
def test_no_write_takes_more_queries_than_in_the_file(season: Season) -> None:
    evening = world.evening_of(season.club, season.alice, 1)
    fighter = world.named("Jussac").pk
    writes: dict[str, tuple[str, str, dict[str, str]]] = {
        "club": ("patch", f"clubs/{season.club.pk}/", {"story": "A story"}),
        "campaign": ("patch", f"campaigns/{season.campaign.pk}/", {"story": "A story"}),
        "battle": ("patch", f"battles/{season.battle.pk}/", {"story": "A story"}),
        "warband": ("patch", f"warbands/{season.guards.pk}/", {"name": "The Guards"}),
        "fighter": ("patch", f"fighters/{fighter}/", {"name": "Old Jussac"}),
        "answer": ("post", f"evenings/{evening.pk}/answer/", {"answer": "coming"}),
    }
    client: Any = api_of(season.alice)
    counts: Counts = {}
    for name, (method, path, data) in writes.items():
        sent: dict[str, Any] = {**data}
        if name == "campaign":
            sent["version"] = Campaign.objects.get(pk=season.campaign.pk).version
        with CaptureQueriesContext(connection) as seen:
            answer = getattr(client, method)(f"/api/v1/{path}", sent, format="json")
        assert answer.status_code == 200, answer.content
        counts[f"write: {name}"] = [len(seen), 0]
    compare(counts)


@pytest.mark.postgres
@pytest.mark.parametrize(("tasks", "name"), [(0, "home, nothing to do"), (10, "home, ten tasks")])
def test_home_takes_the_queries_of_the_file(
    tasks: int, name: str, season: Season, make_user: Callable[[str], User]
) -> None:
    reader = season.bob if tasks else make_user("erin")
    # The battle under way is one of the tasks.
    for _ in range(tasks - 1):
        world.submitted_battle(season.alice, season.campaign, *season.both)
    assert inbox_of(reader).number == tasks
    compare({name: counted(reader, "/")})


def test_a_number_that_has_grown_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "query_counts.toml"
    file.write_text('# A comment.\n"home" = [4, 3]\n', encoding="utf-8")
    monkeypatch.setattr("tests.bench.test_counted_queries.FILE", file)
    monkeypatch.delenv("UPDATE_QUERY_COUNTS", raising=False)
    compare({"home": [4, 2]})
    for counts in ([5, 3], [4, 4]):
        with pytest.raises(AssertionError, match="home"):
            compare({"home": counts})
    with pytest.raises(AssertionError, match="new page"):
        compare({"new page": [1, 1]})
    write({"home": [2, 1]})
    assert file.read_text(encoding="utf-8") == '# A comment.\n\n"home" = [2, 1]\n'
