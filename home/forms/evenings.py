"""What people fill in about evenings."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.services.evenings import Cancelling, NewEvenings
from core.forms import PageForm
from core.input_forms import area, field_for

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def day_field(label: "str | _StrPromise") -> forms.DateField:
    """A day, as browsers offer one."""
    return forms.DateField(
        label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


def hour_field(label: "str | _StrPromise", help_text: "str | _StrPromise" = "") -> forms.TimeField:
    """An hour, as browsers offer one."""
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, widget=widget, help_text=help_text)


class EveningForm(PageForm):
    """When and where, by the club's clocks."""

    places = {"starts_at": "day", "ends_at": "until"}
    day = day_field(_("Day"))
    since = hour_field(_("From"))
    until = hour_field(_("Until"), _("Before the hour of its start: on the day after."))
    place = field_for(NewEvenings, "place")
    note = field_for(NewEvenings, "note", area(3))

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
            raise forms.ValidationError(gettext("Which year is meant?"), code="invalid")
        return day


class NewEveningForm(EveningForm):
    """The same, and how often."""

    weeks = field_for(NewEvenings, "weeks")


class OfSeries(forms.Form):
    """Whether the later evenings of a series are meant as well; asked where ``later`` of them are
    to come."""

    def __init__(self, *args: Any, later: int, **named: Any) -> None:
        super().__init__(*args, **named)
        if later:
            both = ngettext(
                "This one and the later one of its series",
                "This one and the %(later)s later ones of its series",
                later,
            )
            self.fields["later"] = forms.ChoiceField(
                label=_("Which evenings"),
                choices=[("", _("This one alone")), ("true", both % {"later": later})],
                required=False,
                initial="",
                widget=forms.RadioSelect,
            )

    @property
    def with_later(self) -> bool:
        """Whether the later ones are meant."""
        return bool(self.cleaned_data.get("later"))


class ChangedEveningForm(OfSeries, EveningForm):
    """An evening otherwise, and perhaps those after it."""


class CancellingForm(OfSeries, PageForm):
    """Why an evening does not take place, and perhaps those after it."""

    reason = field_for(Cancelling, "reason")
