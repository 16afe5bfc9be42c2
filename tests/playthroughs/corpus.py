"""Every playthrough of every rule system: the name of its file, and how its lines are made."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from rulebook.registry import RULESETS, find_ruleset, newest_ruleset
from rulebook.ruleset import Ruleset
from tests.full_toy import find_toy
from tests.playthroughs import question_text, reference_text, roster_text, set_up_text
from tests.playthroughs.battle_text import BattleText
from tests.playthroughs.chronicle_text import FindRuleset, chronicle_lines
from tests.playthroughs.condensed import condensed
from tests.playthroughs.logs import KeptLog, read_log, read_logs

FOLDER = Path(__file__).parent
FULL_TEXTS = FOLDER.parents[1] / "var" / "playthroughs"
"""The folder of the full texts from `make playthroughs`, which are not committed.

A failed test compares with them.
"""
SYSTEMS = tuple(key for key in RULESETS if (FOLDER / key).is_dir())
"""Rule systems with a folder of playthroughs here."""

Lines = Callable[[], Iterator[str]]

WITHOUT_QUESTIONS: Mapping[str, Callable[[Ruleset], Iterator[str]]] = {
    "reference": reference_text.reference_lines,
    "catalogue": reference_text.catalogue_lines,
    "profiles": roster_text.profile_lines,
    "examples": question_text.example_lines,
}
"""The texts of a rule system that need no questions."""

QUESTIONS: Mapping[str, Callable[[Ruleset, Path], Iterator[str]]] = {
    "builds": roster_text.asked_build_lines,
    "options": roster_text.asked_build_lines,
    "extras": roster_text.extras_lines,
    "rosters": roster_text.roster_lines,
    "rank-ups": roster_text.rank_ups_lines,
    "steps": roster_text.steps_lines,
    "awards": roster_text.award_lines,
    "set-ups": set_up_text.set_up_lines,
    "questions": question_text.asked_lines,
    "between": question_text.between_lines,
    "in-battle": question_text.in_battle_lines,
}
"""The answers to questions, by the name of the file with the questions."""

CHRONICLES: Mapping[str, FindRuleset] = {"en-garde": find_ruleset, "toy": find_toy}
"""The function that finds the rule system of a chronicle."""


def playthroughs() -> Mapping[str, Lines]:
    """Return the functions that make the lines of each playthrough, by relative path."""
    texts: dict[str, Lines] = {}
    for key in SYSTEMS:
        rules, home = newest_ruleset(key), FOLDER / key
        for path in sorted((home / "logs").glob("*.json")):
            texts[f"{key}/battles/{path.stem}.txt"] = partial(_battle, rules, path)
        for path in sorted((home / "logs" / "by-hand").glob("*.json")):
            texts[f"{key}/by-hand/{path.stem}.txt"] = partial(_short_battles, rules, path)
        for name, lines in WITHOUT_QUESTIONS.items():
            texts[f"{key}/{name}.txt"] = partial(lines, rules)
        for name, question_lines in QUESTIONS.items():
            if (home / "asked" / f"{name}.json").exists():
                texts[f"{key}/{name}.txt"] = partial(
                    question_lines, rules, home / "asked" / f"{name}.json"
                )
    for key, find in CHRONICLES.items():
        for path in sorted((FOLDER / key / "chronicles").glob("*.json")):
            texts[f"{key}/chronicles/{path.stem}.txt"] = partial(chronicle_lines, path, find)
    return texts


def full_text(lines: Lines) -> str:
    """Return every line of a playthrough."""
    return "\n".join(line.rstrip() for line in lines()) + "\n"


def stored_text(full: str) -> str:
    """Return the stored form of a full text."""
    return "\n".join(condensed(full.splitlines())) + "\n"


def write_all() -> None:
    """Write every playthrough again, and delete files without a playthrough."""
    made = playthroughs()
    for path in FOLDER.glob("*/**/*.txt"):
        if path.relative_to(FOLDER).as_posix() not in made:
            path.unlink()
    for name, lines in made.items():
        full = full_text(lines)
        for folder, text in ((FULL_TEXTS, full), (FOLDER, stored_text(full))):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def _battle(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield a battle, with the whole table now and then unless its log has events to try."""
    log = read_log(path)
    yield from BattleText(rules, log, tables=not log.asked).lines()


def _short_battles(rules: Ruleset, path: Path) -> Iterator[str]:
    """Yield short battles without the whole table. A force is printed only once."""
    forces: set[str] = set()
    logs: dict[str, KeptLog] = read_logs(path)
    for name, log in logs.items():
        yield f"==== {name}"
        text = BattleText(rules, log, tables=False)
        yield from text.lines(forces)
        yield ""
