"""Forms that name a substitute."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from battles.services.substitutes import BattleSubstitute, FixtureSubstitute
from campaigns.models import Enrolment
from clubs.models import Membership
from core.forms import PageForm, choices_of
from core.input_forms import chosen, field_for


class SubstituteForm(PageForm):
    """Who plays a side of a battle for the warband's player."""

    player = field_for(BattleSubstitute, "player_id", chosen())

    def __init__(self, *args: Any, members: Iterable[Membership], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = choices_of(((str(row.pk), row.name) for row in members), gettext("Nobody: the player plays"))
        self.fields["player"].choices = choices  # type: ignore[attr-defined]


class FixtureSubstituteForm(SubstituteForm):
    """The same for a fixture, with the warband that is meant."""

    field_order = ("enrolment", "player")
    enrolment = field_for(FixtureSubstitute, "enrolment_id", chosen())

    def __init__(self, *args: Any, enrolments: Iterable[Enrolment], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(row.pk), row.warband.name) for row in enrolments]
        self.fields["enrolment"].choices = choices  # type: ignore[attr-defined]
