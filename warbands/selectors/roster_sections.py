"""A roster as it stands: group by group, those of no group first, those who are gone last."""

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Group, Post, Ruleset


class Keyed(Protocol):
    """Somebody with an id as rule systems know it."""

    @property
    def key(self) -> str:
        """Its id."""
        ...


Somebody = TypeVar("Somebody", bound=Keyed)


class Section(Struct, Generic[Somebody], frozen=True):
    """A group with those who stand in it, each with its place in a word; ``group`` is None for
    those of no group."""

    group: Group | None
    fighters: tuple[tuple[Somebody, str], ...]


def sections(
    groups: Iterable[Group], everybody: Iterable[Somebody]
) -> tuple[Section[Somebody], ...]:
    """Everybody by the groups in their order: at the head those of no group, unless there are
    none."""
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
    """The posts that are open, or filled though they are not, each with a place for whoever of the
    roster may fill it.

    Every post has one place at least, so that it can be seen what it is. Raises RulesError for
    unreadable builds.
    """
    serving = [each for each in state.fighters.values() if each.fate not in GONE]

    def able(post: Post) -> int:
        return sum(
            rules.post_problem(post.key, each.build, state.terms) is None for each in serving
        )

    posts = (post for post in rules.posts(state.terms) if post.open or post.key in state.posts)
    return tuple(replace(post, most=max(1, min(post.most, able(post)))) for post in posts)
