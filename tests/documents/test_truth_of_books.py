"""A campaign's book is true: every number is counted again from chronicles and result sheets."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from battles.models import Side
from documents.content.battles import with_strength
from documents.content.documents import CampaignSummary
from documents.content.structs import SideNarrative
from rulebook.chronicle.facts import AnyFact
from rulebook.chronicle.facts import Fought as FoughtFact
from rulebook.chronicle.replay import replay_chronicle
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import Fate, Record, SideResult
from rulebook.values.moments import BattleMoments, TurnTally
from tests.documents import samples
from tests.documents.played import Fought, Played, Shelf
from tests.documents.reading_pdfs import text

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

CASES = [
    "four-sides",
    "nobody-left",
    "all-tied",
    "long-names-en-garde",
    "long-names-argad",
    "long-names-wards",
]
CASES += ["long-names-avant-garde"]
SCORES = re.compile(r"(\d+) for a win, (\d+) for a draw, (\d+) for a defeat")
every_case = pytest.mark.parametrize("case", CASES)


@pytest.fixture
def played(shelf: Shelf, case: str) -> Played:
    return shelf.case(case)


@pytest.fixture
def book(played: Played) -> CampaignSummary:
    content = played.contents["campaign"]
    assert isinstance(content, CampaignSummary)
    return content


def states(played: Played) -> dict[str, WarbandState]:
    """Return the state of every warband by name, replayed from its chronicle."""
    return {
        name: replay_chronicle(chronicle, find_ruleset).state
        for name, chronicle in played.chronicles.items()
    }


def everybody(played: Played) -> dict[str, FighterState]:
    """Return every fighter by id."""
    return {
        fighter.id: fighter
        for state in states(played).values()
        for fighter in state.fighters.values()
    }


def sides(played: Played) -> Iterator[tuple[Fought, str, SideResult]]:
    """Yield each side of each battle: the battle, the warband's name, and its result."""
    for battle in played.battles:
        for warband, side in zip(battle.warbands, battle.result.sides, strict=True):
            yield battle, played.names[warband], side


@every_case
def test_the_table_is_what_the_battles_came_to(played, book):
    score = dict(
        zip(("won", "drew", "lost"), map(int, SCORES.search(book.scoring).groups()), strict=True)
    )
    outcomes = {name: Counter[str]() for name in played.names.values()}
    scored, against = Counter[str](), Counter[str]()
    for battle, name, side in sides(played):
        outcomes[name][side.outcome.value] += 1
        scored[name] += side.victory_points
        against[name] += sum(
            each.victory_points for each in battle.result.sides if each is not side
        )
    for place in book.standings:
        counts = outcomes[place.warband]
        ended = {"won": counts["won"], "drawn": counts["drew"], "lost": counts["lost"]}
        assert {key: place.figures[key] for key in ended} == ended
        assert place.figures["played"] == counts.total()
        assert place.figures["points"] == sum(
            score[outcome] * count for outcome, count in counts.items()
        )
        assert place.figures["victory_points"] == scored[place.warband]
        if len(played.names) == 2:
            assert place.figures["victory_points_against"] == against[place.warband]
    points = [place.figures["points"] for place in book.standings]
    assert points == sorted(points, reverse=True)
    assert len(book.standings) == len(played.names)


@every_case
def test_winner_is_first_in_standings(book):
    first = [place for place in book.standings if place.position == 1]
    assert set(book.verdict.best) == {place.warband for place in first}
    assert book.verdict.points == first[0].figures["points"]
    behind = [place.figures["points"] for place in book.standings if place.position > 1]
    if behind and len(first) == 1:
        assert book.verdict.ahead == first[0].figures["points"] - max(behind)


def test_where_nothing_parts_them_nobody_has_won_alone(shelf):
    content: Any = shelf.case("all-tied").contents["campaign"]
    assert len(content.verdict.best) == 3
    page_text = text(shelf.printed("all-tied", "campaign").pdf)
    assert all(name in page_text for name in content.verdict.best)
    assert "won the campaign" not in page_text


@every_case
def test_days_and_counts_match_battles(played, book):
    days = [battle.fought_on for battle in played.battles]
    assert book.began == min(days)
    assert book.ended in ("", max(days))
    assert [(tale.title, tale.fought_on) for tale in book.battles if tale.title] == [
        (battle.title or tale.title, battle.fought_on)
        for battle, tale in zip(played.battles, book.battles, strict=True)
    ]
    assert book.counts.battles == len(days)
    assert book.counts.warbands == len(played.names)
    assert book.counts.dead == sum(
        fighter.fate is Fate.DEAD for fighter in everybody(played).values()
    )


