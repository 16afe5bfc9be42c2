"""Setups that players can agree on themselves, and setups that cannot exist."""

from random import Random
from typing import Any

import pytest
from msgspec import to_builtins

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.table.set_up_forms import with_typed
from rulebook.systems.en_garde.table.setting_up import set_up


def typed(planned: str = "skirmish", /, **fields: Any) -> dict[str, Any]:
    roles = {"a": "attacker", "b": "defender"} if planned == "defence" else {}
    rolled = to_builtins(set_up(planned, 200, ("a", "b"), roles, Random(1)))
    return with_typed(rolled, fields)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("turns", -5, id="fewer than no turns"),
        pytest.param("turns", 31, id="a game for days"),
        pytest.param("area", [1, 1], id="a table for mice"),
        pytest.param("area", [36, 1000], id="a table for giants"),
        pytest.param(
            "terrain", {"total": 99, "large": 0, "small": 1}, id="pieces that do not add up"
        ),
        pytest.param("terrain", {"large": 0, "small": 99}, id="too many pieces"),
        pytest.param("deployment", "moon", id="a deployment unheard of"),
        pytest.param("deployment", "raid", id="another scenario's deployment"),
        pytest.param("locations", ["moon"], id="a place unheard of"),
        pytest.param("locations", ["urban", "rural", "wilderness"], id="three places"),
        pytest.param("locations", ["rural", "rural"], id="twice the same place"),
        pytest.param("reserves", "maybe", id="perhaps some reserves"),
        pytest.param("reserves", "attacker", id="another scenario's reserves"),
        pytest.param("scenario", "duel", id="another scenario"),
        pytest.param("roles", {"a": "king", "b": "warband"}, id="a role unheard of"),
        pytest.param("roles", {"a": "warband", "z": "warband"}, id="a side unheard of"),
    ],
)
def test_what_no_table_can_have_is_refused_with_its_field(field: str, value: Any):
    with pytest.raises(RulesError) as caught:
        typed(**{field: value})
    assert {problem.field.partition(".")[0] for problem in caught.value.problems} == {field}


def test_a_role_is_not_taken_by_both():
    with pytest.raises(RulesError):
        typed("defence", roles={"a": "defender", "b": "defender"})


def test_what_a_table_has_agreed_stays():
    agreed = {
        "turns": 7,
        "area": [30, 40],
        "terrain": {"large": 2, "small": 3},
        "deployment": "corners",
        "locations": ["rural", "urban"],
        "reserves": "agreed",
        "roles": {"a": "warband", "b": "warband"},
    }
    whole = typed(**agreed)
    terrain = {"large": 2, "small": 3, "total": 5}
    expected = {**agreed, "terrain": terrain, "area": (30, 40), "locations": ("rural", "urban")}
    assert {key: whole[key] for key in agreed} == expected
    assert typed("defence", roles={"a": "defender", "b": "attacker"})["roles"]["a"] == "defender"
