"""How often one member may upload an archive: each one is checked from end to end."""

from rest_framework.throttling import UserRateThrottle


class ArchiveThrottle(UserRateThrottle):
    """So many uploads of one member (``THROTTLE_ARCHIVES``), by pages and API together."""

    scope = "archives"
