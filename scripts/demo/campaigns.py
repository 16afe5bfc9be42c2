"""Campaigns of the other rule systems, each from its own file.

To add one, see ``scripts/demo/referees/__init__.py``. Nothing here depends on a rule system.
"""

import tomllib
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import LoggedEvent
from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page, read_setup
from scripts.demo.mustering import client_id
from scripts.demo.names import Names
from scripts.demo.playing import Season
from scripts.demo.printing import WITH_ALL, Wish
from scripts.demo.referees.argad import ArgadReferee
from scripts.demo.referees.avant_garde import AvantGardeReferee
from scripts.demo.referees.referee import Referee
from scripts.demo.referees.wards import WardsReferee
from scripts.demo.veterans import offers_of

DATA = Path(__file__).parent / "data"

REFEREES: Mapping[str, type[Referee[Any]]] = {
    "argad": ArgadReferee,
    "wards": WardsReferee,
    "avant-garde": AvantGardeReferee,
}
"""The referees by the key of the rule system; ``data/<key>.toml`` has the campaign.

They are played in this order.
"""


class FighterLine(Struct, frozen=True, forbid_unknown_fields=True):
    """One or more fighters of the same build.

    Fighters without a ``name`` draw one from ``names``, else from the army's.

    ``posts`` are the warband roles of the first of them. If ``replaced`` is set, a recruit joins
    for each one who has fallen.
    """

    build: dict[str, Any]
    count: int = 1
    name: str = ""
    names: str = ""
    posts: tuple[str, ...] = ()
    replaced: bool = False


class ArmyPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A warband, its player and its fighters."""

    player: str
    faction: str
    name: str
    colour: str
    story: str
    names: str
    fighter: tuple[FighterLine, ...]
    extras: dict[str, Any] = {}


class DayPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A battle of the campaign: its scenario, the roles of the armies, and its other terms."""

    title: str
    fought_on: str
    story: str = ""
    scenario: str = "battle"
    roles: tuple[str, str] = ("side", "side")
    terms: dict[str, Any] = {}


class CampaignPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign.

    ``terms`` are its other terms (format, points, games), as the API expects them.
    """

    campaign: str
    story: str
    house_rules: dict[str, Any]
    army: tuple[ArmyPlan, ArmyPlan]
    battle: tuple[DayPlan, ...]
    terms: dict[str, Any] = {}


class Army(Struct, frozen=True):
    """An army that was created: its id, its plan, its player's client, and a source of names."""

    id: str
    plan: ArmyPlan
    client: Client
    names: Names

    def page(self) -> Page:
        """Return the army in its present state."""
        page: Page = self.client.get(f"warbands/{self.id}/")
        return page

    def recruits(self, lines: Iterator[FighterLine], luck: Random) -> list[dict[str, Any]]:
        """Return a fighter for each of these lines, as the API expects them."""
        return [
            {
                "name": line.name or self.names.draw(line.names or self.plan.names),
                "build": line.build,
                "client_id": client_id(luck),
            }
            for line in lines
        ]


class SystemCampaign(Struct, frozen=True):
    """A campaign of a rule system in progress."""

    season: Season
    ruleset: str
    plan: CampaignPlan
    id: str
    armies: tuple[Army, ...]
    lines: dict[str, FighterLine]
    """The line of the plan for each fighter, by id; recruits are added as they join."""


def campaign_plan(ruleset: str) -> CampaignPlan:
    """Return the campaign of a rule system from its file. Raises msgspec.ValidationError."""
    return msgspec.convert(
        tomllib.loads((DATA / f"{ruleset}.toml").read_text(encoding="utf-8")), CampaignPlan
    )


def play_campaign(season: Season, ruleset: str, battles: int | None = None) -> list[Wish]:
    """Play a campaign, with all battles or the first ones, and return the documents to print of it.

    Raises Unexpected.
    """
    campaign = _opened(season, ruleset, campaign_plan(ruleset))
    fought = []
    for day in campaign.plan.battle[:battles]:
        fought.append(_fight(campaign, day))
        for army in campaign.armies:
            _replace_fallen(campaign, army, _raise_ranks(season, army))
    return list(_wishes(campaign, fought))


