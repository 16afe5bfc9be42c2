"""Create four warbands of four factions through the API, and enter them into the campaign."""

from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID

from scripts.demo.client import Client
from scripts.demo.forces import holds
from scripts.demo.names import Names
from scripts.demo.people import Club
from scripts.demo.plans import FighterPlan, WarbandPlan, season_plan, warband_plans
from scripts.demo.progress import Progress


@dataclass
class Band:
    """A warband of the demonstration: id, plan, its player's client, and a source of names."""

    id: str
    plan: WarbandPlan
    client: Client
    names: Names

    def page(self) -> dict[str, Any]:
        """Return the warband in its present state."""
        body: dict[str, Any] = self.client.get(f"warbands/{self.id}/")
        return body


def client_id(luck: Random) -> str:
    """Return an id as clients make them, from this generator."""
    return str(UUID(int=luck.getrandbits(128), version=4))


def muster_all(club: Club, luck: Random, say: Progress) -> dict[str, Band]:
    """Return the warbands by their faction, each created by its player."""
    return {plan.faction: muster(club, plan, luck, say) for plan in warband_plans()}


def muster(club: Club, plan: WarbandPlan, luck: Random, say: Progress) -> Band:
    """Create a warband as its player."""
    client = club.clients[plan.player]
    wish = {
        "ruleset": "en-garde",
        "faction": plan.faction,
        "name": plan.name,
        "extras": plan.extras,
        "story": plan.story,
    }
    mustered = client.post("warbands/", {**wish, "kept": not plan.account})
    band = Band(mustered["id"], plan, client, Names(luck))
    fighters = [fighter for each in plan.fighters for fighter in new_fighters(band, each, luck)]
    recruited = client.post(f"warbands/{band.id}/fighters/", {"fighters": fighters})
    _appoint(band, recruited["fighters"])
    return _reported(band, say)


def new_fighters(band: Band, plan: FighterPlan, luck: Random) -> list[dict[str, Any]]:
    """Return the fighters of a line of the plan as the API expects them, with name and id."""
    source = plan.names or band.plan.faction
    return [
        {"name": band.names.draw(source), "build": plan.build, "client_id": client_id(luck)}
        for _ in range(plan.count)
    ]


def _appoint(band: Band, fighters: list[dict[str, Any]]) -> None:
    """Appoint the first fighter as leader, and the first with a banner as its bearer."""
    places = [line for line in band.plan.fighters for _ in range(line.count)]
    posts = {"leader": fighters[0]["id"]}
    for line, fighter in zip(places, fighters, strict=True):
        if line.bears:
            posts.setdefault("banner", fighter["id"])
    band.client.post(f"warbands/{band.id}/appoint/", posts)


def _reported(band: Band, say: Progress) -> Band:
    page = band.page()
    leader = next(fighter["name"] for fighter in page["fighters"] if holds(fighter, "leader"))
    say.line(
        f"{band.plan.player} builds {page['name']} ({page['faction_name']}): "
        f"{page['fighters_serving']} fighters, "
        f"{page['points']} points, led by {leader}."
    )
    return band


def open_campaign(club: Club, bands: dict[str, Band], say: Progress) -> str:
    """Create and start a linked campaign with all warbands in it, and return its id."""
    plan = season_plan()
    wish = {
        "club": club.id,
        "ruleset": "en-garde",
        "name": plan.campaign,
        "story": plan.campaign_story,
    }
    terms = {
        "format": "linked",
        "points": plan.points,
        "games": plan.games,
        "house_rules": plan.house_rules,
    }
    campaign = club.organiser.post("campaigns/", {**wish, **terms})
    for band in bands.values():
        enrol(club, campaign["id"], band)
    club.organiser.post(f"campaigns/{campaign['id']}/start/")
    say.line(
        f"{plan.organiser} plans “{plan.campaign}”: {plan.points} points, {plan.games} games for "
        "each warband; "
        "all four are checked, found legal and enrolled."
    )
    return str(campaign["id"])


def enrol(club: Club, campaign: str, band: Band) -> None:
    """Check the warband with a dry run, then enter it.

    The organiser acts for guest players.
    """
    wish: dict[str, Any] = {"warband": band.id, "colour": band.plan.colour}
    if not band.plan.account:
        wish["player"] = club.seats[band.plan.player]
    band.client.post(f"campaigns/{campaign}/enrolments/", {**wish, "dry_run": True})
    band.client.post(f"campaigns/{campaign}/enrolments/", wish)
