"""Verify what an import has stored with the same code as all other data, and refuse what fails."""

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

import msgspec
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext

from audit.models import AuditEntry
from battles.log_seals import battle_signature
from battles.models import Battle, BattleState
from battles.rulebook_values import (
    read_log,
    read_result,
    read_setup,
    ruleset_of_battle,
    scenario_of,
    sides_of,
)
from battles.services.verification import is_result, prove_battle, seal_anew
from campaigns.eligibility import ruleset_of_campaign
from campaigns.house_rules import clean_house_rules
from campaigns.models import Campaign, Enrolment
from campaigns.scoring import clean_scoring
from core.errors import MusterError
from exchange.archive_structs import Head, Manifest, Refusal
from exchange.tables import find_table
from rulebook.battle_log.play import replay
from rulebook.ruleset import RulesError
from warbands.models import ChronicleEntry, Warband
from warbands.services.verification import prove

UNDER_REVIEW = (BattleState.SUBMITTED, BattleState.DISPUTED)
UNREADABLE = (
    RulesError,
    MusterError,
    msgspec.MsgspecError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
)
"""Errors of rule systems on data that nobody has validated: logs and results come from elsewhere.
"""


AROUND = (
    ("campaigns", "pk", "campaigns"),
    ("enrolments", "campaign", "campaigns"),
    ("journal", "campaign", "campaigns"),
    ("hand-overs", "campaign", "campaigns"),
    ("fixtures", "round__campaign", "campaigns"),
    ("attendances", "evening", "evenings"),
    ("battles", "pk", "battles"),
    ("sides", "battle", "battles"),
    ("combatants", "side__battle", "battles"),
    ("disputes", "battle", "battles"),
)
"""For each table, the lookup that finds its new rows by the new rows of another table."""
BOTH = (
    ("campaigns", "follows", "follows__club", "club"),
    ("enrolments", "player", "player__club", "campaign__club"),
    ("journal", "author", "author__club", "campaign__club"),
    ("hand-overs", "giver_seat", "giver_seat__club", "campaign__club"),
    ("hand-overs", "receiver_seat", "receiver_seat__club", "campaign__club"),
    ("fixtures", "home", "home__campaign", "round__campaign"),
    ("fixtures", "away", "away__campaign", "round__campaign"),
    ("fixtures", "home_from", "home_from__round__campaign", "round__campaign"),
    ("fixtures", "away_from", "away_from__round__campaign", "round__campaign"),
    ("attendances", "member", "member__club", "evening__club"),
    ("battles", "fixture", "fixture__round__campaign", "campaign"),
    ("combatants", "fighter__warband", "fighter__warband", "side__warband"),
    ("disputes", "side", "side__battle", "battle"),
    ("sides", "warband", "warband__ruleset", "battle__ruleset"),
    ("sides", "substitute", "substitute__club", "battle__campaign__club"),
    ("enrolments", "warband", "warband__ruleset", "campaign__ruleset"),
)
"""By table: a column that may be empty, and two lookups that must give the same value."""


def prove_campaigns(campaigns: Iterable[Campaign]) -> Iterator[Refusal]:
    """Yield a refusal for each campaign with unknown rules or invalid house rules."""
    for campaign in campaigns:
        where = f"/data/campaigns/{campaign.pk}"
        try:
            clean_house_rules(ruleset_of_campaign(campaign), campaign.house_rules)
            clean_scoring(campaign.scoring)
        except UNREADABLE as error:
            sentence = gettext("%(name)s cannot be played with the rules on this site: %(why)s")
            yield Refusal(where, "unknown-rules", sentence % {"name": campaign.name, "why": error})


def prove_places(store: Mapping[str, set[UUID]]) -> Iterator[Refusal]:
    """Yield refusals of rows whose links no foreign key checks.

    Examples are members of other clubs and fixtures of other campaigns.
    """
    new = {name: {f"{column}__in": store[target]} for name, column, target in AROUND}
    sentence = gettext(
        "%(table)s, column %(column)s: this belongs to another club, campaign or warband."
    )
    for table, column, mine, theirs in BOTH:
        rows = (
            find_table(table)
            .model._default_manager.filter(**new[table])
            .exclude(**{f"{column}__isnull": True})
        )
        if (wrong := rows.exclude(**{mine: F(theirs)}).first()) is not None:
            problem = sentence % {"table": table, "column": column}
            yield Refusal(f"/data/{table}/{wrong.pk}/{column}", "out-of-place", problem)
    acts = AuditEntry.objects.filter(
        Q(club__in=store["clubs"]) | Q(campaign__in=store["campaigns"])
    )
    campaigns = Campaign.objects.filter(pk=OuterRef("campaign"))
    if (act := acts.filter(Exists(campaigns.exclude(club=OuterRef("club")))).first()) is not None:
        problem = sentence % {"table": "audit", "column": "campaign"}
        yield Refusal(f"/data/audit/{act.pk}/campaign", "out-of-place", problem)
    facts = ChronicleEntry.objects.filter(
        warband__in=store["warbands"], kind__in=("fought", "corrected")
    )
    others = Battle.objects.filter(pk__in=facts.values("subject")).exclude(pk__in=store["battles"])
    if (battle := others.first()) is not None:
        problem = gettext(
            "A history contains the battle %(name)s, but the warband does not take part in it here."
        )
        yield Refusal(f"/data/battles/{battle.pk}", "out-of-place", problem % {"name": battle})
    current = (
        Enrolment.objects.current()
        .filter(campaign__in=store["campaigns"])
        .select_related("warband")
    )
    for enrolment in current:
        if enrolment.warband.state.get("campaign") != str(enrolment.campaign_id):
            problem = gettext("%(name)s has entered a campaign, but its history does not say so.")
            where = f"/data/enrolments/{enrolment.pk}"
            yield Refusal(where, "out-of-place", problem % {"name": enrolment.warband.name})


