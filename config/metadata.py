"""What OPTIONS answers."""

from typing import Any

from rest_framework.metadata import SimpleMetadata
from rest_framework.request import Request


class NameAndMethods(SimpleMetadata):
    """What an address is called and takes; the methods stand in `Allow`. Fields and bodies are in the schema."""

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """None: the framework would look for a row and a form even where an address has neither."""
        return {}
