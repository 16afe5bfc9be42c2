"""`make demo`, or `python -m scripts.demo [--seed N]`: play and print a campaign.

It is played over HTTP. The output reports what happened.
"""

import argparse
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType

from rulebook.registry import newest_ruleset
from scripts.demo import ending
from scripts.demo.campaigns import REFEREES, play_campaign
from scripts.demo.classic import play_classic
from scripts.demo.client import Unexpected
from scripts.demo.correcting import correct_one
from scripts.demo.fixtures import finish_season, pair_everybody
from scripts.demo.forces import Page
from scripts.demo.mustering import muster_all, open_campaign
from scripts.demo.people import gather
from scripts.demo.plans import BattlePlan, season_plan
from scripts.demo.playing import Season, play
from scripts.demo.printing import KINDS, Print, Printing, Wish, season_wishes
from scripts.demo.progress import Progress, counted
from scripts.demo.veterans import after_a_game
from scripts.processes import ForkedProcess, NotStarted, run_module
from scripts.serve import forked_muster

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "var" / "demo"
"""The demonstration has its own database, so that a real club's is never touched."""
SEED = 11


def main(arguments: list[str]) -> int:
    """Return 0 if the whole campaign was played and printed, else 1.

    The servers are stopped in any case.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    wish = _wish(arguments)
    try:
        demonstrate(wish, wish.folder.resolve(), Progress())
    except (Unexpected, NotStarted) as error:
        print(
            f"\nThe demonstration stops here.\n{error}\nThe servers' logs are in {wish.folder}.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr)
        return 1
    return 0


def _wish(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make demo", description=__doc__)
    parser.add_argument(
        "--seed",
        type=int,
        default=SEED,
        help="another one plays another campaign (default: %(default)s)",
    )
    parser.add_argument(
        "--folder", type=Path, default=FOLDER, help="where database and documents go"
    )
    parser.add_argument(
        "--battles",
        type=int,
        default=None,
        help="play only so many battles of each linked campaign",
    )
    parser.add_argument(
        "--print",
        nargs="*",
        choices=KINDS,
        default=[*KINDS],
        help="only these documents (default: all)",
    )
    parser.add_argument(
        "--no-classic", dest="classic", action="store_false", help="leave out the classic campaign"
    )
    parser.add_argument(
        "--systems",
        nargs="*",
        choices=REFEREES,
        default=[*REFEREES],
        help="the other rule systems (default: all)",
    )
    return parser.parse_args(arguments)


def demonstrate(wish: argparse.Namespace, folder: Path, say: Progress) -> None:
    """Run the demonstration, from an empty or used folder to the printed campaign.

    Raises Unexpected, NotStarted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    say.heading("Starting web server and worker on SQLite and a queue of files")
    # The thread is waited for last: without servers it ends soon, whatever happened.
    with (
        ThreadPoolExecutor(1, "other-campaigns") as pool,
        forked_muster(environment=embedded(folder), logs=folder) as muster,
    ):
        say.line(f"Muster is at {muster.url}/ while this lasts.")
        season = _open(muster.url, wish.seed, folder, say)
        prints_folder = folder / f"prints-{season.club.number}"
        other_prints = Printing(_beside(season, wish.seed), prints_folder, wish.print)
        others = pool.submit(_play_others, other_prints, wish)
        battles = _played(season, season_plan().battles[: wish.battles])
        say.heading("The campaign ends")
        finish_season(season)
        _show_to_strangers(season)
        season_prints = Printing(season, prints_folder, wish.print)
        season_prints.request(_wishes(season, battles))
        other_prints.season.say.show_kept()
        others.result()
        linking = ManageCommand(folder, "example_campaign", season.campaign)
        linking.report(say)
        say.heading("Printing")
        # Nothing changes any more, so the check does not have to wait for the worker.
        checking = ManageCommand(folder, "check_chronicle")
        prints = [*season_prints.download(), *other_prints.download()]
        season_prints.request_again()
        say.heading("Checking that every stored number equals the replay of its chronicle")
        checking.report(say)
        _tell_the_end(season, prints, folder, say)


