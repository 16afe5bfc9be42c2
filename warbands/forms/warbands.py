"""What people fill in about a warband: mustering it, what it buys as a whole, its posts, its
name."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import Maker, area, field_for, form_class, hidden, like, radio
from core.ruleset_forms import POST, form_field, post_fields, posts_of, said
from core.users import Visibility
from rulebook.registry import rulesets
from rulebook.ruleset import Post, Posts
from rulebook.values.fields import Field, nested
from warbands.models import Fighter
from warbands.services.posts import Furnishing
from warbands.services.warbands import CopyTerms, NewWarband, WarbandEdit

PREFIX = "extras."
"""What services call a purchase of the warband as a whole."""
VISIBILITIES = [
    (Visibility.PRIVATE.value, gettext_lazy("Private: you, and the clubs it plays in")),
    (Visibility.UNLISTED.value, gettext_lazy("Unlisted: whoever has the link")),
    (Visibility.PUBLIC.value, gettext_lazy("Public: everybody")),
]


OWN: dict[str, Maker] = {
    "visibility": radio(VISIBILITIES, initial=Visibility.PRIVATE),
    "story": area(5),
}
WarbandForm = form_class(WarbandEdit, PageForm, without=(), **OWN)


class ListForm(PageForm):
    """From which list a warband is that does not exist yet, and whether it is somebody else's."""

    places = {"ruleset": "faction"}
    field_order = ("name", "faction", "kept", "visibility", "story")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["faction"].choices = [*faction_choices()]  # type: ignore[attr-defined]

    @property
    def details(self) -> dict[str, Any]:
        """What the service takes: the list's key stands beside that of its rule system."""
        data = dict(self.cleaned_data)
        data["ruleset"], _, data["faction"] = data["faction"].partition("/")
        return data


MusterForm = form_class(
    NewWarband, ListForm, faction=radio(()), without=("ruleset", "extras"), **OWN
)


def faction_choices() -> Iterator[tuple[str, Any]]:
    """Every list of every rule system, with the name of the system and what it is about."""
    for rules in rulesets():
        for faction in rules.catalogue({})["factions"]:
            about = " · ".join(each for each in (rules.name, faction.get("summary", "")) if each)
            label = format_html("<b>{}</b> <small>{}</small>", faction["name"], about)
            yield f"{rules.key}/{faction['key']}", label


class FurnishForm(PageForm):
    """What the warband buys as a whole, as its rule system asks for it."""

    sequence = field_for(Furnishing, "sequence", hidden(required=True))
    reason = field_for(
        Furnishing,
        "reason",
        like(help_text=gettext_lazy("Needed once the roster is in play; for organisers.")),
    )

    def __init__(self, *args: Any, rules_fields: Iterable[Field], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules_fields = [*rules_fields]
        fields = {PREFIX + field.key: form_field(field) for field in self.rules_fields}
        self.fields = {
            "sequence": self.fields["sequence"],
            **fields,
            "reason": self.fields["reason"],
        }

    def place_of(self, field: str) -> str | None:
        """What is wrong with several things together stands at the first of them."""
        first = next((name for name in self.fields if name.startswith(f"{field}.")), field)
        return super().place_of(first)

    @property
    def extras(self) -> dict[str, Any]:
        """What the service takes. A list in which nothing was ticked is empty, and not left as it
        was."""
        values = {
            field.key: self.cleaned_data.get(PREFIX + field.key) for field in self.rules_fields
        }
        emptied: dict[str, Any] = {
            field.key: [] for field in self.rules_fields if field.kind == "list"
        }
        return nested({**emptied, **said(values)})


class PostsForm(PageForm):
    """Who fills which post of the warband."""

    def __init__(
        self,
        *args: Any,
        fighters: Iterable[Fighter],
        posts: Iterable[Post],
        usual: Posts,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        choices = [(str(row.pk), f"{row.name}, {row.profile_name}") for row in fighters]
        self.fields.update(post_fields(posts, choices, usual))

    def place_of(self, field: str) -> str | None:
        """Services speak of a post by its key."""
        return super().place_of(f"{POST}{field}") or super().place_of(field)

    @property
    def posts(self) -> dict[str, tuple[UUID, ...]]:
        """The posts as the service takes them."""
        return posts_of(self.cleaned_data)


CopyForm = form_class(CopyTerms, PageForm)
