"""The points of units, with a line for each part. Slide 38. Rulings N-P1 to N-P3, N-P6 to N-P9,
N-P12."""

from collections.abc import Iterator

from rulebook.systems.avant_garde.book import HouseRules, book
from rulebook.systems.avant_garde.fighters import CALIBRES, Fighter, grade_of, rating_of
from rulebook.values.rosters import AS_RECRUITED, Condition, Price, PriceLine

TABLE = 'Slide 38: "Points System"'
CARRIED = "House rule: Casualties carry over"


def price(fighter: Fighter, rules: HouseRules, condition: Condition = AS_RECRUITED) -> Price:
    """Return what a unit costs at the strength that it has.

    A commander without a price in the source costs nothing yet.
    """
    lines = {"artillery": _guns, "commander": _commander}.get(fighter.arm, _figures)(
        fighter, rules, condition
    )
    kept = tuple(line for line in lines if line.points or fighter.arm == "commander")
    return Price(sum(line.points for line in kept), kept)


def guns_left(fighter: Fighter, condition: Condition) -> dict[str, int]:
    """Return the guns of a battery by calibre, without those that it has lost.

    The lightest are taken to be gone first.
    """
    lost, left = int(condition.get("guns", 0)), fighter.of_calibre
    for key in left:
        gone = min(lost, left[key])
        left[key], lost = left[key] - gone, lost - gone
    return left


def has_price(fighter: Fighter, rules: HouseRules) -> bool:
    """Return whether the source or the club has a price for it. Ruling N-P1."""
    return fighter.arm != "commander" or rating_of(fighter, rules).cost is not None


def _figures(fighter: Fighter, rules: HouseRules, condition: Condition) -> Iterator[PriceLine]:
    grade = grade_of(fighter, rules)
    mount = book().mount[fighter.mount]
    heads = fighter.strength
    additions = (
        (mount.cost, mount.name, TABLE),
        (int(fighter.skirmishing), "Skirmish capable", TABLE),
        (int(fighter.lance), "Lances", TABLE),
        (int(fighter.rifles), "Rifles", "Ruling N-P12"),
    )
    yield _line(fighter.figures, grade.name, grade.cost, grade.sources.get("cost", TABLE))
    yield _line(fighter.skirmishers, "skirmishers", grade.cost + 1, "Ruling N-P6")
    yield from (_line(heads, name, each, rule) for each, name, rule in additions)
    lost = min(int(condition.get("lost", 0)), heads)
    rate = grade.cost + sum(each for each, _, _ in additions)
    yield PriceLine(f"{lost} lost", -lost * rate - max(0, lost - fighter.figures), CARRIED)


def _guns(fighter: Fighter, rules: HouseRules, condition: Condition) -> Iterator[PriceLine]:
    grade = grade_of(fighter, rules)
    for key in CALIBRES:
        calibre, count = book().calibre[key], getattr(fighter, key)
        yield _line(count, calibre.name if count == 1 else calibre.many, calibre.cost, TABLE)
    yield _line(fighter.guns, f"{grade.name} crews", grade.cost, "Ruling N-P8")
    left = guns_left(fighter, condition)
    for key, count in fighter.of_calibre.items():
        calibre = book().calibre[key]
        yield _line(count - left[key], f"lost: {calibre.many}", -calibre.cost - grade.cost, CARRIED)


def _commander(fighter: Fighter, rules: HouseRules, condition: Condition) -> Iterator[PriceLine]:
    rating = rating_of(fighter, rules)
    lost = "" if has_price(fighter, rules) else ": not in the source"
    yield PriceLine(
        f"{rating.name}{lost}",
        rating.cost or 0,
        "Ruling N-P1" if "cost" in rating.settled else TABLE,
    )


def _line(count: int, name: str, each: int, rule: str) -> PriceLine:
    """Return a line such as "24 Line at 4"."""
    return PriceLine(f"{count} {name} at {each}", count * each, rule)
