"""A battle of the past is put right: a dry run says what would change, then the organiser commits it."""

from collections.abc import Iterator
from typing import Any

from scripts.demo.client import Unexpected
from scripts.demo.forces import Page
from scripts.demo.mustering import client_id
from scripts.demo.playing import Season

REASON = "The dice were misread: that blow was parried."
STANDS = "It was chosen in good faith."
LINES = 12
"""So many lines of a difference are told; the rest is counted."""


def correct_one(season: Season, battles: list[Page]) -> None:
    """Strike the most grievous killing of the season's first half from the log, with all that follows from it."""
    battle, blow = _killing_blow(battles[: -(-len(battles) // 2)])
    attacker, victim = (_name(battle, blow["data"][who]) for who in ("attacker", "victim"))
    season.say.line(f"“{battle['name']}”: {attacker} did not kill {victim} after all.")
    wish = _wish(season, blow)
    path = f"battles/{battle['id']}/corrections/"
    dry = season.club.organiser.post(path, {**wish, "dry_run": True})
    for line in _told(dry):
        season.say.line(f"  {line}")
    answers = {"stand": [_standing(conflict) for conflict in dry["conflicts"]]}
    made = season.club.organiser.post(path, {**wish, **answers})
    season.say.line(f"The organiser commits it: correction {made['number']} of that battle, “{REASON}”")


def _killing_blow(battles: list[Page]) -> tuple[Page, Page]:
    """The last blow to the fallen fighter of the highest Rank, and its battle; the earliest, if there are several.

    A fallen bearer is left alone: the banner that was taken then would have to be given back as well.
    """
    found = [
        (combatant["rank"], battle, blows[-1])
        for battle in battles
        for side in battle["sides"]
        for combatant in side["combatants"]
        if combatant["fate"] == "dead" and not combatant["banner"] and (blows := _blows(battle, combatant["fighter"]))
    ]
    if not found:
        raise Unexpected("Nobody was killed by a blow, so there is nothing to put right: try another seed.")
    _, battle, blow = max(found, key=lambda each: each[0])
    return battle, blow


def _blows(battle: Page, victim: str) -> list[Page]:
    return [event for event in battle["log"] if event["kind"] == "wound" and event["data"]["victim"] == victim]


def _wish(season: Season, blow: Page) -> dict[str, Any]:
    """A correction that names no other event strikes the one that it speaks of."""
    struck = {"event": blow["sequence"], "reason": REASON}
    return {"events": [{"client_id": client_id(season.luck), "kind": "correction", "data": struck}], "reason": REASON}


def _standing(conflict: Page) -> dict[str, Any]:
    return {"warband": conflict["warband"], "sequence": conflict["sequence"], "reason": STANDS}


def _name(battle: Page, fighter: str) -> str:
    return next(
        str(each["name"]) for side in battle["sides"] for each in side["combatants"] if each["fighter"] == fighter
    )


def _told(difference: Page) -> Iterator[str]:
    """A dry run in words."""
    if difference["verdict_before"] != difference["verdict_after"]:
        yield f"the verdict: {difference['verdict_after']} (before: {difference['verdict_before']})"
    for row in difference["table"]:
        if row["position_before"] != row["position_after"]:
            yield f"{row['name']}: position {row['position_after']} instead of {row['position_before']}"
    changes = [line for fighter in difference["fighters"] for line in _changes(fighter)]
    yield from changes[:LINES]
    if len(changes) > LINES:
        yield f"and {len(changes) - LINES} changes more"
    for conflict in difference["conflicts"]:
        yield f"no longer possible: {conflict['sentence']}"


def _changes(fighter: Page) -> Iterator[str]:
    for what in ("fate", "experience", "rank", "points"):
        before, after = fighter[f"{what}_before"], fighter[f"{what}_after"]
        if before != after:
            yield f"{fighter['name']}: {what} {after} instead of {before}"
