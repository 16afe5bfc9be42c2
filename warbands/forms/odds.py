"""The odds between two as a form: who against whom, and the fields of the kind that is asked for."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from rulebook.ruleset import Calculator
from warbands.forms.calculators import CalculatorForm
from warbands.summaries.opponents import Party

KIND = "kind"


class OddsForm(CalculatorForm):
    """The fields of a calculator about two, and a choice for each of them whom the address does not fix.

    ``people`` has the label of each choice by its name; those to choose from are the same for all of them.
    """

    def __init__(
        self, told: QueryDict, *, calculator: Calculator, people: Mapping[str, str], parties: Iterable[Party]
    ) -> None:
        super().__init__(told, calculator=calculator)
        self.people, self.parties = people, tuple(parties)
        self.beside = {KIND: calculator.key} | {name: told.get(name, "") for name in people}
        choices = [("", "Choose"), *((party.name, list(party.members)) for party in self.parties)]
        for name, label in people.items():
            self.fields[name] = forms.CharField(label=label, required=False, widget=forms.Select(choices=choices))

    @property
    def chosen(self) -> bool:
        """Whether it is known who meets whom."""
        return all(self.beside[name] for name in self.people)

    @property
    def fresh(self) -> str:
        """What the address says of who meets whom, and how, without the circumstances."""
        return urlencode({name: value for name, value in self.beside.items() if value})

    @property
    def persons(self) -> Iterable[forms.BoundField]:
        """The choices of people, to be drawn before the fields of the calculator."""
        return [self[name] for name in self.people]
