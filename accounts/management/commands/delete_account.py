"""`manage.py delete_account USERNAME`: delete an account as the account page does."""

from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.services.deletion import (
    KeptForHistory,
    LeavingPreview,
    delete_account,
    preview_leaving,
)
from core.errors import MusterError


class Command(BaseCommand):
    """A command that shows what would happen and deletes the account only with `--yes`."""

    help = (
        "Delete an account: without --yes only preview the effects. History keeps no name "
        "unless one is given."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the account, and the name that history keeps."""
        parser.add_argument("username")
        name = parser.add_mutually_exclusive_group()
        name.add_argument("--keep-name", action="store_true", help="history keeps their name")
        name.add_argument("--name", default="", help="the name that history keeps")
        parser.add_argument("--yes", action="store_true", help="delete the account")

    def handle(
        self, *, username: str, keep_name: bool, name: str, yes: bool, **options: Any
    ) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"Account {username} not found.")
        if not yes:
            for line in _lines(preview_leaving(user)):
                self.stdout.write(line)
            self.stdout.write("Nothing was changed. Add --yes to delete the account.")
            return
        if keep_name:
            kept = KeptForHistory.PRESENT
        else:
            kept = KeptForHistory.OTHER if name else KeptForHistory.NONE
        try:
            delete_account(user=user, kept=kept, name=name)
        except MusterError as error:
            raise CommandError(error.sentence) from error
        self.stdout.write(f"Account {username} deleted.")


def _lines(preview: LeavingPreview) -> list[str]:
    """Return the preview as sentences."""
    return [
        *(f"First: {problem.sentence}" for problem in preview.problems),
        *(
            f"Leaves {club.name}{', in which nobody is left' if club.empty else ''}."
            for club in preview.clubs
        ),
        *(
            f"{warband.name} stays in {warband.campaign}, run by {warband.keeper_name}."
            for warband in preview.handed_over
        ),
        *(f"{warband.name} is archived." for warband in preview.archived),
        *(
            f"{warband.name} has never played: nobody sees it any more."
            for warband in preview.hidden
        ),
        *(f"The battle {battle.name} becomes void." for battle in preview.given_up),
    ]
