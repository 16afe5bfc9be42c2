"""Change the house rules of a campaign: a preview, then one fact for each warband."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from audit.services.recording import changed_keys, record
from audit.verbs import Verb
from campaigns.eligibility import RulesPreview, rules_preview, ruleset_of_campaign
from campaigns.house_rules import campaign_settings
from campaigns.models import Campaign, CampaignState
from campaigns.services.campaigns import SETTINGS_HELP
from campaigns.services.permissions import organised_campaign
from core.cleaning import MAX_REASON, field_error
from core.errors import InvalidInput
from core.inputs import Input, field, validate_fields
from rulebook.chronicle.facts import RulesChanged
from warbands.models import Warband
from warbands.news import announce
from warbands.rulebook_values import read_states
from warbands.services.chronicle import append_facts
from warbands.services.locking import lock_warbands
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import save_signed


class HouseRulesEdit(Input, frozen=True, kw_only=True):
    """All house rules that should differ from the defaults. A change needs version and reason."""

    house_rules: Annotated[dict[str, Any], field(api=SETTINGS_HELP)]
    version: Annotated[int | None, field(ge=1, null=False)] = None
    reason: Annotated[
        str | None,
        field(
            _("Why"),
            _("Appears in the history of every warband."),
            min_length=1,
            max_length=MAX_REASON,
            line=True,
            null=False,
        ),
    ] = None


@transaction.atomic
def preview_house_rules(
    *, campaign_id: UUID, user: User, house_rules: Mapping[str, Any]
) -> RulesPreview:
    """Return what these house rules would change. Writes nothing.

    Raises NotFound, Forbidden, RulesError for invalid rules, InvalidInput "nothing-changes".
    """
    campaign = organised_campaign(campaign_id, user)
    warbands = Warband.objects.filter(pk__in=_enrolled(campaign)).order_by("name", "pk")
    return _preview(
        campaign,
        campaign_settings(ruleset_of_campaign(campaign), campaign.format, house_rules),
        list(warbands),
    )


@transaction.atomic
def change_house_rules(
    *, campaign_id: UUID, version: int, user: User, house_rules: Mapping[str, Any], reason: str
) -> RulesPreview:
    """Change the house rules of the campaign and its warbands from now on; past battles stay.

    ``house_rules`` are the ones that differ from the defaults: an absent rule gets its default.
    Raises the errors of ``preview_house_rules``, StateConflict "stale-version", InvalidInput
    "campaign-finished", "reason-needed".
    """
    campaign = organised_campaign(campaign_id, user, version)
    if campaign.state == CampaignState.FINISHED:
        raise InvalidInput(
            "campaign-finished",
            gettext("The campaign has ended. Its house rules can no longer change."),
        )
    if not reason.strip():
        raise field_error(
            "reason",
            "reason-needed",
            gettext("Enter a reason. It appears in the history of every warband."),
        )
    reason = validate_fields(HouseRulesEdit, {"reason": reason})["reason"]
    settings = campaign_settings(ruleset_of_campaign(campaign), campaign.format, house_rules)
    warbands = lock_warbands(_enrolled(campaign))
    preview = _preview(campaign, settings, list(warbands.values()))
    fact = RulesChanged(settings=settings, reason=reason)
    append_facts(dict.fromkeys(warbands, fact), user=user)
    queue_offers(warbands)
    terms: dict[str, Any] = {
        "reason": reason,
        "changes": changed_keys(campaign.house_rules, settings),
    }
    record(
        Verb.HOUSE_RULES_CHANGED,
        campaign,
        user=user,
        club=campaign.club_id,
        campaign=campaign_id,
        **terms,
    )
    campaign.house_rules = settings
    campaign.version += 1
    save_signed(campaign, "house_rules", "version")
    announce("campaign", campaign.pk)
    return preview


def _enrolled(campaign: Campaign) -> list[UUID]:
    return list(campaign.enrolments.current().values_list("warband_id", flat=True))


def _preview(
    campaign: Campaign, settings: Mapping[str, Any], warbands: list[Warband]
) -> RulesPreview:
    if settings == campaign.house_rules:
        raise InvalidInput(
            "nothing-changes",
            gettext("Nothing has changed. Choose another value first."),
            field="house_rules",
        )
    return rules_preview(campaign, settings, read_states(warbands))
