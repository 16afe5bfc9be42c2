"""The rows of this app that every page depends on."""

from django.contrib.auth.models import User

from core.models import SentRequest
from core.row_versions import Rows, reader_rows


@reader_rows
def of_reader(reader: int) -> Rows:
    """Return the reader's account and the forms that they sent: a page has new keys after each."""
    return (User.objects.filter(pk=reader), SentRequest.objects.filter(user=reader))
