"""Choose a player's line-up: the Leader, the banner, and as many others as the points allow."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rulebook.ruleset import BattleSetup, FieldedFighter, FieldedSide

Page = Mapping[str, Any]


class Force(Struct, frozen=True):
    """The fighters of a line-up, and their total cost with banner and guns, in points."""

    fighters: tuple[Mapping[str, Any], ...]
    points: int

    @property
    def ids(self) -> list[str]:
        """Their ids, in the order of the roster."""
        return [fighter["id"] for fighter in self.fighters]

    @property
    def leader(self) -> str:
        """The id of their leader: the roster's Leader, or without the Leader the highest Rank."""
        able = [
            fighter for fighter in self.fighters if "leader" not in fighter["sheet"]["unfit_for"]
        ]
        return str(
            max(
                able,
                key=lambda fighter: (holds(fighter, "leader"), fighter["rank"], fighter["points"]),
            )["id"]
        )


def choose_force(warband: Page, share: Fraction, points: int) -> Force:
    """Return the strongest force within a share of the points; at most one legend (Ruling X17)."""
    left = int(points * share) - sum(line["points"] for line in warband["bought"])
    chosen: list[Mapping[str, Any]] = []
    for fighter in sorted(
        (each for each in warband["fighters"] if each["fate"] == "fit"), key=_usefulness
    ):
        legends = sum(each["rank"] == 5 for each in chosen)
        if fighter["points"] <= left and not (legends and fighter["rank"] == 5):
            chosen.append(fighter)
            left -= fighter["points"]
    order = {fighter["id"]: place for place, fighter in enumerate(warband["fighters"])}
    return Force(
        tuple(sorted(chosen, key=lambda each: order[each["id"]])), int(points * share) - left
    )


def holds(fighter: Mapping[str, Any], post: str) -> bool:
    """Return whether a fighter, of a roster or in a battle, has a warband role."""
    return any(each["key"] == post for each in fighter["posts"])


def _usefulness(fighter: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """Return a sort key: the Leader first, then the banner, then the most expensive fighters."""
    return (not holds(fighter, "leader"), not holds(fighter, "banner"), -fighter["points"])


def read_setup(
    battle: Page, warbands: Mapping[str, Page], house_rules: Mapping[str, Any]
) -> BattleSetup:
    """Return the battle's setup as the rules read it, from the API's battle and warbands."""
    return BattleSetup(
        scenario=battle["scenario"],
        sides=tuple(_side(side, warbands[side["warband"]]) for side in battle["sides"]),
        settings=house_rules,
        set_up=battle["set_up"],
        points_limit=battle["points_limit"],
    )


def _side(side: Page, warband: Page) -> FieldedSide:
    builds = {fighter["id"]: fighter["build"] for fighter in warband["fighters"]}
    return FieldedSide(
        key=side["key"],
        name=side["warband_name"],
        role=side["role"],
        faction=side["faction"],
        fighters=tuple(_fighters(side["combatants"], builds)),
        extras=warband["extras"],
        figures={figure["key"]: figure["value"] for figure in side["figures"]},
    )


def _fighters(combatants: Iterable[Page], builds: Mapping[str, Any]) -> Iterable[FieldedFighter]:
    for each in combatants:
        yield FieldedFighter(
            id=each["fighter"],
            name=each["name"],
            build=builds[each["fighter"]],
            rank=each["rank"],
            points=each["points"],
            posts=tuple(post["key"] for post in each["posts"]),
            condition=each["carried_before"],
        )
