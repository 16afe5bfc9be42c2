"""The terms a warband serves on, in a form to cache by."""

from msgspec import Struct

from rulebook.ruleset import Problem, RulesError, Terms
from rulebook.systems.en_garde.book.catalogue import catalogue, faction
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.lists import Faction
from rulebook.systems.en_garde.rosters.builds import Build

BASE_HIRE = "custom/rank-1"


class HouseTerms(Struct, frozen=True):
    """What of a warband's terms its fighters' prices and builds depend on; hashable."""

    faction: str
    morale: int
    rules: HouseRules

    @property
    def army(self) -> Faction:
        """The warband's list."""
        return faction(self.faction)


def hires_base(army: Faction, rules: HouseRules) -> bool:
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
    return HouseTerms(faction=army.key, morale=morale, rules=settled(terms.settings))
