"""The games of a classic campaign: results, fighters available for the final, and the winner."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Prefetch
from msgspec import Struct

from battles.models import Battle, BattleState, Part, Side
from battles.rulebook_values import read_result
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Enrolment, Format
from rulebook.chronicle.states import WarbandState
from rulebook.ruleset import ClassicScore, Deed, Outcome, Record
from rulebook.values.classic import ClassicVerdict


class SmallGames(Struct, frozen=True):
    """The records of a warband in the confirmed small games, and the deeds of its opponents."""

    records: tuple[Record, ...] = ()
    against: tuple[Deed, ...] = ()

    @property
    def fought(self) -> frozenset[str]:
        """The ids of the fighters who took part in a small game."""
        return frozenset(record.fighter for record in self.records)


def games_of(campaign: Campaign) -> list[Battle]:
    """Return the games of a classic campaign that are not void. Two queries.

    They are in the order of the campaign's scenarios, the final last.
    """
    sides = Prefetch("sides", Side.objects.select_related("warband").order_by("place"))
    played = (
        campaign.battles.exclude(part=Part.NONE)
        .exclude(state=BattleState.VOID)
        .prefetch_related(sides)
    )
    return sorted(
        played, key=lambda battle: (battle.part == Part.FINAL, _place(campaign, battle.scenario))
    )


def _place(campaign: Campaign, scenario: str) -> int:
    return (
        campaign.scenarios.index(scenario)
        if scenario in campaign.scenarios
        else len(campaign.scenarios)
    )


def small_games_of(games: Iterable[Battle]) -> Mapping[UUID, SmallGames]:
    """Return the results of the confirmed small games among these games, by warband. No queries."""
    by_warband: dict[UUID, SmallGames] = {}
    for battle in games:
        result = (
            read_result(battle)
            if battle.part == Part.SMALL and battle.state == BattleState.CONFIRMED
            else None
        )
        for side in battle.sides.all() if result else ():
            earlier = by_warband.get(side.warband_id, SmallGames())
            own_side = (
                next(each for each in result.sides if each.side == side.key) if result else None
            )
            deeds = (
                tuple(deed for each in result.sides if each is not own_side for deed in each.deeds)
                if result
                else ()
            )
            records = own_side.records if own_side else ()
            by_warband[side.warband_id] = SmallGames(
                (*earlier.records, *records), (*earlier.against, *deeds)
            )
    return by_warband


def over(campaign: Campaign, games: Iterable[Battle]) -> bool:
    """Return whether every small game is confirmed."""
    done = {
        each.scenario
        for each in games
        if each.part == Part.SMALL and each.state == BattleState.CONFIRMED
    }
    return bool(campaign.scenarios) and done == set(campaign.scenarios)


def available(campaign: Campaign, state: WarbandState, small: SmallGames) -> tuple[str, ...]:
    """Return the ids of the fighters who are available for the final, in roster order."""
    rules = ruleset_of_campaign(campaign).classic
    return () if rules is None else rules.final_force(state.roster, small.fought)


def verdict_of(
    campaign: Campaign, enrolments: Sequence[Enrolment], games: Sequence[Battle]
) -> tuple[tuple[ClassicScore, ...], ClassicVerdict | None]:
    """Return each warband's score, and the campaign's verdict. No queries.

    The verdict is None for a campaign that is not classic.
    """
    rules = ruleset_of_campaign(campaign).classic
    if rules is None or campaign.format != Format.CLASSIC:
        return (), None
    scores = tuple(_score(enrolment, games) for enrolment in enrolments)
    return scores, rules.verdict(scores, campaign.house_rules)


def classic_verdict(campaign: Campaign) -> ClassicVerdict | None:
    """Return who has won a classic campaign and why; None for another one.

    Three queries, none for a campaign that is not classic.
    """
    if campaign.format != Format.CLASSIC:
        return None
    return verdict_of(campaign, players_of(campaign), games_of(campaign))[1]


def verdict_sentence(campaign: Campaign) -> str:
    """Return the sentence of ``classic_verdict``; "" for a campaign that is not classic."""
    verdict = classic_verdict(campaign)
    return verdict.sentence if verdict else ""


def players_of(campaign: Campaign) -> list[Enrolment]:
    """Return the enrolments that play, or did at the campaign's end, with players and orders.

    One query.
    """
    rows = campaign.enrolments.select_related(
        "warband", "player__user__archived_person", "order"
    ).order_by("enrolled_at", "pk")
    return [each for each in rows if each.left_at is None or each.left_at == campaign.finished_at]


def _score(enrolment: Enrolment, games: Iterable[Battle]) -> ClassicScore:
    sides = [
        (battle, side)
        for battle in games
        if battle.state == BattleState.CONFIRMED
        for side in battle.sides.all()
        if side.warband_id == enrolment.warband_id
    ]
    final = next((side for battle, side in sides if battle.part == Part.FINAL), None)
    return ClassicScore(
        warband=str(enrolment.warband_id),
        name=enrolment.warband.name,
        games=tuple(side.victory_points for battle, side in sides if battle.part == Part.SMALL),
        final=final.victory_points if final else None,
        outcome=Outcome(final.outcome) if final else None,
    )
