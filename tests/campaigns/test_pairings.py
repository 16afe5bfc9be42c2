"""Properties of pairings for any number of entrants."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from campaigns.pairings.draft import DraftFixture, DraftRound
from campaigns.pairings.knockout import bracket, knockout, seeds_of_groups
from campaigns.pairings.ladder import climbed, within_reach
from campaigns.pairings.round_robin import group_stage, latecomer, met, round_robin, snake
from campaigns.pairings.swiss import Record, swiss_round

settings.register_profile("pairings", settings.get_profile("muster"), max_examples=40)
EXAMPLES = settings.get_profile("pairings")


def entrants(number: int) -> list[str]:
    return [f"e{place:02}" for place in range(number)]


def players(draft_round: DraftRound) -> list[str]:
    return [
        each for fixture in draft_round.fixtures for each in (fixture.home, fixture.away) if each
    ]


def byes(rounds: Sequence[DraftRound]) -> Counter[str]:
    return Counter(fixture.home for each in rounds for fixture in each.fixtures if fixture.bye)


def pairs(rounds: Sequence[DraftRound]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset((each.home, each.away))
        for draft_round in rounds
        for each in draft_round.fixtures
        if not each.bye
    )


@pytest.mark.parametrize("number", range(2, 20))
@pytest.mark.parametrize("legs", [1, 2])
def test_in_a_round_robin_everybody_plays_everybody_once_a_leg_and_rests_as_often(
    number: int, legs: int
) -> None:
    rounds = round_robin(entrants(number), legs=legs)
    assert len(rounds) == legs * (number - 1 + number % 2)
    for each in rounds:
        assert sorted(players(each)) == entrants(number), (
            "nobody twice in a round, and nobody is forgotten"
        )
    assert pairs(rounds) == {frozenset(two): legs for two in combinations(entrants(number), 2)}
    assert byes(rounds) == (dict.fromkeys(entrants(number), legs) if number % 2 else {})
    at_home = Counter(
        each.home for draft_round in rounds for each in draft_round.fixtures if not each.bye
    )
    spread = [at_home[each] - (number - 1) * legs / 2 for each in entrants(number)]
    assert max(map(abs, spread)) <= (1 if legs == 1 else 0), (
        "everybody is named first as often as second"
    )


@EXAMPLES
@given(number=some.integers(2, 26), groups=some.integers(1, 8))
def test_groups_are_dealt_in_snake_order_and_play_among_themselves(
    number: int, groups: int
) -> None:
    groups = min(groups, number // 2)
    dealt = snake(entrants(number), groups)
    assert sorted(each for group in dealt for each in group) == entrants(number)
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    seeds = [
        sum(entrants(number).index(each) for each in group[: number // groups]) for group in dealt
    ]
    assert max(seeds) - min(seeds) <= number, "no group is much stronger than another"
    rounds = group_stage(entrants(number), groups)
    assert set(pairs(rounds)) == {
        frozenset(two) for group in dealt for two in combinations(group, 2)
    }
    for each in rounds:
        assert max(Counter(players(each)).values()) == 1
        assert all(fixture.group for fixture in each.fixtures)


def played(order: Sequence[str], rounds: int, wins: Sequence[bool]) -> list[DraftRound]:
    """Return a Swiss season in which the first of each pair wins as given; a bye counts as a
    draw.
    """
    records = {each: Record() for each in order}
    made = []
    for number in range(rounds):
        best_first = sorted(order, key=lambda each: (-records[each].points, each))
        draft_round = swiss_round(best_first, records)
        made.append(draft_round)
        for place, fixture in enumerate(draft_round.fixtures):
            records = after(records, fixture, wins[(number * 7 + place) % len(wins)])
    return made


def after(records: dict[str, Record], fixture: DraftFixture, first_wins: bool) -> dict[str, Record]:
    home = records[fixture.home]
    if fixture.bye:
        return records | {
            fixture.home: Record(home.points + 1, home.byes + 1, home.at_home, home.met)
        }
    away = records[fixture.away]
    return records | {
        fixture.home: Record(
            home.points + 3 * first_wins, home.byes, home.at_home + 1,
            {**home.met, fixture.away: home.met.get(fixture.away, 0) + 1},
        ),
        fixture.away: Record(
            away.points + 3 * (not first_wins), away.byes, away.at_home,
            {**away.met, fixture.home: away.met.get(fixture.home, 0) + 1},
        ),
    }  # fmt: skip


@EXAMPLES
@given(
    number=some.integers(2, 11),
    rounds=some.integers(1, 6),
    wins=some.lists(some.booleans(), min_size=3),
)
def test_in_a_swiss_season_nobody_meets_twice_until_it_cannot_be_helped_and_byes_are_fair(
    number: int, rounds: int, wins: list[bool]
) -> None:
    made = played(entrants(number), rounds, wins)
    pair_counts: Counter[frozenset[str]] = Counter()
    for place, each in enumerate(made):
        assert sorted(players(each)) == entrants(number)
        had = byes(made[:place])
        for lucky in byes([each]):
            assert had[lucky] == min(had[entrant] for entrant in entrants(number)), (
                "nobody rests twice before all have once"
            )
        again = [two for two in pairs([each]) if pair_counts[two]]
        assert not again or not can_be_paired_anew(number, pair_counts, had), (
            "a pairing is repeated only if it must be"
        )
        pair_counts += pairs([each])


def can_be_paired_anew(
    number: int, pair_counts: Counter[frozenset[str]], had: Counter[str]
) -> bool:
    """Return whether a round without repeated pairs exists, with a bye for one who had the
    fewest.
    """
    least = min(had[entrant] for entrant in entrants(number))
    resting = (
        [entrant for entrant in entrants(number) if had[entrant] == least] if number % 2 else [None]
    )
    return any(
        whole_matching([each for each in entrants(number) if each != bye], pair_counts)
        for bye in resting
    )


def whole_matching(names: list[str], pair_counts: Counter[frozenset[str]]) -> bool:
    graph: Any = networkx.Graph(
        [two for two in combinations(names, 2) if not pair_counts[frozenset(two)]]
    )
    return len(networkx.max_weight_matching(graph, maxcardinality=True)) * 2 == len(names)


def test_a_swiss_round_pairs_equal_points_the_upper_half_against_the_lower() -> None:
    opening = swiss_round(entrants(8), {})
    assert [(each.home, each.away) for each in opening.fixtures] == [
        ("e00", "e04"), ("e01", "e05"), ("e02", "e06"), ("e03", "e07"),
    ]  # fmt: skip
    records = {each: Record(points=3 if place < 4 else 0) for place, each in enumerate(entrants(8))}
    second = swiss_round(entrants(8), records)
    assert [(each.home, each.away) for each in second.fixtures] == [
        ("e00", "e02"), ("e01", "e03"), ("e04", "e06"), ("e05", "e07"),
    ]  # fmt: skip


def test_the_bye_of_a_swiss_round_goes_to_the_lowest_who_had_none_and_the_first_place_to_who_had_it_less() -> (
    None
):
    records = {"e04": Record(byes=1), "e00": Record(points=3, at_home=1), "e01": Record(points=3)}
    draft_round = swiss_round(entrants(5), records)
    assert (draft_round.fixtures[0].home, draft_round.fixtures[0].away) == ("e01", "e00")
    assert byes([draft_round]) == {"e03": 1}
    assert draft_round.fixtures[-1].bye, "byes stand last"


def test_a_swiss_round_of_many_is_made_while_one_waits() -> None:
    order = entrants(64)
    made = played(order, 3, [True, False, True])
    assert not [two for two, times in pairs(made).items() if times > 1]


@pytest.mark.parametrize("number", range(2, 34))
def test_a_knockout_ends_with_one_and_gives_its_byes_to_the_best(number: int) -> None:
    rounds = knockout(entrants(number), third_place=True)
    assert sorted(players(rounds[0])) == entrants(number)
    size = 2 * len(rounds[0].fixtures)
    assert size // 2 < number <= size
    assert sorted(byes(rounds)) == entrants(number)[: size - number]
    assert [len(each.fixtures) for each in rounds[1:-1]] == [
        size // 4 // 2**place for place in range(len(rounds) - 2)
    ]
    final = rounds[-1]
    assert final.name == ("Final and third place" if number > 2 else "Final")
    assert [each.of_losers for each in final.fixtures] == ([False, True] if number > 2 else [False])
    best_wins = {seed: place for place, seed in enumerate(entrants(number))}
    winners: dict[tuple[int, int], str] = {}
    for turn, each in enumerate(rounds):
        for place, fixture in enumerate(each.fixtures):
            if fixture.of_losers:
                continue
            pair = [fixture.home or winners[fixture.home_from or (0, 0)]]
            pair += [] if fixture.bye else [fixture.away or winners[fixture.away_from or (0, 0)]]
            winners[turn, place] = min(pair, key=best_wins.__getitem__)
            if turn == len(rounds) - 1:
                assert sorted(pair) == entrants(2), "the two best meet in the final"


@EXAMPLES
@given(groups=some.integers(2, 6), first=some.integers(1, 3))
def test_knockout_after_groups_separates_group_members(groups: int, first: int) -> None:
    tables = [[f"{group}{place}" for place in range(first)] for group in range(groups)]
    seeds = seeds_of_groups(tables)
    assert sorted(seeds) == sorted(each for table in tables for each in table)
    assert [each[-1] for each in seeds] == sorted(each[-1] for each in seeds), (
        "winners before seconds before thirds"
    )
    clashes = [two for two in bracket(seeds) if two[1] and two[0][0] == two[1][0]]
    assert not clashes


def test_on_a_ladder_the_winner_takes_the_place_and_those_between_go_down() -> None:
    order = climbed(["a", "b", "c", "d"], [("c", "a"), ("c", "b"), ("d", "a"), ("e", "b")])
    assert order == ("c", "d", "a", "e", "b")
    assert within_reach(order, "e", 2) == ("d", "a")
    assert within_reach(order, "c", 2) == ()
    assert within_reach(order, "nobody", 2) == ()


@EXAMPLES
@given(number=some.integers(3, 12), begun=some.integers(0, 12))
def test_who_comes_late_to_a_round_robin_plays_everybody_once_and_first_those_who_rest(
    number: int, begun: int
) -> None:
    rounds = round_robin(entrants(number))
    still_open = {place: set(byes([each])) for place, each in enumerate(rounds) if place >= begun}
    extra = latecomer("late", entrants(number), still_open)
    assert sorted(opponent for _, opponent in extra) == (entrants(number) if still_open else [])
    for place, resting in still_open.items():
        opponents = [opponent for turn, opponent in extra if turn == place]
        assert resting <= set(opponents), "who would rest plays the newcomer"
        assert len(opponents) <= -(-number // len(still_open))
    assert met(rounds[0].fixtures) == set(pairs(rounds[:1]))


@EXAMPLES
@given(
    number=some.integers(3, 9),
    attendance=some.lists(some.sets(some.integers(0, 11), min_size=2), min_size=1, max_size=6),
    wins=some.lists(some.booleans(), min_size=3),
)
def test_in_a_swiss_season_of_people_who_come_and_go_everybody_there_plays_or_rests_once(
    number: int, attendance: list[set[int]], wins: list[bool]
) -> None:
    records: dict[str, Record] = {}
    for turn, present in enumerate(attendance):
        order = [
            f"e{place:02}" for place in present if place < number + turn
        ]  # others have not come yet
        if len(order) < 2:
            continue
        records |= {each: Record() for each in order if each not in records}
        order.sort(key=lambda each: (-records[each].points, each))
        draft_round = swiss_round(order, records)
        assert sorted(players(draft_round)) == sorted(order)
        assert all(each.home != each.away for each in draft_round.fixtures)
        resting = byes([draft_round])
        assert sum(resting.values()) == len(order) % 2
        for lucky in resting:
            assert records[lucky].byes == min(records[each].byes for each in order), (
                "who had fewer byes rests first"
            )
        for place, fixture in enumerate(draft_round.fixtures):
            records = after(records, fixture, wins[(turn * 5 + place) % len(wins)])
    total = sum(record.points for record in records.values())
    met = sum(sum(record.met.values()) for record in records.values())
    assert total == 3 * met // 2 + sum(record.byes for record in records.values()), (
        "points fit games and byes"
    )


@EXAMPLES
@given(
    number=some.integers(2, 20),
    results=some.lists(some.sampled_from(["first", "second", "nobody"]), min_size=3, max_size=9),
)
def test_knockout_leaves_one_undefeated(number: int, results: list[str]) -> None:
    rounds = knockout(entrants(number))
    winners: dict[tuple[int, int], str] = {}
    out: Counter[str] = Counter()
    for turn, draft_round in enumerate(rounds):
        playing: Counter[str] = Counter()
        for place, fixture in enumerate(draft_round.fixtures):
            pair = [fixture.home or winners.get(fixture.home_from or (0, 0), "")]
            pair += (
                []
                if fixture.bye
                else [fixture.away or winners.get(fixture.away_from or (0, 0), "")]
            )
            playing.update(each for each in pair if each)
            present = [each for each in pair if each]
            ended = results[(turn * 3 + place) % len(results)] if len(present) == 2 else "first"
            through = {"first": present[:1], "second": present[1:], "nobody": []}[ended]
            winners[turn, place] = through[0] if through else ""
            out.update(each for each in present if each not in through)
        assert max(playing.values(), default=0) <= 1, "nobody twice in a round"
    champion = winners[len(rounds) - 1, 0]
    assert set(out.values()) <= {1} and champion not in out
    assert len(out) + bool(champion) == number


@EXAMPLES
@given(
    number=some.integers(2, 8),
    battles=some.lists(
        some.tuples(some.integers(0, 9), some.integers(0, 9)).filter(lambda two: two[0] != two[1])
    ),
)
def test_on_a_ladder_everybody_stands_once_and_the_winner_not_below_the_loser(
    number: int, battles: list[tuple[int, int]]
) -> None:
    order, won = (
        tuple(entrants(number)),
        [(f"e{winner:02}", f"e{other:02}") for winner, other in battles],
    )
    for turn, (winner, loser) in enumerate(won):
        before, ladder = climbed(order, won[:turn]), climbed(order, won[: turn + 1])
        assert len(set(ladder)) == len(ladder) and {*ladder} == {*before, winner, loser}
        assert ladder.index(winner) < ladder.index(loser)
        others = [each for each in before if each not in (winner, loser)]
        assert others == [each for each in ladder if each not in (winner, loser)], (
            "nobody else changes places"
        )


@EXAMPLES
@given(
    number=some.integers(3, 9),
    begun=some.integers(0, 8),
    late=some.integers(1, 3),
    left=some.sets(some.integers(0, 8)),
)
def test_several_who_come_late_to_a_round_robin_play_everybody_there_once(
    number: int, begun: int, late: int, left: set[int]
) -> None:
    rounds = round_robin(entrants(number))
    present = [each for place, each in enumerate(entrants(number)) if place not in left]
    resting = {
        place: {*byes([each])} & {*present} for place, each in enumerate(rounds) if place >= begun
    }
    for turn in range(late):
        newcomer = f"late{turn}"
        extra = latecomer(newcomer, present, resting)
        assert sorted(opponent for _, opponent in extra) == (sorted(present) if resting else [])
        assert newcomer not in {opponent for _, opponent in extra}
        for place, opponent in extra:
            resting[place] = resting[place] - {opponent}
        present.append(newcomer)
