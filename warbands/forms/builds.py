"""A fighter's build as a form, drawn from a rule system's catalogue: a profile, its options, what they cost."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.html import format_html

from config.pages.forms import PageForm

Entry = Mapping[str, Any]
NUMBERS = ("combat_pool", "initiative", "fight", "shoot")
CARRIED = ("weapons", "armour", "mounts", "barding")


class BuildForm(PageForm):
    """The options of one profile. A custom profile asks for numbers, movement and equipment as well."""

    def __init__(self, *args: Any, catalogue: Entry, faction: Entry, profile: Entry, **named: Any) -> None:
        self.catalogue, self.profile = catalogue, profile
        self.reference = f"{faction['key']}/{profile['key']}"
        self.custom = faction.get("kind") == "custom"
        self.names = item_names(catalogue)
        super().__init__(*args, **named)
        if self.custom:
            self._add_custom_fields()
        if profile.get("choice"):
            self.fields["choice"] = one_of([(key, self.names.get(key, key)) for key in profile["choice"]], "Carries")
        for option in profile.get("options", ()):
            if isinstance(option, Mapping) and option["items"]:
                self.fields[f"options.{option['key']}"] = option_field(option, self._weapons())
        if any(item["key"] == MAGIC for option in profile.get("options", ()) for item in option["items"]):
            spells = [(each["key"], each["name"]) for each in catalogue["spells"]]
            self.fields["spells"] = several_of(spells, "Spells of a Magician")

    def place_of(self, field: str) -> str | None:
        """Services speak of "fighters.0.build.options.weapon"."""
        name = re.sub(r"^(fighters\.\d+\.)?(build\.)?", "", field)
        return super().place_of("kind" if field.endswith("build.name") else name)

    @property
    def build(self) -> dict[str, Any]:
        """The build as the rule system reads it."""
        data = self.cleaned_data
        picked = {name.removeprefix("options."): data[name] for name in self.fields if name.startswith("options.")}
        build: dict[str, Any] = {
            "profile": self.reference,
            "options": {key: picks_of(picks) for key, picks in picked.items() if picks},
        }
        if data.get("spells"):
            build["spells"] = data["spells"]
        if data.get("choice"):
            build["choice"] = data["choice"]
        return build | (self._custom_build() if self.custom else {})

    @property
    def groups(self) -> Iterator[forms.BoundField]:
        """The fields that make the build, in order."""
        return (self[name] for name in self.fields if name in BUILD_FIELDS or name.startswith("options."))

    def _custom_build(self) -> dict[str, Any]:
        data = self.cleaned_data
        told = {
            "name": data["kind"],
            "move": "" if data["move"] == self.profile["move"] else data["move"],
            "characteristics": {key: data[key] for key in NUMBERS if data[key] is not None},
            "equipment": data["equipment"],
        }
        return {key: value for key, value in told.items() if value}

    def _add_custom_fields(self) -> None:
        self.fields["kind"] = forms.CharField(label="What it is", max_length=80, required=False)
        for key in NUMBERS:
            label = key.replace("_", " ").title()
            self.fields[key] = forms.IntegerField(
                label=label, min_value=0, max_value=20, initial=self.profile[key], required=False
            )
        moves = [(each["key"], each["name"]) for each in self.catalogue["movement"] if not each.get("floor")]
        self.fields["move"] = forms.ChoiceField(
            label="Movement", choices=moves, initial=self.profile["move"], required=False
        )
        goods = [(each["key"], priced(each)) for each in self.catalogue["goods"]]
        self.fields["equipment"] = several_of(goods, "Equipment")

    def _weapons(self) -> Sequence[Entry]:
        """The weapons that this profile may come to carry."""
        offered = [item["key"] for option in self.profile["options"] for item in option["items"]]
        reach = {*self.profile["equipment"], *self.profile["choice"], *offered}
        return [each for each in self.catalogue["weapons"] if self.custom or each["key"] in reach]


BUILD_FIELDS = ("kind", *NUMBERS, "move", "equipment", "choice", "spells")
MAGIC = "magician"


def picks_of(picked: str | list[str]) -> list[str]:
    """What was picked of an option line: tick boxes give a list, one choice may say a thing several times."""
    return picked if isinstance(picked, list) else picked.split(",")


def several_times(key: str, labels: Iterable[Any]) -> list[tuple[str, Any]]:
    """One thing that may be taken once or several times: "pistol", "pistol,pistol", each with its label."""
    return [(",".join([key] * many), label) for many, label in enumerate(labels, start=1)]


def times(item: Entry, many: int) -> Any:
    """So many of a thing, and what they cost together."""
    name = item["name"] if many == 1 else f"{many} × {item['name']}"
    return priced({"name": name, "points": item["points"] * many})


def option_field(option: Entry, weapons: Sequence[Entry]) -> forms.Field:
    """The field of one option line: tick boxes where several may be taken, else one choice or none."""
    choices = [*option_choices(option["items"], weapons)]
    label = option["label"]
    if option["most"] > 1 and len(choices) == 1:
        (item,) = option["items"]
        choices = several_times(item["key"], (times(item, many) for many in range(1, option["most"] + 1)))
    elif option["most"] > 1:
        return several_of(choices, label)
    refusal = "No" if len(choices) == 1 else "Nothing of it"
    return one_of([("", kept_label(option, refusal)), *choices], label, required=False)


def kept_label(option: Entry, refusal: str) -> str:
    """What not taking an option is called: an exchange keeps what there was."""
    return "Keep it" if option.get("gives_up") else refusal


def option_choices(items: Iterable[Entry], weapons: Sequence[Entry]) -> Iterator[tuple[str, Any]]:
    """Each pick with its price. What goes with a weapon stands once for each weapon of its kind."""
    for item in items:
        kind = item.get("weapon")
        fitting = [each for each in weapons if each.get("kind") == kind] if kind else []
        if not fitting:
            yield item["key"], priced(item)
        for weapon in fitting:
            named = {"name": f"{item['name']} ({weapon['name'].lower()})", "points": item["points"]}
            yield f"{item['key']}:{weapon['key']}", priced(named)


def priced(item: Entry) -> Any:
    """A thing's name and what it costs."""
    points = item.get("points", 0)
    return format_html('{}<span class="price">{}</span>', item["name"], f"+{points}" if points else "free")


def one_of(choices: Sequence[tuple[str, Any]], label: str, *, required: bool = True) -> forms.Field:
    """Radio buttons, the first one set."""
    return forms.ChoiceField(
        label=label, choices=choices, initial=choices[0][0], required=required, widget=forms.RadioSelect
    )


def several_of(choices: Sequence[tuple[str, Any]], label: str) -> forms.Field:
    """Tick boxes."""
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)


def item_names(catalogue: Entry) -> dict[str, str]:
    """What people call each thing to carry, by its key."""
    return {each["key"]: each["name"] for kind in CARRIED for each in catalogue.get(kind, ())}


def build_initial(build: Mapping[str, Any]) -> dict[str, Any]:
    """What a form shows of a build that exists."""
    options = build.get("options", {})
    shown = {f"options.{key}": picks for key, picks in options.items()} if isinstance(options, Mapping) else {}
    single = {name: ",".join(picks) if len(set(picks)) == 1 else picks for name, picks in shown.items()}
    custom = {key: build.get(key) for key in ("equipment", "move", "spells")} | {"kind": build.get("name", "")}
    numbers = build.get("characteristics", {})
    return {
        **single,
        **numbers,
        **{key: value for key, value in custom.items() if value},
        "choice": build.get("choice"),
    }
