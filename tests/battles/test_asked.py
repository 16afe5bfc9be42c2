"""The first fields that a table asks for, and actions with one tap, which never include the enemy's
fighters."""

from battles.forms.table import empty_of
from battles.selectors.table_prompts import prompts_of
from rulebook.systems.argad.table import table_view as argad_table
from rulebook.systems.wards.table import table_view as wards_table
from rulebook.values.fields import Field as Asked
from tests.rulebook.argad.field import Field as Argad
from tests.rulebook.wards.field import Field as Wards

SHOTS = (("alf", "yves"), ("carl", "yves"), ("yves", "alf"))


def test_what_can_be_done_at_once_is_done_for_one_side_alone() -> None:
    field = Argad().tell("turn")
    for shooter, target in SHOTS:
        field.tell("shot", shooter=shooter, target=target, cm=10, dice=[1])
    prompts = prompts_of(argad_table(field.tell("turn").play.state, ""))
    assert [each.who for each in prompts.open] == ["alf", "carl", "yves"]
    assert [(batch.button, batch.who, batch.side) for batch in prompts.batches] == [
        ("Reload", ("alf", "carl"), "Reds")
    ]
    assert prompts.first is not None
    assert prompts.first.do == "turn"


def test_the_way_onward_comes_first_where_nothing_has_to_be_done_and_the_rest_stays_open() -> None:
    prompts = prompts_of(wards_table(Wards().tell("turn", side="red").play.state, ""))
    assert prompts.first is not None
    assert (prompts.first.do, prompts.pressing) == ("step", False)
    assert [each.do for each in prompts.open] == ["general"] * 3
    assert prompts.later == ()


def test_what_has_to_be_done_comes_before_the_way_onward() -> None:
    field = Wards().tell("turn", side="red").tell("step", to="order")
    prompts = prompts_of(wards_table(field.play.state, ""))
    assert prompts.first is not None
    assert (prompts.first.do, prompts.pressing, prompts.open) == ("order", True, ())
    assert [each.do for phase in prompts.later for each in phase.due] == ["step"]


def test_a_tile_that_chooses_nothing_says_nobody_where_somebody_is_named() -> None:
    assert empty_of(Asked("winner", "Who has won", "side")) == "Nobody"
    assert empty_of(Asked("formation", "In close order as", "choice")) == "None of these"
