"""What a member prefers."""

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
    """Every time zone by its region, with the one of this installation first."""
    here = gettext("As here: %(zone)s") % {"zone": settings.TIME_ZONE.replace("_", " ")}
    return [(HERE, here), *_regions()]


def language_choices() -> list[tuple[str, str]]:
    """Every language in its own words, with what the browser asks for first."""
    return [("", gettext("As my browser asks")), *settings.LANGUAGES]


def _regions() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for region, names in groupby(TIME_ZONES, key=lambda name: name.partition("/")[0]):
        yield region, [(name, name.partition("/")[2].replace("_", " ") or name) for name in names]


def hour_in(zone: ZoneInfo, now: datetime) -> str:
    """The time in a zone, as in "19:05 CET"."""
    return f"{now.astimezone(zone):%H:%M %Z}"


class PreferencesForm(PageForm):
    """When to write, by which clock, and in which language."""

    mail = forms.ChoiceField(label=_("Write to me"), choices=Mail.choices, widget=forms.RadioSelect)
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zone_choices)
    language = forms.ChoiceField(
        label=_("Language"),
        help_text=_(
            "Of pages and letters. What a rule system's book calls things stays as in the book."
        ),
        choices=language_choices,
        required=False,
    )

    def clean_time_zone(self) -> str:
        """The name of a zone, "" for that of this installation."""
        name: str = self.cleaned_data["time_zone"]
        return "" if name == HERE else name
