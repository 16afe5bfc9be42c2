"""What a confirmed battle writes: one fact per warband, the sides' outcomes, and a note of what follows."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from msgspec.structs import replace

from battles.facts import fought_facts, points_against
from battles.follow_ups import note_follow_ups
from battles.models import Battle, BattleState, Side
from battles.reading import result_of, rules_of
from battles.services.locking import save_battle
from battles.signatures import battle_signature
from rulebook.dice.committed import die
from rulebook.ruleset import BattleResult, SideResult
from warbands.errors import Refused
from warbands.services.chronicle import write_facts


def write_confirmation(battle: Battle, sides: Sequence[Side], user: User) -> None:
    """Write a submitted battle into the chronicles of its warbands, and what is said for its sides, which are saved.

    The caller has locked the battle and the warbands of its sides, in a transaction that ends if this raises.

    Raises Refused "warband-moved-on" where a warband plays in another campaign by now; with a way out where a chronicle
    cannot take the battle: a fighter who is dead or absent by now.
    """
    # A battle counts in the campaign for which it was planned, or in none.
    counted_in = (None, str(battle.campaign_id) if battle.campaign_id else None)
    moved = [side.warband.name for side in sides if side.warband.state.get("campaign") not in counted_in]
    if moved and not battle.friendly:
        sentence = gettext("%(moved)s plays in another campaign by now: void this battle and plan it anew.") % {
            "moved": moved[0]
        }
        raise Refused("warband-moved-on", sentence, field="sides")
    submitted = result_of(battle)
    result = with_recovery_dice(battle, submitted)
    try:
        warbands = {side.warband_id: side.warband for side in sides}
        write_facts(warbands, fought_facts(battle, sides, result), user=user)
    except Refused as refusal:
        sentence = gettext("%(sentence)s Open the log again and mend it, or correct what made it so.") % {
            "sentence": refusal.sentence
        }
        raise Refused(refusal.code, sentence, problems=refusal.problems) from refusal
    for side in sides:
        decided = {"decided_by": side.decided_by_id, "decided_at": side.decided_at}
        said = {"verdict": side.verdict, "dispute": side.dispute, **decided}
        Side.objects.filter(pk=side.pk).update(**outcome_columns(side.key, result), **said)
    battle.state = BattleState.CONFIRMED
    battle.confirmed_at = timezone.now()
    changed = ["state", "decision", "confirmed_at", "follow_ups_due_since", "signature"]
    if result != submitted:
        battle.result = msgspec.to_builtins(result)
        changed.append("result")
    battle.signature = battle_signature(battle)
    note_follow_ups(battle)
    save_battle(battle, *changed)


def with_recovery_dice(battle: Battle, result: BattleResult | None) -> BattleResult:
    """The result sheet with a die for each fighter who needs one; dice typed in the log are left as they are.

    A fighter's die in a battle comes from the battle's secret seed alone: whoever reads the log again, or corrects
    it, gets the same one, so that nobody can fish for a better throw. Raises Refused without a result sheet.
    """
    if result is None:
        raise Refused("no-result", gettext("The battle has no result sheet yet: submit its log first."))
    recovery_dice = rules_of(battle).progression.recovery_dice
    sides: list[SideResult] = []
    for side in result.sides:
        needing = set(recovery_dice(side.records, battle.house_rules))
        records = tuple(
            replace(record, recovery_roll=recovery_die(battle, record.fighter))
            if record.fighter in needing and record.recovery_roll is None
            else record
            for record in side.records
        )
        sides.append(replace(side, records=records))
    return replace(result, sides=tuple(sides))


def recovery_die(battle: Battle, fighter: str) -> int:
    """The die, 1 to 6, that decides whether a fighter is fit again after this battle."""
    return die(battle.dice_seed, f"{battle.pk} recovery {fighter}", 1)


def write_sides(battle: Battle, result: BattleResult | None) -> None:
    """Write outcome and victory points into the sides; None for a battle that does not count. One query a side."""
    if result is None:
        battle.sides.update(outcome="", victory_points=0, victory_points_against=0)
        return
    for side in result.sides:
        battle.sides.filter(key=side.side).update(**outcome_columns(side.side, result))


def outcome_columns(key: str, result: BattleResult) -> dict[str, Any]:
    """The columns of a side that follow from the result sheet."""
    found = next(side for side in result.sides if side.side == key)
    return {
        "outcome": found.outcome,
        "victory_points": found.victory_points,
        "victory_points_against": points_against(key, result),
    }
