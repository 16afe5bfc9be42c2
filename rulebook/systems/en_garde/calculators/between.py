"""Odds between two fighters of rosters: their builds make the numbers, what is asked makes the situation."""

from msgspec.structs import replace

from rulebook.calculators.questions import ODDS, Question, Values, choice, flag, grouped, number
from rulebook.ruleset import Calculator, Opponent
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES
from rulebook.systems.en_garde.calculators.attack_odds import MAKING
from rulebook.systems.en_garde.calculators.attacks import ANSWERS, ESCAPES, PLOYS, ploys_of
from rulebook.systems.en_garde.calculators.encounters import (
    TARGET,
    Encounter,
    attack_between,
    best_split_between,
    duel_between,
    equilibrium_between,
    luck_violations,
    missile_of,
    not_carried,
    round_between,
    shot_between,
    told_splits,
)
from rulebook.systems.en_garde.calculators.people import STUNNED, WOUND, close_combat_weapons, grip_of, wounds_of
from rulebook.systems.en_garde.calculators.round_odds import PROCEDURE
from rulebook.systems.en_garde.calculators.rounds import FIRST, INDOORS, counter_fields, policy_fields
from rulebook.systems.en_garde.calculators.shot_odds import PROCEDURE as SHOOTING
from rulebook.systems.en_garde.calculators.shots import (
    LUCKY,
    OTHERS,
    SITUATION,
    WEATHER,
    missile_weapons,
    others_of,
    shot_of,
)
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.table.blows import Stance
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.turns.fighters import combatant_of, primary_weapon
from rulebook.values.answers import Answer
from rulebook.values.fields import Field

FIGHTERS = "fighters"
FRESH = "Both are as their rosters have them, with the wounds that were asked for."
OWN_RULES = "The house rules are those of the attacker's warband."


def encounter_of(attacker: Opponent, target: Opponent, values: Values) -> Encounter:
    """Two fighters of rosters. Raises RulesError for a build that cannot be read."""
    return Encounter(
        attacker=_stands(attacker, values, ""),
        target=_stands(target, values, TARGET),
        settings=HOUSE_RULES.complete(attacker.terms.settings),
        assumptions=(FRESH, OWN_RULES),
    )


def _stands(opponent: Opponent, values: Values, prefix: str) -> Combatant:
    fighter = combatant_of(opponent.build, opponent.terms, identity=opponent.id, name=opponent.name)
    return replace(fighter, wounds=wounds_of({key: values[prefix + key] for key in ("wound", "stunned")}))


def shot(attacker: Opponent, target: Opponent, values: Values) -> Answer:
    """A shot of one fighter at another."""
    encounter = encounter_of(attacker, target, values)
    weapon = missile_of(encounter.attacker, values["weapon"], grapeshot=values["grapeshot"])
    violations = (*not_carried(encounter.attacker, weapon), *luck_violations(encounter, values["lucky"]))
    told = {"lucky": values["lucky"], "others": others_of(values)}
    return shot_between(encounter, weapon, shot_of(values), violations, **told)


def attack(attacker: Opponent, target: Opponent, values: Values) -> Answer:
    """An attack of one fighter on another."""
    encounter = encounter_of(attacker, target, values)
    grip, foes_grip = _grips(encounter, values)
    ploys, answers = ploys_of(values)
    blow = Stance(grip, ploys, 1, 0, values["enemies"])
    answer = Stance(foes_grip, answers, 0, 2, values["target_enemies"])
    return attack_between(encounter, blow, answer, values, luck_violations(encounter, values["lucky"]))


def _grips(encounter: Encounter, values: Values) -> tuple[Grip, Grip]:
    told = {"indoors": values["indoors"], "first_round": values.get("first_round", True)}
    one, other = encounter.attacker, encounter.target
    return (
        grip_of(one, values["weapon"] or primary_weapon(one), **told),
        grip_of(other, values["target_weapon"] or primary_weapon(other), **told),
    )


def one_round(attacker: Opponent, target: Opponent, values: Values) -> Answer:
    """One whole round between two fighters."""
    encounter = encounter_of(attacker, target, values)
    pair, duel = duel_between(encounter, *_grips(encounter, values), values)
    return round_between(encounter, pair, duel, told_splits(encounter, values))


