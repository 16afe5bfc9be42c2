"""Examples of a classic campaign for the schema."""

from typing import Any

CAMPAIGN = "5d0f8e0c-55a7-4c80-9d5e-2d8a6f6a9b10"
RED = "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21"
BLUE = "4b7a6f10-0a55-4a3c-9a36-75c0e5d1b9a2"
JUSSAC = "2c9a7a0e-12f4-4f8d-9c39-6a4a2f4f5b11"
COMMITMENT = "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"

PLAN: dict[str, Any] = {"duel": [JUSSAC], "capture": ["0b6c1a4e-7f52-4b0e-8f4e-0f5f5b9f3c77"], "raid": []}
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
        {"warband": BLUE, "name": "Der schwarze Haufen", "games": [], "final": None, "outcome": None},
    ],
    "verdict": {
        "winner": None,
        "sentence": "The final decides, and it has not been fought yet.",
        "rule": "Ruling C9",
        "open": True,
        "totals": [],
    },
    "may_plan_final": False,
}
