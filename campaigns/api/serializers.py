"""Serializers of campaigns."""

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
    """The complete scoring of a campaign, with defaults for what is not stored."""

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return dict(super().to_representation(scoring_of(instance)))


ScoringSerializer = serializer_class(
    Scoring,
    StoredScoring,
    doc=(
        "The scoring of the standings. Absent fields have their defaults. Rulebooks have "
        "no league scoring; these settings are Muster's own."
    ),
)


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """A campaign in a list."""

    organises = serializers.BooleanField(read_only=True, help_text="Whether you can edit it.")
    warbands = serializers.IntegerField(
        read_only=True, help_text=("The number of warbands in it now.")
    )

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
    """A campaign with its story, its scoring, and the house rules that differ from the defaults."""

    house_rules = serializers.DictField(read_only=True, help_text=SETTINGS_HELP)
    scoring = ScoringSerializer(read_only=True)
    followed_by = serializers.UUIDField(
        source="next",
        read_only=True,
        allow_null=True,
        help_text="The next season, if you can see it.",
    )

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "story", "house_rules", "scoring", "followed_by"]
        read_only_fields = fields


CampaignEditSerializer = serializer_class(CampaignEdit)
CampaignPlanSerializer = serializer_class(CampaignPlan)
FollowSerializer = serializer_class(FollowUp, name="FollowSerializer")


class VersionSerializer(ExactSerializer):
    """The version that you read (optional)."""

    version = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text=(
            "The version that you read. If the campaign has changed since, the answer is 409."
        ),
    )


class FinishSerializer(VersionSerializer):
    """The version that you read; a dry run returns the open battles and fixtures."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return what is still open, and change nothing."
    )


class ReopenSerializer(VersionSerializer):
    """The version that you read; a dry run returns which warbands would return."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return which warbands would return, and change nothing."
    )


class StartSerializer(VersionSerializer):
    """The version that you read and, for a classic campaign, the scenarios of its small battles."""

    scenarios = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=12,
        help_text=(
            "Keys of the agreed scenarios. Leave out if the house rules draw them by lot, or "
            "if the campaign is not classic."
        ),
    )


class TryHouseRulesSerializer(ExactSerializer):
    """The choice of a dry run; without it, some fields are required."""

    dry_run = serializers.BooleanField(
        default=False, help_text="Return what would change, and change nothing."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = (
            []
            if attrs["dry_run"]
            else [field for field in ("version", "reason") if field not in attrs]
        )
        if missing:
            detail = serializers.ErrorDetail(
                ("Required for a change. Only a dry run can leave it out."), "required"
            )
            raise serializers.ValidationError(dict.fromkeys(missing, detail))
        return attrs


HouseRulesEditSerializer = serializer_class(HouseRulesEdit, TryHouseRulesSerializer)


class HouseRuleSerializer(serializers.Serializer[HouseRuleValue]):
    """A house rule with its value in the campaign.

    `book` is false if the rulebook does not mention it.
    """

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
    """The change of a house rule, as text."""

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
    """The severity of a problem: forbids or warns."""


class RosterProblemSerializer(serializers.Serializer[Any]):
    """A problem of a roster."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    severity = SeverityField(help_text="forbids or warns")
    fighters = serializers.ListField(child=serializers.CharField())
    field = serializers.CharField()
    value = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class WarbandChangeSerializer(serializers.Serializer[Any]):
    """The change of a warband: points before and after, and new problems of its roster."""

    warband = serializers.UUIDField()
    name = serializers.CharField()
    points_before = serializers.IntegerField()
    points_after = serializers.IntegerField()
    fighters = FighterChangeSerializer(many=True)
    problems = RosterProblemSerializer(many=True)


class RulesPreviewSerializer(serializers.Serializer[Any]):
    """The effect of a change of house rules."""

    settings = SettingChangeSerializer(many=True)
    warbands = WarbandChangeSerializer(many=True)


def house_rules_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Return every house rule of the campaign's rule system with its value, as JSON."""
    values = house_rule_values(ruleset_of_campaign(campaign), campaign.house_rules)
    return [dict(HouseRuleSerializer(value).data) for value in values]
