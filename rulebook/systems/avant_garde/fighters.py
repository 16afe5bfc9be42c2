"""Battalions, regiments, batteries and commanders as they are built, and the figures that the
tables give them.

Slides 5, 19, 25, 38 to 40. Rulings N-P3 to N-P6, N-P9, N-C1, N-C2, N-M10, N-A3.
"""

from functools import lru_cache
from math import ceil
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from rulebook.calculators.questions import field_of
from rulebook.systems.avant_garde.book import (
    ARMS,
    HOUSE_RULES,
    Arm,
    Grade,
    HouseRules,
    Nation,
    Rating,
    Settled,
    book,
    figures,
    problem,
    read_data,
)
from rulebook.values.fields import Field, read_fields, read_object
from rulebook.values.problems import RulesError, find, join_names, shown, unknown
from rulebook.values.rosters import BuildData, Condition

USUAL = HOUSE_RULES.usual
CALIBRES = ("light", "medium", "heavy", "howitzer")


Row = TypeVar("Row", bound=Settled)


class Fighter(Struct, frozen=True):
    """One row of an army: the canonical form of a build, whose profile is the ``arm``.

    ``figures`` counts a battalion or regiment, ``skirmishers`` come on top (N-P6);
    ``stand`` is how many share a base (N-V12). ``mount`` is a kind of cavalry, ``firearm`` what
    riders shoot with. ``light_infantry`` deploys skirmishers, a ``skirmishing`` regiment may. The
    four calibres count guns, ``horse`` ones or foot. ``rating`` is a commander's. ``brigade`` names
    the one that a unit belongs to, or that a commander leads.
    """

    arm: Arm = field(default="infantry", name="profile")
    grade: str = "line"
    brigade: str = ""
    figures: int = 24
    skirmishers: int = 0
    rifles: bool = False
    light_infantry: bool = False
    colours: bool = True
    stand: int = 4
    mount: str = "light"
    lance: bool = False
    cossacks: bool = False
    skirmishing: bool = False
    firearm: str = ""
    light: int = 0
    medium: int = 0
    heavy: int = 0
    howitzer: int = 0
    horse: bool = False
    rating: str = "competent"

    @property
    def guns(self) -> int:
        """Return the guns of a battery, of all calibres."""
        return self.light + self.medium + self.heavy + self.howitzer

    @property
    def strength(self) -> int:
        """Return its figures at full strength: skirmishers included, for a battery its crew (N-A3).

        None for a commander.
        """
        if self.arm == "artillery":
            return self.guns * figures("artillery")["crew"]
        return 0 if self.arm == "commander" else self.figures + self.skirmishers

    @property
    def of_calibre(self) -> dict[str, int]:
        """Return how many guns of each calibre it has, without those of which it has none."""
        return {key: getattr(self, key) for key in CALIBRES if getattr(self, key)}

    @property
    def weapon(self) -> str:
        """Return the key of the small arm that it shoots with, "" without one."""
        if self.arm != "infantry":
            return self.firearm
        return "rifle" if self.rifles else "musket"


def grade_of(fighter: Fighter, rules: HouseRules = USUAL) -> Grade:
    """Return the grade of a unit with what the club settled of it (N-P3 to N-P5, N-M10).

    Commanders have none: KeyError.
    """
    return _grade(fighter.arm, fighter.grade, rules)


@lru_cache(maxsize=1024)
def _grade(arm: str, key: str, rules: HouseRules) -> Grade:
    grade = settled(book().grades(arm)[key], rules)
    if rules.guard_morale == "stats" and grade.sheet_morale:
        return replace(grade, morale=grade.sheet_morale)
    return grade


def rating_of(fighter: Fighter, rules: HouseRules = USUAL) -> Rating:
    """Return the rating of a commander with what the club settled of it (N-P1, N-C1, N-C2); None:
    not in the source."""
    return settled(book().rating[fighter.rating], rules)


def settled(row: Row, rules: HouseRules) -> Row:
    """Return a row of a table with what the club settled of it."""
    return replace(row, **{field: getattr(rules, rule) for field, rule in row.settled.items()})


def nation_of(key: str) -> Nation:
    """Return the rules of a nation; of one that has none, those that hold for all. Slide 35."""
    return book().nation.get(key, Nation("", ""))


def is_drilled(fighter: Fighter, nation: str, rules: HouseRules = USUAL) -> bool:
    """Return whether it may change formation for free.

    It may by its grade, or as French infantry that is not raw, but for 1813 and 1814.
    """
    grade = grade_of(fighter, rules)
    french = nation_of(nation).drilled and rules.year not in (1813, 1814)
    return grade.drilled or (french and fighter.arm == "infantry" and not grade.raw)


def one_change(fighter: Fighter, nation: str, rules: HouseRules = USUAL) -> bool:
    """Return whether it may only either move or change formation in a phase.

    These are raw troops, and infantry of some nations up to some year.

    Slides 7 and 35. Where the year is lost, only by one that is set: ruling N-V9.
    """
    country = nation_of(nation)
    limit = getattr(rules, country.year, None)
    early = country.one_change == "year" and before(rules.year, limit, included=country.year_counts)
    bound = country.one_change == "always" or early
    return grade_of(fighter, rules).raw or (bound and fighter.arm == "infantry")


