"""The quick reference of the rules for printed rosters: orders, fire, tests, charges, combat."""

from collections.abc import Iterable, Mapping
from typing import Any

from rulebook.book.reference import filled_tables
from rulebook.systems.avant_garde.book import (
    Disorder,
    Order,
    book,
    figures,
    read_data,
)
from rulebook.systems.avant_garde.odds import modifier_list
from rulebook.values.problems import plural
from rulebook.values.reference import TableSection

AS_AGREED, SETTING_UP = "agreed", "before"
FORMATION_PACES = (("slow", "walk"), ("normal", "trot"), ("road", "canter"))
"""Paces of infantry and cavalry that share a column."""
PACES = ("normal", "charge", "trot", "canter")
BASE = {"fire": "shooting", "guns": "artillery"}
"""The figures that say on what a die hits, by the lists of its modifiers."""


def quick_reference(nation: str) -> tuple[TableSection, ...]:
    """Return the tables that an army of this nation looks up, in the order of a turn.

    With "" they are for armies of all nations, and for setting up a battle as well.
    """
    written, places = read_data("quick_reference"), _placeholders(nation)
    sections = [
        *filled_tables(written["table"], places),
        *(_modifiers(name, rows, places) for name, rows in written["list"].items()),
        _hits(places),
        _orders("orders", "Orders to a unit", book().order),
        _orders("guns-orders", "Orders to a battery", book().gun_order),
        _moves(),
        _gun_moves(),
        _ground(),
        losses(),
    ]
    by_anchor = {section.anchor: section for section in sections}
    left_out = {SETTING_UP} if nation else set()
    return tuple(by_anchor[anchor] for anchor in written["order"] if anchor not in left_out)


def losses() -> TableSection:
    """Return what losses make of units and brigades. Slide 28: "Shaken Units", "Brigade Morale"."""
    rules, rows = figures("morale"), []
    for loss in read_data("prints")["losses"]:
        share = (
            f"more than {rules[loss['more_than']]}%"
            if "more_than" in loss
            else f"{rules[loss['from']]}%"
        )
        order = (
            f" at {modifier_list('brigade')[loss['order']].adds}; if disordered it flees"
            if "order" in loss
            else ""
        )
        says = loss["says"].format(**read_data("figures"))
        rows.append((f"{loss['of']}: {loss['is'].lower()}", f"{share} lost", f"{says}{order}"))
    return TableSection("losses", "Losses", (), tuple(rows))


def _placeholders(nation: str) -> dict[str, Any]:
    """Return the figures of the rules by the names that tables use."""
    whole = book()
    defence = ", ".join(
        f"{grade.name} {grade.defence:+d}"
        for grade in whole.grades("infantry").values()
        if grade.defence
    )
    formations = {
        "charge_line": whole.formation["line"],
        "charge_column": whole.formation["column"],
        "charge_cavalry": whole.formation["cavalry-line"],
    }
    reaches = {
        name: f"{formation.paces['charge']}″+{formation.charge_dice}D6"
        for name, formation in formations.items()
    }
    return {
        **read_data("figures"),
        **reaches,
        "skirmish": whole.formation["skirmish"].paces["normal"],
        "defence": defence,
        "initiative": _initiative(nation),
        "square_close": modifier_list("square")["close"].adds,
        "step": {step["key"]: step["name"] for step in read_data("turn")["step"]},
    }


def _initiative(nation: str) -> str:
    """Return what a nation adds to its initiative; with "" the least and the most of all."""
    nations = book().nation
    if nation:
        return f"{nations[nation].initiative:+d}"
    amounts = [each.initiative for each in nations.values()]
    return f"{min(amounts):+d} to {max(amounts):+d}"


