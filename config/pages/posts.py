"""The posts of a warband as fields of a form: one select for each place in each post."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext

from config.pages.forms import choices_of
from rulebook.ruleset import Post, Posts

POST = "post."


class PostField(forms.TypedChoiceField):
    """A place in a post, which may be left to the roster.

    ``needed`` says that the rules want somebody in it: nobody is told that it is optional, and refused afterwards.
    """

    def __init__(self, label: str, choices: Sequence[tuple[str, str]], usual: str, *, needed: bool) -> None:
        nobody = gettext("Nobody named: %(usual)s") % {"usual": usual} if usual else gettext("Nobody")
        super().__init__(
            label=label, coerce=UUID, required=False, empty_value=None, choices=choices_of(choices, nobody)
        )
        self.needed = needed


def post_fields(
    posts: Iterable[Post], choices: Sequence[tuple[str, str]], usual: Posts | None = None
) -> dict[str, forms.Field]:
    """A field for every place in these posts, to be filled by one of ``choices`` (id, name), or by nobody.

    ``usual`` says whom the rules put there where nobody is named.
    """
    known, holders = dict(choices), posts_initial(usual or {})
    return {
        name: PostField(label, choices, known.get(holders.get(name, ""), ""), needed=place < post.least)
        for post in posts
        for place, (name, label) in enumerate(_places(post))
    }


def posts_initial(posts: Posts) -> dict[str, str]:
    """What stands in the fields of these posts before anybody touches them."""
    return {_name(post, place): key for post, holders in posts.items() for place, key in enumerate(holders)}


def posts_of(cleaned: Mapping[str, Any]) -> dict[str, tuple[UUID, ...]]:
    """Who shall fill each post, from the form's clean data."""
    filled: dict[str, tuple[UUID, ...]] = {}
    for name, fighter in cleaned.items():
        if name.startswith(POST):
            post = name.removeprefix(POST).partition("/")[0]
            filled[post] = (*filled.get(post, ()), *(() if fighter is None else (fighter,)))
    return filled


def _places(post: Post) -> Iterator[tuple[str, str]]:
    for place in range(post.most):
        yield _name(post.key, place), post.name if post.most == 1 else f"{post.name} {place + 1}"


def _name(post: str, place: int) -> str:
    return f"{POST}{post}" if place == 0 else f"{POST}{post}/{place + 1}"
