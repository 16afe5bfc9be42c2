"""A form for the odds between two fighters: the two, and the fields of the calculator."""

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext

from battles.selectors.opponents import Party
from reference.forms import CalculatorForm
from rulebook.ruleset import Calculator

KIND = "kind"


class OddsForm(CalculatorForm):
    """The fields of a calculator for two fighters, and choices for those not in the address.

    ``people`` has the label of each choice by its name. The choices are grouped by party; once the
    first fighter is chosen, the second choice leaves out its party.
    """

    def __init__(
        self,
        query: QueryDict,
        *,
        calculator: Calculator,
        people: Mapping[str, str],
        parties: Iterable[Party],
    ) -> None:
        super().__init__(query, calculator=calculator)
        self.people, self.parties = people, tuple(parties)
        self.beside = {KIND: calculator.key} | {name: query.get(name, "") for name in people}
        met: list[str] = []
        for name, label in people.items():
            choices = [("", gettext("Choose")), *self._without_friends_of(met, self.beside[name])]
            self.fields[name] = forms.CharField(
                label=gettext(label), required=False, widget=forms.Select(choices=choices)
            )
            met.append(self.beside[name])

    def _without_friends_of(
        self, met: Iterable[str], chosen: str
    ) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """Yield the parties without a fighter of ``met``, and that of the ``chosen`` fighter."""
        for party in self.parties:
            keys = {key for key, _ in party.members}
            if chosen in keys or not keys & {*met}:
                yield party.name, list(party.members)

    @property
    def chosen(self) -> bool:
        """Return whether both fighters are known."""
        return all(self.beside[name] for name in self.people)

    @property
    def fresh(self) -> str:
        """The query string with both fighters and the kind, without the other fields."""
        return urlencode({name: value for name, value in self.beside.items() if value})

    @property
    def persons(self) -> Iterable[forms.BoundField]:
        """The choices of fighters, shown before the fields of the calculator."""
        return [self[name] for name in self.people]
