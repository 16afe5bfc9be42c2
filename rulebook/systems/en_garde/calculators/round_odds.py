"""One round of combat between two fighters: how it may end, the best split of counters, and the mix to play."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.aftermath import ends_table
from rulebook.systems.en_garde.odds.duel import (
    ASSUMPTIONS,
    BY_THE_RULINGS,
    SCALE,
    Duellist,
    Payoff,
    Policy,
    RoundOdds,
    RoundRules,
    all_splits,
    best_of,
    mixed,
    payoffs,
    round_odds,
    worth,
)
from rulebook.systems.en_garde.table.arms_in_hand import (
    Grip,
    blow_modifiers,
    blow_wound_modifiers,
    initiative_modifiers,
    uses_both_hands,
)
from rulebook.systems.en_garde.table.blows import SWORDS, never_defends
from rulebook.systems.en_garde.table.combatant import Combatant, armour_in_combat, present_numbers, total
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.table.wounds import WoundState
from rulebook.values.answers import (
    Answer,
    ChanceTable,
    Figure,
    Grid,
    GridRow,
    ReasonedSum,
    ReasonLine,
    chance_table,
    in_words,
    percentages,
    texts,
)

PROCEDURE = 'Rule book: "Combat procedure"'
WORTH_ASSUMPTION = (
    f"A round is worth the harm it does to the other less the harm to oneself, by Muster's own scale: {SCALE}."
)
CHOICE_ASSUMPTIONS = (
    WORTH_ASSUMPTION,
    "Only this round counts: nothing is saved for the next one.",
)


class Duel(Struct, frozen=True):
    """Two fighters who fight a round, what they are called, and what was added to their Initiative.

    ``defend`` and ``attack`` say which of the two may draw counters of that kind.
    """

    one: Duellist
    other: Duellist
    names: tuple[str, str] = ("The first", "The second")
    rules: RoundRules = BY_THE_RULINGS
    sums: tuple[ReasonedSum, ...] = ()
    attack: tuple[bool, bool] = (True, True)
    defend: tuple[bool, bool] = (True, True)


def bound(duel: Duel, one: Combatant, other: Combatant) -> Duel:
    """The duel of these two, of whom some never attack and some never defend.

    Rule book: "Civilians", "Relentless", "Warhound".
    """
    attack = (not one.civilian, not other.civilian)
    return replace(duel, attack=attack, defend=(not never_defends(one), not never_defends(other)))


def open_splits(duel: Duel, place: int, pool: int) -> tuple[Split, ...]:
    """Every split of a pool that the fighter in this place (0 or 1) may choose."""
    every = all_splits(pool)
    allowed = (each for each in every if duel.attack[place] or not each.attack)
    return tuple(each for each in allowed if duel.defend[place] or not each.defence)


def duellist_of(
    fighter: Combatant, grip: Grip, foe: Combatant, policy: Policy, settings: HouseRules = USUAL
) -> Duellist:
    """A fighter as the count needs it, with this weapon in hand against that foe."""
    master = fighter.has_for("weapon-master", grip.weapon)
    return Duellist(
        fight=fighter.fight,
        initiative=fighter.initiative,
        initiative_modifier=total(initiative_modifiers(fighter, grip, settings=settings)),
        attack_modifier=total(blow_modifiers(fighter, grip, foe)),
        wound_modifier=total(blow_wound_modifiers(fighter, grip, foe, settings)),
        armour_rating=armour_in_combat(fighter, uses_both_hands(grip), settings),
        weapon_master=master,
        may_riposte=master and grip.weapon in SWORDS,
        tough=fighter.has("tough"),
        fast=fighter.has("fast"),
        wounds=fighter.wounds,
        policy=policy,
        table=fighter.table,
    )


def round_rules(settings: HouseRules) -> RoundRules:
    """The house rules that a round depends on."""
    return RoundRules(settings.stun_penalty, settings.riposte_dice)


def initiative_sum(fighter: Combatant, grip: Grip, name: str, settings: HouseRules = USUAL) -> ReasonedSum:
    """What is added to a die for the order of the round."""
    present = ReasonLine(present_numbers(fighter, settings).initiative, "Initiative, as it stands", PROCEDURE)
    modifiers = initiative_modifiers(fighter, grip, settings=settings)
    return reasoned(f"{name}: added to a die for the order", present, *reasons(modifiers))


def wound_score_sum(
    fighter: Combatant, grip: Grip, foe: Combatant, foes_grip: Grip, name: str, settings: HouseRules = USUAL
) -> ReasonedSum:
    """What is added to the Hit Score of a fighter's blows."""
    rating = armour_in_combat(foe, uses_both_hands(foes_grip), settings)
    armour = ReasonLine(-rating, "Armour Rating of the other", "Ruling B18")
    modifiers = (*blow_modifiers(fighter, grip, foe), *blow_wound_modifiers(fighter, grip, foe, settings))
    return reasoned(f"{name}: added to the score of each blow", *reasons(modifiers), armour)


