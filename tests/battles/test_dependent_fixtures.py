"""Fixtures, byes, standings and later rounds after an earlier result changes."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from msgspec.structs import replace

from battles.models import Battle
from battles.services.correction_conflicts import ConflictAnswers, LetStandAnswer
from battles.services.corrections import (
    Correction,
    correct_battle,
    preview_correction,
    preview_restore,
    preview_void,
    restore_battle,
    void_battle,
)
from battles.services.dependents import FixtureEffect
from battles.services.logbook import NewEvent
from campaigns.models import Campaign, Enrolment, Fixture, Method
from leagues.selectors.fixtures import FixtureRow, campaign_fixtures
from leagues.services.fixtures import challenge, give_walkover, preview_walkover, swap_entrants
from leagues.services.rounds import RoundTerms, Seeding, make_rounds
from tests.battles import field
from tests.battles.field import TODAY, fighters, struck, wound
from warbands.models import Warband

Entered = Mapping[str, Enrolment]


@pytest.fixture
def entered(alice: User, bob: User) -> Entered:
    """Return five warbands in a campaign: A, C and E are Alice's, B and D Bob's."""
    club = field.found(alice, bob)
    owners = {"A": alice, "B": bob, "C": alice, "D": bob, "E": alice}
    campaign = field.run_campaign(
        club, alice, *(field.muster(owner, name) for name, owner in owners.items())
    )
    return {
        row.warband.name: row for row in campaign.enrolments.select_related("warband", "campaign")
    }


@pytest.fixture
def campaign(entered: Entered) -> Campaign:
    return entered["A"].campaign


def band(entered: Entered, name: str) -> Warband:
    return entered[name].warband


def drawn(
    campaign: Campaign, entered: Entered, organiser: User, method: Method, order: str, **more: Any
) -> None:
    entrants = tuple(entered[name].pk for name in order)
    terms = RoundTerms(method=method, seeding=Seeding.GIVEN, entrants=entrants, **more)
    make_rounds(campaign_id=campaign.pk, user=organiser, terms=terms)


def hit(entered: Entered, winner: str, loser: str) -> NewEvent:
    attacker, victim = (
        next(each for each in fighters(band(entered, name)) if each.fate == "fit")
        for name in (winner, loser)
    )
    return wound(attacker, victim, "dead")


def fight(entered: Entered, organiser: User, winner: str, loser: str) -> Battle:
    """Return a confirmed battle that the first warband won."""
    sides = (band(entered, winner), band(entered, loser))
    return field.confirmed(
        organiser, entered[winner].campaign, *sides, events=[hit(entered, winner, loser)]
    )


def turned(battle: Battle) -> Correction:
    """Return a correction that reverses the result of a battle with one event."""
    data = battle.events.get(sequence=1).data
    swapped = {**data, "attacker": data["victim"], "victim": data["attacker"]}
    return Correction((struck(1), NewEvent(uuid4(), "wound", swapped)), "The sides were mixed up.")


def correct(battle: Battle, organiser: User) -> None:
    """Reverse the result. Fighters who are dead after that stay in later battles."""
    correction = turned(battle)
    preview = preview_correction(battle_id=battle.pk, user=organiser, correction=correction)
    stand = tuple(
        LetStandAnswer(each.warband, each.sequence, "It was fought.") for each in preview.conflicts
    )
    correct_battle(
        battle_id=battle.pk,
        user=organiser,
        correction=replace(correction, answers=ConflictAnswers(stand=stand)),
    )


def row_of(campaign: Campaign, number: int, place: int = 0) -> FixtureRow:
    return campaign_fixtures(campaign, TODAY)[number - 1].fixtures[place]


def names(row: FixtureRow) -> str:
    return " v. ".join(side.name for side in row.sides)


def badges(row: FixtureRow) -> list[str]:
    return [each.label for each in row.badges]


def told(effects: tuple[FixtureEffect, ...]) -> dict[str, str]:
    """Return the effects by the name of the round and their code."""
    return {f"{each.round_name}: {each.effect}": each.sentence for each in effects}


def test_final_stays_between_those_who_played_it(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD", third_place=True)
    semi = fight(entered, alice, "A", "D")
    fight(entered, alice, "B", "C")
    fight(entered, alice, "A", "B")
    fight(entered, alice, "C", "D")
    preview = preview_correction(battle_id=semi.pk, user=alice, correction=turned(semi))
    assert told(preview.fixtures) == {
        "Semi-finals: decided": "A v. D: D advances.",
        "Final and third place: stays": "D v. C was already played and stays as it is. "
        "This place now belongs to A, not to D.",
    }
    assert [each.sentence for each in preview.fixtures][1] == (
        "A v. B was already played and stays as it is. This place now belongs to D, not to A."
    )
    correct(semi, alice)
    final, third = row_of(campaign, 2), row_of(campaign, 2, 1)
    assert (names(final), names(third)) == ("A v. B", "D v. C")
    assert [side.outcome for side in final.sides] == ["won", "lost"]
    assert badges(final) == ["Confirmed", "Played before a correction"]
    assert final.note == "This place now belongs to D, not to A."


def test_final_stays_when_a_semi_final_is_voided(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = fight(entered, alice, "A", "D")
    fight(entered, alice, "B", "C")
    fight(entered, alice, "A", "B")
    effects = told(preview_void(battle_id=semi.pk, user=alice).fixtures)
    assert effects["Semi-finals: open-again"] == "A v. D is open again."
    assert effects["Final: stays"].endswith("A is no longer entitled to this place.")
    void_battle(battle_id=semi.pk, user=alice, reason="Wrong lists.")
    assert (row_of(campaign, 1).state, names(row_of(campaign, 2))) == ("open", "A v. B")
    fight(entered, alice, "A", "D")
    assert badges(row_of(campaign, 2)) == ["Confirmed"], "A has earned the place again"


def test_planned_final_goes_to_the_new_entrants(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = fight(entered, alice, "A", "D")
    fight(entered, alice, "B", "C")
    final = field.plan(alice, campaign, band(entered, "A"), band(entered, "B"))
    preview = preview_correction(battle_id=semi.pk, user=alice, correction=turned(semi))
    effect = preview.fixtures[-1]
    assert (effect.effect, effect.battle_voided) == ("new-entrants", final.pk)
    assert effect.sentence == "A v. B becomes D v. B. Its planned battle will be voided."
    assert Battle.objects.get(pk=final.pk).state == "planned", "a preview writes nothing"
    correct(semi, alice)
    assert Battle.objects.get(pk=final.pk).state == "void"
    assert (row_of(campaign, 2).state, names(row_of(campaign, 2))) == ("open", "D v. B")
    assert fight(entered, alice, "B", "D").fixture_id == row_of(campaign, 2).id


def test_walkover_of_the_final_is_withdrawn_from_others(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = fight(entered, alice, "A", "D")
    fight(entered, alice, "B", "C")
    give_walkover(
        fixture_id=row_of(campaign, 2).id, user=alice, walkover="away", reason="A is ill."
    )
    effect = preview_void(battle_id=semi.pk, user=alice).fixtures[-1]
    assert (effect.effect, effect.walkover_withdrawn) == ("new-entrants", True)
    correct(semi, alice)
    assert (row_of(campaign, 2).state, names(row_of(campaign, 2)), row_of(campaign, 2).walkover) == (
        "open", "D v. B", "",
    )  # fmt: skip


def test_tie_decision_ends_with_its_battle(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    battle = field.confirmed(alice, campaign, band(entered, "A"), band(entered, "D"))
    assert badges(row_of(campaign, 1)) == ["Confirmed", "Draw: decide who advances"]
    give_walkover(fixture_id=row_of(campaign, 1).id, user=alice, walkover="home", reason="By lot.")
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert (row_of(campaign, 1).state, row_of(campaign, 1).walkover) == ("open", "")


def test_semi_final_walkover_shows_dependent_fixtures(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = row_of(campaign, 1)
    give_walkover(fixture_id=semi.id, user=alice, walkover="home", reason="D is away.")
    fight(entered, alice, "B", "C")
    fight(entered, alice, "A", "B")
    preview = preview_walkover(
        fixture_id=semi.id, user=alice, walkover="away", reason="A was away."
    )
    assert [each.effect for each in preview.fixtures] == ["decided", "stays"]
    assert {row.name for row in preview.table} >= {"A", "D"}
    assert row_of(campaign, 1).walkover == "home", "a preview writes nothing"
    give_walkover(fixture_id=semi.id, user=alice, walkover="away", reason="A was away.")
    assert names(row_of(campaign, 2)) == "A v. B" and row_of(campaign, 2).note


def test_bye_of_a_bracket_swapped_away_takes_its_planned_battle(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCDE")
    fight(entered, alice, "E", "D")
    planned = field.plan(alice, campaign, band(entered, "B"), band(entered, "C"))
    bye = next(
        row for row in campaign_fixtures(campaign, TODAY)[0].fixtures if row.home.name == "B"
    )
    assert planned.fixture_id is not None
    swap_entrants(fixture_id=bye.id, user=alice, leaving=entered["B"].pk, coming=entered["A"].pk)
    assert Battle.objects.get(pk=planned.pk).state == "void"


def test_restored_semi_final_brings_its_winner_back(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = fight(entered, alice, "A", "D")
    fight(entered, alice, "B", "C")
    fight(entered, alice, "A", "B")
    void_battle(battle_id=semi.pk, user=alice, reason="A slip.")
    effects = told(preview_restore(battle_id=semi.pk, user=alice).fixtures)
    assert {*effects} == {"Semi-finals: decided", "Final: restored"}
    restored = restore_battle(battle_id=semi.pk, user=alice, reason="A slip.")
    assert restored.fixture_id == row_of(campaign, 1).id and badges(row_of(campaign, 2)) == [
        "Confirmed"
    ]


def test_restored_battle_leaves_a_taken_fixture_alone(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.KNOCKOUT, "ABCD")
    semi = fight(entered, alice, "A", "D")
    void_battle(battle_id=semi.pk, user=alice, reason="A slip.")
    browser = Client()
    browser.force_login(alice)
    where, words = reverse("battles:restore", args=[semi.pk]), "already has another battle"
    assert words not in browser.get(where).content.decode()
    again = fight(entered, alice, "D", "A")
    assert words in browser.get(where).content.decode(), (
        "nobody is surprised that both count in the table"
    )
    preview = preview_restore(battle_id=semi.pk, user=alice)
    stand = tuple(
        LetStandAnswer(each.warband, each.sequence, "It was fought.") for each in preview.conflicts
    )
    restored = restore_battle(
        battle_id=semi.pk, user=alice, reason="Both.", answers=ConflictAnswers(stand=stand)
    )
    assert restored.fixture is None
    assert row_of(campaign, 1).battle == again.pk


def test_later_swiss_round_stays_as_it_was_drawn(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.SWISS, "ABCDE", seed="1")
    first = row_of(campaign, 1)
    battle = fight(entered, alice, first.home.name, first.sides[-1].name)
    drawn(campaign, entered, alice, Method.SWISS, "ABCDE", seed="1")
    second = [names(row) for row in campaign_fixtures(campaign, TODAY)[1].fixtures]
    effects = told(preview_void(battle_id=battle.pk, user=alice).fixtures)
    assert effects["Round 2: round-stays"].startswith(
        "Round 2 was paired from the earlier results. Its pairings stay."
    )
    assert "The bye of " in effects["Round 2: round-stays"]
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert [names(row) for row in campaign_fixtures(campaign, TODAY)[1].fixtures] == second


def test_group_table_and_the_knockout_drawn_from_it(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.GROUPS, "ABCD", groups=1)
    battle = fight(entered, alice, "D", "C")
    make_rounds(
        campaign_id=campaign.pk, user=alice, terms=RoundTerms(method=Method.KNOCKOUT, advance=2)
    )
    effects = preview_correction(
        battle_id=battle.pk, user=alice, correction=turned(battle)
    ).fixtures
    assert {each.effect for each in effects} == {"decided", "group-table", "round-stays"}
    order = next(each.sentence for each in effects if each.effect == "group-table")
    assert order.startswith("Group A: new order C, ")


def test_ladder_follows_and_later_challenges_stay(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    drawn(campaign, entered, alice, Method.LADDER, "ABCDE")
    ladder = campaign.rounds.get()
    challenge(
        round_id=ladder.pk, user=alice, challenger_id=entered["C"].pk, opponent_id=entered["A"].pk
    )
    battle = fight(entered, alice, "C", "A")
    challenge(
        round_id=ladder.pk, user=alice, challenger_id=entered["E"].pk, opponent_id=entered["D"].pk
    )
    effects = told(preview_void(battle_id=battle.pk, user=alice).fixtures)
    assert effects["Round 1: ladder"] == (
        "New ladder: A, B, C, D and E; before: C, A, B, D and E. Earlier challenges stay."
    )
    void_battle(battle_id=battle.pk, user=alice, reason="Wrong lists.")
    assert Fixture.objects.filter(round=ladder).count() == 2


def test_battle_without_dependents_has_no_effects_of_others(
    campaign: Campaign, entered: Entered, alice: User
) -> None:
    battle = fight(entered, alice, "A", "B")
    assert preview_void(battle_id=battle.pk, user=alice).fixtures == ()
