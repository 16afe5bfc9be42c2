"""Plan a battle: its scenario, its sides and its rules."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from msgspec import Struct
from msgspec.structs import replace

from audit.services.recording import record
from audit.verbs import Verb
from battles.models import Battle, BattleState, Part, Side
from battles.services.days import UNCHANGED, NewDay, clean_day, set_day
from battles.services.locking import (
    BEFORE_SUBMISSION,
    UNDER_REVIEW,
    expect_logger,
    expect_shared_version,
    expect_state,
    expect_version,
    lock_battle,
    record_battle,
    save_battle,
)
from battles.services.planned_fixture import fixture_for
from battles.services.substitutes import bring_substitutes
from campaigns.models import Campaign, CampaignState, Enrolment, Format, Substitute
from campaigns.services.classic_setup import classic_of
from clubs.models import Role, clubs_of, clubs_run_by
from core.cleaning import MAX_STORY, clean_json
from core.errors import Forbidden, InvalidInput, StateConflict
from core.inputs import Input, column, field, validate, validate_fields
from rulebook.registry import find_ruleset
from rulebook.ruleset import Problem, Ruleset, Scenario
from warbands.models import Warband
from warbands.news import announce
from warbands.signed import create_signed, sign_new

KEYS = "abcdefghijklmnopqrstuvwxyz"
MAX_POINTS = 100_000
MAX_SIDES = 26
TITLE = column(Battle, "title", _("Name"), _("Leave blank to use the scenario's name."), null=False)
STORY = field(_("Battle report"), max_length=MAX_STORY, null=False)


class PlannedSide(Struct, frozen=True):
    """A warband, and the scenario's role that it plays."""

    warband: UUID
    role: Annotated[str, field(min_length=1, max_length=30)]


class BattlePlan(Input, frozen=True, kw_only=True):
    """The plan of a battle."""

    client_id: Annotated[
        UUID | None,
        field(
            api="Made by the client: the same plan sent again returns the same battle.",
            null=False,
        ),
    ] = None
    campaign: Annotated[UUID | None, field(api="Absent: a one-off battle.")] = None
    scenario: Annotated[str, field(min_length=1, max_length=40)]
    sides: Annotated[tuple[PlannedSide, ...], field(min_length=2, max_length=MAX_SIDES)]
    fought_on: Annotated[date, field(_("Day"))]
    points_limit: Annotated[
        int | None, field(_("Points limit"), _("Leave blank for no limit."), ge=1, le=MAX_POINTS)
    ] = None
    friendly: Annotated[
        bool,
        field(
            _("Friendly battle: fighters are not changed"),
            _("Always on if a warband is in a campaign."),
            api="A friendly battle changes no fighter. A one-off with a warband in a campaign is "
            "always friendly.",
            default=True,
        ),
    ] = False
    title: Annotated[str, TITLE] = ""
    story: Annotated[str, STORY] = ""
    fixture: Annotated[
        UUID | None,
        field(api="The fixture that it is played for. Absent: the first open one between the two."),
    ] = None
    set_up: Annotated[Mapping[str, Any], field(api="The setup that was rolled or agreed.")] = {}
    part: Part = Part.NONE
    """The part of a classic campaign's game, which ``leagues.services.classic`` plans."""


class Description(Input, frozen=True, kw_only=True):
    """The name and the story of a battle; absent values do not change."""

    title: Annotated[str | None, TITLE] = None
    story: Annotated[str | None, STORY] = None


@transaction.atomic
def plan_battle(*, user: User, plan: BattlePlan) -> Battle:
    """Plan a battle and return it; the same ``client_id`` from the same user returns the first one.

    The battle is played for the plan's fixture, or for the first open one between its two warbands.
    A one-off battle is friendly if one of its warbands is in a campaign, otherwise as the plan
    says. Raises InvalidInput "illegal-plan" with every problem, Forbidden, StateConflict
    "plan-differs" for a ``client_id`` used for another plan.
    """
    return plan_in_transaction(user, plan)


