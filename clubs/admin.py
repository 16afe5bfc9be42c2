"""Admin pages of clubs for support staff, who can correct names and texts.

Every change is in the club's activity log.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db import transaction
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest

from audit.services.recording import record, told_pair
from audit.verbs import Verb
from clubs.models import Club, ClubQuota, Invitation, Membership
from core.admin import LargeTable, ReadOnly
from warbands.signed import save_signed


class AuditedAdmin:
    """A model admin whose changes are in the club's activity log, where organisers see them."""

    def campaign_of(self, obj: Any) -> UUID | None:
        """Return the id of the campaign whose log also shows changes of this row, or None."""
        return None

    def save_model(
        self, request: HttpRequest, obj: Any, form: "ModelForm[Any]", change: bool
    ) -> None:
        """Save the row and record what was changed, without the names of members."""
        save_signed(obj, *form.changed_data)
        pairs = {
            field: told_pair(form.initial.get(field), form.cleaned_data[field])
            for field in form.changed_data
        }
        if isinstance(obj, Membership) and "name" in pairs:
            pairs["name"] = None
        if pairs:
            self._audit(Verb.MENDED_BY_SUPPORT, request, obj, changes=pairs)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Record that the row is deleted, and delete it."""
        self._audit(Verb.DELETED_BY_SUPPORT, request, obj)
        super().delete_model(request, obj)  # type: ignore[misc]

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete several rows one by one, so that each is recorded."""
        for obj in queryset:
            self.delete_model(request, obj)

    def _audit(self, verb: Verb, request: HttpRequest, obj: Model, **details: Any) -> None:
        club = obj.pk if isinstance(obj, Club) else getattr(obj, "club_id", None)
        user: Any = request.user
        record(verb, obj, user=user, club=club, campaign=self.campaign_of(obj), **details)


class MembershipInline(ReadOnly, admin.TabularInline):
    """The members of a club."""

    model = Membership
    fields = ("name", "user", "role", "joined_at", "left_at")
    readonly_fields = fields
    extra = 0


class QuotaInline(admin.StackedInline):
    """The limits of a club, if they are not the usual ones."""

    model = ClubQuota
    fields = ("documents", "pictures", "megabytes")
    verbose_name = "quota"
    verbose_name_plural = "quota: empty for the limit of the installation, 0 for no limit"
    can_delete = False


@admin.register(Club)
class ClubAdmin(AuditedAdmin, LargeTable, admin.ModelAdmin):
    """The admin of clubs, which can change name, story, visibility and quota."""

    list_display = ("name", "visibility", "created_at")
    list_filter = ("visibility",)
    search_fields = ("pk", "folded__has_words")
    inlines = (QuotaInline, MembershipInline)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the quota and record what was changed."""
        super().save_formset(request, form, formset, change)
        for each in formset.forms:
            pairs = {
                f"quota_{field}": told_pair(each.initial.get(field), each.cleaned_data[field])
                for field in each.changed_data
                if field in QuotaInline.fields
            }
            if pairs:
                self._audit(Verb.MENDED_BY_SUPPORT, request, form.instance, changes=pairs)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid adding: a club needs an organiser, so it is created on the pages."""
        return False


@admin.register(Membership)
class MembershipAdmin(AuditedAdmin, LargeTable, admin.ModelAdmin):
    """The admin of members, which can change name and role.

    So support can give a club a new organiser if the old one has disappeared.
    """

    list_display = ("name", "club", "role", "user", "joined_at", "left_at")
    list_filter = ("role",)
    list_select_related = ("club", "user")
    ordering = ("pk",)
    search_fields = (
        "pk",
        "folded__has_words",
        "club__folded__has_words",
        "user__username__istartswith",
    )
    fields = ("club", "user", "name", "role", "joined_at", "left_at")
    readonly_fields = ("club", "user", "joined_at", "left_at")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid adding: members are invited."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid deleting: members leave on the pages, which also take care of their warbands."""
        return False


@admin.register(Invitation)
class InvitationAdmin(AuditedAdmin, LargeTable, admin.ModelAdmin):
    """The admin of invitations, which can show and delete them, without their digests."""

    list_display = ("club", "role", "seat", "uses_left", "expires_at", "created_by")
    list_select_related = ("club", "seat", "created_by")
    ordering = ("pk",)
    search_fields = ("pk", "club__folded__has_words")
    fields = ("club", "role", "seat", "uses_left", "expires_at", "created_by", "created_at")
    readonly_fields = fields

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Forbid adding: only the service that creates an invitation can show its secret."""
        return False
