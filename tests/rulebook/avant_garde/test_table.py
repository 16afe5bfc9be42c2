"""The table as people see it: the thirteen steps, marks, what is due, and actions that the log takes."""

from rulebook.systems.avant_garde.table import actions, table_view
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, begun


def seen(field, who=""):
    return table_view(field.play.state, who)


def offered(field, who):
    return {each.kind: each for each in actions(field.play.state, who)}


def due(field):
    return [(phase.key, each.who, each.do) for phase in seen(field).phases for each in phase.due]


def marks(field, who):
    return next([mark.text for mark in each.marks] for each in seen(field).fighters if each.id == who)


def test_before_the_first_turn_that_and_what_comes_before_it_can_be_done():
    assert due(Field()) == [("command", "", "turn")]
    assert list(offered(Field(), "")) == ["note", "hold", "objectives", "disease", "turn", "location", "ended"]
    assert list(offered(Field(), "red-line")) == ["loss"]


def test_the_turn_has_thirteen_steps_and_says_which_one_it_is():
    field = begun()
    assert len(seen(field).phases) == 13
    assert [each.key for each in seen(field).phases if each.now] == ["initiative"]
    assert [each.key for each in seen(field.tell("move", fighter="red-line")).phases if each.now] == ["move-a"]


def test_a_turn_asks_for_rallies_initiative_and_its_end_with_one_tap_each():
    field = Field().tell("loss", fighter="red-line", order="disordered").tell("turn", dice=PIPS)
    assert due(field) == [("rally", "red-line", "rally"), ("initiative", "", "initiative"), ("end", "", "end")]
    assert all(each.at_once for phase in seen(field).phases for each in phase.due)
    field.tell("initiative", dice=[6, 1]).tell("end")
    assert due(field) == [("end", "", "turn")]


def test_whatever_is_open_is_due_first_and_whose_it_is():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert due(field)[0] == ("move-a", "blue-line", "reaction")
    field.tell("reaction", fighter="blue-line", answer="stand")
    assert due(field)[0] == ("move-a", "red-line", "contact")
    field.tell("contact", fighter="red-line", run=[6])
    assert due(field)[0] == ("combat-1", "red-line", "melee")


def test_a_unit_is_offered_what_its_arm_can_do_and_what_waits_for_it():
    field = begun()
    assert set(offered(field, "red-marshal")) == {"pips", "join", "courier", "loss"}
    assert set(offered(field, "red-general")) == {"advance", "join", "loss"}
    assert set(offered(field, "red-guns")) == {"react", "move", "ford", "form", "guns", "panic", "loss"}
    foot = {"react", "charge", "move", "ford", "form", "fall-back", "order", "fire", "panic", "loss"}
    assert set(offered(field, "blue-line")) == foot
    field.tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert {"reaction"} <= set(offered(field, "blue-line"))


def test_every_action_stands_in_the_step_in_which_it_would_happen():
    field = begun("blue")
    assert offered(field, "red-line")["move"].phase == "move-b"
    assert offered(field, "blue-line")["move"].phase == "move-a"
    assert offered(field, "red-line")["fire"].phase == "fire-1"


def test_formations_and_paces_are_those_of_the_unit_and_targets_enemies():
    field = begun()
    asked = {each.key: dict(each.choices) for each in offered(field, "red-hussars")["form"].fields}
    assert set(asked["formation"]) == {"cavalry-column"}
    asked = {each.key: dict(each.choices) for each in offered(field, "red-line")["move"].fields}
    assert set(asked["pace"]) == {"", "slow", "normal", "back"}
    asked = {each.key: dict(each.choices) for each in offered(field, "red-line")["fire"].fields}
    assert all(each.startswith("blue-") for each in asked["target"])


def test_marks_say_how_everybody_stands():
    field = (
        begun()
        .tell("react", fighter="red-guard")
        .tell("fire", fighter="red-line", target="blue-line", front=12, inches=4, shots=[6] * 6, kills=[6] * 6)
    )
    assert marks(field, "red-guard") == ["On reaction"]
    assert marks(field, "red-line") == ["Not loaded"]
    assert marks(field, "blue-line") == ["Tests for 6"]
    field.tell("test", fighter="blue-line", dice=BAD).tell("loss", fighter="blue-line", figures=7, colours=True)
    assert marks(field, "blue-line")[:3] == ["Disordered", "Shaken", "Colours lost"]


def test_numbers_are_strength_morale_formation_and_pips():
    fighters = {each.id: dict(each.numbers) for each in seen(begun()).fighters}
    assert fighters["red-line"] == {"Figures": "24 of 24", "Morale": "8", "Formation": "Line"}
    assert fighters["red-guns"]["Guns"] == "3"
    assert fighters["red-general"] == {"Pips": "4", "Radius": "9″"}


def test_sides_show_who_is_a_and_their_victory_points():
    red, blue = seen(begun().tell("location", name="The bridge", side="blue")).sides
    assert [each.text for each in red.marks] == ["Side A"]
    assert (red.victory_points, blue.victory_points) == (0, 5)
    assert (red.strength, red.fielded) == (7, 7)


def test_sides_show_who_is_away_and_warn_of_more_than_a_third():
    for away, tone in ((("light", "line"), "idle"), (("light", "line", "guard"), "warn")):
        field = Field().tell("hold", side="red", fighters=[f"red-{each}" for each in away], place="flank")
        (mark,) = seen(field).sides[0].marks
        assert (mark.text, mark.tone) == (f"On a flank march: {len(away)} of 7", tone)


def test_after_the_end_only_returns_are_offered_where_a_club_plays_them():
    field = Field(returns=True).tell("loss", fighter="red-line", figures=2).tell("ended")
    assert due(field) == []
    assert list(offered(field, "")) == ["note"]
    assert list(offered(field, "red-line")) == ["returns"]
    assert offered(field, "red-guard") == {}
