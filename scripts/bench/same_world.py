"""Create the world of the comparisons in any version of Muster, over HTTP only.

All versions get the same requests, so their pages show the same content: a club with two players,
four warbands of ten, two of twenty, and campaigns without battles, with a few and with many.
"""

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

from msgspec import Struct

from scripts.bench.forces import EVENTS, FACTION, PROFILES, sixty_events
from scripts.demo.client import Client, Unexpected
from scripts.demo.people import PASSWORD, sign_up

RARE = "Xanadu"
"""A word in every name. Copies of the club have another word in its place."""
SMALL = (PROFILES[0], *PROFILES[1:4], *PROFILES[6:9], *PROFILES[12:15])
"""Ten fighters of the same profiles as the twenty."""
EVENTS_OF_SMALL = 25
DOCUMENT_SECONDS = 120


class Shape(Struct, frozen=True):
    """The battles of each campaign with a few of them, and of the one with many.

    The battles with many are copies of one battle, made in the database.
    """

    few: int = 10
    many: int = 1000


class Player(Struct, frozen=True):
    """A player's client and user name."""

    client: Client
    name: str


def create_club(url: str, shape: Shape) -> dict[str, Any]:
    """Create the club with its campaigns, and return the ids of what pages show.

    Copies of the club are made before ``create_campaigns``.
    """
    alice, bob = (Player(sign_up(url, name), name) for name in ("alice", "bob"))
    wish = {"name": f"The {RARE} Club", "story": f"Of {RARE}.", "member_name": "Alice"}
    club = alice.client.post("clubs/", wish)["id"]
    invitation = alice.client.post(
        f"clubs/{club}/invitations/", {"role": "player", "uses": 5, "days": 60}
    )
    accepted = {"secret": invitation["secret"], "name": "Bob"}
    bob.client.post("invitations/accept/", accepted)
    evening = _plan_evening(alice.client, club)
    campaigns = [_play_campaign(alice, bob, club, shape.few, number) for number in (1, 2)]
    first = campaigns[0]
    battle = first["battles"][-1]
    document = alice.client.post("documents/", {"kind": "battle", "subject": battle})
    _wait_for(alice.client, document["id"])
    return {
        "username": alice.name,
        "other": bob.name,
        "password": PASSWORD,
        "club": club,
        "evening": evening,
        "campaign": first["campaign"],
        "warband": first["ours"],
        "fighter": first["fighters"][0],
        "battle": battle,
        "battle_under_way": _begin(alice, bob, first, EVENTS_OF_SMALL - 1),
        "document": document["id"],
    }


def create_campaigns(url: str, made: dict[str, Any]) -> dict[str, Any]:
    """Start a campaign without battles, and one of 2 x 20 fighters with one; return the ids.

    The battle is to be copied.
    """
    alice, bob = (_signed_in(url, made[key]) for key in ("username", "other"))
    empty = _open_campaign(alice, bob, made["club"], "Empty", SMALL)
    opened = _open_campaign(alice, bob, made["club"], "Long", PROFILES)
    battle = _fight(alice, bob, opened, EVENTS, 1)
    return {
        "campaign_0": empty["campaign"],
        "campaign_1000": opened["campaign"],
        "warband_20": opened["ours"],
        "template": battle,
    }


def _signed_in(url: str, name: str) -> Player:
    client = Client(url)
    client.sign_in(name, PASSWORD)
    return Player(client, name)


def _plan_evening(client: Client, club: str) -> str:
    start = (datetime.now(UTC) + timedelta(days=10)).replace(hour=19, minute=0, second=0)
    end = start + timedelta(hours=4)
    wish = {"starts_at": start.isoformat(), "ends_at": end.isoformat(), "place": f"{RARE} Arms"}
    client.post(f"clubs/{club}/evenings/", wish)
    return str(next(client.rows(f"clubs/{club}/evenings/"))["id"])


def _play_campaign(
    alice: Player, bob: Player, club: str, battles: int, number: int
) -> dict[str, Any]:
    opened = _open_campaign(alice, bob, club, f"Summer {number}", SMALL)
    fought = [_fight(alice, bob, opened, EVENTS_OF_SMALL, 1 + day) for day in range(battles)]
    return {**opened, "battles": fought}


