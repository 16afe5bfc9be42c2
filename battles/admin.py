"""Admin pages of battles for support.

Title and story can be changed; what logs and chronicles decide is read-only.
"""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleEvent, Combatant, Revision, Side
from core.admin import LargeTable, ReadOnly, RulesetFilter


class SideInline(ReadOnly, admin.TabularInline):
    """The sides of a battle."""

    model = Side
    fields = (
        "key",
        "warband",
        "role",
        "outcome",
        "victory_points",
        "verdict",
        "dispute",
        "decided_by",
    )
    readonly_fields = fields
    extra = 0
    show_change_link = True


class RevisionInline(ReadOnly, admin.TabularInline):
    """The corrections after confirmation."""

    model = Revision
    fields = ("number", "reason", "made_by", "made_at")
    readonly_fields = fields
    extra = 0


class CombatantInline(ReadOnly, admin.TabularInline):
    """The fighters in a side's line-up."""

    model = Combatant
    fields = ("name", "rank", "points", "posts")
    readonly_fields = fields
    extra = 0


@admin.register(Battle)
class BattleAdmin(LargeTable, admin.ModelAdmin):
    """Battles: only title and story can be changed. The seed of the dice is never shown."""

    list_display = ("__str__", "campaign", "state", "friendly", "fought_on", "revision")
    list_filter = ("state", "friendly", RulesetFilter, "fought_on")
    list_select_related = ("campaign",)
    search_fields = (
        "pk",
        "folded__has_words",
        "campaign__folded__has_words",
        "sides__warband__folded__has_words",
    )
    readonly_fields = (
        "campaign",
        "ruleset",
        "edition",
        "scenario",
        "state",
        "friendly",
        "fought_on",
        "points_limit",
        "house_rules",
        "set_up",
        "decision",
        "version",
        "revision",
        "created_by",
        "created_at",
        "submitted_by",
        "submitted_at",
        "confirmed_at",
        "follow_ups_due_since",
    )
    fields = ("title", "story", *readonly_fields)
    inlines = (SideInline, RevisionInline)

    def save_model(
        self, request: HttpRequest, obj: Battle, form: "ModelForm[Battle]", change: bool
    ) -> None:
        """Save title and story, and record the change like one on the pages."""
        super().save_model(request, obj, form, change)
        user: Any = request.user
        record(Verb.BATTLE_DESCRIBED, obj, user=user, campaign=obj.campaign_id)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: battles are planned on the pages."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: battles are voided, with a reason, because chronicles mention them."""
        return False


@admin.register(Side)
class SideAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """A side and its line-up."""

    list_display = ("battle", "key", "warband", "role", "outcome", "victory_points", "verdict")
    list_filter = ("verdict",)
    list_select_related = ("battle", "warband")
    ordering = ("pk",)
    search_fields = ("pk", "warband__folded__has_words", "battle__folded__has_words")
    inlines = (CombatantInline,)


@admin.register(BattleEvent)
class BattleEventAdmin(ReadOnly, LargeTable, admin.ModelAdmin):
    """The log entries of battles."""

    list_display = ("battle", "sequence", "kind", "turn", "revision", "recorded_by", "recorded_at")
    list_select_related = ("battle", "recorded_by")
    ordering = ("-pk",)
    search_fields = ("battle__folded__has_words", "battle")
