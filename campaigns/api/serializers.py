"""What the endpoints of campaigns take and give."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import HouseRuleValue, house_rule_values
from campaigns.models import Campaign
from campaigns.scoring import Scoring, scoring_of
from campaigns.services.campaigns import SETTINGS_HELP, CampaignEdit, CampaignPlan, FollowUp
from campaigns.services.house_rules import HouseRulesEdit
from core.api.inputs import serializer_class
from core.api.strict_input import ExactSerializer


class StoredScoring(ExactSerializer):
    """Shows the scoring of a campaign in full, whatever of it is stored."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return dict(super().to_representation(scoring_of(instance)))


ScoringSerializer = serializer_class(
    Scoring,
    StoredScoring,
    doc="How the table counts. What is absent has its default; the rule book has no table, so all "
    "of this is Muster's.",
)


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
    """A campaign with its story, its house rules (those that differ from the defaults) and its
    scoring."""

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


CampaignEditSerializer = serializer_class(CampaignEdit)
CampaignPlanSerializer = serializer_class(CampaignPlan)
FollowSerializer = serializer_class(FollowUp, name="FollowSerializer")


class VersionSerializer(ExactSerializer):
    """The version that was read; may be left out."""

    version = serializers.IntegerField(
        min_value=1, required=False, help_text="409 if it is no longer that."
    )


class FinishSerializer(VersionSerializer):
    """The version that was read; a dry run says what is open."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return what is open, and write nothing."
    )


class ReopenSerializer(VersionSerializer):
    """The version that was read; a dry run says who would come back."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return who would come back, and write nothing."
    )


class StartSerializer(VersionSerializer):
    """The version that was read, and for a classic campaign the scenarios of its small games."""

    scenarios = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=12,
        help_text="Keys, as agreed on; none where the house rules have them drawn, or outside a "
        "classic campaign.",
    )


class TryHouseRulesSerializer(ExactSerializer):
    """Whether anything is written; if so, some fields are needed."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Show what would change, and write nothing."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = (
            []
            if attrs["dry_run"]
            else [field for field in ("version", "reason") if field not in attrs]
        )
        if missing:
            detail = serializers.ErrorDetail("A change needs this; a dry run does not.", "required")
            raise serializers.ValidationError(dict.fromkeys(missing, detail))
        return attrs


HouseRulesEditSerializer = serializer_class(HouseRulesEdit, TryHouseRulesSerializer)


class HouseRuleSerializer(serializers.Serializer[HouseRuleValue]):
    """A house rule as it stands in the campaign. `book` is false for what the rule book does not
    speak of at all."""

    key = serializers.CharField(source="rule.key")
    label = serializers.CharField(source="rule.label")  # type: ignore[assignment]
    help = serializers.CharField(source="rule.help")
    kind = serializers.ChoiceField(["choice", "flag", "number"], source="rule.kind")
    choices = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), source="rule.choices"
    )
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
    """What becomes of a warband: points before and after, and what would newly be wrong with its
    roster."""

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
    values = house_rule_values(ruleset_of_campaign(campaign), campaign.house_rules)
    return [dict(HouseRuleSerializer(value).data) for value in values]
