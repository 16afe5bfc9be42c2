"""Requests and answers as examples for the schema, cut to what a reader needs; a test holds them to
what they show."""

from typing import Any

Json = dict[str, Any]

BATTLE_ID = "0b5f6d3e-3a0c-4c69-9a53-2f1d7c0e9a11"
CAMPAIGN_ID = "5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10"
GUARD = "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21"
MUSKETEERS = "1f3b9c11-7a0d-4f3c-9d1e-5c0b8f2a7e44"
ATHOS = "2c9a7a0e-12f4-4f8d-9c39-6a4a2f4f5b11"
JUSSAC = "7e7a5b0c-0b8e-4d92-8d7f-3f1d2a6c4b55"
EVENT_ID = "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77"

PLAN: Json = {
    "client_id": "c1f0a5a4-5a0f-4d1b-9d8e-1f2e3d4c5b6a",
    "campaign": CAMPAIGN_ID,
    "scenario": "skirmish",
    "sides": [{"warband": MUSKETEERS, "role": "warband"}, {"warband": GUARD, "role": "side"}],
    "fought_on": "2030-03-07",
    "points_limit": 150,
    "title": "Behind the convent",
}
OPPONENT: Json = {
    "warband": MUSKETEERS,
    "name": "Compagnie du Roi",
    "player": "alice",
    "ruleset": "en-garde",
    "ruleset_name": "En Garde!",
    "points": 219,
    "yours": False,
    "in_campaign": False,
    "reason": "",
}
OPPONENTS: Json = {
    "offered": [OPPONENT],
    "excluded": [
        {
            **OPPONENT,
            "warband": GUARD,
            "name": "The Pikes of Vaux",
            "ruleset": "argad",
            "ruleset_name": "Argad!",
            "points": None,
            "reason": "Uses the rules of Argad!",
        }
    ],
}
LEADER: Json = {
    "key": "leader",
    "name": "Leader",
    "short": "Leader",
    "sign": "star",
    "least": 1,
    "most": 1,
    "open": True,
    "source": "Ruling P26",
}
MORALE: Json = {
    "key": "morale",
    "label": "Morale",
    "value": 7,
    "sentence": "",
    "source": "",
    "brief": False,
}
FORCE: Json = {"fighters": [ATHOS], "posts": {"leader": ATHOS}, "version": 2}
WOUND: Json = {
    "client_id": EVENT_ID,
    "kind": "wound",
    "data": {"attacker": ATHOS, "victim": JUSSAC, "result": "critical", "means": "melee"},
    "turn": 3,
}
REPORT: Json = {
    **PLAN,
    "sides": [
        {"warband": MUSKETEERS, "role": "warband", "fighters": [ATHOS], "posts": {"leader": ATHOS}},
        {"warband": GUARD, "role": "side", "fighters": [JUSSAC]},
    ],
    "events": [WOUND],
    "score": {"a": 3, "b": 1},
}
EVENTS: Json = {"version": 5, "events": [WOUND]}
LOGGED_ROW: Json = WOUND | {"sequence": 1, "version": 6, "recorded_at": "2030-03-07T20:11:00Z"}
LOGGED: Json = {"events": [LOGGED_ROW], "version": 6}
EVENT_LINE: Json = {
    "sequence": 1,
    "kind": "wound",
    "label": "Wound",
    "sentence": "Athos struck Jussac: a Critical wound",
    "details": [
        {"label": "Victim", "value": "Jussac"},
        {"label": "Result", "value": "Critical"},
    ],
    "turn": 3,
    "revision": 0,
    "recorded_by": "alice",
    "recorded_at": "2030-03-07T20:11:00Z",
    "client_id": EVENT_ID,
    "data": WOUND["data"],
}
BADGE: Json = {"key": "submitted", "label": "Submitted"}
SHOWN = {"points": True, "experience": True, "ranks": True, "victory_points": True}
BATTLE_ROW: Json = {
    "id": BATTLE_ID,
    "name": "Behind the convent",
    "ruleset": "en-garde",
    "ruleset_name": "En Garde!",
    "scenario": "skirmish",
    "scenario_name": "Skirmish",
    "campaign": CAMPAIGN_ID,
    "campaign_name": "The Long Winter",
    "state": "submitted",
    "friendly": False,
    "fought_on": "2030-03-07",
    "shown": SHOWN,
    "version": 7,
    "revision": 0,
    "sides": [
        {
            "key": "a",
            "warband": MUSKETEERS,
            "warband_name": "The Inseparables",
            "role": "warband",
            "outcome": "",
            "victory_points": 0,
        }
    ],
    "chips": [BADGE],
}
AWARD: Json = {
    "amount": 1,
    "code": "survived",
    "sentence": "Survived the battle.",
    "rule": 'Rule book: "Progression"',
}
SCORE_LINE: Json = {
    "points": 4,
    "sentence": "Jussac killed: Rank 4.",
    "rule": 'Rule book: "Victory Points"',
    "code": "kill",
}
TALLIES = [
    {
        "key": "wounds_dealt",
        "label": "Wounds dealt",
        "short": "W",
        "one": "wound dealt",
        "many": "wounds dealt",
    },
    {"key": "kills", "label": "Kills", "short": "K", "one": "kill", "many": "kills"},
]
COMBATANT: Json = {
    "fighter": ATHOS,
    "name": "Athos",
    "profile_name": "Athos",
    "rank": 5,
    "points": 47,
    "posts": [LEADER],
    "fate": "fit",
    "missed_games": 0,
    "wounds": "light",
    "wounds_phrase": "Light wound",
    "end_phrase": "",
    "survived": True,
    "routed": False,
    "captured": False,
    "killed_by": "",
    "recovery_roll": None,
    "tallies": [{**tally, "count": 1} for tally in TALLIES],
    "experience": 1,
    "awards": [AWARD],
    "condition_before": [],
    "condition_after": [],
    "carried_before": {},
    "carried_after": {},
    "losses": [],
    "losses_phrase": "",
    "group": "",
}
SIDE: Json = {
    "key": "a",
    "role": "warband",
    "role_name": "Side",
    "warband": MUSKETEERS,
    "warband_name": "The Inseparables",
    "faction": "three-musketeers",
    "faction_name": "The Three Musketeers",
    "player": "Alice",
    "colour": "#2e4a7a",
    "points": 47,
    "figures": [MORALE],
    "outcome": "won",
    "victory_points": 4,
    "score": [SCORE_LINE],
    "verdict": "confirmed",
    "dispute": "",
    "decided_by": "alice",
    "decided_at": "2030-03-07T22:30:00Z",
    "combatants": [COMBATANT],
    "substitute": "",
}
BATTLE: Json = {
    "id": BATTLE_ID,
    "name": "Behind the convent",
    "title": "Behind the convent",
    "story": "They met at noon, and the guards came at five past.",
    "ruleset": "en-garde",
    "ruleset_name": "En Garde!",
    "edition": "1",
    "words": {
        "fighter": "fighter",
        "fighters": "fighters",
        "warband": "warband",
        "warbands": "warbands",
        "rank": "Rank",
        "step": "rank-up",
        "steps": "rank-ups",
        "lost": "dead",
        "group": "group",
        "groups": "groups",
        "harmed": "the fallen and the hurt",
        "unharmed": "unhurt",
    },
    "scenario": "skirmish",
    "scenario_name": "Skirmish",
    "campaign": CAMPAIGN_ID,
    "campaign_name": "The Long Winter",
    "state": "submitted",
    "chips": [BADGE],
    "friendly": False,
    "fought_on": "2030-03-07",
    "place_in_day": "2030-03-07T19:30:00Z",
    "points_limit": 150,
    "set_up": {},
    "verdict": "The Inseparables win by 4 victory points to 0.",
    "shown": SHOWN,
    "tallies": TALLIES,
    "turns": 8,
    "winner": "a",
    "decision": "",
    "version": 7,
    "revision": 0,
    "created_by": "alice",
    "created_at": "2030-03-07T19:00:00Z",
    "submitted_by": "alice",
    "submitted_at": "2030-03-07T22:30:00Z",
    "confirmed_at": None,
    "problems": [],
    "sides": [SIDE],
    "log": [EVENT_LINE],
    "revisions": [],
    "disputes": [],
    "standing": "",
    "doors": {
        "may_log": True,
        "may_decide": False,
        "sides": ["a"],
        "actions": ["describe", "reopen", "dispute"],
        "line_ups": [],
        "substitutes": ["a"],
    },
    "card": {
        "steps": [
            {"key": "planned", "label": "Planned", "state": "done"},
            {"key": "fielded", "label": "Fielded", "state": "done"},
            {"key": "set-up", "label": "Set up", "state": "done"},
            {"key": "playing", "label": "Played", "state": "done"},
            {"key": "confirm", "label": "Confirmed", "state": "now"},
        ],
        "next": {
            "action": "confirm",
            "label": "Confirm for The Inseparables",
            "side": "a",
            "for_others": False,
        },
        "instead": None,
        "waits_for": "It waits for The Red Guards to confirm it.",
        "missing": [],
        "may_count_in": None,
        "may_count_in_name": "",
        "set_up_open": False,
    },
}
WARNING: Json = {
    "code": "uneven-forces",
    "sentence": "Skirmish is for forces of 1 to 1 (Wolves, Crows). These have 47 to 61 points.",
    "severity": "warns",
    "fighters": [],
    "field": "points",
    "value": "",
    "source": "Ruling S1",
}
SIDE_FIELDED: Json = {"warnings": [WARNING], "battle": BATTLE}
CONFIRMATION_PREVIEW: Json = {
    "verdict": BATTLE["verdict"],
    "friendly": False,
    "sides": [
        {
            "key": "a",
            "warband": MUSKETEERS,
            "warband_name": "The Inseparables",
            "outcome": "won",
            "victory_points": 4,
            "score": [SCORE_LINE],
            "fighters": [
                {
                    "fighter": ATHOS,
                    "name": "Athos",
                    "rank": 5,
                    "fate_before": "fit",
                    "fate_after": "fit",
                    "misses": 0,
                    "wounds": "light",
                    "wounds_phrase": "Light wound",
                    "die": False,
                    "experience_before": 2,
                    "experience_after": 3,
                    "awards": [AWARD],
                    "may_rank_up": False,
                    "condition_after": [],
                    "losses": [],
                    "losses_phrase": "",
                }
            ],
            "problems": [],
        }
    ],
}
SHEET_PREVIEW: Json = {"preview": CONFIRMATION_PREVIEW, "problems": [], "ended": False}
CORRECTION: Json = {
    "version": 9,
    "events": [
        {
            "client_id": "3d0f6a52-1f6e-4c3e-8f60-0a9d7b1c2e33",
            "kind": "correction",
            "data": {
                "event": 1,
                "reason": "Jussac was only wounded.",
                "kind": "wound",
                "data": WOUND["data"],
            },
        }
    ],
    "reason": "The sheet was misread.",
    "undo": [{"warband": MUSKETEERS, "sequence": 14}],
}
DIFFERENCE: Json = {
    "verdict_before": BATTLE["verdict"],
    "verdict_after": "A draw: 0 victory points each.",
    "campaign_before": "",
    "campaign_after": "",
    "changes": [],
    "day_before": "",
    "day_after": "",
    "sides": [
        {
            "side": "a",
            "warband": MUSKETEERS,
            "name": "The Inseparables",
            "outcome_before": "won",
            "outcome_after": "drew",
            "victory_points_before": 4,
            "victory_points_after": 0,
        }
    ],
    "fighters": [
        {
            "warband": GUARD,
            "warband_name": "The Cardinal's Men",
            "fighter": JUSSAC,
            "name": "Jussac",
            "experience_before": 0,
            "experience_after": 1,
            "fate_before": "dead",
            "fate_after": "fit",
            "rank_before": 4,
            "rank_after": 4,
            "points_before": 24,
            "points_after": 24,
            "condition_before": [],
            "condition_after": [],
        }
    ],
    "table": [
        {
            "warband": MUSKETEERS,
            "name": "The Inseparables",
            "position_before": 1,
            "position_after": 2,
            "points_before": 3,
            "points_after": 1,
            "victory_point_difference_before": 4,
            "victory_point_difference_after": 0,
        }
    ],
    "conflicts": [
        {
            "warband": MUSKETEERS,
            "warband_name": "The Inseparables",
            "sequence": 14,
            "kind": "ranked-up",
            "code": "unaffordable-rank-up",
            "sentence": "Planchet has 2 experience; Servant of Rank 2 costs 3.",
            "fighter": ATHOS,
            "fighter_name": "Planchet",
            "answer": "undo",
            "may_be_undone": True,
            "title": "",
        }
    ],
    "fixtures": [
        {
            "fixture": "6e1d4b0a-8f3c-4a27-9d5e-1c7b2a9f0e44",
            "round": "d7a9c1e2-3b4f-4f60-8a1d-5e6f7a8b9c01",
            "round_name": "Final",
            "effect": "stays",
            "sentence": "The Inseparables v. The Grey Company was played. It stays between those "
            "who played it. By the "
            "results of now The Inseparables has not earned the place: The Cardinal's Men has.",
            "battle_voided": None,
            "walkover_withdrawn": False,
        }
    ],
}
REVISION: Json = {
    "number": 1,
    "reason": "The sheet was misread.",
    "made_by": "alice",
    "made_at": "2030-03-09T18:00:00Z",
    "difference": DIFFERENCE,
}

