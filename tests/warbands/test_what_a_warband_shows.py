"""The structures that pages, documents and the API show: right, and in a fixed number of
queries."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Campaign
from core.users import Visibility
from rulebook.chronicle.facts import Corrected, Fought, decode
from rulebook.ruleset import Fate, Outcome
from tests.warbands.conftest import fight
from warbands.models import ChronicleEntry, Fighter, Warband
from warbands.selectors.access import WarbandPermissions
from warbands.selectors.chronicle_log import (
    chronicle_entries,
    chronicle_lines,
    ledger_entries,
    ledger_lines,
)
from warbands.selectors.explanations import Explanation, explain_fighter
from warbands.selectors.fighter_page import FighterPage, fighter_page, rank_up_list
from warbands.selectors.service_record import CareerPart, career_of
from warbands.selectors.warband_page import (
    WarbandPage,
    problem_list,
    warband_page,
)
from warbands.services.chronicle import correct_facts
from warbands.services.posts import appoint, furnish_warband
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.rank_ups import take_rank_up
from warbands.services.roster import NewFighter, adjust_fighter, equip_fighter, recruit_fighters
from warbands.services.warbands import show_warband

pytestmark = pytest.mark.one_database


def fresh(warband: Warband) -> Warband:
    return Warband.objects.select_related("owner", "keeper").get(pk=warband.pk)


def page(warband: Warband, user: User | AnonymousUser) -> WarbandPage:
    return warband_page(fresh(warband), user)


def fighter(warband: Warband, name: str) -> Fighter:
    return Fighter.objects.select_related("warband").get(warband=warband, name=name)


def page_of(warband: Warband, name: str, user: User) -> FighterPage:
    return fighter_page(fighter(warband, name), user)


def queries_of(action: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as queries:
        action()
    return len(queries)


@pytest.fixture
def veterans(reds: Warband, campaign: Campaign, bob: User) -> Warband:
    """Return the Reds after two battles: Jack has earned five experience, and Jill is dead."""
    fight(reds, {"Jack": 3})
    fight(reds, dead=("Jill",))
    return fresh(reds)


# The warband


def test_the_header_counts_points_experience_and_battles(
    veterans: Warband, bob: User, campaign: Campaign
) -> None:
    shown = page(veterans, bob)
    assert (shown.points, shown.agreed_points, shown.experience) == (21, 40, 8)
    assert (shown.won, shown.drawn, shown.lost, shown.games_played) == (2, 0, 0, 2)
    assert ([figure.value for figure in shown.figures], shown.fighters_serving) == ([7], 2)
    assert (shown.faction_name, shown.ruleset_name, shown.owner, shown.locked) == (
        "Reds",
        "Pocket Skirmish",
        "bob",
        True,
    )
    assert shown.campaign is not None
    assert (shown.campaign.name, shown.campaign.player_name) == (campaign.name, "bob")


def test_cards_keep_roster_order_with_departed_last(veterans: Warband, bob: User) -> None:
    cards = page(veterans, bob).fighters
    assert [(card.name, card.gone, card.fate) for card in cards] == [
        ("Hector", False, Fate.FIT),
        ("Jack", False, Fate.FIT),
        ("Jill", True, Fate.DEAD),
    ]
    assert cards[2].end == "Black Tom"


def test_a_card_says_what_it_takes_to_rise(veterans: Warband, bob: User) -> None:
    hector, jack, jill = page(veterans, bob).fighters
    assert (hector.next_cost, hector.can_rank_up) == (None, False)
    assert (jack.experience, jack.earned, jack.next_cost, jack.can_rank_up) == (5, 5, 3, True)
    assert (jill.next_cost, jill.can_rank_up) == (None, False)
    assert jack.sheet is not None
    assert jack.sheet.profile_name == "Recruit"
    assert page(veterans, bob).rank_ups_waiting == 1


def test_prepared_offers_say_the_same_as_the_rules(veterans: Warband, bob: User) -> None:
    before = page(veterans, bob)
    prepare_offers(warband_id=veterans.pk)
    assert page(veterans, bob) == before
    take_rank_up(fighter_id=fighter(veterans, "Jack").pk, step="veteran", user=bob)
    assert page(veterans, bob).rank_ups_waiting == 0


def test_purchases_posts_and_problems_are_shown(reds: Warband, bob: User) -> None:
    furnish_warband(warband_id=reds.pk, extras={"banner": True}, user=bob)
    appoint(
        warband_id=reds.pk,
        posts={"leader": fighter(reds, "Hector").pk, "banner": fighter(reds, "Jill").pk},
        user=bob,
    )
    recruit_fighters(warband_id=reds.pk, fighters=[NewFighter({"profile": "captain"})], user=bob)
    shown = page(reds, bob)
    assert [(line.label, line.points) for line in shown.bought] == [("Banner", 5)]
    assert [card.name for card in shown.fighters if card.posts] == ["Hector", "Jill"]
    assert [problem.code for problem in shown.problems] == ["two-captains"]
    assert problem_list(fresh(reds)).problems == shown.problems


def test_rights_depend_on_the_reader(
    reds: Warband, campaign: Campaign, alice: User, bob: User, charlie: User, dora: User
) -> None:
    show_warband(warband_id=reds.pk, visibility=Visibility.PUBLIC, user=bob)
    rights = [page(reds, user).rights for user in (alice, bob, charlie, dora, AnonymousUser())]
    assert rights == [
        WarbandPermissions(True, True),
        WarbandPermissions(True, False),
        WarbandPermissions(),
        WarbandPermissions(),
        WarbandPermissions(),
    ]
    assert page(reds, charlie).campaign is None, "the campaign itself is private"


def test_a_page_takes_as_many_queries_for_thirty_fighters_as_for_three(
    veterans: Warband, alice: User, bob: User
) -> None:
    few = queries_of(lambda: warband_page(veterans, bob))
    adjust_fighter(
        fighter_id=fighter(veterans, "Jack").pk, experience=50, reason="a feast", user=alice
    )
    recruit_fighters(
        warband_id=veterans.pk,
        fighters=[NewFighter({"profile": "recruit"}, count=27)],
        user=alice,
        overrule="a crowd",
    )
    many = queries_of(lambda: warband_page(veterans, bob))
    assert few == many == 3


# The fighter


def test_service_record_lists_each_battle(veterans: Warband, bob: User) -> None:
    last, first = page_of(veterans, "Jack", bob).record
    assert (first.title, first.scenario, first.outcome, first.against) == (
        "The Mill",
        "Brawl",
        Outcome.WON,
        ("The Blues",),
    )
    assert first.deeds == ("wounded Black Tom",) * 3
    assert (first.earned, [line.code for line in first.lines]) == (
        4,
        ["wound", "wound", "wound", "survived"],
    )
    assert (last.earned, last.deeds) == (1, ())
    death = page_of(veterans, "Jill", bob).record[0]
    assert (death.fate, death.killed_by, death.earned) == (Fate.DEAD, "Black Tom", 0)


def test_service_record_shows_corrected_battle(veterans: Warband, bob: User) -> None:
    correct_facts({veterans.pk: Corrected(target=5)}, user=None)
    assert page_of(veterans, "Jill", bob).card.fate == Fate.FIT
    assert [line.sequence for line in page_of(veterans, "Jack", bob).record] == [4]


def test_a_career_in_brief_says_the_same_as_the_record_and_is_read_once(
    veterans: Warband, bob: User
) -> None:
    def agree(name: str) -> None:
        brief = [
            (line.sequence, line.friendly, line.rank, line.deeds, line.earned)
            for line in career_of(row(name))
        ]
        record = page_of(veterans, name, bob).record
        assert brief == [
            (line.sequence, line.friendly, line.rank, len(line.deeds), line.earned)
            for line in record
        ]
        for line in record:
            part = CareerPart((line.sequence,), line.sequence, line.sequence + 1)
            assert fighter_page(row(name), bob, part).record == (line,)

    def row(name: str) -> Fighter:
        return fighter(veterans, name)

    agree("Jack")
    assert [line.deeds for line in career_of(row("Jack"))] == [0, 3]
    jack = row("Jack")
    assert queries_of(lambda: career_of(jack)) == 1, "the sums of its ledger alone"
    fought = decode(ChronicleEntry.objects.get(warband=veterans, sequence=4).payload)
    assert isinstance(fought, Fought)
    fewer = msgspec.structs.replace(fought, title="The Old Mill", deeds=fought.deeds[:1])
    correct_facts({veterans.pk: Corrected(target=4, replacement=fewer)}, user=None)
    correct_facts({veterans.pk: Corrected(target=5)}, user=None)
    agree("Jack")
    assert [line.deeds for line in career_of(row("Jack"))] == [1], (
        "one battle struck, another told anew"
    )
    assert career_of(row("Hector"))[0].deeds == 0
    agree("Jill")


def test_steps_are_listed_with_what_is_wanting(veterans: Warband, bob: User) -> None:
    (choice,) = page_of(veterans, "Jack", bob).rank_ups
    assert (choice.step.key, choice.affordable, choice.short_by) == ("veteran", True, 0)
    take_rank_up(fighter_id=fighter(veterans, "Jack").pk, step="veteran", user=bob)
    (dear,) = rank_up_list(fighter(veterans, "Jack")).steps
    assert (dear.step.key, dear.affordable, dear.short_by) == ("captain", False, 3)
    assert page_of(veterans, "Jill", bob).rank_ups == ()


def test_a_fighters_page_takes_as_many_queries_after_ten_battles_as_after_two(
    veterans: Warband, bob: User
) -> None:
    jack = fighter(veterans, "Jack")
    few = queries_of(lambda: fighter_page(jack, bob))
    for _ in range(8):
        fight(veterans, {"Jack": 2})
    jack = fighter(veterans, "Jack")
    many = queries_of(lambda: fighter_page(jack, bob))
    assert few == many == 4


# Why


def why(warband: Warband, name: str, key: str) -> Explanation:
    return next(
        explanation
        for explanation in explain_fighter(fighter(warband, name))
        if explanation.key == key
    )


def test_points_are_explained_by_the_lines_of_the_price_and_the_facts_that_changed_it(
    veterans: Warband, alice: User, bob: User
) -> None:
    jack = fighter(veterans, "Jack").pk
    take_rank_up(fighter_id=jack, step="veteran", user=bob)
    equip_fighter(
        fighter_id=jack,
        build={"profile": "veteran", "options": ["sword"]},
        user=alice,
        reason="his reward",
    )
    explanation = why(veterans, "Jack", "points")
    assert explanation.value == "11"
    assert [(line.label, line.points) for line in explanation.lines] == [
        ("Veteran", 10),
        ("Sword", 1),
    ]
    assert [(fact.sequence, fact.before, fact.after, fact.who) for fact in explanation.facts] == [
        (2, "", "5", "bob"),
        (6, "5", "10", "bob"),
        (7, "10", "11", "alice"),
    ]


def test_rank_is_explained_by_the_rule_that_raised_it(veterans: Warband, bob: User) -> None:
    take_rank_up(fighter_id=fighter(veterans, "Jack").pk, step="veteran", user=bob)
    explanation = why(veterans, "Jack", "rank")
    assert [(fact.after, fact.rule) for fact in explanation.facts] == [
        ("1", ""),
        ("2", 'Toy rules: "Experience"'),
    ]


def test_experience_is_explained_by_its_ledger(veterans: Warband) -> None:
    explanation = why(veterans, "Jack", "experience")
    assert explanation.value == "5"
    assert sum(line.points for line in explanation.lines) == 5
    assert [fact.sequence for fact in explanation.facts] == [4, 4, 4, 4, 5]
    assert {fact.rule for fact in explanation.facts} == {'Toy rules: "Experience"'}


def test_a_fate_is_explained_by_the_battle(veterans: Warband) -> None:
    explanation = why(veterans, "Jill", "fate")
    assert [(fact.sequence, fact.before, fact.after) for fact in explanation.facts] == [
        (2, "", "fit"),
        (5, "fit", "dead"),
    ]
    assert "won The Mill" in explanation.facts[1].phrase


def test_every_number_of_the_profile_is_explained(veterans: Warband) -> None:
    explained = explain_fighter(fighter(veterans, "Jack"))
    assert [explanation.key for explanation in explained if explanation.label == "Rank"] == [
        "rank",
        "rank",
    ], "the toy's card shows its rank too"
    assert all(
        explanation.value and (explanation.facts or explanation.value == "0")
        for explanation in explained
    )


def test_an_explanation_takes_as_many_queries_after_ten_battles_as_after_two(
    veterans: Warband,
) -> None:
    few = queries_of(
        lambda: explain_fighter(Fighter.objects.select_related("warband").get(name="Jack"))
    )
    for _ in range(8):
        fight(veterans, {"Jack": 2})
    many = queries_of(
        lambda: explain_fighter(Fighter.objects.select_related("warband").get(name="Jack"))
    )
    assert few == many == 4


# Chronicle, ledger, roster sheet


def test_history_shows_text_newest_first(veterans: Warband, bob: User) -> None:
    lines = chronicle_lines(veterans, chronicle_entries(veterans))
    assert [line.sequence for line in lines] == [5, 4, 3, 2, 1]
    assert lines[1].phrase == "won The Mill, 3 to 1"
    assert lines[1].battle is not None
    assert lines[2].campaign is not None
    assert [link.name for link in lines[3].fighters] == ["Hector", "Jack", "Jill"]
    assert (lines[4].who, lines[1].who) == ("bob", "")


def test_corrected_entries_say_so(veterans: Warband, bob: User) -> None:
    correct_facts({veterans.pk: Corrected(target=5, reason="never happened")}, user=bob)
    correct_facts(
        {veterans.pk: Corrected(target=4, replacement=Fought(battle="", title="The Old Mill"))},
        user=bob,
    )
    lines = {line.sequence: line for line in chronicle_lines(veterans, chronicle_entries(veterans))}
    assert (lines[5].corrected_by, lines[5].struck) == (6, True)
    assert (lines[4].corrected_by, lines[4].struck) == (7, False)
    assert lines[3].corrected_by is None


def test_a_log_takes_as_many_queries_for_many_lines_as_for_few(veterans: Warband) -> None:
    few = queries_of(lambda: chronicle_lines(veterans, chronicle_entries(veterans)))
    for _ in range(5):
        fight(veterans)
    many = queries_of(lambda: chronicle_lines(veterans, chronicle_entries(veterans)))
    assert few == many == 3


def test_ledger_shows_newest_first(veterans: Warband) -> None:
    lines = ledger_lines(ledger_entries(veterans).filter(fighter__name="Jack"))
    assert [(line.fighter_name, line.amount, line.balance) for line in lines] == [
        ("Jack", 1, b) for b in (5, 4, 3, 2, 1)
    ]
    assert queries_of(lambda: ledger_lines(ledger_entries(veterans))) == 1
