"""Claims of the document that no other test holds: orders, reactions, reserves, commanders, towns,
who pursues."""

import dataclasses

import pytest
from msgspec.structs import replace

from rulebook.battle_log.forms import event_fields
from rulebook.systems.avant_garde.book import book
from rulebook.systems.avant_garde.events import STEPS
from rulebook.systems.avant_garde.fighters import Fighter, is_drilled
from rulebook.systems.avant_garde.log import KINDS
from rulebook.systems.avant_garde.roster import posts
from rulebook.systems.avant_garde.table import actions
from rulebook.values.rosters import CampaignTerms
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_charges import put, ridden
from tests.rulebook.avant_garde.test_log import BAD, GOOD, PIPS, STRIKE, begun, fought
from tests.rulebook.avant_garde.test_reference import column

SHOT = {"front": 3, "inches": 4}
CANISTER = {"round": "canister", "inches": 8, "guns": 1}


def at_step(field, step):
    """Return the battle in a step of this turn."""
    place = STEPS.index(step)
    field.play = dataclasses.replace(
        field.play, state=replace(field.play.state, step=place, last_step=place)
    )
    return field


def charged(*, rider="red-line", target="blue-line", inches=6):
    """Return a battle in which a charge waits for its answer."""
    return begun().tell("charge", fighter=rider, target=target, inches=inches, dice=GOOD)


# Command


def test_an_army_has_posts_for_its_chief_and_its_brigades():
    chief, leader = posts(CampaignTerms("france"))
    assert (chief.least, chief.most, leader.least) == (1, 1, 0)


def test_influence_and_a_pip_of_the_chief_add_one_each():
    """Slide 4: the Line of 8 fails with a 9, unless somebody helps."""
    kwargs = {"fighter": "red-line", "why": "other", "dice": [4, 5]}
    assert begun().tell("panic", **kwargs).of("red-line").order == "disordered"
    assert begun().tell("panic", **kwargs, influence="red-general").of("red-line").order == "good"
    field = begun().tell("panic", **kwargs, general=True)
    assert (field.of("red-line").order, field.of("red-marshal").pips) == ("good", 3)


def test_pips_of_the_chief_add_to_initiative():
    field = Field().tell("turn", dice=PIPS).tell("initiative", spent=2, dice=[3, 4])
    assert (field.play.state.first, field.of("red-marshal").pips) == ("red", 2)


def test_a_unit_with_a_commander_takes_its_break_test_unmodified():
    """Slides 5 and 39: beaten by several points, it passes with an 8 anyway."""
    field = put(charged(), "blue-general", joined="blue-line")
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    field.tell("melee", fighter="red-line", **STRIKE).tell(
        "break", fighter="blue-line", dice=[4, 4], inches=[1]
    )
    assert field.of("blue-line").order == "disordered"


def test_who_was_told_to_fall_back_begins_no_charge():
    """Slide 33: cavalry charges of its own accord anyway."""
    field = begun()
    orders = {"red/1st Brigade": "fall-back", "red/Horse": "fall-back"}
    field.play = dataclasses.replace(field.play, state=replace(field.play.state, orders=orders))
    put(field, "blue-line", order="disordered")
    assert field.refused("charge", fighter="red-line", target="blue-line", inches=6) == [
        "ordered-otherwise"
    ]
    kwargs = {"fighter": "red-hussars", "target": "blue-line", "inches": 8}
    assert field.refused("charge", **kwargs) == ["ordered-otherwise"]
    assert field.refused("charge", **kwargs, impetuous=True) == []


def test_passage_of_lines_takes_a_pip_of_each_battalion():
    """Slide 3."""
    assert begun().tell("order", fighter="red-line", what="passage").of("red-general").pips == 2


# Reaction


def reacting(who):
    """Return a battle in which a Blue unit is on reaction while the Reds move."""
    field = (
        Field().tell("turn", dice=PIPS).tell("react", fighter=who).tell("initiative", dice=[6, 1])
    )
    return field.tell("move", fighter="red-line")


def test_fire_on_reaction_takes_a_test_and_the_token():
    """Slide 5."""
    kwargs = {
        "fighter": "blue-line",
        "target": "red-line",
        "front": 4,
        "inches": 4,
        "interrupts": True,
    }
    field = reacting("blue-line").tell("fire", **kwargs, dice=BAD)
    assert field.told == ("11: failed.",)
    assert (field.of("blue-line").reacting, field.of("blue-line").loaded) == (False, True)
    field = reacting("blue-line").tell("fire", **kwargs, dice=GOOD, shots=[4, 1], kills=[4])
    assert (field.of("blue-line").reacting, field.of("red-line").lost) == (False, 1)


