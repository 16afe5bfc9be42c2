"""What people fill in about evenings."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from campaigns.services.evenings import MOST_WEEKS
from config.pages.forms import PageForm


def day_field(label: str) -> forms.DateField:
    """A day, as browsers offer one."""
    return forms.DateField(label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


def hour_field(label: str, help_text: str = "") -> forms.TimeField:
    """An hour, as browsers offer one."""
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, widget=widget, help_text=help_text)


class EveningForm(PageForm):
    """When and where, by the club's clocks."""

    places = {"starts_at": "day", "ends_at": "until"}
    day = day_field("Day")
    since = hour_field("From")
    until = hour_field("Until", "Before the hour of its start: on the day after.")
    place = forms.CharField(label="Where", max_length=120, required=False)
    note = forms.CharField(
        label="Note", max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What to bring, who has the key.",
    )  # fmt: skip

    def __init__(self, *args: Any, zone: ZoneInfo, **named: Any) -> None:
        super().__init__(*args, **named)
        self.zone = zone

    @property
    def details(self) -> dict[str, Any]:
        """What the service takes."""
        day, since, until = (self.cleaned_data[name] for name in ("day", "since", "until"))
        last = day + timedelta(days=1) if until <= since else day
        return {
            "starts_at": datetime.combine(day, since, self.zone).astimezone(UTC),
            "ends_at": datetime.combine(last, until, self.zone).astimezone(UTC),
            "place": self.cleaned_data["place"],
            "note": self.cleaned_data["note"],
        }

    def clean_day(self) -> Any:
        """The day, if it is one on which anybody alive can play."""
        day = self.cleaned_data["day"]
        if not 2000 <= day.year <= 2200:
            raise forms.ValidationError("Which year is meant?", code="invalid")
        return day


class NewEveningForm(EveningForm):
    """The same, and how often."""

    weeks = forms.IntegerField(
        label="For so many weeks", min_value=1, max_value=MOST_WEEKS, initial=1,
        help_text=f"Once a week at the same hour, up to {MOST_WEEKS} times. Each can be changed by itself.",
    )  # fmt: skip


class CancellingForm(PageForm):
    """Why an evening does not take place."""

    reason = forms.CharField(label="Why", max_length=300, required=False)
