"""Problems with the sides of a battle, the same in every rule system."""

from collections import Counter
from collections.abc import Iterator

from rulebook.values.battles import BattleSetup, Scenario
from rulebook.values.problems import Problem


def sides_problems(setup: BattleSetup, scenario: Scenario) -> Iterator[Problem]:
    """Roles that the scenario has not got, too many or too few in a role, sides and fighters that
    are there twice."""
    for side in setup.sides:
        if scenario.role(side.role) is None:
            role_keys = ", ".join(role.key for role in scenario.roles)
            sentence = f"{scenario.name} has no role {side.role!r}. Choose one of: {role_keys}."
            yield Problem(
                "unknown-role", sentence, field="role", value=side.role, source=scenario.source
            )
    count = Counter(side.role for side in setup.sides)
    for role in scenario.roles:
        if not role.least <= count[role.key] <= role.most:
            expected = (
                str(role.least) if role.least == role.most else f"{role.least} to {role.most}"
            )
            sentence = (
                f"{scenario.name} needs {expected} in the role of {role.name}, not "
                f"{count[role.key]}."
            )
            yield Problem("wrong-number-of-sides", sentence, field="sides", source=scenario.source)
    for key, times in Counter(side.key for side in setup.sides).items():
        if times > 1:
            yield Problem(
                "repeated-side", f"Two sides are called {key!r}.", field="sides", value=key
            )
    names = {
        fighter.id: fighter.name
        for side in reversed(setup.sides)
        for fighter in reversed(side.fighters)
    }
    for fighter, times in Counter(
        fighter.id for side in setup.sides for fighter in side.fighters
    ).items():
        if times > 1:
            yield Problem(
                "repeated-fighter",
                f"{names[fighter]} is in the line-up {times} times.",
                fighters=(fighter,),
            )
