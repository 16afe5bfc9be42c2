"""Answers as examples for the schema, cut to what a reader needs; a test holds them to the
structures they show."""

from typing import Any

Json = dict[str, Any]

NUMBERS = 'Rule book: "Characteristics"'
WORDS: Json = {
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
}
RULESET: Json = {
    "key": "en-garde",
    "name": "En Garde!",
    "edition": "2026.1",
    "words": WORDS,
    "factions": ["landsknechts", "conquistadors", "aztecs"],
}
CATALOGUE: Json = {
    "key": "en-garde",
    "name": "En Garde!",
    "edition": "2026.1",
    "words": WORDS,
    "length": {"one": "inch", "many": "inches", "sign": "″"},
    "columns": [{"key": "combat_pool", "label": "Combat Pool", "short": "CP", "also": []}],
    "tallies": [{"key": "kills", "label": "Kills", "short": "K", "one": "kill", "many": "kills"}],
    "house_rules": [],
    "scenarios": [],
    "event_kinds": [],
    "build_fields": [
        {
            "faction": "landsknechts",
            "profile": "landsknecht",
            "label": "Landsknecht",
            "build": {"profile": "landsknechts/landsknecht"},
            "fields": [
                {
                    "key": "options.exchange-pike",
                    "label": "Instead of pike",
                    "kind": "picks",
                    "required": False,
                    "choices": [
                        ["", "Keep current"],
                        ["matchlock", "Matchlock"],
                        ["crossbow", "Crossbow"],
                    ],
                    "help": "",
                    "least": None,
                    "most": None,
                    "default": "",
                    "group": "",
                    "measure": "",
                    "prices": {"matchlock": 1, "crossbow": 1},
                }
            ],
        }
    ],
    "factions": [
        {
            "key": "landsknechts",
            "name": "Landsknechts",
            "morale": 8,
            "banner": True,
            "composition": ["Rank 5: 1 at most."],
            "profiles": [
                {
                    "key": "landsknecht",
                    "name": "Landsknecht",
                    "unique": False,
                    "rank": 2,
                    "move": "infantry",
                    "combat_pool": 2,
                    "initiative": 0,
                    "fight": 2,
                    "shoot": 0,
                    "armour_rating": 2,
                    "points": 15,
                    "printed_points": 15,
                    "equipment": ["pike", "sword", "medium-armour"],
                    "attributes": [],
                    "options": [],
                }
            ],
        }
    ],
    "weapons": [],
    "armour": [{"key": "light-armour", "name": "Light armour", "rating": 1, "points": 2}],
    "mounts": [{"key": "horse", "name": "Horse", "points": 10}],
    "attributes": [{"key": "agile", "name": "Agile", "points": 3}],
    "ready_builds": {
        "landsknechts": [
            {
                "key": "landsknecht-crossbow",
                "profile": "landsknecht",
                "name": "Landsknecht, Crossbow",
                "build": {
                    "profile": "landsknechts/landsknecht",
                    "options": {"exchange-pike": ["crossbow"]},
                },
                "usual": False,
                "grouped": True,
            }
        ]
    },
}
PRICE_LINES: list[Json] = [
    {"label": "Combat Pool 2", "points": 4, "source": "Customisation"},
    {"label": "Fight 2", "points": 4, "source": "Customisation"},
    {"label": "Pike", "points": 2, "source": "Arms and armour"},
    {"label": "Medium armour", "points": 4, "source": "Arms and armour"},
    {"label": "Morale 8", "points": 1, "source": "Ruling P4"},
]
SHEET: Json = {
    "profile": "landsknechts/landsknecht",
    "profile_name": "Landsknecht",
    "rank": 2,
    "points": 15,
    "price": {"points": 15, "lines": PRICE_LINES, "printed": 15},
    "characteristics": [
        {
            "key": "combat_pool",
            "label": "Combat Pool",
            "abbreviation": "CP",
            "value": "2",
            "note": "",
            "source": 'Rule book: "Characteristics"; Ruling P2',
        },
        {
            "key": "fight",
            "label": "Fight",
            "abbreviation": "F",
            "value": "2",
            "note": "",
            "source": NUMBERS,
        },
    ],
    "equipment": [
        {"key": "pike", "name": "Pike", "kind": "weapon", "note": "", "source": "Arms and armour"}
    ],
    "attributes": [],
    "unique": False,
    "unfit_for": [],
    "weapons": [{"name": "Pike", "range": "–", "rules": "two-handed"}],
    "looks": [],
}
BEARER: Json = {
    "key": "banner",
    "name": "Bearer of the banner",
    "short": "Banner",
    "sign": "flag",
    "least": 0,
    "most": 1,
    "open": True,
    "source": "Ruling P25",
}
ARRANGED: Json = {
    "groups": [
        {"name": "Left wing", "fighters": ["7d0f6f0e-19a5-4f0e-9a53-2f4b1e6f5a10"]},
        {"name": "", "fighters": ["0f8fad5b-d9cb-469f-a165-70867728950e"]},
    ]
}
APPOINTED: Json = {"leader": "7d0f6f0e-19a5-4f0e-9a53-2f4b1e6f5a10", "banner": None}
CARD: Json = {
    "id": "7d0f6f0e-19a5-4f0e-9a53-2f4b1e6f5a10",
    "name": "Hans",
    "profile_name": "Landsknecht",
    "rank": 2,
    "points": 15,
    "build": {"profile": "landsknechts/landsknecht"},
    "sheet": SHEET,
    "experience": 6,
    "earned": 6,
    "next_cost": 5,
    "can_rank_up": True,
    "fate": "fit",
    "misses": 0,
    "end": "",
    "end_phrase": "",
    "wounds": "light",
    "battles": 3,
    "tallies": [
        {
            "key": "wounds_dealt",
            "label": "Wounds dealt",
            "short": "W",
            "one": "wound dealt",
            "many": "wounds dealt",
        }
        | {"count": 3},
        {
            "key": "kills",
            "label": "Kills",
            "short": "K",
            "one": "kill",
            "many": "kills",
            "count": 1,
        },
    ],
    "promotions": 0,
    "posts": [BEARER],
    "story": "",
    "condition": [],
    "carried": {},
}
PROBLEM: Json = {
    "code": "leader-missing",
    "sentence": "No Leader chosen among the fighters present. The highest Rank leads.",
    "severity": "warns",
    "fighters": [],
    "field": "leader",
    "value": "",
    "source": "Ruling P26",
}
PROBLEMS: Json = {"points": 300, "sequence": 12, "problems": [PROBLEM]}
RECRUITED: Json = {"fighters": [CARD], "points": 300, "sequence": 12, "problems": [PROBLEM]}
CAMPAIGN: Json = {
    "id": "b1a5f0e3-62a4-4a0e-8f6a-7c1c5d0e9b21",
    "name": "The Long Winter",
    "colour": "#7a2e2e",
    "player_name": "Bob",
}
WARBAND_ROW: Json = {
    "id": "2b7a4f0e-5f35-4e06-9a0d-6f3a8c1d2e33",
    "name": "Frundsberg's Own",
    "ruleset": "en-garde",
    "ruleset_name": "En Garde!",
    "edition": "2026.1",
    "faction": "landsknechts",
    "faction_name": "Landsknechts",
    "owner": "bob",
    "keeper": "",
    "visibility": "private",
    "archived": False,
    "created_at": "2030-01-31T20:00:00Z",
    "points": 300,
    "fighters_serving": 14,
    "experience": 31,
    "won": 2,
    "drawn": 0,
    "lost": 1,
    "locked": True,
    "campaign": CAMPAIGN,
}
MORALE: Json = {
    "key": "morale",
    "label": "Morale",
    "value": 8,
    "sentence": "The list and its purchases give a Morale of 8.",
    "source": 'Rule book: "Warband Morale"; Ruling P4',
    "brief": True,
}
WARBAND_PAGE: Json = WARBAND_ROW | {
    "story": "They came over the pass in March.",
    "ruleset_name": "En Garde!",
    "words": WORDS,
    "sequence": 12,
    "house_rules": {},
    "agreed_points": 300,
    "bought": [{"label": "Banner", "points": 5, "source": "Banners"}],
    "assets": [],
    "extras": {"banner": True},
    "games_played": 3,
    "figures": [MORALE],
    "sources": {"points": 'Rule book: "New warbands"; Ruling P1'},
    "posts": [
        {
            "key": "banner",
            "name": "Bearer of the banner",
            "most": 1,
            "open": True,
            "holders": [CARD["id"]],
        }
    ],
    "groups": [],
    "shown": {"points": True, "experience": True, "ranks": True, "victory_points": True},
    "rank_ups_waiting": 1,
    "problems": [PROBLEM],
    "fighters": [CARD],
    "rights": {"edit": True, "overrule": False},
}
LEDGER_ROW: Json = {
    "sequence": 9,
    "fighter": CARD["id"],
    "fighter_name": "Hans",
    "amount": 1,
    "balance": 6,
    "code": "survived",
    "sentence": "Survived the battle.",
    "rule": "Ruling X7",
}
CHRONICLE_LINE: Json = {
    "sequence": 9,
    "at": "2030-02-07T22:15:00Z",
    "kind": "fought",
    "who": "alice",
    "phrase": "won The Old Mill, 5 to 2",
    "seal": "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
    "battle": "0c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f",
    "campaign": None,
    "fighters": [],
    "corrected_by": None,
    "struck": False,
    "fought_on": "2030-02-07",
}
STEP: Json = {
    "key": "landsknechts/doppelsoldner",
    "name": "Doppelsoldner",
    "rank": 3,
    "cost": 5,
    "build": {"profile": "landsknechts/doppelsoldner"},
    "sheet": SHEET
    | {"profile": "landsknechts/doppelsoldner", "profile_name": "Doppelsoldner", "rank": 3},
    "gains": ["Rank 3", "Fight 3, from 2"],
    "keeps": [],
    "picks": [
        {
            "key": "exchange-pike",
            "label": "Instead of pike",
            "choices": [["halberd", "Halberd (+1)"]],
            "least": 0,
            "most": 1,
        }
    ],
    "points_before": 15,
    "points_after": 22,
    "problems": [],
    "offered_first": True,
    "source": "Progression",
}
CHOICE: Json = {"step": STEP, "affordable": True, "short_by": 0}
RANK_UPS: Json = {
    "fighter": CARD["id"],
    "experience": 6,
    "sequence": 12,
    "steps": [CHOICE],
    "prepared": True,
}
SERVICE_LINE: Json = {
    "sequence": 9,
    "battle": CHRONICLE_LINE["battle"],
    "title": "The Old Mill",
    "scenario": "Skirmish",
    "fought_on": "2030-02-07",
    "outcome": "won",
    "victory_points": 5,
    "victory_points_against": 2,
    "against": ["The Night Watch"],
    "friendly": False,
    "rank": 2,
    "fate": "fit",
    "wounds": "light",
    "wounds_phrase": "Light wound",
    "killed_by": "",
    "deeds": ["wounded Black Tom (pike)"],
    "earned": 1,
    "lines": [LEDGER_ROW],
    "losses": [],
    "losses_phrase": "",
}
FIGHTER_PAGE: Json = {
    "card": CARD,
    "warband": WARBAND_ROW["id"],
    "warband_name": WARBAND_ROW["name"],
    "faction_name": "Landsknechts",
    "sequence": 12,
    "locked": True,
    "ledger": [LEDGER_ROW],
    "record": [SERVICE_LINE],
    "rank_ups": [CHOICE],
    "rights": {"edit": True, "overrule": False},
}
EXPLAINED: Json = {
    "key": "points",
    "label": "Points",
    "value": "15",
    "lines": PRICE_LINES,
    "facts": [
        {
            "sequence": 2,
            "at": "2030-01-31T20:05:00Z",
            "who": "bob",
            "phrase": "recruited Hans",
            "before": "",
            "after": "15",
            "rule": "",
        }
    ],
    "rule": "",
}
EXAMPLE_CALCULATOR: Json = {
    "key": "drowning",
    "name": "Drowning",
    "help": "The chance to drown.",
    "fields": [
        {
            "key": "heavy_armour",
            "label": "In heavy armour",
            "kind": "flag",
            "required": False,
            "choices": [],
            "help": "",
            "least": None,
            "most": None,
            "default": "false",
            "group": "",
            "measure": "",
        }
    ],
    "group": "at the table",
    "about": "numbers",
    "examples": [{"heavy_armour": "true"}],
    "source": 'Rule book: "Terrain"',
}
EXAMPLE_ANSWER: Json = {
    "headline": "The fighter drowns in 1/3 (33.3%) of all cases.",
    "calculator": "drowning",
    "name": "Drowning",
    "source": 'Rule book: "Terrain"',
    "asked": {"heavy_armour": True, "entering": False},
    "outcomes": {"drowns": "1/3", "lives": "2/3"},
    "percentages": {"drowns": 33.3, "lives": 66.7},
    "tables": [
        {
            "key": "outcomes",
            "title": "The water",
            "rows": [
                {"key": "drowns", "label": "Drowns", "chance": "1/3", "percent": 33.3},
                {"key": "lives", "label": "Lives", "chance": "2/3", "percent": 66.7},
            ],
            "rule": 'Rule book: "Terrain"',
        }
    ],
    "figures": [
        {"key": "needed", "label": "Drowns on", "value": "5 or 6", "rule": 'Rule book: "Terrain"'}
    ],
    "sums": [],
    "grids": [],
    "rolled": [],
    "forbidden": [],
    "assumptions": ["The fighter is in the water and has received a Stunned counter."],
}
HALBERD: Json = {"build": {"profile": "doppelsoldner", "options": {"exchange-pike": "halberd"}}}
TAKEN: Json = {"step": "landsknechts/doppelsoldner", "picks": {}, "sequence": 12}
RECRUITS: Json = {
    "fighters": [
        {"build": {"profile": "landsknecht"}, "count": 6},
        {"build": {"profile": "hauptmann"}, "name": "Götz"},
    ]
}
MUSTERED: Json = {
    "ruleset": "en-garde",
    "faction": "landsknechts",
    "name": "Frundsberg's Own",
    "extras": {"banner": True},
}
BOUGHT: Json = {"extras": {"banner": True}}
DRAFT_CHANGES: Json = {
    "changes": [
        {
            "do": "add",
            "build": {"profile": "landsknechts/oberst", "options": {"weapon": "halberd"}},
            "name": "Götz",
        },
        {"do": "limit", "points": 300},
        {"do": "fill"},
        {"do": "name-all"},
    ],
    "client_id": "3f0c1a52-7f0f-4b21-9d1f-1f1f3a0b7c11",
}
DRAFT_FIGHTER: Json = {
    "id": CARD["id"],
    "name": "Hans",
    "named": True,
    "profile_name": "Landsknecht",
    "rank": 2,
    "points": 15,
    "build": CARD["build"],
    "kit": "Pike, Sword, Medium armour",
    "group": "",
    "posts": [],
    "joins": True,
    "open": True,
}
DRAFT_PAGE: Json = {
    "warband": WARBAND_ROW["id"],
    "version": 3,
    "sequence": 1,
    "locked": False,
    "changes": 1,
    "joining": 1,
    "can_undo": True,
    "points": 15,
    "limit": 300,
    "fighters": 1,
    "figures": [],
    "extras": {},
    "problems": [PROBLEM],
    "posts": [],
    "sections": [{"group": None, "lots": [{"fighters": [DRAFT_FIGHTER]}]}],
    "said": "Added 1 Landsknecht: 15 points.",
}
CSV = (
    "Name,Profile,Instead of medium "
    "armour,Posts\r\nGötz,Oberst,,Leader\r\nHans,Doppelsoldner,Heavy armour,\r\n"
)
SPREADSHEET: Json = {"csv": CSV}
FROM_SPREADSHEET: Json = {
    "ruleset": "en-garde",
    "faction": "landsknechts",
    "name": "Der helle Haufen",
    "csv": CSV,
}
SPREADSHEET_PREVIEW: Json = {
    "rows": 1,
    "joining": 1,
    "changed": 0,
    "struck": [],
    "drafted": 0,
    "encoding": None,
    "separator": ",",
    "roster": DRAFT_PAGE | {"can_undo": False, "said": ""},
}
PRICED: Json = {"build": CARD["build"], "sheet": SHEET, "problems": []}
NAMES: Json = {"names": ["Veit Holzapfel", "Kunz von Memmingen"]}
TEMPLATE: Json = {
    "id": "5c9d2a3e-8b40-4c0e-a6f1-2d7e9b1c4a77",
    "name": "Core",
    "ruleset": "en-garde",
    "faction": "landsknechts",
    "points": 240,
}
