"""Warbands for support: everything to look at, nothing to change behind the chronicle's back."""

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, RankUpOffer, Warband


class LookOnly(admin.ModelAdmin):
    """Rows that follow from a chronicle: nobody adds, changes or deletes them here."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Warband)
class WarbandAdmin(LookOnly):
    """Warbands."""

    list_display = ("name", "faction", "owner", "points", "fighter_count", "experience", "sequence", "archived_at")
    list_filter = ("ruleset", "visibility")
    list_select_related = ("owner",)
    search_fields = ("name", "id", "owner__username")


@admin.register(Fighter)
class FighterAdmin(LookOnly):
    """Fighters."""

    list_display = ("name", "warband", "profile_name", "rank", "points", "experience", "fate", "battles")
    list_filter = ("fate", "rank")
    list_select_related = ("warband",)
    search_fields = ("name", "id", "warband__name")


@admin.register(ChronicleEntry)
class ChronicleEntryAdmin(LookOnly):
    """The chronicle. The database refuses changes as well."""

    list_display = ("warband", "sequence", "kind", "recorded_at", "recorded_by")
    list_filter = ("kind",)
    list_select_related = ("warband", "recorded_by")
    search_fields = ("warband__name", "warband__id", "subject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChronicleEntry]:
        return super().get_queryset(request).order_by("-recorded_at", "-id")


@admin.register(ExperienceEntry)
class ExperienceEntryAdmin(LookOnly):
    """The experience ledger."""

    list_display = ("fighter", "sequence", "amount", "balance", "sentence", "rule")
    list_filter = ("code",)
    list_select_related = ("fighter",)
    search_fields = ("fighter__name", "fighter__id", "warband__name")


@admin.register(RankUpOffer)
class RankUpOfferAdmin(LookOnly):
    """Prepared rank-ups."""

    list_display = ("fighter", "sequence", "prepared_at")
    list_select_related = ("fighter",)
