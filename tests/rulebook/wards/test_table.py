"""The table as people see it: the thirteen steps, marks, what is due, and actions that the log
takes."""

from random import Random

import pytest

from rulebook.systems.wards.log import KINDS
from rulebook.systems.wards.table import actions, table_view
from tests.rulebook.conformance import event_of, tried
from tests.rulebook.wards.field import Field

VAN, ENEMY = "red/Van", "blue/Van"


def seen(field, who=""):
    return table_view(field.play.state, who)


def offered(field, who):
    return {each.kind: each for each in actions(field.play.state, who)}


def due(field):
    return [(phase.key, each.do) for phase in seen(field).phases for each in phase.due]


def now_phase(field):
    return next(each.key for each in seen(field).phases if each.now)


def now_due(field):
    return next(each.due for each in seen(field).phases if each.now)


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


def test_the_bar_leads_through_the_steps_in_order_and_leaves_out_those_with_nothing_to_do():
    field, steps = Field().tell("turn", side="red"), []
    while (now := now_due(field))[-1].do == "step":
        assert now[-1].onward
        assert all(each.minor or each.do in ("order", "wards") for each in now[:-1])
        steps.append((now_phase(field), [each.do for each in now[:-1]]))
        field.tell("step", **offered(field, "")["step"].given)
    assert steps == [
        ("generals", ["general"] * 3),
        ("morale", ["morale"] * 2),
        ("cavalry", ["charge", "move", *["fall-back"] * 3]),
        ("pull-in", ["pull-in"] * 2),
        ("shooting", ["shoot", "shoot", "hand-gunners", "gun", "gun"]),
        ("movement", ["move", "move", "gun-move"]),
        ("fights", ["fight", "fight"]),
        ("order", ["order"]),
        ("wards", ["wards"]),
        ("loading", ["loading"] * 4),
        ("arrivals", ["arrivals", "arrivals"]),
    ]
    assert [(each.do, each.who) for each in now_due(field)] == [("clock", ""), ("turn", "blue")]


def test_nothing_of_a_later_step_is_due_in_the_first():
    field = Field().tell("turn", side="red")
    assert {phase.key for phase in seen(field).phases if phase.due} == {"generals"}


def test_an_assault_has_to_be_fought_out():
    field = (
        Field()
        .tell("turn", side="red")
        .tell("move", ward=VAN, move="assault")
        .tell("step", to="fights")
    )
    assert [(each.who, each.minor) for each in now_due(field) if each.do == "fight"] == [
        (VAN, False),
        ("red/Rearguard", True),
    ]


def test_a_step_is_reached_once_and_never_backwards():
    field = Field().tell("turn", side="red").tell("step", to="shooting")
    assert field.refused("step", to="morale") == ["step-over"]
    assert field.refused("step", to="shooting") == ["in-step"]


def test_at_the_end_of_a_turn_who_waits_for_a_die_is_counted_once():
    field = Field().tell("turn", side="red").tell("step", to="order")
    assert due(field) == [("order", "order"), ("order", "step")]
    field.tell("order", dice=[1, 1])
    assert due(field) == [("order", "step")]
    assert due(field.tell("clock")) == [("clock", "turn")]


def test_a_general_who_is_hit_is_due_at_once_and_named_once():
    field = Field().tell("turn", side="red").tell("general", fighter="red-earl", to="red-spears")
    kwargs = {"dice": [1] * 11, "target_dice": [5] * 10, "saves": [6] * 10, "order": [1] * 3}
    field.tell("fight", ward=VAN, target=ENEMY, **kwargs)
    assert due(field)[0] == ("fights", "general-hit")
    assert [each for each in due(field) if each[1] == "general-hit"] == [("fights", "general-hit")]
    assert next(iter(offered(field, "red-earl"))) == "general-hit"


def test_everybody_is_offered_what_his_arm_can_do():
    field = Field().tell("turn", side="red")
    assert list(offered(field, "red-duke")) == ["general", "loss"]
    assert list(offered(field, "red-bows")) == ["pull-in", "loss"]
    assert list(offered(field, "red-shots")) == ["pull-in", "hand-gunners", "loss"]
    assert list(offered(field, "red-culverin")) == ["gun", "gun-move", "loading", "loss"]
    assert list(offered(field, "red-knights")) == ["loss"]
    assert list(offered(field, "red")) == ["arrivals", "turn"]
    assert list(offered(field, "")) == [
        "note",
        "ended",
        "step",
        "arrows",
        "order",
        "wards",
        "clock",
        "turn",
    ]


def test_every_kind_of_a_turn_is_offered_to_somebody():
    field = Field().tell("turn", side="red").tell("loss", fighter="red-baron", gone="killed")
    view = seen(field)
    everybody = [
        "",
        *field.play.state.sides,
        *field.play.state.combatants,
        *(each.key for each in view.groups),
    ]
    kinds = {kind for who in everybody for kind in offered(field, who)}
    missing = {each.key for each in KINDS if not each.after_end} - kinds
    assert missing == {"general-hit"}, "nobody is hit"


