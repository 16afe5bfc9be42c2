"""A company's roster: builds in their one form, what is wrong with them, and what a card shows.

The sheet has no points: two companies are compared by heads and by the total of their classes
(Ruling A-G3).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from rulebook.systems.argad.book import (
    GONE,
    NO_FIREARM,
    Firearm,
    HouseRules,
    book,
    problem,
    read_data,
    settled,
)
from rulebook.systems.argad.fighters import MOVEMENT, Fighter, base_cm
from rulebook.systems.argad.melee import MODIFIERS, Contender
from rulebook.systems.argad.quick_reference import quick_reference
from rulebook.systems.argad.shooting import FIREARMS
from rulebook.values import rosters
from rulebook.values.fields import Choices, Field, read_fields
from rulebook.values.problems import Problem, RulesError
from rulebook.values.reference import TableSection
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Characteristic,
    Condition,
    Fate,
    Item,
    Price,
    Roster,
    Sheet,
)

MOST = 20
"""The boxes of a roster on which nobody stands yet."""


def build_fields(settings: HouseRules) -> tuple[Field, ...]:
    """Return what a character is asked for, enough to draw a form."""
    tables, highest = book(), settings.highest_class
    lengths = (("", "As suggested"), *tables.lengths)
    return (
        Field("class", "Class", "number", False, least=1, most=highest, default=3),
        Field("clothing", "Clothing", "choice", False, _choices(tables.clothing), default="light"),
        Field("mount", "Mount", "choice", False, _choices(tables.mount), default="foot"),
        Field("firearm", "Firearm", "choice", False, _choices(tables.firearm), default=NO_FIREARM),
        Field("weapon", "Melee weapon", "choice", False, _choices(tables.weapon), default="sword"),
        Field(
            "length",
            "Its length",
            "choice",
            False,
            lengths,
            "Only where it is not as suggested (A-M1).",
        ),
        Field("trained", "Trained to receive cavalry with a pole weapon", "flag", False),
        Field("close_order", "In a close order formation", "flag", False),
        Field("group", "Group", "text", False, help="The group of the fighter.", most=60),
        Field("role", "Role", "text", False, help="Who the fighter is, in a few words.", most=60),
    )


def profile_field() -> Field:
    """Return the only profile, which a build may name."""
    ((profile,),) = (each["profiles"] for each in read_data("company")["factions"])
    return Field(
        "profile",
        "Profile",
        "choice",
        False,
        ((profile["key"], profile["name"]),),
        default=profile["key"],
    )


def _choices(entries: Mapping[str, Any]) -> Choices:
    return tuple((key, each.name) for key, each in entries.items())


def read_build(raw: BuildData, settings: HouseRules) -> Fighter:
    """Return the build as a fighter; there is only one profile.

    Raise RulesError with everything that is wrong with it.
    """
    values = read_fields((profile_field(), *build_fields(settings)), raw, "A character")
    values.pop("profile")
    fighter = Fighter(values.pop("class"), **values)
    if problems := tuple(_at_odds(fighter)):
        raise RulesError(*problems)
    return fighter


def _at_odds(fighter: Fighter) -> Iterator[Problem]:
    """Yield what does not go together. Ruling A-V7."""
    clothing = book().clothing[fighter.clothing]
    checks = (
        (clothing.key not in book().mount[fighter.mount].move, "clothing-not-mounted", "clothing"),
        (fighter.firearm == "musket" and not fighter.on_foot, "musket-mounted", "firearm"),
        (fighter.close_order and not fighter.on_foot, "rides-in-close-order", "close_order"),
    )
    for wrong, name, field in checks:
        if wrong:
            yield problem(name, field=field, value=getattr(fighter, field), clothing=clothing.name)


def characteristics(fighter: Fighter, settings: HouseRules) -> tuple[Characteristic, ...]:
    """Return the figures of a card: class, armour, the total that kills, centimetres by ground,
    turns of reloading."""
    weak = ""
    if fighter.class_ <= 2:
        # Class 1 is as weak in melee by house rule alone.
        in_melee = fighter.class_ == 2 or (fighter.class_ == 1 and settings.class_one_in_melee)
        weak = "-1 when shooting and in melee" if in_melee else "-1 when shooting"
    above = "armour above class" if fighter.armour > fighter.class_ else ""
    armour = book().clothing[fighter.clothing].mark or fighter.armour or "–"

    # A total above both class and armour kills. Sheet: "Melee".
    kill = max(fighter.class_, fighter.armour)
    cm, dice = base_cm(fighter), book().mount[fighter.mount].dice
    figures: list[tuple[str, str, str, object, str, str]] = [
        ("class", "Class", "Cl", fighter.class_, weak, 'Sheet: "Melee"'),
        ("armour", "Armour", "Ar", armour, "", "Ruling A-V1"),
        ("killed-by", "Killed by", "Kill", f"{kill + 1}+", above, 'Sheet: "Melee"'),
        ("open", "Move in the open", "Open", f"{cm} cm", "", MOVEMENT),
        ("difficult", "Move in difficult ground", "Diff", f"{cm} - {dice}D6 cm", "", MOVEMENT),
        (
            "very-difficult",
            "Move in very difficult ground",
            "Very",
            f"{cm // 2} - {dice}D6 cm",
            "",
            MOVEMENT,
        ),
    ]
    if turns := book().firearm[fighter.firearm].reload:
        figures.append(("reload", "Reloading", "Load", turns, "turns, immobile", "Ruling A-S13"))
    return tuple(
        Characteristic(key, label, short, str(value), note, rule)
        for key, label, short, value, note, rule in figures
    )


def equipment(fighter: Fighter, settings: HouseRules) -> tuple[Item, ...]:
    """Return what he wears, rides and carries, each with what it does in a few words."""
    tables, gun = book(), book().firearm[fighter.firearm]
    mount, weapon = tables.mount[fighter.mount], tables.weapon[fighter.weapon]
    items = [Item(fighter.clothing, tables.clothing[fighter.clothing].name, "clothing")]
    if not fighter.on_foot:
        items.append(Item(mount.key, mount.name, "mount"))
    if gun.bands:
        shots = "; ".join(to_hit(gun, volley=fighter.close_order))
        items.append(Item(gun.key, gun.name, "firearm", shots, FIREARMS))
    items.append(
        Item(weapon.key, weapon.name, "weapon", weapon_note(fighter, settings), "Ruling A-M1")
    )
    return tuple(items)


def attributes(fighter: Fighter) -> tuple[Item, ...]:
    """Return what he has learnt, with what it does."""
    if not fighter.trained:
        return ()
    note = "1 added with a pole weapon when he waits immobile on foot for a mounted charge"
    return (Item("trained", "Trained to receive cavalry", "attribute", note, MODIFIERS),)


def weapon_note(fighter: Fighter, settings: HouseRules) -> str:
    """Return the length of his melee weapon, and the rule for a pike. Ruling A-M13."""
    if fighter.weapon == "pike" and not fighter.close_order:
        return "strikes first, then a sword (short) after the first turn"
    return f"length: {book().lengths[Contender(fighter).length(settings)][1].lower()}"


def to_hit(gun: Firearm, *, volley: bool = False) -> Iterator[str]:
    """Yield what each band needs, for a card: "0–10 cm 5+ (-1 at armour 5)"."""
    nearest = 0
    for band in (volley and gun.volley) or gun.bands:
        armour = {0: "", 4: " (-1 at armour 4, 5)", 5: " (-1 at armour 5)"}[band.armour_from]
        # The dice show 7 at most: beyond it only the +1 against a group hits. Ruling A-S2.
        need = f"({band.need})" if band.need > 7 else f"{band.need}+"
        yield f"{nearest}–{band.at_most} cm {need}{armour}"
        nearest = band.at_most


def profile_name(fighter: Fighter) -> str:
    """Return who he is: his role, or how he is armed."""
    gun, weapon = book().firearm[fighter.firearm], book().weapon[fighter.weapon]
    named = gun if gun.bands else weapon
    armed = (
        named.name
        if fighter.on_foot
        else f"{book().mount[fighter.mount].name}: {named.name.lower()}"
    )
    return fighter.role or armed


def sheet(build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED) -> Sheet:
    """Return everything that a card prints."""
    settings = settled(terms.settings)
    fighter = read_build(build, settings)
    figures, carried = characteristics(fighter, settings), equipment(fighter, settings)
    arms = tuple(
        {"name": each.name, "range": "", "rules": each.note} for each in carried if each.note
    )
    named = profile_name(fighter)
    learnt, shown = attributes(fighter), looks(fighter)
    return Sheet(
        "character",
        named,
        fighter.class_,
        0,
        Price(0),
        figures,
        carried,
        learnt,
        weapons=arms,
        looks=shown,
    )


def looks(fighter: Fighter) -> tuple[str, ...]:
    """Return what a silhouette shows: the mount, the hat, the firearm or else the weapon."""
    prints = read_data("prints")["looks"]
    carried = prints["firearm"].get(fighter.firearm) or prints["weapon"].get(fighter.weapon, "")
    mount = "" if fighter.on_foot else "mounted"
    hat = prints["hat"].get(fighter.clothing, "brim")
    return tuple(filter(None, (mount, hat, carried)))


def roster_boxes(roster: Roster, group: str = "") -> tuple[rosters.TickBoxes, ...]:
    """Return a box for each head: the sheet has neither Morale nor a number of turns (A-G2)."""
    if group:
        return ()
    heads = sum(fighter.fate in (Fate.FIT, Fate.RECOVERING) for fighter in roster.fighters)
    boxes = ("",) * (heads or MOST)
    return (rosters.TickBoxes("losses", "Losses", boxes),)


def roster_tables(roster: Roster) -> tuple[TableSection, ...]:
    """Return the quick reference: shots, blows, lengths of weapons, difficult ground."""
    return quick_reference(settled(roster.terms.settings))


def tick_boxes(
    build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
) -> tuple[rosters.TickBoxes, ...]:
    """Return the turns of reloading that he has done, whether his musket is out for the day, and
    his end."""
    gun = book().firearm[read_build(build, settled(terms.settings)).firearm]
    return _boxes(gun.reload, int(gun.key == "musket"))


def blank_boxes(build: BuildData, terms: CampaignTerms) -> tuple[rosters.TickBoxes, ...]:
    """Return the boxes for the slowest firearm: on a blank sheet any fighter may have one."""
    return _boxes(max(gun.reload for gun in book().firearm.values()), 0)


def _boxes(reload: int, musket: int) -> tuple[rosters.TickBoxes, ...]:
    left = tuple(word.capitalize() for word in GONE.values())
    boxes = []
    for key, label, count in (("reload", "Reloaded", reload), ("fouled", "Musket out", musket)):
        if count:
            boxes.append(rosters.TickBoxes(key, label, ("",) * count))
    return (*boxes, rosters.TickBoxes("gone", "", left))


@cache
def ready_builds() -> Mapping[str, rosters.ReadyBuild]:
    """Return the builds that can be recruited with one tap, by their keys."""
    rows = convert(read_data("ready")["ready"], tuple[rosters.ReadyBuild, ...])
    return {each.key: each for each in rows}


def fill_choices(roster: Roster) -> Iterator[tuple[BuildData, ...]]:
    """Yield who can join next when a company is filled: a captain, then an even mix of arms.

    Those who serve already count as part of the mix.
    """
    plan, ready, rules = read_data("ready")["fill"], ready_builds(), settled(roster.terms.settings)
    serving = [
        read_build(each.build, rules)
        for each in roster.fighters
        if each.fate in (Fate.FIT, Fate.RECOVERING)
    ]
    captain = ready[plan["leader"]].build
    if all(each.class_ < captain["class"] for each in serving):
        yield (captain,)
    unmatched = [replace(each, group="", role="") for each in serving]
    fighters = {key: read_build(ready[key].build, rules) for key in plan["company"]}
    # As many rounds as all who serve can take, and one more to choose from.
    for key in plan["company"] * (len(serving) + 1):
        if fighters[key] in unmatched:
            unmatched.remove(fighters[key])
        else:
            yield (ready[key].build,)


def class_total(fighters: Iterable[Fighter]) -> int:
    """Return the sum of classes: a plain count, no points value. Ruling A-G3."""
    return sum(each.class_ for each in fighters)
