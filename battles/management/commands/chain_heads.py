"""Print the heads of a campaign's chronicles and logs, or check those of an old print."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.selectors.log_heads import MOMENT, logs_head, logs_head_then
from warbands.models import Warband
from warbands.selectors.chronicle_heads import bears, heads_of


class Command(BaseCommand):
    """``manage.py chain_heads CAMPAIGN`` prints the heads.

    With ``--printed`` and ``--logs`` it checks whether printed heads are still part of the chains.
    """

    help = (
        "Print the heads of a campaign's chronicles as in its summary, or check those of an old "
        "print."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the campaign and the printed heads."""
        parser.add_argument("campaign", type=UUID, help="the id of a campaign, from its address")
        parser.add_argument(
            "--printed",
            nargs=2,
            action="append",
            metavar=("ENTRY", "SEAL"),
            help="number and seal of a chronicle, as printed",
        )
        parser.add_argument(
            "--logs",
            nargs=3,
            metavar=("BATTLES", "MOMENT", "SEAL"),
            help="number, time and seal of the logs of all battles, as printed",
        )

    def handle(
        self,
        *,
        campaign: UUID,
        printed: list[list[str]] | None,
        logs: list[str] | None,
        **options: Any,
    ) -> None:
        """Print or check the heads. Exits with 1 if a printed head is not found."""
        warbands = list(Warband.objects.filter(enrolments__campaign=campaign).distinct())
        if not warbands:
            raise CommandError("Campaign not found, or it has no warbands.")
        if not printed and not logs:
            self._tell(campaign, warbands)
            return
        lost = sum(not self._stands(warbands, number, seal) for number, seal in printed or ())
        if lost:
            raise CommandError(
                f"{lost} of {len(printed or ())} not found. A chronicle was changed or cut since."
            )
        if logs and not self._logs_stand(campaign, *logs):
            raise CommandError(
                "The logs differ from the print. One was changed, cut or deleted since."
            )

    def _tell(self, campaign: UUID, warbands: list[Warband]) -> None:
        for head in heads_of(warbands):
            self.stdout.write(f"{head.name} {head.sequence} · {head.seal}")
        if of_logs := logs_head(campaign):
            self.stdout.write(f"{_logs_of(of_logs.battles)}, {of_logs.moment} · {of_logs.seal}")

    def _stands(self, warbands: list[Warband], number: str, seal: str) -> bool:
        warband = bears(warbands, int(number), seal) if number.isdecimal() else None
        sentence = (
            f"is in the chronicle of {warband.name}"
            if warband
            else "is in no chronicle of this campaign"
        )
        self.stdout.write(f"{number} · {seal} {sentence}.")
        return warband is not None

    def _logs_stand(self, campaign: UUID, battles: str, moment: str, seal: str) -> bool:
        try:
            until = datetime.strptime(moment, MOMENT).replace(tzinfo=UTC)
        except ValueError as error:
            sentence = f'"{moment}" is not a valid time. Example: "2026-03-07 21:14:05 UTC".'
            raise CommandError(sentence) from error
        then = logs_head_then(campaign, until)
        same = (
            "".join(then.seal.split()) == "".join(seal.split()).lower()
            and str(then.battles) == battles
        )
        self.stdout.write(f"The {_logs_of(then.battles)}, until {moment}: {then.seal}.")
        return same


def _logs_of(battles: int) -> str:
    return "log of the only battle" if battles == 1 else f"logs of {battles} battles"
