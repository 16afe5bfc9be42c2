"""Plan, change, start, finish and cancel campaigns, and choose the example for visitors."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import changed_keys, differences, record
from audit.verbs import Verb
from campaigns.eligibility import TERMS, ruleset_of_campaign
from campaigns.house_rules import campaign_settings, without_classic
from campaigns.models import Campaign, CampaignState, Format
from campaigns.scoring import Scoring, clean_scoring
from campaigns.services.classic_setup import choose_scenarios
from campaigns.services.permissions import organised_campaign
from clubs.services.permissions import organised_club
from core.cleaning import MAX_STORY, clean_number, field_error
from core.errors import InvalidInput, NotFound, StateConflict
from core.inputs import Input, column, field, validate_fields
from core.ruleset_words import state_label
from core.users import Visibility
from rulebook.chronicle.facts import Withdrawn
from rulebook.registry import newest_ruleset
from rulebook.ruleset import Ruleset
from warbands.news import announce
from warbands.services.chronicle import append_facts
from warbands.services.rank_up_offers import queue_offers
from warbands.signed import create_signed, save_signed, update_signed

MAX_POINTS = 100_000
MAX_GAMES = 1_000
SETTLED = ("confirmed", "void")
"""The states of battles that need no further action."""
SETTINGS_HELP = (
    "By key: only what differs from the defaults. `rulesets/{key}/` and `house-rules/` list them "
    "all."
)


class CampaignDetails(Input, frozen=True, kw_only=True):
    """Details of any campaign; absent fields keep their values or get the defaults."""

    story: Annotated[str | UnsetType, field(_("About the campaign"), max_length=MAX_STORY)] = UNSET
    visibility: Annotated[Visibility | UnsetType, field(_("Visibility"))] = UNSET
    format: Annotated[Format | UnsetType, field(_("Format"))] = UNSET
    points: Annotated[
        int | UnsetType | None,
        field(
            _("Points limit"),
            _("How big each roster can be."),
            api="Points limit of each roster; null if the rules have no points.",
            ge=1,
            le=MAX_POINTS,
        ),
    ] = UNSET
    games: Annotated[
        int | UnsetType | None,
        field(
            _("Battles for each warband"),
            _("Leave blank for no limit."),
            api="Battles for each warband; null for no limit.",
            ge=1,
            le=MAX_GAMES,
        ),
    ] = UNSET
    scoring: Scoring | UnsetType = UNSET


NAME = column(Campaign, "name", _("Name"), min_length=1, line=True)


class CampaignEdit(CampaignDetails, frozen=True, kw_only=True):
    """Changes of a campaign, and the version that was read."""

    version: Annotated[
        int,
        field(api=("The version that you read. If it has changed since, the answer is 409."), ge=1),
    ]
    name: Annotated[str | UnsetType, NAME] = UNSET


class CampaignPlan(CampaignDetails, frozen=True, kw_only=True, rename={"club_id": "club"}):
    """A new campaign."""

    club_id: UUID
    ruleset: Annotated[
        str, field(_("Rule system"), api="A key from `rulesets/`.", min_length=1, max_length=40)
    ]
    name: Annotated[str, NAME]
    house_rules: Annotated[dict[str, Any] | UnsetType, field(api=SETTINGS_HELP)] = UNSET


class FollowUp(CampaignDetails, frozen=True, kw_only=True):
    """The next season of a finished campaign; absent fields keep its values."""

    name: Annotated[str, NAME]
    house_rules: Annotated[dict[str, Any] | UnsetType, field(api=SETTINGS_HELP)] = UNSET


@transaction.atomic
def plan_campaign(
    *,
    club_id: UUID,
    user: User,
    ruleset: str,
    house_rules: Mapping[str, Any] | None = None,
    **details: Any,
) -> Campaign:
    """Create a campaign of the club under the newest edition of a rule system.

    ``details`` are fields of ``CampaignPlan``, among them ``name``, and ``points`` if the rules
    count them. Raises NotFound, Forbidden,
    InvalidInput, and RulesError for invalid house rules and scoring.
    """
    club = organised_club(club_id, user)
    rules = newest_ruleset(ruleset)
    cleaned = _cleaned(rules, {"name": "", "points": None, "scoring": {}, **details})
    campaign = create_signed(
        Campaign,
        club=club,
        ruleset=rules.key,
        edition=rules.edition,
        house_rules=campaign_settings(
            rules, cleaned.get("format", Format.LINKED), house_rules or {}
        ),
        **cleaned,
    )
    record(Verb.CAMPAIGN_PLANNED, campaign, user=user, club=club_id, campaign=campaign.pk)
    announce("campaign", campaign.pk)
    return campaign


@transaction.atomic
def follow_campaign(
    *,
    campaign_id: UUID,
    user: User,
    house_rules: Mapping[str, Any] | None = None,
    **details: Any,
) -> Campaign:
    """Create the next season of a finished campaign.

    It has the same terms and house rules unless ``details`` change them.

    Its edition is the same, so that every warband can continue. ``details`` are fields of
    ``FollowUp``, among them ``name``. Raises NotFound, Forbidden, StateConflict "already-followed",
    InvalidInput "not-finished", and the errors of ``plan_campaign``.
    """
    before = organised_campaign(campaign_id, user)
    _refuse_unless(before, CampaignState.FINISHED, "not-finished")
    if Campaign.objects.filter(follows=before).exists():
        raise StateConflict("already-followed", gettext("This campaign already has a next season."))
    rules = ruleset_of_campaign(before)
    terms = {
        field: getattr(before, field)
        for field in ("points", "games", "format", "visibility", "scoring")
    }
    cleaned = _cleaned(rules, {"name": "", **terms, **details})
    settings = without_classic(rules, before.house_rules) if house_rules is None else house_rules
    campaign = create_signed(
        Campaign,
        club_id=before.club_id,
        ruleset=before.ruleset,
        edition=before.edition,
        follows=before,
        house_rules=campaign_settings(rules, cleaned["format"], settings),
        **cleaned,
    )
    record(Verb.CAMPAIGN_FOLLOWED, campaign, user=user, club=before.club_id, campaign=campaign.pk)
    return campaign


@transaction.atomic
def edit_campaign(*, campaign_id: UUID, version: int, user: User, **changes: Any) -> Campaign:
    """Change a campaign and return it with the next version number.

    ``changes`` are fields of ``CampaignEdit``; others keep their values.
    Agreed points and format are fixed once a warband is enrolled. In a finished campaign only name,
    story and visibility can change.

    Raises NotFound, Forbidden, StateConflict "stale-version", and InvalidInput, for example
    "warbands-enrolled" or "campaign-finished".
    """
    campaign = organised_campaign(campaign_id, user, version)
    cleaned = _cleaned(ruleset_of_campaign(campaign), changes)
    altered = {field for field, value in cleaned.items() if getattr(campaign, field) != value}
    _refuse_late(campaign, altered)
    changed, ruled = differences(campaign, cleaned), campaign.house_rules
    for name in altered:
        setattr(campaign, name, cleaned[name])
    if "format" in altered:
        _settle_format(campaign)
        altered.add("house_rules")
        changed |= changed_keys(ruled, campaign.house_rules)
    if changed:
        _audit(Verb.CAMPAIGN_CHANGED, campaign, user, changes=changed)
    if altered & {*TERMS}:
        announce("campaign", campaign.pk)
    return _store(campaign, *altered)


@transaction.atomic
def start_campaign(
    *, campaign_id: UUID, user: User, version: int | None = None, scenarios: Sequence[str] = ()
) -> Campaign:
    """Start the campaign. It needs at least two warbands, and exactly two in the classic format.

    A classic campaign needs the scenarios of its small games, unless they are drawn by lot. Raises
    NotFound, Forbidden, StateConflict, InvalidInput "not-planned", "too-few-warbands",
    "too-many-warbands", "scenarios-are-drawn", "no-small-games", and RulesError for unsuitable
    scenarios.
    """
    campaign = organised_campaign(campaign_id, user, version)
    _refuse_unless(campaign, CampaignState.PLANNED, "not-planned")
    enrolled = campaign.enrolments.current().count()
    if enrolled < 2:
        raise InvalidInput(
            "too-few-warbands",
            gettext("A campaign needs 2 warbands. Entered so far: %(enrolled)s.")
            % {"enrolled": enrolled},
        )
    if campaign.format == Format.CLASSIC and enrolled > 2:
        raise InvalidInput(
            "too-many-warbands",
            gettext(
                "The classic format is for 2 warbands. Entered: %(enrolled)s. Withdraw the others."
            )
            % {"enrolled": enrolled},
        )
    choose_scenarios(campaign, tuple(scenarios))
    campaign.state, campaign.started_at = CampaignState.RUNNING, timezone.now()
    _audit(Verb.CAMPAIGN_STARTED, campaign, user)
    return _store(campaign, "state", "started_at", "scenarios", "lots")


@transaction.atomic
def finish_campaign(*, campaign_id: UUID, user: User, version: int | None = None) -> Campaign:
    """Finish the campaign, so that its warbands can enter another one.

    Raises NotFound, Forbidden, StateConflict, and InvalidInput "not-running", or "battles-open"
    while any battle is neither confirmed nor void.
    """
    campaign = organised_campaign(campaign_id, user, version)
    _refuse_unless(campaign, CampaignState.RUNNING, "not-running")
    waiting = campaign.battles.exclude(state__in=SETTLED).count()
    if waiting:
        raise InvalidInput(
            "battles-open",
            gettext("Battles that are still open: %(waiting)s. Confirm, decide or void them first.")
            % {"waiting": waiting},
        )
    _release_warbands(campaign, user, "The campaign has ended.")
    campaign.state, campaign.finished_at = CampaignState.FINISHED, timezone.now()
    update_signed(campaign.enrolments.current(), left_at=campaign.finished_at)
    _audit(Verb.CAMPAIGN_FINISHED, campaign, user)
    return _store(campaign, "state", "finished_at")


@transaction.atomic
def cancel_campaign(*, campaign_id: UUID, user: User, version: int | None = None) -> None:
    """Delete a planned campaign and release its warbands.

    Raises InvalidInput "not-planned" once it has started, and "battles-open" if it has battles.
    """
    campaign = organised_campaign(campaign_id, user, version)
    _refuse_unless(campaign, CampaignState.PLANNED, "not-planned")
    if campaign.battles.exists():
        raise InvalidInput(
            "battles-open", gettext("This campaign has planned battles. Remove them first.")
        )
    _release_warbands(campaign, user, "The campaign was cancelled.")
    _audit(Verb.CAMPAIGN_CANCELLED, campaign, user)
    campaign.rounds.all().delete()
    campaign.enrolments.all().delete()
    campaign.delete()


def _cleaned(rules: Ruleset, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cleaned fields.

    Points are required if the rules count them, else refused ("no-points").
    """
    clean_points = partial(
        _clean_points if rules.points.counted else _refuse_points, game=rules.name
    )
    return validate_fields(
        CampaignEdit, raw, points=clean_points, scoring=lambda _name, value: clean_scoring(value)
    )


