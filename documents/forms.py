"""Forms for documents."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from core.forms import PageForm
from core.input_forms import field_for, hidden, radio, ticks
from documents.models import DocumentOption, Language, Paper
from documents.services.requesting import DocumentRequest

BOOK_TEXTS = {
    "label": gettext_lazy("Options (optional)"),
    "help_text": gettext_lazy(
        "Print a booklet on both sides, flipped on the short edge, in full size. Fold the sheets "
        "in the middle, and staple them there. A book of more than 64 pages has several sections: "
        "fold each of them, and sew or glue their backs together. A booklet has no links, "
        "bookmarks or tags for screen readers."
    ),
}
"""The texts of the options of a campaign's book."""


class AskForm(PageForm):
    """A document to request: what it shows, with the papers and options of its kind."""

    kind = field_for(DocumentRequest, "kind", hidden())
    subject = field_for(DocumentRequest, "subject", hidden())
    language = field_for(DocumentRequest, "language", radio(required=False))
    paper = field_for(DocumentRequest, "paper", radio())

    def __init__(
        self, *args: Any, papers: Sequence[Paper], options: Sequence[DocumentOption], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["paper"] = field_for(
            DocumentRequest, "paper", radio([(paper.value, str(paper.label)) for paper in papers])
        )
        if options:
            choices = [(each.value, each.label) for each in options]
            texts = BOOK_TEXTS if DocumentOption.BOOKLET in options else {}
            maker = ticks(choices=choices, **texts)
            self.fields["options"] = field_for(DocumentRequest, "options", maker)

    def clean_language(self) -> str:
        """Return the chosen language, or the one that the page suggested."""
        return self.cleaned_data["language"] or self.initial.get("language", Language.ENGLISH)
