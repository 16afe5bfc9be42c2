"""One declaration per input: what it lets pass, what it refuses, and that pages and the API
agree."""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from importlib import import_module, util
from pkgutil import iter_modules
from types import ModuleType, SimpleNamespace
from typing import Annotated, Any
from uuid import UUID

import pytest
from django import forms
from django.db import models
from msgspec import UNSET, Struct, UnsetType
from rest_framework import serializers

from campaigns.models import Method, Round
from core.api.inputs import serializer_class
from core.errors import InvalidInput
from core.forms import PageForm
from core.input_forms import area, chosen, form_class, hidden, like, radio, ticks
from core.inputs import Input, column, field, fields_of, parse, validate, validate_fields
from scripts.packages import APPS

SOME_ID = UUID("5b0d8f0a-1d4b-4f40-9a9e-7a2c0c1d9f10")


class Colour(StrEnum):
    """Of a tent."""

    RED = "red"
    BLUE = "blue"


class Peg(Input, frozen=True, kw_only=True, rename={"owner_id": "owner"}):
    """A part of a tent."""

    owner_id: UUID
    length: Annotated[int, field("Length", ge=1, le=9)]


class Tent(Input, frozen=True, kw_only=True):
    """Somewhere to sleep."""

    name: Annotated[str, field("Name", "On the flag.", min_length=1, max_length=10, line=True)]
    colour: Annotated[Colour, field("Colour")] = Colour.RED
    method: Annotated[Method, field("Method", api="Of pitching.")] = Method.SWISS
    beds: Annotated[int, field("Beds", ge=1, le=4)] = 2
    price: Annotated[int | None, field("Price", ge=1, le=100)] = None
    version: Annotated[int | None, field(ge=1, null=False)] = None
    pitched: Annotated[date | None, field("Pitched on")] = None
    dry: Annotated[bool, field("Dry")] = False
    story: Annotated[str, field("Story", max_length=20)] = ""
    guests: Annotated[tuple[UUID, ...], field("Guests", max_length=2)] = ()
    words: Annotated[tuple[Annotated[str, field(max_length=3)], ...], field()] = ()
    pegs: tuple[Peg, ...] = ()
    spare: Peg | UnsetType = UNSET


def problems_of(error: InvalidInput) -> list[tuple[str, str]]:
    """Return the field and the code of each problem."""
    return [(problem.field, problem.code) for problem in error.problems]


def refused(values: Struct) -> list[tuple[str, str]]:
    """Return the problems found by ``validate``."""
    with pytest.raises(InvalidInput) as caught:
        validate(values)
    return problems_of(caught.value)


def test_validate_cleans_texts():
    tent = validate(Tent(name="  The \n Swan ", story=" one\ntwo "))
    assert (tent.name, tent.story) == ("The Swan", "one\ntwo")


def test_validate_names_every_problem():
    wrong = Tent(name=" ", beds=5, price=0, story="x" * 21, guests=(SOME_ID,) * 3)
    assert refused(wrong) == [
        ("name", "too-short"),
        ("beds", "out-of-range"),
        ("price", "out-of-range"),
        ("story", "too-long"),
        ("guests", "too-long"),
    ]


def test_validate_refuses_what_nobody_can_store_or_see():
    assert refused(Tent(name="a\0", story="\u200b")) == [
        ("name", "unstorable-text"),
        ("story", "invisible-text"),
    ]


def test_validate_names_the_whole_path():
    pegs = (Peg(owner_id=SOME_ID, length=3), Peg(owner_id=SOME_ID, length=10))
    assert refused(Tent(name="Swan", words=("yes", "maybe"), pegs=pegs, spare=pegs[1])) == [
        ("words.1", "too-long"),
        ("pegs.1.length", "out-of-range"),
        ("spare.length", "out-of-range"),
    ]


def test_validate_lets_bounds_and_defaults_pass():
    tent = Tent(name="Swan567890", beds=4, price=100, words=("yes",), guests=(SOME_ID, SOME_ID))
    assert validate(tent) == tent
    assert validate(Tent(name="S", beds=1, price=None)).price is None


def test_one_problem_is_refused_as_cleaning_does():
    with pytest.raises(InvalidInput) as caught:
        validate(Tent(name="Swan", beds=5))
    assert (caught.value.code, caught.value.field) == ("out-of-range", "beds")
    assert caught.value.sentence == "Enter a number from 1 to 4, not 5."
    assert caught.value.problems[0].value == "5"


def test_unknown_choice_is_refused_by_name():
    with pytest.raises(InvalidInput) as caught:
        validate_fields(Tent, {"colour": "green", "beds": 0, "name": " a  b "})
    assert problems_of(caught.value) == [("colour", "unknown-choice"), ("beds", "out-of-range")]
    assert caught.value.sentence == "“green” is not valid. Use one of: red, blue."


