"""Fields of the rules on pages: drawn by their kind, read as the rules read them, the same in every
form."""

from typing import Any

import pytest
from django import forms
from django.http import QueryDict
from django.template import Context, Template

from core.ruleset_forms import RulesField, address_field, filled_values, form_field
from rulebook.values.fields import Field

AB = (("a", "Alpha"), ("b", "Beta"))
PEOPLE: dict[str, Any] = {
    "combatant": [("Reds", [("1", "Ann"), ("2", "Ben")])],
    "side": [("red", "Reds"), ("blue", "Blues")],
    "list": [("Reds", [("1", "Ann"), ("2", "Ben")])],
}


def form_of(*fields: RulesField, data: str | None = None) -> forms.Form:
    form = forms.Form(QueryDict(data) if data is not None else None)
    for number, field in enumerate(fields):
        form.fields[f"x{number}" if number else "x"] = field
    return form


def drawn(field: RulesField, data: str | None = None) -> str:
    return Template("{% load muster %}{% field form.x %}").render(
        Context({"form": form_of(field, data=data)})
    )


def value(field: Field, data: str):
    form = form_of(form_field(field, PEOPLE), data=data)
    assert form.is_valid(), form.errors
    return form.cleaned_data["x"]


@pytest.mark.parametrize(
    ("field", "data", "read"),
    [
        (Field("x", "X", "combatant"), "x=2", "2"),
        (Field("x", "X", "side"), "x=red", "red"),
        (Field("x", "X", "choice", choices=AB), "x=b", "b"),
        (Field("x", "X", "number", least=0), "x=0", 0),
        (Field("x", "X", "number", choices=(("7", "Seven"), ("8", "Eight"))), "x=8", 8),
        (Field("x", "X", "length", measure="inches"), "x=2.50", 2.5),
        (Field("x", "X", "length", measure="inches"), "x=6", 6),
        (Field("x", "X", "length", measure="centimetres"), "x=12.5", 12.5),
        (Field("x", "X", "dice"), "x=34", [3, 4]),
        (Field("x", "X", "dice"), "x=3;4 5", [3, 4, 5]),
        (Field("x", "X", "numbers", choices=(("2,1", "Both"),)), "x=2,1", [2, 1]),
        (Field("x", "X", "picks", choices=(("a,a", "Two"),)), "x=a,a", ["a", "a"]),
        (Field("x", "X", "list", choices=AB), "x=a&x=b", ["a", "b"]),
        (Field("x", "X", "list"), "x=1&x=2", ["1", "2"]),
        (Field("x", "X", "flag"), "x=true", True),
        (Field("x", "X", "flag"), "", False),
        (Field("x", "X", "text"), "x= word ", "word"),
        (Field("x", "X", "map"), 'x={"a": 1}', {"a": 1}),
        (Field("x", "X", "number", False, default="3"), "x=", None),
    ],
)
def test_what_a_form_sends_is_read_by_its_kind(field, data, read):
    result = value(field, data)
    assert (result, type(result)) == (read, type(read))


@pytest.mark.parametrize(
    ("field", "data", "complaint"),
    [
        (Field("x", "X", "number", least=1, most=6), "x=7", "Enter a whole number from 1 to 6."),
        (Field("x", "X", "dice"), "x=7", "Enter dice from 1 to 6, such as 3,4."),
        (Field("x", "X", "choice", choices=AB), "x=c", "Enter one of a, b."),
        (Field("x", "X", "combatant"), "x=3", "Enter a fighter's id."),
        (Field("x", "X", "text"), "x=", "This field is required."),
        (Field("x", "X", "text"), "x=%00", "Null characters are not allowed."),
    ],
)
def test_unreadable_value_is_reported_at_field(field, data, complaint):
    form = form_of(form_field(field, PEOPLE), data=data)
    assert not form.is_valid()
    assert form.errors["x"] == [complaint]


def test_people_are_offered_by_side_and_nobody_is_chosen_at_first():
    page = drawn(form_field(Field("x", "Who", "combatant"), PEOPLE))
    assert '<optgroup label="Reds">' in page
    assert '<option value="" selected>–</option>' in page


def test_tiles_show_every_choice_at_once_with_a_word_for_none():
    field = Field("x", "What", "choice", False, AB)
    assert 'type="radio"' in drawn(form_field(field, tiles=True, empty="Neither"))
    assert "Neither" in drawn(form_field(field, tiles=True, empty="Neither"))
    needed = form_field(Field("x", "What", "choice", True, AB), tiles=True, empty="Neither")
    assert "Neither" not in drawn(needed)


def test_a_default_is_shown_as_chosen():
    field = Field("x", "What", "choice", False, AB, default="b")
    assert '<option value="b" selected>' in drawn(form_field(field))
    assert "–" not in drawn(form_field(field))
    assert "checked" in drawn(form_field(Field("x", "Armed", "flag", default=True)))


def test_measures_take_decimals_and_have_their_bounds():
    page = drawn(
        form_field(Field("x", "How far", "length", measure="centimetres", least=0, most=60))
    )
    assert 'step="any"' in page
    assert 'max="60"' in page
    assert 'inputmode="decimal"' in page


def test_an_object_is_folded_away_until_it_says_something():
    field = Field("x", "Build", "map", False)
    assert "<details" in drawn(form_field(field))
    assert "open" not in drawn(form_field(field))
    assert "open" in drawn(form_field(field), data="x={}")


def test_a_form_that_asks_by_its_address_leaves_judging_to_the_rules():
    form = form_of(address_field(Field("x", "X", "number", least=1)), data="x=many")
    assert form.is_valid()
    assert form.cleaned_data == {"x": "many"}


def test_a_box_that_is_ticked_by_default_is_a_choice_in_an_address():
    assert "<select" in drawn(address_field(Field("x", "X", "flag", default="true")))
    assert 'type="checkbox"' in drawn(address_field(Field("x", "X", "flag", default="false")))


def test_only_what_says_something_is_said():
    assert filled_values({"a": 0, "b": None, "c": "", "d": [], "e": False, "f": True}) == {
        "a": 0,
        "f": True,
    }


def test_a_field_has_changed_when_something_is_said():
    dice = form_field(Field("x", "X", "dice"))
    flag = form_field(Field("x", "X", "flag"))
    assert not dice.has_changed(None, "")
    assert dice.has_changed(None, "0")
    assert not flag.has_changed(None, False)
    assert flag.has_changed(None, True)


def test_stored_value_is_shown_as_typed():
    dice = form_field(Field("x", "X", "dice"))
    ticked = form_field(Field("x", "X", "list", choices=AB))
    assert dice.prepare_value([3, 4]) == "3,4"
    assert ticked.prepare_value("a,b") == ["a", "b"]
