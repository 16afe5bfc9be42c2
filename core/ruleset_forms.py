"""Form fields for the fields and roles of a rule system, which read values as the rules do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.datastructures import MultiValueDict
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import replace

from core.forms import choices_of
from core.ruleset_words import rules_text
from rulebook.ruleset import Post, Posts
from rulebook.values.fields import (
    LONGEST,
    TRUE,
    Field,
    Purchase,
    UnreadableValue,
    as_text,
    read_value,
)

ONE_OF_SEVERAL = frozenset({"combatant", "side", "group", "choice", "numbers", "picks"})
YES_OR_NO = (("true", _("Yes")), ("false", _("No")))
MAX_DICE_TEXT = 60
NOTHING = "–"

People = Mapping[str, Sequence[tuple[str, Any]]]
"""The choices of fields that depend on the battle, by the kind of field."""

without_nul = ProhibitNullCharactersValidator()


class RulesField(forms.Field):
    """A form field for a ``Field``. An empty field is None, or False for a flag."""

    def __init__(self, field: Field, widget: forms.Widget, **kwargs: Any) -> None:
        self.rules_field = field
        common = {
            "label": field.label,
            "help_text": field.help,
            "required": field.required and field.kind != "flag",
        }
        super().__init__(widget=widget, **{**common, **kwargs})

    def prepare_value(self, value: Any) -> Any:
        """Return a value as the widget shows it: a list for checkboxes, a text for others."""
        if getattr(self.widget, "allow_multiple_selected", False):
            return value.split(",") if isinstance(value, str) else value
        return as_text(value) if isinstance(value, (list, tuple, dict)) else value

    def clean(self, value: Any) -> Any:
        """Return the value as the rules read it. Raises ValidationError with the expected input."""
        text = as_text(value)
        without_nul(text)
        if self.rules_field.kind == "flag":
            return text in TRUE
        if not text:
            self.validate(text)
            return None
        try:
            return _plain(read_value(self.rules_field, text))
        except UnreadableValue as error:
            raise forms.ValidationError(
                gettext("Enter %(wanted)s.") % {"wanted": rules_text(error.expected)},
                code=error.code,
            ) from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether the value differs from the initial one."""
        before, after = (as_text(each) if is_filled(each) else "" for each in (initial, data))
        return before != after

    @property
    def choices(self) -> Sequence[tuple[str, Any]]:
        """The choices of the field."""
        return self.rules_field.choices

    @property
    def offers(self) -> bool:
        """Return whether the field offers choices."""
        return self.rules_field.kind in ONE_OF_SEVERAL or self.rules_field.kind == "list"

    @property
    def measure(self) -> str:
        """The unit of a length, or "" if the label already names it."""
        return (
            ""
            if self.rules_field.measure.lower() in self.rules_field.label.lower()
            else self.rules_field.measure
        )

    @property
    def folds(self) -> bool:
        """Return whether the field is large, so that it is only shown on demand."""
        return self.rules_field.kind == "map"


class AddressField(RulesField):
    """A field of a form that is sent as a query string. The rule system checks its value."""

    def __init__(self, field: Field, widget: forms.Widget) -> None:
        super().__init__(field, widget, required=False)

    def clean(self, value: Any) -> Any:
        """Return the value unchanged. Raises ValidationError if it contains NUL."""
        without_nul(as_text(value))
        return value


class CheckBox(forms.CheckboxInput):
    """A checkbox with the value "true", which also accepts the values that scripts send."""

    def format_value(self, value: Any) -> str:
        """Return the value of the checkbox."""
        return "true"

    def value_from_datadict(
        self, data: Mapping[str, Any], files: MultiValueDict[str, Any], name: str
    ) -> bool:
        """Return whether the box is ticked."""
        return as_text(data.get(name)).lower() in TRUE


def form_field(
    field: Field, people: People | None = None, *, tiles: bool = False, empty: str = NOTHING
) -> RulesField:
    """Return the form field for a field of the rules.

    ``tiles`` shows all choices at once instead of in a select. ``empty`` is the label of the tile
    that chooses nothing.
    """
    field = translated(field)
    choices = offered(field, people or {})
    if field.kind == "group" and not choices:
        # If no table lists the groups, the user types the key of a group.
        field = replace(field, kind="text")
    initial: Any = as_text(field.default) or None
    widget: forms.Widget
    if field.kind in ONE_OF_SEVERAL or (field.kind == "number" and choices):
        if tiles and field.kind != "combatant":
            shown = with_nothing(choices, "" if field.required or initial else empty)
            initial = initial or ("" if any(key == "" for key, _ in shown) else None)
            widget = forms.RadioSelect(choices=shown)
        else:
            widget = forms.Select(choices=with_nothing(choices, "" if initial else NOTHING))
    elif field.kind == "flag":
        widget, initial = CheckBox(), as_text(field.default) in TRUE or None
    else:
        widget = typed_widget(field, choices)
        initial = initial.split(",") if initial and field.kind == "list" else initial
    return RulesField(replace(field, choices=tuple(flat(choices))), widget, initial=initial)


def translated(field: Field) -> Field:
    """Return the field with its label, help and choices in the active language."""
    return replace(
        field,
        label=rules_text(field.label),
        help=rules_text(field.help),
        choices=tuple((key, rules_text(label)) for key, label in field.choices),
    )


