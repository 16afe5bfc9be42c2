"""The quick reference of En Garde! for printed rosters: shots, blows, wounds, Morale, victory.

Amounts come from the functions that decide battles; the words are in
``data/quick_reference.toml``.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from rulebook.book.data import read_toml
from rulebook.book.reference import filled_tables
from rulebook.ruleset import Roster
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.book.arms import Gun
from rulebook.systems.en_garde.book.house_rules import HouseRules, settled
from rulebook.systems.en_garde.book.scenarios import standard_points
from rulebook.systems.en_garde.experience.awards import MISSES_ON, WORTH_EACH
from rulebook.systems.en_garde.rosters.assembled_roster import MORALE_TEST_SHARE, assemble
from rulebook.systems.en_garde.rosters.sheets import gun_rules
from rulebook.systems.en_garde.rosters.table_aids import prints
from rulebook.systems.en_garde.table import moving, setting_up
from rulebook.systems.en_garde.table.blows import (
    OUTNUMBERED_BY,
    RIPOSTE_WOUND,
    SUBDUE_WOUND,
    Ploy,
    attack_dice,
    defence_dice,
)
from rulebook.systems.en_garde.table.combatant import Combatant, Modifier, Steed, total
from rulebook.systems.en_garde.table.morale import (
    STEADY_NERVE,
    Morale,
    WarbandInBattle,
    morale_modifiers,
    stun_modifiers,
    stuns_removed,
)
from rulebook.systems.en_garde.table.shooting import (
    HIT_ABSORBED,
    LIGHT_COVER_BLOCKS,
    Cover,
    Shot,
    missile,
    reloaded,
    shooting_modifiers,
    sight_limit,
)
from rulebook.systems.en_garde.table.wounds import (
    STUNS_TO_A_WOUND,
    WoundResult,
    WoundState,
    WoundTable,
    converted,
    score_bands,
    suffer,
    wound_costs,
)
from rulebook.values.reference import TableSection

DATA = Path(__file__).parent / "data" / "quick_reference.toml"
ORDER = (
    "set-up",
    "turn",
    "shooting",
    "attack",
    "wounds",
    "adding",
    "morale",
    "nerve",
    "stunned",
    "ground",
    "mounted",
    "guns",
    "victory",
    "experience",
)
"""The tables in the order of a turn, by their anchors."""
FAR = 10.0
"""A range at which nothing is added or taken off."""
ARCHER = Combatant(id="", name="", rank=1)
RIDER = Combatant(id="", name="", rank=1, steed=Steed("horse"))
WOUNDED = Combatant(id="", name="", rank=1, wounds=suffer(WoundState(), WoundResult.LIGHT))
LARGE = Combatant(id="", name="", rank=1, table=WoundTable.LARGE)


@cache
def _written() -> Mapping[str, Any]:
    return read_toml(DATA)


def quick_reference(roster: Roster) -> tuple[TableSection, ...]:
    """Return the tables that are looked up during a game, on the house rules of a roster.

    There is a Wound Table for each kind of body in it; without a list, for all kinds, and also what
    is needed for setting up a game. Rule book: "Quick Reference".
    """
    all_guns = catalogue.catalogue().arms.guns
    if roster.terms.faction:
        assembled = assemble(roster)
        rules = assembled.rules
        bodies = {WoundTable.of(member.outfit.attributes) for member in assembled.members}
        bought = {each.gun for each in assembled.extras.ordnance}
    else:
        rules, bodies, bought = settled(roster.terms.settings), set(WoundTable), set(all_guns)
    guns = [gun for key, gun in all_guns.items() if key in bought]
    tables = filled_tables(list(_tables(rules)), _placeholders(rules))
    sections = {table.anchor: [table] for table in tables}
    wounds = [wound_table(WoundTable.STANDARD, large=WoundTable.LARGE in bodies)]
    if WoundTable.HUGE in bodies:
        wounds.append(wound_table(WoundTable.HUGE, large=False))
    sections |= {"wounds": wounds, "guns": gun_tables(guns)}
    if roster.terms.faction:
        del sections["set-up"]
    return tuple(section for anchor in ORDER for section in sections.get(anchor, []))


def _tables(rules: HouseRules) -> Iterator[Mapping[str, Any]]:
    """Yield the tables of the data file with the rows of these house rules."""
    written = _written()
    for table in written["table"]:
        if table["anchor"] == "experience" and not rules.progression:
            continue
        chosen = written["when"].get(table["anchor"], {})
        more = [row for rule, rows in chosen.items() for row in rows.get(getattr(rules, rule), ())]
        yield {**table, "rows": [*table["rows"], *more]}


def gun_tables(guns: Collection[Gun]) -> list[TableSection]:
    """Return a table with a row for each of these guns, none without guns."""
    rows = [(gun.name, f"{gun.range}″", gun_rules(gun)) for gun in guns]
    if any(gun.grapeshot for gun in guns):
        shot = catalogue.catalogue().arms.grapeshot
        rows.append(("Grapeshot", f"{shot.range}″", f"spray {shot.spray}″; wound {shot.wound:+}"))
    return [TableSection("guns", "Guns", ("Gun", "Range", "Rules"), tuple(rows))] if rows else []


def wound_table(table: WoundTable, *, large: bool) -> TableSection:
    """Return a row for each result: its scores, what it does, and what a large body makes of it."""
    words = prints().wounds
    rows = []
    for score, result in score_bands(table):
        as_large = (_as_large(result, words),) if large else ()
        rows.append((score, words[result], *as_large, "; ".join(_costs(result, words))))
    headings = ("Score", "Result", *(("Large",) if large else ()), "Costs")
    name = "Wound Table, huge" if table is WoundTable.HUGE else "Wound Table"
    return TableSection(f"wounds-{table}", name, headings, tuple(rows))


def _as_large(result: WoundResult, words: Mapping[str, str]) -> str:
    if result is WoundResult.CRITICAL:
        lucky = converted(result, WoundTable.LARGE, 1)
        killed = converted(result, WoundTable.LARGE, 6)
        return f"{words[lucky]}; by its die {words[killed]}"
    return words[converted(result, WoundTable.LARGE)]


def _costs(result: WoundResult, words: Mapping[str, str]) -> Iterator[str]:
    if result is WoundResult.STUNNED:
        yield f"{_cost(result.value, words)}; the second {_cost('second_stunned', words)}"
    elif cost := _cost(result.value, words):
        yield cost


def _cost(result: str, words: Mapping[str, str]) -> str:
    """Return the penalties as text, those of the same size together: "Initiative, Shoot -1"."""
    by_amount: dict[int, list[str]] = {}
    for name, amount in msgspec.structs.asdict(wound_costs(result)).items():
        by_amount.setdefault(amount, []).append(words[name])
    return ", ".join(
        f"{', '.join(names)} {amount}" for amount, names in by_amount.items() if amount
    )


def _placeholders(rules: HouseRules) -> dict[str, Any]:
    """Return the amounts by the names that ``data/quick_reference.toml`` uses."""
    arms = catalogue.catalogue().arms
    dry = min(die for die in range(1, 7) if not reloaded(1, powder=True, rain_die=die))
    return {
        "shot": _shots(rules),
        "dry": dry,
        "pistol": arms.close_combat["pistol-in-close-combat"],
        **_mounts(),
        "banner": standard_points().banner,
        "experience": WORTH_EACH,
        "misses": MISSES_ON,
        "absorbed": HIT_ABSORBED,
        "outnumbered": OUTNUMBERED_BY,
        "riposte": RIPOSTE_WOUND,
        "subdue": SUBDUE_WOUND,
        "mighty": attack_dice(frozenset({Ploy.MIGHTY_BLOW})),
        "parry": defence_dice(ARCHER, frozenset({Ploy.PARRY}), rules),
        "morale": _morale(rules),
        "share": MORALE_TEST_SHARE,
        "nerve": STEADY_NERVE,
        "stuns": STUNS_TO_A_WOUND,
        "stunned": {
            "engaged": total(stun_modifiers(ARCHER, engaged=True)),
            "rested": total(stun_modifiers(ARCHER, rested=True)),
            "one": min(score for score in range(1, 9) if stuns_removed(score) == 1),
            "two": min(score for score in range(1, 9) if stuns_removed(score) == 2),
        },
        "dexterity": moving.DEXTERITY_NEEDED,
        "fall": moving.FALL_ABSORBED,
        "floor": catalogue.catalogue().floor,
        "turn": moving.TURN_COST,
        "drowns": min(die for die in range(1, 7) if moving.drowns(die)),
        "drowns_heavy": min(die for die in range(1, 7) if moving.drowns(die, heavy_armour=True)),
        "blocks": LIGHT_COVER_BLOCKS,
        **_setting_up(),
    }


def _setting_up() -> Mapping[str, Any]:
    """Return the figures of the table, the weather and the hour."""
    rows = setting_up.figures()
    return {
        "area": rows.playing_area,
        "small": rows.playing_area.small,
        "large": rows.playing_area.large,
        "terrain": rows.terrain,
        "weather": min(rows.checks["weather"]),
        "hour": min(rows.checks["hour"]),
        "sight": {
            "mist": sight_limit("mist", "day", 1),
            "rain": sight_limit("rain", "day", 1),
            "night": sight_limit("fair", "night", 1),
            "dusk": sight_limit("fair", "dusk", 3),
            "dawn": sight_limit("fair", "dawn", 1),
        },
    }


def _mounts() -> Mapping[str, Any]:
    """Return the figures of mounts, and what their size makes of wounds."""
    words, arms = prints().wounds, catalogue.catalogue().arms
    criticals = {die: converted(WoundResult.CRITICAL, WoundTable.LARGE, die) for die in range(1, 7)}
    kills = [die for die, result in criticals.items() if result is WoundResult.CRITICAL]
    return {
        "mount": arms.mounts["horse"],
        "light": words[converted(WoundResult.LIGHT, WoundTable.LARGE)],
        "grievous": words[converted(WoundResult.GRIEVOUS, WoundTable.LARGE)],
        "critical": words[criticals[1]],
        "killed": min(kills),
    }


def _shots(rules: HouseRules) -> Mapping[str, int]:
    """Return what each circumstance adds to a shot, which nothing else changes."""
    bow, plain = missile("bow"), Shot(FAR)
    shots: Mapping[str, tuple[Combatant, Combatant, Shot]] = {
        "near": (ARCHER, ARCHER, Shot(3)),
        "far": (ARCHER, ARCHER, Shot(24)),
        "farther": (ARCHER, ARCHER, Shot(36)),
        "farthest": (ARCHER, ARCHER, Shot(48)),
        "engaged": (ARCHER, ARCHER, Shot(FAR, target_engaged=True)),
        "large": (ARCHER, LARGE, plain),
        "moved": (ARCHER, ARCHER, Shot(FAR, moved_short=True)),
        "wounded": (WOUNDED, ARCHER, plain),
        "light": (ARCHER, ARCHER, Shot(FAR, cover=Cover.LIGHT)),
        "medium": (ARCHER, ARCHER, Shot(FAR, cover=Cover.MEDIUM)),
        "heavy": (ARCHER, ARCHER, Shot(FAR, cover=Cover.HEAVY)),
        "aimed": (ARCHER, ARCHER, Shot(FAR, aimed_last_turn=True)),
        "mounted": (RIDER, ARCHER, plain),
        "wind": (ARCHER, ARCHER, Shot(FAR, wind=True)),
        "twice": (ARCHER, ARCHER, Shot(FAR, twice=True)),
    }
    amounts = {
        name: total(shooting_modifiers(shooter, target, bow, shot, rules))
        for name, (shooter, target, shot) in shots.items()
    }
    inaccurate = shooting_modifiers(ARCHER, ARCHER, missile("matchlock"), Shot(24), rules)
    return {**amounts, "inaccurate": total(inaccurate) - amounts["far"]}


def _morale(rules: HouseRules) -> Mapping[str, int]:
    """Return what each state of a warband adds to its Morale Test."""
    whole = WarbandInBattle(rating=7, start=20, strength=20)

    def amount(**changes: Any) -> int:
        changed = msgspec.structs.replace(whole, **changes)
        modifiers: tuple[Modifier, ...] = morale_modifiers(changed, rules)
        return total(modifiers)

    return {
        "half": amount(strength=9),
        "quarter": amount(strength=4),
        "wavering": amount(morale=Morale.WAVERING),
        "commander": amount(commander=True),
    }
