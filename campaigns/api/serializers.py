"""What the endpoints of campaigns take and give."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from campaigns.eligibility import ruleset_of
from campaigns.house_rules import HouseRuleValue, house_rule_values
from campaigns.models import Campaign, Format
from campaigns.scoring import MAX_POINTS, TieBreaker, scoring_of
from campaigns.services.campaigns import MAX_GAMES
from campaigns.services.campaigns import MAX_POINTS as MAX_AGREED
from core.api.strict_input import ExactSerializer
from core.users import Visibility

SETTINGS_HELP = "By key: only what differs from the defaults. `rulesets/{key}/` and `house-rules/` list them all."


class ScoringSerializer(ExactSerializer):
    """How the table counts. What is absent has its default; the rule book has no table, so all of this is Muster's."""

    win = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    draw = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    loss = serializers.IntegerField(min_value=0, max_value=MAX_POINTS, required=False)
    margin = serializers.IntegerField(
        min_value=0, max_value=MAX_POINTS, required=False, help_text="Victory points that make a win a clear one."
    )
    clear_win = serializers.IntegerField(
        min_value=0, max_value=MAX_POINTS, required=False, help_text="More points for a clear win."
    )
    bye = serializers.IntegerField(
        min_value=0, max_value=MAX_POINTS, required=False, help_text="Points for who has nobody to play."
    )
    tie_breakers = serializers.ListField(
        child=serializers.ChoiceField([(each.value, each.value) for each in TieBreaker]),
        required=False,
        max_length=len(TieBreaker),
        help_text="In order; who is equal by all of them shares a position.",
    )

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return dict(super().to_representation(scoring_of(instance)))


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """A campaign in a list."""

    organises = serializers.BooleanField(read_only=True, help_text="Whether one runs it oneself.")
    warbands = serializers.IntegerField(read_only=True, help_text="Those that are in it now.")

    class Meta:
        model = Campaign
        fields = [
            "id",
            "club",
            "name",
            "ruleset",
            "edition",
            "format",
            "state",
            "points",
            "games",
            "visibility",
            "organises",
            "warbands",
            "created_at",
            "started_at",
            "finished_at",
            "reopened_at",
            "follows",
            "version",
        ]
        read_only_fields = fields


class CampaignInFullSerializer(CampaignSerializer):
    """A campaign with its story, its house rules (those that differ from the defaults) and its scoring."""

    house_rules = serializers.DictField(read_only=True, help_text=SETTINGS_HELP)
    scoring = ScoringSerializer(read_only=True)
    followed_by = serializers.UUIDField(
        source="next",
        read_only=True,
        allow_null=True,
        help_text="What goes on from it, if one may see that.",
    )

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "story", "house_rules", "scoring", "followed_by"]
        read_only_fields = fields


class CampaignEditSerializer(ExactSerializer):
    """What can be changed of a campaign, and the version that was read."""

    version = serializers.IntegerField(min_value=1, help_text="As it was read; 409 if it is no longer that.")
    name = serializers.CharField(max_length=100, required=False)
    story = serializers.CharField(max_length=20_000, required=False, allow_blank=True)
    visibility = serializers.ChoiceField(Visibility.choices, required=False)
    format = serializers.ChoiceField(Format.choices, required=False)
    points = serializers.IntegerField(
        min_value=1,
        max_value=MAX_AGREED,
        required=False,
        allow_null=True,
        help_text="Agreed points of each master roster; null where the rules know no points.",
    )
    games = serializers.IntegerField(
        min_value=1, max_value=MAX_GAMES, required=False, allow_null=True, help_text="For each warband; null: open."
    )
    scoring = ScoringSerializer(required=False)


class CampaignPlanSerializer(CampaignEditSerializer):
    """A new campaign."""

    version = None  # type: ignore[assignment]
    club = serializers.UUIDField(source="club_id")
    ruleset = serializers.CharField(max_length=40, help_text="A key from `rulesets/`.")
    name = serializers.CharField(max_length=100)
    house_rules = serializers.DictField(required=False, help_text=SETTINGS_HELP)


class FollowSerializer(CampaignEditSerializer):
    """A campaign that follows a finished one: what is left out is as it was there."""

    version = None  # type: ignore[assignment]
    name = serializers.CharField(max_length=100)
    house_rules = serializers.DictField(required=False, help_text=SETTINGS_HELP)


