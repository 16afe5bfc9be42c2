"""The filter of a club's activity log."""

from datetime import date
from typing import Any
from uuid import UUID

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from core.forms import PageForm, choices_of
from home.selectors.audit_log import AuditQuery, actors_of, kind_names


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        validators=[MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(9000, 1, 1))],
    )


class AuditFilter(PageForm):
    """The filter: who, what, in which campaign, and when. Invalid values are ignored."""

    actor = forms.TypedChoiceField(label=_("Who"), coerce=int, required=False, empty_value=None)
    kind = forms.ChoiceField(label=_("What"), required=False)
    campaign = forms.TypedChoiceField(
        label=_("Campaign"), coerce=UUID, required=False, empty_value=None
    )
    since = _day(_("From"))
    until = _day(_("Until"))
    text = forms.CharField(label=_("Name"), required=False, max_length=100)

    def __init__(self, *args: Any, club: Club, **named: Any) -> None:
        super().__init__(*args, **named)
        actors = [(str(number), name) for number, name in actors_of(club)]
        campaigns = [(str(key), name) for key, name in club.campaigns.values_list("pk", "name")]
        self.fields["actor"].choices = choices_of(actors, gettext("Everyone"))  # type: ignore[attr-defined]
        self.fields["kind"].choices = choices_of(kind_names(), gettext("Everything"))  # type: ignore[attr-defined]
        self.fields["campaign"].choices = choices_of(campaigns, gettext("All campaigns"))  # type: ignore[attr-defined]

    @property
    def asks_more(self) -> bool:
        """Return whether a value is given for a field that the page folds away."""
        return any(self.data.get(name) for name in ("campaign", "since", "until", "text"))

    def query(self) -> AuditQuery:
        """Return the filter for the selector."""
        self.full_clean()
        return AuditQuery(**{name: value for name, value in self.cleaned_data.items() if value})
