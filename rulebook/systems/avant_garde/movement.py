"""Movement: paces, guns, changes of formation, disorder by terrain, falling back, fords.

Slides 6 to 9, 19, 22, 32. Rulings N-V1 to N-V12.
"""

from rulebook.systems.avant_garde.book import Disorder, HouseRules, book, figures
from rulebook.systems.avant_garde.fighters import USUAL, Fighter
from rulebook.systems.avant_garde.morale import Nerve
from rulebook.systems.avant_garde.odds import modifiers, settled, total
from rulebook.values.answers import ReasonLine

GUNS = 'Slide 21: "Artillery Movement"'
STEADY_PACES = ("slow", "walk")
"""Moves that risk no disorder."""


def gun_lines(
    battery: Fighter,
    nation: str,
    *,
    limbered: bool,
    crew_lost: int = 0,
    road: bool = False,
    rules: HouseRules = USUAL,
) -> tuple[ReasonLine, ...]:
    """Return how far a battery moves, in inches, line by line: as its slowest gun. Rulings N-V5,
    N-V6.

    Howitzers keep up with the other guns; by themselves they have no pace in the source: RulesError
    "not-in-source".
    """
    french, paces = nation == "france", list[int | None]()
    for key in battery.of_calibre:
        gun = book().calibre[
            "medium" if key == "heavy" and french and rules.french_twelves else key
        ]
        horse = gun.limbered_horse if battery.horse else None
        paces.append((horse or gun.limbered) if limbered else gun.unlimbered)
    slowest = settled(min(filter(None, paces), default=None), "How far howitzers move", "guns")
    guard = french and battery.grade == "guard"
    return modifiers(
        "guns-move",
        slowest=slowest,
        road=road and limbered,
        french_guard=guard,
        crew_lost=crew_lost,
    )


def gun_inches(lines: tuple[ReasonLine, ...]) -> int:
    """Return what is left of its inches; at 0 a battery may only pivot. Slide 19."""
    return max(0, total(lines))


def disorder(
    ground: str, pace: str, *, mounted: bool = False, free: bool = False, typed: int | None = None
) -> Disorder:
    """Return the effect of ground on a move: a modifier, "auto", "barred" or "none"; ``free``
    troops ignore woods.

    ``typed`` stands for a cell that the source has lost; None without it. Rulings N-V3, N-V10.
    """
    row = book().ground[ground]
    if free and ground in ("light-woods", "heavy-woods"):
        return "none"
    if mounted:
        effect = row.trot if pace in ("walk", "trot") else row.canter
    else:
        effect = row.charge if pace == "charge" else row.normal
    if effect != "barred" and pace in STEADY_PACES:
        return "none"
    return typed if effect is None else effect


def ground_nerve(nerve: Nerve, modifier: int, ground: str) -> Nerve:
    """Return the disorder test for ground with that modifier."""
    return nerve.with_lines(
        *modifiers("ground", modifier=modifier, name=book().ground[ground].name.lower())
    )


def fall_back_dice(*, mounted: bool, fast: bool = False) -> int:
    """Return how many dice of inches a unit falls back that was ordered to: one or two, and one
    more mounted. N-V7."""
    return figures("command")["fall_back_fast" if fast else "fall_back_slow"] + mounted


def fall_back_nerve(nerve: Nerve, *, fast: bool = False, ground: int = 0) -> Nerve:
    """Return the test at the end of falling back; who fails it disordered runs. Slide 6."""
    return nerve.with_lines(*modifiers("fall-back", fast=fast, ground=ground))


def fords(first: int, second: int, *, cossacks: bool = False) -> bool:
    """Return whether the river can be forded: the second die (D10) is not higher than the first
    (D6). Slide 32.

    Cossacks throw two of six faces, and the second must be lower. Slide 24.
    """
    return second < first if cossacks else second <= first
