"""Who goes first while a table is laid: whoever throws highest, and those who tie throw again among themselves.

Rule book: "Random terrain placement", "Deployment", and each scenario's "Set-up".
"""

from msgspec import Struct

from rulebook.systems.en_garde.book.scenarios import ScenarioFacts
from rulebook.systems.en_garde.table.roller import Roller

STREAMS = ("left", "right")


class FirstChoices(Struct, frozen=True):
    """Sides by key: ``places`` in the order of placing terrain, ``decides`` who chooses between edges and corners,
    ``chooses`` in the order of choosing an edge, a corner or a duellist's place. ``downstream`` is where the river
    flows, "left" or "right" as seen from the Attacker's edge. Empty where the scenario asks for none of it.
    """

    places: tuple[str, ...] = ()
    decides: str = ""
    chooses: tuple[str, ...] = ()
    downstream: str = ""


def first_choices(facts: ScenarioFacts, sides: tuple[str, ...], defender: str, roller: Roller) -> FirstChoices:
    """Every roll-off that the scenario asks for. ``defender`` is the key of the Defender's side, "" if there is none.

    With one side alone nothing is thrown.
    """
    return FirstChoices(
        places=roll_off("who places terrain first", sides, roller) if facts.standard_terrain else (),
        decides=_winner("who chooses edges or corners", sides, roller) if len(facts.deployment) > 1 else "",
        chooses=_choosers(facts, sides, defender, roller),
        downstream=_downstream(roller) if facts.river else "",
    )


def roll_off(what: str, sides: tuple[str, ...], roller: Roller) -> tuple[str, ...]:
    """The sides from the highest die to the lowest; a single one throws nothing."""
    if len(sides) < 2:
        return sides
    thrown = {side: roller.throw(what) for side in sides}
    groups = [tuple(side for side in sides if thrown[side] == score) for score in range(6, 0, -1)]
    return tuple(side for group in groups if group for side in roll_off(what, group, roller))


def _winner(what: str, sides: tuple[str, ...], roller: Roller) -> str:
    return next(iter(roll_off(what, sides, roller)), "")


def _choosers(facts: ScenarioFacts, sides: tuple[str, ...], defender: str, roller: Roller) -> tuple[str, ...]:
    """The Defender first where the scenario says so, else by a roll-off."""
    if facts.defender_chooses:
        return (defender, *(side for side in sides if side != defender)) if defender else ()
    return roll_off("who chooses where first", sides, roller)


def _downstream(roller: Roller) -> str:
    return STREAMS[int(roller.throw("downstream") > 3)]
