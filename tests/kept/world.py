"""The small installation that a release keeps: the demonstration's club, played over HTTP.

It has campaigns of all four rule systems with battles that are confirmed, corrected, disputed and
under way, a league with rounds, a club night with pairings, an old season, a webhook, a token, and a
document.
"""

import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from rulebook.ruleset import LoggedEvent
from scripts.demo import campaigns, playing
from scripts.demo.__main__ import SEED, _open, _played
from scripts.demo.campaigns import REFEREES, DayPlan, SystemCampaign, campaign_plan
from scripts.demo.classic import play_classic
from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page, read_setup
from scripts.demo.mustering import client_id
from scripts.demo.people import PASSWORD, Club
from scripts.demo.plans import BattlePlan, season_plan
from scripts.demo.playing import Season
from scripts.demo.progress import Progress
from scripts.demo.referees.en_garde import referee

BATTLES = 3
"""The number of battles of the season; the third one is disputed."""
SECONDS = 120
DAYS = 3650
"""The lifetime of the kept token: the longest that the API gives."""
HOOK = "https://scoreboard.muster.invalid/hook"
"""An address that no network has: nothing is ever sent there."""
OLD_SEASON = """Kind,Season,Date,Player,Score,Opponent,Opponent score,Fighter,Points
Result,2019,2019-03-02,Margarete,12,Deniz,8,,300
Champion,2019,,Margarete,,,,,
Death,2019,,Deniz,,,,Selim of Buda,
"""


class Played(msgspec.Struct, frozen=True):
    """The played installation: its club, a warband with a history, a client that only reads, and the secret
    of the webhook."""

    club: Club
    warband: str
    reader: Client
    webhook_secret: str


def play(url: str, folder: Path, say: Progress) -> Played:
    """Play everything in an empty Muster. Raises Unexpected."""
    season = _open(url, SEED, folder, say)
    organiser, club = season.club.organiser, season.club.id
    hook = organiser.post(f"clubs/{club}/webhooks/", {"name": "Scoreboard", "address": HOOK})
    plans = [msgspec.structs.replace(plan, photos=()) for plan in season_plan().battles]
    _played(season, plans[:BATTLES])
    _begin_in_season(season, plans[BATTLES])
    play_classic(season)
    for ruleset in REFEREES:
        _play_system(season, ruleset)
    _pair_club_night(season.club)
    organiser.post(f"clubs/{club}/history-imports/", {"csv": OLD_SEASON, "columns": {"Points": ""}})
    warband = next(iter(season.bands.values())).id
    wish = {"kind": "roster", "subject": warband}
    wait_until_ready(organiser, f"documents/{organiser.post('documents/', wish)['id']}/")
    return Played(season.club, warband, _reader(season.club), hook["secret"])


def wait_until_ready(client: Client, path: str) -> None:
    """Wait until the worker has made a document or an archive. Raises Unexpected."""
    deadline = time.monotonic() + SECONDS
    while (state := client.get(path)["state"]) != "ready":
        if state == "failed" or time.monotonic() > deadline:
            raise Unexpected(f"{path} is {state}.")
        time.sleep(0.5)


def answers_of(reader: Client) -> dict[str, Any]:
    """Return what the API answers about campaigns, warbands and battles, by path."""
    campaigns = [row["id"] for row in reader.rows("campaigns/")]
    warbands = [row["id"] for row in reader.rows("warbands/")]
    battles = [row["id"] for row in reader.rows("battles/")]
    paths = [
        "me/",
        "clubs/",
        "rulesets/",
        *(f"campaigns/{each}/" for each in campaigns),
        *(f"campaigns/{each}/standings/" for each in campaigns),
        *(f"campaigns/{each}/fixtures/" for each in campaigns),
        *(f"warbands/{each}/" for each in warbands),
        *(f"battles/{each}/" for each in battles),
    ]
    return {path: reader.get(path) for path in paths}


def _play_system(season: Season, ruleset: str) -> None:
    """Play a battle of another rule system, and begin a second one."""
    plan = campaign_plan(ruleset)
    campaign = campaigns._opened(season, ruleset, plan)
    campaigns._fight(campaign, plan.battle[0])
    for army in campaign.armies:
        campaigns._replace_fallen(campaign, army, campaigns._raise_ranks(season, army))
    _begin_in_campaign(campaign, plan.battle[-1])


def _begin_in_campaign(campaign: SystemCampaign, day: DayPlan) -> None:
    client = campaign.armies[0].client
    battle = campaigns._fielded(campaign, day)
    client.post(f"battles/{battle['id']}/start/", {"version": battle["version"]})
    events = campaigns._refereed(campaign, client.get(f"battles/{battle['id']}/"))
    _log_first_half(client, battle, events, campaign.season.luck)


def _begin_in_season(season: Season, plan: BattlePlan) -> None:
    bands = [season.bands[faction] for faction, _ in plan.sides]
    client = bands[0].client
    battle = playing._fielded(playing._planned(season, plan, bands), plan, bands)
    client.post(f"battles/{battle['id']}/start/", {"version": battle["version"]})
    setup = read_setup(battle, {band.id: band.page() for band in bands}, season.house_rules)
    _log_first_half(client, battle, referee(setup, season.luck), season.luck)


def _log_first_half(
    client: Client, battle: Page, events: Sequence[LoggedEvent], luck: Random
) -> None:
    """Log the first half of the turns, so that the battle is under way."""
    turns = [list(turn) for _, turn in groupby(events, key=attrgetter("turn"))]
    for turn in turns[: -(-len(turns) // 2)]:
        client.post(f"battles/{battle['id']}/events/", list(_named(turn, luck)))


def _named(events: Iterable[LoggedEvent], luck: Random) -> Iterable[dict[str, Any]]:
    for event in events:
        data = {"kind": event.kind, "data": event.data, "turn": event.turn}
        yield {"client_id": client_id(luck), **data}


def _pair_club_night(club: Club) -> None:
    """Draw and publish the pairings of the next club night."""
    evenings = club.organiser.rows(f"clubs/{club.id}/evenings/", since="2026-01-01T00:00:00Z")
    answered = max(evenings, key=itemgetter("coming"))
    path = f"evenings/{answered['id']}/pairings"
    club.organiser.post(f"{path}/draw/", {"tables": 2, "seed": SEED})
    club.organiser.post(f"{path}/publish/")


def _reader(club: Club) -> Client:
    """Return a client with a token of the organiser that reads only."""
    wish = {"username": club.organiser_name, "password": PASSWORD, "name": "Scoreboard"}
    reader = Client(club.organiser.url)
    reader.token = reader.post("tokens/", {**wish, "scope": "read", "days": DAYS})["token"]
    return reader
