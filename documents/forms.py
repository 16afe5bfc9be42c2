"""Forms for documents."""

from typing import Any

from core.forms import PageForm
from core.input_forms import field_for, hidden, radio, ticks
from documents.models import DocumentKind, Language, RosterOption
from documents.services.requesting import DocumentRequest


class AskForm(PageForm):
    """A document to request: what it shows, paper and language, and the options of a roster."""

    kind = field_for(DocumentRequest, "kind", hidden())
    subject = field_for(DocumentRequest, "subject", hidden())
    language = field_for(DocumentRequest, "language", radio(required=False))
    paper = field_for(DocumentRequest, "paper", radio())
    options = field_for(DocumentRequest, "options", ticks(choices=RosterOption.choices))

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if kind != DocumentKind.ROSTER:
            del self.fields["options"]

    def clean_language(self) -> str:
        """Return the chosen language, or the one that the page suggested."""
        return self.cleaned_data["language"] or self.initial.get("language", Language.ENGLISH)
