"""Forms of a campaign's log: the filter, and an entry."""

from typing import Any
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, JournalEntry
from campaigns.services.journal import NewEntry
from core.forms import PageForm, choices_of
from core.history import narrow
from core.input_forms import form_class, story_area
from warbands.fact_sentences import KINDS
from warbands.models import ChronicleEntry

JOURNAL = "journal"


class LogFilter(PageForm):
    """A filter by warband and by kind of entry. Invalid values are ignored."""

    warband = forms.TypedChoiceField(
        label=_("Warband"), coerce=UUID, required=False, empty_value=None
    )
    kind = forms.ChoiceField(label=_("What"), required=False)

    def __init__(self, *args: Any, campaign: Campaign, **named: Any) -> None:
        super().__init__(*args, **named)
        enrolled = campaign.enrolments.values_list("warband_id", "warband__name").order_by(
            "warband__name"
        )
        choices = choices_of(((str(key), name) for key, name in enrolled), gettext("All of them"))
        self.fields["warband"].label = campaign.words.warband.capitalize()
        self.fields["warband"].choices = choices  # type: ignore[attr-defined]
        kinds = {
            **{key: gettext(words) for key, words in KINDS.items()},
            "ranked-up": campaign.words.steps.capitalize(),
        }
        kind_choices = [
            (key, words)
            for key, words in kinds.items()
            if key != "ranked-up" or campaign.shown.rises
        ]
        kind_choices.append((JOURNAL, gettext("Journal")))
        self.fields["kind"].choices = choices_of(kind_choices, gettext("Everything"))  # type: ignore[attr-defined]

    def narrow(self, entries: QuerySet[ChronicleEntry]) -> QuerySet[ChronicleEntry]:
        """Return the entries that match the filter."""
        self.full_clean()
        return narrow(
            entries, warband=self.cleaned_data.get("warband"), kind=self.cleaned_data.get("kind")
        )

    def of_journal(self, written: QuerySet[JournalEntry]) -> QuerySet[JournalEntry]:
        """Return the journal entries that match the filter.

        Returns none if it asks for a warband, or for another kind of entry.
        """
        shows_journal = self.cleaned_data.get("kind") in (
            "",
            JOURNAL,
        ) and not self.cleaned_data.get("warband")
        return written if shows_journal else written.none()


class ReadEntryForm(PageForm):
    """An entry, and the version of it that the user saw."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def version_of(self, entry: JournalEntry) -> int:
        """Return the version that the user saw, or the entry's own if the form has none."""
        return self.cleaned_data["version"] or entry.version


EntryForm = form_class(NewEntry, ReadEntryForm, text=story_area(6))
