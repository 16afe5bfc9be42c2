"""A fighter who was wounded in one battle is weaker in the next: line-up, price, card, page, API,
print, correction."""

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from rest_framework.test import APIClient

from battles.models import Battle, Combatant
from battles.rulebook_values import read_setup, sides_of
from battles.selectors.confirmation_preview import preview_confirmation
from battles.services.correction_differences import CorrectionDifference
from battles.services.corrections import Correction, correct_battle, preview_correction
from battles.services.fielding import start_battle
from battles.services.logbook import NewEvent
from campaigns.models import Campaign
from documents.content.print_jobs import Plan
from documents.content.rosters import roster_content
from documents.printing import markup
from rulebook.chronicle.facts import Renamed
from rulebook.ruleset import Ruleset
from tests.battles import field
from tests.battles.field import confirmed, fighters, struck, wound
from tests.full_toy import register_worn_toy as register_worn_toy
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.selectors.explanations import explain_fighter
from warbands.selectors.warband_page import warband_page
from warbands.services.chronicle import append_facts
from warbands.services.verification import prove, rebuild_projection

pytestmark = pytest.mark.one_database

GRIEVOUS = 2


@pytest.fixture(autouse=True)
def worn(toy: Ruleset, register_worn_toy: Ruleset) -> Ruleset:
    return register_worn_toy


@pytest.fixture
def battle(campaign: Campaign, alice: User, reds: Warband, blues: Warband) -> Battle:
    """Return a confirmed battle in which the first Red grievously wounded the second Blue."""
    hit = wound(fighters(reds)[0], fighters(blues)[1], "grievous")
    return confirmed(alice, campaign, reds, blues, events=[hit])


def hurt(blues: Warband) -> Fighter:
    return fighters(blues)[1]


def correction(*events: NewEvent) -> Correction:
    return Correction(tuple(events), "It was but a scratch.")


def changed(difference: CorrectionDifference) -> dict[str, tuple[Sequence[str], Sequence[str]]]:
    return {
        each.name: (
            [line.value for line in each.condition_before],
            [line.value for line in each.condition_after],
        )
        for each in difference.fighters
    }


def test_the_roster_keeps_what_a_battle_has_left_of_a_fighter(
    battle: Battle, blues: Warband
) -> None:
    assert (hurt(blues).condition, hurt(blues).points) == ({"strength": 2}, 3)
    assert fighters(blues)[0].condition == {}
    assert Warband.objects.get(pk=blues.pk).points == 16 + 3 + 5


