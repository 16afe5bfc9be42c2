"""What given dice of an attack come to."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.calculators.attack_odds import MAKING, Strike
from rulebook.systems.en_garde.calculators.shot_odds import one_die, wrong_dice
from rulebook.systems.en_garde.calculators.wording import result_name
from rulebook.systems.en_garde.table.blows import Blow, Stance, attack_dice, defence_dice, rerollable, resolve_blow
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.wounds import converted, needs_die
from rulebook.values.answers import Answer, Figure


class StrikeDice(Struct, frozen=True):
    """Dice of an attack as they fell; what was not thrown is None."""

    dice: tuple[int, ...]
    defence_dice: tuple[int, ...]
    reroll: int | None = None
    defence_reroll: int | None = None
    die: int | None = None


def rolled_attack(strike: Strike, thrown: StrikeDice) -> tuple[Figure, ...]:
    """What these dice come to. Raises RulesError for dice that are missing or too many."""
    blow = _resolved(strike, thrown)
    figures = (
        Figure("attack-score", "Attack Score", str(blow.attack_score), MAKING),
        Figure("defence-score", "Defence Score", str(blow.defence_score), MAKING),
        Figure("hit-score", "Hit Score", str(blow.hit_score), MAKING),
    )
    if strike.harmless and blow.hit:
        word = "succeeds" if blow.feinted else "gets away"
        return (*figures, Figure("result", "Result", word.capitalize(), 'Rule book: "Ploys"'))
    turned = blow.riposte is not None
    found, score = (blow.riposte, blow.riposte_score) if turned else (blow.result, blow.final_score)
    if found is None:
        return (*figures, Figure("result", "Result", result_name(None), MAKING))
    victim = strike.attacker if turned else strike.defender
    if needs_die(found, victim.table) and thrown.die is None:
        raise wrong_dice("die", "A Critical result on a large body takes one more die.")
    result = converted(found, victim.table, thrown.die)
    struck = "attacker, by the Riposte" if turned else "defender"
    return (
        *figures,
        Figure("wound-score", "Final Wound Score", str(score), MAKING),
        Figure("result", f"Result on the {struck}", result_name(result), 'Rule book: "Wound Table"'),
    )


def _resolved(strike: Strike, thrown: StrikeDice) -> Blow:
    up = _rethrown(strike.attacker, strike.attack, thrown.dice, thrown.reroll, "reroll")
    down = _rethrown(strike.defender, strike.defence, thrown.defence_dice, thrown.defence_reroll, "defence_reroll")
    try:
        return resolve_blow(
            strike.attacker,
            strike.attack,
            strike.defender,
            strike.defence,
            up,
            down,
            free=strike.free,
            settings=strike.settings,
        )
    except ValueError as error:
        count = defence_dice(strike.defender, strike.defence.ploys, strike.settings)
        wanted = f"{attack_dice(strike.attack.ploys)} for the attack and {count} for the defence"
        raise wrong_dice("dice", f"{error} Wanted: {wanted}.") from error


def _rethrown(
    fighter: Combatant, stance: Stance, dice: tuple[int, ...], reroll: int | None, field: str
) -> tuple[int, ...]:
    if reroll is None:
        return dice
    lowest = rerollable(fighter, stance.grip, dice)
    if lowest is None:
        raise wrong_dice(field, "Only a Weapon Master throws again, and only a 1 or 2.")
    place = dice.index(lowest)
    return (*dice[:place], reroll, *dice[place + 1 :])


def with_dice(answer: Answer, strike: Strike, values: dict[str, Any]) -> Answer:
    """The answer with what the given dice come to, if there are any."""
    if not values.get("dice") and not values.get("defence_dice"):
        return answer
    single = {key: one_die(values, key) for key in ("reroll", "defence_reroll", "die")}
    thrown = StrikeDice(values["dice"], values["defence_dice"], **single)
    return replace(answer, rolled=rolled_attack(strike, thrown))
