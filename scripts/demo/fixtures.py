"""The fixtures of the season, a double round robin, and its end."""

from scripts.demo.client import Client
from scripts.demo.mustering import Band
from scripts.demo.plans import season_plan
from scripts.demo.playing import Season
from scripts.demo.progress import Progress

SEEDS = ("landsknechts", "ottoman-empire", "border-reivers", "conquistadors")
"""The factions in the order of the season's pairings, round by round."""


def pair_everybody(organiser: Client, campaign: str, bands: dict[str, Band], say: Progress) -> None:
    """Create a round for each week from the first battle on.

    Battles find their fixtures automatically.
    """
    enrolled = organiser.get(f"campaigns/{campaign}/enrolments/")["results"]
    ids = {row["warband"]: row["id"] for row in enrolled}
    terms = {
        "method": "round-robin",
        "legs": 2,
        "seeding": "given",
        "entrants": [ids[bands[faction].id] for faction in SEEDS],
        "deadline": season_plan().battles[0].fought_on,
    }
    rounds = organiser.post(f"campaigns/{campaign}/rounds/", terms)["rounds"]
    say.line(f"Everybody is to meet everybody twice: {len(rounds)} rounds, a week for each.")


def finish_season(season: Season) -> None:
    """Write the journal and finish the campaign; fixtures that nobody played stay open."""
    organiser, path = season.club.organiser, f"campaigns/{season.campaign}"
    for entry in season_plan().journal:
        season.club.clients.get(entry.player, organiser).post(
            f"{path}/journal/", {"on": entry.on, "text": entry.text.strip()}
        )
    version = organiser.get(f"{path}/")["version"]
    organiser.post(f"{path}/finish/", {"version": version})
    season.say.line(
        f"The campaign is finished, with {len(season_plan().journal)} entries in its journal."
    )