def test_it_takes_the_field_weaker_and_is_left_weaker_still(
    battle: Battle, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    second = field.begin(alice, campaign, reds, blues)
    combatant = Combatant.objects.get(side__battle=second, fighter=hurt(blues))
    assert (combatant.condition, combatant.points) == ({"strength": 2}, 3)
    fielded = {
        each.id: each
        for side in read_setup(second, sides_of(second)).sides
        for each in side.fighters
    }
    assert fielded[str(hurt(blues).pk)].condition == {"strength": 2}
    third = confirmed(alice, campaign, reds, blues, events=[wound(fighters(reds)[0], hurt(blues))])
    assert third.state == "confirmed"
    assert hurt(blues).condition == {"strength": 1}


def test_early_line_up_starts_in_present_condition(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    planned = field.field(alice, field.plan(alice, campaign, reds, blues))
    confirmed(alice, campaign, reds, blues, events=[wound(fighters(reds)[0], fighters(blues)[1])])
    start_battle(battle_id=planned.pk, user=alice)
    assert Combatant.objects.get(side__battle=planned, fighter=hurt(blues)).condition == {
        "strength": 3
    }


def test_what_confirming_will_leave_of_a_fighter_is_foreseen(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    submitted = field.fight(
        alice, campaign, reds, blues, events=[wound(fighters(reds)[0], fighters(blues)[1])]
    )
    (line,) = preview_confirmation(submitted.pk).sides[1].fighters[1].condition_after
    assert (line.label, line.value) == ("Strength", "3 of 4")


def test_correcting_the_battle_shows_and_changes_what_it_left(
    battle: Battle, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    scratch = (struck(1), wound(fighters(reds)[0], fighters(blues)[1]))
    preview = preview_correction(battle_id=battle.pk, user=alice, correction=correction(*scratch))
    assert changed(preview) == {"Blues 1": (["2 of 4"], ["3 of 4"])}
    correct_battle(battle_id=battle.pk, user=alice, correction=correction(*scratch))
    assert (hurt(blues).condition, hurt(blues).points) == ({"strength": 3}, 4)
    assert prove(Warband.objects.get(pk=blues.pk)) == []
    battle.refresh_from_db()
    correct_battle(battle_id=battle.pk, user=alice, correction=correction(struck(3)))
    assert (hurt(blues).condition, hurt(blues).points) == ({}, 5)
    assert prove(Warband.objects.get(pk=blues.pk)) == []


def test_check_chronicle_proves_the_condition_and_finds_what_was_touched(
    battle: Battle, blues: Warband
) -> None:
    call_command("check_chronicle")
    Fighter.objects.filter(pk=hurt(blues).pk).update(condition={"strength": 4})
    (mismatch,) = prove(Warband.objects.get(pk=blues.pk))
    assert mismatch.where.endswith("condition")
    rebuild_projection(warband_id=blues.pk)
    assert hurt(blues).condition == {"strength": 2}
    assert prove(Warband.objects.get(pk=blues.pk)) == []


def test_a_condition_stays_whatever_else_is_recorded_of_a_fighter(
    battle: Battle, alice: User, blues: Warband
) -> None:
    append_facts({blues.pk: Renamed(fighter=str(hurt(blues).pk), name="Old Tom")}, user=alice)
    assert (hurt(blues).name, hurt(blues).condition) == ("Old Tom", {"strength": 2})


def test_card_and_reasons_tell_the_condition_in_the_words_of_the_system(
    battle: Battle, bob: User, blues: Warband
) -> None:
    cards = {
        card.name: card for card in warband_page(Warband.objects.get(pk=blues.pk), bob).fighters
    }
    card = cards["Blues 1"]
    assert [(line.label, line.value) for line in card.condition] == [("Strength", "2 of 4")]
    assert card.sheet is not None
    assert (card.sheet.points, card.sheet.price.lines[-1].points) == (card.points, -GRIEVOUS)
    explained = {each.key: each for each in explain_fighter(hurt(blues))}
    strength, fact = explained["strength"], explained["strength"].facts[-1]
    assert (strength.value, strength.rule) == ("2 of 4", 'Toy rules: "Wear"')
    assert (fact.before, fact.after) == ("4 of 4", "2 of 4")
    assert explained["points"].value == "3"


def test_pages_the_api_and_prints_show_it(
    client: Client,
    battle: Battle,
    campaign: Campaign,
    alice: User,
    bob: User,
    reds: Warband,
    blues: Warband,
) -> None:
    client.force_login(bob)
    for address in (
        f"/warbands/{blues.pk}/",
        f"/warbands/{blues.pk}/?view=list",
        f"/fighters/{hurt(blues).pk}/",
        f"/battles/{battle.pk}/",
    ):
        assert "2 of 4" in client.get(address).content.decode(), address
    api = APIClient()
    api.force_authenticate(bob)
    strength = {
        "key": "strength",
        "label": "Strength",
        "value": "2 of 4",
        "rule": 'Toy rules: "Wear"',
    }
    assert api.get(f"/api/v1/fighters/{hurt(blues).pk}/").json()["card"]["condition"] == [strength]
    combatant = api.get(f"/api/v1/battles/{battle.pk}/").json()["sides"][1]["combatants"][1]
    assert (combatant["condition_before"][0]["value"], combatant["condition_after"]) == (
        "4 of 4",
        [strength],
    )
    assert (combatant["carried_before"], combatant["carried_after"]) == ({}, {"strength": 2})
    cards = api.get(f"/api/v1/warbands/{blues.pk}/").json()["fighters"]
    assert [card["carried"] for card in cards] == [{}, {"strength": 2}, {}]
    printed = markup(Plan(roster_content(Warband.objects.get(pk=blues.pk), ["cards"])))
    assert '<span class="lead">Strength</span> 2 of 4' in printed


def test_a_fact_tells_the_condition_and_nothing_where_there_is_none(
    battle: Battle, blues: Warband
) -> None:
    entry = ChronicleEntry.objects.get(warband=blues, kind="fought")
    assert [record["condition"] for record in entry.payload["records"]] == [{}, {"strength": 2}, {}]