def test_guns_on_reaction_test_before_they_fire():
    """Slides 5 and 19: who fails loses the token; the pip is for the fire."""
    kwargs = {"fighter": "blue-guns", "target": "red-line", **CANISTER, "interrupts": True}
    field = reacting("blue-guns")
    assert field.refused("guns", **kwargs, shots=[1] * 6) == ["dice-missing"]
    field.tell("guns", **kwargs, dice=BAD)
    guns = field.of("blue-guns")
    assert (field.told, guns.reacting, guns.loaded, guns.pips) == (("11: failed.",), False, True, 3)
    field = reacting("blue-guns").tell("guns", **kwargs, dice=GOOD, shots=[4] + [1] * 5, kills=[3])
    guns = field.of("blue-guns")
    assert (field.of("red-line").lost, guns.reacting, guns.loaded, guns.pips) == (
        1,
        False,
        False,
        2,
    )


def test_guns_take_no_test_in_a_fire_phase():
    field = begun().tell("guns", fighter="red-guns", target="blue-line", **CANISTER, shots=[1] * 6)
    assert not field.of("red-guns").loaded


def test_countercharge_takes_a_token_and_meets_half_way():
    """Slide 5: the chargers need half of 14 inches alone."""
    field = charged(rider="red-hussars", target="blue-hussars", inches=14)
    kwargs = {"fighter": "blue-hussars", "answer": "counter-charge", "dice": GOOD}
    assert field.refused("reaction", **kwargs) == ["no-such-answer"]
    put(field, "blue-hussars", reacting=True).tell("reaction", **kwargs)
    field.tell("contact", fighter="red-hussars", run=[1, 1])
    assert field.told == ("12 inches: contact.",)
    assert not field.of("blue-hussars").reacting


# Movement


def test_advance_moves_each_unit_once_in_a_step():
    """Slide 3: a brigade moves one move forward for its pip."""
    field = put(begun(), "red-line", formation="column").tell("advance", fighter="red-general")
    assert (field.of("red-line").did, field.of("red-general").pips) == (("moved",), 3)
    assert field.refused("advance", fighter="red-general") == ["nobody-in-column"]
    assert field.refused("move", fighter="red-line") == ["already"]
    assert field.refused("fall-back", fighter="red-line", dice=GOOD, inches=[1]) == ["already"]
    field = put(begun(), "red-line", formation="column").tell("move", fighter="red-line")
    assert field.refused("advance", fighter="red-general") == ["nobody-in-column"]


def test_advance_leaves_who_may_not_move():
    """Slides 6 and 7: with the reserves who has acted or is in disorder, in the movement who is raw
    and re-formed."""
    field = put(
        put(at_step(begun(), "reserve"), "red-line", formation="column"),
        "red-guard",
        formation="column",
    )
    field.tell("advance", fighter="red-general")
    assert field.told[0] == "Reds line, Reds guard."
    for changes in ({"did": ("fired",)}, {"did": ("fought",)}, {"order": "disordered"}):
        field = put(at_step(begun(), "reserve"), "red-line", formation="column", **changes)
        assert field.refused("advance", fighter="red-general") == ["nobody-in-column"]
    field = put(begun(), "red-militia", formation="column", did=("formed",))
    assert field.refused("advance", fighter="red-general") == ["nobody-in-column"]


def test_reserve_move_takes_a_column_and_a_pip_or_march_column():
    """Slides 2 and 6."""
    field = at_step(begun(), "reserve")
    assert field.refused("move", fighter="red-line") == ["no-reserve-formation"]
    for formation, pips in (("column", 3), ("march", 4)):
        field = put(at_step(begun(), "reserve"), "red-line", formation=formation)
        assert field.tell("move", fighter="red-line").of("red-general").pips == pips


@pytest.mark.parametrize("did", ["fired", "charged", "fought"])
def test_reserve_move_is_closed_to_who_has_acted(did):
    field = put(at_step(begun(), "reserve"), "red-line", formation="march", did=(did,))
    assert field.refused("move", fighter="red-line") == ["no-reserve-move"]


def test_reserve_move_takes_good_order():
    field = put(at_step(begun(), "reserve"), "red-line", formation="march", order="disordered")
    assert field.refused("move", fighter="red-line") == ["not-in-good-order"]


