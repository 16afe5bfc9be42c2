"""A roster as the checks read it: who is there, with what, on which terms."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from rulebook.ruleset import Fate, Problem, Roster, RosterFighter, RulesError
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Faction, Share
from rulebook.systems.en_garde.rosters.builds import Build, from_json
from rulebook.systems.en_garde.rosters.extras import Extras, read_extras
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout
from rulebook.systems.en_garde.rosters.points import price
from rulebook.systems.en_garde.rosters.terms import HouseTerms, house_terms

PRESENT = (Fate.FIT, Fate.RECOVERING)
LEADER = "leader"
"""The post of whoever leads a warband."""


class Member(Struct, frozen=True):
    """A fighter of the roster, put together."""

    id: str
    name: str
    build: Build
    outfit: Loadout
    promoted: bool = False
    recruited_after: int = 0


class AssembledRoster(Struct, frozen=True):
    """Everybody who counts: neither dead nor retired nor captured. ``unreadable`` tells of builds without sense."""

    members: tuple[Member, ...]
    terms: HouseTerms
    army: Faction
    extras: Extras
    leader: str | None = None
    unreadable: tuple[Problem, ...] = ()

    @property
    def size(self) -> int:
        """How many fighters there are."""
        return len(self.members)

    @property
    def rules(self) -> HouseRules:
        """The house rules."""
        return self.terms.rules

    def points(self, member: Member) -> int:
        """What a fighter costs here."""
        return price(member.build, self.terms).points


def assemble(roster: Roster) -> AssembledRoster:
    """The roster put together. Raises RulesError for an unknown list, house rule or purchase."""
    terms = house_terms(roster.terms)
    members: list[Member] = []
    unreadable: list[Problem] = []
    for fighter in roster.fighters:
        if fighter.fate in PRESENT:
            try:
                members.append(member_of(fighter))
            except RulesError as error:
                unreadable += named(fighter.id, fighter.name, error.problems)
    return AssembledRoster(
        members=tuple(members),
        terms=terms,
        army=terms.army,
        extras=read_extras(roster.terms.extras),
        leader=roster.holder(LEADER),
        unreadable=tuple(unreadable),
    )


def member_of(fighter: RosterFighter) -> Member:
    """A fighter put together. Raises RulesError if its build cannot be read."""
    build = from_json(fighter.build)
    return Member(fighter.id, fighter.name, build, loadout(build), fighter.promoted, fighter.recruited_after)


def named(fighter: str, name: str, problems: Iterable[Problem]) -> list[Problem]:
    """A build's problems as those of one fighter of a roster."""
    return [
        msgspec.structs.replace(each, fighters=(fighter,), sentence=f"{name}: {each.sentence}") for each in problems
    ]


def ids(members: Iterable[Member]) -> tuple[str, ...]:
    """The fighters' ids, for a problem."""
    return tuple(member.id for member in members)


def within(count: int, share: Share, total: int) -> bool:
    """Whether ``count`` is at most that share of ``total``, exactly (Ruling P12)."""
    return count * share[1] <= share[0] * total