def test_validate_fields_returns_what_was_named():
    assert validate_fields(Tent, {"name": " a  b ", "colour": "blue"}) == {
        "name": "a b",
        "colour": "blue",
    }
    assert validate_fields(Tent, {"beds": 9}, beds=lambda name, value: f"{name}={value}") == {
        "beds": "beds=9"
    }


def test_parse_reads_types():
    sent = {
        "name": "Swan",
        "method": "ladder",
        "pitched": "2030-01-31",
        "guests": [str(SOME_ID), SOME_ID],
        "pegs": [{"owner": str(SOME_ID), "length": 3}, {"owner_id": SOME_ID, "length": 4}],
        "nobody": "asked",
    }
    tent = parse(Tent, sent)
    assert (tent.method, tent.pitched, tent.guests) == (
        Method.LADDER,
        date(2030, 1, 31),
        (SOME_ID, SOME_ID),
    )
    assert tent.pegs == (Peg(owner_id=SOME_ID, length=3), Peg(owner_id=SOME_ID, length=4))
    assert tent.spare is UNSET


def test_parse_takes_the_default_for_what_a_form_left_blank():
    blank = {
        "name": "Swan",
        "colour": "",
        "beds": None,
        "price": None,
        "pitched": None,
        "story": "",
        "version": None,
    }
    assert parse(Tent, blank) == Tent(name="Swan")


def test_parse_names_every_problem():
    sent = {
        "colour": "green",
        "beds": "many",
        "pitched": "someday",
        "guests": "all",
        "pegs": [{"length": 3}, 7],
    }
    with pytest.raises(InvalidInput) as caught:
        parse(Tent, sent)
    assert problems_of(caught.value) == [
        ("name", "required"),
        ("colour", "unknown-choice"),
        ("beds", "invalid"),
        ("pitched", "invalid"),
        ("guests", "invalid"),
        ("pegs.0.owner", "required"),
        ("pegs.1", "invalid"),
    ]


def test_serializer_has_the_declared_bounds():
    fields = serializer_class(Tent)().fields
    assert (fields["name"].required, fields["name"].max_length, fields["name"].allow_blank) == (
        True,
        10,
        False,
    )
    assert fields["name"].help_text == "On the flag."
    assert fields["story"].allow_blank
    assert (fields["beds"].min_value, fields["beds"].max_value, fields["beds"].allow_null) == (
        1,
        4,
        False,
    )
    assert fields["price"].allow_null
    assert not fields["version"].allow_null
    assert fields["method"].choices == dict(Method.choices)
    assert fields["method"].help_text == "Of pitching."
    assert fields["guests"].max_length == 2
    assert isinstance(fields["guests"].child, serializers.UUIDField)
    assert fields["spare"].fields["owner"].source == "owner_id"
    assert [name for name, each in fields.items() if each.required] == ["name"]


def test_serializer_refuses_with_the_whole_path():
    sent = {
        "name": "Swan",
        "pegs": [{"owner": str(SOME_ID), "length": 3}, {"owner": "me", "length": 10, "x": 1}],
    }
    serializer = serializer_class(Tent)(data=sent)
    assert not serializer.is_valid()
    assert {*serializer.errors["pegs"][1]} == {"owner", "length", "x"}


def test_what_the_serializer_lets_pass_is_the_input():
    sent = {
        "name": "Swan",
        "pegs": [{"owner": str(SOME_ID), "length": 3}],
        "guests": [str(SOME_ID)],
    }
    serializer = serializer_class(Tent)(data=sent)
    serializer.is_valid(raise_exception=True)
    expected = Tent(name="Swan", pegs=(Peg(owner_id=SOME_ID, length=3),), guests=(SOME_ID,))
    assert validate(parse(Tent, serializer.validated_data)) == expected


TentForm = form_class(
    Tent,
    PageForm,
    colour=radio([("red", "Red"), ("blue", "Blue")]),
    beds=like(initial=3),
    story=area(4),
    version=hidden(required=True),
    guests=ticks(),
    seen=forms.BooleanField(required=False),
    without=("words", "pegs", "spare"),
)


def test_form_has_the_declared_words_and_bounds():
    fields = TentForm().fields
    assert [*fields] == [
        *(
            "name",
            "colour",
            "method",
            "beds",
            "price",
            "version",
            "pitched",
            "dry",
            "story",
            "guests",
            "seen",
        ),
    ]
    assert (fields["name"].label, fields["name"].help_text) == ("Name", "On the flag.")
    assert (fields["name"].max_length, fields["name"].required) == (10, True)
    assert (fields["beds"].min_value, fields["beds"].max_value, fields["beds"].initial) == (1, 4, 3)
    assert [name for name, each in fields.items() if each.required] == [
        "name",
        "colour",
        "method",
        "beds",
        "version",
    ]
    assert isinstance(fields["version"].widget, forms.HiddenInput)
    assert isinstance(fields["colour"].widget, forms.RadioSelect)
    assert isinstance(fields["guests"].widget, forms.CheckboxSelectMultiple)
    assert fields["method"].choices == Method.choices


