"""Prove that what is stored is what chronicles and logs say, and that nobody has touched one."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.services.proof import check_audit
from battles.services.proof import check_battles
from warbands.errors import NotFound
from warbands.models import Warband
from warbands.services.proof import Difference, Finding, check_warbands, unregistered


class Command(BaseCommand):
    """Exits with 1 and names the first difference of each warband that is not as its chronicle says."""

    help = "Prove that warbands, fighters and ledgers equal the replay of their chronicles, and that no seal is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which warbands, and how much to tell."""
        parser.add_argument("warbands", nargs="*", type=UUID, help="ids of warbands; none: all of them")
        parser.add_argument("--every", action="store_true", help="name every difference, not only the first")

    def handle(self, *, warbands: list[UUID], every: bool, **options: Any) -> None:
        """Check the warbands one by one."""
        wanted = warbands or list(Warband.objects.order_by("pk").values_list("pk", flat=True))
        try:
            wrong = [finding for finding in check_warbands(wanted) if finding.differences]
            lost = [] if warbands else [*unregistered(), *check_battles()]
            lost += [] if warbands else [Difference(*forgery) for forgery in check_audit()]
        except NotFound as error:
            raise CommandError(error.sentence) from error
        for finding in wrong:
            self._tell(finding, every)
        for difference in lost:
            self._tell_one(difference)
        if wrong or lost:
            raise CommandError(
                f"{len(wrong)} of {len(wanted)} warbands are not what their chronicles say"
                + (f"; {len(lost)} other things are wrong." if lost else ".")
            )
        self.stdout.write(f"{len(wanted)} warbands are what their chronicles say.")

    def _tell(self, finding: Finding, every: bool) -> None:
        self.stderr.write(f"{finding.name} ({finding.warband_id}):")
        for difference in finding.differences if every else finding.differences[:1]:
            self._tell_one(difference)

    def _tell_one(self, difference: Difference) -> None:
        self.stderr.write(f"  {difference.where}: stored {difference.stored}, proper {difference.proper}")
