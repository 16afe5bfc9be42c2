"""The names of people from imported archives, which pages show in place of accounts' names."""

from uuid import UUID

from battles.page_rows import BATTLE_ROWS
from clubs.page_rows import CLUB_ROWS, HOME_ROWS
from core.row_versions import Rows
from exchange.models import ArchivedPerson, ReceivedPassport
from leagues.page_rows import CAMPAIGN_ROWS
from warbands.page_rows import WARBAND_ROWS


@CLUB_ROWS.add
def of_club(key: UUID, reader: int) -> Rows:
    """Return the people among the members of the club."""
    return (ArchivedPerson.objects.filter(user__memberships__club=key),)


@HOME_ROWS.add
def of_home(key: UUID, reader: int) -> Rows:
    """Return the people among the members of the reader's clubs."""
    return (ArchivedPerson.objects.filter(user__memberships__club__memberships__user=reader),)


@CAMPAIGN_ROWS.add
def of_campaign(key: UUID, reader: int) -> Rows:
    """Return the people among the members of the campaign's club."""
    return (ArchivedPerson.objects.filter(user__memberships__club__campaigns=key),)


@BATTLE_ROWS.add
def of_battle(key: UUID, reader: int) -> Rows:
    """Return the people who play in the battle."""
    return (ArchivedPerson.objects.filter(user__warbands__sides__battle=key),)


@WARBAND_ROWS.add
def of_warband(key: UUID, reader: int) -> Rows:
    """Return the owner's name in an archive, and the passport that brought the warband."""
    return (
        ArchivedPerson.objects.filter(user__warbands=key),
        ReceivedPassport.objects.filter(warband=key),
    )
