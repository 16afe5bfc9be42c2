"""A round of combat between two fighters: how it may end, the best split of counters, and the mix
to play.

Rule book: "Combat procedure".
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rulebook.calculators.questions import Values
from rulebook.calculators.wording import reasoned, reasons, violation_warnings
from rulebook.dice.pools import together
from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.calculators.wounds import ends_table
from rulebook.systems.en_garde.odds.duel import (
    ASSUMPTIONS,
    SCALE,
    Duellist,
    Policy,
    RoundOdds,
    all_splits,
    best_of,
    mixed,
    payoffs,
    round_odds,
    worth,
)
from rulebook.systems.en_garde.table import combatant
from rulebook.systems.en_garde.table.blows import SWORDS, never_defends
from rulebook.systems.en_garde.table.rounds import Split, fighter_pool, split_violations
from rulebook.values import answers
from rulebook.values.problems import Violation

PROCEDURE = 'Rule book: "Combat procedure"'
WORTH_ASSUMPTION = (
    "The value of a round is the wounds dealt less the wounds taken, on Muster's "
    f"own scale: {SCALE}."
)
CHOICE_ASSUMPTIONS = (
    WORTH_ASSUMPTION,
    "Only this round counts.",
)


class Fencer(Struct, frozen=True):
    """A fighter of a round, how it holds its weapon, and when it uses its ploys."""

    fighter: combatant.Combatant
    grip: combatant.Grip
    policy: Policy = Policy()


class Duel(Struct, frozen=True):
    """Two fighters who fight a round, what they are called, and what was added to their order and
    blows.

    ``defend`` and ``attack`` say which of the two may draw counters of that kind.
    """

    first: Duellist
    other: Duellist
    names: tuple[str, str] = ("The first", "The second")
    rules: HouseRules = USUAL
    sums: tuple[answers.ReasonedSum, ...] = ()
    attack: tuple[bool, bool] = (True, True)
    defend: tuple[bool, bool] = (True, True)

    def splits(self, place: int, pool: int) -> tuple[Split, ...]:
        """Return every split of a pool that the fighter in this place (0 or 1) may choose."""
        allowed = (each for each in all_splits(pool) if self.attack[place] or not each.attack)
        return tuple(each for each in allowed if self.defend[place] or not each.defence)


def duel_of(first: Fencer, other: Fencer, settings: HouseRules) -> Duel:
    """Return the two as the count needs them. Some never attack, and some never defend.

    Rule book: "Civilians", "Relentless", "Warhound".
    """
    return Duel(
        duellist_of(first.fighter, first.grip, other.fighter, first.policy, settings),
        duellist_of(other.fighter, other.grip, first.fighter, other.policy, settings),
        (first.fighter.name, other.fighter.name),
        settings,
        sums=(*_sums(first, other, settings), *_sums(other, first, settings)),
        attack=(not first.fighter.civilian, not other.fighter.civilian),
        defend=(not never_defends(first.fighter), not never_defends(other.fighter)),
    )


def duellist_of(
    fighter: combatant.Combatant,
    grip: combatant.Grip,
    foe: combatant.Combatant,
    policy: Policy,
    settings: HouseRules = USUAL,
) -> Duellist:
    """Return a fighter as the count needs it, with this weapon in hand against that foe."""
    master = fighter.has_for("weapon-master", grip.weapon)
    return Duellist(
        fight=fighter.fight,
        initiative=fighter.initiative,
        initiative_modifier=combatant.total(
            combatant.initiative_modifiers(fighter, grip, settings=settings)
        ),
        attack_modifier=combatant.total(combatant.blow_modifiers(fighter, grip, foe)),
        wound_modifier=combatant.total(
            combatant.blow_wound_modifiers(fighter, grip, foe, settings)
        ),
        armour_rating=combatant.armour_in_combat(
            fighter, combatant.uses_both_hands(grip), settings
        ),
        weapon_master=master,
        may_riposte=master and grip.weapon in SWORDS,
        tough=fighter.has("tough"),
        fast=fighter.has("fast"),
        wounds=fighter.wounds,
        policy=policy,
        table=fighter.table,
    )


def _sums(fencer: Fencer, foe: Fencer, settings: HouseRules) -> Iterator[answers.ReasonedSum]:
    """Yield what is added to a die for the order of the round, and to the Hit Score of a fighter's
    blows."""
    fighter, grip = fencer.fighter, fencer.grip
    present = answers.ReasonLine(
        combatant.present_numbers(fighter, settings).initiative,
        "Current Initiative",
        PROCEDURE,
    )
    modifiers = combatant.initiative_modifiers(fighter, grip, settings=settings)
    yield reasoned(f"{fighter.name}: added to a die for the order", present, *reasons(modifiers))
    rating = combatant.armour_in_combat(foe.fighter, combatant.uses_both_hands(foe.grip), settings)
    armour = answers.ReasonLine(-rating, "Armour Rating of the other", "Ruling B18")
    modifiers = (
        *combatant.blow_modifiers(fighter, grip, foe.fighter),
        *combatant.blow_wound_modifiers(fighter, grip, foe.fighter, settings),
    )
    yield reasoned(
        f"{fighter.name}: added to the score of each attack", *reasons(modifiers), armour
    )


def checked(answer: answers.Answer, first: Fencer, other: Fencer, *splits: Split) -> answers.Answer:
    """Return the answer with what the rules forbid of these weapons and counters, and what is
    not counted for these two.
    """
    both = (first, other)
    concerned = (
        (
            any(each.fighter.mounted for each in both),
            "Riders attack riders. Mounts neither attack nor are attacked here.",
        ),
        (
            any(each.grip.weapon in each.fighter.poisoned for each in both),
            "Poison at the end of the phase is not counted.",
        ),
        (
            any(each.fighter.has("beguiling") for each in both),
            "Rolls against a Beguiling enemy are not counted.",
        ),
        (
            any(each.fighter.has("lucky") for each in both),
            "Lucky re-rolls are not used.",
        ),
    )
    violations: list[Violation] = []
    for each in both:
        violations += combatant.grip_violations(each.fighter, each.grip)
    # Splits are given for both of them or for none.
    for each, split in zip(both, splits, strict=False):
        violations += split_violations((each.fighter,), split)
    left_out = (sentence for so, sentence in concerned if so)
    return replace(
        answer,
        forbidden=violation_warnings(violations),
        assumptions=(*answer.assumptions, *left_out),
    )


# What fields tell of.


def policy_of(values: Values, prefix: str = "") -> Policy:
    """Return the policy that fields give."""
    return Policy(
        values[f"{prefix}parry"], values[f"{prefix}mighty_blow"], values[f"{prefix}riposte"]
    )


def split_of(values: Values, prefix: str, fighter: combatant.Combatant) -> Split:
    """Return the counters that fields give; what is left open is filled up to the fighter's Combat
    Pool.

    Half of the counters each, the odd one for attack; all of them where it may draw no others.
    """
    attack = values[f"{prefix}attack"]
    defence = values[f"{prefix}defence"]
    pool = fighter_pool(fighter)
    if attack is None and defence is None:
        if fighter.civilian:
            attack = 0
        elif never_defends(fighter):
            attack = pool
        else:
            attack = (pool + 1) // 2
    if attack is None:
        return Split(max(0, pool - defence), defence)
    return Split(attack, max(0, pool - attack) if defence is None else defence)


# One round.


def round_answer(duel: Duel, split: Split, other_split: Split) -> answers.Answer:
    """Return how one round between two fighters may end, with these counters.

    Rule book: "Combat procedure".
    """
    odds = round_odds(duel.first, duel.other, split, other_split, duel.rules)
    # At most one of the two falls: who is dead strikes no more.
    falls = {
        "neither-falls": 1 - odds.chance(0, "critical") - odds.chance(1, "critical"),
        "first-falls": odds.chance(0, "critical"),
        "second-falls": odds.chance(1, "critical"),
    }
    first, other = duel.names
    named = {
        "neither-falls": "Neither falls",
        "first-falls": f"{first} falls",
        "second-falls": f"{other} falls",
    }
    return answers.chances_answer(
        f"{other} falls in {answers.in_words(falls['second-falls'])} of all rounds, "
        f"{_within(first)} in "
        f"{answers.in_words(falls['first-falls'])}.",
        falls,
        source=PROCEDURE,
        tables=(
            answers.chance_table("outcomes", "Who falls", falls, named),
            _after(duel, odds, 0),
            _after(duel, odds, 1),
        ),
        figures=(
            answers.Figure(
                "first", f"{first} strikes first", answers.in_words(odds.first), PROCEDURE
            ),
            answers.Figure(
                "worth", f"Average value for {_within(first)}", _worth(worth(odds)), "Muster"
            ),
        ),
        sums=duel.sums,
        assumptions=(
            f"{first} has {counted(split)}; it {_habits(duel.first)}.",
            f"{other} has {counted(other_split)}; it {_habits(duel.other)}.",
            *ASSUMPTIONS,
            WORTH_ASSUMPTION,
        ),
    )


def _after(duel: Duel, odds: RoundOdds, side: int) -> answers.ChanceTable:
    ends = together(*((pair[side], chance) for pair, chance in odds.ends.items()))
    return ends_table(("first-after", "second-after")[side], f"{duel.names[side]} afterwards", ends)


def _worth(value: Fraction | float) -> str:
    """Return a worth to two decimals, with its sign; nothing is neither gain nor loss."""
    text = f"{float(value):+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


def _within(name: str) -> str:
    """Return a name within a sentence: "the first"."""
    return name[:1].lower() + name[1:] if name.startswith("The ") else name


def counted(split: Split) -> str:
    """Return a split as text."""
    return f"{split.attack} Attack and {split.defence} Defence counters"


def _habits(fighter: Duellist) -> str:
    policy = fighter.policy
    ripostes = policy.riposte and fighter.may_riposte
    named = {
        "parries": policy.parry,
        "strikes Mighty Blows": policy.mighty_blow,
        "ripostes": ripostes,
    }
    return ", ".join(habit for habit, holds in named.items() if holds) or "uses no ploys"


# The choice of counters.


def best_split_answer(duel: Duel, pool: int, other_split: Split) -> answers.Answer:
    """Return the split of a pool that is worth most against a known one."""
    pairs = payoffs(duel.first, duel.other, duel.splits(0, pool), (other_split,), duel.rules)
    best = best_of(pairs)
    first, other = duel.names
    rows = tuple(answers.GridRow(counted(each.split), (_worth(each.value),)) for each in pairs)
    return answers.Answer(
        headline=f"Best for {_within(first)}: {counted(best.split)}, {_worth(best.value)} a "
        f"round on average.",
        source=PROCEDURE,
        figures=(
            answers.Figure("attack", "Attack counters", str(best.split.attack), PROCEDURE),
            answers.Figure("defence", "Defence counters", str(best.split.defence), PROCEDURE),
            answers.Figure("worth", "Average value", _worth(best.value), "Muster"),
            answers.Figure("worth-exact", "Value as a fraction", str(best.value), "Muster"),
        ),
        grids=(
            answers.Grid(f"Every split against {counted(other_split)}", ("Value",), rows, "Muster"),
        ),
        sums=duel.sums,
        assumptions=(
            f"{other} has {counted(other_split)}.",
            f"{first} {_habits(duel.first)}; {_within(other)} {_habits(duel.other)}.",
            *ASSUMPTIONS,
            *CHOICE_ASSUMPTIONS,
        ),
    )


def equilibrium_answer(duel: Duel, pool: int, other_pool: int) -> answers.Answer:
    """Return the mixes of splits that neither can better, when both choose in secret."""
    splits = duel.splits(0, pool)
    other_splits = duel.splits(1, other_pool)
    pairs = payoffs(duel.first, duel.other, splits, other_splits, duel.rules)
    mix = mixed(splits, other_splits, pairs)
    first, other = duel.names
    # The pairs come row by row, as ``payoffs`` makes them.
    worths = [_worth(pair.value) for pair in pairs]
    width = len(other_splits)
    rows = [
        (split, tuple(worths[row * width : (row + 1) * width])) for row, split in enumerate(splits)
    ]
    return answers.Answer(
        headline=f"If both play their best mixes, a round is worth {_worth(mix.value)} to "
        f"{_within(first)} on average.",
        source=PROCEDURE,
        figures=(
            answers.Figure(
                "worth", f"Average value for {_within(first)}", _worth(mix.value), "Muster"
            ),
        ),
        grids=(
            _mix_grid(f"Best choices for {_within(first)}", mix.shares),
            _mix_grid(f"Best choices for {_within(other)}", mix.other_shares),
            answers.Grid(
                f"Value of each pair of splits for {_within(first)} (Attack / Defence counters)",
                tuple(_short(split) for split in other_splits),
                tuple(answers.GridRow(_short(split), cells) for split, cells in rows),
                "Muster",
            ),
        ),
        sums=duel.sums,
        assumptions=(
            f"{first} {_habits(duel.first)}; {_within(other)} {_habits(duel.other)}.",
            *ASSUMPTIONS,
            *CHOICE_ASSUMPTIONS,
            "The mixes come from linear programming. All values are rounded.",
        ),
    )


def _mix_grid(title: str, mix: Sequence[tuple[Split, float]]) -> answers.Grid:
    rows = tuple(answers.GridRow(counted(split), (f"{share * 100:.1f}%",)) for split, share in mix)
    return answers.Grid(title, ("How often",), rows, "Muster")


def _short(split: Split) -> str:
    return f"{split.attack}/{split.defence}"