def _modifiers(name: str, rows: Mapping[str, str], places: Mapping[str, Any]) -> TableSection:
    """Return a list of modifiers: those that are counted at the table, each with its amount."""
    listed, amounts = modifier_list(name), read_data("quick_reference")["amount"]
    lines = []
    for key, words in rows.items():
        if key == "name":
            continue
        says = (words or listed[key].says).format(**places)
        amount = amounts.get(key, "").format(**places) or f"{listed[key].adds:+d}"
        lines.append((_capital(says), amount))
    return TableSection(name, rows["name"], (), tuple(lines))


def _hits(places: Mapping[str, Any]) -> TableSection:
    """Return on what a die of small arms and one of guns hits. Slides 10, 20."""
    arms = read_data("quick_reference")["hits"]
    rows = [("With the skill: see Fire", *(f"{figures(BASE[arm])['hits_on']}+" for arm in arms))]
    for key in dict.fromkeys(key for rows_of_arm in arms.values() for key in rows_of_arm):
        having = [arm for arm, rows_of_arm in arms.items() if key in rows_of_arm]
        says = (arms[having[0]][key] or modifier_list(having[0])[key].says).format(**places)
        cells = (f"{modifier_list(arm)[key].adds:+d}" if arm in having else "–" for arm in arms)
        rows.append((_capital(says), *cells))
    return TableSection("fire", "Fire", ("A die hits", "Small arms", "Guns"), tuple(rows))


def _orders(anchor: str, name: str, orders: Mapping[str, Order]) -> TableSection:
    """Return the orders by what they cost: pips, and sometimes a test of the unit."""
    by_cost: dict[str, list[str]] = {}
    for order in orders.values():
        cost = plural(order.pips, "pip") + (" and a test" if order.test else "")
        by_cost.setdefault(cost, []).append(order.name)
    rows = ((cost, "; ".join(names)) for cost, names in by_cost.items())
    return TableSection(anchor, name, (), tuple(rows))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _merged(rows: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return one row for rows that differ in their names alone."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, *cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    return tuple(("; ".join(together), *cells) for cells, together in names.items())


def _moves() -> TableSection:
    """Return the inches of each formation that moves by its own paces. Slides 6, 22, 24."""
    rows = []
    for formation in book().formation.values():
        paces = formation.paces
        if paces:
            cells = (
                next((paces[key] for key in keys if key in paces), None) for keys in FORMATION_PACES
            )
            name = f"Cavalry: {formation.name.lower()}" if "walk" in paces else formation.name
            rows.append((name, *("–" if cell is None else f"{cell}″" for cell in cells)))
    columns = ("Formation", "Slow, walk", "Normal, trot", "Road, canter")
    return TableSection("moves", "Moves", columns, _merged(rows))


def _gun_moves() -> TableSection:
    """Return the inches of guns. Slide 21: "Artillery Movement"."""
    rows = tuple(
        (
            gun.name,
            *(
                "–" if cell is None else f"{cell}″"
                for cell in (gun.unlimbered, gun.limbered, gun.limbered_horse)
            ),
        )
        for gun in book().calibre.values()
        if gun.unlimbered or gun.limbered or gun.limbered_horse
    )
    columns = ("Gun", "Unlimbered", "Foot", "Horse")
    return TableSection("guns-moves", "Guns: moves", columns, rows)


def _ground() -> TableSection:
    """Return what ground adds to the test for disorder, by pace. Slide 6, 22."""
    rows = (
        (ground.name, *(_pace(getattr(ground, pace)) for pace in PACES))
        for ground in book().ground.values()
        if any(getattr(ground, pace) not in (None, "none") for pace in PACES)
    )
    columns = ("Ground", "Normal", "Charge", "Trot", "Canter")
    return TableSection("ground", "Disorder by ground", columns, _merged(rows))


def _pace(cell: Disorder) -> str:
    """Return a cell as text; the source has lost some, which the players agree on (N-V3)."""
    if isinstance(cell, int):
        return f"{cell:+d}"
    return {"none": "–", "auto": "always", "barred": "barred"}.get(cell or "", AS_AGREED)