def prove_warbands(warbands: Iterable[Warband], manifest: Manifest) -> Iterator[Refusal]:
    """Yield refusals of warbands that differ from their chronicles.

    This includes chronicles that do not end where the manifest says.
    """
    heads = {head.id: head for head in manifest.heads}
    for warband in warbands:
        where = f"/data/warbands/{warband.pk}"
        if heads.get(warband.pk) != Head(warband.pk, warband.sequence, warband.head_seal):
            sentence = gettext("The history of %(name)s does not end where the manifest says.")
            yield Refusal(where, "chronicle-broken", sentence % {"name": warband.name})
        elif differences := prove(warband):
            sentence = gettext("%(name)s does not match its history: %(where)s.")
            yield Refusal(
                where,
                "chronicle-broken",
                sentence % {"name": warband.name, "where": differences[0].where},
            )


def prove_battles(battles: Iterable[Battle], manifest: Manifest) -> Iterator[Refusal]:
    """Yield refusals of battles that differ from their logs. Seal and sign the other ones."""
    heads = {head.id: head for head in manifest.battles}
    for battle in battles:
        try:
            why = _what_is_wrong(battle, heads.get(battle.pk))
        except UNREADABLE as error:
            why = gettext("it cannot be read (%(why)s)") % {"why": str(error)[:200]}
        except RecursionError:
            why = gettext("it cannot be read (%(why)s)") % {"why": "too deep"}
        if why:
            sentence = gettext("The battle %(name)s of %(day)s is not valid: %(why)s.")
            sentence %= {"name": battle, "day": battle.fought_on.isoformat(), "why": why}
            yield Refusal(f"/data/battles/{battle.pk}", "battle-broken", sentence)


def _what_is_wrong(battle: Battle, head: Head | None) -> str:
    """Return why a battle does not hold; "" if it does, and then sign it."""
    sequences = list(battle.events.order_by("sequence").values_list("sequence", flat=True))
    if sequences != list(range(1, battle.last_sequence + 1)):
        return gettext("its log has too few or too many entries")
    if battle.revisions.count() != battle.revision:
        return gettext("some of its corrections are missing")
    scenario_of(battle)
    if battle.confirmed_at is None:
        return _open_battle(battle)
    if head != Head(battle.pk, battle.last_sequence, battle.log_seal):
        return gettext("its log does not end where the manifest says")
    if battle.state not in (BattleState.CONFIRMED, BattleState.VOID) or battle.result is None:
        return gettext("it is confirmed but has no result")
    battle.signature = battle_signature(battle)
    differences = next(prove_battle(battle), None)
    if differences is not None:
        return differences.where
    read_result(battle)
    Battle.objects.filter(pk=battle.pk).update(signature=battle.signature)
    return ""


def _open_battle(battle: Battle) -> str:
    """Return why a battle that was never confirmed does not hold; "" if it does.

    Its log must be readable, and a submitted result must be the result of the log.
    """
    if battle.state == BattleState.CONFIRMED:
        return gettext("the time of its confirmation is missing")
    sides = sides_of(battle)
    if any(side.outcome or side.victory_points or side.victory_points_against for side in sides):
        return gettext("it has a result that nobody confirmed")
    if battle.state == BattleState.PLANNED:
        read_setup(battle, sides)
        return ""
    rules = ruleset_of_battle(battle)
    play = replay(rules.log, read_setup(battle, sides), read_log(battle))
    if battle.state not in UNDER_REVIEW:
        return ""
    if battle.result is None or not is_result(battle.result, rules.result(play)):
        return gettext("its result does not match its log")
    seal_anew(battle)
    Battle.objects.filter(pk=battle.pk).update(log_seal=battle.log_seal)
    return ""
