"""The rank-ups of every profile, and short functions that ask for steps and take them."""

from typing import Any

from rulebook.ruleset import CampaignTerms, RankUp, Roster, RulesError
from rulebook.systems.en_garde.experience.rank_ups import rank_ups, take_rank_up
from tests.rulebook.en_garde.rosters import fighter, terms

# The next profile of every profile; "custom" is the base profile of the next Rank, "" is none.
LADDERS = {
    "landsknechts": {
        "landsknecht": "doppelsoldner",
        "doppelsoldner": "hauptmann",
        "hauptmann": "oberst",
        "oberst": "",
    },
    "three-musketeers": {
        "athos": "",
        "aramis": "",
        "porthos": "",
        "dartagnan": "",
        "servant": "custom",
    },
    "cardinals-guard": {
        "ruffian": "guard",
        "guard": "officer",
        "officer": "senior-officer",
        "milady-de-winter": "",
        "senior-officer": "general",
        "general": "",
    },
    "conquistadors": {
        "militia": "soldier",
        "soldier": "veteran knight",
        "warhound": "",
        "veteran": "hidalgo",
        "knight": "hidalgo",
        "hidalgo": "general priest",
        "general": "",
        "priest": "",
    },
    "aztecs": {
        "peasant": "macehualli",
        "macehualli": "military-order",
        "military-order": "chieftain",
        "chieftain": "noble priest",
        "noble": "",
        "priest": "",
    },
    "border-reivers": {
        "broken-man": "reiver",
        "reiver": "veteran-reiver",
        "veteran-reiver": "chieftain",
        "chieftain": "lord",
        "lord": "",
    },
    "english-civil-war": {
        "militia": "regular-foot dragoon",
        "regular-foot": "veteran-foot horse",
        "dragoon": "horse veteran-foot",
        "veteran-foot": "life-guard",
        "horse": "life-guard",
        "life-guard": "general",
        "general": "",
    },
    "swashbucklers": {
        "seaman": "able-seaman",
        "able-seaman": "petty-officer",
        "petty-officer": "officer",
        "officer": "captain",
        "captain": "",
    },
    "ottoman-empire": {
        "yamak": "azab akinci",
        "azab": "janissary siphai",
        "akinci": "siphai janissary",
        "janissary": "boluk-bashi",
        "siphai": "boluk-bashi",
        "boluk-bashi": "corbaci",
        "corbaci": "",
    },
    "native-north-americans": {
        "peasant": "macehualli",
        "macehualli": "military-order",
        "military-order": "chieftain",
        "chieftain": "noble priest",
        "noble": "",
        "priest": "",
    },
    "custom": {
        "rank-1": "custom",
        "rank-2": "custom",
        "rank-3": "custom",
        "rank-4": "custom",
        "rank-5": "",
    },
    "fantastical": {
        "witch-hunter": "",
        "witch": "",
        "beast": "custom",
        "revenant": "custom",
        "barbarian": "",
        "thief": "",
    },
}
RUNGS = [
    (list_key, key, leads) for list_key, ladder in LADDERS.items() for key, leads in ladder.items()
]
OPEN: dict[str, Any] = {"fantastical": True}


def steps(list_key: str, raw, **settings) -> tuple[RankUp, ...]:
    on = terms(list_key, **settings)
    riser = fighter(0, raw, on)
    return rank_ups(riser, Roster(on, (riser,)))


def step(list_key: str, raw, key: str = "", **settings) -> RankUp:
    every = steps(list_key, raw, **settings)
    return next(each for each in every if each.key.endswith(key))


def violations(old, on: CampaignTerms, key: str, picks) -> list[str]:
    try:
        take_rank_up(old, on, key, picks)
    except RulesError as error:
        return [problem.code for problem in error.problems]
    return []
