"""Read-only admin pages of keys for support. Private keys are never shown."""

from django.contrib import admin

from core.admin import LargeTable, ReadOnly
from exchange.models import SigningKey, TrustedKey


@admin.register(SigningKey)
class SigningKeyAdmin(ReadOnly, admin.ModelAdmin):
    """The signing keys of this installation."""

    list_display = ("number", "fingerprint", "made_at", "retired_at")
    fields = ("number", "fingerprint", "public", "made_at", "retired_at")


@admin.register(TrustedKey)
class TrustedKeyAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Keys of other installations, with the members who trust them."""

    list_display = ("name", "club", "fingerprint", "trusted_by", "trusted_at", "withdrawn_at")
    list_select_related = ("club", "trusted_by")
    ordering = ("pk",)
    search_fields = ("pk", "club__folded__has_words", "trusted_by__username__istartswith")
