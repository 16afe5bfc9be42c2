"""The form of a member's preferences."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.forms import PageForm
from home.models import TIME_ZONES, Mail

HERE = "here"
PreferenceChoices = list[tuple[str, str | list[tuple[str, str]]]]


def zone_choices() -> PreferenceChoices:
    """Return all time zones by region, after the choice of the installation's own zone."""
    here = gettext("Site default: %(zone)s") % {"zone": settings.TIME_ZONE.replace("_", " ")}
    return [(HERE, here), *_regions()]


def language_choices() -> list[tuple[str, str]]:
    """Return all languages with their own names, after the choice of the browser's language."""
    return [("", gettext("Browser default")), *settings.LANGUAGES]


def _regions() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for region, names in groupby(TIME_ZONES, key=lambda name: name.partition("/")[0]):
        yield region, [(name, name.partition("/")[2].replace("_", " ") or name) for name in names]


def hour_in(zone: ZoneInfo, now: datetime) -> str:
    """Return the time in a zone, such as "19:05 CET"."""
    return f"{now.astimezone(zone):%H:%M %Z}"


class PreferencesForm(PageForm):
    """When to send e-mails, the time zone, and the language."""

    mail = forms.ChoiceField(label=_("E-mail me"), choices=Mail.choices, widget=forms.RadioSelect)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices)
    language = forms.ChoiceField(
        label=_("Language"),
        help_text=_("For pages and e-mails. Terms from a rulebook stay as in the book."),
        choices=language_choices,
        required=False,
    )

    def clean_time_zone(self) -> str:
        """Return the name of the zone; "" for the installation's own."""
        name: str = self.cleaned_data["time_zone"]
        return "" if name == HERE else name
