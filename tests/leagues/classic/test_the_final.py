"""From the small games to the final of a classic campaign, and its winner. Rulings C5 to C14."""

import pytest
from django.contrib.auth.models import User

from battles.models import Battle, BattleState, Combatant, Part
from battles.services.corrections import (
    Correction,
    correct_battle,
    preview_correction,
    preview_void,
    void_battle,
)
from battles.services.fielding import Force, field_combatants
from battles.services.outcomes import recovery_die
from campaigns.models import Campaign
from clubs.models import Club
from core.errors import Forbidden, InvalidInput, StateConflict
from documents.content.campaigns import campaign_content
from documents.content.documents import CampaignSummary
from documents.languages import speaking
from documents.models import Language
from leagues.selectors.classic import ClassicPage, classic_page
from leagues.services.classic import plan_again, plan_final
from rulebook.chronicle.states import WarbandState
from tests.leagues.classic import world
from tests.leagues.classic.world import told, wound
from warbands.models import Warband
from warbands.rulebook_values import read_state

pytestmark = pytest.mark.one_database


def page_of(campaign: Campaign, user: User) -> ClassicPage:
    page = classic_page(Campaign.objects.get(pk=campaign.pk), user)
    assert page is not None
    return page


def book_of(campaign: Campaign) -> CampaignSummary:
    """Return the printed content of a campaign in German."""
    with speaking(Language.GERMAN):
        return campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))


def state_of(warband: Warband) -> WarbandState:
    return read_state(Warband.objects.get(pk=warband.pk))


def final_of(campaign: Campaign) -> Battle:
    return campaign.battles.get(part=Part.FINAL)


def fielded(battle: Battle, warband: Warband) -> set[str]:
    return {
        str(row.fighter_id)
        for row in Combatant.objects.filter(side__battle=battle, side__warband=warband)
    }


def hurt(scenario: str, attacker: Warband, victim: Warband, result: str, place: int = 0):
    """Return an event in which a fighter of the small game wounds another."""
    by = world.fighters(attacker)[world.SHARES[scenario][0]]
    whom = world.fighters(victim)[world.SHARES[scenario][place]]
    return wound(by, whom, result)


@pytest.fixture
def with_die(monkeypatch):
    """Return a function that sets the die of every recovery roll."""

    def throw(number: int) -> None:
        monkeypatch.setattr(
            "battles.services.outcomes.recovery_die", lambda battle, fighter: number
        )

    return throw


def test_line_up_follows_plan(opened: Campaign, reds: Warband, alice: User) -> None:
    game = world.game(opened, "duel")
    side = game.sides.get(warband=reds)
    outsider = world.fighters(reds)[8].pk
    force = Force((world.fighters(reds)[0].pk, outsider), {"leader": (world.fighters(reds)[0].pk,)})
    with pytest.raises(InvalidInput) as refused:
        field_combatants(battle_id=game.pk, side=side.key, force=force, user=alice)
    assert [problem.code for problem in refused.value.problems] == ["outside-the-plan"]


def test_leaving_somebody_of_the_plan_at_home_warns(
    opened: Campaign, reds: Warband, alice: User
) -> None:
    game = world.game(opened, "capture")
    side = game.sides.get(warband=reds)
    fighter_id = world.fighters(reds)[1].pk
    warnings = field_combatants(
        battle_id=game.pk,
        side=side.key,
        force=Force((fighter_id,), {"leader": (fighter_id,)}),
        user=alice,
    )
    assert "left-out" in {problem.code for problem in warnings}


def test_composition_may_be_ignored(opened: Campaign, reds: Warband) -> None:
    """Ruling C3: an officer alone is a small warband."""
    assert len(fielded(world.game(opened, "duel"), reds)) == 1


def test_the_attacker_is_found_by_a_die_that_can_be_thrown_again(opened: Campaign) -> None:
    lots = [lot for lot in opened.lots if lot["for"] == "raid"]
    assert len(lots) == 1
    first = world.game(opened, "raid").sides.order_by("place")[0]
    assert first.role == ("attacker" if lots[0]["number"] <= 3 else "defender")


def test_the_final_waits_for_all_small_games(opened: Campaign, alice: User) -> None:
    world.fought(alice, world.game(opened, "duel"))
    with pytest.raises(InvalidInput) as refused:
        plan_final(campaign_id=opened.pk, user=alice)
    assert refused.value.code == "games-open"


def test_all_who_are_left_come_to_the_final(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    """Rulings C5 and C8: fighters who stayed at home as well; the dead do not."""
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "critical")])
    final = plan_final(campaign_id=opened.pk, user=alice)
    assert (final.scenario, final.points_limit, final.parallel) == ("skirmish", None, False)
    assert fielded(final, reds) == {str(row.pk) for row in world.fighters(reds)}
    dead = str(world.fighters(blues)[0].pk)
    assert fielded(final, blues) == {str(row.pk) for row in world.fighters(blues)} - {dead}
    assert Combatant.objects.filter(side__battle=final, posts=["leader"]).count() == 2, (
        "a new Leader: Ruling C11"
    )


