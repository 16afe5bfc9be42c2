"""Battles in play: exact odds, the replay of a log, a whole battle by the referee. No database."""

from collections import Counter
from functools import partial
from itertools import product
from random import Random

import msgspec

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from rulebook.ruleset import BattleSetup, CampaignTerms, FieldedFighter, FieldedSide, LoggedEvent
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.odds.chances import AttackOdds, attack_outcomes
from rulebook.systems.en_garde.odds.duel import Duellist, equilibrium
from scripts.bench.findings import Finding, at_least_a_second, at_most_times
from scripts.bench.forces import BUILDS, FACTION
from scripts.bench.rules import forgetful
from scripts.bench.timing import side_by_side
from scripts.demo.referees.en_garde import referee

RULES = newest_ruleset("en-garde")
FIGHTERS = 10
EVENTS = 200
SEED = 1648
DICE = range(1, 7)
FRESH_ODDS, CACHED_ODDS, REFEREED = 5_000, 10_000, 100
"""Budgets: so many a second, on one core."""


def playing_findings(turns: int) -> list[Finding]:
    """Return the findings for playing battles and asking for odds."""
    return [*_odds(turns), *_battles(turns)]


def _odds(turns: int) -> list[Finding]:
    attacks = [
        AttackOdds(fight, other, parry=parry, mighty_blow=mighty)
        for fight, other, parry, mighty in product(DICE, DICE, (False, True), (False, True))
    ]
    counted = side_by_side(
        forgetful(partial(_answers, attacks)), partial(_counts, len(attacks)), turns
    )
    answered = side_by_side(partial(_answers, attacks), partial(_counts, len(attacks)), turns)
    duellist, other = Duellist(fight=3, initiative=2), Duellist(fight=4, initiative=1)
    game = side_by_side(
        forgetful(partial(equilibrium, duellist, other, 4, 4)), partial(_counts, 1), turns
    )
    remark = "Every question new; the floor counts all throws of four dice."
    return [
        at_least_a_second(
            "Exact odds of an attack",
            counted,
            len(attacks),
            FRESH_ODDS,
            "counting throws",
            remark,
        ),
        at_least_a_second(
            "The same, asked again", answered, len(attacks), CACHED_ODDS, "counting throws"
        ),
        at_most_times(
            "Equilibrium of two pools of 4",
            game,
            None,
            "counting throws",
            "25 rounds, counted out.",
        ),
    ]


def _answers(attacks: list[AttackOdds]) -> None:
    for attack in attacks:
        attack_outcomes(attack)


def _counts(times: int) -> None:
    """Count all throws of four dice: the minimum that exact odds need."""
    for _ in range(times):
        Counter(map(sum, product(DICE, repeat=4)))


def _battles(turns: int) -> list[Finding]:
    setup = _setup()
    events = referee(setup, Random(SEED))  # noqa: S311 - a battle that can be repeated
    part = events[:EVENTS]
    stored = msgspec.json.encode(part)
    again, asked_again = (
        side_by_side(
            partial(replay, LOG, setup, part, accepted=each), partial(_decode, stored), turns
        )
        for each in (True, False)
    )
    each_again = (
        f"{_each(asked_again.took, len(part))} As an archive's log is, or one behind a correction."
    )
    played, checked = (
        side_by_side(partial(_play, setup, check=each), partial(replay, LOG, setup, events), turns)
        for each in (False, True)
    )
    return [
        at_most_times(
            f"Replay a battle of {len(part)} events",
            again,
            40,
            "decoding",
            _each(again.took, len(part)),
        ),
        at_most_times(
            "The same, each event asked again", asked_again, None, "decoding", each_again
        ),
        at_least_a_second(
            f"Refereed battles of {len(events)} events",
            played,
            1,
            REFEREED,
            "replaying one",
            "Choices, dice and effects. The tests check the events.",
        ),
        at_least_a_second(
            "The same, each event checked", checked, 1, None, "replaying one", "As a player's is."
        ),
    ]


def _each(took: float, events: int) -> str:
    return f"{took / events * 1e6:.0f} µs an event."


def _play(setup: BattleSetup, *, check: bool = False) -> tuple[LoggedEvent, ...]:
    return referee(setup, Random(SEED), check=check)  # noqa: S311 - a battle that can be repeated


def _decode(stored: bytes) -> tuple[LoggedEvent, ...]:
    return msgspec.json.decode(stored, type=tuple[LoggedEvent, ...])


def _setup() -> BattleSetup:
    return BattleSetup("skirmish", (_side("a"), _side("b")))


def _side(key: str) -> FieldedSide:
    terms = CampaignTerms(FACTION)
    builds = [RULES.clean_build(build, terms) for build in BUILDS[:FIGHTERS]]
    all_facts = [RULES.fighter_facts(build, terms) for build in builds]
    fighters = tuple(
        FieldedFighter(
            f"{key}{place}",
            f"{key}{place}",
            build,
            facts.rank,
            facts.points,
            ("leader",) if place == 0 else (),
        )
        for place, (build, facts) in enumerate(zip(builds, all_facts, strict=True))
    )
    return FieldedSide(key, key, "warband", FACTION, fighters)