def _clean_points(field: str, points: int | None, game: str) -> int:
    """Return the agreed limit of a roster. Raises InvalidInput "required" or "out-of-range"."""
    if points is None:
        sentence = gettext("%(game)s counts points. Enter a points limit from 1 to %(most)s.")
        raise field_error(field, "required", sentence % {"game": game, "most": MAX_POINTS})
    return clean_number(field, points, least=1, most=MAX_POINTS)


def _refuse_points(field: str, points: int | None, game: str) -> None:
    """Raise InvalidInput "no-points" for points in a game that does not count them."""
    if points is not None:
        sentence = gettext("%(name)s has no points. Leave this field blank.") % {"name": game}
        raise field_error(field, "no-points", sentence, str(points))


def _settle_format(campaign: Campaign) -> None:
    """Set the house rules of the campaign's format. Raises RulesError "no-classic-campaign"."""
    rules = ruleset_of_campaign(campaign)
    campaign.house_rules = campaign_settings(
        rules, campaign.format, without_classic(rules, campaign.house_rules)
    )


def _release_warbands(campaign: Campaign, user: User, reason: str) -> None:
    fact = Withdrawn(campaign=str(campaign.pk), reason=reason)
    enrolled = list(campaign.enrolments.current().values_list("warband_id", flat=True))
    append_facts(dict.fromkeys(enrolled, fact), user=user)
    queue_offers(enrolled)


