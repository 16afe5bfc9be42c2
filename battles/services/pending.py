"""Fighters who may not be what the roster says: another battle of theirs is not settled yet."""

from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext

from battles.facts import played_at
from battles.models import Battle, BattleState, Combatant
from battles.reading import result_of, rules_of
from core.ruleset_words import said
from rulebook.ruleset import Fate, Problem, Severity

UNSETTLED = (BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)


def fates_pending(battle: Battle, fighters: Iterable[UUID]) -> tuple[Problem, ...]:
    """A warning for each fighter whom another battle, played before and not settled yet, may take out of this one.
    One query.

    Nobody has to wait for a slow opponent to go on playing; but who died in the battle before cannot be told later
    of having fought in this one.
    """
    others = Combatant.objects.filter(
        fighter__in=list(fighters), side__battle__state__in=UNSETTLED, side__battle__friendly=False
    ).exclude(side__battle=battle)
    here = played_at(battle)
    rows = others.select_related("side__battle").order_by("pk")
    found = (_pending(combatant) for combatant in rows if played_at(combatant.side.battle) <= here)
    return tuple(problem for problem in found if problem is not None)


def _pending(combatant: Combatant) -> Problem | None:
    battle = combatant.side.battle
    result, fighter = result_of(battle), str(combatant.fighter_id)
    if result is None:
        sentence = gettext("%(combatant)s is in %(battle)s, which is still under way.") % {
            "combatant": combatant.name,
            "battle": battle,
        }
        return Problem("fielded-elsewhere", sentence, Severity.WARNS, (fighter,), value=str(battle.pk))
    records = [record for side in result.sides for record in side.records if record.fighter == fighter]
    fate = rules_of(battle).progression.fate_after(records[0], battle.house_rules)[0] if records else Fate.FIT
    if fate is Fate.FIT:
        return None
    sentence = gettext("By the log of %(battle)s, which nobody has confirmed yet, %(combatant)s is %(fate)s.") % {
        "battle": battle,
        "combatant": combatant.name,
        "fate": said(fate),
    }
    return Problem("fate-pending", sentence, Severity.WARNS, (fighter,), value=str(battle.pk))
