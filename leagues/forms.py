"""Forms of leagues: sealed orders, rounds and fixtures."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext

from campaigns.models import Method, Walkover
from core.forms import PageForm, choices_of
from core.input_forms import chosen, form_class, hidden, radio, select, ticks
from leagues.selectors.fixtures import FixtureRow, FixtureSide
from leagues.services.fixtures import (
    Challenge,
    FixtureEdit,
    Link,
    NewFixture,
    RoundEdit,
    Swap,
    WalkoverTerms,
)
from leagues.services.rounds import RoundTerms, Seeding
from warbands.models import Fighter

PREFIX = "in."


class OrderForm(PageForm):
    """A tick box for each fighter and scenario. The service checks points and who can take part."""

    warband = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        fighters: Sequence[Fighter],
        scenarios: Sequence[tuple[str, str]],
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.rows, self.scenarios = fighters, scenarios
        choices = [(str(row.pk), row.name) for row in fighters]
        for key, name in scenarios:
            self.fields[PREFIX + key] = forms.MultipleChoiceField(
                label=name, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
            )

    def place_of(self, field: str) -> str | None:
        """Return the form field for a field of the service, which names scenarios only."""
        return super().place_of(PREFIX + field)

    @property
    def lines(self) -> list[tuple[Fighter, list[tuple[str, Any]]]]:
        """Each fighter with the name and the tick box of every scenario."""
        columns = [(name, list(self[PREFIX + key])) for key, name in self.scenarios]
        return [
            (row, [(name, boxes[place]) for name, boxes in columns])
            for place, row in enumerate(self.rows)
        ]

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """For each scenario its name, and the points and the number of ticked fighters."""
        return [(name, *self._sum(key)) for key, name in self.scenarios]

    def _sum(self, key: str) -> tuple[int, int]:
        ticked = {str(fighter) for fighter in self[PREFIX + key].value() or ()}
        chosen = [row.points for row in self.rows if str(row.pk) in ticked]
        return sum(chosen), len(chosen)

    @property
    def plan(self) -> Mapping[str, tuple[str, ...]]:
        """The plan as the service expects it."""
        return {key: tuple(self.cleaned_data[PREFIX + key]) for key, _ in self.scenarios}


METHODS = [
    (Method.ROUND_ROBIN.value, gettext_lazy("Round robin: everyone plays everyone")),
    (Method.SWISS.value, gettext_lazy("Swiss: one round between entrants with similar results")),
    (Method.KNOCKOUT.value, gettext_lazy("Knockout: losers are out")),
    (Method.GROUPS.value, gettext_lazy("Group stage: a round robin in each group")),
    (Method.LADDER.value, gettext_lazy("Ladder: players challenge those above them")),
    (Method.BY_HAND.value, gettext_lazy("By hand: an empty round")),
]
SEEDINGS = [
    (Seeding.STANDINGS.value, gettext_lazy("By standings")),
    (Seeding.LOT.value, gettext_lazy("By lot")),
]


class EntrantsForm(PageForm):
    """The enrolments that take part in the new rounds."""

    def __init__(self, *args: Any, enrolled: Iterable[FixtureSide], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(side.enrolment), f"{side.name} ({side.player_name})") for side in enrolled]
        self.fields["entrants"].choices = choices  # type: ignore[attr-defined]
        self.fields["entrants"].initial = [key for key, _ in choices]


RoundsForm = form_class(
    RoundTerms,
    EntrantsForm,
    method=radio(METHODS),
    entrants=ticks(required=True),
    seeding=select(SEEDINGS),
    seed=hidden(),
    fingerprint=forms.CharField(max_length=64, required=False, widget=forms.HiddenInput),
)
RoundForm = form_class(RoundEdit, PageForm, version=hidden(required=True))


class OpponentsForm(PageForm):
    """The enrolments that can play a fixture."""

    def __init__(self, *args: Any, enrolled: Iterable[FixtureSide], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(side.enrolment), side.name) for side in enrolled]
        self.fields["home_id"].choices = choices_of(choices, gettext("Choose…"))  # type: ignore[attr-defined]
        self.fields["away_id"].choices = choices_of(choices, gettext("No opponent (bye)"))  # type: ignore[attr-defined]


AddFixtureForm = form_class(NewFixture, OpponentsForm, home_id=chosen(), away_id=chosen())
FixtureForm = form_class(FixtureEdit, PageForm, version=hidden(required=True))


class DecisionForm(PageForm):
    """The possible results without a battle.

    ``planned`` is the battle that would be voided, as the page has shown it.
    """

    planned = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, fixture: FixtureRow, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fixture = fixture
        self.fields["planned"].initial = fixture.planned_battle
        # A result needs a reason; to remove one, "None" is enough.
        removable = fixture.given_up or bool(fixture.walkover)
        self.fields["walkover"].required = not removable
        self.fields["reason"].required = not removable or bool(self.data.get("walkover"))
        for field in self.fields.values():
            field.needed = True  # type: ignore[attr-defined]
        nobody = gettext("Choose…")
        if removable:
            nobody = (
                gettext("None: reopen the fixture")
                if fixture.given_up
                else pgettext("walkover", "None")
            )
        away = fixture.away.name if fixture.away else ""
        label = (
            gettext("%(side)s advances")
            if fixture.state == "confirmed"
            else gettext("%(side)s wins by walkover")
        )
        self.fields["walkover"].choices = [  # type: ignore[attr-defined]
            (Walkover.NONE.value, nobody),
            (Walkover.HOME.value, label % {"side": fixture.home.name}),
            (Walkover.AWAY.value, label % {"side": away}),
            (Walkover.NOBODY.value, gettext("Both forfeit")),
        ]

    def clean(self) -> dict[str, Any]:
        """Return the data if the battle that would be voided is the one that was shown."""
        data = {**self.cleaned_data}
        if data.pop("planned", None) != self.fixture.planned_battle and data.get("walkover"):
            raise forms.ValidationError(
                gettext(
                    "A battle was planned or voided in the meantime. Check the fixture again, then "
                    "set the result."
                )
            )
        return data


WalkoverForm = form_class(
    WalkoverTerms, DecisionForm, version=hidden(required=True), walkover=chosen()
)


class PairForm(PageForm):
    """The sides of a fixture, and the enrolments of the round that could replace one."""

    def __init__(
        self, *args: Any, fixture: FixtureRow, others: Iterable[FixtureSide], **named: Any
    ) -> None:
        super().__init__(*args, **named)
        here = [(str(side.enrolment), side.name) for side in fixture.sides if side.enrolment]
        self.fields["leaving"].choices = here  # type: ignore[attr-defined]
        entrants = [(str(side.enrolment), side.name) for side in others]
        self.fields["coming"].choices = choices_of(entrants, gettext("Choose…"))  # type: ignore[attr-defined]


SwapForm = form_class(
    Swap, PairForm, version=hidden(required=True), leaving=chosen(), coming=chosen()
)


class BattlesForm(PageForm):
    """The battles that could have been played for a fixture."""

    def __init__(self, *args: Any, battles: Iterable[tuple[UUID, str]], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(key), name) for key, name in battles]
        self.fields["battle_id"].choices = choices  # type: ignore[attr-defined]


LinkForm = form_class(Link, BattlesForm, battle_id=radio(()))
ChallengeForm = form_class(
    Challenge, PageForm, challenger_id=hidden(), opponent_id=hidden(), without=("deadline",)
)