def is_filled(value: Any) -> bool:
    """Return whether a value is not empty. An unticked box is empty."""
    return value is not None and value is not False and value not in ("", [], ())


def filled_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not empty."""
    return {key: value for key, value in values.items() if is_filled(value)}


def address_field(field: Field) -> AddressField:
    """Return the field for a form that is sent as a query string.

    A flag that is ticked by default becomes a select, because an unticked box is not sent.
    """
    field = translated(field)
    if field.kind in ONE_OF_SEVERAL:
        return AddressField(field, forms.Select(choices=field.choices))
    if field.kind == "flag":
        return AddressField(
            field, forms.Select(choices=YES_OR_NO) if field.default == "true" else CheckBox()
        )
    return AddressField(field, typed_widget(field, field.choices))


def typed_widget(field: Field, choices: Sequence[tuple[str, Any]]) -> forms.Widget:
    """Return the widget of a field that is typed, or of a list of checkboxes."""
    match field.kind:
        case "list" if choices:
            return forms.CheckboxSelectMultiple(choices=choices)
        case "number" | "length":
            way = ("numeric", None) if field.kind == "number" else ("decimal", "any")
            attributes = {
                "min": field.least,
                "max": field.most,
                "inputmode": way[0],
                "step": way[1],
            }
            return forms.NumberInput(
                attrs={name: value for name, value in attributes.items() if value is not None}
            )
        case "map":
            return forms.Textarea(attrs={"rows": 2, "spellcheck": "false"})
        case "dice":
            return forms.TextInput(
                attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": MAX_DICE_TEXT}
            )
    return forms.TextInput(attrs={"maxlength": field.most or LONGEST})


def offered(field: Field, people: People) -> Sequence[tuple[str, Any]]:
    """Return the choices of a field: its own, with prices, else those of its kind."""
    if isinstance(field, Purchase):
        return [(key, priced(label, field.prices.get(key))) for key, label in field.choices]
    return field.choices or people.get(field.kind, ())


def priced(label: str, points: int | None) -> str:
    """Return a label with the price, if the price is known."""
    if points is None:
        return label
    return format_html('{}<span class="price">{}</span>', label, f"+{points}" if points else "free")


def flat(choices: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, str]]:
    """Yield the choices without their groups."""
    for key, label in choices:
        if isinstance(label, (list, tuple)):
            yield from label
        else:
            yield key, label


def with_nothing(choices: Sequence[tuple[str, Any]], empty: str) -> list[tuple[str, Any]]:
    """Return choices for a select, with an empty one first.

    No empty choice is added if there is one already, or if ``empty`` has no label.
    """
    has_empty = not empty or any(key == "" for key, _ in choices)
    return [*([] if has_empty else [("", empty)]), *choices]


def _plain(value: Any) -> Any:
    """Return a value as JSON stores it: tuples as lists, whole floats as integers."""
    if isinstance(value, tuple):
        return list(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


POST = "post."


class PostField(forms.TypedChoiceField):
    """A place in a warband role, which may be left to the roster.

    ``needed`` is whether the rules require a fighter in it. A page must not call such a place
    optional and refuse it later.
    """

    def __init__(
        self, label: str, choices: Sequence[tuple[str, str]], usual: str, *, needed: bool
    ) -> None:
        nobody = (
            gettext("Nobody (default: %(usual)s)") % {"usual": usual}
            if usual
            else gettext("Nobody")
        )
        super().__init__(
            label=label,
            coerce=UUID,
            required=False,
            empty_value=None,
            choices=choices_of(choices, nobody),
        )
        self.needed = needed


def post_fields(
    posts: Iterable[Post], choices: Sequence[tuple[str, str]], usual: Posts | None = None
) -> dict[str, forms.Field]:
    """Return a field for every place in these roles. The choices are (id, name), or nobody.

    ``usual`` has the fighters that the rules put into places left empty.
    """
    names, holders = dict(choices), posts_initial(usual or {})
    return {
        name: PostField(
            label, choices, names.get(holders.get(name, ""), ""), needed=place < post.least
        )
        for post in posts
        for place, (name, label) in enumerate(_places(post))
    }


def posts_initial(posts: Posts) -> dict[str, str]:
    """Return the initial values of the fields of these roles."""
    return {
        _name(post, place): key
        for post, holders in posts.items()
        for place, key in enumerate(holders)
    }


def posts_of(cleaned: Mapping[str, Any]) -> dict[str, tuple[UUID, ...]]:
    """Return the fighters for each role from the form's clean data."""
    filled: dict[str, tuple[UUID, ...]] = {}
    for name, fighter in cleaned.items():
        if name.startswith(POST):
            post = name.removeprefix(POST).partition("/")[0]
            filled[post] = (*filled.get(post, ()), *(() if fighter is None else (fighter,)))
    return filled


def _places(post: Post) -> Iterator[tuple[str, str]]:
    for place in range(post.most):
        name = rules_text(post.name)
        yield _name(post.key, place), name if post.most == 1 else f"{name} {place + 1}"


def _name(post: str, place: int) -> str:
    return f"{POST}{post}" if place == 0 else f"{POST}{post}/{place + 1}"
