"""Battles as they are told: from the result sheet, with everybody's name."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Prefetch
from django.utils.translation import gettext
from msgspec.structs import replace

from battles.models import Battle, BattleState, Combatant, Side
from battles.reading import result_of, rules_of
from campaigns.models import Campaign
from documents.content.highlights import Account, Party
from documents.content.kinds import BattleSummary
from documents.content.people import Player, players_of
from documents.content.pieces import BattleTale, Casualty, Line, Noted, SideTale, Story
from documents.content.stories import battle_story
from documents.content.words import harm, label
from documents.prose import prose
from drawings.bars import Standing
from rulebook.ruleset import Award, BattleResult, BattleSetup, Fate, FieldedSide, Record, Ruleset, Scenario, SideResult
from warbands.errors import Refused

TOLD = (BattleState.SUBMITTED, BattleState.DISPUTED, BattleState.CONFIRMED)
"""The states in which a battle has a result sheet."""
DEAD = "dead"
"""What a rule system calls its lost if they are people (``Words.lost``)."""
MARKS: tuple[Standing, ...] = ("well", "hurt", "out", "gone", "dead")


def battle_content(battle: Battle) -> BattleSummary:
    """The content of a battle's summary, from three queries beside the battle's own.

    Raises Refused ("nothing-to-print") where there is no result.
    """
    if battle.state not in TOLD or battle.result is None:
        sentence = "There is nothing to print yet: the battle has no result. Submit its log first."
        raise Refused("nothing-to-print", sentence, field="subject")
    tale = tales([battle], battle.campaign, sides_of([battle]), earnings=True)[0]
    rules = rules_of(battle)
    return BattleSummary(
        title=tale.title,
        subtitle=gettext("Battle summary"),
        dated=max(told.date().isoformat() for told in _moments(battle)),
        ruleset=rules.name,
        battle=replace(tale, number=0),
        words=label(rules, battle.house_rules),
        campaign=battle.campaign.name if battle.campaign else "",
    )


def _moments(battle: Battle) -> list[datetime]:
    """When the battle got what there is to tell."""
    moments = [battle.created_at, battle.submitted_at, battle.confirmed_at]
    moments += [revision.made_at for revision in battle.revisions.all()]
    return [moment for moment in moments if moment]


def tales(
    battles: Sequence[Battle],
    campaign: Campaign | None,
    sides: Mapping[UUID, Sequence[Side]],
    *,
    earnings: bool = False,
) -> tuple[BattleTale, ...]:
    """Battles with results as they are told, numbered in their order. One query, whatever the number of battles."""
    warbands = {side.warband_id: side.warband for group in sides.values() for side in group}
    players = players_of(warbands.values(), campaign)
    return tuple(
        _tale(battle, number, sides[battle.pk], players, earnings) for number, battle in enumerate(battles, start=1)
    )


def sides_of(battles: Iterable[Battle]) -> dict[UUID, list[Side]]:
    """The sides of battles with their warbands and combatants. Two queries, whatever the number of battles."""
    battles = list(battles)
    found: dict[UUID, list[Side]] = {battle.pk: [] for battle in battles}
    people = Prefetch("combatants", queryset=Combatant.objects.order_by("place").defer("build", "condition"))
    rows = Side.objects.filter(battle__in=battles).select_related("warband__owner").prefetch_related(people)
    for side in rows.order_by("place"):
        found[side.battle_id].append(side)
    return found


def account_of(battle: Battle, sides: Sequence[Side]) -> Account:
    """A battle as its result tells it, for what was remarkable about it."""
    rules, told = rules_of(battle), {each.side: each for each in _result(battle).sides}
    return Account(
        key=str(battle.pk),
        title=_title(battle, next((each for each in rules.scenarios() if each.key == battle.scenario), None)),
        fought_on=battle.fought_on.isoformat(),
        parties=tuple(
            Party(
                warband=side.warband.name,
                outcome=told[side.key].outcome,
                victory_points=told[side.key].victory_points,
                names={str(combatant.fighter_id): combatant.name for combatant in side.combatants.all()},
                records=told[side.key].records,
                deeds=told[side.key].deeds,
                dead=tuple(one.fighter for one in told[side.key].records if _lost(rules, battle, one)),
            )
            for side in sides
        ),
        mortal=rules.words.lost == DEAD,
        scored=rules.shown(battle.house_rules).victory_points,
    )


def _lost(rules: Ruleset, battle: Battle, record: Record) -> bool:
    """Whether a fighter is lost for good: who was killed at the table may be brought round afterwards."""
    return rules.progression.fate_after(record, battle.house_rules)[0] is Fate.DEAD


def _title(battle: Battle, scenario: Scenario | None) -> str:
    return battle.title or (scenario.name if scenario else battle.scenario)


def _tale(
    battle: Battle, number: int, sides: Sequence[Side], players: Mapping[UUID, Player], earnings: bool
) -> BattleTale:
    rules, result = rules_of(battle), _result(battle)
    scenario = next((each for each in rules.scenarios() if each.key == battle.scenario), None)
    roles = {role.key: role.name for role in scenario.roles} if scenario else {}
    told = {each.side: each for each in result.sides}
    by_whom = _by_whom(result, [combatant for side in sides for combatant in side.combatants.all()])
    told_sides = tuple(
        _side(rules, battle, side, told[side.key], roles, players[side.warband_id], by_whom, earnings) for side in sides
    )
    scored = rules.shown(battle.house_rules).victory_points
    return BattleTale(
        id=str(battle.pk),
        title=_title(battle, scenario),
        scenario=scenario.name if scenario else battle.scenario,
        fought_on=battle.fought_on.isoformat(),
        sides=told_sides,
        verdict=prose().battle_verdict(told_sides, scored) or result.verdict,
        number=number,
        turns=result.turns,
        points_limit=battle.points_limit,
        set_up=_set_up(battle, sides),
        story=battle.story,
        friendly=battle.friendly,
        state=_stamp(BattleState(battle.state)),
        corrections=tuple(revision.reason for revision in battle.revisions.all()),
        told=Story() if battle.friendly else battle_story(account_of(battle, sides)),
    )


def _stamp(state: BattleState) -> str:
    stamps = {
        BattleState.SUBMITTED: gettext("Not confirmed yet by all sides"),
        BattleState.DISPUTED: gettext("Disputed"),
    }
    return stamps.get(state, "")


def _result(battle: Battle) -> BattleResult:
    result = result_of(battle)
    if result is None:
        raise ValueError(f"Battle {battle.pk} has no result to tell.")
    return result


def _side(
    rules: Ruleset,
    battle: Battle,
    side: Side,
    told: SideResult,
    roles: Mapping[str, str],
    player: Player,
    by_whom: Mapping[str, str],
    earnings: bool,
) -> SideTale:
    people = {str(combatant.fighter_id): combatant for combatant in side.combatants.all()}
    earned = earnings and not battle.friendly
    awards = rules.progression.awards(told.records, told.deeds, battle.house_rules) if earned else ()
    return SideTale(
        warband=side.warband.name,
        player=player.name,
        role=roles.get(side.role, side.role),
        outcome=str(told.outcome),
        victory_points=told.victory_points,
        lines=tuple(Line(line.points, line.sentence, line.rule) for line in told.lines),
        casualties=_casualties(rules, battle, told, people, by_whom),
        fielded=len(people),
        points=sum(combatant.points for combatant in people.values()),
        earned=_earned(awards, people),
        earned_by=tuple(dict.fromkeys(award.rule for award in awards if award.rule)),
        colour=player.colour,
        marks=tuple(sorted((_mark(rules, battle, record) for record in told.records), key=MARKS.index)),
    )


def _mark(rules: Ruleset, battle: Battle, record: Record) -> Standing:
    """How somebody left the field, the worst of it."""
    if _lost(rules, battle, record):
        return "dead"
    if record.captured or record.routed or record.fate is Fate.CAPTURED:
        return "gone"
    if record.fate in (Fate.RECOVERING, Fate.DEAD):
        return "out"
    return "hurt" if rules.wound_phrase(record.wounds) else "well"


def _by_whom(result: BattleResult, people: Iterable[Combatant]) -> dict[str, str]:
    """Whose deeds each victim suffered, by the victims' ids: each name once, in the order of the deeds."""
    names = {str(combatant.fighter_id): combatant.name for combatant in people}
    found: dict[str, list[str]] = {}
    for deed in (deed for side in result.sides for deed in side.deeds):
        if deed.victim and deed.fighter in names and deed.fighter != deed.victim:
            found.setdefault(deed.victim, []).append(names[deed.fighter])
    return {victim: ", ".join(dict.fromkeys(doers)) for victim, doers in found.items()}


