"""A roster by groups, fighters without a group first."""

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Group, Post, Ruleset


class Keyed(Protocol):
    """A fighter with its id in the form that rule systems know."""

    @property
    def key(self) -> str:
        """The fighter's id."""
        ...


Somebody = TypeVar("Somebody", bound=Keyed)


class Section(Struct, Generic[Somebody], frozen=True):
    """A group with its fighters, each with its place in the group as a word.

    ``group`` is None for fighters without a group.
    """

    group: Group | None
    fighters: tuple[tuple[Somebody, str], ...]


def sections(
    groups: Iterable[Group], everybody: Iterable[Somebody]
) -> tuple[Section[Somebody], ...]:
    """Return the fighters by groups in order; first those without a group, if there are any."""
    by_key = {each.key: each for each in everybody}
    grouped = [
        Section(
            group,
            tuple(
                (by_key.pop(key), group.places.get(key, ""))
                for key in group.fighters
                if key in by_key
            ),
        )
        for group in groups
    ]
    alone = tuple((each, "") for each in by_key.values())
    return (
        *((Section(None, alone),) if alone else ()),
        *(each for each in grouped if each.fighters),
    )


def posts_to_fill(rules: Ruleset, state: WarbandState) -> tuple[Post, ...]:
    """Return the posts to show, each with as many places as there are fighters who can hold it.

    These are posts that are open or filled. Every post has at least one place, so that it is shown.
    Raises RulesError for unreadable builds.
    """
    serving = [each for each in state.fighters.values() if each.fate not in GONE]

    def able(post: Post) -> int:
        return sum(
            rules.post_problem(post.key, each.build, state.terms) is None for each in serving
        )

    posts = (post for post in rules.posts(state.terms) if post.open or post.key in state.posts)
    return tuple(replace(post, most=max(1, min(post.most, able(post)))) for post in posts)
