"""Auto-fill of a roster up to a limit, with builds about which the rules have no problem."""

from collections.abc import Collection, Iterable, Sequence
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
from warbands.roster_rules import new_problems

MAX_ADDED = 100
"""The most times that a rule system's choices join in one go."""
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


class Fill(Struct, frozen=True):
    """The builds that Auto-fill adds to a roster, with ids, and the posts of the filled roster."""

    fighters: tuple[RosterFighter, ...]
    posts: Posts


def can_fill(rules: Ruleset, roster: Roster) -> bool:
    """Return whether Auto-fill works for a rule system: with points or with choices of its own."""
    return rules.points.counted or rules.fill_choices(roster) is not None


def fill(
    rules: Ruleset,
    roster: Roster,
    bare: Sequence[BuildData],
    purpose: RosterPurpose,
    special: Sequence[BuildData] = (),
    *,
    limit: int | None,
) -> Fill:
    """Return what fills a roster to a limit as closely as the rules allow.

    The limit is in points, or in fighters for a rule system without points. Nothing joins without
    a limit. Nothing joins about which the rules have a new problem, not even a warning. Posts that
    must be filled are filled.
    """
    if limit is None:
        return Fill((), roster.posts)
    counted = rules.points.counted
    most = rules.largest_fill() if counted else limit
    roster = replace(roster, points_limit=limit if counted else None)
    if rules.fill_choices(roster) is None:
        filled = _filled_by_points(rules, roster, bare, purpose, special, most)
    else:
        filled = _filled_by_choices(rules, roster, purpose, most)
    joined = filled.fighters[len(roster.fighters) :]
    ranks = {each.id: rules.fighter_facts(each.build, roster.terms).rank for each in joined}
    added = tuple(sorted(joined, key=lambda each: -ranks[each.id]))
    return Fill(added, _led(rules, filled).posts if added else roster.posts)


def _filled_by_choices(rules: Ruleset, roster: Roster, purpose: RosterPurpose, most: int) -> Roster:
    """Return the roster after the rule system's choices have joined, as many as fit."""
    for _ in range(MAX_ADDED):
        slots = most - rules.roster_totals(roster).fighters
        fitting = (
            grown
            for builds in rules.fill_choices(roster) or ()
            if len(builds) <= slots
            and (grown := _with(rules, roster, builds)) is not None
            and _within_limit(rules, grown)
            and _allowed(rules, _led(rules, roster), grown, purpose)
        )
        best = next(fitting, None)
        if best is None:
            break
        roster = best
    return roster


def _within_limit(rules: Ruleset, roster: Roster) -> bool:
    limit = roster.points_limit
    return limit is None or rules.roster_totals(roster).points <= limit


def _filled_by_points(
    rules: Ruleset,
    roster: Roster,
    bare: Sequence[BuildData],
    purpose: RosterPurpose,
    special: Sequence[BuildData],
    most: int,
) -> Roster:
    """Return the roster with builds that use its points, in at most so many fighters.

    Builds that the roster already has are preferred to the ``bare`` builds of the same profile. As
    few points as possible are left over. Among equal choices, few lead and many follow, and points
    are spread over the profiles and over their ``special`` builds, such as those with missile
    weapons.
    """
    totals = rules.roster_totals(roster)
    candidates = _candidates(rules, roster, bare, special)
    left, slots = (roster.points_limit or 0) - totals.points, most - totals.fighters
    # The rules often allow only a few special builds, so the sum must be reachable without them.
    sums = _reachable_sums(slots, {each.points for each in candidates if not each.special}, left)
    spent = dict.fromkeys((each.kind for each in candidates), 0)
    joined = dict.fromkeys(spent, 0)
    ranks: list[int] = []
    for fighter in roster.fighters:
        kind = _profile(fighter.build), False
        facts = rules.fighter_facts(fighter.build, roster.terms, fighter.condition)
        spent[kind] = spent.get(kind, 0) + facts.points
        ranks.append(facts.rank)
    dearest = max((each.points for each in candidates), default=0)
    # The two lowest Ranks of a list are its common fighters.
    common = min((each.rank for each in candidates), default=0) + 1
    while slots > 0:
        fitting = [each for each in candidates if each.points <= left]
        over = {each.points: _least_left(sums[slots - 1], left - each.points) for each in fitting}
        # With more points than so many fighters can cost, a good mix matters more.
        plenty = min(over.values(), default=0) >= dearest
        followers = 1 if plenty else FOLLOWERS
        fitting.sort(
            key=lambda each: (
                not plenty and over[each.points],
                each.rank > common and _leads_too_few(ranks, each.rank, followers),
                (joined if plenty else spent)[each.kind] * (SPECIAL_WEIGHT if each.special else 1),
                -each.points,
            )
        )
        before = _led(rules, roster)
        grown = ((each, _with(rules, roster, (each.build,))) for each in fitting)
        best = next(
            (
                (each, after)
                for each, after in grown
                if after is not None and _allowed(rules, before, after, purpose)
            ),
            None,
        )
        if best is None:
            break
        chosen, roster = best
        left -= chosen.points
        slots -= 1
        spent[chosen.kind] += chosen.points
        joined[chosen.kind] += 1
        ranks.append(chosen.rank)
    return roster


def _leads_too_few(ranks: Sequence[int], rank: int, followers: int) -> bool:
    """Return whether another fighter of this Rank would have too few of lower Rank to lead.

    Followers are added first.
    """
    leading = sum(each >= rank for each in ranks)
    return leading >= -(-(len(ranks) - leading) // followers)


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


def _reachable_sums(slots: int, prices: Collection[int], most: int) -> list[int]:
    """Return the sums that so many fighters can cost, for each number of them up to ``slots``.

    Each price can be paid several times. The sums are the bits of a number, up to ``most`` points.
    """
    within = (1 << max(most, 0) + 1) - 1
    sums = [1]
    for _ in range(max(slots, 0)):
        reached = sums[-1]
        for price in prices:
            reached |= sums[-1] << price & within
        sums.append(reached)
    return sums


def _least_left(sums: int, points: int) -> int:
    """Return the fewest of these points that can be left over, with these reachable sums."""
    return points - (sums & (1 << points + 1) - 1).bit_length() + 1


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
    """Return whether the rules have no problem that they did not have before."""
    return not new_problems(rules, before, _led(rules, after), purpose)


def _with(rules: Ruleset, roster: Roster, builds: Iterable[BuildData]) -> Roster | None:
    """Return the roster after these builds have joined; None if a build is not possible."""
    fighters = list(roster.fighters)
    for raw in builds:
        try:
            build = rules.clean_build(raw, roster.terms)
        except RulesError:
            return None
        fighters.append(RosterFighter(str(uuid4()), "", build, recruited_after=roster.games_played))
    return replace(roster, fighters=tuple(fighters))


def _profile(build: BuildData) -> str:
    return str(build.get("profile", ""))
