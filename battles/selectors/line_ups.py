"""The roster for a side's line-up, and its points limit."""

from msgspec.structs import replace

from battles.chronicle_facts import played_at
from battles.models import Battle, Side
from battles.rulebook_values import ruleset_of_battle, scenario_of
from rulebook.chronicle.states import GONE, WarbandState
from rulebook.ruleset import Roster
from warbands.models import Fighter
from warbands.rulebook_values import fighter_row, read_states_at


def warband_at_battle(battle: Battle, side: Side) -> WarbandState:
    """Return a side's warband at the time of the battle, without fighters who are gone by then.

    One query, two for a late battle.
    """
    state = read_states_at([side.warband], played_at(battle))[side.warband_id]
    return replace(
        state, fighters={key: each for key, each in state.fighters.items() if each.fate not in GONE}
    )


def roster_rows(side: Side, state: WarbandState) -> list[Fighter]:
    """Return the warband's fighters, holders of posts first, then by rank. No queries."""
    held = {holder for holders in state.posts.values() for holder in holders}
    rows = (fighter_row(side.warband_id, fighter) for fighter in state.fighters.values())
    return sorted(rows, key=lambda row: (str(row.pk) not in held, -row.rank, row.place))


def points_limit(battle: Battle, side: Side) -> int | None:
    """Return the points limit of this side: its role's share of the battle's limit."""
    role = next((each for each in scenario_of(battle).roles if each.key == side.role), None)
    if battle.points_limit is None or role is None:
        return battle.points_limit
    numerator, denominator = role.force
    return battle.points_limit * numerator // denominator


def extras_points(battle: Battle, state: WarbandState) -> int:
    """Return the points of what the warband has bought as a whole. No queries."""
    return ruleset_of_battle(battle).roster_totals(Roster(state.terms, (), {})).points
