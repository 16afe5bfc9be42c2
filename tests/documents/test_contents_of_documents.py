"""The contents of the structures, read from a campaign that was really fought."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.services.corrections import Correction, correct_battle
from campaigns.models import Campaign, CampaignState, Fixture, JournalEntry, Round
from campaigns.selectors.log import log_entries
from campaigns.services.journal import remove_entry, write_entry
from core.errors import InvalidInput, NotFound
from core.users import Visibility
from documents.content.battles import battle_content
from documents.content.campaigns import campaign_content
from documents.content.careers import career_content
from documents.content.documents import AnyContent, CampaignSummary, Chapter
from documents.content.rank_ups import rank_ups_content
from documents.content.registry import content_hash, read_content
from documents.content.rosters import roster_content
from documents.content.structs import Line, Person
from documents.models import DocumentKind
from rulebook.chronicle.facts import Adjusted, Left, Renamed
from rulebook.ruleset import Fate
from tests.battles import field
from tests.documents.conftest import subject_of
from warbands.models import Fighter, Warband
from warbands.services.chronicle import append_facts

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


def summary(campaign: Campaign) -> CampaignSummary:
    content = read_content(DocumentKind.CAMPAIGN, campaign.pk)
    assert isinstance(content, CampaignSummary)
    return content


def test_a_campaign_has_its_table_its_battles_and_its_rosters(
    battle: Battle, campaign: Campaign
) -> None:
    content = summary(campaign)
    assert (content.title, content.club, content.ruleset) == (
        "The Long Winter",
        "The Old Guard",
        "Pocket Skirmish",
    )
    assert [
        (row.position, row.warband, row.player, row.figures["won"], row.figures["points"])
        for row in content.standings
    ] == [
        (1, "Reds", "alice", 1, 3),
        (2, "Blues", "bob", 0, 0),
    ]
    assert [(tale.number, tale.title, tale.scenario) for tale in content.battles] == [
        (1, "Brawl", "Brawl")
    ]
    assert [roster.name for roster in content.rosters] == ["Reds", "Blues"]
    assert content.counts.battles == content.counts.dead == 1
    assert "victory point difference" in content.tie_rule


def test_points_won_and_lost_add_up_over_the_table(battle: Battle, campaign: Campaign) -> None:
    rows = summary(campaign).standings
    assert sum(row.figures["victory_points"] for row in rows) == sum(
        row.figures["victory_points_against"] for row in rows
    )
    assert sum(row.figures["difference"] for row in rows) == 0


def test_the_dead_are_remembered_with_the_battle_that_killed_them(
    battle: Battle, campaign: Campaign
) -> None:
    (fallen,) = summary(campaign).memorial
    assert (fallen.name, fallen.warband, fallen.battle) == ("Blues 1", "Blues", "Brawl")
    assert fallen.fought_on == "2026-03-07"


def test_memorial_includes_deaths_without_battle(
    battle: Battle, campaign: Campaign, alice: User, blues: Warband
) -> None:
    append_facts(
        {
            blues.pk: Adjusted(
                fighter=str(field.fighters(blues)[2].pk), fate=Fate.DEAD, reason="fever"
            )
        },
        user=alice,
    )
    assert [(fallen.name, fallen.battle, fallen.by) for fallen in summary(campaign).memorial][
        1
    ] == (
        "Blues 2",
        "",
        (Person("fever"),),
    )


def test_veterans_live_and_have_fought(battle: Battle, campaign: Campaign) -> None:
    veterans = summary(campaign).veterans
    assert veterans[0].name == "Reds 0"
    assert [(each.label, each.count) for each in veterans[0].tallies][-1] == ("Felled", 1)
    assert "Blues 1" not in [veteran.name for veteran in veterans]


def test_a_corrected_battle_says_so_and_the_summary_follows(
    battle: Battle, campaign: Campaign, alice: User
) -> None:
    before = summary(campaign)
    assert before.battles[0].corrections == ()
    correction = Correction((field.struck(1),), "It was a near miss.")
    correct_battle(battle_id=battle.pk, user=alice, correction=correction)
    after = summary(campaign)
    assert after.battles[0].corrections == ("It was a near miss.",)
    assert after.memorial == ()
    assert content_hash(before, "A4") != content_hash(after, "A4")


def test_wound_names_attacker(battle: Battle, reds: Warband) -> None:
    captain = field.fighters(reds)[0].name
    blues = battle_content(battle).battle.sides[1]
    by = (Person(captain),)
    assert [(casualty.dead, casualty.by) for casualty in blues.casualties] == [
        (True, by),
        (False, by),
    ]
    assert (blues.marks.count("dead"), len(blues.marks)) == (1, blues.fielded)


def test_a_battle_lists_casualties_points_and_what_was_earned(battle: Battle) -> None:
    content = battle_content(Battle.objects.get(pk=battle.pk))
    reds, blues = content.battle.sides
    assert [(line.amount, line.sentence) for line in reds.lines] == [(1, "Enemies killed.")]
    assert sum(line.amount for line in reds.lines) == reds.victory_points
    assert [(casualty.name, casualty.harm, casualty.dead) for casualty in blues.casualties] == [
        ("Blues 1", "killed", True),
        ("Blues 0", "Light wound", False),
    ]
    assert [(item.name, item.note) for item in reds.earned] == [
        ("3 fighters", "+1 each: Survived the battle"),
        ("Reds 0", "+1: Wounded Blues 0"),
    ]
    assert content.campaign == "The Long Winter"


@pytest.mark.parametrize("state", ["planned", "under-way", "void"])
def test_a_battle_without_a_result_has_nothing_to_print(battle: Battle, state: str) -> None:
    Battle.objects.filter(pk=battle.pk).update(state=state)
    with pytest.raises(InvalidInput) as refusal:
        read_content(DocumentKind.BATTLE, battle.pk)
    assert (refusal.value.code, refusal.value.field) == ("nothing-to-print", "subject")


def test_a_battle_that_is_not_confirmed_is_stamped(
    campaign: Campaign, bob: User, reds: Warband, blues: Warband
) -> None:
    fought = field.fight(bob, campaign, reds, blues)
    assert (
        battle_content(Battle.objects.get(pk=fought.pk)).battle.state
        == "Not yet confirmed by all sides"
    )


def test_a_roster_has_a_row_for_everybody_who_serves_and_its_sums_agree(
    battle: Battle, reds: Warband
) -> None:
    roster = roster_content(Warband.objects.get(pk=reds.pk), ("cards", "prices")).roster
    rows = [row for group in roster.groups for row in group.rows]
    assert [(row.profile, row.points) for row in rows] == [
        ("Captain", 16),
        ("Recruit", 5),
        ("Recruit", 5),
    ]
    assert [(price.profile, price.count, price.points) for price in roster.prices] == [
        ("Captain", 1, 16),
        ("Recruit", 2, 5),
    ]
    assert sum(row.points for row in rows) == roster.points == 26
    assert len(rows) == roster.fighters == 3
    assert (roster.won, roster.drawn, roster.lost) == (1, 0, 0)
    assert roster.cards[0].posts == ("Chief",)


def test_those_who_are_gone_stand_last_on_the_cards_and_not_on_the_sheet(
    battle: Battle, bob: User, blues: Warband
) -> None:
    append_facts(
        {blues.pk: Left(fighter=str(field.fighters(blues)[0].pk), reason="retired")}, user=bob
    )
    roster = roster_content(Warband.objects.get(pk=blues.pk), ("cards", "dead")).roster
    assert [(card.name, card.fate) for card in roster.cards] == [
        ("Blues 2", ""),
        ("Blues 0", "retired"),
        ("Blues 1", "dead"),
    ]
    assert [row.name for group in roster.groups for row in group.rows] == ["Blues 2"]


def test_a_career_tells_battles_deeds_rank_ups_and_every_ledger_line(
    battle: Battle, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    recruit = field.fighters(reds)[1]
    append_facts(
        {reds.pk: Adjusted(fighter=str(recruit.pk), experience=3, reason="for valour")}, user=alice
    )
    field.rank_up(alice, recruit)
    content = career_content(Fighter.objects.select_related("warband").get(pk=recruit.pk))
    (chapter,) = content.chapters
    assert (chapter.title, chapter.outcome, chapter.against, chapter.fate) == (
        "Brawl",
        "won",
        "Blues",
        "came home fit",
    )
    assert (chapter.rank_ups, chapter.balance) == (("Rank 2: Veteran",), 1)
    assert (content.earned, content.spent, content.card.experience) == (4, 3, 1)
    assert (
        sum(line.amount for line in content.ledger)
        == content.card.experience
        == content.ledger[-1].balance
    )


def test_history_of_a_warband_has_every_entry_of_the_campaign_log(
    battle: Battle, campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    recruit = field.fighters(reds)[1]
    valour = Adjusted(fighter=str(recruit.pk), experience=3, reason="for valour")
    append_facts({reds.pk: valour}, user=alice)
    field.rank_up(alice, recruit)
    field.confirmed(alice, campaign, reds, blues)
    gone = Left(fighter=str(field.fighters(blues)[0].pk), reason="retired")
    append_facts({blues.pk: gone}, user=bob)
    content = summary(campaign)
    printed = {
        (warband.name, number)
        for warband in content.warbands
        for step in warband.steps
        for number in (*step.entries, *(each for line in step.lines for each in line.entries))
    }
    logged = {(entry.warband.name, entry.sequence) for entry in log_entries(campaign)}
    assert printed == logged
    first, after, second = content.warbands[0].steps
    assert (first.title, after.number, second.number) == ("", 1, 2)
    lines = {line.kind: [(item.name, item.note) for item in line.items] for line in after.lines}
    assert lines["rank-ups"] == [(recruit.name, "Rank 2: Veteran")]
    assert lines["also"] == [("", f"Had {recruit.name} adjusted (+3 experience): for valour")]
    veteran = next(each for each in content.veterans if each.name == recruit.name)
    assert (veteran.strip, veteran.risen) == (("well", "well"), (1,))


def test_career_names_deeds_and_victims(battle: Battle, reds: Warband) -> None:
    captain = Fighter.objects.select_related("warband").get(pk=field.fighters(reds)[0].pk)
    (chapter,) = career_content(captain).chapters
    assert chapter.deeds == ("Killed Blues 1", "Wounded Blues 0")


def test_the_rank_up_sheet_has_who_can_afford_a_step_and_who_is_on_the_way(
    battle: Battle, alice: User, reds: Warband
) -> None:
    first, second = field.fighters(reds)[1:]
    append_facts(
        {reds.pk: Adjusted(fighter=str(first.pk), experience=2, reason="for valour")}, user=alice
    )
    content = rank_ups_content(Warband.objects.get(pk=reds.pk))
    assert [(each.name, each.experience, each.cost) for each in content.ready] == [
        (first.name, 3, 3)
    ]
    assert [step.name for step in content.ready[0].steps] == ["Veteran"]
    assert [each.name for each in content.waiting] == [second.name]


def test_a_private_roster_stays_out_of_a_campaign_that_everybody_may_read(
    battle: Battle, campaign: Campaign, reds: Warband
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Visibility.PUBLIC)
    content = summary(campaign)
    assert (content.rosters, content.private_rosters) == ((), ("Reds", "Blues"))
    Warband.objects.filter(pk=reds.pk).update(visibility=Visibility.PUBLIC)
    content = summary(campaign)
    assert [roster.name for roster in content.rosters] == ["Reds"]
    assert content.private_rosters == ("Blues",)


def test_a_warband_outside_any_campaign_has_a_roster_too(alice: User, reds: Warband) -> None:
    content = roster_content(Warband.objects.get(pk=reds.pk))
    assert (content.campaign, content.roster.player, content.roster.agreed_points) == (
        "",
        "alice",
        None,
    )


@pytest.mark.parametrize("kind", list(DocumentKind))
def test_what_is_not_there_is_not_found(kind: DocumentKind, campaign: Campaign) -> None:
    with pytest.raises(NotFound):
        read_content(kind, uuid4())


def test_the_same_data_make_the_same_hash_and_a_changed_name_another(
    battle: Battle, campaign: Campaign, bob: User, blues: Warband
) -> None:
    assert content_hash(summary(campaign), "A4") == content_hash(summary(campaign), "A4")
    before: AnyContent = summary(campaign)
    append_facts(
        {blues.pk: Renamed(fighter=str(field.fighters(blues)[0].pk), name="Old Nick")}, user=bob
    )
    assert content_hash(summary(campaign), "A4") != content_hash(before, "A4")


QUERIES = {
    DocumentKind.CAMPAIGN: 22,
    DocumentKind.ROSTER: 5,
    DocumentKind.CAREER: 5,
    DocumentKind.BATTLE: 9,
}
QUERIES |= {DocumentKind.RANK_UPS: 4, DocumentKind.BLANK: 0, DocumentKind.RESULT_CARD: 9}
QUERIES |= {DocumentKind.CERTIFICATE: 16, DocumentKind.MEMORIAL: 25, DocumentKind.HISTORY: 14}
QUERIES |= {DocumentKind.RESULT_SHEET: 6, DocumentKind.STANDINGS: 9, DocumentKind.FIXTURES: 6}
QUERIES |= {DocumentKind.PROGRAMME: 4, DocumentKind.QUICK_REFERENCE: 0}


@pytest.mark.parametrize("kind", list(DocumentKind))
def test_reading_takes_the_same_number_of_queries_whatever_there_is_to_read(
    kind: DocumentKind,
    battle: Battle,
    campaign: Campaign,
    alice: User,
    reds: Warband,
    blues: Warband,
    django_assert_num_queries: Any,
) -> None:
    subject = subject_of(kind, battle, campaign)
    with django_assert_num_queries(QUERIES[kind]):
        read_content(kind, subject)
    # Certificates are about a finished campaign, in which nobody can play.
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.RUNNING)
    for _ in range(3):
        field.confirmed(alice, campaign, reds, blues)
    subject = subject_of(kind, battle, campaign)
    with django_assert_num_queries(QUERIES[kind]):
        read_content(kind, subject)


def test_journal_entries_are_sorted_among_battles(
    alice: User, bob: User, campaign: Campaign, reds: Warband, blues: Warband
) -> None:
    assert date(2026, 3, 7) == field.TODAY
    for text, day in (("Before.", 6), ("That night.", 7), ("Gone.", 6), ("Much later.", 20)):
        entry = write_entry(campaign_id=campaign.pk, user=bob, text=text, on=date(2026, 3, day))
        if text == "Gone.":
            remove_entry(entry_id=entry.pk, user=bob)
    assert [each.text for each in summary(campaign).journal] == [
        "Before.",
        "That night.",
        "Much later.",
    ]
    first, second = (
        field.confirmed(alice, campaign, reds, blues),
        field.confirmed(alice, campaign, reds, blues),
    )
    Battle.objects.filter(pk=second.pk).update(fought_on=date(2026, 3, 14))
    content = summary(campaign)
    assert [tale.id for tale in content.battles] == [str(first.pk), str(second.pk)]
    assert [[each.text for each in tale.journal] for tale in content.battles] == [
        ["Before."],
        ["That night."],
    ]
    assert [(each.on, each.author, each.text) for each in content.journal] == [
        ("2026-03-20", "bob", "Much later.")
    ]
    assert content.dated >= JournalEntry.objects.latest("written_at").written_at.date().isoformat()


def test_the_rule_of_the_table_names_byes_once_there_are_any(
    battle: Battle, campaign: Campaign
) -> None:
    assert "bye" not in summary(campaign).scoring
    made = Round.objects.create(campaign=campaign, number=1)
    Fixture.objects.create(round=made, place=0, home=campaign.enrolments.all()[0], bye=True)
    assert "A bye is worth 1. A walkover counts as a win" in summary(campaign).scoring


def test_a_campaign_without_battles_can_be_read(campaign: Campaign) -> None:
    content = campaign_content(Campaign.objects.select_related("club").get(pk=campaign.pk))
    assert (content.battles, content.veterans, content.memorial) == ((), (), ())
    assert content.state == "Running"


def test_battles_with_equal_titles_get_numbers(
    battle: Battle, campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    later = field.confirmed(alice, campaign, reds, blues)
    Battle.objects.filter(pk__in=(battle.pk, later.pk)).update(title="Skirmish")
    assert [tale.named for tale in summary(campaign).battles] == [
        "Skirmish (no. 1)",
        "Skirmish (no. 2)",
    ]
    assert {fallen.battle for fallen in summary(campaign).memorial} <= {
        "Skirmish (no. 1)",
        "Skirmish (no. 2)",
    }
    Battle.objects.filter(pk=later.pk).update(title="The Mill")
    assert [tale.named for tale in summary(campaign).battles] == ["Skirmish", "The Mill"]


def test_lost_experience_does_not_reduce_earnings() -> None:
    chapter = Chapter(
        "The Mill", "2026-03-07", "Blues", "won", "", earned=(Line(3, "Won"), Line(-2, "Fled"))
    )
    assert (chapter.gain, chapter.grown) == (1, 3)
