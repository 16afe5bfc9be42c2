"""What a question needs of JSON that may be long, cut out of it by a database that has to be asked
over a wire."""

from typing import Any
from uuid import UUID

from django.db.models import TextField
from django.db.models.functions import Cast


class JsonProjection(Cast):
    """A column of JSON as text, without what does not concern a fighter: PostgreSQL builds what
    ``cut`` says from the column (``{0}``) and the variables of its paths (``{1}``, in which
    ``$fighter`` is the fighter).

    SQLite reads its file faster than it takes JSON apart: there it is the whole. So whoever decodes
    an excerpt looks again for the fighter.
    """

    def __init__(self, column: str, cut: str, fighter: UUID) -> None:
        super().__init__(column, TextField())
        self.cut, self.fighter = cut, fighter

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, Any]:
        """What is cut out. The column has no parameters of its own."""
        column, _ = compiler.compile(self.source_expressions[0])
        variables = "jsonb_build_object('fighter', %s::text)"
        expression = self.cut.format(column, variables)
        return f"CAST({expression} AS text)", (str(self.fighter),) * expression.count(variables)
