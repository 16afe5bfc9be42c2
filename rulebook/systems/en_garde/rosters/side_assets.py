"""What the sides of a battle brought as a whole, in words: guns with those who serve them.

Rule book: "Ordinance", "Crew".
"""

from collections.abc import Iterator, Mapping

from rulebook.ruleset import BattleSetup, FieldedSide, SetUpLine
from rulebook.systems.en_garde.book.catalogue import catalogue, listed
from rulebook.systems.en_garde.rosters.extras import read_extras

RULE = 'Rule book: "Crew"'


def side_assets(setup: BattleSetup) -> Mapping[str, tuple[SetUpLine, ...]]:
    """The guns of each side by its key, each with its crew as far as it is named and fielded."""
    return {side.key: tuple(_guns(side)) for side in setup.sides}


def _guns(side: FieldedSide) -> Iterator[SetUpLine]:
    names = {fighter.id: fighter.name for fighter in side.fighters}
    guns = catalogue().arms.guns
    for bought in read_extras({"ordnance": side.extras.get("ordnance", ())}).ordnance:
        crew = [names[each] for each in bought.crew if each in names]
        served = f"served by {listed(crew)}" if crew else "its crew is not here" if bought.crew else "served by anybody"
        if bought.gun in guns:
            yield SetUpLine(guns[bought.gun].name, served, "", RULE)
