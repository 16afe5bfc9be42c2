"""Prove that what is stored is what chronicles and logs say, and that nobody has touched one."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.services.proof import check_audit
from battles.services.proof import check_battles
from campaigns.services.proof import check_campaigns
from exchange.services.key_proof import check_keys
from warbands.errors import NotFound
from warbands.services.proof import (
    Difference,
    Finding,
    check_all_warbands,
    check_rows,
    check_warbands,
    guarded,
    unregistered,
)


class Command(BaseCommand):
    """Exits with 1 and names the first difference of each warband that is not as its chronicle says, and of each other
    thing that is wrong. A row that cannot be checked is wrong, and ends nothing."""

    help = "Prove that warbands, fighters and ledgers equal the replay of their chronicles, and that no seal is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which warbands, and how much to tell."""
        parser.add_argument("warbands", nargs="*", type=UUID, help="ids of warbands; none: all of them")
        parser.add_argument("--every", action="store_true", help="name every difference, not only the first")

    def handle(self, *, warbands: list[UUID], every: bool, **options: Any) -> None:
        """Check the warbands one by one."""
        try:
            checked = list(check_warbands(warbands) if warbands else check_all_warbands())
        except NotFound as error:
            raise CommandError(error.sentence) from error
        wrong = [finding for finding in checked if finding.differences]
        lost = [] if warbands else [difference for part in _parts() for difference in guarded(*part)]
        for finding in wrong:
            self._tell(finding, every)
        for difference in lost:
            self._tell_one(difference)
        if wrong or lost:
            raise CommandError(
                f"{len(wrong)} of {len(checked)} warbands are not what their chronicles say"
                + (f"; {len(lost)} other things are wrong." if lost else ".")
            )
        self.stdout.write(f"{len(checked)} warbands are what their chronicles say.")

    def _tell(self, finding: Finding, every: bool) -> None:
        self.stderr.write(f"{finding.name} ({finding.warband_id}):")
        for difference in finding.differences if every else finding.differences[:1]:
            self._tell_one(difference)

    def _tell_one(self, difference: Difference) -> None:
        self.stderr.write(f"  {difference.where}: stored {difference.stored}, proper {difference.proper}")


def _parts() -> Sequence[tuple[str, Callable[[], Iterable[Difference]]]]:
    """What is checked beside the warbands, each on its own: what cannot be checked is named, and the others are."""
    return (
        ("register of chronicles", unregistered),
        ("battles", check_battles),
        ("campaigns", check_campaigns),
        ("signing keys", check_keys),
        ("signed rows", check_rows),
        ("activity log", lambda: (Difference(*forgery) for forgery in check_audit())),
    )
