"""Support's view of documents: to look at, and to have failed ones tried again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from documents.models import Document, DocumentState
from documents.services.requesting import request_again


@admin.register(Document)
class DocumentAdmin(admin.ModelAdmin):
    """Read-only: documents are made from what they show, never by hand."""

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
    list_filter = ("state", "kind", "paper", "language")
    search_fields = ("title", "subject", "failure")
    list_select_related = ("asked_by",)
    date_hierarchy = "asked_at"
    actions = ("try_again",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Document | None = None) -> bool:
        return False

    @admin.action(description="Try failed documents again", permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        """Queue every failed document of the selection."""
        failed = list(queryset.filter(state=DocumentState.FAILED).values_list("pk", flat=True))
        for document_id in failed:
            request_again(document_id)
        messages.info(request, f"{len(failed)} queued.")