def test_a_ward_is_offered_what_it_does_in_the_order_of_the_steps():
    field = Field().tell("turn", side="red")
    assert list(offered(field, VAN)) == ["morale", "pull-in", "shoot", "move", "fight"]
    assert list(offered(field, "red/Cavalry")) == ["charge", "move", "morale"]
    assert offered(field, "red/Cavalry")["morale"].hurdle == "cavalry belongs to no Ward"
    field.tell("step", to="shooting")
    actions = offered(field, VAN)
    assert list(actions) == ["shoot", "move", "fight", "morale", "pull-in"]
    assert {kind: each.hurdle for kind, each in actions.items() if each.hurdle} == {
        "morale": "that step is over",
        "pull-in": "that step is over",
    }


def test_ward_of_waiting_side_shows_whose_turn():
    actions = offered(Field().tell("turn", side="red"), ENEMY)
    assert (next(iter(actions)), actions["fall-back"].hurdle) == ("fall-back", "")
    assert actions["shoot"].hurdle == "it is the turn of Reds"
    assert actions["shoot"].phase == "beside"


def test_a_ward_names_enemies_to_fight_and_shoot_and_its_own_units_that_shoot():
    field = Field().tell("turn", side="red")
    for kind in ("shoot", "fight"):
        assert chosen_from(field, VAN, kind, "target") == [
            "blue/Van",
            "blue/Rearguard",
            "blue/Cavalry",
        ]
        assert "ward" not in {each.key for each in offered(field, VAN)[kind].fields}
    assert chosen_from(field, VAN, "shoot", "who") == ["red-spears", "red-bills", "red-bows"]
    assert "red-scouts" in chosen_from(field, VAN, "pull-in", "fighter")
    assert {key.partition("-")[0] for key in chosen_from(field, VAN, "pull-in", "fighter")} == {
        "red"
    }


def test_wards_are_groups_that_act_and_one_without_units_says_so():
    field = (
        Field()
        .tell("turn", side="red")
        .tell("morale", ward=VAN)
        .tell("move", ward=VAN, move="assault")
    )
    groups = {each.key: each for each in seen(field).groups}
    assert (groups[VAN].name, groups[VAN].title, groups[VAN].side) == ("Van", "Van (Reds)", "red")
    assert [each.text for each in groups[VAN].marks] == ["Steady", "Assaults"]
    field.tell("loss", fighter="red-knights", gone="routed")
    gone = next(each for each in seen(field).groups if each.key == "red/Cavalry")
    assert (gone.out, offered(field, "red/Cavalry")) == ("no unit on the table", {})


def test_a_general_who_fell_may_be_replaced():
    field = Field().tell("turn", side="red").tell("loss", fighter="red-duke", gone="killed")
    assert list(offered(field, "red-duke")) == ["new-general"]
    assert ("arrivals", "new-general") in due(field.tell("step", to="arrivals"))


def test_a_general_raises_quality_and_frontage_where_he_stands():
    field = Field().tell("turn", side="red")
    assert numbers(field, "red-levies") == {
        "Bases": "3½",
        "Frontage": "3½",
        "Quality": "Levy",
        "Save": "5+",
    }
    field.tell("general", fighter="red-earl", to="red-levies")
    assert numbers(field, "red-levies") == {
        "Bases": "3½",
        "Frontage": "4½",
        "Quality": "Retinue",
        "Save": "4+",
    }
    assert numbers(field, "red-earl") == {}


def test_marks_say_how_everybody_stands():
    field = Field().tell("turn", side="red").tell("general", fighter="red-earl", to="red-bows")
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[6] * 4, disorder=[1] * 4)
    marks = {each.id: [mark.text for mark in each.marks] for each in seen(field).fighters}
    assert marks["red-earl"] == ["Attached to Reds bows"]
    assert marks["red-bombard"] == ["Turned by 1"]
    assert marks["blue-spears"] == ["2 casualties"]
    assert marks["red-scouts"] == ["In reserve"]


def test_sides_show_bases_and_whose_turn_it_is():
    red, blue = seen(
        Field().tell("turn", side="red").tell("loss", fighter="blue-bows", halves=3)
    ).sides
    assert [each.text for each in red.marks] == ["26½ bases", "Active"]
    assert [each.text for each in blue.marks] == ["25 bases"]
    assert (blue.strength, blue.fielded, blue.victory_points) == (13, 13, 0)


def test_after_the_end_only_refits_are_offered_where_a_club_plays_them():
    field = (
        Field(losses_stay=True, refit=True).tell("loss", fighter="red-bows", halves=2).tell("ended")
    )
    assert due(field) == []
    assert list(offered(field, "")) == ["note"]
    assert list(offered(field, "red-bows")) == ["refit"]
    assert offered(field, "red-bills") == {}
    assert (
        offered(Field().tell("loss", fighter="red-bows", halves=2).tell("ended"), "red-bows") == {}
    )


def chosen_from(field, who, kind, name):
    question = next(each for each in offered(field, who)[kind].fields if each.key == name)
    return [key for key, _ in question.choices if key]


