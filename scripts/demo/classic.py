"""A classic campaign: two rosters, sealed orders, three small games, and the final that decides."""

from collections.abc import Mapping

from scripts.demo.client import Unexpected
from scripts.demo.forces import Page
from scripts.demo.mustering import Band, enrol, muster
from scripts.demo.plans import BattlePlan, ClassicPlan, classic_plan
from scripts.demo.playing import Season, fight


def play_classic(season: Season) -> str:
    """Play it from the rosters to its winner, and return the campaign's id. Raises Unexpected."""
    plan = classic_plan()
    bands = {
        warband.faction: muster(season.club, warband, season.luck, season.say)
        for warband in plan.warband
    }
    own = Season(season.club, _opened(season, plan, bands), bands, {}, season.luck, season.say)
    _seal_all(own, plan)
    for game in _page(own)["games"]:
        _fight(own, game["battle"], game["name"])
    final = season.club.organiser.post(f"campaigns/{own.campaign}/final/")
    _fight(own, final["id"], "The final")
    season.say.line(_page(own)["verdict"]["sentence"])
    return own.campaign


def _opened(season: Season, plan: ClassicPlan, bands: Mapping[str, Band]) -> str:
    organiser = season.club.organiser
    wish = {
        "club": season.club.id,
        "ruleset": "en-garde",
        "name": plan.campaign,
        "story": plan.story,
    }
    campaign = organiser.post("campaigns/", {**wish, "format": "classic", "points": plan.points})
    for band in bands.values():
        enrol(season.club, campaign["id"], band)
    read = organiser.get(f"campaigns/{campaign['id']}/")
    started = {"version": read["version"], "scenarios": list(plan.scenarios)}
    organiser.post(f"campaigns/{campaign['id']}/start/", started)
    season.say.line(
        f"“{plan.campaign}” starts: two master rosters, and {', '.join(plan.scenarios)} for the "
        "small games."
    )
    return str(campaign["id"])


def _seal_all(season: Season, plan: ClassicPlan) -> None:
    """Seal each player's order.

    Raises Unexpected if the first can be read before the second is in.
    """
    first, *_ = season.bands.values()
    for band in season.bands.values():
        order = {"warband": band.id, "plan": shared_out(band.page(), plan.scenarios)}
        band.client.put(f"campaigns/{season.campaign}/orders/", order)
        page = _page(season)
        if band is first and (
            page["revealed"] or any(row["plan"] or row["text"] for row in page["orders"])
        ):
            raise Unexpected("The first order could be read before the second one was sealed.")
        season.say.line(f"{band.plan.player} seals an order.")
    if not _page(season)["revealed"]:
        raise Unexpected("Both orders are in, and they were not revealed.")
    season.say.line("Both are in, and open at the same moment.")


def shared_out(warband: Page, scenarios: tuple[str, ...]) -> dict[str, list[str]]:
    """Distribute the fighters among the small games, so that all cost about the same.

    The most expensive fighter goes first, to the game with the fewest points.
    """
    plan: dict[str, list[str]] = {scenario: [] for scenario in scenarios}
    cost = dict.fromkeys(scenarios, 0)
    for fighter in sorted(warband["fighters"], key=lambda each: -each["points"]):
        poorest = min(scenarios, key=lambda scenario: cost[scenario])
        plan[poorest].append(fighter["id"])
        cost[poorest] += fighter["points"]
    return plan


def _fight(season: Season, battle_id: str, title: str) -> Page:
    """Play a battle whose line-ups are already set, by the referee."""
    battle = season.club.organiser.get(f"battles/{battle_id}/")
    bands = {band.id: band for band in season.bands.values()}
    plan = BattlePlan(
        scenario=battle["scenario"],
        title=title,
        fought_on=battle["fought_on"],
        sides=(),
        refereed=True,
    )
    return fight(season, plan, battle, [bands[side["warband"]] for side in battle["sides"]])


def _page(season: Season) -> Page:
    page: Page = season.club.organiser.get(f"campaigns/{season.campaign}/classic/")
    return page
