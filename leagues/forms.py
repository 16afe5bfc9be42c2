"""Preparing a sealed order: which fighters go into which small game."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext

from campaigns.models import Method, Walkover
from core.forms import PageForm, choices_of
from leagues.selectors.fixtures import FixtureRow, FixtureSide
from leagues.services.fixtures import MAX_NAME_LENGTH
from leagues.services.rounds import MAX_DAYS, MAX_ENTRANTS, MAX_GROUPS, MAX_LEGS, MAX_REACH, RoundTerms, Seeding
from leagues.services.rounds import MAX_NAME_LENGTH as MAX_OCCASION
from warbands.models import Fighter

PREFIX = "in."


class OrderForm(PageForm):
    """A tick box for each fighter and scenario. The service checks points and who may serve."""

    warband = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, fighters: Sequence[Fighter], scenarios: Sequence[tuple[str, str]], **named: Any
    ) -> None:
        super().__init__(*args, **named)
        self.rows, self.scenarios = fighters, scenarios
        choices = [(str(row.pk), row.name) for row in fighters]
        for key, name in scenarios:
            self.fields[PREFIX + key] = forms.MultipleChoiceField(
                label=name, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
            )

    def place_of(self, field: str) -> str | None:
        """The service names a small warband by its scenario."""
        return super().place_of(PREFIX + field)

    @property
    def lines(self) -> list[tuple[Fighter, list[tuple[str, Any]]]]:
        """Each fighter with its tick box for every scenario, named for people."""
        columns = [(name, list(self[PREFIX + key])) for key, name in self.scenarios]
        return [(row, [(name, boxes[place]) for name, boxes in columns]) for place, row in enumerate(self.rows)]

    @property
    def sums(self) -> list[tuple[str, int, int]]:
        """For each scenario its name, and the points and the number of those who are ticked."""
        return [(name, *self._sum(key)) for key, name in self.scenarios]

    def _sum(self, key: str) -> tuple[int, int]:
        ticked = {str(fighter) for fighter in self[PREFIX + key].value() or ()}
        chosen = [row.points for row in self.rows if str(row.pk) in ticked]
        return sum(chosen), len(chosen)

    @property
    def plan(self) -> Mapping[str, tuple[str, ...]]:
        """The plan as the service takes it."""
        return {key: tuple(self.cleaned_data[PREFIX + key]) for key, _ in self.scenarios}


MAX_REASON = 300
METHODS = [
    (Method.ROUND_ROBIN.value, gettext_lazy("Round robin: everybody against everybody")),
    (Method.SWISS.value, gettext_lazy("Swiss: one round, equals against each other")),
    (Method.KNOCKOUT.value, gettext_lazy("Knockout: the loser is out")),
    (Method.GROUPS.value, gettext_lazy("Group stage: a round robin in each group")),
    (Method.LADDER.value, gettext_lazy("Ladder: players challenge upwards")),
    (Method.BY_HAND.value, gettext_lazy("By hand: an empty round")),
]
SEEDINGS = [(Seeding.STANDINGS.value, gettext_lazy("By the standings")), (Seeding.LOT.value, gettext_lazy("By lot"))]


def _day(**more: Any) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(required=False, widget=widget, **more)


class RoundsForm(PageForm):
    """What rounds are to be made. Fields that a method has no use for are left as they are."""

    method = forms.ChoiceField(label=gettext_lazy("How they are paired"), choices=METHODS, widget=forms.RadioSelect)
    entrants = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who plays"), coerce=UUID, widget=forms.CheckboxSelectMultiple
    )
    seeding = forms.ChoiceField(label=gettext_lazy("Order"), choices=SEEDINGS, initial=Seeding.STANDINGS)
    deadline = _day(label=gettext_lazy("To be played by"), help_text=gettext_lazy("The first round. Empty: no end."))
    days = forms.IntegerField(label=gettext_lazy("Days between rounds"), min_value=0, max_value=MAX_DAYS, initial=7)
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_OCCASION,
        required=False,
        help_text=gettext_lazy("Empty: Round 1, 2, …"),
    )
    legs = forms.IntegerField(label=gettext_lazy("Times everybody meets"), min_value=1, max_value=MAX_LEGS, initial=1)
    groups = forms.IntegerField(label=gettext_lazy("Groups"), min_value=1, max_value=MAX_GROUPS, initial=2)
    advance = forms.IntegerField(
        label=gettext_lazy("How many of each group go on"),
        min_value=0,
        max_value=MAX_ENTRANTS,
        initial=0,
        help_text=gettext_lazy("After a group stage; 0: everybody who is ticked plays."),
    )
    third_place = forms.BooleanField(label=gettext_lazy("Play for the third place"), required=False)
    reach = forms.IntegerField(
        label=gettext_lazy("Places that one may challenge upwards"), min_value=1, max_value=MAX_REACH, initial=2
    )
    seed = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    fingerprint = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, enrolled: Iterable[FixtureSide], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(side.enrolment), f"{side.name} ({side.player_name})") for side in enrolled]
        self.fields["entrants"].choices = choices  # type: ignore[attr-defined]
        self.fields["entrants"].initial = [key for key, _ in choices]

    @property
    def terms(self) -> RoundTerms:
        """The terms as the service takes them."""
        data = {name: self.cleaned_data[name] for name in self.cleaned_data if name != "fingerprint"}
        data |= {"method": Method(data["method"]), "seeding": Seeding(data["seeding"])}
        return RoundTerms(**{**data, "entrants": tuple(data["entrants"])})


class RoundForm(PageForm):
    """A round's name and its deadline."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=MAX_NAME_LENGTH,
        required=False,
        help_text=gettext_lazy("Empty: by its number."),
    )
    deadline = _day(label=gettext_lazy("To be played by"))
    version = forms.IntegerField(widget=forms.HiddenInput)


