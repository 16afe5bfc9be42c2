"""Write projections anew from their chronicles, where check_chronicle found them wrong."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rulebook.ruleset import RulesError
from warbands.errors import MusterError
from warbands.models import Warband
from warbands.services.proof import check_warbands, rebuild_projection


class Command(BaseCommand):
    """Touches only warbands that are not what their chronicles say, and never a chronicle."""

    help = "Rewrite the rows of warbands, fighters and ledgers that differ from the replay of their chronicles."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which warbands."""
        parser.add_argument("warbands", nargs="*", type=UUID, help="ids of warbands; none: all of them")

    def handle(self, *, warbands: list[UUID], **options: Any) -> None:
        """Find those that differ and rebuild them."""
        wanted = warbands or list(Warband.objects.order_by("pk").values_list("pk", flat=True))
        try:
            wrong = [finding for finding in check_warbands(wanted) if finding.differences]
            for finding in wrong:
                rebuild_projection(warband_id=finding.warband_id)
                self.stdout.write(f"Rebuilt {finding.name} ({finding.warband_id}).")
        except (MusterError, RulesError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(wrong)} of {len(wanted)} warbands were rebuilt.")
