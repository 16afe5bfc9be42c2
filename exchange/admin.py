"""Support's view of keys: to look at. The private parts are nobody's business."""

from django.contrib import admin

from core.admin import LargeTable, ReadOnly
from exchange.models import SigningKey, TrustedKey


@admin.register(SigningKey)
class SigningKeyAdmin(ReadOnly, admin.ModelAdmin):
    """The installation's own keys."""

    list_display = ("number", "fingerprint", "made_at", "retired_at")
    fields = ("number", "fingerprint", "public", "made_at", "retired_at")


@admin.register(TrustedKey)
class TrustedKeyAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Keys of other installations, and who trusts them."""

    list_display = ("name", "club", "fingerprint", "trusted_by", "trusted_at", "withdrawn_at")
    list_select_related = ("club", "trusted_by")
    ordering = ("pk",)
    search_fields = ("pk", "club__folded__has_words", "trusted_by__username__istartswith")