def plan_in_transaction(user: User, plan: BattlePlan) -> Battle:
    """Do as ``plan_battle`` does, without a savepoint, in a transaction that the caller began."""
    plan = _cleaned(plan)
    existing = _planned_before(user, plan)
    if existing is not None:
        return existing
    campaign = _campaign(user, plan)
    warbands = _warbands(user, plan, campaign)
    fixed = _fixed_limit(plan, campaign)
    problems = [*_plan_problems(plan, campaign, warbands)]
    if problems:
        raise InvalidInput("illegal-plan", problems[0].sentence, problems=problems)
    if campaign is not None and plan.part == Part.NONE:
        plan = replace(
            plan, fixture=fixture_for(campaign, [side.warband for side in plan.sides], plan.fixture)
        )
    try:
        with transaction.atomic():
            return _write(
                user, replace(plan, points_limit=fixed or plan.points_limit), campaign, warbands
            )
    except IntegrityError:
        # The same request came twice at the same time, and the other one was faster.
        winner = _planned_before(user, plan)
        if winner is None:
            raise
        return winner


@transaction.atomic
def describe_battle(
    *,
    battle_id: UUID,
    user: User,
    title: str | None = None,
    story: str | None = None,
    day: NewDay = UNCHANGED,
    version: int | None = None,
) -> Battle:
    """Change a battle's name and story, in any state, and its day until it is confirmed.

    Raises Forbidden; StateConflict "stale-version", "wrong-state" for another day of a battle that
    is confirmed (use ``correct_battle``) or void; InvalidInput "impossible-day", "not-that-day".
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_shared_version(battle, version)
    former = battle.title, battle.story
    description = validate(Description(title=title, story=story))
    battle.title = battle.title if description.title is None else description.title
    battle.story = battle.story if description.story is None else description.story
    moved = set_day(battle, day, user)
    if moved:
        expect_state(battle, *BEFORE_SUBMISSION, *UNDER_REVIEW)
    save_battle(battle, "title", "story", *(("fought_on", "place_in_day") if moved else ()))
    if (battle.title, battle.story) != former:
        record_battle(Verb.BATTLE_DESCRIBED, battle, user)
    if moved:
        record_battle(Verb.DAY_CHANGED, battle, user, day=battle.fought_on.isoformat())
        announce("battle", battle.pk)
    return battle


@transaction.atomic
def count_in_campaign(
    *, battle_id: UUID, campaign_id: UUID, user: User, version: int | None = None
) -> Battle:
    """Make a planned one-off battle count in a campaign in which all its warbands are enrolled.

    It then uses the campaign's rules, house rules and points, and is no longer friendly. Raises
    InvalidInput "illegal-plan" with every problem, "unknown-campaign", "campaign-not-running";
    StateConflict once it has begun or if it counts in a campaign already;
    Forbidden.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_version(battle, version)
    expect_state(battle, BattleState.PLANNED)
    if battle.campaign_id is not None:
        raise StateConflict(
            "wrong-state", gettext("The battle already counts in a campaign."), field="campaign"
        )
    sides = tuple(
        PlannedSide(warband, role) for warband, role in battle.sides.values_list("warband", "role")
    )
    plan = BattlePlan(
        scenario=battle.scenario, sides=sides, fought_on=battle.fought_on, campaign=campaign_id
    )
    campaign = _campaign(user, plan)
    problems = [*_plan_problems(plan, campaign, _warbands(user, plan, campaign))]
    if campaign is None or problems:
        raise InvalidInput("illegal-plan", problems[0].sentence, problems=problems)
    battle.campaign, battle.friendly = campaign, False
    battle.fixture_id = fixture_for(campaign, [side.warband for side in sides], None)
    battle.ruleset, battle.edition = campaign.ruleset, campaign.edition
    battle.house_rules = campaign.house_rules
    battle.points_limit = _fixed_limit(plan, campaign) or battle.points_limit or campaign.points
    save_battle(
        battle,
        "campaign",
        "fixture",
        "friendly",
        "ruleset",
        "edition",
        "house_rules",
        "points_limit",
    )
    bring_substitutes(battle)
    record_battle(Verb.BATTLE_COUNTED, battle, user)
    return battle