def _casualties(
    rules: Ruleset, battle: Battle, told: SideResult, people: Mapping[str, Combatant], by_whom: Mapping[str, str]
) -> tuple[Casualty, ...]:
    """Who came to harm, the dead first."""
    hurt = [
        Casualty(
            _name(people, record.fighter),
            record.rank,
            befell if lost or record.fate is not Fate.DEAD else ", ".join((befell, gettext("but lived"))),
            record.killed_by or by_whom.get(record.fighter, ""),
            lost,
        )
        for record in told.records
        for lost in (_lost(rules, battle, record),)
        if (befell := harm(rules, record))
    ]
    return tuple(sorted(hurt, key=lambda casualty: not casualty.dead))


def _earned(awards: Iterable[Award], people: Mapping[str, Combatant]) -> tuple[Noted, ...]:
    """What each fighter earned, and for what: "+3: survived; ..."."""
    by_fighter: dict[str, list[Award]] = {}
    for award in awards:
        by_fighter.setdefault(award.fighter, []).append(award)
    return tuple(Noted(person.name, _sum(by_fighter[key])) for key, person in people.items() if key in by_fighter)


def _sum(awards: list[Award]) -> str:
    reasons = "; ".join(award.sentence.rstrip(".") for award in awards)
    return f"+{sum(award.amount for award in awards)}: {reasons}"


def _name(people: Mapping[str, Combatant], fighter: str) -> str:
    return people[fighter].name if fighter in people else gettext("somebody unknown")


def _set_up(battle: Battle, sides: Iterable[Side]) -> tuple[Noted, ...]:
    """What was rolled or typed for the table, in the rule system's words."""
    bare = tuple(FieldedSide(side.key, side.warband.name, side.role, side.warband.faction, ()) for side in sides)
    setup = BattleSetup(battle.scenario, bare, {}, battle.set_up)
    return tuple(Noted(line.label, line.value) for line in rules_of(battle).set_up.lines(setup))


def ordered_results(campaign: Campaign) -> list[Battle]:
    """The campaign's confirmed battles in the order in which they were fought, with their corrections. Two queries."""
    confirmed = Battle.objects.filter(campaign=campaign, state=BattleState.CONFIRMED, result__isnull=False)
    return list(confirmed.order_by("fought_on", "confirmed_at", "pk").prefetch_related("revisions"))
