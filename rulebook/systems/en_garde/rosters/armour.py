"""How well a fighter is protected, and against what. Rulings B17, B18 and B26."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Armour, Shield
from rulebook.systems.en_garde.rosters.builds import Build
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout


class ArmourRating(Struct, frozen=True):
    """Armour Ratings: what is worn on the body, and what counts in close combat and against shots from the front.

    ``printed`` is the single figure of the army lists: body and shield of whatever kind together. ``mount`` is the
    mount's own, which protects nobody but the mount.
    """

    body: int
    close_combat: int
    front_shots: int
    printed: int
    mount: int


@lru_cache(maxsize=65536)
def armour_rating(build: Build) -> ArmourRating:
    """The Armour Ratings of a canonical build (Ruling B18)."""
    outfit = loadout(build)
    arms = catalogue.catalogue().arms
    body = sum(arms.armour[key].rating for key in outfit.gear if key in arms.armour)
    shields = [arms.shields[key] for key in outfit.gear if key in arms.shields]
    return ArmourRating(
        body=body,
        close_combat=body + sum(each.rating for each in shields if each.counts == "close-combat"),
        front_shots=body + sum(each.rating for each in shields if each.counts == "front-shots"),
        printed=body + sum(each.rating for each in shields),
        mount=sum(arms.barding[key].rating for key in outfit.gear if key in arms.barding),
    )


def least_rating(outfit: Loadout) -> int:
    """The printed Armour Rating once all is given up that an option line takes back for something else and new."""
    ratings = {**_ratings(catalogue.catalogue().arms.armour), **_ratings(catalogue.catalogue().arms.shields)}
    exchanges = (line for line in outfit.profile.options if line.kind == "exchange")
    given_up = {
        line.gives_up for line in exchanges if any(not outfit.carries(key) for key in line.items.keys() - ratings)
    }
    return sum(rating for key, rating in ratings.items() if outfit.carries(key) and key not in given_up)


def _ratings(table: Mapping[str, Armour | Shield]) -> dict[str, int]:
    return {key: each.rating for key, each in table.items()}


def may_run(outfit: Loadout) -> bool:
    """Whether its armour lets it make a Run move. Rule book: "Armour", "Mounts"."""
    arms = catalogue.catalogue().arms
    suits = (each.no_run for key, each in arms.armour.items() if key in outfit.gear)
    barding = (each.no_run for key, each in arms.barding.items() if key in outfit.gear)
    return not any((*suits, *barding))
