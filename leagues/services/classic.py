"""The course of a classic campaign.

Orders are sealed and revealed together, then the small games are planned, then the final.

Nothing here stores or logs the content of an order before the reveal.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from audit.services.recording import audit_suppressed, record
from audit.verbs import Verb
from battles.models import Battle, Part, Side
from battles.selectors.classic_games import available, games_of, over, small_games_of
from battles.services.fielding import Force, field_combatants
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, SealedOrder
from campaigns.order_seals import Plan
from campaigns.services.classic_setup import classic_of, parts_by_lot
from clubs.models import Role, clubs_of
from core.errors import Forbidden, InvalidInput, StateConflict
from leagues.services.sealed_orders import (
    enrolment_to_seal,
    enrolments_in,
    is_sealed,
    open_orders,
    running_classic,
    write_order,
)
from rulebook.chronicle.states import WarbandState, without_holders
from rulebook.ruleset import Roster, RulesError, Ruleset, Scenario
from warbands.rulebook_values import read_states
from warbands.services.locking import lock_warbands
from warbands.signed import save_signed

logger = logging.getLogger("muster.campaigns")


@transaction.atomic
def seal_order(
    *, campaign_id: UUID, user: User, plan: Plan, warband_id: UUID | None = None
) -> SealedOrder:
    """Seal an order, replacing an earlier one.

    If all orders are in then, reveal them and plan the games.

    Without ``warband_id`` it is the order of the warband that the user plays; an organiser names a
    guest's warband. Raises NotFound, Forbidden "not-your-order", "organisers-only"; InvalidInput
    "illegal-order" with every problem, "not-classic", "campaign-not-running", "warband-needed",
    "own-order-first", "order-bound"; StateConflict "orders-revealed".
    """
    campaign = running_classic(campaign_id, user)
    enrolments = enrolments_in(campaign)
    enrolment = enrolment_to_seal(campaign, enrolments, user, warband_id)
    warbands = lock_warbands(each.warband_id for each in enrolments)
    states = read_states(list(warbands.values()))
    order = write_order(enrolment, plan, states[enrolment.warband_id], user)
    logger.info(
        "sealed an order",
        extra={"campaign": str(campaign.pk), "warband": str(enrolment.warband_id)},
    )
    with audit_suppressed():
        revealed = _reveal(campaign, states, user)
    verb = Verb.ORDERS_REVEALED if revealed else Verb.ORDER_SEALED
    record(verb, enrolment.warband, user=user, club=campaign.club_id, campaign=campaign_id)
    order.refresh_from_db()
    return order


@transaction.atomic
def plan_again(*, campaign_id: UUID, user: User, scenario: str) -> Battle:
    """Plan a small game again after it was voided, with the same forces and roles.

    Raises NotFound, Forbidden, InvalidInput "orders-sealed", "unknown-scenario"; StateConflict
    "game-planned".
    """
    campaign = running_classic(campaign_id, user)
    _expect_player(campaign, user)
    if scenario not in campaign.scenarios:
        raise InvalidInput(
            "unknown-scenario",
            gettext("The games of this campaign are: %(scenarios)s.")
            % {"scenarios": ", ".join(campaign.scenarios)},
            field="scenario",
        )
    struck = campaign.battles.filter(part=Part.SMALL, scenario=scenario).order_by("created_at")
    if not struck.exists():
        raise InvalidInput(
            "orders-sealed", gettext("The games are planned once all orders are in.")
        )
    if struck.exclude(state="void").exists():
        raise StateConflict(
            "game-planned",
            gettext("This game is already planned. Void it before you plan it again."),
        )
    sides = [
        (side.warband_id, side.role, tuple(side.plan)) for side in struck[0].sides.order_by("place")
    ]
    states = read_states(list(lock_warbands(side[0] for side in sides).values()))
    return _plan_game(campaign, scenario, sides, states, user)


@transaction.atomic
def plan_final(*, campaign_id: UUID, user: User) -> Battle:
    """Plan the final, with all available fighters in the line-ups.

    For organisers and players who can plan a battle between its warbands.

    Raises NotFound, Forbidden, InvalidInput "games-open" while a small game is not confirmed;
    StateConflict "final-planned".
    """
    campaign = running_classic(campaign_id, user)
    _expect_player(campaign, user)
    games, rules = games_of(campaign), classic_of(campaign)
    if any(game.part == Part.FINAL for game in games):
        raise StateConflict("final-planned", gettext("The final is already planned."))
    if not over(campaign, games):
        raise InvalidInput(
            "games-open", gettext("You can plan the final once all small games are confirmed.")
        )
    enrolments = enrolments_in(campaign)
    # Lock the warbands before reading them, so that no roster changes before the line-ups are
    # stored.
    states = read_states(list(lock_warbands(each.warband_id for each in enrolments).values()))
    small = small_games_of(games)
    forces = {key: available(campaign, state, small[key]) for key, state in states.items()}
    wounds = [rules.final_wounds(small[key].records, campaign.house_rules) for key in states]
    marching = {fighter for force in forces.values() for fighter in force}
    # Fighters of the final start with the wounds that they have from the small games.
    wounds_of = {
        fighter: wound for each in wounds for fighter, wound in each.items() if fighter in marching
    }
    points = [_points(ruleset_of_campaign(campaign), states[key], forces[key]) for key in states]
    scenario = _scenario(campaign, rules.final)
    roles = (scenario.roles[0].key, scenario.roles[-1].key)
    plan = BattlePlan(
        scenario=rules.final,
        title=gettext("The final"),
        sides=tuple(
            PlannedSide(each.warband_id, role) for each, role in zip(enrolments, roles, strict=True)
        ),
        fought_on=timezone.localdate(),
        campaign=campaign.pk,
        points_limit=rules.final_limit(tuple(points), campaign.house_rules),
        set_up={"wounds": wounds_of} if wounds_of else {},
        part=Part.FINAL,
    )
    battle = plan_battle(user=user, plan=plan)
    for side in battle.sides.order_by("place"):
        _field(battle, side, states[side.warband_id], forces[side.warband_id], user)
    return battle


def _points(rules: Ruleset, state: WarbandState, force: Sequence[str]) -> int:
    fighters = (state.fighters[key] for key in force)
    return sum(
        rules.fighter_facts(each.build, state.terms, each.condition).points for each in fighters
    )


def _expect_player(campaign: Campaign, user: User) -> None:
    if not clubs_of(user, Role.ORGANISER, Role.PLAYER).filter(club=campaign.club_id).exists():
        raise Forbidden(
            "not-a-player", gettext("Only the club's organisers and players can do this.")
        )


def _scenario(campaign: Campaign, key: str) -> Scenario:
    return next(
        scenario for scenario in ruleset_of_campaign(campaign).scenarios() if scenario.key == key
    )


def _reveal(campaign: Campaign, states: dict[UUID, WarbandState], user: User) -> bool:
    """Reveal all orders and plan the games if every order is in. Return whether that was done.

    The caller has locked the campaign and the warbands.
    """
    enrolments = enrolments_in(campaign)
    if len(enrolments) != 2 or not all(is_sealed(each) for each in enrolments):
        return False
    plans = open_orders(enrolments, states)
    if plans is None:
        logger.info("an order lapsed", extra={"campaign": str(campaign.pk)})
        return False
    logger.info("revealed the orders", extra={"campaign": str(campaign.pk)})
    for scenario in campaign.scenarios:
        roles = parts_by_lot(campaign, scenario, _scenario(campaign, scenario).roles)
        sides = [
            (each.warband_id, role, plans[each.warband_id][scenario])
            for each, role in zip(enrolments, roles, strict=True)
        ]
        _plan_game(campaign, scenario, sides, states, user)
    campaign.version += 1
    save_signed(campaign, "lots", "version")
    return True


Planned = tuple[UUID, str, tuple[str, ...]]
"""A warband, its role in a small game, and the ids of the fighters that its order sends there."""


def _plan_game(
    campaign: Campaign,
    scenario: str,
    sides: Sequence[Planned],
    states: dict[UUID, WarbandState],
    user: User,
) -> Battle:
    plan = BattlePlan(
        scenario=scenario,
        sides=tuple(PlannedSide(warband_id, role) for warband_id, role, _ in sides),
        fought_on=timezone.localdate(),
        campaign=campaign.pk,
        part=Part.SMALL,
    )
    battle = plan_battle(user=user, plan=plan)
    plans = {warband_id: fighters for warband_id, _, fighters in sides}
    for side in battle.sides.order_by("place"):
        side.plan = list(plans[side.warband_id])
        save_signed(side, "plan")
        _field(battle, side, states[side.warband_id], plans[side.warband_id], user)
    return battle


def _field(
    battle: Battle, side: Side, state: WarbandState, fighters: Sequence[str], user: User
) -> None:
    """Set the whole force as the line-up.

    If the rules forbid that, its player chooses the line-up.
    """
    serving = [
        key for key in state.fighters if key in set(fighters) and not state.fighters[key].gone
    ]
    posts = _posts(battle, state, serving)
    force = Force(tuple(UUID(key) for key in serving), posts)
    with suppress(InvalidInput, RulesError), transaction.atomic(), audit_suppressed():
        field_combatants(battle_id=battle.pk, side=side.key, force=force, user=user)


def _posts(
    battle: Battle, state: WarbandState, fighters: Sequence[str]
) -> dict[str, tuple[UUID, ...]]:
    """Return the holders of each warband role among these fighters.

    These are the roster's holders; in a campaign the rules replace absent ones.
    """
    roster = state.roster
    present = Roster(
        terms=roster.terms,
        fighters=tuple(fighter for fighter in roster.fighters if fighter.id in fighters),
        posts=without_holders(state.posts, state.fighters.keys() - set(fighters)),
    )
    posts = (
        present.posts
        if battle.campaign is None
        else ruleset_of_campaign(battle.campaign).default_posts(present)
    )
    return {post: tuple(UUID(key) for key in holders) for post, holders in posts.items()}
