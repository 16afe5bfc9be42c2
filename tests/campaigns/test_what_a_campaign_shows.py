"""The structures behind the pages of campaigns and clubs, and the log."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from msgspec.structs import replace

from campaigns.models import Campaign, Enrolment
from campaigns.selectors.log import (
    LogLine,
    evenings,
    log_entries,
    log_lines,
    log_rows,
    told_lines,
    told_once,
)
from campaigns.services.campaigns import finish_campaign, plan_campaign, start_campaign
from campaigns.services.enrolments import enrol_warband, withdraw_warband
from campaigns.services.house_rules import change_house_rules
from clubs.models import Club
from leagues.selectors.campaign_page import campaign_page
from rulebook.chronicle import facts
from rulebook.ruleset import Fate, Outcome
from tests.campaigns.conftest import Muster, battle_of
from warbands.fact_sentences import KINDS, joined, phrase
from warbands.models import Warband
from warbands.services.chronicle import append_facts

pytestmark = pytest.mark.one_database


def log_of(campaign: Campaign) -> list[str]:
    """Return the log as plain text, oldest first."""
    lines = log_lines(campaign, log_entries(campaign))
    return [f"{line.who}: {line.warband_name} {line.phrase}" for line in reversed(lines)]


def test_the_front_page_shows_the_campaign_and_its_warbands(
    enrolled: Campaign, bob: User, alice: User
) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    battle_of(enrolled, [Warband.objects.get(owner=owner) for owner in (bob, alice)], alice)
    page = campaign_page(Campaign.objects.get(), bob)
    assert (page.name, page.club_name, page.ruleset_name) == (
        "The Long Winter",
        "The Old Guard",
        "Pocket Skirmish",
    )
    assert (page.state_label, page.points, page.role, page.organises) == (
        "Running",
        50,
        "player",
        False,
    )
    assert [
        (row.name, row.player_name, row.points, row.fighters, row.state) for row in page.enrolments
    ] == [
        ("Alice's Reds", "Alice", 21, 2, "playing"),
        ("Bob's Reds", "Bob", 21, 2, "playing"),
    ]
    assert [(row.won, row.drawn, row.lost) for row in page.enrolments] == [(0, 0, 1), (1, 0, 0)]
    assert [row.name for row in page.dashboard.standings.rows] == ["Bob's Reds", "Alice's Reds"]
    assert [value.rule.key for value in page.house_rules] == [
        "legality",
        "surviving",
        "missed_game",
    ]


def test_a_reader_from_outside_has_no_role(enrolled: Campaign) -> None:
    assert campaign_page(enrolled, AnonymousUser()).role == ""


def test_who_withdrew_and_who_saw_the_end_are_told_apart(
    enrolled: Campaign, muster: Muster, alice: User, bob: User
) -> None:
    third = enrol_warband(campaign_id=enrolled.pk, warband_id=muster(bob, "Third").pk, user=bob)
    start_campaign(campaign_id=enrolled.pk, user=alice)
    withdraw_warband(enrolment_id=third.pk, user=bob)
    finish_campaign(campaign_id=enrolled.pk, user=alice)
    page = campaign_page(Campaign.objects.get(), alice)
    assert [row.state for row in page.enrolments] == ["finished", "finished", "withdrawn"]
    assert [row.name for row in page.dashboard.standings.rows] == ["Alice's Reds", "Bob's Reds"]


def test_the_front_page_costs_the_same_for_many_warbands_and_battles(
    enrolled: Campaign, muster: Muster, alice: User, bob: User, django_assert_num_queries
) -> None:
    for number in range(5):
        enrol_warband(
            campaign_id=enrolled.pk, warband_id=muster(bob, f"More {number}").pk, user=bob
        )
    start_campaign(campaign_id=enrolled.pk, user=alice)
    for _ in range(20):
        battle_of(enrolled, list(Warband.objects.all()[:2]), alice)
    warband = Warband.objects.get(owner=alice)
    append_facts({warband.pk: facts.Left(fighter=str(warband.fighters.all()[1].pk))}, user=alice)
    campaign = Campaign.objects.select_related("club", "follows", "followed_by").get()
    with django_assert_num_queries(8):
        assert len(campaign_page(campaign, bob).enrolments) == 7


def test_the_log_says_who_did_what_to_which_warband(
    enrolled: Campaign, alice: User, bob: User
) -> None:
    change_house_rules(
        campaign_id=enrolled.pk,
        version=1,
        user=alice,
        house_rules={"surviving": 2},
        reason="Too slow.",
    )
    withdraw_warband(
        enrolment_id=Enrolment.objects.get(warband__owner=bob).pk, user=bob, reason="Moving house"
    )
    entered, bobs, changed, also, left = log_of(enrolled)
    assert entered == "Alice: Alice's Reds entered The Long Winter with 50 points"
    assert bobs == "Bob: Bob's Reds entered The Long Winter with 50 points"
    assert {changed, also} == {
        "Alice: Alice's Reds now plays under changed house rules: Surviving: 2 (was: 1) (Too slow.)",
        "Alice: Bob's Reds now plays under changed house rules: Surviving: 2 (was: 1) (Too slow.)",
    }
    assert left == "Bob: Bob's Reds left the campaign: Moving house"


def test_the_log_begins_and_ends_with_a_warbands_time_in_the_campaign(
    enrolled: Campaign, club: Club, alice: User, bob: User
) -> None:
    other = plan_campaign(club_id=club.pk, user=alice, name="Summer", ruleset="toy", points=50)
    enrolment = Enrolment.objects.get(warband__owner=bob)
    withdraw_warband(enrolment_id=enrolment.pk, user=bob)
    enrol_warband(campaign_id=other.pk, warband_id=enrolment.warband_id, user=bob)
    append_facts({enrolment.warband_id: facts.Renamed(name="Blues")}, user=bob)
    assert log_of(enrolled)[-1] == "Bob: Blues left the campaign"
    assert log_of(other) == [
        "Bob: Blues entered Summer with 50 points",
        "Bob: Blues took the name Blues",
    ]


def test_log_leaves_out_the_order_of_rosters(enrolled: Campaign, bob: User) -> None:
    before, warband = log_of(enrolled), Warband.objects.get(owner=bob)
    order = tuple(
        str(pk) for pk in warband.fighters.order_by("-place").values_list("pk", flat=True)
    )
    append_facts({warband.pk: facts.Arranged(order=order)}, user=bob)
    assert log_of(enrolled) == before


def test_the_end_of_a_campaign_is_in_its_log(enrolled: Campaign, alice: User) -> None:
    start_campaign(campaign_id=enrolled.pk, user=alice)
    finish_campaign(campaign_id=enrolled.pk, user=alice)
    assert sorted(line for line in log_of(enrolled) if "The campaign has ended" in line) == [
        "Alice: Alice's Reds left the campaign: The campaign has ended.",
        "Alice: Bob's Reds left the campaign: The campaign has ended.",
    ]


def test_a_log_line_links_to_its_fighter_and_its_battle(enrolled: Campaign, alice: User) -> None:
    warband = Warband.objects.get(owner=alice)
    fighter = warband.fighters.first()
    assert fighter is not None
    battle = uuid4()
    append_facts(
        {warband.pk: facts.Fought(battle=str(battle), title="The Old Mill", outcome=Outcome.WON)},
        user=alice,
    )
    append_facts({warband.pk: facts.Left(fighter=str(fighter.pk))}, user=alice)
    left, fought = log_lines(enrolled, log_entries(enrolled)[:2])
    assert (left.fighter, left.phrase) == (fighter.pk, f"retired {fighter.name}")
    assert (fought.battle, fought.phrase, fought.kind) == (battle, "won The Old Mill", "fought")


def test_log_lists_battle_once_by_day_played(enrolled: Campaign, alice: User) -> None:
    ours, theirs = Warband.objects.order_by("name")
    battle = str(uuid4())
    battle_facts = {
        side.pk: facts.Fought(
            battle=battle,
            title="The Old Mill",
            fought_on="2030-01-31",
            outcome=outcome,
            against=(other.name,),
        )
        for side, other, outcome in ((ours, theirs, Outcome.WON), (theirs, ours, Outcome.LOST))
    }
    append_facts(battle_facts, user=alice)
    assert len(log_lines(enrolled, log_entries(enrolled)[:2])) == 2, (
        "each warband's chronicle has its own"
    )
    (line, *_) = log_lines(enrolled, told_once(enrolled, log_entries(enrolled)))
    assert (line.phrase.endswith("The Old Mill"), str(line.played), line.battle) == (
        True,
        "2030-01-31",
        UUID(battle),
    )
    assert line.against in (ours.name, theirs.name) and line.against != line.warband_name
    assert [
        each.kind for each in log_lines(enrolled, told_once(enrolled, log_entries(enrolled)))
    ].count("fought") == 1


def test_log_orders_by_day_of_play(enrolled: Campaign, alice: User) -> None:
    warband = Warband.objects.get(owner=alice)

    def fight(day: str) -> None:
        append_facts(
            {warband.pk: facts.Fought(battle=str(uuid4()), title=day, fought_on=day)}, user=alice
        )

    fight("2026-01-08")
    append_facts({warband.pk: facts.Renamed(name="After the first")}, user=alice)
    fight("2026-01-15")
    # A result that comes late: what follows it does not go before the battle of 15 January.
    fight("2026-01-01")
    append_facts({warband.pk: facts.Renamed(name="Last")}, user=alice)
    rows = log_rows(told_once(enrolled, log_entries(enrolled)), enrolled.journal.all())
    lines = [line for line in told_lines(enrolled, rows) if isinstance(line, LogLine)]
    days = [str(line.day) for line in lines if line.warband == warband.pk]
    assert days == [
        str(timezone.localdate()),
        "2026-01-15",
        "2026-01-15",
        "2026-01-08",
        "2026-01-08",
        "2026-01-01",
    ]
    assert [line.phrase for line in lines if str(line.day) == "2026-01-15"][1] == (
        "took the name After the first"
    )
    assert next(line.entered_later for line in lines) is False


def test_log_joins_rank_ups_of_a_day(enrolled: Campaign) -> None:
    warband, at = uuid4(), timezone.now()
    line = LogLine(
        1, at, "ranked-up", warband, "Reds", "#7a2e2e", "Bob", "ranked up Jack", raised=("Jack",)
    )
    also = replace(line, id=2, phrase="ranked up Jill", raised=("Jill",))
    later = replace(also, at=at + timedelta(days=1))
    (both,) = evenings([line, also])
    assert both == replace(line, raised=("Jack", "Jill"), phrase="ranked up Jack and Jill")
    assert (
        len(evenings([line, later])) == len(evenings([line, replace(also, warband=uuid4())])) == 2
    )


def test_four_queries_read_the_log_whatever_its_length(
    enrolled: Campaign, alice: User, django_assert_num_queries
) -> None:
    warband = Warband.objects.get(owner=alice)
    for fighter in warband.fighters.all():
        append_facts({warband.pk: facts.Renamed(fighter=str(fighter.pk), name="Jean")}, user=alice)
    for number in range(8):
        append_facts({warband.pk: facts.Renamed(name=f"Reds {number}")}, user=alice)
    with django_assert_num_queries(4):
        assert len(log_lines(enrolled, log_entries(enrolled))) == 12


FIGHTER = "00000000-0000-0000-0000-000000000001"
FOUGHT = facts.Fought(
    title="The Old Mill", outcome=Outcome.LOST, victory_points=1, victory_points_against=4
)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (facts.Mustered(), "was created"),
        (facts.EditionAdopted(edition="2"), "moved to edition 2 of the rules"),
        (
            facts.Recruited(recruits=tuple(facts.Recruit("", name, {}) for name in "AB")),
            "recruited A and B",
        ),
        (facts.Enrolled(campaign_name="Winter", reason="Twins"), "entered Winter: Twins"),
        (facts.Equipped(fighter=FIGHTER), "re-equipped Jean"),
        (facts.Furnished(), "changed its shared purchases"),
        (facts.Appointed(posts={"leader": (FIGHTER,)}), "appointed Jean as Leader"),
        (
            facts.Appointed(posts={"leader": (FIGHTER,), "banner": ("b",)}),
            "appointed Jean as Leader and a fighter as banner",
        ),
        (facts.Appointed(), "removed all warband roles"),
        (facts.Renamed(fighter=FIGHTER, name="Jean"), "renamed a fighter: Jean"),
        (FOUGHT, "lost The Old Mill, 1 to 4"),
        (facts.Fought(scenario="brawl", friendly=True), "drew brawl in a friendly battle"),
        (facts.RankedUp(fighter=FIGHTER), "ranked up Jean"),
        (facts.Left(fighter=FIGHTER, reason="deserted"), "lost Jean to desertion"),
        (facts.Left(fighter="gone", reason="struck"), "removed a fighter from the roster"),
        (
            facts.Adjusted(fighter=FIGHTER, experience=2, fate=Fate.FIT, reason="A slip"),
            "had Jean adjusted (+2 experience, now fit): A slip",
        ),
        (facts.Corrected(reason="Twice"), "voided an entry: Twice"),
        (facts.Corrected(replacement=FOUGHT), "lost The Old Mill, 1 to 4 (corrected)"),
        (
            facts.Corrected(replacement=FOUGHT, reason="Miscounted"),
            "lost The Old Mill, 1 to 4 (corrected: Miscounted)",
        ),
    ],
)
def test_every_fact_has_a_phrase(fact: facts.AnyFact, words: str) -> None:
    assert phrase(fact, {FIGHTER: "Jean", "leader": "Leader"}) == words


def test_a_name_from_right_to_left_leaves_the_score_where_it_is() -> None:
    fact = facts.Fought(
        battle="b",
        outcome=Outcome.LOST,
        title="الجسر",
        victory_points=13,
        victory_points_against=17,
    )
    assert phrase(fact, {}) == "lost \u2068الجسر\u2069, 13 to 17"


def test_no_kind_of_fact_is_left_without_words() -> None:
    kinds = [kind.__struct_config__.tag for kind in facts.AnyFact.__args__]
    assert list(KINDS) == kinds
    assert all(KINDS.values())
    assert all("phrase" in vars(kind) for kind in facts.AnyFact.__args__)


def test_many_names_are_counted() -> None:
    assert joined(["A", "B", "C", "D"]) == "A, B, C and D"
    assert joined("ABCDE") == "A, B, C and 2 others"


def test_the_fighters_of_a_fact_are_named_the_chief_one_first() -> None:
    assert facts.Appointed(posts={"leader": ("a",), "banner": ("b",)}).fighters == ("a", "b")
    assert facts.Corrected(replacement=facts.Left(fighter="a")).fighters == ("a",)
    assert FOUGHT.fighters == ()
