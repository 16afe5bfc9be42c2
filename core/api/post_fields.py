"""The warband roles in the API: the ids of fighters by the keys of roles."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

HOLDERS = {
    "anyOf": [
        {"type": "string", "format": "uuid"},
        {"type": "null"},
        {"type": "array", "items": {"type": "string", "format": "uuid"}},
    ]
}


@extend_schema_field(HOLDERS)
class HoldersField(serializers.Field[Any, Any, Any, Any]):
    """Holder of a warband role: one id, several where the role takes several, or null."""

    def to_internal_value(self, data: Any) -> UUID | list[UUID]:
        """Return the id or ids that were sent. Raises ValidationError."""
        single = serializers.UUIDField()
        several = serializers.ListField(child=serializers.UUIDField(), max_length=100)
        return (
            several.run_validation(data) if isinstance(data, list) else single.run_validation(data)
        )

    def to_representation(self, value: Any) -> Any:
        """Return the value unchanged."""
        return value


class PostsField(serializers.DictField):
    """Holders of warband roles. A role that is left out does not change."""

    child = HoldersField(allow_null=True)


APPOINT = {"type": "object", "additionalProperties": HOLDERS}
"""A request that is nothing but posts."""
