"""What a confirmed battle writes: one fact per warband, the sides' outcomes, and a note of what follows."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.utils import timezone
from msgspec.structs import replace

from battles.facts import fought_facts, points_against
from battles.follow_ups import note_follow_ups
from battles.models import Battle, BattleState, Side
from battles.reading import result_of, rules_of
from battles.services.locking import save_battle
from rulebook.chronicle.facts import Fought
from rulebook.dice.committed import die
from rulebook.ruleset import BattleResult, Record, Ruleset
from warbands.errors import Refused
from warbands.services.chronicle import append_facts


def write_confirmation(battle: Battle, sides: Sequence[Side], user: User) -> None:
    """Write a submitted battle into the chronicles of its warbands. The caller has locked the battle.

    Raises Refused if a chronicle cannot take it: a fighter who is dead or absent by now, a warband that has moved on.
    """
    _refuse_moved(battle, sides)
    result = with_recovery_dice(battle, result_of(battle))
    facts = fought_facts(battle, sides, result)
    _tell(facts, user)
    write_sides(battle, result)
    battle.result = msgspec.to_builtins(result)
    battle.state = BattleState.CONFIRMED
    battle.confirmed_at = timezone.now()
    note_follow_ups(battle)
    save_battle(battle, "state", "result", "decision", "confirmed_at", "follow_ups_due_since")


def _tell(facts: Mapping[UUID, Fought], user: User) -> None:
    """Append the facts. Raises Refused with the way out where a chronicle has gone another way meanwhile."""
    try:
        append_facts(facts, user=user)
    except Refused as refusal:
        sentence = f"{refusal.sentence} Open the log again and mend it, or correct what made it so."
        raise Refused(refusal.code, sentence, problems=refusal.problems) from refusal


def with_recovery_dice(battle: Battle, result: BattleResult | None) -> BattleResult:
    """The result sheet with a die for each fighter who needs one; dice typed in the log are left as they are.

    A fighter's die in a battle comes from the battle's secret seed alone: whoever reads the log again, or corrects
    it, gets the same one, so that nobody can fish for a better throw. Raises Refused without a result sheet.
    """
    if result is None:
        raise Refused("no-result", "The battle has no result sheet yet: submit its log first.")
    rules = rules_of(battle)
    sides = tuple(replace(side, records=_thrown(battle, rules, side.records)) for side in result.sides)
    return replace(result, sides=sides)


def _thrown(battle: Battle, rules: Ruleset, records: tuple[Record, ...]) -> tuple[Record, ...]:
    needing = set(rules.progression.recovery_dice(records, battle.house_rules))
    return tuple(
        replace(record, recovery_roll=recovery_die(battle, record.fighter))
        if record.fighter in needing and record.recovery_roll is None
        else record
        for record in records
    )


def recovery_die(battle: Battle, fighter: str) -> int:
    """The die, 1 to 6, that decides whether a fighter is fit again after this battle."""
    return die(battle.dice_seed, f"{battle.pk} recovery {fighter}", 1)


def write_sides(battle: Battle, result: BattleResult | None) -> None:
    """Write outcome and victory points into the sides; None for a battle that does not count. One query a side."""
    if result is None:
        battle.sides.update(outcome="", victory_points=0, victory_points_against=0)
        return
    for side in result.sides:
        battle.sides.filter(key=side.side).update(
            outcome=side.outcome,
            victory_points=side.victory_points,
            victory_points_against=points_against(side.side, result),
        )


def _refuse_moved(battle: Battle, sides: Iterable[Side]) -> None:
    """A battle counts in the campaign for which it was planned, or in none. Raises Refused "warband-moved-on"."""
    if battle.friendly:
        return
    ours = {None, str(battle.campaign_id) if battle.campaign_id else None}
    for side in sides:
        if side.warband.state.get("campaign") not in ours:
            sentence = f"{side.warband.name} plays in another campaign by now: void this battle and plan it anew."
            raise Refused("warband-moved-on", sentence, field="sides")