@pytest.mark.parametrize(("die", "present"), [(3, False), (4, True)])
def test_the_gravely_wounded_come_on_a_four(
    opened: Campaign, reds: Warband, blues: Warband, alice: User, with_die, die: int, present: bool
) -> None:
    """Ruling C7; the die is shown with the name of a fighter who is absent."""
    with_die(die)
    victim = world.fighters(blues)[0]
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "grievous")])
    muster = next(each for each in page_of(opened, alice).final_forces if each.warband == blues.pk)
    assert (victim.pk in {each.id for each in muster.fighters}) is present
    assert [(each.id, each.die) for each in muster.absent] == (
        [] if present else [(victim.pk, die)]
    )
    final = plan_final(campaign_id=opened.pk, user=alice)
    assert (str(victim.pk) in fielded(final, blues)) is present


def test_who_is_not_available_is_not_fielded_later_either(
    opened: Campaign, reds: Warband, blues: Warband, alice: User, with_die
) -> None:
    with_die(1)
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "grievous")])
    final = plan_final(campaign_id=opened.pk, user=alice)
    everybody = tuple(row.pk for row in world.fighters(blues))
    key = final.sides.get(warband=blues).key
    with pytest.raises(InvalidInput):
        field_combatants(
            battle_id=final.pk,
            side=key,
            force=Force(everybody, {"leader": (everybody[1],)}),
            user=alice,
        )


def test_the_dice_of_recovery_come_from_the_battles_own_seed(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    victim = world.fighters(blues)[0]
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "grievous")])
    game = world.game(opened, "duel")
    assert game.result is not None
    records = [record for side in game.result["sides"] for record in side["records"]]
    rolls = {record["fighter"]: record.get("recovery_roll") for record in records}
    assert rolls[str(victim.pk)] == recovery_die(game, str(victim.pk))


def test_there_is_one_final(opened: Campaign, alice: User, bob: User) -> None:
    world.all_fought(alice, opened)
    plan_final(campaign_id=opened.pk, user=bob)
    with pytest.raises(StateConflict) as lost:
        plan_final(campaign_id=opened.pk, user=alice)
    assert lost.value.code == "final-planned"


def test_a_spectator_plans_no_final(opened: Campaign, alice: User, dora: User) -> None:
    world.all_fought(alice, opened)
    with pytest.raises(Forbidden):
        plan_final(campaign_id=opened.pk, user=dora)


def test_void_small_game_is_planned_again(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    with pytest.raises(StateConflict):
        plan_again(campaign_id=opened.pk, user=alice, scenario="raid")
    first = world.game(opened, "raid")
    parts = list(first.sides.order_by("place").values_list("warband", "role", "plan"))
    void_battle(battle_id=first.pk, user=alice, reason="The cat jumped on the table.")
    second = plan_again(campaign_id=opened.pk, user=alice, scenario="raid")
    assert list(second.sides.order_by("place").values_list("warband", "role", "plan")) == parts
    assert fielded(second, blues) == set(second.sides.get(warband=blues).plan)
    with pytest.raises(InvalidInput):
        plan_again(campaign_id=opened.pk, user=alice, scenario="skirmish")


def test_mounts_and_grenades_are_back_in_the_final(
    opened: Campaign, reds: Warband, alice: User
) -> None:
    """Rulings C12, C13: a fighter takes the field with its whole build, whatever it used up
    before."""
    builds = {row.pk: row.state["build"] for row in world.fighters(reds)}
    world.all_fought(alice, opened)
    final = plan_final(campaign_id=opened.pk, user=alice)
    rows = Combatant.objects.filter(side__battle=final, side__warband=reds)
    assert {row.fighter_id: row.build for row in rows} == builds


# The winner. Ruling C9.


def decided(campaign: Campaign, alice: User, *events) -> Battle:
    plan_final(campaign_id=campaign.pk, user=alice)
    return world.fought(alice, final_of(campaign), *events)


def test_nobody_has_won_before_the_final(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "critical")])
    verdict = page_of(opened, alice).verdict
    assert (verdict.winner, "not been played" in verdict.sentence) == (None, True)
    book = book_of(opened)
    assert (book.winner, book.victory, book.ended) == (
        "Das Finale entscheidet und steht noch aus.",
        "",
        "",
    )


