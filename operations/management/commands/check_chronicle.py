"""Check that rows match their chronicles and logs, and that nobody has tampered with them."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.services.proof import check_audit
from battles.services.verification import check_battles
from campaigns.services.proof import check_campaigns
from core.errors import NotFound
from exchange.services.key_proof import check_keys
from warbands.services.references import check_references
from warbands.services.verification import (
    Finding,
    ProjectionMismatch,
    check_all_warbands,
    check_rows,
    check_warbands,
    guarded,
    unregistered,
)

FEW = 5
"""The number of findings of one group that are shown without ``--every``."""
WHAT_NEXT = "What to do now: see docs/backups.md, “After a finding”."


class Command(BaseCommand):
    """A command that exits with 1 if something is wrong.

    Shows the first difference of each warband that does not match its chronicle, and everything
    else that is wrong. A row that cannot be checked counts as wrong and does not end the check.
    """

    help = (
        "Check that warbands match their chronicles, that battles match their logs, and that "
        "nobody has changed or deleted rows outside of Muster. Lists the differences."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the warbands to check, and how much to show."""
        parser.add_argument(
            "warbands",
            nargs="*",
            type=UUID,
            help="check only the warbands with these ids; without ids, check everything",
        )
        parser.add_argument(
            "--every",
            action="store_true",
            help="list every difference, not only the first of each warband and 5 of each group",
        )

    def handle(self, *, warbands: list[UUID], every: bool, **options: Any) -> None:
        """Check the warbands one by one, then everything else unless warbands were named."""
        try:
            checked = list(check_warbands(warbands) if warbands else check_all_warbands())
        except NotFound as error:
            raise CommandError(error.sentence) from error
        wrong = [finding for finding in checked if finding.differences]
        lost = (
            [] if warbands else [difference for part in _parts() for difference in guarded(*part)]
        )
        for finding in wrong:
            self._tell(finding, every)
        self._tell_lost(lost, every)
        verdict = [_warbands(len(wrong), len(checked))]
        if not warbands:
            verdict.append(_others(len(lost)))
        if wrong or lost:
            raise CommandError("\n".join([*reversed(verdict), WHAT_NEXT]))
        self.stdout.write("\n".join(verdict))

    def _tell(self, finding: Finding, every: bool) -> None:
        self.stderr.write(f"{finding.name} ({finding.warband_id}):")
        for difference in finding.differences if every else finding.differences[:1]:
            self._tell_one(difference)

    def _tell_lost(self, lost: Iterable[ProjectionMismatch], every: bool) -> None:
        named: Counter[str] = Counter()
        for difference in lost:
            named[difference.group] += 1
            if every or not difference.group or named[difference.group] <= FEW:
                self._tell_one(difference)
        for group, number in named.items():
            if group and number > FEW and not every:
                self.stderr.write(f"  and {number - FEW} more {group}")

    def _tell_one(self, difference: ProjectionMismatch) -> None:
        stored, proper = difference.stored, difference.proper
        what = f"stored {stored}, proper {proper}" if proper else stored
        self.stderr.write(f"  {difference.where}: {what}")


def _warbands(wrong: int, number: int) -> str:
    """Return a sentence on how many warbands match their chronicles."""
    if not wrong:
        return (
            "1 warband matches its chronicle."
            if number == 1
            else f"{number} warbands match their chronicles."
        )
    if wrong == 1:
        return f"1 of {number} warbands does not match its chronicle."
    return f"{wrong} of {number} warbands do not match their chronicles."


def _others(lost: int) -> str:
    """Return a sentence on whether everything besides the warbands is sound."""
    if not lost:
        return "Battles, campaigns, signed rows, keys and the activity log: all sound."
    return "1 other thing is wrong." if lost == 1 else f"{lost} other things are wrong."


def _parts() -> Sequence[tuple[str, Callable[[], Iterable[ProjectionMismatch]]]]:
    """Return the checks besides warbands. Each is guarded: if one fails, the others still run."""
    return (
        ("register of chronicles", unregistered),
        ("battles", check_battles),
        ("campaigns", check_campaigns),
        ("signing keys", check_keys),
        ("signed rows", check_rows),
        ("references between rows", check_references),
        ("activity log", lambda: (ProjectionMismatch(*forgery) for forgery in check_audit())),
    )
