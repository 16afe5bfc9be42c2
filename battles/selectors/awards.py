"""The experience from battles, each amount with its reason."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db import connection
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.rulebook_values import read_result, ruleset_of_battle
from warbands.models import ChronicleEntry, ExperienceEntry


class AwardLine(Struct, frozen=True):
    """An amount of experience, its reason, and the rule that gives it."""

    amount: int
    code: str
    sentence: str
    rule: str


LEDGER_OF_BATTLE = """
    SELECT ledger.* FROM warbands_chronicleentry fact
    JOIN warbands_experienceentry ledger
        ON ledger.warband_id = fact.warband_id AND ledger.sequence = fact.sequence
    WHERE fact.subject = %s AND fact.kind = 'fought'
    ORDER BY ledger.warband_id, ledger.sequence, ledger.line
"""

FighterAwards = Mapping[str, tuple[AwardLine, ...]]
"""The awards by fighter id."""


def awards_of_battles(battles: Iterable[Battle]) -> dict[UUID, FighterAwards]:
    """Return the awards of each battle. Two queries.

    A confirmed battle has those of the ledger, any other those that its result would give.
    """
    battles = list(battles)
    confirmed = [battle for battle in battles if battle.state == BattleState.CONFIRMED]
    awards: dict[UUID, FighterAwards] = {
        battle.pk: _previewed(battle) for battle in battles if battle not in confirmed
    }
    return awards | _booked(confirmed)


def awards_of_battle(battle: Battle) -> FighterAwards:
    """Return the awards of one battle, as ``awards_of_battles``. At most one query."""
    if battle.state != BattleState.CONFIRMED:
        return _previewed(battle)
    key = ChronicleEntry._meta.get_field("subject").get_db_prep_value(battle.pk, connection)
    awards: dict[str, list[AwardLine]] = {}
    for line in ExperienceEntry.objects.raw(LEDGER_OF_BATTLE, [key]):
        award = AwardLine(line.amount, line.code, line.sentence, line.rule)
        awards.setdefault(str(line.fighter_id), []).append(award)
    return {fighter: tuple(lines) for fighter, lines in awards.items()}


def _booked(battles: list[Battle]) -> dict[UUID, FighterAwards]:
    """Return the awards of confirmed battles from the ledger. Two queries, none without battles."""
    by_battle: dict[UUID, dict[str, tuple[AwardLine, ...]]] = {battle.pk: {} for battle in battles}
    places = _places(battles)
    if not places:
        return dict(by_battle)
    warbands = {warband for warband, _ in places}
    lines = ExperienceEntry.objects.filter(
        warband__in=warbands, sequence__in={sequence for _, sequence in places}
    )
    for line in lines.order_by("warband", "sequence", "line"):
        battle = places.get((line.warband_id, line.sequence))
        if battle is not None:
            awards = by_battle[battle]
            award = AwardLine(line.amount, line.code, line.sentence, line.rule)
            awards[str(line.fighter_id)] = (*awards.get(str(line.fighter_id), ()), award)
    return dict(by_battle)


def _places(battles: Iterable[Battle]) -> dict[tuple[UUID, int], UUID]:
    """Return the ids of the battles by warband and sequence number in its chronicle."""
    battle_ids = [battle.pk for battle in battles]
    if not battle_ids:
        return {}
    entries = ChronicleEntry.objects.filter(kind="fought", subject__in=battle_ids)
    rows = entries.values_list("warband_id", "sequence", "subject")
    return {(warband, sequence): battle for warband, sequence, battle in rows if battle is not None}


def _previewed(battle: Battle) -> FighterAwards:
    """Return the awards that a result would give.

    Empty before submission, and for a friendly or void battle.
    """
    result = read_result(battle)
    if result is None or battle.friendly or battle.state == BattleState.VOID:
        return {}
    by_fighter: dict[str, tuple[AwardLine, ...]] = {}
    for side in result.sides:
        for award in ruleset_of_battle(battle).progression.awards(
            side.records, side.deeds, battle.house_rules
        ):
            line = AwardLine(award.amount, award.code, award.sentence, award.rule)
            by_fighter[award.fighter] = (*by_fighter.get(award.fighter, ()), line)
    return by_fighter
