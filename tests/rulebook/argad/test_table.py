"""The table as people see it: marks, what is due, and actions that the log takes."""

from rulebook.systems.argad.table import actions, table_view
from tests.rulebook.argad.field import Field


def seen(field, who=""):
    return table_view(field.play.state, who)


def offered(field, who):
    return {each.kind: each for each in actions(field.play.state, who)}


def test_before_the_first_turn_only_that_is_due():
    assert [each.do for each in seen(Field()).phases[0].due] == ["turn"]
    assert list(offered(Field(), "alf")) == ["loss"]
    assert list(offered(Field(), "")) == ["note", "turn", "muskets-out", "ended"]


def test_everybody_is_offered_what_he_can_do():
    field = Field().tell("turn")
    assert list(offered(field, "yves")) == ["shot", "move", "melee", "loss"]
    assert list(offered(field, "xaver")) == ["move", "melee", "loss"]
    assert offered(field, "red") == {}


def test_an_action_asks_for_the_enemies_who_stand_and_for_dice_apart():
    field = Field().tell("turn").tell("loss", fighter="zeno")
    fields = {each.key: each for each in offered(field, "alf")["shot"].fields}
    assert [key for key, _ in fields["target"].choices] == ["xaver", "yves"]
    assert {fields[key].group for key in ("target", "cm", "circumstances")} == {""}
    assert fields["dice"].group == "dice"
    assert fields["volley"].group == "more"
    assert "thrown" not in fields


def test_what_was_done_is_marked_and_a_hurdle_says_what_speaks_against_it():
    field = (
        Field()
        .tell("turn")
        .tell("move", fighter="yves")
        .tell("shot", shooter="yves", target="alf", cm=10, dice=[1])
    )
    marks = {each.id: [mark.text for mark in each.marks] for each in seen(field).fighters}
    assert marks["yves"] == ["1 to reload", "Moved", "Shot"]
    assert offered(field, "yves")["move"].hurdle == "moved, shot"
    assert offered(field, "yves")["shot"].hurdle == "not loaded"
    assert offered(field, "yves")["reload"].hurdle == "moved, shot"


def test_the_likeliest_comes_first_and_what_is_unlikely_last():
    field = Field().tell("turn").tell("shot", shooter="yves", target="alf", cm=10, dice=[1])
    assert list(offered(field, "yves")) == ["melee", "shot", "reload", "move", "loss"]
    assert next(iter(offered(field.tell("turn"), "yves"))) == "reload"
    assert offered(field, "yves")["loss"].phase == "beside"


def test_a_token_says_its_weapon_once():
    shown = {each.id: (each.profile, each.weapon) for each in seen(Field().tell("turn")).fighters}
    assert all(
        weapon.lower() not in profile.lower() for profile, weapon in shown.values() if weapon
    )
    assert any(weapon for _, weapon in shown.values())
    assert any(not weapon for _, weapon in shown.values())


def test_when_one_company_is_left_the_end_is_proposed_and_nobody_to_fight_is_offered():
    field = Field().tell("turn").tell("shot", shooter="yves", target="alf", cm=10, dice=[1])
    for fighter in ("xaver", "yves"):
        field = field.tell("loss", fighter=fighter)
    assert "ended" not in [each.do for each in seen(field).phases[0].due]
    field = field.tell("loss", fighter="zeno")
    due = next(each for each in seen(field).phases[0].due if each.do == "ended")
    assert (due.sentence, due.minor) == ("No fighters left: Blues.", True)
    assert list(offered(field, "alf")) == ["move", "loss"]


def test_who_has_to_reload_is_reminded():
    field = (
        Field()
        .tell("turn")
        .tell("shot", shooter="yves", target="alf", cm=10, dice=[1])
        .tell("turn")
    )
    assert [(each.who, each.do) for each in seen(field).phases[0].due] == [
        ("yves", "reload"),
        ("", "turn"),
    ]


def test_sides_show_heads_and_classes_and_no_points():
    field = Field().tell("loss", fighter="zeno")
    blue = seen(field).sides[1]
    assert (blue.strength, blue.fielded, blue.victory_points) == (2, 3, 0)
    assert blue.marks[0].text == "Class 6 of 11"


def test_after_the_end_nothing_is_due_and_only_a_note_is_offered():
    field = Field().tell("ended", winner="red")
    assert seen(field).phases[0].due == ()
    assert list(offered(field, "")) == ["note"]
    assert offered(field, "alf") == {}


def test_every_action_that_is_offered_is_taken_or_refused_by_a_named_rule():
    field = Field().tell("turn")
    for who in field.play.state.combatants:
        for each in actions(field.play.state, who):
            choices = {
                form_field.key: form_field.choices[0][0]
                for form_field in each.fields
                if form_field.required and form_field.choices
            }
            data = {**each.given, **choices, **({"cm": 10} if each.kind == "shot" else {})}
            assert set(field.refused(each.kind, **data)) <= {"out-of-range"}


def test_choice_says_that_both_sides_act_in_any_order():
    assert seen(Field()).choice == ""
    field = Field().tell("turn")
    assert seen(field).choice == "Both sides act, in any order."
    assert seen(field.tell("ended")).choice == ""
