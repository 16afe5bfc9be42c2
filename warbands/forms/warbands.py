"""What people fill in about a warband: mustering it, what it buys as a whole, its posts, its name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.utils.html import format_html

from config.pages.forms import PageForm, choices_of
from config.pages.posts import POST, post_fields, posts_of
from rulebook.registry import rulesets
from rulebook.ruleset import Post
from warbands.models import Fighter, Visibility

MOST_STORY = 20_000
MOST_GUNS = 6
VISIBILITIES = [
    (Visibility.PRIVATE.value, "Private: you, and the clubs it plays in"),
    (Visibility.UNLISTED.value, "Unlisted: whoever has the link"),
    (Visibility.PUBLIC.value, "Public: everybody"),
]


class WarbandForm(PageForm):
    """A warband's name, story and openness."""

    name = forms.CharField(max_length=100)
    visibility = forms.ChoiceField(
        label="Who may look", choices=VISIBILITIES, initial=Visibility.PRIVATE, widget=forms.RadioSelect
    )
    story = forms.CharField(
        label="Its story", max_length=MOST_STORY, required=False, widget=forms.Textarea(attrs={"rows": 5})
    )


class MusterForm(WarbandForm):
    """A warband that does not exist yet: from which list, and whether it is somebody else's."""

    places = {"ruleset": "faction"}
    faction = forms.ChoiceField(label="From which list", widget=forms.RadioSelect)
    kept = forms.BooleanField(
        label="It belongs to a player without an account; I only keep it",
        required=False,
        help_text="When the player gets an account, the club's invitation hands it over, or you do.",
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
    """Every list of every rule system, with what it is about."""
    for rules in rulesets():
        for faction in rules.catalogue({})["factions"]:
            label = format_html("<b>{}</b> <small>{}</small>", faction["name"], faction.get("summary", ""))
            yield f"{rules.key}/{faction['key']}", label


class FurnishForm(PageForm):
    """What the warband buys as a whole, drawn from its list: banner, Morale, guns, warband type."""

    sequence = forms.IntegerField(widget=forms.HiddenInput)
    reason = forms.CharField(
        label="Why", max_length=300, required=False, help_text="Needed once the roster is in play; for organisers."
    )

    def __init__(
        self, *args: Any, faction: Mapping[str, Any], catalogue: Mapping[str, Any], extras: Mapping[str, Any],
        **named: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **named)
        self.extras_before = extras
        self.guns = list(faction.get("ordnance", ()))
        fields = {**_banner(faction, extras), **_morale(faction, extras), **_template(faction, catalogue, extras)}
        fields |= {f"gun.{key}": _gun(key, catalogue, extras) for key in self.guns}
        self.fields = {"sequence": self.fields["sequence"], **fields, "reason": self.fields["reason"]}

    def place_of(self, field: str) -> str | None:
        """Services speak of "extras.banner"; guns as a whole are shown at the first of them."""
        name = field.removeprefix("extras.")
        return super().place_of(f"gun.{self.guns[0]}" if name == "ordnance" and self.guns else name)

    @property
    def extras(self) -> dict[str, Any]:
        """What the service takes. Guns that stay keep their crews."""
        data = self.cleaned_data
        told: dict[str, Any] = {key: data[key] for key in ("banner", "template") if data.get(key)}
        if data.get("morale"):
            told["morale"] = int(data["morale"])
        ordnance = [gun for key in self.guns for gun in self._guns(key, data[f"gun.{key}"] or 0)]
        return told | ({"ordnance": ordnance} if ordnance else {})

    def _guns(self, key: str, count: int) -> list[Any]:
        kept = [gun for gun in self.extras_before.get("ordnance", ()) if gun["gun"] == key][:count]
        return [*kept, *({"gun": key} for _ in range(count - len(kept)))]


def _banner(faction: Mapping[str, Any], extras: Mapping[str, Any]) -> dict[str, forms.Field]:
    if not faction.get("banner"):
        return {}
    return {"banner": forms.BooleanField(label="A banner", required=False, initial=bool(extras.get("banner")))}


def _morale(faction: Mapping[str, Any], extras: Mapping[str, Any]) -> dict[str, forms.Field]:
    choices = faction.get("morale_choices", ())
    if len(choices) < 2:
        return {}
    shown = extras.get("morale") or faction["morale"]
    return {
        "morale": forms.ChoiceField(label="Morale", choices=[(str(each), each) for each in choices], initial=str(shown))
    }


def _template(
    faction: Mapping[str, Any], catalogue: Mapping[str, Any], extras: Mapping[str, Any]
) -> dict[str, forms.Field]:
    if faction.get("kind") != "custom":
        return {}
    templates = [(each["key"], each["name"]) for each in catalogue["customisation"]["templates"]]
    field = forms.ChoiceField(
        label="Warband type", choices=choices_of(templates, "Either"), initial=extras.get("template"), required=False
    )
    return {"template": field}


def _gun(key: str, catalogue: Mapping[str, Any], extras: Mapping[str, Any]) -> forms.Field:
    gun = next(each for each in catalogue["ordnance"] if each["key"] == key)
    bought = sum(1 for each in extras.get("ordnance", ()) if each["gun"] == key)
    return forms.IntegerField(
        label=f"{gun['name']} ({gun['points']} points each)",
        min_value=0, max_value=MOST_GUNS, initial=bought, required=False,
    )  # fmt: skip


class PostsForm(PageForm):
    """Who fills which post of the warband."""

    def __init__(self, *args: Any, fighters: Iterable[Fighter], posts: Iterable[Post], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(row.pk), f"{row.name}, {row.profile_name}") for row in fighters]
        self.fields.update(post_fields(posts, choices))

    def place_of(self, field: str) -> str | None:
        """Services speak of a post by its key."""
        return super().place_of(f"{POST}{field}") or super().place_of(field)

    @property
    def posts(self) -> dict[str, tuple[UUID, ...]]:
        """The posts as the service takes them."""
        return posts_of(self.cleaned_data)


class HandOverForm(PageForm):
    """Whose a warband is that was kept for somebody."""

    player = forms.CharField(
        label="The player's account", max_length=150, help_text="The name that it signs in with, in one of your clubs."
    )


class CopyForm(PageForm):
    """A copy of a warband, as a draft of one's own."""

    name = forms.CharField(max_length=100, required=False, help_text="Empty: the same name.")
    starting = forms.BooleanField(
        label="As it first set out", required=False, help_text="Instead of those who are alive today."
    )
