"""The fixtures of the season: a double round robin, whose last round is left open."""

from datetime import date, timedelta

from scripts.demo.client import Client
from scripts.demo.mustering import Band
from scripts.demo.plans import season_plan
from scripts.demo.playing import Season
from scripts.demo.progress import Progress

SEEDS = ("landsknechts", "ottoman-empire", "border-reivers", "conquistadors")
"""The factions in the order of the season's pairings, round by round."""
DAYS_LEFT = 10


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


def leave_a_round_open(season: Season) -> None:
    """Postpone the last round, with one more game for each warband, to leave it open."""
    organiser, path = season.club.organiser, f"campaigns/{season.campaign}"
    version = organiser.get(f"{path}/")["version"]
    organiser.patch(f"{path}/", {"version": version, "games": season_plan().games + 1})
    last = organiser.get(f"{path}/fixtures/")["rounds"][-1]
    deadline = date.today() + timedelta(days=DAYS_LEFT)
    organiser.patch(f"rounds/{last['id']}/", {"deadline": deadline.isoformat()})
    season.say.line(
        f"{last['name']} is put off to {deadline:%d %B}: {last['open']} fixtures are still to be "
        "played."
    )
