"""The table as people see it: the thirteen steps, marks, what is due, and actions that the log
takes."""

from battles.selectors.table_prompts import prompts_of
from rulebook.systems.avant_garde.table import actions, table_view
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, STRIKE, begun, fought


def seen(field, who=""):
    return table_view(field.play.state, who)


def offered(field, who):
    return {each.kind: each for each in actions(field.play.state, who)}


def due(field):
    return [(phase.key, each.who, each.do) for phase in seen(field).phases for each in phase.due]


def marks(field, who):
    return next(
        [mark.text for mark in each.marks] for each in seen(field).fighters if each.id == who
    )


def test_before_the_first_turn_that_and_what_comes_before_it_can_be_done():
    assert due(Field()) == [("command", "", "turn")]
    assert list(offered(Field(), "")) == [
        "note",
        "hold",
        "objectives",
        "disease",
        "turn",
        "location",
        "ended",
    ]
    assert list(offered(Field(), "red-line")) == ["loss"]


def test_the_turn_has_thirteen_steps_and_says_which_one_it_is():
    field = begun()
    assert len(seen(field).phases) == 13
    assert [each.key for each in seen(field).phases if each.now] == ["initiative"]
    assert [
        each.key for each in seen(field.tell("move", fighter="red-line")).phases if each.now
    ] == ["move-a"]


def test_a_turn_asks_for_rallies_initiative_and_its_end_with_one_tap_each():
    field = Field().tell("loss", fighter="red-line", order="disordered").tell("turn", dice=PIPS)
    assert due(field) == [
        ("rally", "red-line", "rally"),
        ("initiative", "", "initiative"),
        ("end", "", "end"),
    ]
    assert all(each.at_once for phase in seen(field).phases for each in phase.due)
    field.tell("initiative", dice=[6, 1]).tell("end")
    assert due(field) == [("end", "", "turn")]


def test_whatever_is_open_is_due_first_and_whose_it_is():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert due(field)[0] == ("move-a", "blue-line", "reaction")
    field.tell("reaction", fighter="blue-line", answer="stand")
    assert due(field)[0] == ("move-a", "red-line", "contact")
    field.tell("contact", fighter="red-line", run=[6])
    assert due(field)[:2] == [("move-a", "", ""), ("move-a", "red-line", "melee")]


def test_a_unit_is_offered_what_its_arm_can_do_and_what_waits_for_it():
    field = begun()
    assert set(offered(field, "red-marshal")) == {"pips", "join", "courier", "loss"}
    assert set(offered(field, "red-general")) == {"advance", "join", "loss"}
    assert set(offered(field, "red-guns")) == {
        "react",
        "move",
        "ford",
        "form",
        "guns",
        "panic",
        "loss",
    }
    foot = {
        "react",
        "charge",
        "move",
        "ford",
        "form",
        "fall-back",
        "order",
        "fire",
        "panic",
        "loss",
    }
    assert set(offered(field, "blue-line")) == foot
    field.tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert {"reaction"} <= set(offered(field, "blue-line"))


def test_every_action_is_in_its_step():
    field = begun("blue")
    assert offered(field, "red-line")["move"].phase == "move-b"
    assert offered(field, "blue-line")["move"].phase == "move-a"
    assert offered(field, "red-line")["fire"].phase == "fire-1"


def test_choices_fit_unit_and_targets_are_enemies():
    field = begun()
    by_key = {each.key: dict(each.choices) for each in offered(field, "red-hussars")["form"].fields}
    assert set(by_key["formation"]) == {"cavalry-column"}
    by_key = {each.key: dict(each.choices) for each in offered(field, "red-line")["move"].fields}
    assert set(by_key["pace"]) == {"", "slow", "normal", "back"}
    by_key = {each.key: dict(each.choices) for each in offered(field, "red-line")["fire"].fields}
    assert all(each.startswith("blue-") for each in by_key["target"])


def test_marks_say_how_everybody_stands():
    field = (
        begun()
        .tell("react", fighter="red-guard")
        .tell(
            "fire",
            fighter="red-line",
            target="blue-line",
            front=12,
            inches=4,
            shots=[6] * 6,
            kills=[6] * 6,
        )
    )
    assert marks(field, "red-guard") == ["On reaction"]
    assert marks(field, "red-line") == ["Not loaded"]
    assert marks(field, "blue-line") == ["Tests for 6"]
    field.tell("test", fighter="blue-line", dice=BAD).tell(
        "loss", fighter="blue-line", figures=7, colours=True
    )
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
        field = Field().tell(
            "hold", side="red", fighters=[f"red-{each}" for each in away], place="flank"
        )
        (mark,) = seen(field).sides[0].marks
        assert (mark.text, mark.tone) == (f"On a flank march: {len(away)} of 7", tone)


def test_after_the_end_only_returns_are_offered_where_a_club_plays_them():
    field = Field(returns=True).tell("loss", fighter="red-line", figures=2).tell("ended")
    assert due(field) == []
    assert list(offered(field, "")) == ["note"]
    assert list(offered(field, "red-line")) == ["returns"]
    assert offered(field, "red-guard") == {}


def hurdle(field, who, key):
    """Return what a card says against an action."""
    return next(each.hurdle for each in seen(field, who).actions if each.key == key)


