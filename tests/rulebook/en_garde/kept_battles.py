"""Battles stored as text: set-up, log and result, one for each scenario.

`python -m tests.rulebook.en_garde.kept_battles` plays and writes them again. This is for a new
edition of the rules.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import BattleResult, BattleSetup, LoggedEvent
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import result
from tests.rulebook.en_garde.refereed import battle

FOLDER = Path(__file__).parents[1] / "data" / "battles"
FIRST_SEED = 5000


class KeptBattle(Struct, frozen=True):
    """A battle with its result."""

    setup: BattleSetup
    events: tuple[LoggedEvent, ...]
    result: BattleResult


def kept_battles() -> dict[str, KeptBattle]:
    """Return the battles by scenario."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.json"))}


def write_anew() -> None:
    """Play a battle of every scenario, and write it with one line per event."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for facts in scenario_facts():
        setup, seed = _battle_of(facts.key)
        events = referee(setup, Random(seed))
        kept = KeptBattle(setup, events, result(setup, events))
        (FOLDER / f"{facts.key}.json").write_text(
            _by_lines(msgspec.to_builtins(kept)), encoding="utf-8"
        )


def _battle_of(scenario: str) -> tuple[BattleSetup, int]:
    """Return the first random battle of that scenario, with its seed."""
    seeds = range(FIRST_SEED, FIRST_SEED + 500)
    return next((setup, seed) for seed in seeds if (setup := battle(seed)).scenario == scenario)


def _read(path: Path) -> KeptBattle:
    return msgspec.json.decode(path.read_bytes(), type=KeptBattle)


def _by_lines(kept: dict[str, Any]) -> str:
    def line(value: Any) -> str:
        return msgspec.json.encode(value).decode()

    events = ",\n".join(line(event) for event in kept["events"])
    return (
        f'{{"setup": {line(kept["setup"])},\n"events": [\n{events}\n],\n"result": '
        f"{line(kept['result'])}}}\n"
    )


if __name__ == "__main__":
    write_anew()
