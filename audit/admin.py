"""The audit for support: what belongs to no club can be read here, and nowhere else."""

from django.contrib import admin

from audit.models import AuditEntry
from core.admin import LargeTable, ReadOnly


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Every entry, to be read."""

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
