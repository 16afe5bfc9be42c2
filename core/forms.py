"""Forms that hear what a service refuses, and say so beside the fields that it concerns."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.errors import Forbidden, MusterError, NotFound, StaleVersion, StateConflict
from rulebook.ruleset import RulesError, Severity


class PageForm(forms.Form):
    """A form of a page. ``places`` says which field shows what a service calls otherwise."""

    places: ClassVar[Mapping[str, str]] = {}
    answer: Any = None
    """What the service returned."""
    outrun = False
    """Whether somebody else was quicker."""
    can_be_sent_again = False
    """Whether the form, as it is shown now, has what was filled in before somebody else was
    quicker."""

    def submit(self, verb: Callable[[], object]) -> bool:
        """Whether the service does it; if not, its problems stand in the form. Lets Forbidden and
        NotFound through."""
        try:
            self.answer = verb()
        except (Forbidden, NotFound):
            raise
        except (RulesError, MusterError) as error:
            self.add_errors(error)
            return False
        return True

    def add_errors(self, error: RulesError | MusterError) -> None:
        """Show every problem of a refusal in its place, and none of them twice."""
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
            # A preview and the service itself may refuse for the same reason.
            if sentence not in self.errors.get(place or NON_FIELD_ERRORS, ()):
                self.add_error(place, sentence)

    def _go_on_from(self, newest: int) -> None:
        """Keep what was filled in, and let it be sent again: whoever does so has been shown what is
        new."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        data[self.add_prefix("version")] = str(newest)
        self.data = data
        self.can_be_sent_again = True

    def place_of(self, field: str) -> str | None:
        """The form's field for what a service calls by this name; None for the form as a whole."""
        name = self.places.get(field, field)
        return name if name in self.fields else None

    @property
    def status(self) -> int:
        """The HTTP status of a page that shows the form."""
        if self.outrun:
            return 409
        return 400 if self.is_bound and self.errors else 200


class ReasonForm(PageForm):
    """Asks for a reason and nothing else."""

    reason = forms.CharField(
        label=_("Reason"), max_length=300, widget=forms.Textarea(attrs={"rows": 3})
    )


def choices_of(pairs: Iterable[tuple[str, str]], empty: str = "") -> list[tuple[str, str]]:
    """Choices for a select, with an empty one first if there is a word for it."""
    return [*([("", empty)] if empty else []), *pairs]
