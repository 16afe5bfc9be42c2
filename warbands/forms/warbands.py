"""Forms about a warband: creating it, its purchases as a whole, its posts, its details."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import Maker, field_for, form_class, hidden, like, radio, story_area
from core.ruleset_forms import POST, filled_values, form_field, post_fields, posts_of
from core.users import Visibility
from rulebook.registry import rulesets
from rulebook.ruleset import Post, Posts
from rulebook.values.fields import Field, nested
from warbands.models import Fighter
from warbands.services.posts import Furnishing
from warbands.services.warbands import CopyTerms, NewWarband, WarbandEdit

PREFIX = "extras."
"""The prefix that services give to purchases of the warband as a whole."""
VISIBILITIES = [
    (Visibility.PRIVATE.value, gettext_lazy("Private: you, and the clubs it plays in")),
    (Visibility.UNLISTED.value, gettext_lazy("Unlisted: whoever has the link")),
    (Visibility.PUBLIC.value, gettext_lazy("Public: everybody")),
]


OWN: dict[str, Maker] = {
    "visibility": radio(VISIBILITIES, initial=Visibility.PRIVATE),
    "story": story_area(5),
}
WarbandForm = form_class(WarbandEdit, PageForm, without=(), **OWN)


class ListForm(PageForm):
    """The faction of a new warband, and whether it belongs to another player."""

    places = {"ruleset": "faction"}
    field_order = ("name", "faction", "kept", "visibility", "story")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["faction"].choices = [*faction_choices()]  # type: ignore[attr-defined]

    @property
    def details(self) -> dict[str, Any]:
        """The arguments of the service, which takes the keys of rule system and faction apart."""
        data = dict(self.cleaned_data)
        data["ruleset"], _, data["faction"] = data["faction"].partition("/")
        return data


MusterForm = form_class(
    NewWarband, ListForm, faction=radio(()), without=("ruleset", "extras"), **OWN
)


def faction_choices() -> Iterator[tuple[str, Any]]:
    """Yield every faction of every rule system, with the system's name and a summary."""
    for rules in rulesets():
        for faction in rules.catalogue({})["factions"]:
            about = " · ".join(each for each in (rules.name, faction.get("summary", "")) if each)
            label = format_html("<b>{}</b> <small>{}</small>", faction["name"], about)
            yield f"{rules.key}/{faction['key']}", label


class FurnishForm(PageForm):
    """The purchases of the warband as a whole, as its rule system asks for them."""

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
        """Return the form's field for an error; one about several fields belongs to the first."""
        first = next((name for name in self.fields if name.startswith(f"{field}.")), field)
        return super().place_of(first)

    @property
    def extras(self) -> dict[str, Any]:
        """The argument of the service. A list with nothing ticked is empty, not unchanged."""
        values = {
            field.key: self.cleaned_data.get(PREFIX + field.key) for field in self.rules_fields
        }
        emptied: dict[str, Any] = {
            field.key: [] for field in self.rules_fields if field.kind == "list"
        }
        return nested({**emptied, **filled_values(values)})


class PostsForm(PageForm):
    """The holders of the warband's posts."""

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
        """Return the form's field for an error; services name a post by its key."""
        return super().place_of(f"{POST}{field}") or super().place_of(field)

    @property
    def posts(self) -> dict[str, tuple[UUID, ...]]:
        """The argument of the service: the holders of each post."""
        return posts_of(self.cleaned_data)


CopyForm = form_class(CopyTerms, PageForm)
