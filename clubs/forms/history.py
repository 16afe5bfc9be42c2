"""The form to import old seasons."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.history_sheets import LIMITS
from warbands.forms.spreadsheets import SpreadsheetForm


class HistoryForm(SpreadsheetForm):
    """A spreadsheet of old seasons, as a file or as pasted cells."""

    most_bytes: ClassVar[int] = LIMITS.most_bytes
    cells = forms.CharField(
        label=_("Or paste cells"),
        required=False,
        strip=False,
        max_length=LIMITS.most_bytes,
        help_text=_("Copy the cells with their headings and paste them here."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "wrap": "off"}),
    )
    client_id = None  # type: ignore[assignment]
    field_order = ("file", "cells")

    def show(self, **now: Any) -> None:
        """Show other values in the fields than were sent."""
        posted = {name: self.data[name] for name in self.data}
        self.data = {**posted, **now}
