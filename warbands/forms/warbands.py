"""Forms about a warband: creating it, its purchases as a whole, its posts, its details."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.forms.boundfield import BoundWidget
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import Maker, field_for, form_class, hidden, like, radio, story_area
from core.ruleset_forms import POST, filled_values, form_field, post_fields, posts_of
from core.ruleset_words import rules_text
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
    (Visibility.PRIVATE.value, gettext_lazy("Private: you and the clubs it plays in")),
    (Visibility.UNLISTED.value, gettext_lazy("Unlisted: anyone with the link")),
    (Visibility.PUBLIC.value, gettext_lazy("Public: anyone")),
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
    use_required_attribute = False
    """Browsers cannot ask for a list within a folded game; the server asks."""

    def __init__(self, *args: Any, ruleset: str = "", **named: Any) -> None:
        """Offer the lists of every rule system, or of one; its only list is chosen already."""
        super().__init__(*args, **named)
        choices = [*faction_choices(ruleset)]
        self.fields["faction"].choices = choices  # type: ignore[attr-defined]
        if len(choices) == 1:
            ((self.fields["faction"].initial, _),) = choices

    @property
    def games(self) -> Iterator[tuple[str, list[BoundWidget], bool]]:
        """Each rule system's name with its lists, and whether they are unfolded.

        They are if one of them is chosen, and if there is no other system.
        """
        lists = [*self["faction"].subwidgets]
        for rules in rulesets():
            own = [each for each in lists if each.data["value"].startswith(f"{rules.key}/")]
            chosen = any(each.data["selected"] for each in own)
            if own:
                yield rules.name, own, chosen or len(own) == len(lists)

    @property
    def details(self) -> dict[str, Any]:
        """The arguments of the service, which takes the keys of rule system and faction apart."""
        data = dict(self.cleaned_data)
        data["ruleset"], _, data["faction"] = data["faction"].partition("/")
        return data


MusterForm = form_class(
    NewWarband, ListForm, faction=radio(()), without=("ruleset", "extras"), **OWN
)


def faction_choices(ruleset: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every faction of every rule system, or of one, each with a summary."""
    systems = [each for each in rulesets() if each.key == ruleset] or rulesets()
    for rules in systems:
        for faction in rules.catalogue({})["factions"]:
            label = format_html(
                "<b>{}</b> <small>{}</small>",
                rules_text(faction["name"]),
                rules_text(faction.get("summary", "")),
            )
            yield f"{rules.key}/{faction['key']}", label


class FurnishForm(PageForm):
    """The purchases of the warband as a whole, as its rule system asks for them."""

    sequence = field_for(Furnishing, "sequence", hidden(required=True))
    reason = field_for(
        Furnishing,
        "reason",
        like(
            help_text=gettext_lazy(
                "Organisers must give a reason while the warband is in a campaign."
            )
        ),
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