def tales(
    played: Played, book: CampaignSummary
) -> Iterator[tuple[Fought, SideNarrative, SideResult]]:
    """Yield each side of each battle as the document shows it, with its result."""
    for battle, tale in zip(played.battles, book.battles, strict=True):
        by_warband = {side.warband: side for side in tale.sides}
        for warband, side in zip(battle.warbands, battle.result.sides, strict=True):
            yield battle, by_warband[played.names[warband]], side


@every_case
def test_each_side_has_its_points_with_their_reasons(played, book):
    for _, narrative, side in tales(played, book):
        assert narrative.victory_points == side.victory_points
        assert narrative.outcome.startswith(side.outcome.value[:3])
        if narrative.lines:
            assert sum(line.amount for line in narrative.lines) == side.victory_points
        assert narrative.fielded == len(side.records) == len(narrative.marks)


@every_case
def test_deaths_match_result_sheet_and_memorial(played, book):
    people = everybody(played)
    remembered = {each.at for each in book.memorial}
    for battle, narrative, side in tales(played, book):
        gone = fallen_in(played, battle)
        dead = Counter(people[each.fighter].name for each in side.records if each.fighter in gone)
        assert Counter(each.name for each in narrative.casualties if each.dead) == dead
        assert all(each.harm for each in narrative.fallen)
        assert {each.at for each in narrative.fallen} <= remembered


def fallen_in(played: Played, battle: Fought) -> set[str]:
    """Return the fighters who are dead after a battle's fact and were not before it.

    A die may have saved a fighter who was killed.
    """
    return {
        fighter
        for chronicle in played.chronicles.values()
        for fighter in _fallen(chronicle, battle.id)
    }


def _fallen(chronicle: list[AnyFact], battle: str) -> set[str]:
    place = next(
        (
            n
            for n, fact in enumerate(chronicle)
            if isinstance(fact, FoughtFact) and fact.battle == battle
        ),
        None,
    )
    if place is None:
        return set()
    before, after = (
        {fighter.id for fighter in state.fighters.values() if fighter.fate is Fate.DEAD}
        for state in (
            replay_chronicle(chronicle[:end], find_ruleset).state for end in (place, place + 1)
        )
    )
    return after - before


def hands_on(record: Record, battle: Fought, people: dict[str, FighterState]) -> set[str]:
    """Return the names of those who killed a fighter: the last killer, or else all attackers.

    Without any, return the name that was entered.
    """
    deeds = [
        deed for side in battle.result.sides for deed in side.deeds if deed.victim == record.fighter
    ]
    killing = [deed.fighter for deed in deeds if deed.killed]
    doers = killing[-1:] or [deed.fighter for deed in deeds if deed.fighter != record.fighter]
    return {people[attacker].name for attacker in doers} or {record.killed_by} - {""}


def test_attackers_match_log(shelf):
    """A result sheet keeps deeds; who merely stunned somebody has done none, and is read from the
    log."""
    played = shelf.case("four-sides")
    people = everybody(played)
    hurt = []
    for battle, narrative, side in tales(played, played.contents["campaign"]):
        by = {
            people[record.fighter].name: foes(battle, record.fighter, people)
            for record in side.records
        }
        hurt += [(each, by[each.name]) for each in narrative.casualties if not each.dead]
    assert len(hurt) > 10
    assert any(each.harm == "stunned" and each.by for each, _ in hurt)
    assert all({doer.name for doer in each.by} <= attackers for each, attackers in hurt)
    assert not [each for each, attackers in hurt if attackers and not each.by]


def foes(battle: Fought, fighter: str, people: dict[str, FighterState]) -> set[str]:
    """Return the names of all who wounded or captured a fighter in a battle."""
    struck = [event.data["attacker"] for event in battle.log if event.data.get("victim") == fighter]
    caught = [
        event.data["by"]
        for event in battle.log
        if event.data.get("fighter") == fighter and "by" in event.data
    ]
    return {people[each].name for each in (*struck, *caught)}


@every_case
def test_everybody_who_died_is_remembered_once(played, book):
    dead = Counter(
        (fighter.name, name, fighter.battles, fighter.rank)
        for name, state in states(played).items()
        for fighter in state.fighters.values()
        if fighter.fate is Fate.DEAD
    )
    assert (
        Counter((each.name, each.warband, each.battles, each.rank) for each in book.memorial)
        == dead
    )


@every_case
def test_memorial_has_day_battle_and_killer(played, book):
    people = everybody(played)
    deaths = {
        (people[record.fighter].name, name): (
            battle.fought_on,
            battle.title,
            hands_on(record, battle, people),
        )
        for battle, name, side in sides(played)
        for record in side.records
        if record.fighter in fallen_in(played, battle)
    }
    for each in book.memorial:
        day, title, by = deaths[each.name, each.warband]
        assert (each.fought_on, each.battle or title) == (day, title or each.battle)
        names = {doer.name for doer in each.by}
        assert names == by if by else len(names) <= 1, "what no deed tells stands in the log"
    assert [each.fought_on for each in book.memorial] == sorted(
        each.fought_on for each in book.memorial
    )


