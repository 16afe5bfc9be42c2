"""Morale: when a warband tests, what is added, what follows, and how the shaken and the stunned
behave.

Rule book: "Test morale", "Wavering", "Routing", "Remove stunned counters", "Determine priority".
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from rulebook.systems.en_garde.book.house_rules import USUAL, HouseRules
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, added, total
from rulebook.systems.en_garde.table.wounds import WoundTable

RULE = 'Rule book: "Test morale"'
STEADY_NERVE = 7


class Morale(StrEnum):
    """The state of a warband's nerve."""

    STEADY = "steady"
    WAVERING = "wavering"
    ROUTING = "routing"


class WarbandInBattle(Struct, frozen=True):
    """A warband as its Morale sees it: fighters at the start and now, and who is still with it.

    ``strength`` counts who is neither killed, routed off, captured nor unconscious, reserves
    included (Ruling B6). ``killed`` and ``leader_killed`` refer to the turn that matters (the
    previous one, Ruling B3). ``fearless`` is a warband that is Fearless as a whole for now.
    """

    rating: int
    start: int
    strength: int
    morale: Morale = Morale.STEADY
    killed: int = 0
    leader_killed: bool = False
    commander: bool = False
    banner: bool = False
    inspiring: bool = False
    inspired_already: bool = False
    fearless: bool = False


def must_test(warband: WarbandInBattle) -> tuple[str, ...]:
    """Return the reasons for which a warband tests its Morale, none if it need not.

    Rulings B3, B4, D23.
    """
    if warband.morale is Morale.ROUTING or warband.fearless:
        return ()
    listed = (
        (warband.morale is Morale.WAVERING, "Wavering"),
        (
            warband.killed * 4 >= warband.start and warband.killed > 0,
            "a quarter killed in one turn",
        ),
        (warband.leader_killed, "Leader killed"),
    )
    return tuple(reason for holds, reason in listed if holds)


def morale_modifiers(
    warband: WarbandInBattle, settings: HouseRules = USUAL
) -> tuple[Modifier, ...]:
    """Return what is added to 2D6: a high total is bad. Rulings B5, B6."""
    below_half = warband.strength * 2 < warband.start
    below_quarter = warband.strength * 4 < warband.start
    worst = settings.below_quarter_morale - 1
    return added(
        (1 if below_half else 0, "less than half strength", RULE),
        (worst if below_quarter else 0, "less than a quarter", "Ruling B5"),
        (1 if warband.morale is Morale.WAVERING else 0, "Wavering", RULE),
        (-1 if warband.commander else 0, "Commander", 'Rule book: "Commander"'),
    )


class MoraleTest(Struct, frozen=True):
    """A Morale Test: the dice, the total, whether it was passed, and the warband's new Morale.

    ``inspired`` is a test passed without dice; ``may_reroll`` says that the banner allows another
    throw.
    """

    dice: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    score: int
    passed: bool
    before: Morale
    after: Morale
    inspired: bool = False
    may_reroll: bool = False


def resolve_morale(
    warband: WarbandInBattle, dice: tuple[int, ...] = (), settings: HouseRules = USUAL
) -> MoraleTest:
    """Return the test with these two dice.

    An Inspiring fighter in play passes the warband's first one without any.

    Raises ValueError if dice are missing. Rule book: "Test morale", "Inspiring", "Banners".
    """
    modifiers = morale_modifiers(warband, settings)
    if passes_unrolled(warband):
        after = after_test(warband.morale, passed=True)
        return MoraleTest((), modifiers, 0, True, warband.morale, after, inspired=True)
    if len(dice) != 2:
        raise ValueError("A Morale Test uses two dice.")
    score = sum(dice) + total(modifiers)
    passed = score <= warband.rating
    after = after_test(warband.morale, passed=passed)
    return MoraleTest(
        dice,
        modifiers,
        score,
        passed,
        warband.morale,
        after,
        may_reroll=warband.banner and not passed,
    )


def passes_unrolled(warband: WarbandInBattle) -> bool:
    """Return whether the warband passes without a roll.

    The first test, with an Inspiring fighter in play.
    """
    return warband.inspiring and not warband.inspired_already


def after_test(morale: Morale, *, passed: bool) -> Morale:
    """Return the Morale of a warband after its test; one that routs goes on routing."""
    if morale is Morale.ROUTING:
        return morale
    if passed:
        return Morale.STEADY
    return Morale.WAVERING if morale is Morale.STEADY else Morale.ROUTING


def behaves_as(fighter: Combatant, morale: Morale) -> Morale:
    """Return the Morale by which a fighter acts: the Fearless act as if Steady. Ruling B7."""
    return Morale.STEADY if fighter.has("fearless") else morale


def needs_resolve(
    fighter: Combatant, morale: Morale, *, into_contact: bool, engaged: bool = False
) -> bool:
    """Return whether a fighter must roll before it acts.

    Wavering, to move into contact; Routing, for anything unless Engaged.
    """
    felt = behaves_as(fighter, morale)
    if felt is Morale.ROUTING:
        return not engaged
    return felt is Morale.WAVERING and into_contact


def resolve_holds(rank: int, die: int) -> bool:
    """Return whether it obeys: a die and its Rank reach 7. Rule book: "Wavering", "Routing"."""
    return die + rank >= STEADY_NERVE


def stun_modifiers(
    fighter: Combatant, *, engaged: bool = False, rested: bool = False
) -> tuple[Modifier, ...]:
    """Return what is added to the die that removes Stunned counters.

    Rule book: "Remove stunned counters", "Tough".
    """
    rule = 'Rule book: "Remove stunned counters"'
    return added(
        (-1 if engaged else 0, "Engaged", rule),
        (2 if rested and not engaged else 0, "rested", rule),
        (1 if fighter.has("tough") else 0, "Tough", 'Rule book: "Tough"'),
    )


def shakes_off_unrolled(fighter: Combatant) -> bool:
    """Return whether its body discards one Stunned counter without a roll.

    Rule book: "Large Models".
    """
    return fighter.table is WoundTable.LARGE


def stuns_removed(score: int) -> int:
    """Return the Stunned counters that go by this total: 5 or 6 takes one, 7 and more up to two."""
    if score >= 7:
        return 2
    return int(score >= 5)


def priority_modifier(own_scouts: int, most_other_scouts: int, turn: int) -> int:
    """Return what Scouts add to the Priority roll: +2 in the first turn to the side with the most.

    Rule book: "Scout".
    """
    return 2 if turn == 1 and own_scouts > most_other_scouts else 0


def sides_with_priority(
    dice: Mapping[str, int], tacticians: frozenset[str], scouts: Mapping[str, int], turn: int
) -> tuple[str, ...]:
    """Return the sides that may have Priority with these dice: one, or those who tie and roll
    again.

    Ruling B28.

    The only side with a Tactician has it without a roll; with several such sides the roll is among
    them all.
    """
    if len(tacticians) == 1:
        return tuple(tacticians)
    scores = dict(dice)
    # Scouts only matter in the first turn.
    for side in scores if turn == 1 else ():
        most = max((number for other, number in scouts.items() if other != side), default=0)
        scores[side] += priority_modifier(scouts.get(side, 0), most, turn)
    highest = max(scores.values(), default=0)
    return tuple([side for side, score in scores.items() if score == highest])
