"""Documents as rows of a list."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from documents.models import (
    FILE_TYPE_OF,
    PDF,
    Document,
    DocumentKind,
    DocumentOption,
    DocumentState,
    Language,
    Paper,
    chosen_options,
    document_name,
)


class ListedDocument(Struct, frozen=True, kw_only=True):
    """A document in a list.

    ``ruleset`` is the key of its rule system, "" without one. Labels are properties: only a row
    that is rendered needs them.
    """

    id: UUID
    kind: str
    title: str
    options: str
    language: str
    paper: str
    asked_at: datetime
    pages: int | None
    state: str
    ruleset: str

    @property
    def name(self) -> str:
        """Return the kind and the title."""
        return document_name(self.kind, self.title)

    @property
    def chosen(self) -> tuple[DocumentOption, ...]:
        """Return the options."""
        return chosen_options(self.options)

    @property
    def language_label(self) -> str:
        """Return the name of the language."""
        return str(Language(self.language).label)

    @property
    def paper_label(self) -> str:
        """Return the name of the paper size."""
        return str(Paper(self.paper).label)

    @property
    def state_label(self) -> str:
        """Return the name of the state."""
        return str(DocumentState(self.state).label)

    @property
    def file_name(self) -> str:
        """Return the name of its type of file, such as "PDF"."""
        return FILE_TYPE_OF.get(DocumentKind(self.kind), PDF).name


def listed_document(row: Document, ruleset: str) -> ListedDocument:
    """Return a document as a row of a list. No queries."""
    return ListedDocument(
        id=row.pk,
        kind=row.kind,
        title=row.title,
        options=row.options,
        language=row.language,
        paper=row.paper,
        asked_at=row.asked_at,
        pages=row.pages,
        state=row.state,
        ruleset=ruleset,
    )
