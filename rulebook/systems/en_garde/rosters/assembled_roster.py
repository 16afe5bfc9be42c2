"""A roster as the checks read it: who is there, with what, on which terms; its sums and its
posts."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from rulebook import ruleset
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.book.lists import Faction
from rulebook.systems.en_garde.rosters.builds import Build, HouseRuleValues, from_json, house_terms
from rulebook.systems.en_garde.rosters.extras import Extras, read_extras
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout
from rulebook.systems.en_garde.rosters.prices import price

PRESENT = (ruleset.Fate.FIT, ruleset.Fate.RECOVERING)
LEADER, BANNER = "leader", "banner"
"""The posts of a warband's Leader and of the bearer of its banner."""
MORALE_TEST_SHARE = 4
"""A warband tests Morale after losing one fighter in so many (Ruling B4)."""
SUMS = {
    "points": 'Rule book: "New warbands"; Ruling P1',
    "experience": 'Rule book: "Progression"; Ruling X1',
}
"""The rules behind the sums of a roster."""


class Member(Struct, frozen=True):
    """A fighter of the roster, put together."""

    id: str
    name: str
    build: Build
    outfit: Loadout
    promoted: bool = False
    recruited_after: int = 0


class AssembledRoster(Struct, frozen=True):
    """Everybody who counts: neither dead nor retired nor captured. ``unreadable`` are the problems
    of builds that cannot be read.
    """

    members: tuple[Member, ...]
    terms: HouseRuleValues
    army: Faction
    extras: Extras
    leader: str | None = None
    unreadable: tuple[ruleset.Problem, ...] = ()

    @property
    def size(self) -> int:
        """Return how many fighters there are."""
        return len(self.members)

    @property
    def rules(self) -> HouseRules:
        """Return the house rules."""
        return self.terms.rules

    def points(self, member: Member) -> int:
        """Return what a fighter costs here."""
        return price(member.build, self.terms).points


def assemble(roster: ruleset.Roster) -> AssembledRoster:
    """Return the roster put together.

    Raises RulesError for an unknown list, house rule or purchase.
    """
    terms = house_terms(roster.terms)
    members: list[Member] = []
    unreadable: list[ruleset.Problem] = []
    for fighter in roster.fighters:
        if fighter.fate in PRESENT:
            try:
                members.append(member_of(fighter))
            except ruleset.RulesError as error:
                unreadable += named(fighter.id, fighter.name, error.problems)
    return AssembledRoster(
        members=tuple(members),
        terms=terms,
        army=terms.army,
        extras=read_extras(roster.terms.extras),
        leader=roster.holder(LEADER),
        unreadable=tuple(unreadable),
    )


def member_of(fighter: ruleset.RosterFighter) -> Member:
    """Return a fighter put together. Raises RulesError if its build cannot be read."""
    build = from_json(fighter.build)
    return Member(
        fighter.id, fighter.name, build, loadout(build), fighter.promoted, fighter.recruited_after
    )


def named(fighter: str, name: str, problems: Iterable[ruleset.Problem]) -> list[ruleset.Problem]:
    """Return a build's problems as those of one fighter of a roster."""
    replace = msgspec.structs.replace
    return [
        replace(each, fighters=(fighter,), sentence=f"{name}: {each.sentence}") for each in problems
    ]


def ids(members: Iterable[Member]) -> tuple[str, ...]:
    """Return the fighters' ids, for a problem."""
    return tuple(member.id for member in members)


def posts(terms: ruleset.CampaignTerms) -> tuple[ruleset.Post, ...]:
    """Return the Leader, and the bearer of a banner if the warband has bought one.

    Rulings P25, P26.
    """
    has_banner = bool(terms.extras.get(BANNER))
    return (
        ruleset.Post(LEADER, "Leader", "Leader", "star", least=1, source="Ruling P26"),
        ruleset.Post(
            BANNER, "Bearer of the banner", "Banner", "flag", open=has_banner, source="Ruling P25"
        ),
    )


def post_problem(
    post: str, build: ruleset.BuildData, terms: ruleset.CampaignTerms
) -> ruleset.Problem | None:
    """Return the problem of a Leader who cannot lead (Ruling P26); anybody may bear the banner.

    Raises RulesError.
    """
    if post != LEADER or loadout(from_json(build)).profile.leads:
        return None
    return problem("profile-cannot-lead", field=LEADER)


def default_posts(roster: ruleset.Roster) -> ruleset.Posts:
    """Return the roster's posts; if nobody is named, the highest Rank leads, of equals the dearest.

    Rulings C11, P26.
    """
    leader = None if roster.posts.get(LEADER) else default_leader(roster)
    return roster.posts if leader is None else {**roster.posts, LEADER: (leader,)}


def roster_totals(roster: ruleset.Roster) -> ruleset.RosterTotals:
    """Return sums of a roster; the dead, the retired and the captured do not count."""
    return totals_of(assemble(roster))


def totals_of(assembled: AssembledRoster) -> ruleset.RosterTotals:
    """Return sums of a roster that is put together."""
    bought = assembled.extras
    banner = (
        (ruleset.PriceLine("Banner", catalogue.catalogue().calculator.banner, "Banners"),)
        if bought.banner
        else ()
    )
    guns = [catalogue.gun(each.gun) for each in bought.ordnance]
    lines = (*banner, *(ruleset.PriceLine(gun.name, gun.points, "Ordnance") for gun in guns))
    points = sum(map(assembled.points, assembled.members)) + sum(line.points for line in lines)
    return ruleset.RosterTotals(points, assembled.size, lines, tuple(_figures(assembled)), SUMS)


def _figures(assembled: AssembledRoster) -> Iterator[ruleset.RosterFigure]:
    """Yield the Morale, and the losses after which it is tested (Ruling B4)."""
    morale = assembled.terms.morale
    losses = -(-assembled.size // MORALE_TEST_SHARE)
    note = f"The list and its purchases give a Morale of {morale}."
    yield ruleset.RosterFigure(
        "morale", "Morale", morale, note, 'Rule book: "Warband Morale"; Ruling P4', brief=True
    )
    if losses:
        note = f"Test in the turn after {losses} of {assembled.size} fighters fall."
        source = 'Rule book: "Test morale"; Ruling B4'
        yield ruleset.RosterFigure(
            "morale_test_after", "Morale test after losing", losses, note, source
        )


def default_leader(roster: ruleset.Roster) -> str | None:
    """Return the id of the fighter who leads if nobody is named: the highest Rank, then the dearest
    (Ruling P26)."""
    assembled = assemble(roster)
    able = [member for member in assembled.members if member.outfit.profile.leads]
    best = max(
        able, key=lambda member: (member.outfit.rank, assembled.points(member)), default=None
    )
    return best.id if best else None