@every_case
def test_veterans_have_served_and_earned_what_their_chronicle_says(played, book):
    served = {
        (fighter.name, name): fighter
        for name, state in states(played).items()
        for fighter in state.fighters.values()
    }
    for veteran in book.veterans:
        fighter = served[veteran.name, veteran.warband]
        assert (veteran.rank, veteran.battles, veteran.earned) == (
            fighter.rank,
            fighter.battles,
            fighter.earned,
        )
        assert veteran.profile == fighter.profile_name
        for tally in veteran.tallies:
            assert tally.count in fighter.tallies.values() or tally.count == 0
        assert fighter.fate is not Fate.DEAD


@every_case
def test_rosters_count_living_fighters(played, book):
    for roster in book.rosters:
        living = [each for each in states(played)[roster.name].fighters.values() if not each.gone]
        assert roster.fighters == sum(each.fate is not Fate.CAPTURED for each in living)
        assert sum(len(group.rows) for group in roster.groups) == len(living)


@pytest.mark.parametrize("case", ["long-names-en-garde", "long-names-wards", "nobody-left"])
def test_what_is_printed_is_what_was_counted(shelf, case):
    """The rows of the table, the days, and the points of each side are printed as counted."""
    content: Any = shelf.case(case).contents["campaign"]
    page_text = packed(text(shelf.printed(case, "campaign").pdf))
    for place in content.standings:
        figures = " ".join(str(place.figures[key]) for key in ("played", "won", "drawn", "lost"))
        assert packed(f"{place.player} {figures}") in page_text
    for tale in content.battles:
        year, _, day = tale.fought_on.split("-")
        assert re.search(rf"{int(day)}[A-Z][a-z]+{year}", page_text)
        assert all(packed(side.warband) in page_text for side in tale.sides)


def packed(words: str) -> str:
    """Return words without white space: lines may break anywhere."""
    return "".join(words.split())


@pytest.mark.parametrize("case", ["long-names-en-garde", "nobody-left"])
def test_each_death_is_mentioned_once(shelf, case):
    """With its killer, in an epitaph: the page of the battle has its name alone."""
    content: Any = shelf.case(case).contents["campaign"]
    page_text = packed(text(shelf.printed(case, "campaign").pdf))
    counts = Counter(packed(each.epitaph) for each in content.memorial)
    assert counts
    assert {words: page_text.count(words) for words in counts} == counts
    assert all(each.killer.name in each.epitaph for each in content.memorial if each.killer)


def test_survivors_are_struck_down_not_killed(shelf):
    book = shelf.case("long-names-argad").contents["campaign"]
    survivors = [
        each
        for battle in book.battles
        for side in battle.sides
        for each in side.casualties
        if each.after
    ]
    assert survivors
    assert {(each.harm, each.after) for each in survivors} == {("struck down", "but lived")}


@every_case
def test_filled_marks_of_hits_are_deaths(book):
    for tale in book.battles:
        for side in tale.sides:
            dead = sum(casualty.dead for casualty in side.casualties)
            assert sum(killed for _, killed in side.hits) <= dead, (tale.title, side.warband)


@every_case
def test_strength_by_turn_begins_with_the_line_up(played, book):
    """It ends with those who were neither killed nor out of action, nor had fled."""
    for tale in book.battles:
        for side in tale.sides:
            if not side.strength:
                continue
            assert min(side.strength) >= 0
            assert len(side.strength) - 1 == tale.turns
            if tale.strength_of == "fighters":
                unhurt = sum(mark in ("well", "hurt") for mark in side.marks)
                assert side.strength[0] == side.fielded
                assert side.strength[-1] <= side.fielded
                assert side.strength[-1] >= unhurt - 1


def test_strength_of_turns_without_a_hit_is_that_of_the_turn_before() -> None:
    """A result sheet has only the turns in which somebody was hit."""
    tale = replace(samples.battle(1), turns=6)
    keys = [Side(key="a"), Side(key="b")]
    turns = (TurnTally(2, {"a": 4, "b": 3}), TurnTally(5, {"a": 4, "b": 1}))
    moments = BattleMoments(turns=turns, opening={"a": 5, "b": 3})
    first, second = with_strength(tale, keys, moments).sides
    assert [*first.strength] == [5, 5, 4, 4, 4, 4, 4]
    assert [*second.strength] == [3, 3, 3, 3, 3, 1, 1]
    assert with_strength(tale, keys, replace(moments, turns=turns[:1])) == tale
    bases = with_strength(tale, keys, replace(moments, strength="half-bases"))
    assert bases.sides[0].strength[0] == 2.5
