"""Forms that show the errors of a service next to the fields that they concern."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.errors import Forbidden, MusterError, NotFound, StaleVersion, StateConflict
from rulebook.ruleset import RulesError, Severity


class PageForm(forms.Form):
    """A form of a page. ``places`` maps names that services use for fields to the form's fields."""

    places: ClassVar[Mapping[str, str]] = {}
    answer: Any = None
    """The return value of the service."""
    outrun = False
    """True if someone else changed this first."""
    can_be_sent_again = False
    """True if the form kept its values and can be sent again after someone else's change."""

    def submit(self, verb: Callable[[], object]) -> bool:
        """Call the service and return whether it succeeded. Its problems become errors of the form.

        Raises Forbidden and NotFound.
        """
        try:
            self.answer = verb()
        except (Forbidden, NotFound):
            raise
        except (RulesError, MusterError) as error:
            self.add_errors(error)
            return False
        return True

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show every problem of an error next to its field, each only once."""
        self.outrun = isinstance(error, StateConflict)
        if isinstance(error, StaleVersion) and "version" in self.fields:
            self._go_on_from(error.newest)
        forbidding = [problem for problem in error.problems if problem.severity is Severity.FORBIDS]
        refusals = [
            (self.place_of(problem.field), problem.sentence)
            for problem in forbidding or error.problems
        ]
        for place, sentence in dict.fromkeys(
            refusals or [(self.place_of(getattr(error, "field", "")), str(error))]
        ):
            # A preview and the service itself may report the same problem.
            if sentence not in self.errors.get(place or NON_FIELD_ERRORS, ()):
                self.add_error(place, sentence)

    def _go_on_from(self, newest: int) -> None:
        """Keep the values and set the newest version, so that the form can be sent again.

        The user has seen the changes by then.
        """
        data = QueryDict(mutable=True)
        data.update(self.data)
        data[self.add_prefix("version")] = str(newest)
        self.data = data
        self.can_be_sent_again = True

    def place_of(self, field: str) -> str | None:
        """Return the form's field for a service's field name, or None for the form as a whole."""
        name = self.places.get(field, field)
        return name if name in self.fields else None

    @property
    def status(self) -> int:
        """The HTTP status of a page that shows the form."""
        if self.outrun:
            return 409
        return 400 if self.is_bound and self.errors else 200


class ReasonForm(PageForm):
    """A form that asks only for a reason."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, widget=forms.Textarea(attrs={"rows": 3})
    )


def choices_of(pairs: Iterable[tuple[str, str]], empty: str = "") -> list[tuple[str, str]]:
    """Return choices for a select, with an empty choice first if ``empty`` has a label."""
    return [*([("", empty)] if empty else []), *pairs]
