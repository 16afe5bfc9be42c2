"""The end of the demonstration: the standings, the veterans, the dead, and where to look."""

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

from scripts.demo.forces import Page
from scripts.demo.people import PASSWORD
from scripts.demo.plans import season_plan
from scripts.demo.playing import Season, tally_of
from scripts.demo.printing import Print
from scripts.demo.progress import Progress

VETERANS = 8


def standings(season: Season) -> None:
    """Print the standings, with the rules that order them."""
    table = season.club.organiser.get(f"campaigns/{season.campaign}/standings/")
    headings = ("", "Warband", "Player", "P", "W", "D", "L", "VP", "Points")
    rows = [
        [
            row["position"],
            row["name"],
            row["player_name"],
            row["played"],
            row["won"],
            row["drawn"],
            row["lost"],
            f"{row['victory_points']}:{row['victory_points_against']}",
            row["points"],
        ]
        for row in table["rows"]
    ]
    season.say.table(headings, rows)
    season.say.line(f"{table['rule']} {table['tie_rule']}")


def veterans_of(season: Season) -> list[tuple[str, Page]]:
    """Return all living fighters, with their warband's name, the most experienced first."""
    living = [
        (band.plan.name, fighter)
        for band in season.bands.values()
        for fighter in band.page()["fighters"]
        if fighter["fate"] not in ("dead", "retired")
    ]
    return sorted(
        living, key=lambda pair: (-pair[1]["earned"], -tally_of(pair[1], "kills"), pair[1]["name"])
    )


def veterans(season: Season) -> None:
    """Print the best living fighters."""
    columns = itemgetter("name", "profile_name", "rank")
    rows = [
        [*columns(each), name, each["battles"], each["earned"], tally_of(each, "kills")]
        for name, each in veterans_of(season)[:VETERANS]
    ]
    season.say.table(("Veteran", "Profile", "Rank", "Warband", "Battles", "Earned", "Kills"), rows)


def the_dead(season: Season) -> None:
    """Print the dead, warband by warband."""
    for band in season.bands.values():
        fallen = [each["name"] for each in band.page()["fighters"] if each["fate"] == "dead"]
        season.say.line(f"{band.plan.name}: {', '.join(fallen) or 'nobody'}")


def files(prints: Sequence[Print], say: Progress) -> None:
    """Print the list of the printed files."""
    rows = [[_short(each.file), each.pages, f"{each.size / 1024:,.0f} KiB"] for each in prints]
    say.table(("File", "Pages", "Size"), rows)


def _short(path: Path) -> str:
    """Return the path relative to the current folder if it is inside it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def going_on(season: Season, folder: Path, say: Progress) -> None:
    """Print how to look at the demonstration in a browser."""
    say.line(f"make run VAR_DIR={_short(folder)}    then open http://127.0.0.1:8000/")
    say.line(
        f"Sign in as  {season.club.organiser_name}  ({season_plan().organiser}, the organiser)"
    )
    players = ", ".join(
        name
        for name in season.club.clients
        if season.club.clients[name] is not season.club.organiser
    )
    say.line(
        f"or as one of the players ({players}: their names in small letters, with the same number "
        "behind)."
    )
    say.line(f"The password of all of them:  {PASSWORD}")
