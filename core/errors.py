"""The errors of services. ``core.api.problems`` turns each of them into one HTTP response."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

from django.utils.translation import gettext

from rulebook.chronicle.states import Conflict
from rulebook.ruleset import Problem, RulesError


class MusterError(Exception):
    """An action that cannot be done: a stable ``code``, a sentence for people, and its problems.

    ``within`` is the path in the request that the fields of the problems are relative to.
    """

    http_status = 400

    def __init__(
        self,
        code: str,
        sentence: str,
        *,
        problems: Iterable[Problem] = (),
        field: str = "",
        within: str = "",
    ) -> None:
        self.code = code
        self.sentence = sentence
        self.field = field
        self.within = within
        self.problems = tuple(problems)
        super().__init__(sentence)


class InvalidInput(MusterError):
    """The request makes no sense, or the rules forbid it (400)."""


class TooLarge(MusterError):
    """The request is larger than allowed (413)."""

    http_status = 413


class Forbidden(MusterError):
    """The user may see this but not change it (403)."""

    http_status = 403


class NotFound(MusterError):
    """The object does not exist, or the user may not see it (404)."""

    http_status = 404


class StateConflict(MusterError):
    """Someone else changed this first: read it again and retry (409)."""

    http_status = 409


class StaleVersion(StateConflict):
    """The user has seen an older version than ``newest`` (409 "stale-version")."""

    def __init__(self, sentence: str, newest: int) -> None:
        self.newest = newest
        super().__init__("stale-version", sentence, field="version")


class Unavailable(MusterError):
    """The service is temporarily unavailable: retry after ``wait`` seconds (503)."""

    http_status = 503
    wait = 1


class OpenConflicts(StateConflict):
    """A correction would make later choices impossible, and nobody has decided what to do with them
    (409)."""

    def __init__(self, conflicts: Mapping[UUID, tuple[Conflict, ...]]) -> None:
        self.conflicts = conflicts
        sentences = [
            conflict.sentence
            for warband_conflicts in conflicts.values()
            for conflict in warband_conflicts
        ]
        super().__init__(
            "open-conflicts",
            gettext(
                "%(number)s later choices would become impossible. Undo each of them, or keep it "
                "and give a reason."
            )
            % {"number": len(sentences)},
            problems=[Problem(code="open-conflict", sentence=sentence) for sentence in sentences],
        )


@contextmanager
def problems_within(path: str) -> Iterator[None]:
    """Prefix the fields of errors raised inside with a path in the request, such as ``changes.2``.

    Nested uses join their paths, outermost first.
    """
    try:
        yield
    except (MusterError, RulesError) as error:
        error.within = f"{path}.{error.within}" if error.within else path
        raise
