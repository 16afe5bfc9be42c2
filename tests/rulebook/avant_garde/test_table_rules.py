"""Things on the table: pips within command range, bridges, towns, fires, support by nation,
objectives."""

import dataclasses

import pytest
from msgspec.structs import replace

from rulebook.systems.avant_garde import melee
from rulebook.systems.avant_garde.book import book, figures
from rulebook.systems.avant_garde.events import STEPS
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, begun
from tests.rulebook.avant_garde.test_table import offered, seen


def at_state(field, state):
    """Put a battle into a state that no log would reach."""
    field.play = dataclasses.replace(field.play, state=state)


def test_the_commander_in_chief_gives_pips_only_within_his_command_range():
    field = Field().tell("turn", dice=PIPS)
    kwargs = {"fighter": "red-marshal", "to": "red-general", "number": 1}
    assert field.refused("pips", **kwargs, away=9) == ["beyond-command-range"]
    assert field.refused("pips", **kwargs, away=8) == []


@pytest.mark.parametrize(
    ("formation", "codes"),
    [("line", ["not-over-a-bridge"]), ("march", []), ("column", ["not-over-a-bridge"])],
)
def test_infantry_crosses_a_bridge_in_march_column(formation, codes):
    field = begun()
    if formation != "line":
        field.tell("form", fighter="red-line", formation=formation)
    assert field.refused("move", fighter="red-line", bridge=True) == codes


def test_guns_cross_a_bridge_limbered():
    field = begun()
    assert "not-over-a-bridge" in field.refused("move", fighter="red-guns", bridge=True)
    field.tell("form", fighter="red-guns", formation="limbered")
    assert "not-over-a-bridge" not in field.refused("move", fighter="red-guns", bridge=True)


def test_a_unit_that_enters_a_town_does_not_fire_in_that_turn():
    field = begun().tell("move", fighter="red-line", enters=True).tell("move", fighter="red-guard")
    kwargs = {"target": "blue-line", "front": 3, "inches": 4}
    assert field.refused("fire", fighter="red-line", **kwargs) == ["has-entered"]
    assert field.refused("fire", fighter="red-guard", **kwargs) == []
    field.tell("end").tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    assert field.refused("fire", fighter="red-line", **kwargs) == []


def test_nobody_enters_a_town_with_the_reserves():
    field = begun().tell("form", fighter="red-line", formation="march")
    reserve = STEPS.index("reserve")
    at_state(field, replace(field.play.state, step=reserve, last_step=reserve))
    assert field.refused("move", fighter="red-line", enters=True) == ["no-town-in-reserve"]
    assert field.refused("move", fighter="red-line") == []


def test_who_is_in_a_burning_building_tests_two_worse():
    for burning, order in ((False, "good"), (True, "disordered")):
        field = begun().tell("panic", fighter="red-line", why="other", burning=burning, dice=[3, 4])
        assert field.of("red-line").order == order
    (sums,) = field.play.outcome().sums
    assert -2 in [line.amount for line in sums.lines]


def test_a_charge_that_is_stopped_halts_an_inch_away():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    shots = {"range": [3], "shots": [6] * 8, "kills": [6] * 8}
    field.tell("reaction", fighter="blue-line", answer="stand-and-shoot", front=12, **shots)
    field.tell("test", fighter="red-line", dice=BAD)
    assert f"It halts {figures('charge')['halts_at']} inch from its target." in field.told


@pytest.mark.parametrize(
    ("nation", "formation", "arm", "beside", "supports"),
    [
        ("any", "column", "infantry", "line", True),
        ("any", "line", "infantry", "march", False),
        ("lines", "line", "infantry", "line", True),
        ("lines", "line", "infantry", "bent-line", True),
        ("lines", "column", "infantry", "column", False),
        ("lines", "line", "infantry", "column", False),
        ("like", "column", "infantry", "column", True),
        ("like", "column", "infantry", "line", False),
        ("ally", "line", "infantry", "line", True),
        ("ally", "column", "infantry", "column", False),
        ("lines", "column", "infantry", "square", True),
        ("lines", "column", "cavalry", "cavalry-line", True),
        ("lines", "column", "artillery", "unlimbered", True),
        ("any", "line", "infantry", "skirmish", False),
    ],
)
def test_flank_support_is_by_nation_and_formation(nation, formation, arm, beside, supports):
    """Ruling N-H11: ``ally`` is a minor nation on its own."""
    assert melee.supports(nation, formation, arm, beside) == supports


def test_every_nation_has_flank_support_rule():
    assert {each.support for each in book().nation.values()} == {"any", "lines", "like", "ally"}


def test_a_fight_offers_only_those_who_may_support_and_counts_them():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    state = field.play.state.changed("blue-guard", formation="column").changed(
        "blue-militia", order="broken"
    )
    at_state(field, state)
    by_key = {each.key: dict(each.choices) for each in offered(field, "red-line")["melee"].fields}
    assert {"red-guard", "red-guns", "red-hussars"} <= {*by_key["supporters"]}
    assert "red-marshal" not in by_key["supporters"]
    assert not {"blue-guard", "blue-militia"} & {*by_key["target_supporters"]}
    kwargs = {"front": 1, "target_front": 1, "blows": [6], "wounds": [6], "target_blows": []}
    refused = field.refused("melee", fighter="red-line", **kwargs, target_supporters=["blue-guard"])
    assert refused == ["no-support"]
    field.tell("melee", fighter="red-line", **kwargs, supporters=["red-guard"])
    score = next(each for each in field.play.outcome().sums if each.title == "Score of Reds line")
    assert "both flanks supported" in [line.reason for line in score.lines]


def test_a_location_is_taken_by_an_unbroken_unit_of_that_side():
    field = begun().tell("loss", fighter="red-line", order="broken")
    kwargs = {"name": "The mill", "side": "red"}
    for by in ("red-line", "blue-line", "red-general"):
        assert field.refused("location", **kwargs, by=by) == ["holds-no-location"]
    field.tell("loss", fighter="red-guard", figures=13)
    assert field.of("red-guard").shaken
    assert field.tell("location", **kwargs, by="red-guard").play.state.locations == {
        "The mill": "red"
    }
    assert field.refused("location", name="The inn") == []


def test_the_form_of_a_location_says_how_near():
    by_key = {each.key: each.help for each in offered(begun(), "")["location"].fields}
    assert by_key["by"] == "Unbroken and within 4″, with no enemy within 6″."


def test_objectives_are_a_die_of_three_and_one_and_a_toss_says_who_places_first():
    """Ruling N-W4."""
    field = Field().tell("objectives", dice=[3], toss=[2, 2, 5, 6])
    assert field.told[0] == "Blues places the first of 4, then the sides in turn (Ruling N-W4)."
    assert field.refused("objectives", dice=[1], toss=[1, 2]) == ["already"]
    assert Field().refused("objectives", dice=[1], toss=[2, 2]) == ["objectives-toss"]
    assert Field().refused("objectives", dice=[4], toss=[1, 2]) == ["no-such-face"]
    assert begun().refused("objectives") == ["battle-began"]
    assert {"objectives"} <= {*offered(Field(), "")}
    assert "objectives" not in offered(begun(), "")


def test_formations_tell_who_is_pinned_by_the_figure_of_the_slide():
    by_key = {each.key: each.label for each in offered(begun(), "red-line")["form"].fields}
    assert by_key["near"] == "Enemies within 8″ have it in their charge arc"
    assert seen(begun()).turn == 1
