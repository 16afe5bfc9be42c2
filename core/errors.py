"""What the services refuse, and why. ``core.api.problems`` turns each into one HTTP answer."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from uuid import UUID

from django.utils.translation import gettext

from rulebook.chronicle.states import Conflict
from rulebook.ruleset import Problem, RulesError


class MusterError(Exception):
    """Something that cannot be done: a stable ``code``, a sentence for people, and the problems
    behind it.

    ``within`` is the field of the request in which the fields of the problems lie.
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
    """More was sent than is taken (413)."""

    http_status = 413


class Forbidden(MusterError):
    """The asker may see this but not touch it (403)."""

    http_status = 403


class NotFound(MusterError):
    """There is no such thing, or the asker may not see it (404)."""

    http_status = 404


class StateConflict(MusterError):
    """Somebody else was quicker: read again and retry (409)."""

    http_status = 409


class StaleVersion(StateConflict):
    """The asker has seen an older version than ``newest`` (409 "stale-version")."""

    def __init__(self, sentence: str, newest: int) -> None:
        self.newest = newest
        super().__init__("stale-version", sentence, field="version")


class Unavailable(MusterError):
    """It cannot be done just now, through no fault of the asker: ask again after ``wait`` seconds
    (503)."""

    http_status = 503
    wait = 1


class OpenConflicts(StateConflict):
    """A correction would make later choices impossible, and nobody has said what becomes of them
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
                "%(number)s later choices would become impossible: undo each, or let it stand with "
                "a reason."
            )
            % {"number": len(sentences)},
            problems=[Problem(code="open-conflict", sentence=sentence) for sentence in sentences],
        )


@contextmanager
def problems_within(path: str) -> Iterator[None]:
    """Lead the problems that are raised inside to a part of the request: ``changes.2``.

    Each use adds its path in front of those inside it.
    """
    try:
        yield
    except (MusterError, RulesError) as error:
        error.within = f"{path}.{error.within}" if error.within else path
        raise
