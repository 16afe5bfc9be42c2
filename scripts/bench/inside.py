"""The measurements on a database.

They run in a separate process for which Django was set up (see __main__).
"""

from pathlib import Path
from uuid import UUID

import msgspec
from django.db import connection

from battles.services.review import confirm_side
from scripts.bench.confirming import confirming, rows_written
from scripts.bench.correcting import correction_findings
from scripts.bench.findings import Finding, at_most_times, later, span
from scripts.bench.history import add_history
from scripts.bench.logging_events import logging_findings
from scripts.bench.paging import page_findings
from scripts.bench.printing import document_findings
from scripts.bench.prints import print_findings
from scripts.bench.sizes import Sizes
from scripts.bench.world import World, fought, make_world

CONFIRM = "Confirm 2 x 20 fighters, 60 events"


def main(sizes: str, answer: str) -> None:
    """Measure with these sizes (JSON), and write the findings as JSON into the file."""
    requested = msgspec.json.decode(sizes, type=Sizes)
    findings = on_postgres(requested) if connection.vendor == "postgresql" else on_sqlite(requested)
    Path(answer).write_bytes(msgspec.json.encode(findings))


def on_sqlite(sizes: Sizes) -> list[Finding]:
    """Return the finding for a confirmation only, for information."""
    pair = confirming(make_world(), make_world(), sizes.turns)
    return [at_most_times(f"{CONFIRM}, on SQLite", pair, None, "bare SQL")]


def on_postgres(sizes: Sizes) -> list[Finding]:
    """Return all other findings.

    The world grows meanwhile, from a few battles to its whole history.
    """
    world, twin = make_world(), make_world()
    say("confirming battles")
    first = confirming(world, twin, sizes.turns)
    battle = confirmed(world)
    findings = [at_most_times(CONFIRM, first, 2.5, "bare SQL", f"{rows_written(battle)} rows.")]
    say("logging events")
    findings += logging_findings(world, sizes)
    say("making documents")
    printed = campaign_of(sizes.document_battles)
    findings += document_findings(printed, sizes.documents)
    findings += print_findings(printed, min(sizes.documents, 5))
    say(f"correcting one of {sizes.corrected_battles:,} battles")
    findings += correction_findings(campaign_of(sizes.corrected_battles), min(sizes.turns, 5))
    say(f"copying battles: {sizes.page_battles:,}")
    add_history(confirmed(world), sizes.page_battles)
    findings += page_findings(world, sizes.page_battles, sizes.turns)
    say(f"copying battles: {sizes.history:,} in all")
    add_history(confirmed(world), sizes.history - sizes.page_battles)
    say("confirming battles once more")
    last = confirming(world, twin, sizes.turns)
    bare = f"Bare SQL took {span(first.floor)} then and {span(last.floor)} now."
    findings.insert(
        1, later(f"The same after {sizes.history:,} battles", first.took, last.took, 1.2, bare)
    )
    return findings


def campaign_of(battles: int) -> World:
    """Return a new world in which this many battles were fought."""
    world = make_world()
    for _ in range(battles):
        confirmed(world)
    return world


def confirmed(world: World) -> UUID:
    """Fight and confirm a new battle, and return its id."""
    battle = fought(world)
    confirm_side(battle_id=battle, user=world.bob)
    return battle


def say(words: str) -> None:
    """Print the progress."""
    print(f"  {words}", flush=True)
