"""Tests of morale and leadership, the states of a unit, tests for casualties, rallying, and the
morale of brigades.

Everything is tested alike: two dice, and their sum must not be above the target. Rulings N-M1 to
N-M11, N-C7, N-C8.
"""

from fractions import Fraction
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from rulebook.dice.pools import Chances, together
from rulebook.systems.avant_garde.book import STATES, Grade, figures
from rulebook.systems.avant_garde.odds import Odds, modifiers, pass_chance, total
from rulebook.values.answers import ReasonLine

MORALE = 'Slide 27: "Morale"'
GOOD, DISORDERED, BROKEN = STATES


class Nerve(Struct, frozen=True):
    """The terms of a test: ``morale`` is that of the grade, ``casualties`` those of this phase that
    count, ``burning`` that it stands in a building on fire.

    ``influence`` is what a commander near it adds, ``general`` whether the Commander-in-Chief burns
    a pip for one more, ``dismounted`` marks cavalry on foot; ``more`` are lines of the test's own
    subject: terrain, a square to be formed, a fight that was lost.
    """

    morale: int
    jubilation: int = 0
    disordered: bool = False
    casualties: int = 0
    enfilade: bool = False
    burning: bool = False
    influence: int = 0
    general: bool = False
    dismounted: bool = False
    more: tuple[ReasonLine, ...] = ()

    def with_lines(self, *lines: ReasonLine) -> "Nerve":
        """Return the same with more lines."""
        return replace(self, more=(*self.more, *lines))


def nerve_lines(nerve: Nerve) -> tuple[ReasonLine, ...]:
    """Return the target of the two dice, line by line.

    Rulings N-M3, N-M4, N-M8: one -1 for a unit that is not in good order.
    """
    rules = figures("morale")
    # Jubilation helps up to its limit, and only a unit in good order.
    room = max(0, figures("command")["jubilant_most"] - nerve.morale)
    jubilation = 0 if nerve.disordered else min(nerve.jubilation, room)
    dismounted = rules["dismounted"] if nerve.dismounted else 0
    burning = rules["burning"] if nerve.burning else 0
    lines = modifiers("nerve", nerve, jubilation=jubilation, dismounted=dismounted, burning=burning)
    return (*lines, *nerve.more)


def target(nerve: Nerve) -> int:
    """Return what two dice must not exceed; below 2 nobody passes. Ruling N-M9."""
    return total(nerve_lines(nerve))


def threshold(starting: int, percent: int) -> int:
    """Return how many casualties of one phase make a unit test: a share of its starting strength, 0
    for any.

    Ruling N-M1.
    """
    return max(1, ceil(Fraction(starting * percent, 100)))


def must_test(casualties: int, starting: int, percent: int) -> bool:
    """Return whether the casualties of one phase make a unit test."""
    return casualties >= threshold(starting, percent)


def after_failing(state: str, *, skirmishers: bool = False, sheltered: bool = False) -> str:
    """Return a state down: skirmishers are never disordered and panic at once.

    A unit shot at in a building never breaks.
    """
    if sheltered:
        return BROKEN if state == BROKEN else DISORDERED
    return DISORDERED if state == GOOD and not skirmishers else BROKEN


def after_rallying(state: str, *, skirmishers: bool = False, permanent: bool = False) -> str:
    """Return a state up; who is shaken or has lost the colours stays disordered for good
    (``permanent``)."""
    if state == BROKEN and not skirmishers:
        return DISORDERED
    return DISORDERED if permanent else GOOD


class UnderFire(Struct, frozen=True):
    """A unit that is shot at: ``nerve`` without the casualties, ``percent`` the share that makes it
    test.

    ``counted`` is whether casualties are taken off its morale: not for Elite, Guard and
    skirmishers. A unit that is ``sheltered`` by a building never breaks under fire.
    """

    nerve: Nerve
    starting: int
    percent: int
    counted: bool = True
    state: str = GOOD
    skirmishers: bool = False
    sheltered: bool = False

    def tested(self, casualties: int) -> Nerve:
        """Return the test after so many casualties."""
        return replace(self.nerve, casualties=casualties if self.counted else 0)


def under_fire(
    grade: Grade, nerve: Nerve, starting: int, state: str = GOOD, *, skirmishers: bool = False
) -> UnderFire:
    """Return a unit of that grade that is shot at; skirmishers test at a quarter, whatever their
    grade. Slide 26."""
    if skirmishers:
        return UnderFire(
            nerve, starting, figures("artillery")["quarter"], False, state, skirmishers=True
        )
    return UnderFire(nerve, starting, grade.percent, grade.counted, state)


def casualty_odds(fighter: UnderFire, casualties: Chances, *, again: bool = False) -> Odds:
    """Return the chance of each state after the casualties of a phase; "no-test" where they are too
    few for a test."""
    parts: list[tuple[str, Fraction]] = []
    fallen = after_failing(
        fighter.state, skirmishers=fighter.skirmishers, sheltered=fighter.sheltered
    )
    for number, chance in casualties.items():
        if must_test(number, fighter.starting, fighter.percent):
            stands = chance * pass_chance(target(fighter.tested(number)), again=again)
            parts += [(fighter.state, stands), (fallen, chance - stands)]
        else:
            parts.append(("no-test", chance))
    return together(*parts)


def strength_state(starting: int, present: int) -> str:
    """Return what its losses make of a unit: "shaken" above half, "shattered" above three quarters,
    else "".

    Ruling N-M6.
    """
    lost, rules = 100 * (starting - present), figures("morale")
    return next(
        (key for key in ("shattered", "shaken") if lost > rules[f"{key}_above"] * starting), ""
    )


def disperses(starting: int, present: int, *, colours_lost: bool) -> bool:
    """Return whether it is removed: shattered, or without its colours and below half of its
    strength. Ruling N-M5."""
    below = 100 * present < figures("morale")["lost_colours_below"] * starting
    return strength_state(starting, present) == "shattered" or (colours_lost and below)


def brigade_losses(starting: int, present: int) -> tuple[str, ...]:
    """Return what losses a brigade has come to: none, "faltering", or "broken" as well; each is
    tested for once.

    Rulings N-M6, N-M7, N-M11.
    """
    lost, rules = 100 * (starting - present), figures("morale")
    reached = (
        key
        for key in ("faltering", "broken")
        if starting and lost >= rules[f"brigade_{key}"] * starting
    )
    return tuple(reached)


def brigade_nerve(nerve: Nerve, losses: str) -> Nerve:
    """Return the disorder test of a unit that falls back because its brigade is "faltering" or
    "broken"."""
    return nerve.with_lines(
        *modifiers("brigade", faltering=losses == "faltering", broken=losses == "broken")
    )
