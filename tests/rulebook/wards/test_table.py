"""The table as people see it: the thirteen steps, marks, what is due, and actions that the log takes."""

from rulebook.systems.wards.table import actions, table_view
from tests.rulebook.wards.field import Field

VAN, ENEMY = "red/Van", "blue/Van"


def seen(field, who=""):
    return table_view(field.play.state, who)


def offered(field, who):
    return {each.kind: each for each in actions(field.play.state, who)}


def due(field):
    return [(phase.key, each.do) for phase in seen(field).phases for each in phase.due]


def numbers(field, who):
    return next(dict(each.numbers) for each in seen(field).fighters if each.id == who)


def test_before_the_first_turn_only_that_is_due():
    assert due(Field()) == [("generals", "turn")]
    assert list(offered(Field(), "")) == ["note", "turn", "ended"]
    assert list(offered(Field(), "red-bows")) == ["loss"]


def test_the_turn_has_thirteen_steps_and_says_which_one_it_is():
    field = Field().tell("turn", side="red").tell("shoot", ward=VAN, target=ENEMY)
    phases = seen(field).phases
    assert len(phases) == 13
    assert [each.key for each in phases if each.now] == ["shooting"]


def test_at_the_end_of_a_turn_who_waits_for_a_die_is_counted_once():
    field = Field().tell("turn", side="red")
    assert due(field) == [("order", "order"), ("wards", "wards"), ("clock", "clock"), ("clock", "turn")]
    field.tell("order", dice=[1, 1])
    assert due(field) == [("wards", "wards"), ("clock", "clock"), ("clock", "turn")]
    assert due(field.tell("clock")) == [("clock", "turn")]


def test_a_general_who_is_hit_is_due_at_once_and_named_once():
    field = Field().tell("turn", side="red").tell("general", fighter="red-earl", to="red-spears")
    told = {"dice": [1] * 11, "target_dice": [5] * 10, "saves": [6] * 10, "order": [1] * 3}
    field.tell("fight", ward=VAN, target=ENEMY, **told)
    assert due(field)[0] == ("fights", "general-hit")
    assert [each for each in due(field) if each[1] == "general-hit"] == [("fights", "general-hit")]


def test_everybody_is_offered_what_his_arm_can_do():
    field = Field().tell("turn", side="red")
    assert list(offered(field, "red-duke")) == ["general", "general-hit", "loss"]
    assert list(offered(field, "red-bows")) == ["pull-in", "loss"]
    assert list(offered(field, "red-shots")) == ["pull-in", "hand-gunners", "loss"]
    assert list(offered(field, "red-culverin")) == ["gun", "gun-move", "loading", "loss"]
    assert list(offered(field, "red-knights")) == ["loss"]
    assert {"morale", "charge", "fight", "shoot", "move", "order", "arrivals", "clock"} <= set(offered(field, ""))
    assert "new-general" not in offered(field, "")


def test_a_charge_is_offered_to_cavalry_alone_and_wards_have_their_sides():
    field = Field().tell("turn", side="red")
    fields = {each.key: each for each in offered(field, "")["charge"].fields}
    assert fields["ward"].choices == (("red/Cavalry", "Cavalry (Reds)"), ("blue/Cavalry", "Cavalry (Blues)"))
    assert ("blue/Van", "Van (Blues)") in fields["target"].choices


def test_a_general_who_fell_may_be_replaced():
    field = Field().tell("turn", side="red").tell("loss", fighter="red-duke", gone="killed")
    fields = {each.key: each for each in offered(field, "")["new-general"].fields}
    assert fields["fighter"].choices == (("red-duke", "Reds duke"),)
    assert offered(field, "red-duke") == {}


def test_a_general_raises_quality_and_frontage_where_he_stands():
    field = Field().tell("turn", side="red")
    assert numbers(field, "red-levies") == {"Bases": "3½", "Frontage": "3½", "Quality": "Levy", "Save": "5+"}
    field.tell("general", fighter="red-earl", to="red-levies")
    assert numbers(field, "red-levies") == {"Bases": "3½", "Frontage": "4½", "Quality": "Retinue", "Save": "4+"}
    assert numbers(field, "red-earl") == {}


def test_marks_say_how_everybody_stands():
    field = Field().tell("turn", side="red").tell("general", fighter="red-earl", to="red-bows")
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[6] * 4, disorder=[1] * 4)
    marks = {each.id: [mark.text for mark in each.marks] for each in seen(field).fighters}
    assert marks["red-earl"] == ["With Reds bows"]
    assert marks["red-bombard"] == ["Turned by 1"]
    assert marks["blue-spears"] == ["2 casualties"]
    assert marks["red-scouts"] == ["In reserve"]


def test_sides_show_bases_and_whose_turn_it_is():
    red, blue = seen(Field().tell("turn", side="red").tell("loss", fighter="blue-bows", halves=3)).sides
    assert [each.text for each in red.marks] == ["26½ bases", "Active"]
    assert [each.text for each in blue.marks] == ["25 bases"]
    assert (blue.strength, blue.fielded, blue.victory_points) == (13, 13, 0)


def test_after_the_end_only_refits_are_offered_where_a_club_plays_them():
    field = Field(losses_stay=True, refit=True).tell("loss", fighter="red-bows", halves=2).tell("ended")
    assert due(field) == []
    assert list(offered(field, "")) == ["note"]
    assert list(offered(field, "red-bows")) == ["refit"]
    assert offered(field, "red-bills") == {}
    assert offered(Field().tell("loss", fighter="red-bows", halves=2).tell("ended"), "red-bows") == {}


def chosen_from(field, who, kind, name):
    asked = next(each for each in offered(field, who)[kind].fields if each.key == name)
    return [key for key, _ in asked.choices if key]


def test_of_one_fighter_only_friends_or_enemies_can_be_chosen():
    field = Field().tell("turn", side="red")
    joins, shot = chosen_from(field, "red-earl", "general", "to"), chosen_from(field, "red-shots", "hand-gunners", "at")
    assert "red-spears" in joins
    assert {key.partition("-")[0] for key in joins} == {"red"}
    assert not {"red-earl", "red-culverin"} & {*joins}
    assert {key.partition("-")[0] for key in shot} == {"blue"}
    assert {*chosen_from(field, "red-spears", "loss", "by")} >= {"blue-spears", "blue-duke"}
    assert chosen_from(field, "red-scouts", "pull-in", "ward")[:2] == ["red/Van", "red/Rearguard"]
    assert chosen_from(field, "red-bombard", "gun", "target")[:2] == ["blue/Van", "blue/Rearguard"]


def test_only_light_guns_are_moved_and_what_is_bare_of_a_step_stands_beside():
    field = Field().tell("turn", side="red")
    assert "gun-move" in offered(field, "red-culverin")
    assert "gun-move" not in offered(field, "red-bombard")
    assert offered(field, "red-bombard")["loss"].phase == "beside"