@pytest.mark.parametrize(("order", "alone", "after"), [
    ("good", False, "disordered"), ("disordered", False, "broken"), ("good", True, "broken"),
])  # fmt: skip
def test_who_falls_back_and_fails_is_disordered_or_flees(order, alone, after):
    """Slides 4 and 6: who is out of command and falls back of its own accord breaks."""
    field = put(begun(), "red-line", order=order)
    field.tell("fall-back", fighter="red-line", alone=alone, dice=BAD, inches=[1])
    assert field.of("red-line").order == after


@pytest.mark.parametrize("second", ["move", "charge"])
def test_raw_unit_that_changed_formation_neither_moves_nor_charges(second):
    """Slide 7: a change takes all of its movement. Drilled units and those of the Line may go
    on."""
    kwargs = {"target": "blue-line", "inches": 8, "dice": GOOD} if second == "charge" else {}
    field = begun().tell("form", fighter="red-militia", formation="column")
    assert field.refused(second, fighter="red-militia", **kwargs) == ["formed-instead"]
    for who in ("red-guard", "red-line"):
        field = begun().tell("form", fighter=who, formation="column")
        assert field.refused(second, fighter=who, **kwargs) == []


def test_veterans_elite_and_guard_are_drilled():
    """Slides 38 to 40."""
    foot = {
        grade: is_drilled(Fighter(grade=grade), "austria")
        for grade in ("militia", "line", "veteran", "guard")
    }
    assert foot == {"militia": False, "line": False, "veteran": True, "guard": True}


def test_no_event_asks_how_wide_a_unit_stands():
    """Rulings N-V11 and N-W7: widths and places on the table are the players'."""
    keys = {each.key for kind in KINDS for each in event_fields(kind)}
    assert {"front", "inches"} <= keys
    assert not keys & {"width", "wide", "x", "y", "from_centre"}


# Fire


def test_volley_low_on_ammunition_fires_no_other():
    """Slide 10: only a volley empties the pouches, and only a volley is forbidden then."""
    field = put(begun(), "red-line", low=True)
    kwargs = {"fighter": "red-line", "target": "blue-line", **SHOT}
    assert field.refused("fire", **kwargs, manner="volley") == ["low-on-ammunition"]
    field = begun().tell("fire", **kwargs, shots=[6, 6], kills=[1, 1])
    assert not field.of("red-line").low


def test_rifles_do_not_reload_in_a_turn_in_which_they_moved():
    """Slide 10."""
    for moves, loaded in ((True, False), (False, True)):
        field = begun()
        if moves:
            field.tell("move", fighter="red-light")
        field.tell("fire", fighter="red-light", target="blue-line", **SHOT, shots=[1, 1]).tell(
            "end"
        )
        assert field.of("red-light").loaded == loaded


def test_enfilade_takes_two_off_the_casualty_test():
    """Slide 11: three casualties and enfilade leave a Line battalion a 3."""
    hits = {
        "front": 12,
        "inches": 4,
        "enfilade": True,
        "shots": [6] * 6,
        "kills": [6] * 3 + [1] * 3,
    }
    for dice, order in (([1, 2], "good"), ([2, 2], "disordered")):
        field = begun().tell("fire", fighter="red-line", target="blue-line", **hits)
        assert field.tell("test", fighter="blue-line", dice=dice).of("blue-line").order == order


def test_nobody_is_enfiladed_in_a_square_or_in_skirmish_order():
    for formation in ("square", "skirmish"):
        field = put(begun(), "blue-line", formation=formation)
        kwargs = {
            "fighter": "red-line",
            "target": "blue-line",
            **SHOT,
            "enfilade": True,
            "shots": [1, 1],
        }
        assert field.refused("fire", **kwargs) == ["no-enfilade"]


def test_battery_that_fails_its_test_is_silenced():
    """Slides 19 and 21: it is disordered and loses its pips."""
    field = begun().tell(
        "guns", fighter="blue-guns", target="red-guns", round="canister", inches=8, guns=2,
        shots=[6] * 12, location=[1] * 12, kills=[3] * 3 + [1] * 9,
    )  # fmt: skip
    field.tell("test", fighter="red-guns", dice=BAD)
    assert (field.of("red-guns").order, field.of("red-guns").pips) == ("disordered", 0)
    kwargs = {"fighter": "red-guns", "target": "blue-line", **CANISTER, "shots": [1] * 6}
    assert "silenced" in field.refused("guns", **kwargs)