DICE: Json = {
    "battle": "0d5c8a52-0c5e-4a53-9a39-6f4c6a0f3a10",
    "commitment": "8a6f2c0d1be74c0f9a5a1c3e7b9d2f4e6a8c0b2d4f6e8a0c2b4d6f8e0a2c4b6d",
    "seed": None,
    "throws": [
        {"event": 0, "first": 1, "dice": [4, 2], "faces": [6, 3]},
        {"event": 3, "first": 3, "dice": [5, 6], "faces": [6, 6]},
    ],
    "recovery": [],
    "typed": [7],
    "corrected": [],
    "asides": [],
}

STATE: Json = {
    "turn": 2,
    "priority": "a",
    "ended": False,
    "sides": [
        {
            "key": "a",
            "name": "The Musketeers",
            "morale": "steady",
            "strength": 5,
            "victory_points": 3,
        }
    ],
    "fighters": [
        {
            "name": "Athos",
            "side": "a",
            "wound": "light",
            "stunned": 0,
            "contacts": [],
            "acted": True,
        }
    ],
    "counters": {},
    "overruled": [],
}

SECRETS = {
    "secrets": [
        {
            "side": "a",
            "what": "Minor objective",
            "die": 3,
            "sentence": "Kill the enemy Leader",
            "rule": "Ruling S4",
            "purpose": "objective a",
        }
    ]
}
ODDS: Json = {
    "headline": "Matchlock hits in 5/12 (41.7%) of all cases, and wounds in 5/12 (41.7%).",
    "calculator": "shot",
    "name": "Odds of a shot",
    "source": 'Rule book: "Shooting procedure"',
    "asked": {"inches": 14.0, "cover": "none"},
    "outcomes": {
        "miss": "7/12",
        "scratch": "0",
        "stunned": "0",
        "light": "1/4",
        "grievous": "5/36",
        "critical": "1/36",
    },
    "percentages": {
        "miss": 58.3,
        "scratch": 0.0,
        "stunned": 0.0,
        "light": 25.0,
        "grievous": 13.9,
        "critical": 2.8,
    },
    "tables": [],
    "figures": [],
    "sums": [
        {
            "title": "Added to two dice for the Hit Score",
            "lines": [
                {
                    "amount": 1,
                    "reason": "Current Shoot",
                    "rule": 'Rule book: "Shooting procedure"',
                },
                {"amount": -1, "reason": 'Range 14"', "rule": "Ruling B10"},
                {
                    "amount": -6,
                    "reason": "Taken off every Shooting Attack Roll",
                    "rule": 'Rule book: "Shooting procedure"',
                },
            ],
            "total": -6,
        }
    ],
    "grids": [],
    "rolled": [],
    "forbidden": [],
    "assumptions": ["Both fighters are as in the log, in turn 2."],
}
