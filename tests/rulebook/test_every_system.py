"""Invariants of every rule system in the registry, in battles that its referee plays and in random
ones."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rulebook.battle_log.play import Play, open_play
from rulebook.battle_log.policy import Policy
from rulebook.registry import RULESETS, newest_ruleset
from rulebook.ruleset import BattleSetup
from rulebook.values.problems import Obligation
from tests.playthroughs.corpus import FOLDER
from tests.playthroughs.logs import read_log, read_logs
from tests.rulebook.conformance import (
    check_double_entries,
    check_harm_of_candidates,
    check_obligations,
    check_offers_of_candidates,
    check_offers_of_log,
    check_owed_is_proposed,
    random_play,
    random_sheet,
)
from tests.rulebook.sample_battles import SETUPS, Events, refereed, setup_of

SYSTEMS = pytest.mark.parametrize("key", RULESETS)


def states(key: str, setup: BattleSetup, events: Events) -> list[Play[Any]]:
    """Return the play after each event."""
    plays = [open_play(newest_ruleset(key).log, setup)]
    for event in events:
        plays.append(plays[-1].after(event))
    return plays


def knows_obligations(key: str) -> bool:
    """Return whether the policy of a system defines obligations.

    Argad! has none between two events.
    """
    return type(newest_ruleset(key).log.policy).obligations is not Policy.obligations


def test_systems_of_the_books_have_battles_of_their_own() -> None:
    books = {"en-garde", "argad", "wards", "avant-garde"}
    assert books <= set(SETUPS) <= set(RULESETS)
    assert {key for key in books if not knows_obligations(key)} == {"argad"}


@SYSTEMS
def test_turns_and_battles_wait_for_obligations_in_refereed_battles(key: str) -> None:
    rules = newest_ruleset(key)
    owed = sum(
        check_obligations(rules, play)
        for seed in range(3)
        for play in states(key, *refereed(key, seed))
    )
    assert owed > 0 or not knows_obligations(key)


@SYSTEMS
def test_turns_and_battles_wait_for_obligations_in_random_play(key: str) -> None:
    rules = newest_ruleset(key)
    for seed in range(3):
        setup = setup_of(key, seed)
        for play in states(key, setup, random_play(rules, setup, Random(seed), 40)):
            check_obligations(rules, play)


@SYSTEMS
def test_owed_things_are_proposed_and_can_be_done_in_refereed_battles(key: str) -> None:
    rules, settled = newest_ruleset(key), 0
    for seed in range(2):
        owed: tuple[Obligation, ...] = ()
        for play in states(key, *refereed(key, seed)):
            before, owed = owed, tuple(rules.log.policy.obligations(play.state))
            settled += check_owed_is_proposed(rules, play, Random(seed)) if owed != before else 0
    assert settled > 0 or not knows_obligations(key)


@SYSTEMS
def test_owed_things_are_proposed_and_can_be_done_in_random_play(key: str) -> None:
    rules = newest_ruleset(key)
    for seed in range(4):
        setup = setup_of(key, seed)
        for play in states(key, setup, random_play(rules, setup, Random(seed), 60)):
            check_owed_is_proposed(rules, play, Random(seed))


@SYSTEMS
def test_every_system_has_a_kind_that_starts_turns_and_one_that_ends_battles(key: str) -> None:
    kinds = newest_ruleset(key).log.kinds.values()
    assert any(kind.starts_turn for kind in kinds)
    assert any(kind.ends_battle for kind in kinds)


@SYSTEMS
def test_what_a_referee_logs_is_offered(key: str) -> None:
    for seed in range(3):
        check_offers_of_log(newest_ruleset(key), *refereed(key, seed))


@SYSTEMS
def test_what_kept_logs_hold_is_offered(key: str) -> None:
    for path in sorted((FOLDER / key / "logs").glob("**/*.json")):
        logs = read_logs(path).values() if path.parent.name == "by-hand" else (read_log(path),)
        for log in logs:
            check_offers_of_log(
                newest_ruleset(key), log.setup, log.events, NOT_OFFERED.get(key, ())
            )


@SYSTEMS
def test_whatever_is_legal_turn_by_turn_is_offered(key: str) -> None:
    rules = newest_ruleset(key)
    legal = sum(
        check_offers_of_candidates(rules, *refereed(key, seed), Random(seed)) for seed in range(4)
    )
    assert legal > 40, "too few of the events that were made up are legal"


@SYSTEMS
def test_harm_has_enemy_or_declared_cause(key: str) -> None:
    rules = newest_ruleset(key)
    assert (
        sum(
            check_harm_of_candidates(rules, *refereed(key, seed), Random(seed)) for seed in range(4)
        )
        > 5
    )


@SYSTEMS
def test_nobody_ends_twice_in_refereed_battles(key: str) -> None:
    rules = newest_ruleset(key)
    assert (
        sum(check_double_entries(rules, *refereed(key, seed), Random(seed)) for seed in range(3))
        > 20
    )


@SYSTEMS
def test_nobody_ends_twice_in_result_sheets_filled_in_by_chance(key: str) -> None:
    rules = newest_ruleset(key)
    for seed in range(3):
        setup, luck = setup_of(key, seed), Random(seed)
        assert check_double_entries(rules, setup, random_sheet(rules, setup, luck, 30), luck) > 5


NOT_OFFERED: Mapping[str, tuple[str, ...]] = {"wards": ("refit",)}
"""Kinds that are legal but not offered: units of Wards can refit even with nothing to get back."""
