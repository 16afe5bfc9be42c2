"""What people fill in about a warband: mustering it, what it buys as a whole, its posts, its name."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.ruleset_forms import POST, form_field, post_fields, posts_of, said
from core.users import Visibility
from rulebook.registry import rulesets
from rulebook.ruleset import Post, Posts
from rulebook.values.fields import Field, nested
from warbands.models import Fighter

MAX_STORY = 20_000
PREFIX = "extras."
"""What services call a purchase of the warband as a whole."""
VISIBILITIES = [
    (Visibility.PRIVATE.value, gettext_lazy("Private: you, and the clubs it plays in")),
    (Visibility.UNLISTED.value, gettext_lazy("Unlisted: whoever has the link")),
    (Visibility.PUBLIC.value, gettext_lazy("Public: everybody")),
]


class WarbandForm(PageForm):
    """A warband's name, story and openness."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    visibility = forms.ChoiceField(
        label=gettext_lazy("Who may look"), choices=VISIBILITIES, initial=Visibility.PRIVATE, widget=forms.RadioSelect
    )
    story = forms.CharField(
        label=gettext_lazy("Its story"), max_length=MAX_STORY, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )


class MusterForm(WarbandForm):
    """A warband that does not exist yet: from which list, and whether it is somebody else's."""

    places = {"ruleset": "faction"}
    faction = forms.ChoiceField(label=gettext_lazy("From which list"), widget=forms.RadioSelect)
    kept = forms.BooleanField(
        label=gettext_lazy("It belongs to a player without an account; I only keep it"),
        required=False,
        help_text=gettext_lazy("When the player gets an account, the club's invitation hands it over, or you do."),
    )
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


def faction_choices() -> Iterator[tuple[str, Any]]:
    """Every list of every rule system, with the name of the system and what it is about."""
    for rules in rulesets():
        for faction in rules.catalogue({})["factions"]:
            about = " · ".join(each for each in (rules.name, faction.get("summary", "")) if each)
            label = format_html("<b>{}</b> <small>{}</small>", faction["name"], about)
            yield f"{rules.key}/{faction['key']}", label


class FurnishForm(PageForm):
    """What the warband buys as a whole, as its rule system asks for it."""

    sequence = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Why"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("Needed once the roster is in play; for organisers."),
    )

    def __init__(self, *args: Any, rules_fields: Iterable[Field], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules_fields = [*rules_fields]
        fields = {PREFIX + field.key: form_field(field) for field in self.rules_fields}
        self.fields = {"sequence": self.fields["sequence"], **fields, "reason": self.fields["reason"]}

    def place_of(self, field: str) -> str | None:
        """What is wrong with several things together stands at the first of them."""
        first = next((name for name in self.fields if name.startswith(f"{field}.")), field)
        return super().place_of(first)

    @property
    def extras(self) -> dict[str, Any]:
        """What the service takes. A list in which nothing was ticked is empty, and not left as it was."""
        values = {field.key: self.cleaned_data.get(PREFIX + field.key) for field in self.rules_fields}
        emptied: dict[str, Any] = {field.key: [] for field in self.rules_fields if field.kind == "list"}
        return nested({**emptied, **said(values)})


class PostsForm(PageForm):
    """Who fills which post of the warband."""

    def __init__(
        self, *args: Any, fighters: Iterable[Fighter], posts: Iterable[Post], usual: Posts, **named: Any
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


class CopyForm(PageForm):
    """A copy of a warband, as a draft of one's own."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, required=False, help_text=gettext_lazy("Empty: the same name.")
    )
    starting = forms.BooleanField(
        label=gettext_lazy("As it first set out"),
        required=False,
        help_text=gettext_lazy("Instead of those who are alive today."),
    )
