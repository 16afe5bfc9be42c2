"""Every playthrough of every rule system: the name of its file, and how its lines are made."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from rulebook.registry import newest_ruleset
from rulebook.ruleset import Ruleset
from tests.playthroughs.battle_text import BattleText
from tests.playthroughs.logs import KeptLog, read_log, read_logs

FOLDER = Path(__file__).parent
SYSTEMS = ("en-garde",)

Lines = Callable[[], Iterator[str]]


def playthroughs() -> Mapping[str, Lines]:
    """What makes the lines of each playthrough, by the path of its file below this folder."""
    found: dict[str, Lines] = {}
    for key in SYSTEMS:
        rules, home = newest_ruleset(key), FOLDER / key
        for path in sorted((home / "logs").glob("*.json")):
            found[f"{key}/battles/{path.stem}.txt"] = partial(_battle, rules, path)
        for path in sorted((home / "logs" / "by-hand").glob("*.json")):
            found[f"{key}/by-hand/{path.stem}.txt"] = partial(_short_battles, rules, path)
    return found


def text_of(lines: Lines) -> str:
    """A playthrough as it stands in its file."""
    return "\n".join(line.rstrip() for line in lines()) + "\n"


def write_all() -> None:
    """Write every playthrough anew, and remove the files that none makes any more."""
    made = playthroughs()
    for path in FOLDER.glob("*/**/*.txt"):
        if path.relative_to(FOLDER).as_posix() not in made:
            path.unlink()
    for name, lines in made.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(lines), encoding="utf-8")


def _battle(rules: Ruleset, path: Path) -> Iterator[str]:
    yield from BattleText(rules, read_log(path)).lines()


def _short_battles(rules: Ruleset, path: Path) -> Iterator[str]:
    """Short battles, without the whole table; a force that was told before is not told again."""
    forces: set[str] = set()
    logs: dict[str, KeptLog] = read_logs(path)
    for name, log in logs.items():
        yield f"==== {name}"
        text = BattleText(rules, log, tables=False)
        yield from text.lines(forces)
        yield ""
