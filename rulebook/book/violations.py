"""The problems of a rule system: each code with its rule and a sentence that says how to fix it.

A data file has an entry for each: ``[violation.too-far]`` with ``says`` and ``rule``, both of which
may have places in braces for details of the case. Where two sentences share a code, an entry
has a name of its own and says ``code``.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.values.problems import Problem, Severity, Violation, shown


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that may be wrong, as the data tells it; without ``code`` its name is the code.

    ``field`` is the field of which a problem tells, ``warns`` that it forbids nothing. ``hurdle``
    marks what forbids an action by how its fighter stands, whatever is chosen for it: the table
    names it before anything is chosen.
    """

    says: str
    rule: str = ""
    code: str = ""
    field: str = ""
    warns: bool = False
    hurdle: bool = False


class ViolationBook:
    """Everything that a rule system forbids, read from a data file: the entries of one table by
    their names."""

    def __init__(self, path: Path, part: str = "violation") -> None:
        self.path, self.part = path, part

    @cached_property
    def entries(self) -> Mapping[str, Wrong]:
        """Return every entry by its name. Raise DataError."""
        return read_data(self.path, dict[str, Wrong], self.part)

    def violation(self, name: str, /, **placeholders: object) -> Violation:
        """Return the violation of this name, its sentence and its rule filled in with
        ``placeholders``.

        Raise KeyError.
        """
        entry = self.entries[name]
        return Violation(
            entry.code or name, entry.says.format(**placeholders), entry.rule.format(**placeholders)
        )

    def field_of(self, name: str) -> str:
        """Return the field of which the entry of this name tells, "" for none. Raise KeyError."""
        return self.entries[name].field

    def broken(self, *checks: tuple[object, str], **placeholders: object) -> tuple[Violation, ...]:
        """Return a violation for each check that holds: whether it does, and its name."""
        # Written out, since nearly all checks of nearly all events hold for nothing.
        violations: tuple[Violation, ...] = ()
        for wrong, name in checks:
            if wrong:
                violations += (self.violation(name, **placeholders),)
        return violations

    def problem(
        self,
        name: str,
        /,
        *,
        field: str = "",
        value: object = "",
        fighters: tuple[str, ...] = (),
        severity: Severity | None = None,
        **placeholders: object,
    ) -> Problem:
        """Return the problem of this name; what is said of it here goes before what the data says.
        Raise KeyError.

        ``field`` and ``value`` can be in the sentence too.
        """
        entry = self.entries[name]
        field = field or entry.field
        severity = severity or (Severity.WARNS if entry.warns else Severity.FORBIDS)
        violation = self.violation(name, field=field, value=value, **placeholders)
        return Problem(
            violation.code,
            violation.sentence,
            severity,
            fighters,
            field,
            shown(value),
            violation.rule,
        )
