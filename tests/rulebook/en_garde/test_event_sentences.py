"""Events in sentences: every kind has one, names are used, nothing is invented."""

from random import Random

import pytest

from rulebook.battle_log.kinds import EventKind
from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.log.kinds import LOG
from scripts.demo.referees.en_garde import referee
from scripts.demo.referees.quick_result import quick_result
from tests.rulebook.en_garde.battlefield import SCENARIOS, battle
from tests.rulebook.en_garde.logs import KINDS
from tests.rulebook.en_garde.turns.test_referee import random_battle

NAMES = {
    "a1": "Athos",
    "b1": "Jussac",
    "a": "The Musketeers",
    "b": "The Guard",
    "civilian-1": "Civilian 1",
}


def told(kind: str, **data) -> str:
    return LOG.sentence(LoggedEvent(1, kind, data), NAMES)


def test_every_kind_of_event_has_a_sentence():
    own = {key for key, kind in KINDS.items() if kind.sentence is not EventKind.sentence}
    assert own == set(KINDS) - {"correction"}


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (
            "wound",
            {"attacker": "a1", "victim": "b1", "result": "light"},
            "Athos struck Jussac: a Light wound",
        ),
        (
            "wound",
            {"attacker": "a1", "victim": "b1", "result": "stunned", "means": "shooting"},
            "Athos shot Jussac: Stunned",
        ),
        (
            "wound",
            {"victim": "b1", "result": "critical", "means": "drowning"},
            "Jussac was drowning: a Critical wound",
        ),
        (
            "wound",
            {"attacker": "a1", "victim": "b1", "result": "grievous", "subdue": True},
            "Athos struck Jussac: a Grievous wound (subdued)",
        ),
        ("captured", {"by": "a1", "banner": "b"}, "Athos captured the banner of The Guard"),
        (
            "minor_objective",
            {"side": "a", "rolled": 2, "achieved": False},
            "The Musketeers rolled 2 for its minor objective: Have more fighters than the enemy in "
            "each quarter of the "
            "table, not achieved",
        ),
        ("objective", {}, "Nobody controls the objective"),
        (
            "civilian",
            {"civilian": "civilian-1", "outcome": "taken", "by": "b1"},
            "Civilian 1 was taken away by Jussac",
        ),
        (
            "points",
            {"side": "b", "amount": -2, "reason": "late"},
            "The Guard: -2 victory points, late",
        ),
        (
            "attack",
            {
                "attacker": "a1",
                "target": "b1",
                "ploys": ["feint"],
                "dice": [3, 4],
                "defence_dice": [2],
            },
            "Athos attacks Jussac (feint) [3, 4 – 2]",
        ),
        (
            "move",
            {"fighter": "a1", "inches": 6.0, "contacts": ["b1"]},
            "Athos moves 6″ into contact with Jussac",
        ),
        (
            "move",
            {"fighter": "a1", "inches": 8.0, "overruled": "a road"},
            "Athos moves 8″ (overruled: a road)",
        ),
        (
            "move",
            {
                "fighter": "a1",
                "gait": "short",
                "climbs": 3.0,
                "dexterity": [1, 2],
                "fall_dice": [3, 4],
            },
            "Athos makes a short move, climbs 3″ [1, 2 – 3, 4]",
        ),
        (
            "move",
            {"fighter": "a1", "closes_up": True, "contacts": ["b1"]},
            "Athos closes up to a friend",
        ),
        (
            "scout",
            {"fighter": "a1", "inches": 12.0, "hidden": True},
            "Athos goes 12″ ahead, Hidden",
        ),
        ("duellist", {"fighter": "a1"}, "Athos is the duellist"),
        ("done", {"side": "b"}, "The Guard has finished its Move Phase"),
        ("length", {"die": 5}, "Roll for the end of the battle [5]"),
        (
            "water",
            {"fighter": "a1", "entering": True, "die": 6, "drift": [2, 3], "drowning": 4},
            "Athos enters the river [6 – 2, 3 – 4]",
        ),
        (
            "spell",
            {"magician": "b1", "spell": "summon", "named": "Grim", "dice": [5, 6]},
            "Jussac casts Summon: Grim [5, 6]",
        ),
        ("stun_roll", {"fighter": "summoned-1"}, "Summoned 1 rolls to remove Stunned counters"),
        ("correction", {"event": 3, "reason": "misread"}, "Event 3 is removed: misread"),
    ],
)
def test_event_has_natural_sentence(kind, data, sentence):
    assert told(kind, **data) == sentence


def test_incomplete_event_has_no_sentence():
    assert told("wound", victim="b1") == ""
    assert told("unheard-of") == ""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_quick_event_has_sentence_with_names(scenario):
    setup = battle(scenario)
    names = {
        fighter.id: f"Name of {fighter.id}" for side in setup.sides for fighter in side.fighters
    }
    for event in quick_result(setup, Random(5)):
        assert LOG.sentence(event, names)


def test_every_refereed_event_has_sentence():
    setup = random_battle(11)
    assert all(LOG.sentence(event, {}) for event in referee(setup, Random(11)))