class AddFixtureForm(PageForm):
    """One more fixture, or a bye."""

    places = {"home": "home_id", "away": "away_id"}
    home_id = forms.TypedChoiceField(label=gettext_lazy("Who"), coerce=UUID)
    away_id = forms.TypedChoiceField(label=gettext_lazy("Against"), coerce=UUID, required=False, empty_value=None)
    deadline = _day(label=gettext_lazy("To be played by"), help_text=gettext_lazy("Empty: with the round."))
    agreed = forms.CharField(
        label=gettext_lazy("Second game agreed because"),
        max_length=MAX_REASON,
        required=False,
        help_text=gettext_lazy("Only if one of the two plays in this round already. Everybody sees it."),
    )

    def __init__(self, *args: Any, enrolled: Iterable[FixtureSide], **named: Any) -> None:
        super().__init__(*args, **named)
        choices = [(str(side.enrolment), side.name) for side in enrolled]
        self.fields["home_id"].choices = choices_of(choices, gettext("Choose…"))  # type: ignore[attr-defined]
        self.fields["away_id"].choices = choices_of(choices, gettext("Nobody: a bye"))  # type: ignore[attr-defined]


class FixtureForm(PageForm):
    """A fixture's own deadline, and why it was moved."""

    deadline = _day(label=gettext_lazy("To be played by"), help_text=gettext_lazy("Empty: with the round."))
    postponed = forms.CharField(
        label=gettext_lazy("Postponed because"),
        max_length=MAX_REASON,
        required=False,
        help_text=gettext_lazy("Everybody sees it."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)


class WalkoverForm(PageForm):
    """A result without a battle. ``planned`` is the battle that would be voided, as the page has shown it."""

    walkover = forms.ChoiceField(label=gettext_lazy("Result without a battle"), required=False)
    reason = forms.CharField(
        label=gettext_lazy("Because"),
        max_length=MAX_REASON,
        required=False,
        help_text=gettext_lazy("Every result needs a reason. Everybody sees it."),
    )
    planned = forms.UUIDField(required=False, widget=forms.HiddenInput)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, fixture: FixtureRow, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fixture = fixture
        self.fields["planned"].initial = fixture.planned_battle
        nobody = gettext("None: it is played after all") if fixture.given_up else pgettext("walkover", "None")
        away = fixture.away.name if fixture.away else ""
        told = gettext("%(side)s goes on") if fixture.state == "confirmed" else gettext("%(side)s wins by walkover")
        self.fields["walkover"].choices = [  # type: ignore[attr-defined]
            (Walkover.NONE.value, nobody),
            (Walkover.HOME.value, told % {"side": fixture.home.name}),
            (Walkover.AWAY.value, told % {"side": away}),
            (Walkover.NOBODY.value, gettext("Both forfeit")),
        ]

    def clean(self) -> dict[str, Any]:
        """The data, if the battle that would be voided is the one that was shown."""
        data = {**self.cleaned_data}
        if data.pop("planned", None) != self.fixture.planned_battle and data.get("walkover"):
            raise forms.ValidationError(
                gettext("A battle was planned or voided meanwhile. Look at the fixture again, then set the result.")
            )
        return data


class SwapForm(PageForm):
    """Somebody of the round in the place of one of the two."""

    leaving = forms.TypedChoiceField(label=gettext_lazy("In the place of"), coerce=UUID)
    coming = forms.TypedChoiceField(label=gettext_lazy("plays"), coerce=UUID)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, fixture: FixtureRow, others: Iterable[FixtureSide], **named: Any) -> None:
        super().__init__(*args, **named)
        here = [(str(side.enrolment), side.name) for side in fixture.sides if side.enrolment]
        self.fields["leaving"].choices = here  # type: ignore[attr-defined]
        there = [(str(side.enrolment), side.name) for side in others]
        self.fields["coming"].choices = choices_of(there, gettext("Choose…"))  # type: ignore[attr-defined]


class LinkForm(PageForm):
    """A battle that was played for a fixture."""

    places = {"battle": "battle_id"}
    battle_id = forms.TypedChoiceField(label=gettext_lazy("This was played as"), coerce=UUID, widget=forms.RadioSelect)

    def __init__(self, *args: Any, battles: Iterable[tuple[UUID, str]], **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["battle_id"].choices = [(str(key), told) for key, told in battles]  # type: ignore[attr-defined]


class ChallengeForm(PageForm):
    """A challenge on a ladder."""

    places = {"challenger": "challenger_id", "opponent": "opponent_id"}
    challenger_id = forms.UUIDField(widget=forms.HiddenInput)
    opponent_id = forms.UUIDField(widget=forms.HiddenInput)
