"""The pages and API reads that are compared, and a small change to each.

A page is **cold** when one thing on it has just changed: before each request a member makes a small
change over the API, whose cost is not counted. Everything else on the page may still be cached. A
page is **warm** when nothing has changed since the last request. Both are asked for in full,
without conditional headers.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from msgspec import Struct

from scripts.demo.client import Client

Change = Callable[[Client, dict[str, Any], int], object]
"""Changes something that a page shows. The number is different every time."""


class Page(Struct, frozen=True):
    """A page or API read: the address with ids in braces, and what changes it.

    ``kind`` is its row in the table of budgets. A page that is made for each request
    (docs/decisions/web.md, "Search has no 304") is not measured ``when_unchanged``.
    """

    name: str
    address: str
    change: Change
    kind: str = ""
    when_unchanged: bool = True


def rename_club(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"clubs/{made['club']}/", {"story": f"Story {number}"})


def tell_campaign(key: str) -> Change:
    """Return a change of the story of a campaign."""

    def change(client: Client, made: dict[str, Any], number: int) -> object:
        path = f"campaigns/{made[key]}/"
        version = client.get(path)["version"]
        return client.patch(path, {"version": version, "story": f"Story {number}"})

    return change


def title_battle(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"battles/{made['battle_under_way']}/", {"title": f"Ford {number}"})


def title_last_battle(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"battles/{made['battle']}/", {"title": f"Ford {number}"})


def tell_battle(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"battles/{made['battle']}/", {"story": f"Story {number}"})


def log_note(client: Client, made: dict[str, Any], number: int) -> object:
    note = {"client_id": str(uuid4()), "kind": "note", "data": {"text": f"Note {number}"}}
    return client.post(f"battles/{made['battle_under_way']}/events/", [note])


def tell_warband(key: str) -> Change:
    """Return a change of the story of a warband."""

    def change(client: Client, made: dict[str, Any], number: int) -> object:
        return client.patch(f"warbands/{made[key]}/", {"story": f"Story {number}"})

    return change


def rename_warband(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"warbands/{made['warband']}/", {"name": f"Ours {number} of Xanadu"})


def rename_fighter(client: Client, made: dict[str, Any], number: int) -> object:
    return client.patch(f"fighters/{made['fighter']}/", {"name": f"Bey {number} of Xanadu"})


def answer_evening(client: Client, made: dict[str, Any], number: int) -> object:
    answer = ("coming", "perhaps")[number % 2]
    return client.post(f"evenings/{made['evening']}/answer/", {"answer": answer})


API = "/api/v1"
PAGES = (
    Page("Home", "/", title_battle, "home"),
    Page("Club", "/clubs/{club}/", rename_club),
    Page(
        "Campaign, no battles", "/campaigns/{campaign_0}/", tell_campaign("campaign_0"), "campaign"
    ),
    Page("Campaign, 10 battles", "/campaigns/{campaign}/", tell_campaign("campaign"), "campaign"),
    Page(
        "Campaign, 1,000 battles",
        "/campaigns/{campaign_1000}/",
        tell_campaign("campaign_1000"),
        "campaign",
    ),
    Page("Standings", "/campaigns/{campaign}/standings/", rename_warband),
    Page("Battles", "/battles/", title_battle),
    Page("Battle", "/battles/{battle}/", tell_battle, "battle"),
    Page("Live log", "/battles/{battle_under_way}/table/", log_note),
    Page("Warband of 10", "/warbands/{warband}/", tell_warband("warband"), "warband"),
    Page("Warband of 20", "/warbands/{warband_20}/", tell_warband("warband_20"), "warband"),
    Page("Fighter", "/fighters/{fighter}/", rename_fighter),
    Page("Documents", "/documents/", title_last_battle),
    Page("Search", "/search/?q=ours+xanadu", rename_warband, when_unchanged=False),
    # A page with almost nothing but the badge.
    Page("Badge", "/rulesets/", answer_evening),
    Page("API: campaign", f"{API}/campaigns/{{campaign}}/", tell_campaign("campaign")),
    Page("API: standings", f"{API}/campaigns/{{campaign}}/standings/", rename_warband),
    Page("API: battles", f"{API}/battles/?campaign={{campaign}}", title_last_battle),
    Page("API: battle", f"{API}/battles/{{battle}}/", tell_battle),
    Page("API: log", f"{API}/battles/{{battle_under_way}}/events/", log_note),
    Page("API: warband", f"{API}/warbands/{{warband}}/", tell_warband("warband")),
    Page("API: fighter", f"{API}/fighters/{{fighter}}/", rename_fighter),
)
