"""The draft of a roster: planned changes that its owner carries out later, as one frozen value.

A draft holds only differences: recruits, struck fighters, new builds and names, posts and
purchases. ``facts_of`` turns it into the facts that it would write. Pages show the replay of these
facts, so what they show cannot differ from what is recorded at the end.
"""

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.facts import (
    AnyFact,
    Appointed,
    Equipped,
    Furnished,
    Left,
    Recruit,
    Recruited,
    Renamed,
)
from rulebook.chronicle.replay import step
from rulebook.chronicle.states import WarbandState, without_holders
from rulebook.registry import find_ruleset
from rulebook.ruleset import BuildData, Posts
from rulebook.values.fields import Field
from warbands.roster_rules import rank_order


class DraftRecruit(Struct, frozen=True):
    """A planned recruit. Without a ``name`` it gets its profile's; its ``id`` is the fighter's."""

    id: str
    build: BuildData
    name: str = ""


class Draft(Struct, frozen=True, omit_defaults=True):
    """Planned changes of a roster.

    ``posts`` and ``extras`` are None if they are not changed. ``limit`` is the limit that counts if
    no campaign sets one. ``by_rank`` keeps a roster in order of rank.
    """

    joining: tuple[DraftRecruit, ...] = ()
    struck: tuple[str, ...] = ()
    builds: Mapping[str, BuildData] = {}
    names: Mapping[str, str] = {}
    posts: Posts | None = None
    extras: Mapping[str, Any] | None = None
    limit: int | None = None
    by_rank: bool = True

    @property
    def empty(self) -> bool:
        """Return whether nothing is changed, apart from the limit."""
        return replace(self, limit=None, by_rank=True) == Draft()

    def build_of(self, state: WarbandState, fighter: str) -> BuildData | None:
        """Return a fighter's planned build; None if it is not on the drafted roster."""
        joining = next((each.build for each in self.joining if each.id == fighter), None)
        current = state.fighters.get(fighter)
        if joining is not None or current is None or current.gone or fighter in self.struck:
            return joining
        return self.builds.get(fighter, current.build)

    def with_builds(self, state: WarbandState, builds: Mapping[str, BuildData]) -> "Draft":
        """Return the draft with other builds for some of its recruits or present fighters."""
        joining = tuple(
            replace(each, build=builds.get(each.id, each.build)) for each in self.joining
        )
        serving = {key: build for key, build in builds.items() if key in state.fighters}
        changed = {
            key: build
            for key, build in {**self.builds, **serving}.items()
            if build != state.fighters[key].build
        }
        return replace(self, joining=joining, builds=changed)

    def with_names(self, state: WarbandState, names: Mapping[str, str]) -> "Draft":
        """Return the draft with other names for some of its recruits or present fighters."""
        joining = tuple(replace(each, name=names.get(each.id, each.name)) for each in self.joining)
        serving = {key: name for key, name in names.items() if key in state.fighters and name}
        changed = {
            key: name
            for key, name in {**self.names, **serving}.items()
            if name != state.fighters[key].name
        }
        return replace(self, joining=joining, names=changed)

    def without(self, state: WarbandState, fighters: Collection[str]) -> "Draft":
        """Return the draft without some recruits, and without some fighters of the roster."""
        joining = tuple(each for each in self.joining if each.id not in fighters)
        newly_struck = tuple(
            each for each in state.fighters if each in fighters and each not in self.struck
        )
        posts = None if self.posts is None else without_holders(self.posts, set(fighters))
        left = {"builds": self.builds, "names": self.names}
        remaining = {
            field: {key: value for key, value in had.items() if key not in fighters}
            for field, had in left.items()
        }
        return replace(
            self, joining=joining, struck=(*self.struck, *newly_struck), posts=posts, **remaining
        )


def still_possible(draft: Draft, state: WarbandState) -> Draft:
    """Return the draft without changes that the chronicle has made impossible.

    These concern fighters that are gone and recruits that have joined.
    """
    serving = {key for key, fighter in state.fighters.items() if not fighter.gone}
    joining = tuple(each for each in draft.joining if each.id not in state.fighters)
    present = serving.difference(draft.struck) | {each.id for each in joining}
    posts = None
    if draft.posts is not None:
        posts = {
            post: tuple(holder for holder in holders if holder in present)
            for post, holders in draft.posts.items()
        }
        posts = {post: holders for post, holders in posts.items() if holders}
    return replace(
        draft,
        joining=joining,
        struck=tuple(key for key in draft.struck if key in serving),
        builds={key: build for key, build in draft.builds.items() if key in serving},
        names={key: name for key, name in draft.names.items() if key in serving},
        posts=posts,
    )


def facts_of(draft: Draft, state: WarbandState) -> list[AnyFact]:
    """Return the facts that a draft would write, in order; none for an empty draft."""
    facts: list[AnyFact] = [Left(fighter=key, reason="struck") for key in draft.struck]
    if draft.extras is not None and draft.extras != state.extras:
        facts.append(Furnished(extras=draft.extras))
    facts += [Equipped(fighter=key, build=build) for key, build in draft.builds.items()]
    facts += [Renamed(fighter=key, name=name) for key, name in draft.names.items()]
    if draft.joining:
        names = names_of(draft, state)
        facts.append(
            Recruited(
                recruits=tuple(
                    Recruit(recruit.id, names[recruit.id], recruit.build)
                    for recruit in draft.joining
                )
            )
        )
    if draft.posts is not None and draft.posts != without_holders(state.posts, draft.struck):
        facts.append(Appointed(posts=draft.posts))
    if draft.joining and draft.by_rank:
        after = state
        for fact in facts:
            after = step(after, fact, find_ruleset, sequence=state.sequence).state
        facts += rank_order(state, after)
    return facts


def drafted(draft: Draft, state: WarbandState) -> WarbandState:
    """Return the warband as it will be once the draft is carried out. No queries.

    Only facts that the rules can read are applied.
    """
    for fact in facts_of(draft, state):
        state = step(state, fact, find_ruleset, sequence=state.sequence).state
    return state


def names_of(draft: Draft, state: WarbandState) -> dict[str, str]:
    """Return the names of the recruits: their own, or their profile's with the next free number."""
    rules = find_ruleset(state.ruleset, state.edition)
    staying = (fighter for key, fighter in state.fighters.items() if key not in draft.struck)
    taken = {draft.names.get(fighter.id, fighter.name) for fighter in staying}
    taken |= {each.name for each in draft.joining if each.name}
    names: dict[str, str] = {}
    for recruit in draft.joining:
        name, number = recruit.name, 0
        if not name:
            called = rules.fighter_facts(recruit.build, state.terms).profile_name[:90]
            while not name or name in taken:
                number += 1
                name = f"{called} {number}"
        names[recruit.id] = name
        taken.add(name)
    return names


def limit_of(draft: Draft, state: WarbandState) -> int | None:
    """Return the points limit: that of the campaign, or else the owner's."""
    return state.agreed_points if state.agreed_points is not None else draft.limit


def offers(field: Field, choice: str) -> bool:
    """Return whether a field of a build offers this choice to several fighters at once."""
    if field.kind == "flag":
        return choice in ("true", "false")
    return field.kind == "text" or choice in dict(field.choices)
