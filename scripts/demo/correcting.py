"""Correct a past battle: first a dry run, then the organiser commits the correction."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from scripts.demo.client import Unexpected
from scripts.demo.forces import Page, holds
from scripts.demo.mustering import client_id
from scripts.demo.plans import season_plan
from scripts.demo.playing import Season

REASON = "The dice were misread: that blow was parried."
STANDS = "It was chosen in good faith."
LINES = 12
"""The maximum number of lines of a difference to print; the rest is counted."""
MAX_TRIES = 12


class Tried(Struct, frozen=True):
    """A correction that was tried: the blow that it removes, the request, and its effect."""

    battle: Page
    blow: Page
    wish: dict[str, Any]
    difference: Page


def correct_one(season: Season, battles: list[Page]) -> None:
    """Remove a killing of the season's first half from the log: the one with the largest effect."""
    tries = [
        _tried(season, battle, blow)
        for battle, blow in _killings(battles[: -(-len(battles) // 2)])[:MAX_TRIES]
    ]
    if not tries:
        raise Unexpected(
            "Nobody was killed by a blow, so there is nothing to correct: try another seed."
        )
    chosen = max(tries, key=lambda tried: _weight(tried.difference))
    attacker, victim = (
        _name(chosen.battle, chosen.blow["data"][who]) for who in ("attacker", "victim")
    )
    season.say.line(
        f"“{chosen.battle['name']}”: {attacker} did not kill {victim} after all. A dry run says:"
    )
    for line in _difference_lines(chosen.difference):
        season.say.line(f"  {line}")
    _commit(season, chosen)


def _tried(season: Season, battle: Page, blow: Page) -> Tried:
    """Return what the correction would change, by a dry run."""
    wish = _wish(season, blow)
    difference = season.club.organiser.post(
        f"battles/{battle['id']}/corrections/", {**wish, "dry_run": True}
    )
    return Tried(battle, blow, wish, difference)


def _commit(season: Season, chosen: Tried) -> None:
    """Commit the correction. Choices that it makes impossible are kept, with a reason."""
    standing = [_standing(conflict) for conflict in chosen.difference["conflicts"]]
    path, organiser = f"battles/{chosen.battle['id']}/", season.club.organiser
    made = organiser.post(f"{path}corrections/", {**chosen.wish, "stand": standing})
    if standing:
        season.say.line(f"{season_plan().organiser} keeps the result: “{STANDS}”")
    season.say.line(f"She commits correction {made['number']} of that battle: “{REASON}”")


def _killings(battles: list[Page]) -> list[tuple[Page, Page]]:
    """Return the last blow to each of the fallen with its battle, the highest Ranks first.

    Leaves out banner bearers, because the banner that was taken then would have to be given back
    too.
    """
    killings = [
        (combatant["rank"], battle, blows[-1])
        for battle in battles
        for side in battle["sides"]
        for combatant in side["combatants"]
        if combatant["fate"] == "dead"
        and not holds(combatant, "banner")
        and (blows := _blows(battle, combatant["fighter"]))
    ]
    return [(battle, blow) for _, battle, blow in sorted(killings, key=lambda each: -each[0])]


def _weight(difference: Page) -> int:
    """Return the size of the effect: standings, impossible choices, a new winner."""
    places = sum(row["position_before"] != row["position_after"] for row in difference["table"])
    outcomes = sum(side["outcome_before"] != side["outcome_after"] for side in difference["sides"])
    return 3 * len(difference["conflicts"]) + places + outcomes


def _blows(battle: Page, victim: str) -> list[Page]:
    return [
        event
        for event in battle["log"]
        if event["kind"] == "wound" and event["data"]["victim"] == victim
    ]


def _wish(season: Season, blow: Page) -> dict[str, Any]:
    """Return a correction without a new event: it removes the event that it names."""
    struck = {"event": blow["sequence"], "reason": REASON}
    return {
        "events": [{"client_id": client_id(season.luck), "kind": "correction", "data": struck}],
        "reason": REASON,
    }


def _standing(conflict: Page) -> dict[str, Any]:
    return {"warband": conflict["warband"], "sequence": conflict["sequence"], "reason": STANDS}


def _name(battle: Page, fighter: str) -> str:
    return next(
        str(each["name"])
        for side in battle["sides"]
        for each in side["combatants"]
        if each["fighter"] == fighter
    )


def _difference_lines(difference: Page) -> Iterator[str]:
    """Yield the lines that describe a dry run."""
    if difference["verdict_before"] != difference["verdict_after"]:
        yield f"verdict before: {difference['verdict_before']}"
        yield f"verdict now: {difference['verdict_after']}"
    for row in difference["table"]:
        if row["position_before"] != row["position_after"]:
            yield (
                f"{row['name']}: position {row['position_after']} instead of "
                f"{row['position_before']}"
            )
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