def test_guns_that_moved_and_unlimbered_do_not_fire():
    """Slide 19: two things of three. Ruling N-A4: who only unlimbers fires one worse."""
    kwargs = {"fighter": "red-guns", "target": "blue-line", **CANISTER, "shots": [4] * 6}
    field = put(begun(), "red-guns", formation="limbered").tell(
        "form", fighter="red-guns", formation="unlimbered"
    )
    assert field.tell("guns", **kwargs).told[0] == "None of 6 hit."
    field = put(begun(), "red-guns", formation="limbered").tell("move", fighter="red-guns")
    field.tell("form", fighter="red-guns", formation="unlimbered")
    assert field.refused("guns", **kwargs, kills=[1] * 6) == ["wrong-dice"]
    assert field.refused("guns", **{**kwargs, "shots": [1] * 6}) == ["two-of-three"]


# Charges and fights


def test_unit_in_a_square_reforms_before_chargers():
    """Slide 13: by the same test as into a square. Ruling N-H12."""
    for dice, formation, order in ((GOOD, "line", "good"), (BAD, "square", "disordered")):
        field = put(charged(), "blue-line", formation="square")
        field.tell("reaction", fighter="blue-line", answer="square", run=[1], dice=dice)
        assert (field.of("blue-line").formation, field.of("blue-line").order) == (formation, order)


def test_disordered_unit_that_fails_to_form_square_flees():
    """Slide 13."""
    field = put(charged(rider="red-hussars", inches=9), "blue-line", order="disordered")
    kwargs = {
        "fighter": "blue-line",
        "answer": "square",
        "run": [1, 1],
        "dice": BAD,
        "inches": [3, 4],
    }
    assert field.tell("reaction", **kwargs).of("blue-line").order == "broken"


def test_gunners_evade_and_are_in_good_order_again():
    """Slides 12 and 19."""
    field = begun().tell("charge", fighter="red-line", target="blue-guns", inches=6)
    field.tell("reaction", fighter="blue-guns", answer="evade", dice=GOOD, inches=[6, 6])
    assert field.told[-1] == "It runs 12 inches."
    assert field.of("blue-guns").order == "good"


def test_fire_and_flee_breaks_and_fires_no_volley():
    """Slide 12: half of the front rank at a die of range, then a die of inches."""
    kwargs = {"fighter": "blue-line", "answer": "fire-and-flee", "front": 4, "range": [3]}
    field = charged().tell("reaction", **kwargs, shots=[5, 1], kills=[4], inches=[5])
    assert (field.of("red-line").lost, field.of("blue-line").order) == (1, "broken")
    assert "It runs 5 inches." in field.told


@pytest.mark.parametrize(("impetuous", "target", "codes"), [
    (True, "blue-light", ["aggressive-at-formed"]), (False, "blue-light", []), (True, "blue-line", []),
])  # fmt: skip
def test_aggressive_cavalry_charges_only_formed_enemies(impetuous, target, codes):
    """Slide 22."""
    field = put(begun(), "blue-light", formation="skirmish")
    kwargs = {"fighter": "red-hussars", "target": target, "inches": 8, "impetuous": impetuous}
    assert field.refused("charge", **kwargs, **({} if impetuous else {"dice": []})) == codes


def test_disordered_cavalry_is_not_aggressive():
    """Slide 22."""
    kwargs = {"fighter": "red-hussars", "target": "blue-line", "inches": 8, "impetuous": True}
    for changes in ({"order": "disordered"}, {"blown": True}):
        assert put(begun(), "red-hussars", **changes).refused("charge", **kwargs) == [
            "not-in-good-order"
        ]


def squared_up():
    """Return a battle in which a Red square has beaten the Blue line, which has broken."""
    field = put(begun("blue"), "red-line", formation="square")
    field.tell("charge", fighter="blue-line", target="red-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="red-line", answer="stand").tell(
        "contact", fighter="blue-line", run=[6]
    )
    blows = {
        "front": 1,
        "target_front": 3,
        "blows": [1],
        "target_blows": [6] * 3,
        "target_wounds": [6] * 3,
    }
    return field.tell("melee", fighter="blue-line", **blows).tell(
        "break", fighter="blue-line", dice=BAD, inches=[1, 1]
    )