def test_cards_say_why_a_unit_cannot_do_something_now():
    field = Field().tell("turn", dice=[1, 2, *PIPS[2:]])
    assert hurdle(field, "red-line", "move") == "Roll for initiative first"
    field.tell("initiative", dice=[6, 1]).tell("move", fighter="red-line")
    assert hurdle(field, "red-line", "move") == "Move: only once in a step, and already done"
    assert hurdle(field, "red-guard", "move") == ""
    field.tell("move", fighter="red-guard")
    assert hurdle(field, "red-militia", "move") == "Reds general has too few pips: 0 of 1"
    assert (
        hurdle(field, "red-colonel", "advance")
        == "No unit of Reds colonel is in a column and can still move"
    )
    field.tell("react", fighter="red-hussars")
    assert hurdle(field, "red-hussars", "react") == "is already on reaction"


def test_fire_is_offered_to_those_who_have_a_firearm():
    assert "fire" not in offered(begun(), "red-cuirassiers")
    assert "fire" in offered(begun(), "red-hussars")


def choices(field, who, key, name):
    """Return the choices of a field and its default; None if the field is not shown."""
    action = next(each for each in seen(field, who).actions if each.key == key)
    choice = next((each for each in action.fields if each.key == name), None)
    return choice and ([each for each, _ in choice.choices], choice.default)


def test_only_orders_manners_and_answers_that_are_open_to_a_unit_are_offered():
    field = begun()
    assert choices(field, "red-line", "order", "what") == (["passage"], "passage")
    assert choices(field, "red-hussars", "order", "what") == (
        ["separate", "dismount", "restrain"],
        "separate",
    )
    assert choices(field, "red-line", "fire", "manner") == (["half", "volley"], "half")
    field.tell("move", fighter="red-line").tell("skirmish", fighter="red-light")
    assert choices(field, "red-line", "fire", "manner") == (["half"], "half")
    group = "red-light-skirmishers"
    assert choices(field, group, "fire", "manner") is None
    assert choices(field, group, "order", "what") == (["recall-skirmishers"], "recall-skirmishers")
    field.tell("charge", fighter="red-hussars", target="blue-line", inches=6, dice=GOOD)
    answers = choices(field, "blue-line", "reaction", "answer")
    assert answers == (["stand", "stand-and-shoot", "fire-and-flee", "flee", "square"], "stand")


def test_a_step_says_what_comes_next_where_nothing_is_due():
    field = begun()
    hints = [each for phase in seen(field).phases for each in phase.due if not each.do]
    assert [each.sentence for each in hints] == ["Reds charges and moves: tap a unit."]
    field.tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert all(each.do for phase in seen(field).phases for each in phase.due)
    field = begun().tell(
        "fire", fighter="red-line", target="blue-line", front=2, inches=4, shots=[1]
    )
    hints = [each.sentence for phase in seen(field).phases for each in phase.due if not each.do]
    assert hints == ["Guns fire, then small arms, Reds before Blues. Then Blues moves: tap a unit."]


def test_reactions_that_the_rules_refuse_are_not_due():
    field = (
        Field()
        .tell("turn", dice=PIPS)
        .tell("react", fighter="blue-line")
        .tell("initiative", dice=[6, 1])
    )
    field.tell("move", fighter="red-line")
    reacting = [
        each.do for phase in seen(field).phases for each in phase.due if each.who == "blue-line"
    ]
    assert reacting == ["charge-interrupts", "fire-interrupts"]
    state = field.play.state.changed("blue-line", formation="bent-line", loaded=False)
    assert [
        each.do
        for phase in table_view(state, "").phases
        for each in phase.due
        if each.who == "blue-line"
    ] == []


def test_required_fields_of_a_card_are_asked_at_once():
    field = begun().tell("loss", fighter="red-line", order="broken")
    for who in ("red-line", "red-guard", "red-guns", "red-marshal"):
        for action in seen(field, who).actions:
            assert not [
                each.key for each in action.fields if each.required and each.group == "more"
            ], action.key


def test_one_inch_is_one_and_prisoners_are_taken():
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=GOOD, inches=[1])
    assert "It goes 1 inch." in field.told
    field = (
        begun()
        .tell("loss", fighter="red-line", order="broken")
        .tell("surrender", fighter="red-line", by="blue-line")
    )
    assert "Reds line is taken prisoner." in field.told


def test_fight_waits_for_what_others_move_and_fire():
    """Slide 2: fire comes between movement and close combat; the table leads nobody past it."""
    field = begun()
    field.tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    prompts = prompts_of(seen(field))
    assert (prompts.first, prompts.pressing) == (None, False)
    assert [each.do for each in prompts.open] == ["", "melee"]
    assert "guns fire" in prompts.open[0].sentence
    field.tell("fire", fighter="red-guard", target="blue-hussars", front=2, inches=4, shots=[1])
    prompts = prompts_of(seen(field))
    assert (prompts.first.do, prompts.first.who) == ("melee", "red-line")


def test_choice_names_the_side_whose_step_it_is():
    assert seen(Field()).choice == ""
    field = begun()
    assert seen(field).choice == "Both sides act in this step."
    state = field.tell("move", fighter="red-line").play.state
    assert seen(field).choice == f"It is the turn of {state.sides[state.first]}."
    assert seen(field.tell("ended")).choice == ""