def _cleaned(plan: BattlePlan) -> BattlePlan:
    """Return the plan with texts and numbers that can be stored. Raises InvalidInput."""
    # The scenario and the sides are validated later and reported as problems of the plan.
    names = ("points_limit", "title", "story", "fought_on", "set_up")
    values = {name: getattr(plan, name) for name in names}
    cleaned = validate_fields(
        BattlePlan, values, fought_on=lambda _name, day: clean_day(day), set_up=clean_json
    )
    return replace(plan, **cleaned)


def _planned_before(user: User, plan: BattlePlan) -> Battle | None:
    if plan.client_id is None:
        return None
    battle = Battle.objects.filter(created_by=user, client_id=plan.client_id).first()
    if battle is None:
        return None
    sides = battle.sides.order_by("place").values_list("warband_id", "role")
    planned = (
        battle.campaign_id,
        battle.scenario,
        battle.fought_on,
        battle.points_limit,
        tuple(sides),
    )
    requested_sides = tuple((side.warband, side.role) for side in plan.sides)
    limit = plan.points_limit or _fixed_limit(plan, battle.campaign)
    # A plan without a name gets one.
    words = (plan.title or battle.title, plan.story) == (battle.title, battle.story)
    # A campaign or a warband can make the battle friendly, and the set-up adds to what was sent.
    choices = battle.friendly or not plan.friendly
    settled = all(battle.set_up.get(key) == value for key, value in plan.set_up.items())
    fixture = plan.fixture in (None, battle.fixture_id)
    same = planned == (plan.campaign, plan.scenario, plan.fought_on, limit, requested_sides)
    if not (same and words and choices and settled and fixture):
        raise StateConflict(
            "plan-differs",
            "This client_id was used for another plan. Make a new one.",
            field="client_id",
        )
    return battle


def _campaign(user: User, plan: BattlePlan) -> Campaign | None:
    """Return the plan's campaign, if the user may plan this battle in it.

    Raises InvalidInput "unknown-campaign" or "campaign-not-running", Forbidden.
    """
    if plan.campaign is None:
        return None
    # Locked, so that the campaign cannot be finished while a battle is being planned for it.
    campaigns = Campaign.objects.visible_to(user).select_for_update(of=("self",), no_key=True)
    campaign = campaigns.filter(pk=plan.campaign).first()
    if campaign is None:
        raise InvalidInput(
            "unknown-campaign",
            gettext("Campaign not found, or you don't have access."),
            field="campaign",
        )
    if not clubs_of(user, Role.ORGANISER, Role.PLAYER).filter(club=campaign.club_id).exists():
        raise Forbidden(
            "not-a-player",
            gettext("Only organisers and players of the club can plan battles in its campaigns."),
        )
    if not (clubs_run_by(user).filter(club=campaign.club_id).exists() or _plays_one(user, plan)):
        raise Forbidden(
            "not-your-warband",
            gettext(
                "One of the warbands must be yours. In this club only organisers can plan "
                "battles between others."
            ),
        )
    if campaign.state != CampaignState.RUNNING:
        raise InvalidInput(
            "campaign-not-running",
            gettext("You can plan battles only in a running campaign. This one is %(state)s.")
            % {"state": campaign.state},
            field="campaign",
        )
    return campaign


def _plays_one(user: User, plan: BattlePlan) -> bool:
    """Return whether one of the plan's warbands is the user's to play.

    They own or keep it, or they are its substitute in the fixture.
    """
    own_warbands = Q(owner=user) | Q(keeper=user)
    warbands = [side.warband for side in plan.sides]
    named = Substitute.objects.filter(
        player__user=user, player__user__isnull=False, enrolment__warband__in=warbands
    )
    fixtures = named.filter(
        fixture__home__warband__in=warbands, fixture__away__warband__in=warbands
    )
    return Warband.objects.filter(own_warbands, pk__in=warbands).exists() or fixtures.exists()


