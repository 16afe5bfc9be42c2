"""Cards of units and commanders, and their tick boxes for the table."""

from collections.abc import Iterator

from rulebook.systems.avant_garde.artillery import FIRING
from rulebook.systems.avant_garde.book import (
    HOUSE_RULES,
    NOT_IN_SOURCE,
    HouseRules,
    book,
    figures,
    read_data,
)
from rulebook.systems.avant_garde.fighters import (
    Fighter,
    four_dice,
    grade_of,
    is_drilled,
    present,
    profile_name,
    rating_of,
    read_build,
)
from rulebook.systems.avant_garde.morale import threshold
from rulebook.systems.avant_garde.movement import GUNS, gun_inches, gun_lines
from rulebook.systems.avant_garde.points import CARRIED, guns_left, has_price, price
from rulebook.values import rosters
from rulebook.values.problems import RulesError
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Characteristic,
    Condition,
    Item,
)

STAND, BLANK_LOSSES = 4, 20
"""The figures of a stand (Ruling N-V12), and the boxes for losses in a blank row."""


def sheet(
    build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
) -> rosters.Sheet:
    """Return everything that a card prints."""
    fighter, rules = read_build(build), HOUSE_RULES.settled(terms.settings)
    cost, commands = price(fighter, rules, condition), fighter.arm == "commander"
    return rosters.Sheet(
        fighter.arm,
        profile_name(fighter, rules),
        0,
        cost.points,
        cost,
        tuple(
            _leadership(fighter, rules)
            if commands
            else _numbers(fighter, terms.faction, rules, condition)
        ),
        tuple(_arms(fighter, condition)),
        tuple(_abilities(fighter, terms.faction, rules, condition)),
        unfit_for=() if commands else ("commander-in-chief", "brigade-commander"),
        looks=_looks(fighter),
    )


def _looks(fighter: Fighter) -> tuple[str, ...]:
    """Return what a silhouette shows: by arm, and lances in place of sabres."""
    seen = tuple(read_data("prints")["looks"][fighter.arm])
    return tuple("lance" if look == "sword" and fighter.lance else look for look in seen)


def _figure(key: str, value: object, note: str = "", rule: str = "") -> Characteristic:
    """Return a figure of a card with its words."""
    words = read_data("prints")["card"][key]
    return Characteristic(
        key, words["label"], words["short"], str(value), note, rule or words["rule"]
    )


def _numbers(
    fighter: Fighter, nation: str, rules: HouseRules, condition: Condition
) -> Iterator[Characteristic]:
    """Strength, morale, what brings a test, what hits and saves, and how far it moves."""
    grade, battery = grade_of(fighter, rules), fighter.arm == "artillery"
    if battery:
        guns = sum(guns_left(fighter, condition).values())
        yield _figure("guns", guns, f"of {fighter.guns}" if guns < fighter.guns else "")
    left = present(fighter, condition)
    whole = f"of {fighter.strength}" if left < fighter.strength else ""
    yield _figure("crew" if battery else "figures", left, whole)
    yield _figure("morale", grade.morale, "", grade.sources.get("morale", ""))
    taken_off = "in a phase" if grade.counted else "in a phase, not taken off the test"
    yield _figure("test", threshold(left, grade.percent), taken_off)
    if battery:
        yield _figure("fire", f"{figures('artillery')['hits_on'] - grade.skill}+", "", FIRING)
    elif fighter.weapon:
        yield _figure("fire", f"{figures('shooting')['hits_on'] - grade.skill}+")
    if not battery:
        yield _figure("fight", f"{figures('melee')['hits_on'] - grade.skill}+")
    if fighter.arm == "cavalry":
        yield _figure("save", f"{book().mount[fighter.mount].save}+")
    if fighter.guns or not battery:
        yield _figure("move", *_paces(fighter, nation, rules))


def _paces(fighter: Fighter, nation: str, rules: HouseRules) -> tuple[str, str, str]:
    """Return inches in line and column, at a canter, or limbered, where the slowest gun sets the
    pace."""
    if fighter.arm == "artillery":
        try:
            inches = gun_inches(gun_lines(fighter, nation, limbered=True, rules=rules))
        except RulesError:
            return NOT_IN_SOURCE, "", GUNS
        return f"{inches}″", "limbered", GUNS
    paces = book().formation
    if fighter.arm == "cavalry":
        return (
            f"{paces['cavalry-line'].paces['canter']}″",
            "at a canter",
            'Slide 22: "Movement rates"',
        )
    return (
        f"{paces['line'].paces['normal']}″ / {paces['column'].paces['normal']}″",
        "in line / in column",
        "",
    )


def _leadership(fighter: Fighter, rules: HouseRules) -> Iterator[Characteristic]:
    """Yield what a commander is worth; what the source has lost says so, unless the club has
    settled it."""
    rating, usual = rating_of(fighter, rules), figures("command")["influence_range"]
    lost = "Ruling N-C1" if fighter.rating == "charismatic" else ""
    within = f"within {rating.influence_range}″" if rating.influence_range != usual else ""
    rows = (
        ("leadership", rating.leadership, "", ""),
        ("pips", rating.pips, "+d", ""),
        ("influence", rating.influence, "+d", within),
        ("radius", rating.radius, "", "inches"),
    )
    for key, value, form, note in rows:
        text = format(value, form) if value else "0"
        yield _figure(key, NOT_IN_SOURCE if value is None else text, note, lost)