def test_of_one_fighter_only_friends_or_enemies_can_be_chosen():
    field = Field().tell("turn", side="red")
    joins, shot = (
        chosen_from(field, "red-earl", "general", "to"),
        chosen_from(field, "red-shots", "hand-gunners", "at"),
    )
    assert "red-spears" in joins
    assert {key.partition("-")[0] for key in joins} == {"red"}
    assert not {"red-earl", "red-culverin"} & {*joins}
    assert {key.partition("-")[0] for key in shot} == {"blue"}
    assert {*chosen_from(field, "red-spears", "loss", "by")} >= {"blue-spears", "blue-duke"}
    assert chosen_from(field, "red-scouts", "pull-in", "ward")[:2] == ["red/Van", "red/Rearguard"]
    assert chosen_from(field, "red-bombard", "gun", "target")[:2] == ["blue/Van", "blue/Rearguard"]


def test_only_light_guns_can_move():
    field = Field().tell("turn", side="red")
    assert "gun-move" in offered(field, "red-culverin")
    assert "gun-move" not in offered(field, "red-bombard")
    assert offered(field, "red-bombard")["loss"].phase == "beside"


def test_a_general_detaches_only_where_he_is_attached():
    field = Field().tell("turn", side="red")
    assert chosen_from(field, "red-earl", "general", "does") == ["attach", "move", "leave"]
    field.tell("general", fighter="red-earl", to="red-spears")
    assert chosen_from(field, "red-earl", "general", "does") == [
        "attach",
        "detach",
        "move",
        "leave",
    ]


def test_a_ward_that_its_morale_holds_is_not_proposed_to_move_or_fight():
    field = Field().tell("turn", side="red")
    field.tell("morale", ward="red/Rearguard", hostile_faces=3, dice=[6, 6, 1]).tell(
        "step", to="movement"
    )
    assert [each.who for each in now_due(field) if each.do == "move"] == [VAN]
    assert offered(field, "red/Rearguard")["move"].hurdle == "its morale holds it"


@pytest.mark.parametrize("seed", range(3))
def test_a_battle_is_played_to_its_end_by_what_the_bar_and_the_table_propose(seed):
    field, luck, kinds = Field(), Random(seed), set()
    for _ in range(400):
        now = now_due(field)
        needed = [each for each in now if not (each.minor or each.onward)]
        free = [each for each in now if each.minor]
        (onward,) = [each for each in now if each.onward] or [None]
        chosen = (
            needed[0] if needed else luck.choice(free) if free and luck.random() < 0.7 else onward
        )
        offer = offered(field, chosen.who)[chosen.do]
        events = (event_of(field.play, offer, luck) for _ in range(40))
        good = next((each for each in events if not tried(field.play, each)), None)
        assert good or not needed, f"nobody gets past {chosen}"
        if good is None:
            good = event_of(field.play, offered(field, onward.who)[onward.do], luck)
        field.tell(good.kind, **good.data)
        kinds.add(good.kind)
        if field.play.state.turn == 5:
            break
    assert field.play.state.turn == 5
    assert kinds >= {
        "turn",
        "step",
        "general",
        "morale",
        "pull-in",
        "shoot",
        "move",
        "fight",
        "order",
        "clock",
    }
    assert "ended" in offered(field, "")


def test_an_assault_without_an_enemy_left_is_neither_owed_nor_offered():
    field = Field().tell("turn", side="red").tell("move", ward=VAN, move="assault")
    assert [each.do for each in now_due(field) if not each.minor] == ["step"]
    field.tell("step", to="fights")
    assert [(each.do, each.who) for each in now_due(field) if not (each.minor or each.onward)] == [
        ("fight", VAN)
    ]
    for combatant in (each for each in field.play.state.of("blue") if each.halves):
        field.tell("loss", fighter=combatant.id, gone="routed")
    assert [each.do for each in now_due(field)] == ["step"]
    assert not {"fight", "shoot", "charge"} & {*offered(field, VAN), *offered(field, "red/Cavalry")}
    assert not {"gun", "hand-gunners"} & {
        *offered(field, "red-culverin"),
        *offered(field, "red-shots"),
    }
    assert field.refused("ended", winner="red") == []
    field.tell("step", to="arrows")
    assert field.refused("turn", side="blue") == []


@pytest.mark.parametrize("ward", [ENEMY, "red/Cavalry"])
def test_an_assault_that_the_table_has_overruled_is_not_owed(ward):
    field = (
        Field()
        .tell("turn", side="red")
        .tell("move", ward=ward, move="assault", overruled="We agreed.")
    )
    field.tell("step", to="fights")
    assert [each.do for each in now_due(field) if not each.minor] == ["step"]
    assert field.refused("ended", winner="red") == []


def test_choice_names_the_side_whose_step_it_is():
    field = Field()
    assert seen(field).choice == ""
    field.tell("turn", side="red")
    assert seen(field).choice == f"It is the turn of {field.play.state.sides['red']}."
    while now_phase(field) != "order":
        field.tell("step", **offered(field, "")["step"].given)
    assert seen(field).choice == "Both sides act in this step."
    assert seen(field.tell("turn", side="blue")).choice == "It is the turn of Blues."
    assert seen(field.tell("ended", winner="blue")).choice == ""