def test_what_the_form_lets_pass_is_the_input():
    form = TentForm(
        {"name": "Swan", "colour": "blue", "method": "ladder", "beds": "4", "version": "1"}
    )
    assert form.is_valid(), form.errors
    expected = Tent(name="Swan", colour=Colour.BLUE, method=Method.LADDER, beds=4, version=1)
    assert parse(Tent, form.cleaned_data) == expected


def test_form_shows_a_problem_under_the_name_of_the_api():
    form = form_class(Peg, PageForm, owner_id=chosen())({})
    assert form.place_of("owner") == "owner_id"


def test_column_has_the_bound_of_the_model():
    words = (column(Round, "name", "Name").extra or {})["words"]
    assert (words.max_length, words.label) == (60, "Name")


def test_unknown_word_of_a_declaration_is_refused():
    with pytest.raises(TypeError):
        field("Name", longest=3)


def modules() -> Iterator[ModuleType]:
    """Yield the modules of all apps with forms and serializers."""
    for package in (f"{app}.{name}" for app in APPS for name in ("forms", "api")):
        if util.find_spec(package) is not None:
            module = import_module(package)
            yield module
            for inner in iter_modules(getattr(module, "__path__", ())):
                yield import_module(f"{package}.{inner.name}")


def declared_forms() -> set[type[PageForm]]:
    """Return every form of a page that was made from an input."""
    values = [value for module in modules() for value in vars(module).values()]
    return {
        each
        for each in values
        if isinstance(each, type) and issubclass(each, PageForm) and hasattr(each, "input")
    }


def bounds_of(each: Any) -> dict[str, Any]:
    """Return the bounds of a field of a form or a serializer."""
    names = ("max_length", "min_value", "max_value")
    return {name: getattr(each, name, None) for name in names}


def test_forms_and_api_have_the_same_bounds():
    """Also those fields that a form makes itself."""
    compared = []
    for form in declared_forms():
        declared, taken = fields_of(form.input), serializer_class(form.input)().fields
        for name, own in form.base_fields.items():
            if name in declared and not isinstance(own, forms.ChoiceField):
                assert bounds_of(own) == bounds_of(taken[declared[name].key]), (form, name)
                compared.append(name)
    assert len(compared) > 30


class TentWithMotto(Tent, frozen=True, kw_only=True):
    """A tent with one more field."""

    motto: Annotated[
        str | UnsetType, field("Motto", "In any language.", max_length=12, line=True)
    ] = UNSET


def test_one_line_adds_a_field_everywhere():
    taken = serializer_class(TentWithMotto)().fields["motto"]
    without = ("guests", "words", "pegs", "spare")
    own = form_class(TentWithMotto, PageForm, without=without)().fields["motto"]
    assert (taken.max_length, taken.required, taken.help_text) == (12, False, "In any language.")
    assert (own.max_length, own.required) == (12, False)
    assert (own.label, own.help_text) == ("Motto", "In any language.")
    assert refused(TentWithMotto(name="Swan", motto="Honi soit qui mal y pense")) == [
        ("motto", "too-long")
    ]
    assert validate(TentWithMotto(name="Swan", motto=" Per  aspera ")).motto == "Per aspera"
    assert validate(TentWithMotto(name="Swan")).motto is UNSET


class TentWithSite(Tent, frozen=True, kw_only=True):
    """A tent with a web address."""

    website: Annotated[str, field("Website", max_length=60, address=True)] = ""


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "swan", "//x.y"])
def test_a_web_address_is_http_or_https(address):
    assert refused(TentWithSite(name="Swan", website=address)) == [("website", "not-a-web-address")]
    without = ("guests", "words", "pegs", "spare")
    form = form_class(TentWithSite, PageForm, without=without)
    assert isinstance(form().fields["website"], forms.URLField)
    good = TentWithSite(name="Swan", website=" https://swan.example ")
    assert validate(good).website == "https://swan.example"
    assert validate(TentWithSite(name="Swan")).website == ""


def test_a_column_of_addresses_takes_addresses_only():
    meta = SimpleNamespace(get_field={"site": models.URLField(max_length=90)}.__getitem__)
    inn: Any = SimpleNamespace(_meta=meta)
    words = column(inn, "site", "Site").extra["words"]
    assert (words.address, words.max_length) == (True, 90)
