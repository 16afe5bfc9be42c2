"""Play the demonstration of a version of Muster, or serve its pages.

Runs inside that version, with its own Python.

`scripts.bench.versions` runs this file by its path, in the folder of the version and with that
folder as PYTHONPATH. So `scripts` is that version's, and this file can only use what all versions
have.
"""

import json
import os
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from scripts.bench.forces import sixty_events
from scripts.demo import __main__ as demo
from scripts.demo import playing
from scripts.demo.people import PASSWORD
from scripts.demo.plans import season_plan
from scripts.serve import running_muster

STOP = "worker"
"""The process to stop: it serves no page, and its beat would count towards the pages."""


def demonstrate(folder: Path, battles: int | None) -> int:
    """Play the season without printing, and leave a battle in progress.

    Writes the ids to `made.json`.

    Campaigns of other rule systems are left out: not every version has them, and the compared pages
    must have the same content.
    """
    # Use the environment of the caller, not the demonstration's own.
    demo.embedded = lambda folder: {}
    demo._printed = partial(_begin_a_battle, folder / "made.json")
    arguments = ["--folder", str(folder), "--no-classic"]
    arguments += ["--systems"] if hasattr(demo, "REFEREES") else []
    return demo.main([*arguments, *(["--battles", str(battles)] if battles else [])])


def _begin_a_battle(
    file: Path, season: playing.Season, battles: list[dict[str, Any]], *_: object
) -> list[Any]:
    # Use today's date: fighters who joined later cannot take part in an older battle.
    plan = replace(season_plan().battles[0], fought_on=date.today().isoformat())
    bands = [season.bands[faction] for faction, _ in plan.sides]
    _allow_another_game(season)
    battle = playing._fielded(playing._planned(season, plan, bands), plan, bands)
    client = bands[0].client
    client.post(f"battles/{battle['id']}/start/", {"version": battle["version"]})
    ours, theirs = ([each["fighter"] for each in side["combatants"]] for side in battle["sides"])
    # Leave out the last event, which ends the battle.
    events = [
        {"client_id": str(uuid4()), "kind": kind, "data": data, "turn": turn}
        for kind, data, turn in sixty_events(ours, theirs)[:-1]
    ]
    client.post(f"battles/{battle['id']}/events/", events)
    made = {
        "username": season.club.organiser_name,
        "password": PASSWORD,
        "club": season.club.id,
        "campaign": season.campaign,
        "warband": bands[0].id,
        "fighter": ours[0],
        "battle": battles[0]["id"],
        "battle_under_way": battle["id"],
        "events": len(events),
    }
    file.write_text(json.dumps(made))
    return []


def _allow_another_game(season: playing.Season) -> None:
    """Raise the number of games: in some versions every warband has played all of them."""
    organiser, address = season.club.organiser, f"campaigns/{season.campaign}/"
    campaign = organiser.get(address)
    if campaign["games"]:
        organiser.patch(address, {"version": campaign["version"], "games": campaign["games"] + 1})


def serve(logs: Path) -> int:
    """Serve pages until standard input is closed. Prints the address as the first line."""
    with running_muster(environment={}, logs=logs) as muster:
        for process in muster.processes:
            if process.name == STOP:
                process.stop()
        print(muster.url, flush=True)
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    work, place, *number = sys.argv[1:]
    os.umask(0o022)
    sys.exit(
        serve(Path(place))
        if work == "serve"
        else demonstrate(Path(place), int(number[0]) if number else None)
    )
