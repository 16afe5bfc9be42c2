"""Work that may fail: whatever comes of it, the claim ends, and whoever asked is told why there is nothing."""

import logging
from collections.abc import Callable

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext

from core.errors import MusterError
from documents.models import Claimable
from documents.services.claims import MAX_ATTEMPTS, release
from documents.services.disks import disk_failure
from documents.services.heartbeat import Progress, heartbeat

TRANSIENT = (OperationalError, InterfaceError, OSError)
"""What may be better in a minute: the database or the disk. The task tries again, a little later each time."""

Tell = Callable[[str], None]

logger = logging.getLogger(__name__)


def guarded(
    row: Claimable, work: Callable[[], None], *, fail: Tell, wait: Tell, progress: Progress | None = None
) -> None:
    """Do some work on a claimed row, in the language that is spoken.

    ``fail`` ends the claim and keeps a failure in words; ``wait`` keeps what is wrong while it is tried again;
    ``progress`` tells how far the work is. Raises what is TRANSIENT after letting go of the row.
    """
    if row.attempts > MAX_ATTEMPTS:
        tried = gettext("It was tried %(times)s times without success, and is not tried again by itself.")
        fail(tried % {"times": MAX_ATTEMPTS})
        return
    try:
        with heartbeat(row, progress):
            work()
    except (OperationalError, InterfaceError):
        release(row)
        raise
    except OSError as error:
        logger.error("The disk for documents, %s, cannot be used: %s", settings.FILES_DIR, error)
        sentence = gettext(disk_failure(error))
        if row.attempts == MAX_ATTEMPTS:
            fail(sentence)
            return
        wait(sentence)
        release(row)
        raise
    except SoftTimeLimitExceeded:
        too_long = gettext("It was not finished within %(minutes)s minutes, which is all that a document is given.")
        fail(too_long % {"minutes": round(settings.CELERY_TASK_SOFT_TIME_LIMIT / 60)})
    except MusterError as refusal:
        fail("\n".join([refusal.sentence, *(problem.sentence for problem in refusal.problems)]))
    except Exception:
        logger.exception("What was asked for could not be made", extra={"row": str(row.pk)})
        broken = gettext("Something is wrong in Muster itself. Its log knows more under %(number)s.")
        fail(broken % {"number": row.pk})
