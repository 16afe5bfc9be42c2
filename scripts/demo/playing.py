"""Play a battle as its players send it, from plan to confirmation or dispute."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from random import Random
from typing import Any

from rulebook.registry import newest_ruleset
from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page, choose_force, read_setup
from scripts.demo.mustering import Band, client_id
from scripts.demo.people import Club
from scripts.demo.plans import BattlePlan, season_plan
from scripts.demo.progress import Progress
from scripts.demo.referees.en_garde import referee
from scripts.demo.referees.quick_result import quick_result
from scripts.demo.scenes import draw_scene

IDLE = 7
"""Fighters attack about once in this many turns: a season needs survivors."""


@dataclass
class Season:
    """A campaign in progress."""

    club: Club
    campaign: str
    bands: dict[str, Band]
    house_rules: dict[str, Any]
    luck: Random
    say: Progress


def play(season: Season, plan: BattlePlan) -> Page:
    """Play a battle from plan to confirmation, and return it."""
    bands = [season.bands[faction] for faction, _ in plan.sides]
    return fight(season, plan, _fielded(_planned(season, plan, bands), plan, bands), bands)


def fight(season: Season, plan: BattlePlan, battle: Page, bands: list[Band]) -> Page:
    """Fight a battle whose line-ups are set, and return it once it is confirmed."""
    reporter = bands[0].client
    reporter.post(f"battles/{battle['id']}/start/", {"version": battle["version"]})
    _log(season, reporter, plan, battle, bands)
    reporter.post(f"battles/{battle['id']}/submit/")
    battle = _reviewed(season, plan, battle, bands)
    battle = write_story(reporter, plan, battle)
    add_photos(reporter, plan, battle)
    _tell(season.say, battle)
    return battle


def _planned(season: Season, plan: BattlePlan, bands: list[Band]) -> Page:
    sides = [
        {"warband": band.id, "role": role}
        for band, (_, role) in zip(bands, plan.sides, strict=True)
    ]
    wish = {
        "client_id": client_id(season.luck),
        "campaign": season.campaign,
        "scenario": plan.scenario,
        "sides": sides,
        "fought_on": plan.fought_on,
        "points_limit": plan.points,
        "title": plan.title,
    }
    battle: Page = bands[0].client.post("battles/", wish)
    return battle


def _fielded(battle: Page, plan: BattlePlan, bands: list[Band]) -> Page:
    """Set each player's line-up, and return the battle."""
    shares = shares_of(plan.scenario)
    for band, side in zip(bands, battle["sides"], strict=True):
        force = choose_force(band.page(), shares[side["role"]], plan.points)
        path = f"battles/{battle['id']}/sides/{side['key']}/combatants/"
        wish = {"fighters": force.ids, "leader": force.leader, "version": battle["version"]}
        battle = band.client.put(path, wish)["battle"]
    return battle


def shares_of(scenario: str) -> dict[str, Fraction]:
    """Return the share of the agreed points for each role of a scenario."""
    chosen = next(each for each in newest_ruleset("en-garde").scenarios() if each.key == scenario)
    return {role.key: Fraction(*role.force) for role in chosen.roles}


def _log(
    season: Season, reporter: Client, plan: BattlePlan, battle: Page, bands: list[Band]
) -> None:
    """Send the events turn by turn, each with its own id: invented, or played by the referee."""
    setup = read_setup(battle, {band.id: band.page() for band in bands}, season.house_rules)
    luck = Random(season.luck.getrandbits(64))  # noqa: S311 - a game, and repeatable
    logged_events = referee(setup, luck) if plan.refereed else quick_result(setup, luck, idle=IDLE)
    if plan.refereed:
        season.say.line(
            f"The referee plays “{plan.title}” move by move: {len(logged_events)} events."
        )
    events = [
        {
            "client_id": client_id(season.luck),
            "kind": event.kind,
            "data": event.data,
            "turn": event.turn,
        }
        for event in logged_events
    ]
    for _, batch in groupby(events, key=itemgetter("turn")):
        reporter.post(f"battles/{battle['id']}/events/", list(batch))


def _reviewed(season: Season, plan: BattlePlan, battle: Page, bands: list[Band]) -> Page:
    """Preview and confirm the battle for the other sides.

    Or a side disputes it, and the organiser decides.
    """
    path = f"battles/{battle['id']}"
    for band, side in zip(bands[1:], battle["sides"][1:], strict=True):
        band.client.get(f"{path}/preview/")
        if plan.disputed:
            band.client.post(f"{path}/dispute/", {"side": side["key"], "reason": plan.disputed})
            season.say.line(f"{band.plan.player} disputes: “{plan.disputed}”")
        else:
            band.client.post(f"{path}/confirm/", {"side": side["key"]})
    if plan.disputed:
        season.club.organiser.post(
            f"{path}/decide/", {"decision": "as-logged", "reason": plan.decided}
        )
        season.say.line(f"{season_plan().organiser} decides: “{plan.decided}”")
    confirmed: Page = bands[0].client.get(f"{path}/")
    if confirmed["state"] != "confirmed":
        raise Unexpected(f"{plan.title} should be confirmed by now, and is {confirmed['state']}.")
    return confirmed


def write_story(client: Client, plan: BattlePlan, battle: Page) -> Page:
    """Add the player's story to the battle, and return the battle.

    Muster itself reports results and deaths.
    """
    if not plan.story:
        return battle
    body: Page = client.patch(f"battles/{battle['id']}/", {"story": plan.story})
    return body


def add_photos(client: Client, plan: BattlePlan, battle: Page) -> None:
    """Upload the pictures of the battle, which a script draws."""
    for place, photo in enumerate(plan.photos, start=1):
        about = {"kind": "battle", "subject": battle["id"], "caption": photo.caption}
        client.upload("pictures/", about, draw_scene(photo.scene), f"drawing-{place}.jpg")


def tally_of(page: Page, key: str) -> int:
    """Return the count of a fighter's tally, on its card or in a battle, or 0."""
    return next((each["count"] for each in page["tallies"] if each["key"] == key), 0)


def _tell(say: Progress, battle: Page) -> None:
    dead = sum(each["fate"] == "dead" for side in battle["sides"] for each in side["combatants"])
    earned = sum(each["experience"] for side in battle["sides"] for each in side["combatants"])
    wounds = sum(
        tally_of(each, "wounds_dealt") for side in battle["sides"] for each in side["combatants"]
    )
    sides = " - ".join(
        f"{side['warband_name']} {side['victory_points']}" for side in battle["sides"]
    )
    say.line(f"{battle['fought_on']}  {battle['scenario_name']}: {battle['title']}")
    say.line(f"            {sides}. {wounds} wounds, {dead} dead, {earned} experience earned.")
