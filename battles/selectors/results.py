"""Battles with results, for annals and documents."""

from collections.abc import Iterable, Sequence
from uuid import UUID

import msgspec
from django.db.models import Prefetch, TextField
from django.db.models.functions import Cast
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Battle, BattleQuerySet, BattleState, Combatant, Side
from battles.rulebook_values import read_result, ruleset_of_battle
from campaigns.models import Campaign
from rulebook.ruleset import BattleResult, Fate, Record, Ruleset, Scenario, SideResult

RESULT_AS_TEXT = Cast("result", TextField())
"""A result as text, which takes less time and a quarter of the memory of its data."""
decode_result = msgspec.json.Decoder(BattleResult).decode
OF_A_BATTLE = ("ruleset", "edition", "scenario", "title", "fought_on", "friendly", "house_rules")


class BattleWithResult(Struct, frozen=True):
    """A battle with its result, its rules and its sides."""

    battle: Battle
    rules: Ruleset
    result: BattleResult
    sides: tuple[Side, ...]

    @property
    def scenario(self) -> Scenario | None:
        """Its scenario; None if its rule system does not have it any more."""
        return _scenario(self.battle, self.rules)

    @property
    def title(self) -> str:
        """Its own title, otherwise the scenario's name."""
        return title_of(self.battle, self.rules)

    def records(self, of: SideResult) -> tuple[Record, ...]:
        """Return a side's records with the fates after the battle.

        Some fighters are found alive, others die of their wounds.
        """
        return tuple(self._settled(record) for record in of.records)

    def _settled(self, record: Record) -> Record:
        after, _ = self.rules.progression.fate_after(record, self.battle.house_rules)
        if (after is Fate.DEAD) == (record.fate is Fate.DEAD):
            return record
        return replace(record, fate=Fate.DEAD if after is Fate.DEAD else Fate.RECOVERING)


def title_of(battle: Battle, rules: Ruleset) -> str:
    """Return a battle's title, otherwise the scenario's name, otherwise the scenario's key.

    The key is used if the rules do not have the scenario any more.
    """
    scenario = _scenario(battle, rules)
    return battle.title or (scenario.name if scenario else battle.scenario)


def _scenario(battle: Battle, rules: Ruleset) -> Scenario | None:
    return next((each for each in rules.scenarios() if each.key == battle.scenario), None)


def battles_with_results(battles: Iterable[Battle]) -> list[BattleWithResult]:
    """Return battles that have results, with their sides, warbands and combatants. Two queries."""
    battles = list(battles)
    sides = _sides(battles)
    return [
        BattleWithResult(
            battle, ruleset_of_battle(battle), _result(battle), tuple(sides[battle.pk])
        )
        for battle in battles
    ]


def ordered_results(campaign: Campaign) -> list[Battle]:
    """Return the campaign's confirmed battles in order of play, with their corrections.

    They have their results as text, for ``battles_with_results``. Two queries.
    """
    battles = confirmed(campaign.pk).defer("result").annotate(sheet=RESULT_AS_TEXT)
    return list(battles.prefetch_related("revisions"))


def played_briefly(campaign: UUID) -> list[BattleWithResult]:
    """Return the confirmed battles of a campaign with results, in order of play, for annals alone.

    The sides have no combatants loaded. Two queries, which read only the columns that annals need.
    """
    battles = list(confirmed(campaign).annotate(sheet=RESULT_AS_TEXT).only(*OF_A_BATTLE))
    sides: dict[UUID, list[Side]] = {}
    for side in (
        Side.objects.filter(battle__campaign=campaign).only("battle", "warband").order_by("place")
    ):
        sides.setdefault(side.battle_id, []).append(side)
    return [
        BattleWithResult(each, ruleset_of_battle(each), _result(each), tuple(sides[each.pk]))
        for each in battles
    ]


def confirmed(campaign: UUID) -> BattleQuerySet:
    """Return the campaign's confirmed battles with results, in the order of play."""
    battles = Battle.objects.filter(
        campaign=campaign, state=BattleState.CONFIRMED, result__isnull=False
    )
    return battles.in_order_of_play()


def _sides(battles: Sequence[Battle]) -> dict[UUID, list[Side]]:
    by_battle: dict[UUID, list[Side]] = {battle.pk: [] for battle in battles}
    people = Prefetch(
        "combatants", queryset=Combatant.objects.order_by("place").defer("build", "condition")
    )
    rows = (
        Side.objects.filter(battle__in=battles)
        .select_related("warband__owner")
        .prefetch_related(people)
    )
    for side in rows.order_by("place"):
        by_battle[side.battle_id].append(side)
    return by_battle


def _result(battle: Battle) -> BattleResult:
    """Return the result of a battle, from its text if it was read as such."""
    if "sheet" in vars(battle):
        return decode_result(vars(battle)["sheet"])
    result = read_result(battle)
    if result is None:
        raise ValueError(f"Battle {battle.pk} has no result to tell.")
    return result