def test_square_never_pursues():
    """Slide 16: not even if it fails to stand."""
    field = squared_up()
    assert field.refused("follow", fighter="red-line", how="pursue", inches=[6, 6]) == [
        "square-pursues-not"
    ]
    (offer,) = [each for each in actions(field.play.state, "red-line") if each.kind == "follow"]
    assert [key for each in offer.fields if each.key == "how" for key, _ in each.choices] == [
        "back",
        "stand",
    ]
    field.tell("follow", fighter="red-line", how="stand", dice=BAD, inches=[3])
    assert (field.play.state.combats, field.of("blue-line").colours_lost) == ((), False)


def test_winner_that_cannot_be_held_pursues():
    """Slide 16."""
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=BAD, inches=[1, 1])
    field.tell("follow", fighter="red-line", how="stand", dice=BAD, inches=[6, 6])
    assert field.of("blue-line").colours_lost


def test_cavalry_that_a_square_beats_rides_past_it():
    """Slides 15 and 22: it is disordered and blown, and does not flee."""
    field = put(begun("blue"), "red-line", formation="square")
    field.tell("charge", fighter="blue-hussars", target="red-line", inches=9, dice=GOOD)
    field.tell("reaction", fighter="red-line", answer="stand").tell(
        "contact", fighter="blue-hussars", run=[6, 6]
    )
    kills = {"target_blows": [6] * 3, "target_wounds": [6] * 3, "target_saves": [1] * 3}
    field.tell("melee", fighter="blue-hussars", front=3, target_front=3, **kills)
    field.tell("break", fighter="blue-hussars", dice=BAD)
    assert (field.of("blue-hussars").order, field.of("blue-hussars").blown) == ("disordered", True)


def test_heavy_cavalry_breaks_what_its_charge_defeats():
    """Slide 40: without dice, the Guard as well."""
    field = ridden(target="blue-guard").tell("break", fighter="blue-guard", inches=[1, 1])
    assert "It breaks without a test: charged by heavy cavalry." in field.told
    assert field.of("blue-guard").order == "broken"


# Cavalry


def test_recovering_cavalry_keeps_still_and_out_of_fire():
    """Slide 23: who moves does not recover, and who is hit begins again."""
    field = put(begun().tell("move", fighter="blue-line"), "red-hussars", blown=True).tell(
        "move", fighter="red-hussars"
    )
    assert field.refused("recover", fighter="red-hussars", dice=[1]) == ["moved-while-blown"]
    field = put(begun(), "blue-hussars", blown=True, recovered=(5,))
    field.tell(
        "fire", fighter="red-line", target="blue-hussars", front=2, inches=4, shots=[6], kills=[6]
    )
    assert field.of("blue-hussars").recovered == ()


def test_blown_cavalry_does_not_charge_and_moves_without_a_pip():
    """Slide 23."""
    field = put(begun(), "red-hussars", blown=True)
    charge = {"fighter": "red-hussars", "target": "blue-line", "inches": 8, "dice": GOOD}
    assert field.refused("charge", **charge) == ["not-in-good-order"]
    assert field.tell("move", fighter="red-hussars").of("red-colonel").pips == 3


# Ground and towns


def test_unit_that_entered_a_town_does_not_fire_at_chargers():
    """Slide 30."""
    for enters, codes in ((True, ["no-such-answer"]), (False, [])):
        field = begun().tell("move", fighter="red-line", enters=enters)
        field.tell("charge", fighter="blue-line", target="red-line", inches=6, dice=GOOD)
        kwargs = {
            "fighter": "red-line",
            "answer": "stand-and-shoot",
            "front": 2,
            "range": [6],
            "shots": [1],
        }
        assert field.refused("reaction", **kwargs) == codes


def test_unit_in_a_building_never_breaks_under_fire():
    """Slide 31."""
    for sheltered, order in ((True, "disordered"), (False, "broken")):
        field = begun().tell("fire", fighter="red-line", target="blue-line", front=12, inches=4,
                             shots=[6] * 6, kills=[6] * 6)  # fmt: skip
        put(field, "blue-line", order="disordered").tell(
            "test", fighter="blue-line", sheltered=sheltered, dice=BAD
        )
        assert field.of("blue-line").order == order


def test_unit_that_leaves_a_town_tests_to_form_up():
    """Slide 31."""
    assert (
        begun().tell("panic", fighter="red-line", why="leaving", dice=BAD).of("red-line").order
        == "disordered"
    )
    assert (
        begun().tell("panic", fighter="red-line", why="leaving", dice=GOOD).of("red-line").order
        == "good"
    )


