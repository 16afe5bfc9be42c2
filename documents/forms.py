"""What people fill in about documents."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.forms import PageForm
from documents.models import DocumentKind, Language, Paper, RosterOption


class AskForm(PageForm):
    """What shall be printed, on which paper and in which language; a roster also with what beside the sheet."""

    kind = forms.ChoiceField(choices=DocumentKind.choices, widget=forms.HiddenInput)
    subject = forms.UUIDField(widget=forms.HiddenInput)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"), choices=Language.choices, required=False, widget=forms.RadioSelect
    )
    paper = forms.ChoiceField(
        label=gettext_lazy("Paper"), choices=Paper.choices, initial=Paper.A4, widget=forms.RadioSelect
    )
    options = forms.MultipleChoiceField(
        label=gettext_lazy("Beside the sheet for the table"),
        choices=RosterOption.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if kind != DocumentKind.ROSTER:
            del self.fields["options"]

    def clean_language(self) -> str:
        """The language that was chosen, else the one that the page offered first."""
        return self.cleaned_data["language"] or self.initial.get("language", Language.ENGLISH)
