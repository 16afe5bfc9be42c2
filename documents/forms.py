"""What people fill in about documents."""

from django import forms

from config.pages.forms import PageForm
from documents.models import DocumentKind, Paper


class AskForm(PageForm):
    """What shall be printed, and on which paper."""

    kind = forms.ChoiceField(choices=DocumentKind.choices, widget=forms.HiddenInput)
    subject = forms.UUIDField(widget=forms.HiddenInput)
    paper = forms.ChoiceField(choices=Paper.choices, initial=Paper.A4, widget=forms.RadioSelect)
