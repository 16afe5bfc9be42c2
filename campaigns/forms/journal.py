"""What people write into the journal of a campaign."""

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.models import JournalEntry
from core.cleaning import MOST_STORY
from core.forms import PageForm


class EntryForm(PageForm):
    """An entry: what it says, and the day that it tells of."""

    text = forms.CharField(label=_("What happened"), max_length=MOST_STORY, widget=forms.Textarea(attrs={"rows": 6}))
    on = forms.DateField(
        label=_("Day"), required=False, widget=forms.DateInput(attrs={"type": "date"}), help_text=_("Empty: today.")
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def version_of(self, entry: JournalEntry) -> int:
        """The version that was read; the entry's own where the form does not say."""
        return self.cleaned_data["version"] or entry.version
