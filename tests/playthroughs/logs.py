"""The logs that playthroughs are made of: a set-up with events, and events that are refused after
some of them."""

from pathlib import Path

import msgspec
from msgspec import Struct

from rulebook.ruleset import BattleSetup, LoggedEvent

SEED = "a seed for every log"


class Asked(Struct, frozen=True):
    """An event that is no part of a log: what becomes of it when it is sent ``after`` so many
    events."""

    after: int
    event: LoggedEvent


class KeptLog(Struct, frozen=True):
    """A set-up, its events, and events to be tried at some points of it."""

    setup: BattleSetup
    events: tuple[LoggedEvent, ...]
    asked: tuple[Asked, ...] = ()


def read_log(path: Path) -> KeptLog:
    """The log in a file."""
    return msgspec.json.decode(path.read_bytes(), type=KeptLog)


def read_logs(path: Path) -> dict[str, KeptLog]:
    """Several short logs in one file, by their names."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, KeptLog])


def write_log(path: Path, log: KeptLog) -> None:
    """Write a log, a line for each event."""
    path.parent.mkdir(parents=True, exist_ok=True)
    events = ",\n".join(_line(event) for event in log.events)
    attempts = ",\n".join(_line(each) for each in log.asked)
    text = (
        f'{{"setup": {_line(log.setup)},\n"events": [\n{events}\n],\n"asked": [\n{attempts}\n]}}\n'
    )
    path.write_text(text, encoding="utf-8")


def write_logs(path: Path, logs: dict[str, KeptLog]) -> None:
    """Write several short logs, a line for each."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"{_line(name)}: {_line(log)}" for name, log in logs.items())
    path.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _line(value: object) -> str:
    return msgspec.json.encode(value).decode()
