"""Examples of a classic campaign for the schema."""

from typing import Any

CAMPAIGN = "5d0f8e0c-55a7-4c80-9d5e-2d8a6f6a9b10"
RED = "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21"
BLUE = "4b7a6f10-0a55-4a3c-9a36-75c0e5d1b9a2"
JUSSAC = "2c9a7a0e-12f4-4f8d-9c39-6a4a2f4f5b11"
COMMITMENT = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"

PLAN: dict[str, Any] = {
    "duel": [JUSSAC],
    "capture": ["0b6c1a4e-7f52-4b0e-8f4e-0f5f5b9f3c77"],
    "raid": [],
}
ORDER: dict[str, Any] = {
    "campaign": CAMPAIGN,
    "warband": RED,
    "name": "The Cardinal's Men",
    "state": "sealed",
    "sealed_at": "2030-01-31T20:00:00Z",
    "commitment": COMMITMENT,
    "scenarios": ["duel", "capture", "raid"],
    "least": 75,
    "most": 150,
    "plan": PLAN,
    "text": '{"secret":"…","plan":{"capture":["…"],"duel":["…"],"raid":["…"]}}',
}
_ROW: dict[str, Any] = {
    "enrolment": "7e7a5b0c-0b8e-4d92-8d7f-3f1d2a6c4b55",
    "warband": RED,
    "name": "The Cardinal's Men",
    "colour": "#7a2e2e",
    "player_name": "Bob",
    "state": "sealed",
    "sealed_at": "2030-01-31T20:00:00Z",
    "commitment": COMMITMENT,
    "may_seal": True,
    "plan": [],
    "text": "",
}
CLASSIC: dict[str, Any] = {
    "campaign": CAMPAIGN,
    "scenarios": [
        {"scenario": "duel", "name": "Duel"},
        {"scenario": "capture", "name": "Capture"},
        {"scenario": "raid", "name": "Raid"},
    ],
    "drawn": False,
    "commitment": COMMITMENT,
    "seed": "",
    "lots": [],
    "revealed": False,
    "orders": [
        _ROW,
        {
            **_ROW,
            "enrolment": "1f4f9c36-4d0c-4a5b-b8fd-0f0b7f6b2e10",
            "warband": BLUE,
            "name": "Der schwarze Haufen",
            "colour": "#2e4a7a",
            "player_name": "Alice",
            "state": "awaited",
            "sealed_at": None,
            "commitment": "",
            "may_seal": False,
        },
    ],
    "games": [],
    "games_over": False,
    "musters": [],
    "scores": [
        {"warband": RED, "name": "The Cardinal's Men", "games": [], "final": None, "outcome": None},
        {
            "warband": BLUE,
            "name": "Der schwarze Haufen",
            "games": [],
            "final": None,
            "outcome": None,
        },
    ],
    "verdict": {
        "winner": None,
        "sentence": "The final decides. It has not been played yet.",
        "rule": "Ruling C9",
        "open": True,
        "totals": [],
    },
    "may_plan_final": False,
}


HOME: dict[str, Any] = {
    "enrolment": "7e7a5b0c-0b8e-4d92-8d7f-3f1d2a6c4b55",
    "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
    "name": "The Cardinal's Men",
    "colour": "#7a2e2e",
    "player": "b8bf0f5c-8f4c-4f0e-8c3c-8d9d2d6b0a77",
    "player_name": "Bob",
    "outcome": "",
    "victory_points": None,
    "withdrawn": False,
    "absent": False,
}
AWAY = HOME | {
    "enrolment": "1c1f7a52-88a0-4d41-9a44-54b3d7c00e12",
    "warband": "5f5b7c11-2b64-4c6e-8a61-0c1d0f4b7a90",
    "name": "Der schwarze Haufen",
    "colour": "#2e4a7a",
    "player": "c1ad6a55-3f0d-4f3a-9a25-7d9b1e6f2c33",
    "player_name": "Alice",
}
FIXTURE: dict[str, Any] = {
    "id": "0d7e3c4b-9c52-4a55-9f0c-3f7f2d1b6a10",
    "campaign": CAMPAIGN,
    "round": "a4f5c1d2-6e0b-4b1f-8a37-2f9c5d7e8b01",
    "round_number": 3,
    "round_name": "Round 3",
    "group": "",
    "place": 0,
    "home": HOME,
    "away": AWAY,
    "state": "open",
    "playable": True,
    "overdue": False,
    "undecided": False,
    "deadline": "2030-03-14",
    "battle": None,
    "walkover": "",
    "reason": "",
    "agreed": "",
    "note": "",
    "given_up": False,
    "postponed": "",
    "version": 1,
    "chips": [{"key": "open", "label": "Not played yet"}],
}
LATER: dict[str, Any] = {"deadline": "2030-03-21", "postponed": "The hall is closed.", "version": 1}
ROUND: dict[str, Any] = {
    "id": FIXTURE["round"],
    "campaign": CAMPAIGN,
    "number": 3,
    "name": "Round 3",
    "method": "swiss",
    "method_label": "Swiss",
    "deadline": "2030-03-14",
    "reach": None,
    "version": 1,
    "current": True,
    "open": 1,
    "fixtures": [FIXTURE],
    "ladder": [],
}
OWN: dict[str, Any] = {
    "fixture": FIXTURE,
    "campaign_name": "The Long Winter",
    "own": HOME,
    "opponent": AWAY,
}
TERMS: dict[str, Any] = {"method": "swiss", "deadline": "2030-03-14", "days": 14}
DRAFT: dict[str, Any] = {
    "number": 3,
    "rounds": [
        {
            "fixtures": [
                {
                    "home": HOME["enrolment"],
                    "away": AWAY["enrolment"],
                    "home_from": None,
                    "away_from": None,
                    "of_losers": False,
                    "bye": False,
                    "group": "",
                }
            ],
            "name": "",
        }
    ],
    "deadlines": ["2030-03-14"],
    "names": [""],
    "order": [],
    "warnings": ["Outstanding: 1. They count as nothing yet and stay open."],
    "entrants": {HOME["enrolment"]: HOME["name"], AWAY["enrolment"]: AWAY["name"]},
    "seed": "5f1e0c9a7b3d2e46",
    "fingerprint": "1f0c7a2e9b4d5f6081a2c3d4e5f60718",
}

