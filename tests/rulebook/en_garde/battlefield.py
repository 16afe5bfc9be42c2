"""Short notation for battles of En Garde! in tests: sides by Ranks, events by kind."""

from collections.abc import Mapping
from typing import Any

from rulebook.ruleset import (
    Award,
    BattleResult,
    BattleSetup,
    FieldedFighter,
    FieldedSide,
    LoggedEvent,
    Problem,
    Record,
    SideResult,
)
from tests.rulebook.en_garde.logs import event_problems, result

PROFILES = {
    1: ("cardinals-guard/ruffian", 4),
    2: ("cardinals-guard/guard", 8),
    3: ("cardinals-guard/officer", 18),
    4: ("cardinals-guard/senior-officer", 24),
    5: ("cardinals-guard/general", 29),
}
NAMES = {"a": "Alsatians", "b": "Basques", "c": "Catalans", "d": "Dragoons"}
ROLES = {
    "defence": ("attacker", "defender"),
    "escort": ("attacker", "escort"),
    "hold-the-bridge": ("attacker", "defender"),
    "raid": ("attacker", "defender"),
}
SCENARIOS = (
    "skirmish",
    "capture",
    "duel",
    "defence",
    "escort",
    "hold-the-bridge",
    "occupy",
    "raid",
)

Told = tuple[str, dict[str, Any]]


def fielded(id: str, rank: int, **more: Any) -> FieldedFighter:
    """Return a fighter of the Cardinal's Guard with this Rank, named by its id in capitals."""
    profile, points = PROFILES[rank]
    posts = tuple(post for post in ("leader", "banner") if more.pop(post, False))
    given = {
        "id": id,
        "posts": posts,
        "name": id.upper(),
        "build": {"profile": profile},
        "rank": rank,
        "points": points,
    }
    return FieldedFighter(**{**given, **more})


def side(key: str, ranks: tuple[int, ...], role: str = "warband", **more: Any) -> FieldedSide:
    """Return a side with fighters "a1", "a2" and so on, of these Ranks; the first leads."""
    fighters = tuple(
        fielded(f"{key}{place}", rank, leader=place == 1)
        for place, rank in enumerate(ranks, start=1)
    )
    return FieldedSide(
        **{
            "key": key,
            "name": NAMES[key],
            "role": role,
            "faction": "cardinals-guard",
            "fighters": fighters,
            **more,
        }
    )


def battle(
    scenario: str, *forces: tuple[int, ...], settings: Mapping[str, Any] | None = None
) -> BattleSetup:
    """Return a battle between sides "a", "b" and so on, of these Ranks.

    By default, each has a Leader of Rank 4 and three more fighters.
    """
    forces = forces or ((4, 3, 2, 1), (4, 3, 2, 1))
    roles = ROLES.get(scenario, ("warband",) * len(forces))
    sides = tuple(
        side(key, ranks, role) for key, ranks, role in zip("abcd", forces, roles, strict=False)
    )
    return BattleSetup(scenario=scenario, sides=sides, settings=settings or {})


def log(*entries: Told) -> tuple[LoggedEvent, ...]:
    """Return a log of these events.

    "turn" in the data is the event's turn, except for kinds that have a field of that name.
    """
    return tuple(logged(number, *each) for number, each in enumerate(entries, start=1))


def logged(sequence: int, kind: str, data: Mapping[str, Any]) -> LoggedEvent:
    """Return one event of a log."""
    plain = dict(data)
    turn = plain.pop("turn", None) if kind not in ("ended", "correction") else None
    return LoggedEvent(sequence, kind, plain, turn)


def wound(victim: str, result: str, attacker: str | None = None, **more: Any) -> Told:
    """Return a wound."""
    return "wound", {"victim": victim, "result": result, "attacker": attacker, **more}


def killed(victim: str, attacker: str | None = None, **more: Any) -> Told:
    """Return a Critical wound."""
    return wound(victim, "critical", attacker, **more)


def subdued(victim: str, attacker: str) -> Told:
    """Return an event that knocks somebody unconscious."""
    return wound(victim, "grievous", attacker, subdue=True)


def told(kind: str, /, **data: Any) -> Told:
    """Return any other event."""
    return kind, data


def problems(setup: BattleSetup, *events: Told) -> list[Problem]:
    """Return the problems of the last of these events after the others, which must be valid."""
    *before, last = log(*events)
    for place, event in enumerate(before):
        assert event_problems(setup, tuple(before[:place]), event) == ()
    return list(event_problems(setup, tuple(before), last))


def codes(setup: BattleSetup, *events: Told) -> list[str]:
    """Return the codes of the problems of the last event."""
    return [problem.code for problem in problems(setup, *events)]


def fought(setup: BattleSetup, *events: Told) -> BattleResult:
    """Return the result of a log, whose events must all be valid."""
    assert problems(setup, *events, told("note", text="All is told.")) == []
    return result(setup, log(*events))


def of(sheet: BattleResult, key: str) -> SideResult:
    """Return one side's part of a result."""
    return next(each for each in sheet.sides if each.side == key)


def lines(sheet: BattleResult, key: str) -> list[tuple[int, str]]:
    """Return points and code of each line of a side's victory points."""
    return [(line.points, line.code) for line in of(sheet, key).lines]


def record(sheet: BattleResult, fighter: str) -> Record:
    """Return the record of one fighter in a result."""
    return next(
        record for each in sheet.sides for record in each.records if record.fighter == fighter
    )


def earned(awards: tuple[Award, ...], fighter: str) -> list[str]:
    """Return the codes of a fighter's awards."""
    return [award.code for award in awards if award.fighter == fighter]
