"""An army's roster: builds in their one form, what is wrong with it, its sums, and what a card
shows.

The sheet has no points and no lists: two armies are compared by their bases (Ruling W-G1).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from rulebook.systems.wards.book import (
    CAVALRY,
    GONE,
    HOUSE_RULES,
    book,
    figures,
    problem,
    quick_reference,
    read_data,
)
from rulebook.systems.wards.dice import width_dice
from rulebook.systems.wards.fighters import (
    GENERAL,
    WITHOUT_BASES,
    Fighter,
    Standing,
    bases_in_words,
    general_save,
)
from rulebook.values import rosters
from rulebook.values.fields import FALSE, Choices, Field, as_text, read_fields
from rulebook.values.problems import Problem, RulesError, shown
from rulebook.values.reference import TableSection
from rulebook.values.rosters import (
    AS_RECRUITED,
    BuildData,
    CampaignTerms,
    Characteristic,
    Condition,
    Fate,
    Roster,
)

GENERALS = 3
MOST = 12
"""The boxes of a roster on which no unit stands yet."""
TURNS, FACES, BLANK_HALVES = 12, 4, 13
"""The boxes for turns of the battle clock and for faces of a gun; half-bases of a blank row."""


def build_fields() -> tuple[Field, ...]:
    """Return what a row of an army is asked for, enough to draw a form."""
    tables = book()
    return (
        Field("arm", "What it is", "choice", False, _choices(tables.arm), default="foot"),
        Field(
            "quality",
            "Quality",
            "choice",
            False,
            _choices(tables.quality),
            "Not for Generals.",
            default="retinue",
        ),
        Field(
            "bases",
            "Bases",
            "number",
            False,
            help="Whole bases. Not for Generals and guns.",
            least=0,
            most=20,
            default=4,
        ),
        Field("half", "Plus half a base", "flag", False),
        Field(
            "ward",
            "Ward",
            "text",
            False,
            help="The Ward that the unit belongs to. Cavalry has none.",
            most=40,
        ),
        Field("place", "Where", "choice", False, tuple(tables.place.items()), default="front"),
        Field(
            "attributes", "A General's attributes", "list", False, tuple(tables.attribute.items())
        ),
        Field(
            "others",
            "Other attributes",
            "text",
            False,
            help="In your own words. They have no effect in the rules.",
            most=120,
        ),
        Field("unreliable", "Unreliable General", "flag", False),
    )


def profile_field() -> Field:
    """Return the field of the only profile, which a build can name."""
    ((profile,),) = (each["profiles"] for each in read_data("army")["factions"])
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


def read_build(raw: BuildData) -> Fighter:
    """Return the build as a unit, without what means nothing for its arm.

    Raise RulesError with everything that is wrong.
    """
    fighter, problems = _read(raw)
    if problems:
        raise RulesError(*problems)
    return fighter


def read_sent_build(raw: BuildData) -> Fighter:
    """As ``read_build``, for a build as somebody sends it: what its arm does not have is a problem
    too."""
    fighter, problems = _read(raw)
    problems += _not_for_this_arm(fighter, raw)
    if problems:
        raise RulesError(*problems)
    return fighter


def _read(raw: BuildData) -> tuple[Fighter, list[Problem]]:
    values = read_fields((profile_field(), *build_fields()), raw, "A unit of the army")
    values.pop("profile")
    fighter = Fighter(**values)
    wrong = (
        (
            not fighter.general and bool(fighter.attributes or fighter.others),
            "attributes-of-a-unit",
            "attributes",
        ),
        (fighter.unreliable and not fighter.general, "unreliable-unit", "unreliable"),
        (not fighter.general and not fighter.gun and not fighter.halves, "no-bases", "bases"),
        (fighter.arm != "cavalry" and fighter.ward == CAVALRY, "ward-of-cavalry", "ward"),
        (
            fighter.arm == "cavalry" and fighter.ward not in ("", CAVALRY),
            "cavalry-in-a-ward",
            "ward",
        ),
    )
    problems = [
        problem(name, field=field, value=getattr(fighter, field))
        for holds, name, field in wrong
        if holds
    ]
    return _settled(fighter), problems


def _settled(fighter: Fighter) -> Fighter:
    """Return the unit without what means nothing for its arm."""
    if fighter.general:
        return replace(fighter, quality="household", bases=0, half=False)
    if fighter.gun:
        return replace(fighter, bases=0, half=False)
    return replace(fighter, ward=CAVALRY) if fighter.arm == "cavalry" else fighter


def _not_for_this_arm(fighter: Fighter, raw: BuildData) -> Iterator[Problem]:
    """Yield what was sent of bases and quality and does not fit the arm. An empty field says
    nothing."""
    for field in ("bases", "half"):
        if fighter.without_bases and as_text(raw.get(field)).lower() not in ("", "0", *FALSE):
            yield problem("arm-without-bases", field=field, value=shown(raw[field]))
    quality = as_text(raw.get("quality"))
    if fighter.general and quality not in ("", fighter.quality):
        yield problem("quality-of-a-general", field="quality", value=quality)


def implied_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a change of its arm takes from a unit."""
    taken: dict[str, Any] = (
        {"bases": 0, "half": False} if changes.get("arm") in WITHOUT_BASES else {}
    )
    return {**taken, "quality": "household"} if changes.get("arm") in GENERAL else taken


