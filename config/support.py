"""What the support pages of all rooms share."""

from typing import Any

from django.http import HttpRequest


class ReadOnly:
    """Rows to be looked at: a change needs a service, which checks the rules and writes the chronicles."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds rows here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes rows here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes rows here."""
        return False
