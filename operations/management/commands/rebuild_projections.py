"""Rewrite projections from chronicles and logs where check_chronicle found them wrong."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.services.verification import forget_wrong_plays
from core.errors import MusterError
from rulebook.ruleset import RulesError
from warbands.models import Warband
from warbands.services.verification import check_warbands, rebuild_projection


class Command(BaseCommand):
    """A command that changes only rows that differ from chronicles or logs, never those."""

    help = (
        "Rewrite the rows of warbands, fighters and ledgers that differ from the replay of their "
        "chronicles, and delete"
        " the stored plays of confirmed battles that differ from the replay of their logs: pages "
        "replay these again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the warbands to rebuild."""
        parser.add_argument(
            "warbands",
            nargs="*",
            type=UUID,
            help="rebuild only the warbands with these ids; without ids, all warbands and battles",
        )

    def handle(self, *, warbands: list[UUID], **options: Any) -> None:
        """Find rows that differ and rebuild them."""
        warband_ids = warbands or list(Warband.objects.order_by("pk").values_list("pk", flat=True))
        try:
            wrong = [finding for finding in check_warbands(warband_ids) if finding.differences]
            for finding in wrong:
                rebuild_projection(warband_id=finding.warband_id)
                self.stdout.write(f"Rebuilt {finding.name} ({finding.warband_id}).")
        except (MusterError, RulesError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{len(wrong)} of {len(warband_ids)} warbands were rebuilt.")
        for battle in () if warbands else forget_wrong_plays():
            self.stdout.write(f"Deleted the stored play of {battle}.")
