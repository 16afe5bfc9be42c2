"""Admin pages of campaigns for support.

Names and texts can be edited. Everything else is recorded in the chronicles and read-only.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest

from campaigns.models import Campaign, Enrolment
from clubs.admin import AuditedAdmin
from core.admin import LargeTable, ReadOnly, RulesetFilter


class EnrolmentInline(ReadOnly, admin.TabularInline):
    """The warbands of a campaign."""

    model = Enrolment
    fields = ("warband", "player", "enrolled_at", "left_at", "overruled")
    readonly_fields = fields
    extra = 0


@admin.register(Campaign)
class CampaignAdmin(AuditedAdmin, LargeTable, admin.ModelAdmin):
    """Campaigns: name, story and visibility can be edited.

    Terms and state are recorded in the warbands' chronicles and are read-only.
    """

    list_display = ("name", "club", "ruleset", "format", "state", "points", "created_at")
    list_filter = ("state", RulesetFilter, "format")
    list_select_related = ("club",)
    search_fields = ("pk", "folded__has_words", "club__folded__has_words")
    fields = (
        "name",
        "story",
        "visibility",
        "club",
        "ruleset",
        "edition",
        "format",
        "state",
        "points",
        "games",
        "house_rules",
        "scoring",
        "created_at",
        "started_at",
        "finished_at",
        "version",
    )
    readonly_fields = fields[3:]
    inlines = (EnrolmentInline,)

    def campaign_of(self, obj: Campaign) -> UUID:
        """Return the campaign itself."""
        return obj.pk

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: campaigns are created on the pages, which check their terms."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a planned campaign is cancelled on the pages, and a started one is kept."""
        return False


@admin.register(Enrolment)
class EnrolmentAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Enrolments, read-only because they are recorded in the warbands' chronicles."""

    list_display = ("warband", "campaign", "player", "enrolled_at", "left_at", "overruled")
    list_select_related = ("warband", "campaign", "player")
    ordering = ("pk",)
    search_fields = (
        "pk",
        "warband__folded__has_words",
        "campaign__folded__has_words",
        "player__folded__has_words",
    )
