"""What a row of an army is asked for, the build in its one form, and what it amounts to today."""

from collections.abc import Mapping
from typing import Any

from rulebook.systems.avant_garde.book import ARMS, HouseRules, book, problem
from rulebook.systems.avant_garde.fighters import CALIBRES, Fighter, grade_of, rating_of
from rulebook.values.fields import Choices, Field, read_fields
from rulebook.values.problems import RulesError, find
from rulebook.values.rosters import BuildData, Condition


def build_fields(arm: str) -> tuple[Field, ...]:
    """What a row of this arm is asked for, enough to draw a form. Raises RulesError for an unknown arm."""
    find(ARMS, arm, "profile", "profile")
    known = book()
    grade = Field("grade", "Grade", "choice", False, _choices(known.grades(arm)), default="line")
    brigade = Field("brigade", "Brigade", "text", False, help="The brigade that it belongs to.", most=40)
    stand = Field("stand", "Figures on a stand", "number", False, least=1, most=20, default=4)
    colours = Field("colours", "Colours", "flag", False, default=True)
    if arm == "commander":
        leads = "The brigade that he leads; the Commander-in-Chief leads none."
        rating = Field("rating", "Rating", "choice", False, _choices(known.rating), default="competent")
        return rating, Field("brigade", "Brigade", "text", False, help=leads, most=40)
    if arm == "artillery":
        guns = (
            Field(key, known.calibre[key].many.capitalize(), "number", False, least=0, most=12, default=0)
            for key in CALIBRES
        )
        return grade, brigade, *guns, Field("horse", "Horse artillery", "flag", False)
    if arm == "cavalry":
        firearms = (("", "None"), *((key, each.name) for key, each in known.weapon.items() if not each.foot))
        return (
            grade,
            brigade,
            Field("figures", "Figures", "number", False, least=1, most=100, default=12),
            Field("mount", "Kind", "choice", False, _choices(known.mount), default="light"),
            Field("lance", "Lances", "flag", False),
            Field("skirmishing", "Skirmish capable", "flag", False),
            Field("cossacks", "Cossacks", "flag", False),
            Field("firearm", "Firearm", "choice", False, firearms),
            colours,
            stand,
        )
    extra = "On top of the battalion, a point more for each."
    return (
        grade,
        brigade,
        Field("figures", "Figures", "number", False, least=1, most=100, default=24),
        Field("skirmishers", "Extra skirmishers", "number", False, (), extra, 0, 50, 0),
        Field("rifles", "Rifles", "flag", False, help="For all of its figures."),
        Field("light_infantry", "Light infantry", "flag", False, help="Half of it may deploy as skirmishers."),
        colours,
        stand,
    )


def _choices(entries: Mapping[str, Any]) -> Choices:
    return tuple((key, each.name) for key, each in entries.items())


def read_build(raw: BuildData) -> Fighter:
    """The build as a row of an army. Raises RulesError with everything that is wrong with it."""
    arm = str(raw.get("profile", "infantry"))
    asked = {key: value for key, value in raw.items() if key != "profile"}
    fighter = Fighter(arm, **read_fields(build_fields(arm), asked, f"A build of {arm}"))  # type: ignore[arg-type]
    wrong = (
        (fighter.horse and bool(fighter.heavy), "heavy-horse", "horse"),
        (fighter.cossacks and fighter.mount != "light", "heavy-cossacks", "cossacks"),
    )
    found = [problem(code, field=field, value=str(getattr(fighter, field))) for holds, code, field in wrong if holds]
    if found:
        raise RulesError(*found)
    return fighter


def build_of(fighter: Fighter) -> dict[str, Any]:
    """The canonical build of a row: its profile, and what its arm is asked for."""
    told = {field.key: getattr(fighter, field.key) for field in build_fields(fighter.arm)}
    return {"profile": fighter.arm, **told}


def present(fighter: Fighter, condition: Condition) -> int:
    """The figures with which it would march today, of a battery its crew: without what it lost in earlier battles."""
    return max(0, fighter.strength - int(condition.get("lost", 0)))


def profile_name(fighter: Fighter, rules: HouseRules) -> str:
    """What it is in a few words: "Veteran light infantry", "Line cuirassiers", "Guard horse battery"."""
    if fighter.arm == "commander":
        return f"{rating_of(fighter, rules).name} commander"
    light = "light " * fighter.light_infantry
    kind = {
        "infantry": f"{light}infantry",
        "cavalry": "Cossacks" if fighter.cossacks else book().mount[fighter.mount].name.lower(),
        "artillery": "horse battery" if fighter.horse else "foot battery",
    }[fighter.arm]
    return f"{grade_of(fighter, rules).name} {kind}"
