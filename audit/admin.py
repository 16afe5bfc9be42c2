"""The activity log for support, which is the only place to read entries that belong to no club."""

from django.contrib import admin

from audit.models import AuditEntry
from core.admin import LargeTable, ReadOnly


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """All entries, read-only."""

    list_display = (
        "at",
        "verb",
        "actor",
        "subject_kind",
        "subject_name",
        "club",
        "face",
        "brought_by",
    )
    list_filter = ("face",)
    list_select_related = ("actor",)
    search_fields = ("request", "club", "actor__username__istartswith")
    search_help_text = "Id of a request or a club, name of an account"
