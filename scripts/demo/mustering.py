"""Four warbands from four lists, built through the API and enrolled."""

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
    """A warband of the demonstration: who speaks for it, and where more names come from."""

    id: str
    plan: WarbandPlan
    client: Client
    names: Names

    def page(self) -> dict[str, Any]:
        """The warband as it stands now."""
        body: dict[str, Any] = self.client.get(f"warbands/{self.id}/")
        return body


def client_id(luck: Random) -> str:
    """An id such as clients make, from a generator that is handed in."""
    return str(UUID(int=luck.getrandbits(128), version=4))


def muster_all(club: Club, luck: Random, say: Progress) -> dict[str, Band]:
    """The warbands by their list, each built by its player."""
    return {plan.faction: muster(club, plan, luck, say) for plan in warband_plans()}


def muster(club: Club, plan: WarbandPlan, luck: Random, say: Progress) -> Band:
    """A warband, built by its player."""
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
    """The fighters of a line of the plan as the API takes them, each with a name and a client's
    id."""
    source = plan.names or band.plan.faction
    return [
        {"name": band.names.draw(source), "build": plan.build, "client_id": client_id(luck)}
        for _ in range(plan.count)
    ]


def _appoint(band: Band, fighters: list[dict[str, Any]]) -> None:
    """The first one leads; the banner goes to the first of those who bear it."""
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
    """A linked campaign with all warbands in it, started; returns its id."""
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
    """The player tries first what would be wrong, then enrols; for who has no account the organiser
    does."""
    wish: dict[str, Any] = {"warband": band.id, "colour": band.plan.colour}
    if not band.plan.account:
        wish["player"] = club.seats[band.plan.player]
    band.client.post(f"campaigns/{campaign}/enrolments/", {**wish, "dry_run": True})
    band.client.post(f"campaigns/{campaign}/enrolments/", wish)