def best_split(attacker: Opponent, target: Opponent, values: Values) -> Answer:
    """The best split of counters against another's."""
    encounter = encounter_of(attacker, target, values)
    return best_split_between(encounter, *duel_between(encounter, *_grips(encounter, values), values), values)


def equilibrium(attacker: Opponent, target: Opponent, values: Values) -> Answer:
    """The secret choice of two fighters."""
    encounter = encounter_of(attacker, target, values)
    return equilibrium_between(encounter, *duel_between(encounter, *_grips(encounter, values), values))


# What each takes, of rosters and in a battle.

WOUNDS = (
    *grouped("The attacker", WOUND, STUNNED),
    *grouped("The target", WOUND, STUNNED, prefix=TARGET),
)


def shot_fields(*known: Field) -> tuple[Field, ...]:
    """The fields of a shot; ``known`` are those that a battle's log answers."""
    weapons = (("", "The first it carries"), *missile_weapons())
    return grouped("The shot", choice("weapon", "Weapon", weapons), *SITUATION, *known, LUCKY)


def weapon_fields() -> tuple[Field, ...]:
    """The weapons in both hands."""
    weapons = (("", "The one in its hand"), *close_combat_weapons())
    return choice("weapon", "Attacker's weapon", weapons), choice("target_weapon", "Target's weapon", weapons)


def attack_fields(*known: Field) -> tuple[Field, ...]:
    """The fields of an attack; ``known`` are those that a battle's log answers."""
    return grouped(
        "The attack",
        *weapon_fields(),
        *PLOYS,
        *ESCAPES,
        *ANSWERS,
        flag("at_mount", "At the mount"),
        flag("by_mount", "By the attacker's warhorse"),
        flag("free", "At one who leaves contact"),
        *known,
        LUCKY,
    )


ENEMIES = (
    number("enemies", "Enemies the attacker fights", 1, least=1, most=6),
    number("target_enemies", "Enemies the target fights", 1, least=1, most=6),
)


def round_fields(*known: Field, one: bool = True, other: bool = True) -> tuple[Field, ...]:
    """The fields of a round; ``one`` and ``other`` say whose counters are asked for."""
    return (
        *grouped("The round", *weapon_fields(), *known),
        *grouped("The attacker", *(counter_fields() if one else ()), *policy_fields()),
        *grouped("The target", *(counter_fields() if other else ()), *policy_fields(), prefix=TARGET),
    )


def described(about: str, key: str, name: str, help: str, fields: tuple[Field, ...], source: str) -> Calculator:
    """A calculator about two given fighters."""
    return Calculator(key=key, name=name, help=help, fields=fields, group=ODDS, about=about, source=source)


KINDS = {
    "shot": ("Odds of a shot", "The chance of each result of a shot of one at the other.", SHOOTING),
    "attack": ("Odds of an attack", "The chance of each result of an attack of one on the other.", MAKING),
    "round": ("Odds of a round", "How one whole round of combat between the two may end.", PROCEDURE),
    "best-split": ("Best split of counters", "The attacker's best split against one of the target's.", PROCEDURE),
    "equilibrium": ("The secret choice", "The mix of splits that neither of the two can better.", PROCEDURE),
}


def of_kind(about: str, key: str, fields: tuple[Field, ...]) -> Calculator:
    """The calculator of a kind, about fighters of rosters or of a battle."""
    name, help, source = KINDS[key]
    groups = list(dict.fromkeys(field.group for field in fields))
    together = sorted(fields, key=lambda field: groups.index(field.group))
    return described(about, key, name, help, tuple(together), source)


QUESTIONS = (
    Question(of_kind(FIGHTERS, "shot", (*shot_fields(*WEATHER, *OTHERS), *WOUNDS)), shot),
    Question(of_kind(FIGHTERS, "attack", (*attack_fields(INDOORS, *ENEMIES), *WOUNDS)), attack),
    Question(of_kind(FIGHTERS, "round", (*round_fields(FIRST, INDOORS), *WOUNDS)), one_round),
    Question(of_kind(FIGHTERS, "best-split", (*round_fields(FIRST, INDOORS, one=False), *WOUNDS)), best_split),
    Question(
        of_kind(FIGHTERS, "equilibrium", (*round_fields(FIRST, INDOORS, one=False, other=False), *WOUNDS)), equilibrium
    ),
)