def _opened(season: Season, ruleset: str, plan: CampaignPlan) -> SystemCampaign:
    lines: dict[str, FighterLine] = {}
    armies = tuple(_muster(season, ruleset, each, lines) for each in plan.army)
    organiser = season.club.organiser
    wish = {
        "club": season.club.id,
        "ruleset": ruleset,
        "name": plan.campaign,
        "story": plan.story,
        **plan.terms,
    }
    campaign = organiser.post("campaigns/", {**wish, "house_rules": plan.house_rules})
    for army in armies:
        army.client.post(
            f"campaigns/{campaign['id']}/enrolments/",
            {"warband": army.id, "colour": army.plan.colour},
        )
    organiser.post(f"campaigns/{campaign['id']}/start/")
    return SystemCampaign(season, ruleset, plan, str(campaign["id"]), armies, lines)


def _muster(season: Season, ruleset: str, plan: ArmyPlan, lines: dict[str, FighterLine]) -> Army:
    client = season.club.clients[plan.player]
    wish = {
        "ruleset": ruleset,
        "faction": plan.faction,
        "name": plan.name,
        "extras": plan.extras,
        "story": plan.story,
    }
    army = Army(client.post("warbands/", wish)["id"], plan, client, Names(season.luck))
    planned = [line for line in plan.fighter for _ in range(line.count)]
    fighters = army.recruits(iter(planned), season.luck)
    joined = client.post(f"warbands/{army.id}/fighters/", {"fighters": fighters})["fighters"]
    lines |= {each["id"]: line for each, line in zip(joined, planned, strict=True)}
    posts: dict[str, str] = {}
    for each, line in zip(joined, planned, strict=True):
        for post in line.posts:
            posts.setdefault(post, each["id"])
    if posts:
        client.post(f"warbands/{army.id}/appoint/", posts)
    figures = (
        f"{figure['label']} {figure['value']}"
        for figure in army.page()["figures"]
        if figure["brief"]
    )
    season.say.line(
        f"{plan.player} builds {plan.name}: "
        f"{', '.join((f'{len(fighters)} in the roster', *figures))}."
    )
    return army


def _fight(campaign: SystemCampaign, day: DayPlan) -> str:
    """Play a battle from plan to confirmation, each side by its player, and return its id.

    The referee's log is sent turn by turn. Raises Unexpected.
    """
    first, second = campaign.armies
    battle = _fielded(campaign, day)
    path = f"battles/{battle['id']}/"
    first.client.post(f"{path}start/", {"version": battle["version"]})
    events = _refereed(campaign, first.client.get(path))
    for _, turn in groupby(events, key=lambda event: event.turn):
        sent = [{"kind": event.kind, "data": event.data, "turn": event.turn} for event in turn]
        named = [{"client_id": client_id(campaign.season.luck), **each} for each in sent]
        first.client.post(f"{path}events/", named)
    first.client.post(f"{path}submit/")
    second.client.get(f"{path}preview/")
    second.client.post(f"{path}confirm/", {"side": battle["sides"][1]["key"]})
    battle = first.client.get(path)
    if battle["state"] != "confirmed":
        raise Unexpected(f"{day.title} should be confirmed by now, and is {battle['state']}.")
    if day.story:
        first.client.patch(path, {"story": day.story.strip()})
    campaign.season.say.line(
        f"{day.fought_on}  {day.title}: {len(events)} events. {battle['verdict']}"
    )
    return str(battle["id"])


