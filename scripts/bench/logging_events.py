"""Measure events through the API and the live log's page, at several lengths of a log."""

from collections.abc import Callable
from functools import partial
from uuid import UUID, uuid4

from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from scripts.bench.findings import Finding, at_most_seconds, later
from scripts.bench.sizes import Sizes
from scripts.bench.timing import Pair, seconds
from scripts.bench.world import World, begun


def logging_findings(world: World, sizes: Sizes) -> list[Finding]:
    """Return the cost of an event and of the page in a long log, and of a batch."""
    battle, *_ = begun(world)
    client = APIClient(SERVER_NAME="localhost")
    client.force_authenticate(world.alice)
    pages = Client(SERVER_NAME="localhost")
    pages.force_login(world.alice, backend="django.contrib.auth.backends.ModelBackend")
    log, look = partial(_log, client, battle), partial(_look, pages, battle)
    events: dict[int, float] = {}
    tables: dict[int, float] = {}
    logged = 0
    for length in sizes.lengths:
        while logged < length:
            logged += log(min(sizes.batch, length - logged))
        events[length] = _best(partial(log, 1), sizes.turns)
        tables[length] = _best(look, sizes.turns)
        logged += sizes.turns
    first, *others, last = sizes.lengths
    batch = Pair(seconds(partial(log, sizes.batch)), events[first], 1)
    return [
        *(
            later(f"Event {length:,} through the API", events[first], events[length], 1.5)
            for length in (*others, last)
        ),
        later(f"The table after {last:,} events", tables[first], tables[last], 1.5),
        at_most_seconds(f"A batch of {sizes.batch} events", batch, 1.0, "one event"),
    ]


def _best(work: Callable[[], object], turns: int) -> float:
    return min(seconds(work) for _ in range(turns))


def _log(client: APIClient, battle: UUID, number: int) -> int:
    notes = [
        {"client_id": str(uuid4()), "kind": "note", "data": {"text": "A shot in the dark."}}
        for _ in range(number)
    ]
    answer = client.post(reverse("battle-events-list", args=[battle]), notes, format="json")
    if answer.status_code != 201:
        raise RuntimeError(
            f"Events were answered with {answer.status_code}: {answer.content.decode()[:300]}"
        )
    return number


def _look(client: Client, battle: UUID) -> None:
    answer = client.get(reverse("battles:table", args=[battle]))
    if answer.status_code != 200:
        raise RuntimeError(f"The table was answered with {answer.status_code}.")
