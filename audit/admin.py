"""The audit for support: what belongs to no club can be read here, and nowhere else."""

from django.contrib import admin

from audit.models import AuditEntry
from config.support import ReadOnly


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, admin.ModelAdmin):
    """Every entry, to be read."""

    list_display = ("at", "verb", "actor", "subject_kind", "subject_name", "club", "face", "brought_by")
    list_filter = ("face",)
    list_select_related = ("actor",)
    search_fields = ("verb", "subject_name", "request")
    show_full_result_count = False
