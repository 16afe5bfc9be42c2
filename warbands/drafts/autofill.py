"""Auto-fill of a roster up to a points limit, with legal builds at the rules' prices."""

from collections.abc import Sequence
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from rulebook.ruleset import (
    BuildData,
    Fate,
    Posts,
    Roster,
    RosterFighter,
    RosterPurpose,
    RulesError,
    Ruleset,
)
from warbands.roster_rules import forbids, new_problems

MAX_ADDED = 50


FOLLOWERS = 3
"""The number of fighters of lower Rank for each one of high Rank, if available."""
SPECIAL_WEIGHT = 2
"""The weight of special builds' points, so that fewer of them join than of the others."""


class Candidate(Struct, frozen=True, kw_only=True):
    """A fighter that could be added: its build, profile, Rank and points.

    ``special`` builds are equipped in an unusual way. The total points of the roster must be
    reachable without them.
    """

    build: BuildData
    profile: str
    rank: int
    points: int
    special: bool

    @property
    def kind(self) -> tuple[str, bool]:
        """The key by which points are spread evenly."""
        return self.profile, self.special


def builds_to_fill(
    rules: Ruleset,
    roster: Roster,
    bare: Sequence[BuildData],
    purpose: RosterPurpose,
    special: Sequence[BuildData] = (),
) -> tuple[BuildData, ...]:
    """Return the builds that fill a roster to its limit as closely as the rules allow.

    Returns nothing without a limit. Builds that the roster already has are preferred to the
    ``bare`` builds of the same profile. As few points as possible are left over. Among equal
    choices, few lead and many follow, and points are spread over the profiles and over their
    ``special`` builds, such as those with missile weapons. Nothing is added that the rules would
    forbid, no matter which fighters fill the empty posts.
    """
    limit = roster.points_limit
    if limit is None or not rules.points.counted:
        return ()
    candidates = _candidates(rules, roster, bare, special)
    left = limit - rules.roster_totals(roster).points
    # The rules often allow only a few special builds, so the sum must be reachable without them.
    waste = _least_left(left, [each.points for each in candidates if not each.special])
    spent = dict.fromkeys((each.kind for each in candidates), 0)
    ranks: list[int] = []
    for fighter in roster.fighters:
        kind = _profile(fighter.build), False
        facts = rules.fighter_facts(fighter.build, roster.terms, fighter.condition)
        spent[kind] = spent.get(kind, 0) + facts.points
        ranks.append(facts.rank)
    # The two lowest Ranks of a list are its common fighters.
    common = min((each.rank for each in candidates), default=0) + 1
    added: list[BuildData] = []
    while len(added) < MAX_ADDED:
        fitting = [each for each in candidates if each.points <= left]
        fitting.sort(
            key=lambda each: (
                waste[left - each.points],
                each.rank > common and _leads_too_few(ranks, each.rank),
                spent[each.kind] * (SPECIAL_WEIGHT if each.special else 1),
                -each.points,
            )
        )
        before, grown = _led(rules, roster), ((each, _with(roster, each.build)) for each in fitting)
        best = next(
            (candidate for candidate in grown if _allowed(rules, before, candidate[1], purpose)),
            None,
        )
        if best is None:
            break
        chosen, roster = best
        left -= chosen.points
        spent[chosen.kind] += chosen.points
        ranks.append(chosen.rank)
        added.append(chosen.build)
    return tuple(added)


def _leads_too_few(ranks: Sequence[int], rank: int) -> bool:
    """Return whether another fighter of this Rank would have too few of lower Rank to lead.

    Followers are added first.
    """
    leading = sum(each >= rank for each in ranks)
    return leading >= -(-(len(ranks) - leading) // FOLLOWERS)


def _candidates(
    rules: Ruleset, roster: Roster, bare: Sequence[BuildData], special: Sequence[BuildData]
) -> list[Candidate]:
    """Return the builds to choose from, without those that cost nothing.

    They are the roster's builds, the special ones, and the bare ones of profiles that are not on
    the roster.
    """
    present = [
        each.build for each in roster.fighters if each.fate is Fate.FIT and not each.promoted
    ]
    had, candidates = {_profile(build) for build in present}, list[Candidate]()
    for place, raw in enumerate((*present, *bare, *special)):
        try:
            build = rules.clean_build(raw, roster.terms)
            facts = rules.fighter_facts(build, roster.terms)
        except RulesError:
            continue
        is_special = place >= len(present) + len(bare)
        fits_in = is_special or build in present or _profile(build) not in had
        if fits_in and facts.points > 0 and all(build != each.build for each in candidates):
            candidates.append(
                Candidate(
                    build=build,
                    profile=_profile(build),
                    rank=facts.rank,
                    points=facts.points,
                    special=is_special,
                )
            )
    return candidates


def _least_left(most: int, prices: Sequence[int]) -> list[int]:
    """Return the fewest points that can be left over, for each number of points up to ``most``.

    Each price can be paid several times.
    """
    least: list[int] = []
    for points in range(max(most, 0) + 1):
        least.append(
            min((least[points - price] for price in set(prices) if price <= points), default=points)
        )
    return least


def _led(rules: Ruleset, roster: Roster) -> Roster:
    """Return the roster with a fighter in each post that needs one.

    An empty post then does not forbid a new fighter.
    """
    posts: Posts = rules.default_posts(roster)
    for post in rules.posts(roster.terms):
        if post.open and post.least and not posts.get(post.key):
            able = (
                each.id
                for each in roster.fighters
                if rules.post_problem(post.key, each.build, roster.terms) is None
            )
            posts = {**posts, post.key: tuple(able)[: post.least]}
    return replace(roster, posts={post: holders for post, holders in posts.items() if holders})


def _allowed(rules: Ruleset, before: Roster, after: Roster, purpose: RosterPurpose) -> bool:
    """Return whether the rules forbid nothing that they did not forbid before."""
    return not forbids(new_problems(rules, before, _led(rules, after), purpose))


def _with(roster: Roster, build: BuildData) -> Roster:
    joined = RosterFighter(str(uuid4()), "", build, recruited_after=roster.games_played)
    return replace(roster, fighters=(*roster.fighters, joined))


def _profile(build: BuildData) -> str:
    return str(build.get("profile", ""))
