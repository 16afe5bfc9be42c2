"""An army's roster: builds in their one form, what is wrong with it, its sums, and what a card shows.

The sheet has no points and no lists: two armies are compared by their bases (Ruling W-G1).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import to_builtins

from rulebook.systems.wards.book import book, broken, figures
from rulebook.systems.wards.units import GUNS, Standing, Unit, bases_in_words, general_save
from rulebook.values.fields import Choices, Field, read_fields
from rulebook.values.problems import Problem, RulesError
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    Characteristic,
    Condition,
    Fate,
    Group,
    Item,
    Price,
    Roster,
    RosterFigure,
    Sheet,
    Terms,
)

CAVALRY = "Cavalry"
"""What all cavalry of a side stands in: it belongs to no Ward."""
GENERALS = 3
SERVING = (Fate.FIT, Fate.RECOVERING)


def build_fields() -> tuple[Field, ...]:
    """What a row of an army is asked for, enough to draw a form."""
    known = book()
    return (
        Field("arm", "What it is", "choice", False, _choices(known.arm), default="foot"),
        Field("quality", "Quality", "choice", False, _choices(known.quality), "Not for Generals.", default="retinue"),
        Field("bases", "Bases", "number", False, help="Whole ones. Not for Generals and guns.", most=20, default=4),
        Field("half", "And half a base", "flag", False),
        Field("ward", "Ward", "text", False, help="The Ward that it belongs to. Cavalry has none.", most=40),
        Field("place", "Where", "choice", False, tuple(known.place.items()), default="front"),
        Field("attributes", "A General's attributes", "list", False, tuple(known.attribute.items())),
        Field("others", "Other attributes", "text", False, help="In your own words: no rule looks at them.", most=120),
        Field("unreliable", "Unreliable General", "flag", False),
    )


def _choices(entries: Mapping[str, Any]) -> Choices:
    return tuple((key, each.name) for key, each in entries.items())


def read_build(raw: BuildData) -> Unit:
    """The build as a unit. Raises RulesError with everything that is wrong with it."""
    asked = {key: value for key, value in raw.items() if key != "profile"}
    told = read_fields(build_fields(), asked, "A row of the army")
    unit = Unit(**{**told, "attributes": tuple(told["attributes"])})
    if problems := tuple(_at_odds(unit)):
        raise RulesError(*problems)
    return _canonical(unit)


def _at_odds(unit: Unit) -> Iterator[Problem]:
    """What does not go together."""
    checks = (
        (not unit.general and (unit.attributes or unit.others), "attributes-of-a-unit", "attributes"),
        (unit.unreliable and not unit.general, "unreliable-unit", "unreliable"),
        (not unit.general and not unit.gun and not unit.halves, "no-bases", "bases"),
    )
    for wrong, code, field in checks:
        for each in broken((bool(wrong), code)):
            yield Problem(code, each.sentence, field=field, value=str(getattr(unit, field)), source=each.rule)


def _canonical(unit: Unit) -> Unit:
    """The unit without what means nothing for its arm."""
    told = to_builtins(unit)
    if unit.general:
        return Unit(**{**told, "quality": "household", "bases": 0, "half": False, "attributes": unit.attributes})
    if unit.arm in GUNS:
        return Unit(**{**told, "bases": 0, "half": False, "attributes": ()})
    return Unit(**{**told, "attributes": (), **({"ward": CAVALRY} if unit.arm == "cavalry" else {})})


def lost_halves(condition: Condition) -> int:
    """The half bases that a unit has lost in earlier battles."""
    return int(condition.get("lost", 0))


def present(unit: Unit, condition: Condition) -> Standing:
    """The unit at the strength at which it would march today."""
    return Standing(unit, max(0, unit.halves - lost_halves(condition)))


def profile_name(unit: Unit) -> str:
    """What it is in two words: "Household foot", "Light gun", "General"."""
    arm = book().arm[unit.arm].name
    return arm if unit.general or unit.gun else f"{book().quality[unit.quality].name} {arm.lower()}"


def sheet(build: BuildData, terms: Terms, condition: Condition = AS_RECRUITED) -> Sheet:
    """Everything that a card prints."""
    unit = read_build(build)
    items = tuple(Item(key, book().attribute[key], "attribute") for key in unit.attributes)
    if unit.others:
        items = (*items, Item("others", unit.others, "attribute"))
    if unit.unreliable:
        items = (*items, Item("unreliable", "Unreliable", "attribute", "2D6 at his first fight", "Ruling W-U1"))
    return Sheet("unit", profile_name(unit), 0, 0, Price(0), tuple(_figures(unit, condition)), items)


def _figures(unit: Unit, condition: Condition) -> Iterator[Characteristic]:
    now = present(unit, condition)
    rows: list[tuple[str, str, str, str, str, str]] = []
    if unit.general:
        saved = f"{general_save(risked=False)}+, leading from the front {general_save(risked=True)}+"
        rows.append(("save", "Save", "Save", saved, "", "Ruling W-S1"))
    elif unit.gun:
        rows.append(("dice", "Dice of a shot", "Dice", str(book().arm[unit.arm].dice), "", 'Sheet: "Artillery"'))
        rows.append(("save", "Save", "Save", f"{now.save}+", "", 'Sheet: "Saves"'))
    else:
        of = f"of {bases_in_words(unit.halves)}" if now.halves < unit.halves else ""
        dice = figures("shooting")["dice"]["wide" if now.frontage >= figures("shooting")["wide"] else "narrow"]
        rows += [
            ("bases", "Bases", "Bases", bases_in_words(now.halves), of, "Ruling W-G1"),
            ("save", "Save", "Save", f"{now.save}+", "", 'Sheet: "Saves"'),
            ("shooting", "Dice of shooting", "Shoot", str(dice), "", 'Sheet: "Shooting"'),
        ]
    yield from (Characteristic(*row) for row in rows)


def roster_figures(roster: Roster) -> Iterator[RosterFigure]:
    """Bases by quality, foot and cavalry, better units and Generals, as plain counts: the sheet has no points."""
    serving = [(read_build(each.build), each.condition) for each in roster.fighters if each.fate in SERVING]
    ranks = [present(unit, condition) for unit, condition in serving if unit.halves]
    for key, quality in reversed(list(book().quality.items())):
        halves = sum(each.halves for each in ranks if each.unit.quality == key)
        yield RosterFigure(key, f"{quality.name} bases", _count(halves), f"Bases of {quality.name}.", "Ruling W-G1")
    for arm, label in (("foot", "Foot bases"), ("cavalry", "Cavalry bases")):
        halves = sum(each.halves for each in ranks if (each.unit.arm == "cavalry") == (arm == "cavalry"))
        yield RosterFigure(arm, label, _count(halves), f"{label} of every quality.", "Ruling W-G1")
    better = sum(each.better for each in ranks)
    yield RosterFigure("better", "Better units", better, "Broad or Household.", 'Sheet: "Better units"')


def _count(halves: int) -> int:
    """Bases as a whole number: a half base more counts as one begun."""
    return -(-halves // 2)


def roster_problems(roster: Roster) -> tuple[Problem, ...]:
    """What an army lacks: the sheet asks for three Generals, and a Ward has a front."""
    serving = [read_build(each.build) for each in roster.fighters if each.fate in SERVING]
    generals = sum(each.general for each in serving)
    found = [
        Problem(each.code, each.sentence, source=each.rule)
        for each in broken((generals != GENERALS, "three-generals"), have=generals)
    ]
    wards = dict.fromkeys(each.ward for each in serving if each.ward and each.halves)
    for ward in wards:
        front = any(each.ward == ward and each.place == "front" for each in serving if each.halves)
        placed = any(each.ward == ward and each.place == "rear" for each in serving if each.halves)
        found += [
            Problem(each.code, each.sentence, source=each.rule)
            for each in broken((placed and not front, "no-front"), ward=ward)
        ]
    return tuple(found)


def groups(roster: Roster) -> tuple[Group, ...]:
    """The Wards, front before rear, and the cavalry, in the order of the roster."""
    names: dict[str, list[tuple[int, str]]] = {}
    order = list(book().place)
    for each in roster.fighters:
        unit = read_build(each.build)
        if unit.ward:
            names.setdefault(unit.ward, []).append((order.index(unit.place), each.id))
    return tuple(Group(name, name, tuple(one for _, one in _by_place(rows))) for name, rows in names.items())


def _by_place(rows: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    return sorted(rows, key=lambda row: row[0])
