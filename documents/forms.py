"""What people fill in about documents."""

from django import forms

from config.pages.forms import PageForm
from documents.models import DocumentKind, Language, Paper


class AskForm(PageForm):
    """What shall be printed, on which paper and in which language."""

    kind = forms.ChoiceField(choices=DocumentKind.choices, widget=forms.HiddenInput)
    subject = forms.UUIDField(widget=forms.HiddenInput)
    language = forms.ChoiceField(choices=Language.choices, required=False, widget=forms.RadioSelect)
    paper = forms.ChoiceField(choices=Paper.choices, initial=Paper.A4, widget=forms.RadioSelect)

    def clean_language(self) -> str:
        """The language that was chosen, else the one that the page offered first."""
        return self.cleaned_data["language"] or self.initial.get("language", Language.ENGLISH)
