"""What a disk that cannot be used is called in words."""

import errno

from django.utils.translation import gettext_noop

DISK_FULL = gettext_noop("The disk on which documents are kept is full.")
DISK_SHUT = gettext_noop("The folder in which documents are kept cannot be written to.")
DISK_UNUSABLE = gettext_noop("The disk on which documents are kept cannot be used.")
DISK: dict[int | None, str] = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EACCES: DISK_SHUT,
    errno.EPERM: DISK_SHUT,
    errno.EROFS: DISK_SHUT,
}
"""By the number of the error; every other one makes the disk unusable."""


def disk_failure(error: OSError) -> str:
    """A sentence about the disk, to be translated."""
    return DISK.get(error.errno, DISK_UNUSABLE)