def _audit(verb: Verb, campaign: Campaign, user: User, **details: Any) -> None:
    record(verb, campaign, user=user, club=campaign.club_id, campaign=campaign.pk, **details)


def _store(campaign: Campaign, *fields: str) -> Campaign:
    campaign.version += 1
    save_signed(campaign, *fields, "version")
    if "state" in fields:
        announce("campaign", campaign.pk)
    return campaign


def _refuse_unless(campaign: Campaign, state: CampaignState, code: str) -> None:
    if campaign.state != state:
        raise InvalidInput(
            code,
            gettext("This needs a campaign that is %(wanted)s. It is %(state)s.")
            % {"state": state_label(campaign.state), "wanted": state_label(state.value)},
            field="state",
        )


def _refuse_late(campaign: Campaign, altered: set[str]) -> None:
    bound = sorted(altered & {"points", "format"})
    if bound and campaign.enrolments.current().exists():
        sentence = gettext(
            "Warbands have already entered. Withdraw them first, or create another campaign."
        )
        raise field_error(bound[0], "warbands-enrolled", sentence)
    late = sorted(altered - {"name", "story", "visibility"})
    if late and campaign.state == CampaignState.FINISHED:
        raise field_error(
            late[0],
            "campaign-finished",
            gettext("The campaign has ended. You can only change its name, story and visibility."),
        )


@transaction.atomic
def choose_example(campaign_id: UUID | None) -> Campaign | None:
    """Make a public campaign the only example for visitors; None removes the example.

    Raises NotFound, or InvalidInput "not-public": only its organisers decide whether everybody can
    read a campaign.
    """
    campaign = None
    if campaign_id is not None:
        campaign = Campaign.objects.select_for_update().filter(pk=campaign_id).first()
        if campaign is None:
            raise NotFound("unknown-campaign", "Campaign not found.")
        if campaign.visibility != Visibility.PUBLIC:
            raise InvalidInput(
                "not-public",
                f"{campaign.name} is not public. Its organisers can make it so in its settings.",
            )
    Campaign.objects.filter(example=True).update(example=False)
    if campaign is not None:
        Campaign.objects.filter(pk=campaign.pk).update(example=True)
        record(
            Verb.EXAMPLE_CHOSEN, campaign, user=None, club=campaign.club_id, campaign=campaign.pk
        )
    return campaign
