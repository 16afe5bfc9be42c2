"""Units that have lost a part of themselves: their battle says so on its page, in its PDF, and in
the API."""

from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from battles.rulebook_values import read_log, replay_battle, sides_of
from battles.services import verification
from battles.services.review import submit_battle
from battles.services.verification import is_result, prove_battle
from documents.models import DocumentKind
from rulebook.chronicle.facts import decode
from rulebook.registry import newest_ruleset
from tests.battles.war import War
from tests.documents.conftest import ask, made
from tests.documents.reading_pdfs import text
from tests.rulebook.avant_garde.field import ARMY as BRIGADES
from tests.rulebook.wards.field import ARMY as WARDS
from warbands.models import Fighter

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


class Example(NamedTuple):
    """An army of a rule system, the loss of one of its fighters, and the text of it."""

    ruleset: str
    factions: tuple[str, str]
    builds: tuple[dict[str, Any], ...]
    fighter: int
    loss: dict[str, Any]
    reads: str


SPEARS = [*WARDS].index("spears")
EXAMPLES = (
    Example(
        "avant-garde",
        ("france", "britain"),
        tuple(BRIGADES.values()),
        3,
        {"figures": 11},
        "11 of 24 figures lost",
    ),
    Example(
        "wards",
        ("army", "army"),
        tuple(WARDS.values()),
        [*WARDS].index("spears"),
        {"halves": 3},
        "1½ of 4 bases lost",
    ),
)


@pytest.fixture(params=EXAMPLES, ids=lambda each: each.ruleset)
def example(request: pytest.FixtureRequest) -> Example:
    chosen: Example = request.param
    return chosen


def fought(alice: User, example: Example, *, submitted: bool = True) -> tuple[Battle, Fighter]:
    """Return a battle in which a unit of the Blues has a loss, and that unit."""
    points = 5000 if newest_ruleset(example.ruleset).points.counted else None
    war = War(alice, example.ruleset, example.factions, example.builds, points=points)
    battle, blues = war.start(), war.companies[1]
    fighter = Fighter.objects.filter(warband=blues).order_by("place")[example.fighter]
    war.log(battle, ("loss", {"fighter": str(fighter.pk), **example.loss}), ("ended", {}))
    return (submit_battle(battle_id=battle.pk, user=alice) if submitted else battle), fighter


def test_battle_page_shows_losses(alice: User, client: Client, example: Example) -> None:
    battle, fighter = fought(alice, example)
    client.force_login(alice)
    page = " ".join(
        client.get(reverse("battles:battle", args=[battle.pk])).content.decode().split()
    )
    assert f"<b>{fighter.name}</b>: {example.reads}" in page
    assert page.count("Nobody.") == 1
    career = client.get(reverse("warbands:fighter", args=[fighter.pk])).content.decode()
    assert example.reads in career


def test_printed_battle_shows_losses(alice: User, example: Example) -> None:
    battle, _ = fought(alice, example)
    document = made(ask(alice, DocumentKind.BATTLE, battle.pk))
    with document.file.open("rb") as file:
        printed = " ".join(text(file.read()).split())
    assert example.reads in printed


def test_review_shows_losses(alice: User, client: Client, example: Example) -> None:
    battle, _ = fought(alice, example, submitted=False)
    client.force_login(alice)
    page = client.get(reverse("battles:review", args=[battle.pk])).content.decode()
    assert example.reads in page


def test_api_returns_losses_and_their_phrase(alice: User, client: Client, example: Example) -> None:
    battle, fighter = fought(alice, example)
    client.force_login(alice)
    body = client.get(f"/api/v1/battles/{battle.pk}/").json()
    rows = [
        combatant
        for side in body["sides"]
        for combatant in side["combatants"]
        if combatant["fighter"] == str(fighter.pk)
    ]
    (row,) = rows
    (loss,) = row["losses"]
    assert row["losses_phrase"] == example.reads
    assert row["losses_phrase"] == f"{loss['amount']} of {loss['of']} {loss['parts']} lost"


def test_results_without_losses_are_still_proved(
    alice: User, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older results and facts have no losses. One with other losses than its log is found."""
    battle, _ = fought(alice, example)
    result = replay_battle(battle, sides_of(battle), read_log(battle))
    stored = Battle.objects.get(pk=battle.pk).result
    assert stored is not None and is_result(stored, result)
    older = {
        **stored,
        "sides": [
            {**side, "records": [_older(each) for each in side["records"]]}
            for side in stored["sides"]
        ],
    }
    assert is_result(older, result)
    assert not is_result(_without_losses(stored), result)
    assert list(prove_battle(Battle.objects.get(pk=battle.pk))) == []
    monkeypatch.setattr(
        verification,
        "decode",
        lambda fact: decode({**fact, "records": [*map(_older, fact["records"])]}),
    )
    assert list(prove_battle(Battle.objects.get(pk=battle.pk))) == []


def _older(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "losses"}


def _without_losses(stored: Any) -> Any:
    sides = [
        {**side, "records": [{**each, "losses": []} for each in side["records"]]}
        for side in stored["sides"]
    ]
    return {**stored, "sides": sides}