def sensible_split(fighter: Combatant, pool: int) -> Split:
    """Half of the counters each, the odd one for attack; all of them where it may draw no others."""
    if fighter.civilian:
        return Split(0, pool)
    attack = pool if never_defends(fighter) else (pool + 1) // 2
    return Split(attack, pool - attack)


# One round.


def round_answer(duel: Duel, split: Split, other_split: Split) -> Answer:
    """How one round between two fighters may end, with these counters. Rule book: "Combat procedure"."""
    odds = round_odds(duel.one, duel.other, split, other_split, duel.rules)
    falls = {
        "neither-falls": 1 - odds.chance(0, "critical") - odds.chance(1, "critical"),
        "first-falls": odds.chance(0, "critical"),
        "second-falls": odds.chance(1, "critical"),
    }
    one, other = duel.names
    named = {"neither-falls": "Neither falls", "first-falls": f"{one} falls", "second-falls": f"{other} falls"}
    return Answer(
        headline=f"{other} falls in {in_words(falls['second-falls'])} of all rounds, {_within(one)} in "
        f"{in_words(falls['first-falls'])}.",
        source=PROCEDURE,
        outcomes=texts(falls),
        percentages=percentages(falls),
        tables=(chance_table("outcomes", "Who falls", falls, named), _after(duel, odds, 0), _after(duel, odds, 1)),
        figures=(
            Figure("first", f"{one} strikes first", in_words(odds.first), PROCEDURE),
            Figure("worth", f"Worth to {_within(one)} on average", _worth(worth(odds)), "Muster"),
        ),
        sums=duel.sums,
        assumptions=(*_counters(duel, split, other_split), *ASSUMPTIONS, WORTH_ASSUMPTION),
    )


def _after(duel: Duel, odds: RoundOdds, side: int) -> ChanceTable:
    ends: dict[WoundState, Fraction] = {}
    for pair, chance in odds.ends.items():
        ends[pair[side]] = ends.get(pair[side], Fraction(0)) + chance
    key = ("first-after", "second-after")[side]
    return ends_table(key, f"{duel.names[side]} afterwards", ends)


def _worth(value: Fraction | float) -> str:
    """A worth to two decimals, with its sign; nothing is neither gain nor loss."""
    text = f"{float(value):+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def _within(name: str) -> str:
    """A name within a sentence: "the first"."""
    return name[:1].lower() + name[1:] if name.startswith("The ") else name


def _counters(duel: Duel, split: Split, other_split: Split) -> Sequence[str]:
    pairs = zip(duel.names, (split, other_split), (duel.one, duel.other), strict=True)
    return tuple(f"{name} has {counted(each)}; it {_habits(fighter)}." for name, each, fighter in pairs)


def counted(split: Split) -> str:
    """A split in words."""
    return f"{split.attack} Attack and {split.defence} Defence counters"


