"""Documents in the admin site: support can view them and try failed ones again."""

from collections.abc import Iterator
from contextlib import suppress

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from core.admin import LargeTable
from documents.models import Document, DocumentKind, DocumentState
from documents.services.requesting import request_again
from documents.services.stored_files import forget_documents


@admin.register(Document)
class DocumentAdmin(LargeTable, admin.ModelAdmin):
    """Read-only, as documents are made from what they show; but old ones can be deleted."""

    list_display = (
        "title",
        "kind",
        "paper",
        "language",
        "state",
        "progress",
        "pages",
        "attempts",
        "asked_at",
        "finished_at",
    )
    list_filter = ("state", "kind", "paper", "language", "asked_at")
    search_fields = ("pk", "asked_by__username__istartswith")
    search_help_text = "Id of a document or of what it shows, name of an account"
    list_select_related = ("asked_by",)
    # Failed documents first. This order has an index. "Newest first" has none, because it would
    # tempt the database to read all documents for the lists of a member, who sees few of them.
    ordering = ("state", "asked_at", "pk")
    actions = ("try_again",)

    def matches(self, word: str) -> Iterator[QuerySet[Document]]:
        """Yield also the documents of the campaign, battle, warband or fighter with this id."""
        yield from super().matches(word)
        with suppress(ValidationError):
            yield Document.objects.filter(kind__in=DocumentKind.values, subject=word)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        return False

    @transaction.atomic
    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        forget_documents(Document.objects.filter(pk=obj.pk))

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        forget_documents(queryset)

    @admin.action(description="Try failed documents again", permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Queue each failed document of the selection again."""
        failed = list(queryset.filter(state=DocumentState.FAILED).values_list("pk", flat=True))
        for document_id in failed:
            request_again(document_id)
        messages.info(request, f"{len(failed)} queued.")
