"""Forms of club nights."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.services.evenings import TOO_FAR, Cancelling, NewEvenings
from core.errors import MusterError
from core.forms import PageForm
from core.input_forms import area, field_for
from rulebook.ruleset import RulesError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def day_field(label: "str | _StrPromise") -> forms.DateField:
    """Return a date field with the browser's date picker."""
    return forms.DateField(
        label=label, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


def hour_field(label: "str | _StrPromise", help_text: "str | _StrPromise" = "") -> forms.TimeField:
    """Return a time field with the browser's time picker."""
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, widget=widget, help_text=help_text)


class EveningForm(PageForm):
    """When and where a club night takes place, in the club's time zone."""

    places = {"starts_at": "day", "ends_at": "until"}
    day = day_field(_("Day"))
    since = hour_field(_("From"))
    until = hour_field(_("Until"), _("If this is earlier than the start, it means the next day."))
    place = field_for(NewEvenings, "place")
    note = field_for(NewEvenings, "note", area(3))

    def __init__(self, *args: Any, zone: ZoneInfo, **named: Any) -> None:
        super().__init__(*args, **named)
        self.zone = zone

    @property
    def details(self) -> dict[str, Any]:
        """Return the arguments of the service.

        The end is on the next day if it is not after the start.
        """
        day, since, until = (self.cleaned_data[name] for name in ("day", "since", "until"))
        last = day + timedelta(days=1) if until <= since else day
        return {
            "starts_at": datetime.combine(day, since, self.zone).astimezone(UTC),
            "ends_at": datetime.combine(last, until, self.zone).astimezone(UTC),
            "place": self.cleaned_data["place"],
            "note": self.cleaned_data["note"],
        }

    def clean_day(self) -> Any:
        """Return the day, if its year is from 2000 to 2200."""
        day = self.cleaned_data["day"]
        if not 2000 <= day.year <= 2200:
            raise forms.ValidationError(gettext("Enter a year from 2000 to 2200."), code="invalid")
        return day

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show a day that is too far away once: both moments are on it."""
        super().add_errors(error)
        if any(each.code == TOO_FAR and each.field == "starts_at" for each in error.problems):
            self.errors.pop("until", None)


class NewEveningForm(EveningForm):
    """A club night, and for how many weeks it repeats."""

    weeks = field_for(NewEvenings, "weeks")


class OfSeries(forms.Form):
    """A choice to include the later club nights of a series.

    The form asks only if ``later`` is not 0.
    """

    def __init__(self, *args: Any, later: int, **named: Any) -> None:
        super().__init__(*args, **named)
        if later:
            both = ngettext(
                "This club night and the later one of its series",
                "This club night and the %(later)s later ones of its series",
                later,
            )
            self.fields["later"] = forms.ChoiceField(
                label=_("Apply to"),
                choices=[("", _("This club night only")), ("true", both % {"later": later})],
                required=False,
                initial="",
                widget=forms.RadioSelect,
            )

    @property
    def with_later(self) -> bool:
        """Return whether the later club nights are included."""
        return bool(self.cleaned_data.get("later"))


class ChangedEveningForm(OfSeries, EveningForm):
    """A changed club night, and optionally those after it in its series."""


class CancellingForm(OfSeries, PageForm):
    """Why a club night is cancelled, and optionally those after it in its series."""

    reason = field_for(Cancelling, "reason")
