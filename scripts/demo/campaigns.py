"""A campaign of Argad!: two companies, refereed battles, Renown and the check after each, told by the counts alone."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from scripts.demo.argad_referee import referee
from scripts.demo.client import Client
from scripts.demo.forces import Page, setup_of
from scripts.demo.mustering import client_id
from scripts.demo.names import Names
from scripts.demo.playing import Season
from scripts.demo.veterans import prepared_offers

DATA = Path(__file__).parent / "data" / "argad.toml"


class CompanyPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A company, who plays it, and the builds of its characters."""

    player: str
    name: str
    colour: str
    story: str
    names: str
    builds: tuple[dict[str, Any], ...]


class DayPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A battle of the campaign."""

    title: str
    fought_on: str
    story: str = ""


class ArgadPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The campaign."""

    campaign: str
    story: str
    house_rules: dict[str, Any]
    company: tuple[CompanyPlan, ...]
    battle: tuple[DayPlan, ...]


class Company(Struct, frozen=True):
    """A company that was mustered: its id, its plan, and who speaks for it."""

    id: str
    plan: CompanyPlan
    client: Client

    def page(self) -> Page:
        """The company as it stands now."""
        page: Page = self.client.get(f"warbands/{self.id}/")
        return page


def argad_plan() -> ArgadPlan:
    """What is played, from its file."""
    return msgspec.convert(tomllib.loads(DATA.read_text(encoding="utf-8")), ArgadPlan)


def play_argad(season: Season) -> str:
    """Play it from the rosters to the last battle; returns the campaign's id. Raises Unexpected."""
    plan = argad_plan()
    companies = [_muster(season, each) for each in plan.company]
    campaign = _open(season, plan, companies)
    for day in plan.battle:
        _fight(season, plan, campaign, day, companies)
        for company in companies:
            _raise_classes(season, company)
    return campaign


def _muster(season: Season, plan: CompanyPlan) -> Company:
    client, names = season.club.clients[plan.player], Names(season.luck)
    wish = {"ruleset": "argad", "faction": "company", "name": plan.name, "story": plan.story}
    company = Company(client.post("warbands/", wish)["id"], plan, client)
    fighters = [
        {"name": names.draw(plan.names), "build": build, "client_id": client_id(season.luck)} for build in plan.builds
    ]
    client.post(f"warbands/{company.id}/fighters/", {"fighters": fighters})
    season.say.line(f"{plan.player} builds {plan.name}: {len(fighters)} characters, {_classes(fighters)} in classes.")
    return company


def _classes(fighters: list[dict[str, Any]]) -> int:
    return sum(each["build"]["class"] for each in fighters)


def _open(season: Season, plan: ArgadPlan, companies: list[Company]) -> str:
    organiser = season.club.organiser
    wish = {"club": season.club.id, "ruleset": "argad", "name": plan.campaign, "story": plan.story}
    campaign = organiser.post("campaigns/", {**wish, "house_rules": plan.house_rules})
    for company in companies:
        enrolled = {"warband": company.id, "colour": company.plan.colour}
        company.client.post(f"campaigns/{campaign['id']}/enrolments/", enrolled)
    organiser.post(f"campaigns/{campaign['id']}/start/")
    return str(campaign["id"])


def _fight(season: Season, plan: ArgadPlan, campaign: str, day: DayPlan, companies: list[Company]) -> None:
    """A battle from plan to confirmation, each side by its player; the log is the referee's."""
    first, second = companies
    sides = [{"warband": each.id, "role": "side"} for each in companies]
    wish = {"client_id": client_id(season.luck), "campaign": campaign, "scenario": "battle", "sides": sides}
    battle = first.client.post("battles/", {**wish, "fought_on": day.fought_on, "title": day.title})
    path = f"battles/{battle['id']}/"
    for company, side in zip(companies, battle["sides"], strict=True):
        fit = [each["id"] for each in company.page()["fighters"] if each["fate"] == "fit"]
        fielded = {"fighters": fit, "version": battle["version"]}
        battle = company.client.put(f"{path}sides/{side['key']}/combatants/", fielded)["battle"]
    first.client.post(f"{path}start/", {"version": battle["version"]})
    events = list(_events(season, battle, plan, companies))
    first.client.post(f"{path}events/", events)
    first.client.post(f"{path}submit/")
    second.client.post(f"{path}confirm/", {"side": battle["sides"][1]["key"]})
    battle = first.client.get(path)
    if day.story:
        first.client.patch(path, {"story": f"{day.story}\n\n{battle['verdict']}"})
    season.say.line(f"{day.fought_on}  {day.title}: {len(events)} events. {battle['verdict']}")


def _events(season: Season, battle: Page, plan: ArgadPlan, companies: list[Company]) -> Iterator[dict[str, Any]]:
    setup = setup_of(battle, {each.id: each.page() for each in companies}, plan.house_rules)
    luck = Random(season.luck.getrandbits(64))  # noqa: S311 - a game, and repeatable
    for event in referee(setup, luck):
        yield {"client_id": client_id(season.luck), "kind": event.kind, "data": event.data, "turn": event.turn}


def _raise_classes(season: Season, company: Company) -> None:
    """Whoever has Renown enough rises by a class."""
    for fighter in [each for each in company.page()["fighters"] if each["can_rank_up"] and each["fate"] == "fit"]:
        offers = prepared_offers(company.client, fighter)
        step = next(offer["step"] for offer in offers["steps"] if offer["affordable"])
        wish = {"step": step["key"], "sequence": offers["sequence"]}
        company.client.post(f"fighters/{fighter['id']}/rank-ups/", wish)
        season.say.line(f"            {fighter['name']} of {company.plan.name} rises to {step['name'].lower()}.")
