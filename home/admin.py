"""Read-only admin pages of letters and devices for support. Preferences are private to members."""

from django.contrib import admin

from core.admin import LargeTable, ReadOnly
from home.models import Device, Letter, Notice


class NoticeInline(ReadOnly, admin.TabularInline):
    """The notices of a letter."""

    model = Notice
    fields = ("kind", "subject", "occasion")
    extra = 0


@admin.register(Letter)
class LetterAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Letters: when they were claimed and when they were sent."""

    list_display = ("user", "kind", "day", "claimed_at", "sent_at")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("user__username__istartswith",)
    inlines = (NoticeInline,)


@admin.register(Device)
class DeviceAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Devices that get notifications. Their endpoints and keys are not shown."""

    list_display = ("user", "name", "added_at", "told_at")
    list_select_related = ("user",)
    ordering = ("pk",)
    search_fields = ("user__username__istartswith",)
    fields = ("user", "name", "added_at", "told_at")