class VersionSerializer(ExactSerializer):
    """The version that was read; may be left out."""

    version = serializers.IntegerField(min_value=1, required=False, help_text="409 if it is no longer that.")


class FinishSerializer(VersionSerializer):
    """The version that was read; a dry run says what is open."""

    dry_run = serializers.BooleanField(default=False, help_text="Return what is open, and write nothing.")


class ReopenSerializer(VersionSerializer):
    """The version that was read; a dry run says who would come back."""

    dry_run = serializers.BooleanField(default=False, help_text="Return who would come back, and write nothing.")


class StartSerializer(VersionSerializer):
    """The version that was read, and for a classic campaign the scenarios of its small games."""

    scenarios = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=12,
        help_text="Keys, as agreed on; none where the house rules have them drawn, or outside a classic campaign.",
    )


class HouseRulesEditSerializer(ExactSerializer):
    """Other house rules: all that shall differ from the defaults. A change needs version and reason."""

    house_rules = serializers.DictField(help_text=SETTINGS_HELP)
    dry_run = serializers.BooleanField(default=False, help_text="Show what would change, and write nothing.")
    version = serializers.IntegerField(min_value=1, required=False)
    reason = serializers.CharField(max_length=300, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = [] if attrs["dry_run"] else [field for field in ("version", "reason") if field not in attrs]
        if missing:
            detail = serializers.ErrorDetail("A change needs this; a dry run does not.", "required")
            raise serializers.ValidationError(dict.fromkeys(missing, detail))
        return attrs


class HouseRuleSerializer(serializers.Serializer[HouseRuleValue]):
    """A house rule as it stands in the campaign. `book` is false for what the rule book does not speak of at all."""

    key = serializers.CharField(source="rule.key")
    label = serializers.CharField(source="rule.label")  # type: ignore[assignment]
    help = serializers.CharField(source="rule.help")
    kind = serializers.ChoiceField(["choice", "flag", "number"], source="rule.kind")
    choices = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), source="rule.choices")
    least = serializers.IntegerField(source="rule.least", allow_null=True)
    most = serializers.IntegerField(source="rule.most", allow_null=True)
    default = serializers.JSONField(source="rule.default")
    value = serializers.JSONField()
    shown = serializers.CharField()
    changed = serializers.BooleanField()
    book = serializers.BooleanField(source="rule.book")
    source = serializers.CharField(source="rule.source")  # type: ignore[assignment]


class SettingChangeSerializer(serializers.Serializer[Any]):
    """A house rule that changes, in words."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    before = serializers.CharField()
    after = serializers.CharField()


class FighterChangeSerializer(serializers.Serializer[Any]):
    """A fighter whose points change."""

    fighter = serializers.UUIDField()
    name = serializers.CharField()
    points_before = serializers.IntegerField()
    points_after = serializers.IntegerField()


@extend_schema_field({"$ref": "#/components/schemas/Severity"})
class SeverityField(serializers.CharField):
    """Whether a problem forbids or warns."""


class RosterProblemSerializer(serializers.Serializer[Any]):
    """Something that is wrong with a roster."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    severity = SeverityField(help_text="forbids or warns")
    fighters = serializers.ListField(child=serializers.CharField())
    field = serializers.CharField()
    value = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class WarbandChangeSerializer(serializers.Serializer[Any]):
    """What becomes of a warband: points before and after, and what would newly be wrong with its roster."""

    warband = serializers.UUIDField()
    name = serializers.CharField()
    points_before = serializers.IntegerField()
    points_after = serializers.IntegerField()
    fighters = FighterChangeSerializer(many=True)
    problems = RosterProblemSerializer(many=True)


class RulesPreviewSerializer(serializers.Serializer[Any]):
    """What a change of house rules does."""

    settings = SettingChangeSerializer(many=True)
    warbands = WarbandChangeSerializer(many=True)


def house_rules_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Every house rule of the campaign's rule system with its value, as JSON."""
    values = house_rule_values(ruleset_of(campaign), campaign.house_rules)
    return [dict(HouseRuleSerializer(value).data) for value in values]