def test_winner_of_final_wins_campaign(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "critical")])
    decided(opened, alice, wound(world.fighters(blues)[1], world.fighters(reds)[8], "critical"))
    page = page_of(opened, alice)
    assert page.verdict.winner == str(blues.pk)
    totals = {score.name: score.total for score in page.scores}
    assert totals["Reds"] > totals["Blues"], "the sum is shown, and does not decide"
    book = book_of(opened)
    assert book.winner == book.victory == "Blues hat das Finale gewonnen und damit die Kampagne."
    assert book.ended


def test_a_drawn_final_decides_nothing(opened: Campaign, alice: User) -> None:
    world.all_fought(alice, opened)
    decided(opened, alice)
    assert "draw" in page_of(opened, alice).verdict.sentence
    assert book_of(opened).victory.endswith("Niemand hat die Kampagne gewonnen.")


def test_by_house_rule_the_sum_of_all_games_decides(
    club: Club, reds: Warband, blues: Warband, alice: User
) -> None:
    campaign = world.revealed(
        world.classic(club, alice, reds, blues, classic_winner="sum"), reds, blues
    )
    world.all_fought(alice, campaign, duel=[hurt("duel", reds, blues, "critical")])
    decided(campaign, alice, wound(world.fighters(blues)[1], world.fighters(reds)[8], "critical"))
    verdict = page_of(campaign, alice).verdict
    assert verdict.winner == str(reds.pk)
    assert book_of(campaign).victory.startswith(
        "Reds hat die Kampagne nach den Siegpunkten aller Spiele gewonnen: "
    )


def test_correction_after_final_changes_winner(
    club: Club, reds: Warband, blues: Warband, alice: User
) -> None:
    campaign = world.revealed(
        world.classic(club, alice, reds, blues, classic_winner="sum"), reds, blues
    )
    world.all_fought(alice, campaign, duel=[hurt("duel", reds, blues, "critical")])
    decided(campaign, alice, wound(world.fighters(blues)[1], world.fighters(reds)[8], "critical"))
    duel = world.game(campaign, "duel")
    mended = Correction(
        events=(told("correction", event=1, reason="He only fell."),),
        reason="Nobody died in the duel.",
    )
    preview = preview_correction(battle_id=duel.pk, user=alice, correction=mended)
    assert preview.campaign_before.startswith("Reds has won")
    assert preview.campaign_after.startswith("Blues has won")
    assert page_of(campaign, alice).verdict.winner == str(reds.pk), "a dry run changes nothing"
    correct_battle(battle_id=duel.pk, user=alice, correction=mended)
    assert page_of(campaign, alice).verdict.winner == str(blues.pk)
    assert state_of(blues).fighters[str(world.fighters(blues)[0].pk)].fate == "fit"


def test_a_correction_that_kills_somebody_who_fought_the_final_is_a_conflict(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    world.all_fought(alice, opened)
    decided(opened, alice)
    duel = world.game(opened, "duel")
    event = hurt("duel", reds, blues, "critical")
    preview = preview_correction(
        battle_id=duel.pk, user=alice, correction=Correction(events=(event,), reason="Forgotten.")
    )
    assert preview.conflicts


def test_void_final_leaves_campaign_open(
    opened: Campaign, reds: Warband, blues: Warband, alice: User
) -> None:
    world.all_fought(alice, opened)
    final = decided(
        opened, alice, wound(world.fighters(blues)[1], world.fighters(reds)[8], "critical")
    )
    preview = preview_void(battle_id=final.pk, user=alice)
    assert preview.campaign_before.startswith("Blues has won")
    assert "not been played" in preview.campaign_after
    void_battle(battle_id=final.pk, user=alice, reason="Played with the wrong list.")
    again = plan_final(campaign_id=opened.pk, user=alice)
    assert again.state == BattleState.PLANNED


def test_who_was_absent_from_the_final_is_fit_after_it(
    opened: Campaign, reds: Warband, blues: Warband, alice: User, with_die
) -> None:
    with_die(2)
    world.all_fought(alice, opened, duel=[hurt("duel", reds, blues, "grievous")])
    victim = str(world.fighters(blues)[0].pk)
    assert state_of(blues).fighters[victim].fate == "recovering"
    decided(opened, alice)
    assert state_of(blues).fighters[victim].fate == "fit"


@pytest.fixture
def page(opened: Campaign, alice: User) -> ClassicPage:
    return page_of(opened, alice)


def test_the_page_costs_the_same_however_much_there_is(
    campaign: Campaign, reds: Warband, blues: Warband, alice: User, django_assert_num_queries
) -> None:
    fresh = Campaign.objects.select_related("club").get(pk=campaign.pk)
    with django_assert_num_queries(4):
        classic_page(fresh, alice)
    world.revealed(campaign, reds, blues)
    world.all_fought(alice, Campaign.objects.get(pk=campaign.pk))
    later = Campaign.objects.select_related("club").get(pk=campaign.pk)
    with django_assert_num_queries(5):
        classic_page(later, alice)
