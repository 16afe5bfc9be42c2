"""Rounds of combat: their odds, the best split of counters, the secret choice. Rule book: "Combat procedure"."""

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.questions import ODDS, Question, Values, flag, grouped, number
from rulebook.calculators.wording import violation_warnings
from rulebook.ruleset import Calculator, Problem
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.attacks import in_hand
from rulebook.systems.en_garde.calculators.people import (
    BODY,
    BUILD,
    STUNNED,
    WOUND,
    grip_of,
    is_listed,
    profile_field,
    skill,
    weapon_field,
)
from rulebook.systems.en_garde.calculators.round_odds import (
    PROCEDURE,
    Duel,
    best_split_answer,
    bound,
    duellist_of,
    equilibrium_answer,
    initiative_sum,
    round_answer,
    sensible_split,
    wound_score_sum,
)
from rulebook.systems.en_garde.calculators.shots import ANY, OPEN
from rulebook.systems.en_garde.odds.duel import Duellist, Policy
from rulebook.systems.en_garde.table.arms_in_hand import Grip, grip_violations
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.rounds import Split, fighter_pool, split_violations
from rulebook.values.answers import Answer, ReasonedSum
from rulebook.values.fields import Field

MOST_COUNTERS = 10
MOST_POOL = 8
"""What is asked for every split of a pool grows fast."""
OTHER = "other_"
FIRST = flag("first_round", "First round of the engagement", default=True, help="Pikes are quick only then.")
INDOORS = flag("indoors", "In a narrow building")


def policy_fields() -> tuple[Field, ...]:
    """When a fighter uses its ploys."""
    return (
        flag("parry", "Parries while it can", default=True),
        flag("mighty_blow", "Strikes Mighty Blows while it can"),
        flag("riposte", "Ripostes if it may", help="For Weapon Masters with sword or longsword."),
    )


def policy_of(values: Values, prefix: str = "") -> Policy:
    """The policy that fields tell of."""
    return Policy(values[f"{prefix}parry"], values[f"{prefix}mighty_blow"], values[f"{prefix}riposte"])


def counter_fields() -> tuple[Field, ...]:
    """The split of the Combat Pool."""
    half = "Left open: half of the Combat Pool, the odd one for attack."
    return (
        number("attack", "Attack counters", most=MOST_COUNTERS, help=half),
        number("defence", "Defence counters", most=MOST_COUNTERS, help="Left open: what the attack leaves."),
    )


def split_of(values: Values, prefix: str, fighter: Combatant) -> Split:
    """The counters that fields tell of; what is left open is filled up to the fighter's Combat Pool."""
    attack, defence = values[f"{prefix}attack"], values[f"{prefix}defence"]
    pool = fighter_pool(fighter)
    if attack is None and defence is None:
        return sensible_split(fighter, pool)
    if attack is None:
        return Split(max(0, pool - defence), defence)
    return Split(attack, max(0, pool - attack) if defence is None else defence)


class Fencers(Struct, frozen=True):
    """Two fighters, each with how it holds its weapon."""

    one: Combatant
    grip: Grip
    other: Combatant
    foes_grip: Grip


def _fencers(values: Values) -> Fencers:
    one, weapon = in_hand(values, "", "The first")
    other, foes_weapon = in_hand(values, OTHER, "The second")
    known = {"indoors": values["indoors"], "first_round": values["first_round"]}
    return Fencers(one, grip_of(one, weapon, **known), other, grip_of(other, foes_weapon, **known))


def _duel(values: Values, pair: Fencers) -> Duel:
    one = duellist_of(pair.one, pair.grip, pair.other, policy_of(values))
    other = duellist_of(pair.other, pair.foes_grip, pair.one, policy_of(values, OTHER))
    sums = duel_sums(pair, ("The first", "The second"))
    told = any(values[f"{prefix}{key}"] is not None for prefix in ("", OTHER) for key in MODIFIERS)
    sums = () if told else sums
    duel = Duel(_told(one, values, ""), _told(other, values, OTHER), sums=sums)
    return bound(duel, pair.one, pair.other)


MODIFIERS = ("initiative_modifier", "wound_modifier", "armour_rating")


def _told(fighter: Duellist, values: Values, prefix: str) -> Duellist:
    """The duellist with the modifiers that were told as numbers."""
    said = {key: values[f"{prefix}{key}"] for key in MODIFIERS if values[f"{prefix}{key}"] is not None}
    return replace(fighter, **said)


def duel_sums(pair: Fencers, names: tuple[str, str], settings: HouseRules = USUAL) -> tuple[ReasonedSum, ...]:
    """What is added to both fighters' order and blows, line by line."""
    one, other = names
    return (
        initiative_sum(pair.one, pair.grip, one, settings),
        wound_score_sum(pair.one, pair.grip, pair.other, pair.foes_grip, one, settings),
        initiative_sum(pair.other, pair.foes_grip, other, settings),
        wound_score_sum(pair.other, pair.foes_grip, pair.one, pair.grip, other, settings),
    )


