"""Let the referee play new logs: `python -m tests.playthroughs.new_logs`.

It overwrites the old ones.

This is for a rule or a kind of event that no log has yet. Only this module uses code below the
protocol.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from rulebook.registry import newest_ruleset
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError
from scripts.demo.referees.en_garde import referee
from scripts.demo.referees.quick_result import quick_result
from tests.plays import event_problems, throw_dice
from tests.playthroughs.logs import Asked, KeptLog, write_log
from tests.rulebook.en_garde.logs import replay
from tests.rulebook.en_garde.odd_events import bent, odd_event
from tests.rulebook.en_garde.refereed import battle

RULES = newest_ruleset("en-garde")
LOGS = Path(__file__).parent / "en-garde" / "logs"
SEEDS = range(400)
LENGTHS = range(60, 95)
ODD_ONES = 40
BENT_SHARE, CORRECTED_SHARE = 0.3, 0.25


def write_new_logs() -> None:
    """Write new logs: battles and results of every scenario, errors, and odd events."""
    for scenario in RULES.scenarios():
        seed, setup, events = _richest(scenario.key)
        write_log(LOGS / f"{scenario.key}.json", KeptLog(setup, events))
        write_log(
            LOGS / f"{scenario.key}-sheet.json", KeptLog(setup, quick_result(setup, Random(seed)))
        )
        if scenario.key in ("skirmish", "raid"):
            write_log(
                LOGS / f"{scenario.key}-with-slips.json", _with_errors(setup, events, Random(seed))
            )
            write_log(
                LOGS / f"{scenario.key}-odd-events.json",
                _with_odd_events(setup, events, Random(seed)),
            )


def _richest(scenario: str) -> tuple[int, BattleSetup, tuple[LoggedEvent, ...]]:
    """Return the battle of a scenario with the most kinds of event, with its seed."""
    candidates = []
    for seed in SEEDS:
        setup = battle(seed)
        if setup.scenario == scenario:
            events = referee(setup, Random(seed))
            if len(events) in LENGTHS:
                fields = {(event.kind, field) for event in events for field in event.data}
                kinds = Counter(event.kind for event in events)
                candidates.append(
                    (
                        (len(kinds) * 3 + len(fields) + min(kinds["spell"], 3) * 4),
                        seed,
                        setup,
                        events,
                    )
                )
    _, seed, setup, events = max(candidates, key=lambda each: (each[0], -each[1]))
    return seed, setup, events


def _with_errors(setup: BattleSetup, events: tuple[LoggedEvent, ...], luck: Random) -> KeptLog:
    """Return the battle with some invalid events and corrections among its valid events.

    Some of the invalid events are overruled.
    """
    log: list[LoggedEvent] = []
    attempts: list[Asked] = []
    for good in events:
        if luck.random() < BENT_SHARE:
            _try(setup, log, attempts, bent(good, replay(setup, tuple(log)), luck), luck)
        if log and luck.random() < CORRECTED_SHARE:
            _try(setup, log, attempts, _correction(setup, log, luck), luck)
        after = LoggedEvent(len(log) + 1, good.kind, good.data, good.turn, good.dice)
        if not event_problems(RULES, setup, tuple(log), after):
            log.append(after)
    return KeptLog(setup, tuple(log), tuple(attempts))


def _try(
    setup: BattleSetup,
    log: list[LoggedEvent],
    attempts: list[Asked],
    event: LoggedEvent,
    luck: Random,
) -> None:
    numbered = LoggedEvent(len(log) + 1, event.kind, event.data, event.turn)
    try:
        thrown = throw_dice(RULES, setup, tuple(log), numbered, luck)
    except RulesError:
        attempts.append(Asked(len(log), numbered))
        return
    diced = LoggedEvent(numbered.sequence, event.kind, thrown.data, event.turn, thrown.dice)
    if event_problems(RULES, setup, tuple(log), diced):
        attempts.append(Asked(len(log), numbered))
    else:
        log.append(diced)


def _correction(setup: BattleSetup, log: list[LoggedEvent], luck: Random) -> LoggedEvent:
    """Return a correction that replaces an earlier event by a changed one, or removes it."""
    target = luck.choice(log)
    if target.kind == "correction" or luck.random() < 0.2:
        return LoggedEvent(0, "correction", {"event": target.sequence, "reason": "Nobody saw it."})
    slipped = bent(target, replay(setup, tuple(log)), luck)
    data = {
        "event": target.sequence,
        "reason": "We looked again.",
        "kind": slipped.kind,
        "data": slipped.data,
    }
    return LoggedEvent(0, "correction", data)


def _with_odd_events(setup: BattleSetup, events: tuple[LoggedEvent, ...], luck: Random) -> KeptLog:
    """Return half a battle, with events to try at some points that nobody should send."""
    half = events[: len(events) // 2]
    return KeptLog(setup, half, tuple(_odd(setup, half, luck)))


def _odd(setup: BattleSetup, events: tuple[LoggedEvent, ...], luck: Random) -> Iterator[Asked]:
    for after in (0, len(events) // 3, len(events) * 2 // 3, len(events)):
        state = replay(setup, events[:after])
        for _ in range(ODD_ONES):
            event = odd_event(state, luck)
            yield Asked(after, LoggedEvent(after + 1, event.kind, event.data, event.turn))


if __name__ == "__main__":
    write_new_logs()
