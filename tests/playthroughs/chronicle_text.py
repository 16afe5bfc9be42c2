"""Chronicles as text: every fact with its seal, changes and experience, conflicts, and the end."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from rulebook.chronicle.facts import FIRST_SEAL, Corrected, decode, encode, seal
from rulebook.chronicle.replay import replay_chronicle
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import Ruleset
from tests.playthroughs.plain_text import changes, compact, flat

FindRuleset = Callable[[str, str], Ruleset]
RECORDED = "1600000000.000000 -"


def chronicle_lines(path: Path, find: FindRuleset) -> Iterator[str]:
    """Yield every chronicle of a file, fact by fact."""
    for name, entries in msgspec.json.decode(path.read_bytes()).items():
        yield f"==== {name}"
        yield from _chronicle(entries, find)
        yield ""


def _chronicle(entries: list[dict[str, Any]], find: FindRuleset) -> Iterator[str]:
    """Yield the replay after each fact.

    Each is replayed from the start, so that the effect of a correction on earlier facts shows.
    """
    facts = [decode(each) for each in entries]
    before, sealed, state = replay_chronicle([], find), FIRST_SEAL, dict[str, str]()
    for sequence, (fact, payload) in enumerate(zip(facts, entries, strict=True), start=1):
        after = replay_chronicle(facts[:sequence], find)
        sealed = seal(
            sealed, warband="w", sequence=sequence, payload=encode(fact), recorded=RECORDED
        )
        yield f"#{sequence} {payload['kind']}"
        yield f"  seal {sealed}"
        if _in_order(encode(fact)) != _in_order(payload):
            yield f"  written again as {compact(encode(fact))}"
        yield from _lines("ledger", before.ledger, after.ledger)
        yield from _lines("conflict", before.conflicts, after.conflicts)
        now = dict(flat(_with_every_tally(after.state, find)))
        yield from (f"  {line}" for line in changes(state, now))
        before, state = after, now
    corrected = sum(isinstance(fact, Corrected) for fact in facts)
    summary = f"{len(before.ledger)} lines of the ledger, {len(before.conflicts)} conflicts"
    yield f"in the end: {summary}, {corrected} corrections"


def _with_every_tally(state: WarbandState, find: FindRuleset) -> dict[str, Any]:
    """Return a state as JSON, in which each fighter has every tally, including zeros."""
    data: dict[str, Any] = msgspec.to_builtins(state)
    nothing = {tally.key: 0 for tally in find(state.ruleset, state.edition).tallies}
    for fighter in data["fighters"].values():
        counts = nothing | fighter["tallies"]
        parts = [
            counts.items() if name == "tallies" else [(name, value)]
            for name, value in fighter.items()
        ]
        data["fighters"][fighter["id"]] = {name: value for part in parts for name, value in part}
    return data


def _in_order(payload: dict[str, Any]) -> bytes:
    return msgspec.json.encode(payload, order="deterministic")


def _lines(name: str, before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[str]:
    yield from (f"  {name} {compact(line)}" for line in after if line not in before)
    yield from (f"  no longer {name} {compact(line)}" for line in before if line not in after)