def can_skirmish(fighter: Fighter) -> bool:
    """Return whether a regiment may take skirmish order: if it paid for that, or is of Cossacks.
    Slides 24 and 38."""
    return fighter.arm == "cavalry" and (fighter.skirmishing or fighter.cossacks)


def before(year: int | None, limit: int | None, *, included: bool = False) -> bool:
    """Return whether a year is not after another; False where the club has not set both. Ruling
    N-V9."""
    return year is not None and limit is not None and year < limit + included


def four_dice(fighter: Fighter, nation: str, rules: HouseRules = USUAL) -> bool:
    """Return whether it throws four dice for three figures.

    These are line infantry of Britain and, if that is played so, of Portugal.
    """
    plays = nation != "portugal" or rules.portuguese_fire == "four-dice"
    return (
        nation_of(nation).four_dice
        and plays
        and fighter.arm == "infantry"
        and not fighter.light_infantry
    )


def easier_need(fighter: Fighter, nation: str, formation: str, rules: HouseRules = USUAL) -> int:
    """Return what its nation takes off the number that it needs to hit, 1 or 0. Slide 35. Ruling
    N-V9."""
    if nation == "russia" and fighter.arm == "artillery":
        return int(before(rules.year, rules.russian_guns_before))
    line = nation == "portugal" and formation == "line" and rules.portuguese_fire == "easier"
    return int(line and not fighter.light_infantry)


def build_fields(arm: str) -> tuple[Field, ...]:
    """Return what a row of this arm is asked for, enough to draw a form. Raise RulesError for an
    unknown arm."""
    find(ARMS, arm, "profile", "profile")
    tables = book()
    tables_of_arm = {"grade": tables.grades(arm), "mount": tables.mount, "rating": tables.rating}
    choices = {
        table: tuple((key, each.name) for key, each in rows.items())
        for table, rows in tables_of_arm.items()
    }
    fields = []
    for row in read_data("builds")["field"]:
        if arm in row["arms"]:
            description = {key: value for key, value in row.items() if key != "arms"}
            fields.append(field_of(description, choices))
    return tuple(fields)


def read_build(raw: BuildData) -> Fighter:
    """Return the build as a row of an army. Raise RulesError with everything that is wrong with
    it."""
    arm = str(read_object(raw, "A build").get("profile") or "infantry")
    kwargs = read_fields(build_fields(arm), raw, f"A build of {arm}", besides=("profile",))
    fighter = Fighter(arm, **kwargs)  # type: ignore[arg-type]
    wrong = (
        (fighter.horse and bool(fighter.heavy), "heavy-horse", "horse"),
        (fighter.cossacks and fighter.mount != "light", "heavy-cossacks", "cossacks"),
    )
    problems = [
        problem(code, field=field, value=shown(getattr(fighter, field)))
        for holds, code, field in wrong
        if holds
    ]
    if problems:
        raise RulesError(*problems)
    return fighter


def read_sent_build(raw: BuildData) -> Fighter:
    """As ``read_build``, for a build as somebody sends it, which must say its profile."""
    if read_object(raw, "A build").get("profile"):
        return read_build(raw)
    fields = {field.key for arm in ARMS for field in build_fields(arm)} | {"profile"}
    problems = [
        replace(unknown(sorted(fields), name, name, "field of a build"), value=shown(value))
        for name, value in raw.items()
        if name not in fields
    ]
    raise RulesError(*problems, problem("no-profile", field="profile", keys=join_names(ARMS, "or")))


def build_of(fighter: Fighter) -> dict[str, Any]:
    """Return the canonical build of a row: its profile, and what its arm is asked for."""
    values = {field.key: getattr(fighter, field.key) for field in build_fields(fighter.arm)}
    return {"profile": fighter.arm, **values}


def present(fighter: Fighter, condition: Condition) -> int:
    """Return the figures with which it would march today, of a battery its crew.

    What it lost in earlier battles does not count.
    """
    return max(0, fighter.strength - int(condition.get("lost", 0)))


def counted(fighter: Fighter, number: int, rules: HouseRules) -> int:
    """Return what so many figures of a unit count for in its brigade: figures, stands, or the unit
    alone.

    Ruling N-M11.
    """
    if rules.brigade_loss == "units":
        return int(number > 0)
    return ceil(number / (fighter.stand if rules.brigade_loss == "stands" else 1))


def profile_name(fighter: Fighter, rules: HouseRules) -> str:
    """Return what it is in a few words: "Veteran light infantry", "Line cuirassiers", "Guard horse
    battery"."""
    if fighter.arm == "commander":
        return f"{rating_of(fighter, rules).name} commander"
    kind = {
        "infantry": "light infantry" if fighter.light_infantry else "infantry",
        "cavalry": "Cossacks" if fighter.cossacks else book().mount[fighter.mount].name.lower(),
        "artillery": "horse battery" if fighter.horse else "foot battery",
    }[fighter.arm]
    return f"{grade_of(fighter, rules).name} {kind}"
