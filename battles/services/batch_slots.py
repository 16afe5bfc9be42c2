"""Many events at once keep a processor busy for a while: one such batch at a time in each process, others come again.

Nobody queues: whoever waited would hold a thread of the web server, and then nothing else would be answered.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from django.utils.translation import gettext

from core.errors import Unavailable

BATCH = 50
"""From so many events on it is a batch; people at a table send one or two."""

_judging = Lock()


@contextmanager
def batch_slot(number: int) -> Iterator[None]:
    """Judge so many events. Raises Unavailable "busy" while another batch is judged."""
    if number < BATCH:
        yield
        return
    if not _judging.acquire(blocking=False):
        raise Unavailable("busy", gettext("Too much is being logged just now. Send it again in a moment."))
    try:
        yield
    finally:
        _judging.release()
