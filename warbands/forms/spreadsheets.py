"""Forms for a roster from a spreadsheet, as a file or as pasted cells."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy

from core.csv_files import ACCEPTED, MAX_BYTES, UnreadableSpreadsheet
from core.errors import MusterError
from core.forms import PageForm
from rulebook.registry import rulesets
from rulebook.ruleset import RulesError

ADD, IN_PLACE = "add", "in-place"
COLUMN = "column."
"""The prefix of the fields that say what an unknown column is."""
MAX_DIGITS, MAX_HEADING = 3, 200


class SpreadsheetForm(PageForm):
    """A spreadsheet as a file or as pasted cells. ``cells`` holds the text once it is read."""

    places = {"csv": "cells"}
    most_bytes: ClassVar[int] = MAX_BYTES
    file = forms.FileField(
        label=gettext_lazy("File"),
        required=False,
        help_text=gettext_lazy("From Excel, LibreOffice or Numbers: .xlsx, .ods or CSV."),
        widget=forms.FileInput(attrs={"accept": ACCEPTED}),
    )
    cells = forms.CharField(
        label=gettext_lazy("Or paste cells"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        help_text=gettext_lazy("Copy the cells with their headings and paste them here."),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "wrap": "off"}),
    )
    client_id = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Return the data; add an error if there are no cells or too many."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        file = data.get("file")
        if file is not None and file.size > self.most_bytes:
            sentence = gettext("This file is larger than %(most)s kB. Import a smaller one.") % {
                "most": self.most_bytes // 1024
            }
            self.add_error("file", sentence)
        elif file is None and not self.errors and not data.get("cells", "").strip():
            self.add_error("file", gettext("Choose a file or paste the cells."))
        return data

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show every problem next to its field: that of a file as a whole next to the file.

        Wrong cells belong to ``cells``, which shows the content of a file that could be read.
        """
        if self.brought_file and isinstance(error, UnreadableSpreadsheet) and error.grid is None:
            self.add_error("file", error.sentence)
        else:
            super().add_errors(error)

    @property
    def headings(self) -> dict[int, str]:
        """The chosen headings of unknown columns, by the number of the column; "" to ignore it."""
        chosen = {}
        for name in self.data:
            place = name.removeprefix(COLUMN)
            if name.startswith(COLUMN) and place.isascii() and place.isdecimal():
                chosen[int(place[:MAX_DIGITS])] = str(self.data[name])[:MAX_HEADING]
        return chosen

    @property
    def sent(self) -> bytes | str:
        """The content of the file, or else the pasted text."""
        file = self.cleaned_data.get("file")
        return file.read() if file is not None else str(self.cleaned_data["cells"])

    @property
    def pasted(self) -> str:
        """The content of the field for pasted cells."""
        return str(self.data.get("cells", ""))

    @property
    def brought_file(self) -> bool:
        """Return whether a file was sent, of which there was no preview yet."""
        return self.cleaned_data.get("file") is not None

    @property
    def was_shown(self) -> bool:
        """Return whether the user has seen a preview of these cells, as far as it matters."""
        return not self.brought_file

    def show(self, **now: Any) -> None:
        """Show other values in the fields than were sent."""
        posted = {name: self.data[name] for name in self.data}
        self.data = {**posted, "client_id": uuid4(), **now}


class RosterSpreadsheetForm(SpreadsheetForm):
    """A spreadsheet for a roster that already exists."""

    how = forms.ChoiceField(
        label=gettext_lazy("Import as"),
        choices=[
            (ADD, gettext_lazy("Additional fighters")),
            (IN_PLACE, gettext_lazy("Whole roster: fighters not in the file are removed")),
        ],
        initial=ADD,
        widget=forms.RadioSelect,
    )
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    sequence = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    field_order = ("file", "cells", "how")

    @property
    def in_place(self) -> bool:
        """Return whether the spreadsheet is the whole roster."""
        return bool(self.cleaned_data.get("how") == IN_PLACE)

    @property
    def was_shown(self) -> bool:
        """Return whether the user has seen a preview of these cells.

        A whole roster removes fighters, so cells that were changed since the preview are shown
        again.
        """
        seen = self.cleaned_data.get("seen")
        changed = bool(seen) and seen != digest_of_cells(self.pasted, in_place=self.in_place)
        return super().was_shown and not (self.in_place and changed)

    def show(self, **now: Any) -> None:
        """Show other values in the fields than were sent, and note which cells are shown."""
        super().show(**now, seen=digest_of_cells(now["cells"], in_place=self.in_place))


class NewSpreadsheetForm(SpreadsheetForm):
    """A spreadsheet for a new warband."""

    places = {"csv": "cells", "ruleset": "faction"}
    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    faction = forms.ChoiceField(label=gettext_lazy("Army list"))
    kept = forms.BooleanField(
        label=gettext_lazy("This warband belongs to a player without an account"),
        required=False,
    )
    field_order = ("name", "faction", "file", "cells", "kept")

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["faction"].choices = [*_lists()]  # type: ignore[attr-defined]

    @property
    def details(self) -> dict[str, Any]:
        """The new warband's rule system, faction and name."""
        ruleset, _, faction = self.cleaned_data["faction"].partition("/")
        return {"ruleset": ruleset, "faction": faction, "name": self.cleaned_data["name"]}


def digest_of_cells(text: str, *, in_place: bool) -> str:
    """Return a digest that recognises the cells of a preview, whatever their line endings are."""
    lines = [IN_PLACE if in_place else ADD, *text.strip("\ufeff\r\n ").splitlines()]
    return sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def _lists() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield every faction, by its rule system."""
    for rules in rulesets():
        factions = rules.catalogue({})["factions"]
        yield rules.name, [(f"{rules.key}/{each['key']}", each["name"]) for each in factions]
