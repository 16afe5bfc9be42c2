"""Between the battles: rank-ups from the offers that the worker prepared, new Leaders, recruits."""

import time
from random import Random
from typing import Any

from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page
from scripts.demo.mustering import Band, new_fighters
from scripts.demo.plans import season_plan
from scripts.demo.playing import Season

PATIENCE = 120
"""The maximum time for the worker in seconds: it has documents to make as well."""
MAX_RECRUITS = 3


def after_a_game(season: Season, band: Band) -> None:
    """Do everything that a player does after a battle.

    After the last one the rank-ups are left for the printed sheet.
    """
    page = band.page()
    last = page["games_played"] >= season_plan().games
    if not last and _rank_up(season, band, page):
        page = band.page()
    _fill_posts(season, band, page)
    if not last:
        _recruit(season, band)


def _rank_up(season: Season, band: Band, page: Page) -> bool:
    """Take the first affordable rank-up of each veteran who has one. Return whether there was one.

    ``page`` is the band in its present state.
    """
    waiting = [
        fighter
        for fighter in page["fighters"]
        if fighter["can_rank_up"] and fighter["fate"] == "fit"
    ]
    # The worker prepares offers after each battle. We wait for it only the first time, to see that
    # it does: until then Muster asks the rules.
    first_game = page["games_played"] == 1
    for fighter in waiting:
        offers = (prepared_offers if first_game else offers_of)(band.client, fighter)
        step = next(offer["step"] for offer in offers["steps"] if offer["affordable"])
        wish = {
            "step": step["key"],
            "picks": _picked(step, season.luck),
            "sequence": offers["sequence"],
        }
        risen = band.client.post(f"fighters/{fighter['id']}/rank-ups/", wish)["card"]
        with_ = f" with {', '.join(_labels(step, wish['picks']))}" if wish["picks"] else ""
        season.say.line(
            f"{fighter['name']} rises from {fighter['profile_name']} to {risen['profile_name']} "
            f"(Rank {risen['rank']}){with_}, for {step['cost']} experience."
        )
    return bool(waiting)


def offers_of(client: Client, fighter: Page) -> Page:
    """Return a fighter's rank-up offers."""
    offers: Page = client.get(f"fighters/{fighter['id']}/rank-ups/")
    return offers


def prepared_offers(client: Client, fighter: Page) -> Page:
    """Return a fighter's rank-up offers once the worker has prepared them.

    Raises Unexpected if that takes too long.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        offers = offers_of(client, fighter)
        if offers["prepared"]:
            return offers
        time.sleep(0.2)
    raise Unexpected(
        f"The worker has prepared no offer for {fighter['name']} within {PATIENCE} seconds."
    )


def _picked(step: Page, luck: Random) -> dict[str, Any]:
    """Return random picks: one of the offered Attributes, otherwise only what must be picked."""
    chosen: dict[str, Any] = {}
    for pick in step["picks"]:
        least = max(pick["least"], int(pick["key"] == "attributes"))
        if least and pick["choices"]:
            chosen[pick["key"]] = luck.sample([key for key, _ in pick["choices"]], least)
    return chosen


def _labels(step: Page, picks: Page) -> list[str]:
    """Return the labels of the picks."""
    words = {(pick["key"], key): label for pick in step["picks"] for key, label in pick["choices"]}
    return [words[line, key] for line, keys in picks.items() for key in keys]


def _fill_posts(season: Season, band: Band, page: Page) -> None:
    """Appoint a new Leader and a new banner bearer if the former ones fell.

    ``page`` is the band in its present state.
    """
    held = {post["key"] for post in page["posts"] if post["holders"]}
    fit = (each for each in page["fighters"] if each["fate"] == "fit")
    able = [each for each in fit if "leader" not in each["sheet"]["unfit_for"]]
    ranked = sorted(able, key=lambda each: (-each["rank"], -each["points"]))
    if "leader" not in held and ranked:
        band.client.post(f"warbands/{band.id}/appoint/", {"leader": ranked[0]["id"]})
        season.say.line(f"{ranked[0]['name']} now leads {page['name']}.")
    if "banner" not in held and page["extras"].get("banner") and ranked[1:]:
        band.client.post(f"warbands/{band.id}/appoint/", {"banner": ranked[1]["id"]})
        season.say.line(f"{ranked[1]['name']} takes up the banner of {page['name']}.")


def _recruit(season: Season, band: Band) -> None:
    """Recruit fighters of Rank 1 until the agreed points are spent (Ruling C16).

    Does nothing for a faction without Rank 1.
    """
    if band.plan.recruit is None:
        return
    for _ in range(MAX_RECRUITS):
        fighters = new_fighters(band, band.plan.recruit, season.luck)
        try:
            joined = band.client.post(f"warbands/{band.id}/fighters/", {"fighters": fighters})
        except Unexpected as refused:
            if "over-points-limit" in refused.codes:
                return
            raise
        name = joined["fighters"][0]["name"]
        season.say.line(f"{name} joins {band.plan.name}, which has {joined['points']} points now.")
