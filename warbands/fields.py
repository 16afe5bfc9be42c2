"""A column that the chronicle writes by the dozen."""

from typing import Any

from django.db import models


class PlainJSONField(models.JSONField):
    """JSON whose values are sent one by one.

    Of many rows Django makes one array for each column, and quoting JSON inside an array takes longer than everything
    else that is done to write it. The column is that of any JSONField.
    """

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:
        """Where a value goes in a statement: a field that has a say in this is not put into arrays."""
        return "%s"

    def deconstruct(self) -> Any:
        """As migrations see it: a JSONField, since it makes the same column."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options
