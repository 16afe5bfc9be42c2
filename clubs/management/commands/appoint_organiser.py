"""Make a member an organiser of a club whose last organiser has vanished."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubs.models import Club, Membership, Role
from clubs.services.members import appoint_organiser
from core.errors import NotFound


class Command(BaseCommand):
    """``manage.py appoint_organiser CLUB USER`` appoints; without USER it lists the members."""

    help = "Make a member an organiser of a club, or list the members of the club."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the club's id and the user name of the member."""
        parser.add_argument("club", type=UUID, help="the id of the club, from its address")
        parser.add_argument("user", nargs="?", default="", help="the user name of a member")

    def handle(self, *, club: UUID, user: str, **options: Any) -> None:
        """Appoint the member, and print the organisers; without a user print all members."""
        row = Club.objects.filter(pk=club).first()
        if row is None:
            raise CommandError(f"There is no club {club}.")
        if user:
            try:
                appoint_organiser(club_id=club, username=user)
            except NotFound as error:
                raise CommandError(
                    f"{error} List the members: manage.py appoint_organiser {club}"
                ) from error
        members = Membership.objects.present().filter(club=club, user__isnull=False)
        if user:
            members = members.filter(role=Role.ORGANISER)
        for member in members.select_related("user").order_by("name"):
            account = member.user
            seen = account.last_login if account else None
            day = f", last signed in on {seen:%Y-%m-%d}" if seen else ""
            name = account.username if account else ""
            self.stdout.write(f"{member.name} ({name}): {member.role}{day}")