def _habits(fighter: Duellist) -> str:
    policy = fighter.policy
    ripostes = policy.riposte and fighter.may_riposte
    named = {"parries": policy.parry, "strikes Mighty Blows": policy.mighty_blow, "ripostes": ripostes}
    return ", ".join(habit for habit, holds in named.items() if holds) or "uses no ploys"


# The choice of counters.


def best_split_answer(duel: Duel, pool: int, other_split: Split) -> Answer:
    """The split of a pool that is worth most against a known one."""
    found = payoffs(duel.one, duel.other, open_splits(duel, 0, pool), (other_split,), duel.rules)
    best = best_of(found)
    one, other = duel.names
    rows = tuple(GridRow(counted(each.mine), (_worth(each.value),)) for each in found)
    return Answer(
        headline=f"{counted(best.mine)} are worth most to {_within(one)}: {_worth(best.value)} a round on average.",
        source=PROCEDURE,
        figures=(
            Figure("attack", "Attack counters", str(best.mine.attack), PROCEDURE),
            Figure("defence", "Defence counters", str(best.mine.defence), PROCEDURE),
            Figure("worth", "Worth on average", _worth(best.value), "Muster"),
            Figure("worth-exact", "Worth as a fraction", str(best.value), "Muster"),
        ),
        grids=(Grid(f"Every split against {counted(other_split)}", ("Worth",), rows, "Muster"),),
        sums=duel.sums,
        assumptions=(
            f"{other} has {counted(other_split)}.",
            f"{one} {_habits(duel.one)}; {_within(other)} {_habits(duel.other)}.",
            *ASSUMPTIONS,
            *CHOICE_ASSUMPTIONS,
        ),
    )


def equilibrium_answer(duel: Duel, pool: int, other_pool: int) -> Answer:
    """The mixes of splits that neither can better, when both choose in secret."""
    mine, theirs = open_splits(duel, 0, pool), open_splits(duel, 1, other_pool)
    found = payoffs(duel.one, duel.other, mine, theirs, duel.rules)
    mix = mixed(mine, theirs, found)
    one, other = duel.names
    return Answer(
        headline=f"If both play their best mixes, a round is worth {_worth(mix.value)} to {_within(one)} on average.",
        source=PROCEDURE,
        figures=(Figure("worth", f"Worth to {_within(one)} on average", _worth(mix.value), "Muster"),),
        grids=(
            _mix_grid(f"What {_within(one)} should choose", mix.mine),
            _mix_grid(f"What {_within(other)} should choose", mix.theirs),
            _payoff_grid(duel, mine, theirs, found),
        ),
        sums=duel.sums,
        assumptions=(
            f"{one} {_habits(duel.one)}; {_within(other)} {_habits(duel.other)}.",
            *ASSUMPTIONS,
            *CHOICE_ASSUMPTIONS,
            "The mixes come from linear programming and are rounded; the worths of the grid are exact and rounded.",
        ),
    )


def _mix_grid(title: str, mix: Sequence[tuple[Split, float]]) -> Grid:
    rows = tuple(GridRow(counted(split), (f"{share * 100:.1f}%",)) for split, share in mix)
    return Grid(title, ("How often",), rows, "Muster")


def _payoff_grid(duel: Duel, mine: Sequence[Split], theirs: Sequence[Split], found: Sequence[Payoff]) -> Grid:
    cells = [_worth(each.value) for each in found]
    width = len(theirs)
    rows = tuple(
        GridRow(_short(split), tuple(cells[place * width : (place + 1) * width])) for place, split in enumerate(mine)
    )
    title = f"What each pair of splits is worth to {_within(duel.names[0])} (Attack / Defence counters)"
    return Grid(title, tuple(_short(split) for split in theirs), rows, "Muster")


def _short(split: Split) -> str:
    return f"{split.attack}/{split.defence}"
