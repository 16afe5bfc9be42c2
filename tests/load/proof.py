"""Compare the database with the ledger of a load test: nothing is lost, and nothing is there twice.

    python -m tests.load.proof LEDGER

Prints every fault, and exits with 1 if there is one.
"""

import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import CommandError, call_command  # noqa: E402 - after the set-up

from battles.models import Battle, BattleEvent, BattleState  # noqa: E402
from campaigns.models import JournalEntry, Round  # noqa: E402
from documents.models import Document, DocumentState  # noqa: E402
from tests.load.ledger import DONE, SENT, read  # noqa: E402
from warbands.models import ChronicleEntry  # noqa: E402

PATIENCE = 600
"""Seconds for what the workers still have to do."""
Rows = dict[str, list[dict[str, Any]]]


def main(file: str) -> int:
    """Wait for the workers, then print every fault. Return 1 if there is one."""
    ledger = Path(file)
    sent, done = by_kind(ledger, SENT), by_kind(ledger, DONE)
    faults = [*waiting()]
    for check in (battles, logs, journal, rounds, experience, rank_ups, documents, seals):
        faults += check(sent, done)
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    return 1 if faults else 0


def by_kind(file: Path, entry: str) -> Rows:
    """Return the entries by what was written."""
    rows: Rows = defaultdict(list)
    for row in read(file, entry):
        rows[row["what"]].append(row)
    return rows


def waiting() -> Iterator[str]:
    """Wait until the workers have nothing left to do. Yield what is left when the time is over."""
    until = time.monotonic() + PATIENCE
    unready = Document.objects.exclude(state__in=(DocumentState.READY, DocumentState.FAILED))
    owed = Battle.objects.filter(follow_ups_due_since__isnull=False)
    while time.monotonic() < until and (unready.exists() or owed.exists()):
        time.sleep(1)
    if unready.exists() or owed.exists():
        left = f"{unready.count()} documents and the follow-ups of {owed.count()} battles"
        yield f"After {PATIENCE} s the workers owe {left}."


def once(what: str, sent: Rows, done: Rows, count: Callable[[str], int]) -> Iterator[str]:
    """Yield a fault for each mark that is lost, or there twice."""
    answered = {row["mark"] for row in done[what]}
    for mark in {row["mark"] for row in sent[what]} | answered:
        number = count(mark)
        if number > 1:
            yield f"The {what} {mark} is there {number} times."
        elif mark in answered and not number:
            yield f"The {what} {mark} was answered and is lost."


def battles(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every planned battle is there once, as far on as was answered."""
    titles = Counter(Battle.objects.values_list("title", flat=True))
    marks = {row["mark"]: row["title"] for row in sent["battle"]}
    yield from once("battle", sent, done, lambda mark: titles[marks[mark]])

    states = {str(key): state for key, state in Battle.objects.values_list("pk", "state")}
    facts = Counter(
        str(key)
        for key in ChronicleEntry.objects.filter(kind="fought").values_list("subject", flat=True)
    )
    over = {BattleState.SUBMITTED, BattleState.DISPUTED, BattleState.CONFIRMED}
    allowed = {
        "started": over | {BattleState.UNDER_WAY},
        "submitted": over,
        "disputed": {BattleState.DISPUTED, BattleState.CONFIRMED},
        "confirmed": {BattleState.CONFIRMED},
    }
    for what, expected in allowed.items():
        for row in done[what]:
            if (state := states.get(row["mark"])) not in expected:
                yield f"The battle {row['mark']} was {what}, and is {state}."
    for key, state in states.items():
        expected_facts = 2 if state == BattleState.CONFIRMED else 0
        if facts[key] != expected_facts:
            yield f"The battle {key} is {state} and has {facts[key]} facts."


def logs(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every log has all answered events, once and in the order sent."""
    answered: dict[str, list[str]] = defaultdict(list)
    attempted: dict[str, list[str]] = defaultdict(list)
    for rows, target in ((done, answered), (sent, attempted)):
        for row in rows["event"]:
            target[row["battle"]].append(row["mark"])
    for battle, marks in attempted.items():
        stored = BattleEvent.objects.filter(battle_id=UUID(battle)).order_by("sequence")
        logged = [str(key) for key in stored.values_list("client_id", flat=True)]
        # The last one may be there although its answer was lost.
        if logged != answered[battle] and logged != marks:
            numbers = f"{len(answered[battle])} were answered, {len(marks)} sent"
            yield f"The log of battle {battle} has {len(logged)} events: {numbers}."


def journal(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every entry of a journal is there once."""
    texts = Counter(JournalEntry.objects.values_list("text", flat=True))
    yield from once("journal", sent, done, lambda mark: texts[f"Entry {mark}"])


def rounds(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every round was made once."""
    names = Counter(Round.objects.values_list("name", flat=True))
    yield from once("round", sent, done, lambda mark: names[mark])


def experience(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that experience was added once for each reason."""
    reasons = Counter(
        fact.get("reason")
        for fact in ChronicleEntry.objects.filter(kind="adjusted").values_list("payload", flat=True)
    )
    yield from once("experience", sent, done, lambda mark: reasons[f"Gift {mark}"])


def rank_ups(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every fighter has the rank-ups that were answered."""
    facts = Counter(
        fact["fighter"]
        for fact in ChronicleEntry.objects.filter(kind="ranked-up").values_list(
            "payload", flat=True
        )
    )
    least = Counter(row["fighter"] for row in done["rank-up"])
    most = Counter(row["fighter"] for row in sent["rank-up"])
    for fighter, number in most.items():
        if not least[fighter] <= facts[fighter] <= number:
            numbers = f"{least[fighter]} were answered, {number} sent"
            yield f"Fighter {fighter} has {facts[fighter]} rank-ups: {numbers}."


def documents(sent: Rows, done: Rows) -> Iterator[str]:
    """Check that every ordered document is there, and ready."""
    states = {str(key): state for key, state in Document.objects.values_list("pk", "state")}
    for row in done["document"]:
        if (state := states.get(row["key"])) != DocumentState.READY:
            yield f"The document {row['key']} was ordered, and is {state}."


def seals(sent: Rows, done: Rows) -> Iterator[str]:
    """Check all chronicles, logs and files as an operator does."""
    for command in ("check_chronicle", "check_documents"):
        try:
            call_command(command)
        except (CommandError, SystemExit) as error:
            yield f"{command} found faults: {error}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
