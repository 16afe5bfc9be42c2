"""The sides of a battle with their combatants and players."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, Combatant, Side, Verdict
from battles.rulebook_values import ruleset_of_battle, scenario_of, terms_of
from battles.selectors.awards import AwardLine, FighterAwards
from campaigns.models import Enrolment, HandOver
from core.display_names import display_name
from core.ruleset_words import lost_parts, translated_tallies
from rulebook.chronicle.facts.battles import tallies_of
from rulebook.ruleset import (
    BattleResult,
    ConditionLine,
    Deed,
    FighterFacts,
    Loss,
    Post,
    Record,
    RosterFigure,
    ScoreLine,
    SideResult,
)
from rulebook.values.battles import Outcome
from rulebook.values.described import closed
from rulebook.values.rosters import AS_RECRUITED, Condition, Fate, TallyCount, counted
from warbands.rulebook_values import faction_name
from warbands.selectors.fighter_card import end_phrase


class Player(Struct, frozen=True):
    """The player of a side: the name used in the club, and the warband's colour in the campaign.

    The colour is "" outside a campaign.
    """

    name: str
    colour: str = ""


class Seats(Struct, frozen=True):
    """The players by campaign and warband, and the former players of a warband.

    Former players come with the time at which they gave the warband away.
    """

    players: Mapping[tuple[UUID, UUID], Player]
    former: Mapping[UUID, Sequence[tuple[datetime, str]]]


def seats_of(battles: Iterable[Battle]) -> Seats:
    """Return the players of the battles.

    One query for former players if any battle was submitted, and one unless all are one-off
    battles.
    """
    battles = list(battles)
    former = former_players([battle for battle in battles if battle.submitted_at is not None])
    campaigns = {battle.campaign_id for battle in battles if battle.campaign_id is not None}
    if not campaigns:
        return Seats({}, former)
    enrolments = Enrolment.objects.filter(campaign__in=campaigns).select_related("player")
    players = {
        (row.campaign_id, row.warband_id): Player(row.player.name, row.colour) for row in enrolments
    }
    return Seats(players, former)


def former_players(battles: Sequence[Battle]) -> dict[UUID, list[tuple[datetime, str]]]:
    """Return the former players of the battles' warbands by warband, oldest first.

    Each comes with the time at which they gave the warband away.
    """
    former: dict[UUID, list[tuple[datetime, str]]] = {}
    if not battles:
        return former
    rows = list(HandOver.objects.done().filter(warband__sides__battle__in=battles).distinct())
    # Few warbands are transferred: givers are read only for those.
    prefetch_related_objects(rows, "giver", "giver_seat")
    for row in sorted(rows, key=lambda row: (row.settled_at or row.made_at, row.pk)):
        if row.settled_at is not None and row.giver_name:
            former.setdefault(row.warband_id, []).append((row.settled_at, row.giver_name))
    return former


def player_of(battle: Battle, side: Side, seats: Seats) -> Player:
    """Return the player of a side: by enrolment, otherwise the owner's or the keeper's account.

    No queries if these are loaded. A battle that was submitted before the warband was transferred
    was played by its player at that time.
    """
    player = (
        seats.players.get((battle.campaign_id, side.warband_id))
        if battle.campaign_id is not None
        else None
    )
    if player is None:
        # Only now: rows of a list are loaded without the owners of their warbands.
        player = Player(display_name(side.warband.owner or side.warband.keeper))
    if battle.submitted_at is None:
        return player
    later = (
        name
        for moment, name in seats.former.get(side.warband_id, ())
        if battle.submitted_at <= moment
    )
    return Player(next(later, player.name), player.colour)


def with_substitute(player: str, substitute: str) -> str:
    """Return the name of the player of a side, or of the substitute and the player."""
    if not substitute or substitute == player:
        return player
    if not player:
        return substitute
    return gettext("%(substitute)s for %(player)s") % {"substitute": substitute, "player": player}


class CombatantPage(Struct, frozen=True):
    """A fighter in a battle: as it was before the battle and after it.

    ``fate`` is what happens to it after the battle ("" before submission), ``missed_games`` how
    many games it misses, ``wounds`` the worst state it ended in, ``wounds_phrase`` the same as
    text, ``end_phrase`` how it died or left. ``tallies`` is what the battle counts for,
    ``experience`` the sum of its ``awards``. ``condition_before`` is the condition that it brought,
    ``condition_after`` the one that it keeps (empty before submission), in rule systems with
    conditions; ``carried_before`` and ``carried_after`` are the same in the rule system's own form.
    ``losses`` are its own losses in this battle, ``losses_phrase`` the same as text. ``group`` is
    the key that events use for its group, such as "a/Left"; "" if they use none.
    """

    fighter: UUID
    name: str
    profile_name: str
    rank: int
    points: int
    posts: tuple[Post, ...] = ()
    fate: Annotated[str, closed("Fate", Fate, blank=True)] = ""
    missed_games: int = 0
    wounds: str = ""
    wounds_phrase: str = ""
    end_phrase: str = ""
    survived: bool = True
    routed: bool = False
    captured: bool = False
    killed_by: str = ""
    recovery_roll: int | None = None
    tallies: tuple[TallyCount, ...] = ()
    experience: int = 0
    awards: tuple[AwardLine, ...] = ()
    condition_before: tuple[ConditionLine, ...] = ()
    condition_after: tuple[ConditionLine, ...] = ()
    carried_before: Condition = AS_RECRUITED
    carried_after: Condition = AS_RECRUITED
    losses: tuple[Loss, ...] = ()
    losses_phrase: str = ""
    group: str = ""


class SidePage(Struct, frozen=True):
    """A side of a battle.

    ``points`` is what its fighters cost; ``outcome`` is "" before submission. ``verdict`` is its
    answer to the submitted log: "waiting", "confirmed" or "disputed" (with the ``dispute``).
    """

    key: str
    role: str
    role_name: str
    warband: UUID
    warband_name: str
    faction: str
    faction_name: str
    player: str
    colour: str
    points: int
    figures: tuple[RosterFigure, ...]
    outcome: Annotated[str, closed("Outcome", Outcome, blank=True)]
    victory_points: int
    score: tuple[ScoreLine, ...]
    verdict: Annotated[str, closed("SideVerdict", Verdict)]
    dispute: str
    decided_by: str
    decided_at: datetime | None
    combatants: tuple[CombatantPage, ...]
    substitute: str = ""
    """The name of the member who played it in this battle for its ``player``."""

    @property
    def played_by(self) -> str:
        """The name of the player, with the substitute, for display."""
        return with_substitute(self.player, self.substitute)


def side_pages(
    battle: Battle,
    sides: Iterable[Side],
    result: BattleResult | None,
    awards: FighterAwards,
    seats: Seats,
) -> tuple[SidePage, ...]:
    """Return the sides of a battle loaded by ``for_pages``, in their order. No queries."""
    results = {side.side: side for side in result.sides} if result else {}
    return tuple(_side_page(battle, side, results.get(side.key), awards, seats) for side in sides)


def _side_page(
    battle: Battle, side: Side, result: SideResult | None, awards: FighterAwards, seats: Seats
) -> SidePage:
    player = player_of(battle, side, seats)
    roles = {role.key: role.name for role in scenario_of(battle).roles}
    combatants = list(side.combatants.all())
    return SidePage(
        key=side.key,
        role=side.role,
        role_name=roles.get(side.role, side.role),
        warband=side.warband_id,
        warband_name=side.warband.name,
        faction=side.warband.faction,
        faction_name=faction_name(side.warband),
        player=player.name,
        colour=player.colour,
        points=sum(combatant.points for combatant in combatants),
        figures=tuple(msgspec.convert(figure, RosterFigure) for figure in side.figures),
        outcome=result.outcome if result and battle.stands else "",
        victory_points=result.victory_points if result else 0,
        score=result.lines if result else (),
        verdict=side.verdict,
        dispute=side.dispute,
        decided_by=display_name(side.decided_by),
        decided_at=side.decided_at,
        combatants=_combatant_pages(battle, side, combatants, result, awards),
        substitute=side.substitute.name if side.substitute else "",
    )


def _combatant_pages(
    battle: Battle,
    side: Side,
    combatants: Sequence[Combatant],
    result: SideResult | None,
    awards: FighterAwards,
) -> tuple[CombatantPage, ...]:
    rules, terms = ruleset_of_battle(battle), terms_of(battle, side)
    records = {record.fighter: record for record in result.records} if result else {}
    deeds = result.deeds if result else ()
    posts = rules.posts(terms)
    pages = []
    for combatant in combatants:
        key = str(combatant.fighter_id)
        page = _as_fielded(
            combatant, rules.fighter_facts(combatant.build, terms, combatant.condition), posts
        )
        page = replace(
            page,
            condition_before=rules.condition_lines(combatant.build, terms, combatant.condition),
            group=rules.group_key(side.key, combatant.build),
        )
        if key in records:
            page = _as_it_left(
                battle, page, records[key], [deed for deed in deeds if deed.fighter == key], awards
            )
            condition = records[key].condition
            lines = rules.condition_lines(combatant.build, terms, condition)
            page = replace(page, condition_after=lines, carried_after=condition)
        pages.append(page)
    return tuple(pages)


def _as_fielded(combatant: Combatant, facts: FighterFacts, posts: Sequence[Post]) -> CombatantPage:
    return CombatantPage(
        fighter=combatant.fighter_id,
        name=combatant.name,
        profile_name=facts.profile_name,
        rank=combatant.rank,
        points=combatant.points,
        posts=tuple(post for post in posts if post.key in combatant.posts),
        carried_before=combatant.condition,
    )


def _as_it_left(
    battle: Battle,
    page: CombatantPage,
    record: Record,
    deeds: Sequence[Deed],
    awards: FighterAwards,
) -> CombatantPage:
    rules = ruleset_of_battle(battle)
    fate, missed = rules.progression.fate_after(record, battle.house_rules)
    earned = awards.get(record.fighter, ())
    return replace(
        page,
        fate=str(fate),
        missed_games=missed,
        wounds=record.wounds,
        wounds_phrase=rules.wound_phrase(record.wounds),
        losses=record.losses,
        losses_phrase=lost_parts(record.losses),
        end_phrase=end_phrase(rules, record.fate, record.wounds, record.killed_by),
        survived=record.survived,
        routed=record.routed,
        captured=record.captured,
        killed_by=record.killed_by,
        recovery_roll=record.recovery_roll,
        tallies=counted(
            translated_tallies(rules.tallies), tallies_of(rules, deeds).get(record.fighter, {})
        ),
        experience=sum(award.amount for award in earned),
        awards=earned,
    )