def _arms(fighter: Fighter, condition: Condition) -> Iterator[Item]:
    """Yield what it shoots and fights with, each with its reach."""
    if weapon := book().weapon.get(fighter.weapon):
        far = f", long beyond {weapon.long}″" if weapon.long else ""
        yield Item(
            weapon.key, weapon.name, "weapon", f"{weapon.at_most}″{far}", 'Slide 10: "Shooting"'
        )
    if fighter.arm == "cavalry":
        key, name = ("lance", "Lances") if fighter.lance else ("sabre", "Sabres")
        kills = figures("melee")["cossack_charging" if fighter.cossacks else f"{key}_charging"]
        yield Item(key, name, "weapon", f"kill on {kills}+ when charging", 'Slide 14: "Combat"')
    for key, count in guns_left(fighter, condition).items():
        if not count:
            continue
        gun = book().calibre[key]
        ball = (
            f"ball {gun.short}″, long {gun.long}″"
            if gun.short
            else f"shell {gun.shell[0]}–{gun.shell[1]}″"
        )
        note = f"canister {gun.canister}″, {gun.canister_shots} shots; {ball}"
        yield Item(
            key,
            gun.name if count == 1 else f"{count} {gun.many}",
            "gun",
            note,
            'Slide 21: "Artillery Tables"',
        )


def _abilities(
    fighter: Fighter, nation: str, rules: HouseRules, condition: Condition
) -> Iterator[Item]:
    """Yield the special abilities of a unit, its lost colours, and whether a commander has a
    price."""
    abilities: dict[str, object] = {"no-price": not has_price(fighter, rules)}
    if fighter.arm != "commander":
        grade = grade_of(fighter, rules)
        abilities |= {
            "raw": grade.raw and fighter.arm != "artillery",
            "drilled": is_drilled(fighter, nation, rules),
            "stubborn": grade.stubborn,
            "light": fighter.light_infantry,
            "skirmishers": fighter.skirmishers,
            "skirmishing": fighter.skirmishing,
            "ferocious": fighter.arm == "cavalry" and book().mount[fighter.mount].ferocious,
            "four-dice": four_dice(fighter, nation, rules),
            "colours-lost": condition.get("colours_lost"),
        }
    for key, words in read_data("prints")["ability"].items():
        if abilities.get(key):
            yield Item(key, words["name"], "attribute", words["note"], words["rule"])


def tick_boxes(
    build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
) -> tuple[rosters.TickBoxes, ...]:
    """A box for each figure that is left, and for what can happen to a unit or a commander. Strokes
    stand where a unit is shaken and where it is shattered."""
    fighter = read_build(build)
    befalls = [*read_data("prints")["boxes"][fighter.arm]]
    if fighter.colours and fighter.arm in ("infantry", "cavalry"):
        befalls.append("Colours lost")
    state = rosters.TickBoxes("state", "", tuple(befalls))
    number = present(fighter, condition)
    if not number:
        return (state,)

    # It is shaken by the first figure above its share of losses, and shattered likewise. Ruling
    # N-M6.
    rules = figures("morale")
    ends = (number * rules[f"{end}_above"] // 100 + 1 for end in ("shaken", "shattered"))
    strokes = tuple(end for end in ends if end <= number)
    left = rosters.TickBoxes(
        "figures", "Crew" if fighter.guns else "Figures", ("",) * number, strokes
    )
    return (left, state)


def blank_boxes(build: BuildData, terms: CampaignTerms) -> tuple[rosters.TickBoxes, ...]:
    """Return the boxes of a blank row: losses, with a stroke after each stand, and what can happen
    to any arm."""
    befalls = dict.fromkeys(
        word for arm in ("infantry", "cavalry") for word in read_data("prints")["boxes"][arm]
    )
    return (
        rosters.TickBoxes(
            "figures",
            "Losses",
            ("",) * BLANK_LOSSES,
            tuple(range(STAND, BLANK_LOSSES, STAND)),
        ),
        rosters.TickBoxes("state", "", tuple(befalls)),
    )


def condition_lines(
    build: BuildData, terms: CampaignTerms, condition: Condition
) -> tuple[rosters.ConditionLine, ...]:
    """Return what a unit carries from battle to battle.

    That is the figures left, and the guns and colours lost.
    """
    fighter = read_build(build)
    rows = (
        ("lost", "Strength", f"{present(fighter, condition)} of {fighter.strength}"),
        ("guns", "Guns", f"{sum(guns_left(fighter, condition).values())} of {fighter.guns}"),
        ("colours_lost", "Colours", "lost"),
    )
    return tuple(
        rosters.ConditionLine(key, label, value, CARRIED)
        for key, label, value in rows
        if condition.get(key)
    )
