"""The rows of clubs that every page depends on. Other apps add those of the pages named here."""

from clubs.models import Membership
from core.row_versions import Rows, RowVersions, reader_rows

CLUB_ROWS = RowVersions()
HOME_ROWS = RowVersions()


@reader_rows
def of_reader(reader: int) -> Rows:
    """Return the reader's memberships, which decide what they may see and do."""
    return (Membership.objects.filter(user=reader),)
