"""Warbands for support: everything to look at, nothing to change behind the chronicle's back."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from config.support import ReadOnly
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, RankUpOffer, Warband


@admin.register(Warband)
class WarbandAdmin(ReadOnly, admin.ModelAdmin):
    """Warbands."""

    list_display = ("name", "faction", "owner", "points", "fighter_count", "experience", "sequence", "archived_at")
    list_filter = ("ruleset", "visibility")
    list_select_related = ("owner",)
    search_fields = ("name", "id", "owner__username")


@admin.register(Fighter)
class FighterAdmin(ReadOnly, admin.ModelAdmin):
    """Fighters."""

    list_display = ("name", "warband", "profile_name", "rank", "points", "experience", "fate", "battles")
    list_filter = ("fate", "rank")
    list_select_related = ("warband",)
    search_fields = ("name", "id", "warband__name")


@admin.register(ChronicleEntry)
class ChronicleEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The chronicle. The database refuses changes as well."""

    list_display = ("warband", "sequence", "kind", "recorded_at", "recorded_by")
    list_filter = ("kind",)
    list_select_related = ("warband", "recorded_by")
    search_fields = ("warband__name", "warband__id", "subject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChronicleEntry]:
        return super().get_queryset(request).order_by("-recorded_at", "-id")


@admin.register(ExperienceEntry)
class ExperienceEntryAdmin(ReadOnly, admin.ModelAdmin):
    """The experience ledger."""

    list_display = ("fighter", "sequence", "amount", "balance", "sentence", "rule")
    list_filter = ("code",)
    list_select_related = ("fighter",)
    search_fields = ("fighter__name", "fighter__id", "warband__name")


@admin.register(RankUpOffer)
class RankUpOfferAdmin(ReadOnly, admin.ModelAdmin):
    """Prepared rank-ups."""

    list_display = ("fighter", "sequence", "prepared_at")
    list_select_related = ("fighter",)
