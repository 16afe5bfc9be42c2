"""Requests and answers of campaigns as examples for the schema."""

from typing import Any

CAMPAIGN: dict[str, Any] = {
    "id": "5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10",
    "club": "3f0c2c7e-4c8e-4a39-9d53-0b1f6a1d2e11",
    "name": "The Long Winter",
    "ruleset": "en-garde",
    "edition": "1",
    "format": "linked",
    "state": "planned",
    "points": 300,
    "games": 6,
    "visibility": "private",
    "organises": True,
    "warbands": 4,
    "created_at": "2030-01-31T20:00:00Z",
    "started_at": None,
    "finished_at": None,
    "reopened_at": None,
    "follows": None,
    "version": 1,
}
SCORING: dict[str, Any] = {
    "win": 3,
    "draw": 1,
    "loss": 0,
    "margin": 0,
    "clear_win": 0,
    "bye": 1,
    "tie_breakers": ["difference", "victory-points", "head-to-head", "won"],
}
CAMPAIGN_IN_FULL = CAMPAIGN | {
    "story": "",
    "house_rules": {"legality": "warn"},
    "scoring": SCORING,
    "followed_by": None,
}
HOUSE_RULE: dict[str, Any] = {
    "key": "legality",
    "label": "Rosters that break a rule",
    "help": "Forbid: fix the roster before you enter the warband or use it in a battle. Warn: "
    "everyone sees the problems, and you can play.",
    "kind": "choice",
    "choices": [["strict", "Forbid"], ["warn", "Warn"]],
    "least": None,
    "most": None,
    "default": "strict",
    "value": "warn",
    "shown": "Warn",
    "changed": True,
    "book": False,
    "source": "",
}
PLAN: dict[str, Any] = {
    "club": CAMPAIGN["club"],
    "name": "The Long Winter",
    "ruleset": "en-garde",
    "points": 300,
    "games": 6,
    "house_rules": {"legality": "warn"},
    "scoring": SCORING,
}
PREVIEW: dict[str, Any] = {
    "settings": [
        {
            "key": "prices",
            "label": "List prices",
            "before": "Corrected",
            "after": "As printed",
        }
    ],
    "warbands": [
        {
            "warband": "9d1c7a52-6f0e-4f0b-8d25-1c8f9f0c7d21",
            "name": "The Cardinal's Men",
            "points_before": 298,
            "points_after": 290,
            "fighters": [
                {
                    "fighter": "2c9a7a0e-12f4-4f8d-9c39-6a4a2f4f5b11",
                    "name": "Officer 1",
                    "points_before": 18,
                    "points_after": 16,
                }
            ],
            "problems": [],
        }
    ],
}
EVENING: dict[str, Any] = {
    "id": "7f0d1f3c-25a4-4a3a-9a65-0a9a9f1c1b10",
    "club": CAMPAIGN["club"],
    "club_name": "The Old Guard",
    "starts_at": "2030-02-07T19:00:00+00:00",
    "ends_at": "2030-02-07T23:00:00+00:00",
    "time_zone": "Europe/London",
    "place": "The Three Tuns",
    "note": "Bring your own terrain.",
    "cancelled": False,
    "reason": "",
    "over": False,
    "version": 1,
    "series": "0b7a5f0e-51c6-4d8e-9a53-0c2f6f6f9d27",
    "coming": 1,
    "perhaps": 0,
    "answers": [
        {
            "member": "b1c7f0a6-6f8c-4f3e-8c67-0f6f3c1f2a21",
            "name": "Alice",
            "answer": "coming",
            "has_account": True,
            "by_organiser": False,
        }
    ],
    "mine": "coming",
    "may_answer": True,
    "organises": True,
    "guests": [],
    "owed": [],
    "published": False,
    "opponent": "",
    "table": None,
    "fixture": None,
    "game": None,
    "battle": None,
    "game_state": "",
    "may_report": False,
    "mine_by_organiser": False,
    "arrived": False,
    "may_check_in": False,
    "seeking": [],
}
CALENDAR: dict[str, Any] = {
    "since": "2030-02-01",
    "until": "2030-02-28",
    "entries": [
        {
            "kind": "evening",
            "id": EVENING["id"],
            "title": "The Old Guard",
            "day": "2030-02-07",
            "last_day": "2030-02-07",
            "starts_at": "2030-02-07T19:00:00+00:00",
            "ends_at": "2030-02-07T23:00:00+00:00",
            "place": "The Three Tuns",
            "note": "Bring your own terrain.",
            "club_name": "The Old Guard",
            "campaign": None,
            "campaign_name": "",
            "cancelled": False,
            "version": 1,
            "changed_at": "2030-01-31T20:00:00Z",
            "coming": 1,
            "mine": "coming",
            "state": "",
        }
    ],
}
