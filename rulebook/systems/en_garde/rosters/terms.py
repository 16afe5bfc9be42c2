"""The house rules that touch rosters, with their defaults, and the terms a warband serves on in a form to cache by."""

from typing import Literal

import msgspec
from msgspec import Struct

from rulebook.ruleset import Problem, RulesError, Terms
from rulebook.systems.en_garde.book.catalogue import catalogue, faction
from rulebook.systems.en_garde.book.lists import Faction
from rulebook.systems.en_garde.rosters.builds import Build

BASE_HIRE = "custom/rank-1"


class RosterRules(Struct, frozen=True):
    """The house rules that prices, builds, composition and rank-ups read; other settings are passed over."""

    prices: Literal["corrected", "printed"] = "corrected"
    composition: Literal["list", "list-and-template"] = "list"
    legality: Literal["strict", "warn"] = "strict"
    fantastical: bool = False
    barding_for_lists: bool = False
    poison: bool = False
    missile_limit: Literal["long-range", "all"] = "long-range"
    musketeers_duellist: Literal["outside", "inside"] = "outside"
    ally_prices: Literal["printed", "adjusted"] = "printed"
    buckler_price: Literal["list", "table"] = "list"
    share_rounding: Literal["exact", "at-least-one"] = "exact"
    size_limit: Literal["warn", "forbid"] = "warn"
    strict_characteristics: bool = False
    rank_5_limit: Literal["one", "any"] = "one"
    recruits: Literal["rank-1-within-points", "none"] = "rank-1-within-points"
    rank_1_recruits: Literal["none", "base"] = "none"
    later_composition: Literal["warn", "forbid"] = "warn"
    promotion_characteristics: Literal["rise", "kept"] = "rise"
    promotion_profiles: Literal["any", "same-move"] = "any"
    promotion_without_profile: Literal["base", "none"] = "base"
    promotion_allowance: Literal["on-top", "inside"] = "on-top"
    promotion_price: Literal["recomputed", "unchanged"] = "recomputed"
    promotion_equipment: Literal["keep-and-gain", "profile-only"] = "keep-and-gain"
    second_rank_5: Literal["warn", "forbid"] = "warn"


class HouseTerms(Struct, frozen=True):
    """What of a warband's terms its fighters' prices and builds depend on; hashable."""

    faction: str
    morale: int
    rules: RosterRules

    @property
    def army(self) -> Faction:
        """The warband's list."""
        return faction(self.faction)


def hires_base(army: Faction, rules: RosterRules) -> bool:
    """Whether a warband of this list may hire the base profile of Rank 1: it has no Rank 1 of its own (Ruling C17)."""
    of_print = army.kind in ("list", "variant")
    return of_print and rules.rank_1_recruits == "base" and all(profile.rank > 1 for profile in army.profiles)


def is_base_hire(build: Build, terms: HouseTerms) -> bool:
    """Whether a fighter from the calculator has joined a list that has no Rank 1 (Ruling C17)."""
    return build.profile == BASE_HIRE and not build.promoted and hires_base(terms.army, terms.rules)


def house_terms(terms: Terms) -> HouseTerms:
    """The terms in the form to cache by. Raises RulesError for an unknown list, Morale or setting."""
    army = faction(terms.faction)
    morale = terms.extras.get("morale", army.morale)
    if not isinstance(morale, int) or morale not in catalogue().calculator.morale.surcharge:
        sentence = f"“{morale}” is no Morale Rating."
        raise RulesError(Problem(code="bad-extras", sentence=sentence, field="extras.morale", value=str(morale)))
    return HouseTerms(faction=army.key, morale=morale, rules=roster_rules(terms))


def roster_rules(terms: Terms) -> RosterRules:
    """The house rules of these terms, complete. Raises RulesError for a value that a rule cannot have."""
    try:
        return msgspec.convert(terms.settings, RosterRules)
    except msgspec.ValidationError as error:
        sentence = f"A house rule cannot be read: {error}."
        raise RulesError(Problem(code="bad-setting", sentence=sentence, field="settings")) from error
