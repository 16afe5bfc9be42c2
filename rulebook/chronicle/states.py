"""The results of a replay: frozen states, ledger lines, conflicts."""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from rulebook.ruleset import CampaignTerms, Condition, Fate, Posts, Roster, RosterFighter

DEAD, RETIRED = Fate.DEAD, Fate.RETIRED
GONE = frozenset({DEAD, RETIRED})


class FighterState(Struct, frozen=True):
    """A fighter after some facts. ``experience`` is the unspent part of what was ``earned``.

    ``misses`` is the number of games still to miss. ``condition`` is what remains from the last
    battle. ``tallies`` has the counts of a service record that are not 0, by key. ``place`` is the
    number of fighters recruited earlier, including removed ones, so that a roster keeps its order.
    """

    id: str
    name: str
    build: Mapping[str, Any]
    rank: int
    points: int
    profile_name: str
    experience: int = 0
    earned: int = 0
    fate: Fate = Fate.FIT
    misses: int = 0
    joined_after: int = 0
    place: int = 0
    battles: int = 0
    tallies: Mapping[str, int] = {}
    promotions: int = 0
    wounds: str = ""
    end: str = ""
    condition: Condition = {}

    @property
    def key(self) -> str:
        """Return its id, which is its key in the rule system."""
        return self.id

    @property
    def gone(self) -> bool:
        """Return whether it is dead or has left."""
        return self.fate is DEAD or self.fate is RETIRED

    @property
    def untried(self) -> bool:
        """Return whether it has no battle, no experience and no rank-up yet."""
        return not (self.battles or self.earned or self.promotions)


class WarbandState(Struct, frozen=True):
    """A warband after some facts. ``sequence`` counts them.

    ``games_played`` counts the games of the current campaign. ``risen`` has the steps of fighters
    who ranked up since the last battle, in rule systems that count them. ``last_played`` is the
    latest time of its battles: the day and the place in that day.
    """

    sequence: int = 0
    ruleset: str = ""
    edition: str = ""
    faction: str = ""
    name: str = ""
    extras: Mapping[str, Any] = {}
    settings: Mapping[str, Any] = {}
    campaign: str | None = None
    agreed_points: int | None = None
    games_played: int = 0
    recruited: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    posts: Posts = {}
    risen: Mapping[str, str] = {}
    last_played: tuple[str, str] = ("", "")
    fighters: Mapping[str, FighterState] = {}

    @property
    def terms(self) -> CampaignTerms:
        """Return the warband's terms: list, extras and house rules."""
        return CampaignTerms(faction=self.faction, extras=self.extras, settings=self.settings)

    @property
    def roster(self) -> Roster:
        """Return the warband for roster checks, without dead and retired fighters."""
        serving = (fighter for fighter in self.fighters.values() if fighter.fate not in GONE)
        return Roster(
            terms=self.terms,
            fighters=tuple(roster_fighter(fighter) for fighter in serving),
            posts=self.posts,
            points_limit=self.agreed_points,
            games_played=self.games_played,
            risen=self.risen,
        )

    def posts_of(self, fighter: str) -> tuple[str, ...]:
        """Return the keys of the fighter's warband roles."""
        return tuple(post for post, holders in self.posts.items() if fighter in holders)


def without_holders(posts: Posts, gone: Collection[str]) -> Posts:
    """Return the warband roles without some fighters, leaving out roles that become empty."""
    left = {
        post: tuple(holder for holder in holders if holder not in gone)
        for post, holders in posts.items()
    }
    return {post: holders for post, holders in left.items() if holders}


def roster_fighter(fighter: FighterState) -> RosterFighter:
    """Return a fighter for the rule system's roster checks."""
    return RosterFighter(
        id=fighter.id,
        name=fighter.name,
        build=fighter.build,
        fate=fighter.fate,
        experience=fighter.experience,
        recruited_after=fighter.joined_after,
        promoted=fighter.promotions > 0,
        condition=fighter.condition,
    )


# A replay makes thousands of these. They hold no other objects, so the garbage collector need not
# look at them.
class LedgerLine(Struct, frozen=True, gc=False):
    """A line of a fighter's experience ledger, with its fact (``sequence``) and ``rule``."""

    sequence: int
    fighter: str
    amount: int
    code: str
    sentence: str
    rule: str
    balance: int


class Conflict(Struct, frozen=True):
    """A fact that cannot be true: a stable code, a sentence, the fact's place, and the fighter."""

    sequence: int
    code: str
    sentence: str
    fighter: str | None = None
    stands: bool = False
    reason: str = ""


class ReplayResult(Struct, frozen=True):
    """The result of one fact or a whole chronicle for a warband."""

    state: WarbandState
    ledger: tuple[LedgerLine, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def open_conflicts(self) -> tuple[Conflict, ...]:
        """Conflicts that no correction overrides."""
        return tuple(conflict for conflict in self.conflicts if not conflict.stands)