def _open_campaign(
    alice: Player, bob: Player, club: str, name: str, profiles: tuple[str, ...]
) -> dict[str, Any]:
    """Start a campaign with a new warband of each player, and return the ids."""
    wish = {"club": club, "ruleset": "en-garde", "name": f"{name} of {RARE}", "points": 500}
    campaign = alice.client.post("campaigns/", {**wish, "story": f"A tale of {RARE}."})["id"]
    ours, theirs = (
        _muster(each.client, f"{title} of {name}, {RARE}", profiles)
        for each, title in ((alice, "Ours"), (bob, "Theirs"))
    )
    for player, warband in ((alice, ours), (bob, theirs)):
        player.client.post(f"campaigns/{campaign}/enrolments/", {"warband": warband[0]})
    alice.client.post(f"campaigns/{campaign}/start/")
    return {
        "campaign": campaign,
        "ours": ours[0],
        "theirs": theirs[0],
        "fighters": ours[1],
        "others": theirs[1],
    }


def _muster(client: Client, name: str, profiles: tuple[str, ...]) -> tuple[str, list[str]]:
    """Create a warband, and return its id and those of its fighters. The first one leads."""
    wish = {"ruleset": "en-garde", "faction": FACTION, "name": name, "story": f"Born in {RARE}."}
    warband = client.post("warbands/", wish)["id"]
    recruits = [
        {
            "name": f"{profile.title()} {place} of {RARE}",
            "build": {"profile": f"{FACTION}/{profile}"},
            "client_id": str(uuid4()),
        }
        for place, profile in enumerate(profiles, start=1)
    ]
    joined = client.post(f"warbands/{warband}/fighters/", {"fighters": recruits})["fighters"]
    fighters = [str(each["id"]) for each in joined]
    client.post(f"warbands/{warband}/appoint/", {"leader": fighters[0]})
    return str(warband), fighters


def _fight(alice: Player, bob: Player, opened: dict[str, Any], events: int, day: int) -> str:
    """Play a battle to its confirmation, and return its id."""
    battle = _begin(alice, bob, opened, events, date.today() - timedelta(days=60 - day))
    path = f"battles/{battle}"
    alice.client.post(f"{path}/submit/")
    bob.client.post(f"{path}/confirm/", {"side": "b"})
    page = alice.client.patch(f"{path}/", {"story": f"How we fought at {RARE}."})
    if page["state"] != "confirmed":
        raise Unexpected(f"The battle should be confirmed, and is {page['state']}.")
    return battle


def _begin(
    alice: Player,
    bob: Player,
    opened: dict[str, Any],
    events: int,
    fought_on: date | None = None,
) -> str:
    """Start a battle of all fighters, log so many events, and return its id.

    A battle with a day is fought to its end.
    """
    sides = [{"warband": opened[key], "role": "warband"} for key in ("ours", "theirs")]
    # Without a client's id, which is unique and could not be copied.
    wish = {
        "campaign": opened["campaign"],
        "scenario": "skirmish",
        "sides": sides,
        "fought_on": (fought_on or date.today()).isoformat(),
        "title": f"The Ford of {RARE}",
    }
    battle = alice.client.post("battles/", wish)
    for player, side, key in (
        (alice, battle["sides"][0], "fighters"),
        (bob, battle["sides"][1], "others"),
    ):
        path = f"battles/{battle['id']}/sides/{side['key']}/combatants/"
        force = {"fighters": opened[key], "leader": opened[key][0]}
        battle = player.client.put(path, {**force, "version": battle["version"]})["battle"]
    alice.client.post(f"battles/{battle['id']}/start/", {"version": battle["version"]})
    log = sixty_events(opened["fighters"], opened["others"])
    end = log[-1:] if fought_on else []
    logged = [*log[: events - len(end)], *end]
    alice.client.post(
        f"battles/{battle['id']}/events/",
        [
            {"client_id": str(uuid4()), "kind": kind, "data": data, "turn": turn}
            for kind, data, turn in logged
        ],
    )
    return str(battle["id"])


def _wait_for(client: Client, document: str) -> None:
    """Wait until the worker has made the document. Raises Unexpected if it does not."""
    deadline = time.monotonic() + DOCUMENT_SECONDS
    while (state := client.get(f"documents/{document}/")["state"]) != "ready":
        if state == "failed" or time.monotonic() > deadline:
            raise Unexpected(f"The document of the bench's world is {state}.")
        time.sleep(0.5)