def embedded(folder: Path) -> dict[str, str]:
    """Return the environment of a Muster that keeps everything in this folder.

    An empty value means "not set".
    """
    addresses = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL")
    others = (
        "FILES_DIR",
        "STATIC_ROOT",
        "ALLOWED_HOSTS",
        "HTTPS",
        "SIGNUP_OPEN",
        "EMAIL_HOST",
        "PROXIES",
    )
    unset = [*addresses, *(f"{name}_FILE" for name in addresses), *others]
    # The demonstration's referee logs as fast as it can, two campaigns at a time.
    hurried = {"THROTTLE_LOGS": "1200/minute", "THROTTLE_BATCHES": "1200/minute"}
    hurried["WEB_CONCURRENCY"] = "2"
    mode = {"MUSTER_MODE": "embedded", "VAR_DIR": str(folder), "WORKER_CONCURRENCY": "2"}
    return {**dict.fromkeys(unset, ""), **mode, **hurried}


def _open(url: str, seed: int, folder: Path, say: Progress) -> Season:
    plan, luck = season_plan(), Random(seed)  # noqa: S311 - a game, and repeatable
    say.heading("The club")
    club = gather(url, next_number(folder), say)
    say.heading("The warbands")
    bands = muster_all(club, luck, say)
    campaign = open_campaign(club, bands, say)
    pair_everybody(club.organiser, campaign, bands, say)
    return Season(club, campaign, bands, plan.house_rules, luck, say)


def _played(season: Season, plans: Sequence[BattlePlan]) -> list[Page]:
    """Play the season's battles and a correction, and return the battles."""
    season.say.heading(counted(len(plans), "battle"))
    battles = []
    for plan in plans:
        battles.append(play(season, plan))
        for faction, _ in plan.sides:
            after_a_game(season, season.bands[faction])
    season.say.heading("A past battle is corrected")
    correct_one(season, battles)
    return battles


def _beside(season: Season, seed: int) -> Season:
    """Return the club for campaigns that another thread plays: with its own luck and output."""
    luck = Random(f"other campaigns {seed}")  # noqa: S311 - a game, and repeatable
    return replace(season, luck=luck, say=season.say.meanwhile())


def _play_others(prints: Printing, wish: argparse.Namespace) -> None:
    """Play the other campaigns, one after the other, and request the documents of each."""
    season = prints.season
    if wish.classic:
        season.say.heading("A classic campaign")
        classic = play_classic(season)
        prints.request([Wish("campaign", classic, "classic-summary", season.club.organiser)])
    for ruleset in wish.systems:
        season.say.heading(f"A campaign of {newest_ruleset(ruleset).name}")
        prints.request(play_campaign(season, ruleset, wish.battles))


def _wishes(season: Season, battles: Sequence[Page]) -> Iterator[Wish]:
    """Return the documents of the season: its biggest battle and the career of its best veteran."""
    _, veteran = ending.veterans_of(season)[0]
    biggest = max(battles, key=lambda battle: len(battle["sides"]))
    return season_wishes(season, biggest, veteran["id"])


def next_number(folder: Path) -> int:
    """Return the number of the next club: one more than the highest that has printed."""
    matches = (re.fullmatch(r"prints-(\d+)", each.name) for each in folder.glob("prints-*"))
    return 1 + max((int(number[1]) for number in matches if number), default=0)


class ManageCommand:
    """A management command that runs at the same time as the rest of the demonstration.

    It is a fork of this process, which has loaded everything for the servers. Its output is in a
    file in the folder.
    """

    def __init__(self, folder: Path, *command: str) -> None:
        self._output = folder / f"{command[0]}.log"
        self._output.unlink(missing_ok=True)
        run = partial(run_module, "manage", *command)
        self._process = ForkedProcess(command[0], run, log=self._output)

    def report(self, say: Progress) -> None:
        """Wait for the command, and print its output. Raises Unexpected with it if it fails."""
        exit_code, output = self._process.wait(), self._output.read_text()
        if exit_code:
            raise Unexpected(f"{self._process.name} failed:\n{output}")
        for line in output.strip().splitlines():
            say.line(line)


def _show_to_strangers(season: Season) -> None:
    """Make the season and its warbands public."""
    season.say.heading("Strangers may look")
    for band in season.bands.values():
        band.client.patch(f"warbands/{band.id}/", {"visibility": "public"})
    path = f"campaigns/{season.campaign}/"
    organiser = season.club.organiser
    organiser.patch(path, {"version": organiser.get(path)["version"], "visibility": "public"})


def _tell_the_end(season: Season, prints: list[Print], folder: Path, say: Progress) -> None:
    say.heading(f"How “{season_plan().campaign}” stands")
    ending.standings(season)
    say.heading("Veterans")
    ending.veterans(season)
    say.heading("The dead")
    ending.the_dead(season)
    say.heading("Printed")
    ending.files(prints, say)
    say.heading("To look around")
    ending.going_on(season, folder, say)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
