"""The small marks of the pages: badges, colours, boxes, signs, fields."""

import pytest
from django import forms
from django.template import Context, Template

from core.templatetags.muster import BADGES, badge, icon, pennant, signed


def drawn(source: str, **context: object) -> str:
    return Template("{% load muster %}" + source).render(Context(context))


@pytest.mark.parametrize(("number", "text"), [(2, "+2"), (0, "0"), (-3, "−3")])
def test_a_number_carries_its_sign(number: int, text: str) -> None:
    assert signed(number) == text


def test_badge_has_text_for_its_colour() -> None:
    assert badge("under-way") == '<span class="badge busy">Under way</span>'
    assert badge("dead", "Killed") == '<span class="badge bad">Killed</span>'
    assert badge("something new") == '<span class="badge idle">Something new</span>'
    assert set(BADGES.values()) == {"idle", "busy", "warn", "good", "bad"}


def test_a_badge_and_a_pennant_escape_what_they_are_given() -> None:
    assert "<b>" not in badge("x", "<b>")
    assert 'fill="&quot;&gt;"' in pennant('">')


def test_an_icon_without_a_label_is_an_ornament() -> None:
    assert 'aria-hidden="true"' in icon("banner")
    assert 'role="img" aria-label="Leader"' in icon("leader", "Leader")


def test_boxes_are_ticked_as_far_as_experience_goes_and_say_so() -> None:
    boxes = drawn("{% boxes 3 5 %}")
    assert (boxes.count("<i"), boxes.count('class="full"')) == (5, 3)
    assert "3 of 5 XP" in boxes and "3/5" in boxes


def test_who_has_no_next_rank_has_no_boxes() -> None:
    assert (
        drawn("{% boxes 7 none %}", none=None).strip() == '<span class="boxes"><b>7 XP</b></span>'
    )


def test_more_experience_than_a_rank_costs_fills_every_box() -> None:
    assert drawn("{% boxes 12 10 %}").count('class="full"') == 10


class Sample(forms.Form):
    """A form with one field of each look."""

    name = forms.CharField(help_text="As it shall stand.")
    sure = forms.BooleanField(required=False)
    way = forms.ChoiceField(choices=[("a", "A"), ("b", "B")], widget=forms.RadioSelect)


@pytest.mark.parametrize("name", ["name", "sure", "way"])
def test_a_field_shows_label_help_and_complaints(name: str) -> None:
    form = Sample({"name": "", "way": "c"})
    form.add_error("sure", "Not so sure.")
    body = drawn("{% field one %}", one=form[name])
    assert str(form[name].label) in body
    assert all(str(complaint) in body for complaint in form[name].errors)
    assert f'id="id_{name}_error"' in body


def test_a_field_takes_another_label() -> None:
    assert "Call it" in drawn("{% field one 'Call it' %}", one=Sample()["name"])
