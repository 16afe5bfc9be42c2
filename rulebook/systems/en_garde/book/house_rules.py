"""House rules: what a campaign may settle for itself, each with its default; and the headings and
rulings behind them.

What people read of them is in ``data/house_rules.toml``, ``headings.toml`` and ``rulings.toml``, in
our own words.
"""

from pathlib import Path
from typing import Literal

from msgspec import Struct

from rulebook.book.headings import read_headings
from rulebook.book.house_rules import HouseRuleBook


class HouseRules(Struct, frozen=True, kw_only=True, cache_hash=True):
    """Every house rule as it stands; ``HouseRules()`` is the book with its rulings."""

    # Warbands
    prices: Literal["corrected", "printed"] = "corrected"
    legality: Literal["strict", "warn"] = "strict"
    composition: Literal["list", "list-and-template"] = "list"
    size_limit: Literal["warn", "forbid"] = "warn"
    missile_limit: Literal["long-range", "all"] = "long-range"
    share_rounding: Literal["exact", "at-least-one"] = "exact"
    ally_prices: Literal["printed", "adjusted"] = "printed"
    buckler_price: Literal["list", "table"] = "list"
    musketeers_duellist: Literal["outside", "inside"] = "outside"
    strict_characteristics: bool = False
    barding_for_lists: bool = False
    poison: bool = False
    fantastical: bool = False
    rank_5_limit: Literal["one", "any"] = "one"

    # Campaigns
    recruits: Literal["rank-1-within-points", "none"] = "rank-1-within-points"
    rank_1_recruits: Literal["none", "base"] = "none"
    later_composition: Literal["warn", "forbid"] = "warn"
    game_limit: Literal["own", "agreed"] = "own"
    wounds_after: Literal["heal", "grievous-roll"] = "heal"
    captives: Literal["miss-next", "return", "held"] = "miss-next"
    dice: Literal["both", "app", "table"] = "both"

    # Classic campaign
    small_warbands: Literal["disjoint", "overlapping"] = "disjoint"
    small_warband_base: Literal["total", "agreed"] = "total"
    classic_scenarios: Literal["agreed", "drawn"] = "agreed"
    final_muster: Literal["all", "fielded"] = "all"
    final_light: Literal["fresh", "wounded"] = "fresh"
    final_grievous: Literal["fresh", "wounded"] = "fresh"
    final_forces: Literal["all", "equal"] = "all"
    classic_winner: Literal["final", "sum"] = "final"
    classic_progression: bool = False

    # Experience and Rank
    progression: bool = True
    experience_per_wound: Literal["each", "enemy", "once"] = "each"
    experience_means: Literal["all", "melee"] = "all"
    third_stun_counts: bool = True
    survival: Literal["free", "alive", "standing"] = "free"
    objective_experience: Literal["one", "all"] = "one"
    promotion_characteristics: Literal["rise", "kept"] = "rise"
    promotion_profiles: Literal["any", "same-move"] = "any"
    promotion_without_profile: Literal["base", "none"] = "base"
    promotion_allowance: Literal["on-top", "inside"] = "on-top"
    promotion_price: Literal["recomputed", "unchanged"] = "recomputed"
    promotion_equipment: Literal["keep-and-gain", "profile-only"] = "keep-and-gain"
    second_rank_5: Literal["warn", "forbid"] = "warn"

    # Victory
    equal_points: Literal["draw", "standing"] = "draw"
    concession: Literal["loses", "points"] = "loses"
    lost_share: Literal["fighters", "points"] = "fighters"
    minor_objectives: Literal["open", "secret"] = "open"
    defence_draw: Literal["draw", "defender"] = "draw"
    escort_edge: Literal["opposite", "own"] = "opposite"
    raid_standard_points: bool = False
    banner_capture: Literal["carried", "bearer-killed"] = "carried"
    capture_needs: Literal["unconscious", "any"] = "unconscious"

    # At the table
    subdue_kills: Literal["unconscious", "dead"] = "unconscious"
    stun_penalty: Literal["once", "doubled"] = "once"
    wounded_shot: Literal["both", "one"] = "both"
    riposte_dice: Literal["two", "one", "parry"] = "two"
    ploys_per_attack: Literal["combined", "one"] = "combined"
    morale_timing: Literal["next-turn", "same-turn"] = "next-turn"
    below_quarter_morale: int = 3
    spray_hits: Literal["each-hits", "each-rolls", "one-roll"] = "each-hits"
    beguiling_roll: Literal["lower", "equal"] = "lower"
    shield_rating: Literal["contextual", "flat"] = "contextual"
    hounds_bare_handed: bool = False


DATA = Path(__file__).parent.parent / "data"
HEADINGS = read_headings(DATA)
"""The headings in the order of the rule book, and the rulings that fill its gaps."""
HOUSE_RULES = HouseRuleBook(DATA / "house_rules.toml", HouseRules)
USUAL, settled = HOUSE_RULES.usual, HOUSE_RULES.settled
