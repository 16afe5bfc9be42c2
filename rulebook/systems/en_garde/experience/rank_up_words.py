"""What a step up gives and what it leaves, in a few words each, for the rank-up sheet."""

from collections import Counter
from collections.abc import Iterator

from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.builds import Build
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, Loadout
from rulebook.systems.en_garde.rosters.points import LABELS


def gains(before: Loadout, after: Loadout) -> Iterator[str]:
    """Everything that gets better or comes anew."""
    yield f"Rank {after.rank}"
    for key in NUMBERS:
        old, new = getattr(before, key), getattr(after, key)
        if new > old:
            yield f"{LABELS[key]} {old} → {new}"
    if before.move != after.move:
        yield f"{catalogue.catalogue().rates[after.move].name} movement"
    for item in (Counter(after.equipment) - Counter(before.equipment)).elements():
        yield catalogue.item_name(item)
    for attribute in after.attributes:
        if attribute not in before.attributes:
            yield catalogue.attribute_name(attribute)


def keeps(build: Build, after: Loadout) -> Iterator[str]:
    """Everything that it has only because it had it before."""
    for key in NUMBERS:
        if getattr(build.kept.numbers, key) is not None:
            yield f"{LABELS[key]} {getattr(after, key)}"
    yield from map(catalogue.item_name, (*build.kept.equipment, *build.equipment))
    yield from map(catalogue.attribute_name, build.kept.attributes)