def left_out(pair: Fencers) -> tuple[str, ...]:
    """What concerns these two and is not counted in a round."""
    both = (pair.one, pair.other)
    poisons = any(grip.weapon in each.poisoned for each, grip in zip(both, (pair.grip, pair.foes_grip), strict=True))
    concerned = (
        (any(each.mounted for each in both), "Riders strike at riders: mounts neither strike nor are struck here."),
        (poisons, "What poison does at the end of the phase is not counted."),
        (any(each.has("beguiling") for each in both), "Nobody has to overcome a Beguiling enemy first."),
        (any(each.has("lucky") for each in both), "The Lucky one keeps its luck for another time."),
    )
    return tuple(sentence for so, sentence in concerned if so)


def noted(answer: Answer, pair: Fencers, *splits: Split) -> Answer:
    """The answer with what the rules forbid of these two, and what is left out of the count."""
    assumptions = (*answer.assumptions, *left_out(pair))
    return replace(answer, forbidden=duel_violations(pair, *splits), assumptions=assumptions)


def duel_violations(pair: Fencers, *splits: Split) -> tuple[Problem, ...]:
    """What the rules forbid of these weapons and counters."""
    fighters, grips = (pair.one, pair.other), (pair.grip, pair.foes_grip)
    held = [each for fighter, grip in zip(fighters, grips, strict=True) for each in grip_violations(fighter, grip)]
    drawn = [
        violation
        for fighter, split in zip(fighters, splits, strict=False)
        for violation in split_violations((fighter,), split)
    ]
    return violation_warnings((*held, *drawn))


def _odds_of_a_round(values: Values) -> Answer:
    pair = _fencers(values)
    split, other = split_of(values, "", pair.one), split_of(values, OTHER, pair.other)
    answer = round_answer(_duel(values, pair), split, other)
    drawn = Fencers(
        _pooled(pair.one, values, "", split), pair.grip, _pooled(pair.other, values, OTHER, other), pair.foes_grip
    )
    return noted(answer, drawn, split, other)


def _pooled(fighter: Combatant, values: Values, prefix: str, split: Split) -> Combatant:
    """Somebody made of numbers has the Combat Pool that its counters add up to."""
    return fighter if is_listed(values, prefix) else replace(fighter, combat_pool=split.size)


def _best_split(values: Values) -> Answer:
    pair = _fencers(values)
    pool, other = _pool(values, "", pair.one), split_of(values, OTHER, pair.other)
    return noted(best_split_answer(_duel(values, pair), pool, other), pair)


def _equilibrium(values: Values) -> Answer:
    pair = _fencers(values)
    pools = _pool(values, "", pair.one), _pool(values, OTHER, pair.other)
    return noted(equilibrium_answer(_duel(values, pair), *pools), pair)


def _pool(values: Values, prefix: str, fighter: Combatant) -> int:
    pool = values[f"{prefix}pool"]
    return fighter_pool(fighter) if pool is None else int(pool)


def _person_fields() -> tuple[Field, ...]:
    by_weapon = "Left open: by the weapon and the Attributes."
    return (
        profile_field(),
        BUILD,
        number("rank", "Rank", most=5, help=OPEN),
        number("fight", "Fight", help=OPEN),
        number("initiative", "Initiative", help=OPEN),
        weapon_field(),
        number("initiative_modifier", "Added to the Initiative roll", help=by_weapon, **ANY),
        number("wound_modifier", "Added to the Wound Score", help=by_weapon, **ANY),
        number("armour_rating", "Armour Rating in close combat", help="Left open: the profile's, or none."),
        BODY,
        WOUND,
        STUNNED,
        *map(skill, ("weapon-master", "powerful", "tough", "fast")),
        *policy_fields(),
    )


def _fields(own: tuple[Field, ...], others: tuple[Field, ...]) -> tuple[Field, ...]:
    return (
        *grouped("The round", FIRST, INDOORS),
        *grouped("The first", *own, *_person_fields()),
        *grouped("The second", *others, *_person_fields(), prefix=OTHER),
    )


POOL = (number("pool", "Combat Pool", most=MOST_POOL, help="Left open: the fighter's own."),)
ROUND = Calculator(
    key="round",
    name="Odds of a round",
    help="How one whole round of combat between two fighters may end, for given counters and ways with ploys.",
    fields=_fields(counter_fields(), counter_fields()),
    group=ODDS,
    examples=(
        {"fight": "3", "attack": "2", "defence": "1", "other_fight": "2", "other_attack": "1", "other_defence": "1"},
        {"profile": "three-musketeers/athos", "riposte": "true", "other_profile": "cardinals-guard/guard"},
    ),
    source=PROCEDURE,
)
BEST_SPLIT = Calculator(
    key="best-split",
    name="Best split of counters",
    help="The split of Attack and Defence counters that is worth most against a split that is known.",
    fields=_fields(POOL, counter_fields()),
    group=ODDS,
    examples=({"pool": "3", "fight": "3", "other_fight": "3", "other_attack": "2", "other_defence": "1"},),
    source=PROCEDURE,
)
EQUILIBRIUM = Calculator(
    key="equilibrium",
    name="The secret choice",
    help="The mix of splits that no opponent can exploit, when both fighters choose their counters in secret.",
    fields=_fields(POOL, POOL),
    group=ODDS,
    examples=({"pool": "3", "fight": "3", "other_pool": "2", "other_fight": "2"},),
    source=PROCEDURE,
)

QUESTIONS = (
    Question(ROUND, _odds_of_a_round),
    Question(BEST_SPLIT, _best_split),
    Question(EQUILIBRIUM, _equilibrium),
)
