"""Admin pages of warbands, read-only: only the chronicle changes a warband."""

from django.contrib import admin

from core.admin import FateFilter, LargeTable, ReadOnly, RulesetFilter
from warbands.models import ChronicleEntry, ExperienceEntry, Fighter, RankUpOffer, Warband


@admin.register(Warband)
class WarbandAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Warbands."""

    list_display = (
        "name",
        "faction",
        "owner",
        "points",
        "fighter_count",
        "experience",
        "sequence",
        "archived_at",
    )
    list_filter = (RulesetFilter, "visibility")
    list_select_related = ("owner",)
    ordering = ("pk",)
    search_fields = ("pk", "folded__has_words", "owner__username__istartswith")


@admin.register(Fighter)
class FighterAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Fighters."""

    list_display = (
        "name",
        "warband",
        "profile_name",
        "rank",
        "points",
        "experience",
        "fate",
        "battles",
    )
    list_filter = (FateFilter,)
    list_select_related = ("warband",)
    ordering = ("pk",)
    search_fields = ("pk", "folded__has_words", "warband__folded__has_words")


@admin.register(ChronicleEntry)
class ChronicleEntryAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """The chronicle. The database refuses changes too."""

    list_display = ("warband", "sequence", "kind", "recorded_at", "recorded_by")
    list_select_related = ("warband", "recorded_by")
    ordering = ("-pk",)
    search_fields = ("warband__folded__has_words", "warband")


@admin.register(ExperienceEntry)
class ExperienceEntryAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """The experience ledger."""

    list_display = ("fighter", "sequence", "amount", "balance", "sentence", "rule")
    list_select_related = ("fighter",)
    ordering = ("-pk",)
    search_fields = (
        "fighter__folded__has_words",
        "warband__folded__has_words",
        "fighter",
        "warband",
    )


@admin.register(RankUpOffer)
class RankUpOfferAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """Prepared rank-ups."""

    list_display = ("fighter", "sequence", "prepared_at")
    list_select_related = ("fighter",)
    ordering = ("pk",)
