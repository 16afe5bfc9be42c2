"""The logs of playthroughs: a set-up with events, and events to try after some of them."""

from pathlib import Path

import msgspec
from msgspec import Struct

from rulebook.ruleset import BattleSetup, LoggedEvent

SEED = "a seed for every log"


class Asked(Struct, frozen=True):
    """An event outside of the log, to be tried ``after`` this number of events."""

    after: int
    event: LoggedEvent


class KeptLog(Struct, frozen=True):
    """A set-up, its events, and events to try at some points."""

    setup: BattleSetup
    events: tuple[LoggedEvent, ...]
    asked: tuple[Asked, ...] = ()


def read_log(path: Path) -> KeptLog:
    """Return the log in a file."""
    return msgspec.json.decode(path.read_bytes(), type=KeptLog)


def read_logs(path: Path) -> dict[str, KeptLog]:
    """Return several short logs in one file, by their names."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, KeptLog])


def write_log(path: Path, log: KeptLog) -> None:
    """Write a log, one event per line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    events = ",\n".join(_line(event) for event in log.events)
    attempts = ",\n".join(_line(each) for each in log.asked)
    text = (
        f'{{"setup": {_line(log.setup)},\n"events": [\n{events}\n],\n"asked": [\n{attempts}\n]}}\n'
    )
    path.write_text(text, encoding="utf-8")


def write_logs(path: Path, logs: dict[str, KeptLog]) -> None:
    """Write several short logs, one per line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"{_line(name)}: {_line(log)}" for name, log in logs.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()