def present(fighter: Fighter, condition: Condition) -> Standing:
    """Return the unit at the strength at which it would march today: without what it lost in
    earlier battles."""
    return Standing(fighter, max(0, fighter.halves - int(condition.get("lost", 0))))


def profile_name(fighter: Fighter) -> str:
    """Return what it is in two words: "Household foot", "Light gun", "General"."""
    arm = book().arm[fighter.arm].name
    return (
        arm
        if fighter.general or fighter.gun
        else f"{book().quality[fighter.quality].name} {arm.lower()}"
    )


def sheet(
    build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
) -> rosters.Sheet:
    """Return everything that a card prints."""
    fighter = read_build(build)
    prints, names = read_data("prints"), book().attribute

    # The attributes of the sheet with what it says of them, then those in the players' own words.
    keys = [*fighter.attributes]
    if fighter.unreliable:
        keys.append("unreliable")
    attributes = []
    for key in keys:
        words = prints["attribute"][key]
        attributes.append(rosters.Item(key, names.get(key, key.capitalize()), "attribute", **words))
    if fighter.others:
        attributes.append(rosters.Item("others", fighter.others, "attribute"))
    return rosters.Sheet(
        profile="unit",
        profile_name=profile_name(fighter),
        rank=0,
        points=0,
        price=rosters.Price(0),
        characteristics=tuple(_figures(fighter, present(fighter, condition))),
        attributes=tuple(attributes),
        looks=tuple(prints["looks"][fighter.arm]),
    )


def _figures(fighter: Fighter, now: Standing) -> Iterator[Characteristic]:
    if fighter.general:
        leads = f"{general_save(risked=True)}+ when he leads"
        yield Characteristic(
            "save", "Save", "Save", f"{general_save(risked=False)}+", leads, "Ruling W-S1"
        )
        return
    if not fighter.gun:
        of = f"of {bases_in_words(fighter.halves)}" if now.halves < fighter.halves else ""
        yield Characteristic(
            "bases", "Bases", "Bases", bases_in_words(now.halves), of, "Ruling W-G1"
        )
    yield Characteristic("save", "Save", "Save", f"{now.save}+", "", 'Sheet: "Saves"')
    if fighter.gun:
        shoots, rule = book().arm[fighter.arm].dice, "Artillery"
    elif fighter.arm == "hand-gunners":
        shoots, rule = now.whole, "Hand gunners"
    else:
        shoots = width_dice("shooting", now.frontage) if fighter.arm == "foot" else 0
        rule = "Shooting"
    if shoots:
        yield Characteristic("shooting", "Shooting", "Shoot", f"{shoots}D6", "", f'Sheet: "{rule}"')
    if not fighter.gun:
        fights = width_dice("fight", now.frontage)
        yield Characteristic("fight", "Fight", "Fight", f"{fights}D6", "", 'Sheet: "Fight D6"')


def tick_boxes(
    build: BuildData, terms: CampaignTerms, condition: Condition = AS_RECRUITED
) -> tuple[rosters.TickBoxes, ...]:
    """Return a box for each base that a unit has left, and for what can happen to it.

    A General and a gun have no bases; a gun has a box for each face that it is turned to load.
    """
    fighter = read_build(build)
    states = read_data("prints")["boxes"][fighter.arm]
    counted: tuple[rosters.TickBoxes, ...] = ()
    ends = ["routed"]
    if fighter.general:
        ends = ["killed", "lost"]
    elif fighter.gun:
        ends, counted = ["destroyed", "lost"], (_faces(terms),)
    else:
        counted = _bases(present(fighter, condition).halves)
    words = (*states, *(GONE[key].capitalize() for key in ends))
    return (*counted, rosters.TickBoxes("state", "", words))


def blank_boxes(build: BuildData, terms: CampaignTerms) -> tuple[rosters.TickBoxes, ...]:
    """Return the boxes for bases and for everything that can happen to a row of any arm."""
    boxes = read_data("prints")["boxes"]
    states = dict.fromkeys(word for arm in ("foot", "general") for word in boxes[arm])
    return (
        *_bases(BLANK_HALVES),
        _faces(terms),
        rosters.TickBoxes("state", "", (*states, "Gone")),
    )