def _warbands(user: User, plan: BattlePlan, campaign: Campaign | None) -> dict[UUID, Warband]:
    """Return the plan's warbands that the user may bring, by id.

    Raises Forbidden "not-your-warband" if a one-off battle has none of the user's own.
    """
    warband_ids = [side.warband for side in plan.sides]
    if campaign is not None:
        enrolled = Enrolment.objects.filter(
            campaign=campaign, warband__in=warband_ids, left_at__isnull=True
        )
        return {row.warband_id: row.warband for row in enrolled.select_related("warband")}
    warbands = {
        warband.pk: warband
        for warband in Warband.objects.challengeable_by(user).filter(pk__in=warband_ids)
    }
    if warbands and not Warband.objects.editable_by(user).filter(pk__in=warbands).exists():
        raise Forbidden(
            "not-your-warband", gettext("In a one-off battle, one of the warbands must be yours.")
        )
    return warbands


def _plan_problems(
    plan: BattlePlan, campaign: Campaign | None, warbands: Mapping[UUID, Warband]
) -> Iterator[Problem]:
    yield from _side_problems(plan, campaign, warbands)
    rulesets = {(warband.ruleset, warband.edition) for warband in warbands.values()}
    if campaign is not None:
        rulesets = {(campaign.ruleset, campaign.edition)}
        yield from _campaign_problems(plan, campaign, warbands)
    if len(rulesets) > 1:
        yield Problem(
            "mixed-rulesets",
            gettext("All warbands must use the same rule system and edition."),
            field="sides",
        )
    elif rulesets:
        yield from _scenario_problems(plan, find_ruleset(*rulesets.pop()).scenarios())


def _fixed_limit(plan: BattlePlan, campaign: Campaign | None) -> int | None:
    """Return the points limit that the campaign's house rules fix for each battle, or None."""
    if campaign is None or plan.part != Part.NONE:
        return None
    if campaign.points is None:
        return None
    return find_ruleset(campaign.ruleset, campaign.edition).points.battle_limit(
        campaign.points, campaign.house_rules
    )


def _side_problems(
    plan: BattlePlan, campaign: Campaign | None, warbands: Mapping[UUID, Warband]
) -> Iterator[Problem]:
    if not 2 <= len(plan.sides) <= len(KEYS):
        yield Problem(
            "side-count",
            gettext("A battle has 2 to %(number)s sides.") % {"number": len(KEYS)},
            field="sides",
            value=str(len(plan.sides)),
        )
    missing = gettext("This warband is not in the campaign.")
    if campaign is None:
        missing = gettext("Warband not found, or you don't have access.")
    seen = set()
    for place, side in enumerate(plan.sides):
        field, value = f"sides.{place}.warband", str(side.warband)
        if side.warband in seen:
            yield Problem(
                "warband-twice",
                gettext("A warband can be on one side only."),
                field=field,
                value=value,
            )
        elif side.warband not in warbands:
            yield Problem("unknown-warband", missing, field=field, value=value)
        elif warbands[side.warband].archived_at is not None:
            yield Problem(
                "warband-archived",
                gettext("This warband is archived."),
                field=field,
                value=value,
            )
        seen.add(side.warband)


def _campaign_problems(
    plan: BattlePlan, campaign: Campaign, warbands: Mapping[UUID, Warband]
) -> Iterator[Problem]:
    fixed = _fixed_limit(plan, campaign)
    if fixed is not None and plan.points_limit not in (None, fixed):
        limit_rule = find_ruleset(campaign.ruleset, campaign.edition).points.limit_rule
        sentence = gettext(
            "By house rule, every battle of this campaign has a limit of %(fixed)s points."
        ) % {"fixed": fixed}
        yield Problem(
            "limit-fixed",
            sentence,
            field="points_limit",
            value=str(plan.points_limit),
            source=limit_rule,
        )
    if plan.friendly:
        yield Problem(
            "friendly-in-campaign",
            gettext("A campaign battle cannot be friendly. Plan a friendly battle as a one-off."),
            field="friendly",
        )
    if campaign.format == Format.CLASSIC:
        if plan.part == Part.NONE:
            sentence = gettext(
                "In a classic campaign, Muster plans the games when the orders are revealed."
            )
            yield Problem(
                "planned-by-orders",
                sentence,
                field="campaign",
                source=classic_of(campaign).orders_rule,
            )
        return
    for warband in warbands.values():
        played = warband.state.get("games_played", 0)
        if campaign.games is not None and played >= campaign.games:
            sentence = ngettext(
                "%(warband)s has played its only game. An organiser can raise the number of games.",
                "%(warband)s has played all %(games)s games. An organiser can raise the "
                "number of games.",
                campaign.games,
            )
            text = sentence % {"warband": warband.name, "games": campaign.games}
            yield Problem("all-games-played", text, field="sides", value=str(warband.pk))