def _fielded(campaign: SystemCampaign, day: DayPlan) -> Page:
    """Plan the battle, and set each player's line-up of all fit fighters."""
    first, *_ = campaign.armies
    sides = [
        {"warband": army.id, "role": role}
        for army, role in zip(campaign.armies, day.roles, strict=True)
    ]
    wish = {
        "client_id": client_id(campaign.season.luck),
        "campaign": campaign.id,
        "scenario": day.scenario,
    }
    details = {"sides": sides, "fought_on": day.fought_on, "title": day.title, **day.terms}
    battle: Page = first.client.post("battles/", {**wish, **details})
    for army, side in zip(campaign.armies, battle["sides"], strict=True):
        fit = [each["id"] for each in army.page()["fighters"] if each["fate"] == "fit"]
        path = f"battles/{battle['id']}/sides/{side['key']}/combatants/"
        battle = army.client.put(path, {"fighters": fit, "version": battle["version"]})["battle"]
    return battle


def _refereed(campaign: SystemCampaign, battle: Page) -> tuple[LoggedEvent, ...]:
    """Return the events of the battle, which the referee plays by the rules."""
    setup = read_setup(
        battle, {each.id: each.page() for each in campaign.armies}, campaign.plan.house_rules
    )
    luck = Random(campaign.season.luck.getrandbits(64))  # noqa: S311 - a game, and repeatable
    return REFEREES[campaign.ruleset].battle(setup, luck)


def _raise_ranks(season: Season, army: Army) -> Page:
    """Take the first affordable rank-up of each fighter, while the army is allowed more.

    Return the army after that.
    """
    tried: set[str] = set()
    page = army.page()
    while (fighter := _can_rise(page, tried)) is not None:
        tried.add(fighter["id"])
        offers = offers_of(army.client, fighter)
        step = next(offer["step"] for offer in offers["steps"] if offer["affordable"])
        wish = {"step": step["key"], "sequence": offers["sequence"]}
        army.client.post(f"fighters/{fighter['id']}/rank-ups/", wish)
        season.say.line(
            f"            {fighter['name']} of {army.plan.name} rises to {step['name'].lower()}."
        )
        page = army.page()
    return page


def _can_rise(page: Page, tried: set[str]) -> Page | None:
    """Return the first fit fighter who can rank up and has not been tried, or None."""
    fit = (each for each in page["fighters"] if each["can_rank_up"] and each["fate"] == "fit")
    return next((each for each in fit if each["id"] not in tried), None)


def _replace_fallen(campaign: SystemCampaign, army: Army, page: Page) -> None:
    """Recruit a replacement for each fallen fighter whose line asks for one.

    ``page`` is the army in its present state.
    """
    luck = campaign.season.luck
    gone = [each["id"] for each in page["fighters"] if each["fate"] in ("dead", "retired")]
    lines = [
        campaign.lines.pop(each)
        for each in gone
        if each in campaign.lines and campaign.lines[each].replaced
    ]
    if lines:
        fighters = army.recruits((msgspec.structs.replace(line, name="") for line in lines), luck)
        joined = army.client.post(f"warbands/{army.id}/fighters/", {"fighters": fighters})[
            "fighters"
        ]
        campaign.lines.update({each["id"]: line for each, line in zip(joined, lines, strict=True)})
        names = ", ".join(each["name"] for each in joined)
        campaign.season.say.line(f"            {army.plan.name} is joined by {names}.")


def _wishes(campaign: SystemCampaign, battles: list[str]) -> Iterator[Wish]:
    """Yield the documents: the book, the last battle, rosters, and one with all optional parts."""
    organiser, key = campaign.season.club.organiser, campaign.ruleset
    yield Wish("campaign", campaign.id, f"{key}-summary", organiser)
    for battle in battles[-1:]:
        yield Wish("battle", battle, f"{key}-battle", organiser)
    for place, army in enumerate(campaign.armies, start=1):
        yield Wish("roster", army.id, f"{key}-roster-{place}", army.client)
    first, *_ = campaign.armies
    yield Wish("roster", first.id, f"{key}-roster-1-with-cards", first.client, WITH_ALL)