def _bases(halves: int) -> tuple[rosters.TickBoxes, ...]:
    """Return a box for each base, and a last one for half a base."""
    boxes = ("",) * (halves // 2) + ("½",) * (halves % 2)
    return (rosters.TickBoxes("bases", "Bases", boxes),) if halves else ()


def _faces(terms: CampaignTerms) -> rosters.TickBoxes:
    """Return the boxes for loading a gun: as many faces as the club has settled, else four."""
    faces = HOUSE_RULES.settled(terms.settings).full_load or FACES
    return rosters.TickBoxes("faces", "Faces turned", ("",) * faces)


def roster_boxes(roster: Roster, group: str = "") -> tuple[rosters.TickBoxes, ...]:
    """Return the units that are lost; of a Ward the markers of which each makes its test of morale
    a die harder."""
    if not group:
        combatants = sum(not read_build(fighter.build).general for fighter in _serving(roster))
        boxes = ("",) * (combatants or MOST)
        return (
            rosters.TickBoxes("losses", "Units lost", boxes),
            rosters.TickBoxes("clock", "Battle clock", ("",) * TURNS),
        )
    if group == CAVALRY:
        return ()
    most = figures("morale")["casualties"]["most"]
    return (rosters.TickBoxes("casualties", "Casualties", ("",) * most),)


def roster_tables(roster: Roster) -> tuple[TableSection, ...]:
    """Return the quick reference: the steps of a turn, morale, moves, shots, fights, cavalry."""
    return quick_reference(HOUSE_RULES.settled(roster.terms.settings))


def roster_figures(roster: Roster) -> Iterator[rosters.RosterFigure]:
    """Bases by quality, foot and cavalry, and better units, as plain counts: the sheet has no
    points."""
    serving = ((read_build(each.build), each.condition) for each in _serving(roster))
    ranks = [present(fighter, condition) for fighter, condition in serving if fighter.halves]
    counted = [("bases", "Bases", ranks)]
    for key, quality in reversed(list(book().quality.items())):
        counted.append((key, quality.name, [each for each in ranks if each.fighter.quality == key]))
    for key, riders in (("foot", False), ("cavalry", True)):
        counted.append(
            (key, key.capitalize(), [e for e in ranks if (e.fighter.arm == "cavalry") == riders])
        )
    for key, label, some in counted:
        bases = bases_in_words(sum(each.halves for each in some))
        yield rosters.RosterFigure(
            key, label, bases, "Bases that march today.", "Ruling W-G1", brief=key == "bases"
        )
    better = sum(each.better for each in ranks)
    yield rosters.RosterFigure(
        "better", "Better units", better, "Broad or Household.", 'Sheet: "Better units"'
    )


def _serving(roster: Roster) -> list[Any]:
    return [each for each in roster.fighters if each.fate in (Fate.FIT, Fate.RECOVERING)]


def roster_problems(roster: Roster) -> tuple[Problem, ...]:
    """Return what an army lacks: the sheet asks for three Generals, and a Ward has a front."""
    serving = [read_build(each.build) for each in _serving(roster)]
    generals = sum(each.general for each in serving)
    problems = [problem("three-generals", have=generals)] if generals != GENERALS else []
    for ward in dict.fromkeys(each.ward for each in serving if each.ward):
        places = {each.place for each in serving if each.ward == ward and each.halves}
        if "rear" in places and "front" not in places:
            problems.append(problem("no-front", ward=ward))
    return tuple(problems)


@cache
def ready_builds() -> Mapping[str, rosters.ReadyBuild]:
    """Return the builds that can be recruited with one tap, by their keys."""
    rows = convert(read_data("ready")["ready"], tuple[rosters.ReadyBuild, ...])
    return {each.key: each for each in rows}


def fill_choices(roster: Roster) -> Iterator[tuple[BuildData, ...]]:
    """Yield what can join next when an army is filled: its Generals with a unit, then units.

    Units that serve already count as part of the mix.
    """
    plan, ready = read_data("ready")["fill"], ready_builds()
    serving = [read_build(each.build) for each in _serving(roster)]
    led = [each.ward for each in serving if each.general]
    free = [ward for ward in plan["generals"] if ward not in led]
    missing = max(0, GENERALS - len(led))
    generals = tuple({**ready["general"].build, "ward": ward} for ward in free[:missing])
    unmatched = [(each.arm, each.quality) for each in serving]
    # As many rounds as all who serve can take, and one more to choose from.
    kinds = {key: read_build(ready[key].build) for key, _, _ in plan["units"]}
    for key, ward, place in plan["units"] * (len(serving) + 1):
        kind = (kinds[key].arm, kinds[key].quality)
        if kind in unmatched:
            unmatched.remove(kind)
        else:
            yield (*generals, {**ready[key].build, "ward": ward, "place": place})
