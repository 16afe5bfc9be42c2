"""What a list asks of a warband, in sentences of our own."""

from collections.abc import Iterator

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.lists import Composition, Faction, Profile

RANKS = {
    "half-low": "half or more are Rank 1 or 2",
    "all-high": "nobody is below Rank 3",
    "all-mounted": "everybody rides",
}


def composition_sentences(faction: Faction) -> Iterator[str]:
    """One sentence for each thing that the list asks of the warband as a whole."""
    wanted = faction.composition
    if wanted.ranks:
        yield f"Ranks: {catalogue.listed((RANKS[each] for each in wanted.ranks), 'or')}."
    if wanted.templates:
        yield "Warband type: Standard or Elite."
    if wanted.most_rank_5 is not None:
        yield f"Rank 5: {wanted.most_rank_5} at most."
    yield from _shares(wanted)
    if wanted.guns:
        guns = catalogue.listed((catalogue.gun(key).name.lower() for key in wanted.guns), "or")
        count = f"{wanted.most_guns} at most" if wanted.most_guns else "any number"
        yield f"Ordnance: {guns}, {count}, with crew."
    if wanted.servants:
        yield f"One {_profile(faction, wanted.servants).name.lower()} for each master in the warband."
    if faction.fearless_while:
        names = (_profile(faction, key).name for key in faction.fearless_while)
        yield f"Nobody tests Morale while {catalogue.listed(names, 'or')} is on the table."
    yield from (f"{each.name}: one only." for each in faction.profiles if each.unique)
    for each in faction.profiles:
        if each.fighters_per_handler:
            yield f"{each.name}: one handler for every {each.fighters_per_handler}."


def _shares(wanted: Composition) -> Iterator[str]:
    if wanted.missile_share:
        named = (catalogue.item_name(key).lower() for key in wanted.missile_weapons)
        weapons = catalogue.listed(named, "or") if wanted.missile_weapons else "a missile weapon"
        yield f"With {weapons}: {_part(wanted.missile_share)} at most."
    if wanted.allies and wanted.allies_share:
        yield f"Allies from {catalogue.faction(wanted.allies).name}: {_part(wanted.allies_share)} at most."


def _part(share: tuple[int, int]) -> str:
    return "half" if share == (1, 2) else f"{share[0]} in {share[1]}"


def _profile(faction: Faction, key: str) -> Profile:
    return next(each for each in faction.profiles if each.key == key)
