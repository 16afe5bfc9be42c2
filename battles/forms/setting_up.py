"""What a table has rolled or agreed upon before the battle; Muster rolls the rest."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_noop

from core.forms import PageForm
from core.ruleset_forms import form_field, said
from rulebook.values.fields import Field, nested

ROLL_IT = gettext_noop("Leave it to Muster")


class SetUpForm(PageForm):
    """Whatever is left empty is rolled, or follows from the rules."""

    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, asked: Iterable[Field], **named: Any) -> None:
        super().__init__(*args, **named)
        self.asked = [*asked]
        for field in self.asked:
            self.fields[field.key] = form_field(field, tiles=not field.group, empty=gettext(ROLL_IT))

    @property
    def typed(self) -> Mapping[str, Any]:
        """What was typed in, as the rules take it."""
        return nested(said({field.key: self.cleaned_data.get(field.key) for field in self.asked}))

    @property
    def questions(self) -> list[forms.BoundField]:
        """The fields that are shown."""
        return [self[field.key] for field in self.asked]
