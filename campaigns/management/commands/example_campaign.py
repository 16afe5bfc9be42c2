"""Choose the public campaign that the front page shows to strangers."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.models import Campaign
from campaigns.services.campaigns import choose_example
from core.errors import InvalidInput, NotFound


class Command(BaseCommand):
    """``manage.py example_campaign ID`` chooses a campaign, ``--none`` chooses none.

    Without an argument the command prints the present choice.
    """

    help = (
        "Choose the public campaign that the front page shows to strangers, or say which one it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the campaign's id and ``--none``."""
        parser.add_argument(
            "campaign", nargs="?", type=UUID, help="the id of a public campaign, from its address"
        )
        parser.add_argument("--none", action="store_true", help="show none")

    def handle(self, *, campaign: UUID | None, none: bool, **options: Any) -> None:
        """Choose the campaign if one is given, and print the present choice."""
        if campaign or none:
            try:
                choose_example(None if none else campaign)
            except (NotFound, InvalidInput) as error:
                raise CommandError(str(error)) from error
        shown = Campaign.objects.example()
        self.stdout.write(
            f"The front page shows {shown.name} ({shown.pk})."
            if shown
            else "The front page shows none."
        )