NIGHT_MEMBER = "5f2a7c10-8d34-4b6e-9a51-0c7d2e4f6a81"
NIGHT_OTHER = "6a3b8d21-9e45-4c7f-8b62-1d8e3f5a7b92"
NIGHT_GAME = "7b4c9e32-0f56-4d80-9c73-2e9f4a6b8ca3"


def _night_side(member: str, name: str, warband: str) -> dict[str, object]:
    return {
        "member": member,
        "name": name,
        "warband": warband,
        "warband_id": None,
        "arrived": True,
        "not_coming": False,
        "loan": "",
        "outcome": "",
        "victory_points": None,
    }


def _night_person(member: str, name: str) -> dict[str, object]:
    return {
        "member": member,
        "name": name,
        "arrived": True,
        "seeks_opponent": False,
        "loan": "",
        "new_guest": False,
    }


NIGHT = {
    "evening": "1c9a4e7b-3d52-4f68-8a07-5b6c7d8e9f10",
    "club": "2d0b5f8c-4e63-4a79-9b18-6c7d8e9f0a21",
    "version": 3,
    "seed": 1,
    "tables": 12,
    "large_tables": 2,
    "published_at": "2030-02-07T18:55:00Z",
    "organises": True,
    "games": [
        {
            "id": NIGHT_GAME,
            "table": 1,
            "large": True,
            "first": _night_side(NIGHT_MEMBER, "Greta", "Fähnlein Eisenhut"),
            "second": _night_side(NIGHT_OTHER, "Pieter", "Pieter's Pikes"),
            "state": "open",
            "fixture": None,
            "campaign": None,
            "campaign_name": "",
            "battle": None,
            "note": "First game",
            "mine": False,
            "against": None,
        }
    ],
    "people": [_night_person(NIGHT_MEMBER, "Greta"), _night_person(NIGHT_OTHER, "Pieter")],
    "waiting": [],
    "absent": [],
    "left_out": [],
    "forbidden_pairs": [],
}

PULSE = {
    "campaign": "3e1c6a9d-5f74-4b8a-8c29-7d8e9f0a1b32",
    "drifting": [
        {
            "member": NIGHT_MEMBER,
            "name": "Greta",
            "warband": "4f2d7bae-6085-4c9b-9d3a-8e9f0a1b2c43",
            "warband_name": "Fähnlein Eisenhut",
            "weeks": 5,
            "last_game": "2030-01-03",
            "open": 2,
            "overdue": 1,
        }
    ],
    "gap": {
        "strongest": "Pieter's Pikes",
        "strongest_points": 320,
        "weakest": "Fähnlein Eisenhut",
        "weakest_points": 200,
        "first": "Pieter's Pikes",
        "lead": 3,
        "spread": 9,
    },
    "dead_games": [],
    "open_games": 4,
    "decided": False,
    "organisers": 1,
    "suggestions": [
        {
            "code": "second-organiser",
            "sentence": "Make a second member an organiser, so that the club does not depend on "
            "one.",
            "url": "/clubs/2d0b5f8c-4e63-4a79-9b18-6c7d8e9f0a21/#members",
        }
    ],
}
