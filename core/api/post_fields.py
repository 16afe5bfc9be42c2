"""The posts of a warband as the API takes them: the ids of fighters by the keys of posts."""

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
    """Who fills a post: one id, several where the post takes several, null for nobody."""

    def to_internal_value(self, data: Any) -> UUID | list[UUID]:
        """The id or ids that were sent. Raises ValidationError."""
        single = serializers.UUIDField()
        several = serializers.ListField(child=serializers.UUIDField(), max_length=100)
        return (
            several.run_validation(data) if isinstance(data, list) else single.run_validation(data)
        )

    def to_representation(self, value: Any) -> Any:
        """As it is."""
        return value


class PostsField(serializers.DictField):
    """Whom to appoint to which post; what is absent stays as it is."""

    child = HoldersField(allow_null=True)


APPOINT = {"type": "object", "additionalProperties": HOLDERS}
"""A request that is nothing but posts."""