def test_fire_takes_the_hit_points_of_a_building_until_it_is_put_out():
    """Slide 31."""
    field = begun()
    assert field.refused("sector", name="The inn", what="out") == ["no-fire"]
    field.tell("sector", name="The inn", points=5, what="fire").tell(
        "sector", name="The inn", what="burns", dice=[4]
    )
    assert field.told == ("1 hit points are left.",)
    field.tell("sector", name="The inn", what="out")
    assert field.refused("sector", name="The inn", what="burns", dice=[1]) == ["no-fire"]


def test_woods_hide_what_is_deep_inside():
    """Slides 31 and 32: one sees 4 inches into light woods, and 2 into heavy ones."""
    assert (book().ground["light-woods"].sight, book().ground["heavy-woods"].sight) == (4, 2)
    assert column("ground", "Sight, inches")["Heavy woods"] == "2"


def test_volley_at_chargers_takes_a_test_and_no_pip():
    """Ruling N-S4."""
    kwargs = {
        "fighter": "blue-line",
        "answer": "stand-and-shoot",
        "volley": True,
        "front": 2,
        "range": [3],
    }
    assert (
        charged().tell("reaction", **kwargs, dice=GOOD, shots=[1, 1]).of("blue-general").pips == 4
    )
    assert charged().refused("reaction", **kwargs, dice=BAD, shots=[1]) == []
    field = put(charged(), "blue-line", loaded=False)
    assert field.refused("reaction", **kwargs, dice=GOOD, shots=[1, 1]) == ["no-such-answer"]


def test_volley_at_chargers_that_fails_its_test_is_an_ordinary_shot():
    """Rulings N-M2 and N-S4: half of the front rank fires, and nobody is disordered by the test."""
    kwargs = {
        "fighter": "blue-line",
        "answer": "stand-and-shoot",
        "volley": True,
        "front": 4,
        "range": [3],
    }
    assert charged().refused("reaction", **kwargs, dice=BAD, shots=[1] * 4) == ["wrong-dice"]
    field = charged().tell("reaction", **kwargs, dice=BAD, shots=[6, 6], kills=[1, 1])
    assert (field.of("blue-line").order, field.of("blue-line").low) == ("good", False)


def test_chargers_are_disordered_by_the_ground_as_they_make_contact():
    """Slides 12 and 13: light woods take four off the test of the Line, which makes contact
    anyway."""
    for dice, order in (([2, 2], "good"), ([2, 3], "disordered")):
        field = charged().tell("reaction", fighter="blue-line", answer="stand")
        field.tell("contact", fighter="red-line", ground="light-woods", run=[6], dice=dice)
        assert field.of("red-line").order == order
        assert [each.target for each in field.play.state.combats] == ["blue-line"]


def test_shaken_unit_stays_disordered():
    """Slide 27: more than half lost; it rallies from flight, and no further."""
    field = (
        Field().tell("loss", fighter="red-line", figures=13, order="broken").tell("turn", dice=PIPS)
    )
    field.tell("rally", fighter="red-line", dice=GOOD)
    assert field.of("red-line").order == "disordered"
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=PIPS)
    field.tell("rally", fighter="red-line", dice=GOOD).tell("initiative", dice=[6, 1])
    assert field.of("red-line").disordered
    charge = {"fighter": "red-line", "target": "blue-line", "inches": 6, "dice": GOOD}
    assert field.refused("charge", **charge) == ["not-in-good-order"]


@pytest.mark.parametrize(("formation", "codes"), [
    ("cavalry-line", ["not-over-a-bridge"]), ("cavalry-column", []), ("cavalry-skirmish", []),
])  # fmt: skip
def test_cavalry_crosses_a_bridge_in_column(formation, codes):
    """Slide 32."""
    field = put(begun(), "red-hussars", formation=formation)
    assert field.refused("move", fighter="red-hussars", bridge=True) == codes


def test_commanders_cannot_be_targeted():
    """Ruling N-A11: only stray rounds come near him."""
    kwargs = {"target": "blue-general"}
    assert begun().refused("fire", fighter="red-line", **kwargs, **SHOT) == ["no-target"]
    assert begun().refused("guns", fighter="red-guns", **kwargs, **CANISTER) == ["no-target"]
    assert begun().refused("charge", fighter="red-line", **kwargs) == ["no-target"]