def _scenario_problems(plan: BattlePlan, scenarios: Sequence[Scenario]) -> Iterator[Problem]:
    by_key = {scenario.key: scenario for scenario in scenarios}
    scenario = by_key.get(plan.scenario)
    if scenario is None:
        sentence = f"There is no scenario {plan.scenario!r}; known: {', '.join(by_key)}."
        yield Problem("unknown-scenario", sentence, field="scenario", value=plan.scenario)
        return
    roles = {role.key: role for role in scenario.roles}
    for place, side in enumerate(plan.sides):
        if side.role not in roles:
            sentence = f"{scenario.name} has no role {side.role!r}; known: {', '.join(roles)}."
            yield Problem("unknown-role", sentence, field=f"sides.{place}.role", value=side.role)
    played = Counter(side.role for side in plan.sides)
    for role in scenario.roles:
        if not role.least <= played[role.key] <= role.most:
            span = (
                str(role.least)
                if role.least == role.most
                else gettext("%(least)s to %(most)s") % {"least": role.least, "most": role.most}
            )
            sentence = gettext("%(scenario)s needs %(span)s sides as %(role)s, not %(key)s.") % {
                "scenario": scenario.name,
                "span": span,
                "role": role.name,
                "key": played[role.key],
            }
            yield Problem("role-count", sentence, field="sides", value=str(played[role.key]))


def _own_name(user: User, plan: BattlePlan, rules: Ruleset) -> str:
    """Return a name that tells a battle from earlier ones of its scenario; "" for the first.

    Compared are the battles of the campaign, or the user's one-off battles. One query.
    """
    others = Battle.objects.filter(campaign=plan.campaign, scenario=plan.scenario)
    if plan.campaign is None:
        others = others.filter(created_by=user, ruleset=rules.key)
    number = others.count() + 1
    if number == 1:
        return ""
    name = next(each.name for each in rules.scenarios() if each.key == plan.scenario)
    return f"{name} {number}"


def _write(
    user: User, plan: BattlePlan, campaign: Campaign | None, warbands: Mapping[UUID, Warband]
) -> Battle:
    rules = campaign or next(iter(warbands.values()))
    engaged = any(warband.state.get("campaign") for warband in warbands.values())
    battle = create_signed(
        Battle,
        client_id=plan.client_id,
        campaign=campaign,
        fixture_id=plan.fixture if campaign else None,
        ruleset=rules.ruleset,
        edition=rules.edition,
        scenario=plan.scenario,
        title=plan.title or _own_name(user, plan, find_ruleset(rules.ruleset, rules.edition)),
        story=plan.story,
        friendly=campaign is None and (plan.friendly or engaged),
        part=plan.part,
        fought_on=plan.fought_on,
        points_limit=plan.points_limit,
        house_rules=campaign.house_rules if campaign else {},
        set_up=plan.set_up,
        created_by=user,
    )
    sides = (
        Side(
            battle=battle,
            key=KEYS[place],
            place=place,
            warband=warbands[side.warband],
            role=side.role,
        )
        for place, side in enumerate(plan.sides)
    )
    Side.objects.bulk_create(sign_new(sides))
    bring_substitutes(battle)
    club = campaign.club_id if campaign else None
    record(Verb.BATTLE_PLANNED, battle, user=user, club=club, campaign=battle.campaign_id)
    announce("battle", battle.pk)
    return battle
