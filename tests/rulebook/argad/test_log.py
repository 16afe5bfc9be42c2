"""The log of a battle: what each kind of event does, what is refused, and the result it comes
to."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import load_play, replay
from rulebook.ruleset import Fate, LoggedEvent, Outcome
from rulebook.systems.argad.book import GONE
from rulebook.systems.argad.log import LOG, losses_in_words, read_result
from rulebook.systems.argad.moments import deed_weapon
from tests.rulebook.argad.field import Field, setup


@pytest.fixture
def field():
    return Field().tell("turn")


def test_only_losses_are_logged_before_first_turn():
    assert Field().refused("move", fighter="alf") == ["no-turn"]
    assert Field().refused("loss", fighter="alf") == []


def test_turns_follow_one_another():
    field = Field().tell("turn").tell("turn")
    assert field.play.state.turn == 2


def test_a_move_through_rough_ground_throws_its_dice(field):
    field.tell("move", fighter="alf", terrain="bushes")
    assert len(field.play.events()[-1].data["dice"]) == 2
    assert field.of("alf").done == ("moved",)
    assert field.told


def test_a_move_says_how_far_it_could_go(field):
    field.tell("move", fighter="bert", terrain="woods", dice=[4])
    assert field.told == ("Bert moves 16 cm of 16.",)
    field.tell("move", fighter="carl", terrain="woods", dice=[6])
    assert field.told == ("Carl is blocked for this turn.",)


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ({"fighter": "bert", "cm": 20}, []),
        ({"fighter": "bert", "cm": 21}, ["too-far"]),
        ({"fighter": "bert", "terrain": "woods", "dice": [6], "cm": 3}, ["too-far"]),
        ({"fighter": "bert", "formation": "line"}, ["not-in-close-order"]),
        ({"fighter": "alf", "formation": "line"}, ["mounted-close-order", "not-in-close-order"]),
        ({"fighter": "bert", "dice": [3]}, ["wrong-dice"]),
        ({"fighter": "nobody"}, ["unknown-combatant"]),
        ({"fighter": ""}, ["unreadable-event"]),
        ({"fighter": "bert", "terrain": "moon"}, ["unreadable-event"]),
    ],
)
def test_a_move_is_refused_with_a_code(field, data, codes):
    assert field.refused("move", **data) == codes


def test_nobody_moves_twice_or_after_standing_still_to_shoot(field):
    field.tell("move", fighter="bert").tell("shot", shooter="yves", target="bert", cm=40, dice=[1])
    assert field.refused("move", fighter="bert") == ["moved-already"]
    assert field.refused("move", fighter="yves") == ["shot-standing"]
    assert field.refused("move", fighter="yves", overruled="he had moved before") == []


def test_a_shot_that_hits_puts_out_of_action_unless_the_players_say_otherwise(field):
    field.tell("shot", shooter="yves", target="bert", cm=10, dice=[5])
    assert field.of("bert").gone == "out"
    assert field.told == ("Yves hits: Bert is out of action.",)
    field.tell("turn").tell("reload", fighter="yves").tell("turn")
    field.tell("shot", shooter="yves", target="carl", cm=10, dice=[5], effect="killed")
    assert field.of("carl").gone == "killed"


def test_a_club_settles_what_a_shot_does():
    field = (
        Field(shot_effect="killed")
        .tell("turn")
        .tell("shot", shooter="yves", target="bert", cm=10, dice=[5])
    )
    assert field.of("bert").gone == "killed"
    field = (
        Field()
        .tell("turn")
        .tell("shot", shooter="yves", target="bert", cm=10, dice=[5], effect="nothing")
    )
    assert not field.of("bert").gone


def test_who_has_moved_shoots_on_the_move(field):
    field.tell("move", fighter="yves").tell("shot", shooter="yves", target="bert", cm=10, dice=[5])
    assert field.told == ("Yves misses.",)
    assert field.refused("shot", shooter="carl", target="xaver", cm=10, moving=True, dice=[3]) == [
        "musket-moving"
    ]


def test_a_six_needs_another_die(field):
    assert field.refused("shot", shooter="yves", target="bert", cm=40, dice=[6]) == ["wrong-dice"]
    assert field.refused("shot", shooter="yves", target="bert", cm=40, dice=[5, 5]) == [
        "wrong-dice"
    ]
    field.tell("shot", shooter="yves", target="bert", cm=40, dice=[6, 6])
    assert field.of("bert").gone == "out"


def test_an_arquebus_fires_every_other_turn_and_a_musket_every_third(field):
    for shooter, target, turns in (("yves", "alf", 1), ("carl", "zeno", 2)):
        field.tell("shot", shooter=shooter, target=target, cm=20, dice=[1])
        for _ in range(turns):
            assert field.refused("reload", fighter=shooter)
            field.tell("turn")
            assert field.refused("shot", shooter=shooter, target=target, cm=20, dice=[1]) == [
                "not-loaded"
            ]
            field.tell("reload", fighter=shooter)
            assert field.refused("shot", shooter=shooter, target=target, cm=20, dice=[1]) == [
                "not-loaded"
            ]
        field.tell("turn")
        assert field.refused("shot", shooter=shooter, target=target, cm=20, dice=[1]) == []


def test_what_is_loaded_or_not_there_is_not_reloaded(field):
    assert field.refused("reload", fighter="yves") == ["loaded"]
    assert field.refused("reload", fighter="xaver") == ["no-firearm"]
    field.tell("shot", shooter="yves", target="alf", cm=20, dice=[1])
    assert field.refused("reload", fighter="yves") == ["reload-fighting"]
    field.tell("turn").tell("move", fighter="yves")
    assert field.refused("reload", fighter="yves") == ["reload-moving"]
    field.tell("turn").tell("reload", fighter="yves")
    assert field.refused("reload", fighter="yves") == ["reloaded-already"]


def test_who_breaks_off_reloading_loses_that_turn_alone(field):
    field.tell("shot", shooter="carl", target="zeno", cm=20, dice=[1])
    field.tell("turn").tell("reload", fighter="carl")
    field.tell("turn").tell("reload", fighter="carl").tell("move", fighter="carl")
    assert field.of("carl").reload_left == 1


def test_the_longer_weapon_spares_its_bearer_the_answer(field):
    field.tell("melee", fighter="xaver", enemy="alf", dice=[3], enemy_dice=[5])
    assert field.of("xaver").gone == "killed"
    assert field.refused("melee", fighter="bert", enemy="zeno", dice=[2]) == ["wrong-dice"]
    field.tell("melee", fighter="bert", enemy="zeno", dice=[6, 5])
    assert field.told == ("Bert kills Zeno.",)


def test_late_blow_is_reported_as_void(field):
    field.tell("melee", fighter="yves", enemy="bert", dice=[6, 6, 6], enemy_dice=[5])
    assert field.told == (
        "Yves misses Bert (kills, but the longer weapon struck first).",
        "Bert kills Yves.",
    )


def test_simultaneous_blows_report_the_void_one(field):
    field.tell(
        "melee", fighter="alf", enemy="yves", dice=[3], enemy_dice=[6, 1], stances=["uphill"]
    )
    assert field.told == (
        "Alf misses Yves (drives back, but a kill voids a recoil).",
        "Yves kills Alf.",
    )
    assert "recoiled" not in field.of("yves").done


def test_a_blow_says_what_was_needed(field):
    field.tell(
        "melee", fighter="alf", enemy="yves", dice=[3], enemy_dice=[6, 1], stances=["uphill"]
    )
    titles = [each.title for each in field.play.outcome().sums]
    yves = field.of("yves").fighter
    kill = max(yves.class_, yves.armour) + 1
    assert titles[0] == f"Alf's blow, {yves.class_} needed to drive Yves back, {kill} to kill"


def test_an_unanswered_blow_takes_no_dice_of_the_enemy(field):
    field.tell("melee", fighter="carl", enemy="zeno", unanswered=True, dice=[2])
    assert field.told == ("Carl misses Zeno.",)


def test_friends_do_not_fight(field):
    assert field.refused("melee", fighter="alf", enemy="bert") == ["same-side"]


def test_a_musket_used_in_melee_is_out_for_the_day(field):
    field.tell("melee", fighter="carl", enemy="yves", dice=[1], enemy_dice=[1]).tell("turn")
    assert field.refused("shot", shooter="carl", target="yves", cm=10, dice=[2]) == ["musket-out"]
    field = Field().tell("muskets-out", fighters=["carl"])
    assert field.of("carl").fouled


def test_a_pike_gives_way_to_the_sword_in_the_second_turn_on_end(field):
    field.tell("melee", fighter="bert", enemy="zeno", dice=[1], enemy_dice=[1]).tell("turn")
    assert field.of("bert").contender(()).weapon == "sword"
    field.tell("turn")
    assert field.of("bert").contender(()).weapon == "pike"


def test_who_is_gone_does_nothing_and_nothing_happens_after_the_end(field):
    field.tell("loss", fighter="bert", gone="missing")
    assert field.refused("move", fighter="bert") == ["gone"]
    field.tell("ended", winner="blue", field="blue")
    assert field.refused("move", fighter="alf") == ["battle-over"]
    assert field.refused("note", text="A fine day.") == []


def test_result_has_declared_winner_and_losses(field):
    field.tell("loss", fighter="carl", gone="killed", by="zeno").tell(
        "loss", fighter="bert", gone="missing"
    )
    field.tell("loss", fighter="alf", gone="captured", by="xaver").tell(
        "ended", winner="red", field="blue"
    )
    result = read_result(field.play.state)
    assert result.winner == "red"
    assert "by the players’ word" in result.verdict
    assert (
        losses_in_words(field.play.state, "red")
        == "3 of 3 (1 killed, 1 captured, 1 missing), class 9 of 9"
    )
    red, blue = result.sides
    assert (red.outcome, blue.outcome) == (Outcome.WON, Outcome.LOST)
    assert [each.fate for each in red.records] == [Fate.CAPTURED, Fate.FIT, Fate.DEAD]
    assert [dict(each.condition) for each in red.records] == [{}, {"missing": True}, {}]
    assert [(each.fighter, each.victim, each.killed) for each in blue.deeds] == [
        ("zeno", "carl", True),
        ("xaver", "alf", False),
    ]
    assert blue.captives == ("alf",)
    assert red.victory_points == 0
    assert red.lines == ()


def test_a_battle_without_a_declared_result_says_so(field):
    assert read_result(field.play.state).verdict.startswith("No result declared yet.")
    drawn = read_result(field.tell("ended").play.state)
    assert drawn.winner is None
    assert {each.outcome for each in drawn.sides} == {Outcome.DREW}


def test_a_log_is_stored_and_read_back_and_replays_to_the_same_state(field):
    field.tell("move", fighter="alf", terrain="woods").tell(
        "shot", shooter="yves", target="bert", cm=10
    )
    field.tell("melee", fighter="carl", enemy="zeno", stances=["behind-obstacle"]).tell("turn")
    events = field.play.events()
    assert replay(LOG, setup(), events).state == field.play.state
    assert load_play(LOG, setup(), field.play.stored(), lambda: events).state == field.play.state


def test_every_kind_tells_itself(field):
    names = {
        each: each.capitalize()
        for each in ("alf", "bert", "carl", "xaver", "yves", "zeno", "red", "blue")
    }
    events = [
        ("turn", {}),
        ("move", {"fighter": "alf", "terrain": "very-difficult"}),
        ("shot", {"shooter": "yves", "target": "alf", "cm": 12}),
        ("reload", {"fighter": "yves"}),
        ("melee", {"fighter": "alf", "enemy": "zeno"}),
        ("loss", {"fighter": "alf", "by": "zeno"}),
        ("muskets-out", {"fighters": ["carl"]}),
        ("ended", {"winner": "red", "field": "blue"}),
    ]
    sentences = [LOG.sentence(LoggedEvent(1, kind, data), names) for kind, data in events]
    assert all(sentences)
    assert sentences[5] == "Alf is killed (by Zeno)"
    assert {kind for kind, _ in events} | {"note", "correction"} == set(LOG.kinds)


@pytest.mark.parametrize("gone", ["killed", "out", "captured"])
def test_nobody_is_lost_by_his_own_hand(gone):
    field = Field()
    assert field.refused("loss", fighter="xaver", gone=gone, by="xaver") == ["own-side"]
    field.tell("loss", fighter="xaver", gone=gone, by="xaver", overruled="As old logs have it.")
    assert (field.of("xaver").gone_by, field.play.state.deeds) == ("", ())
    assert (
        LOG.sentence(field.play.events()[-1], {"xaver": "Xaver"})
        == f"Xaver is {GONE[gone]} (overruled: As old logs have it.)"
    )


def test_a_comrade_captures_nobody_and_kills_for_a_declared_cause_alone():
    field = Field()
    assert field.refused("loss", fighter="xaver", gone="captured", by="yves") == ["own-side"]
    assert field.refused("loss", fighter="xaver", gone="killed", by="yves") == ["own-side"]
    field.tell("loss", fighter="xaver", gone="killed", by="yves", overruled="A stray ball.")
    (deed,) = field.play.state.deeds
    assert deed.friendly
    assert Field().refused("loss", fighter="xaver", gone="captured", by="alf") == []


def test_nobody_shoots_at_his_own_side_without_a_reason():
    field = Field().tell("turn")
    assert field.refused("shot", shooter="yves", target="xaver", cm=5) == ["own-side"]


ONE_TURN = (
    ("move", {"fighter": "yves"}),
    ("melee", {"fighter": "yves", "enemy": "carl", "dice": [1], "enemy_dice": [1]}),
    ("shot", {"shooter": "yves", "target": "alf", "cm": 10, "dice": [1]}),
)
IN_ANY_ORDER = [
    order for order in permutations(ONE_TURN) if order.index(ONE_TURN[0]) < order.index(ONE_TURN[2])
]
"""All orders but those in which he moves after a standing shot, which the sheet forbids."""


@pytest.mark.parametrize(
    "order", IN_ANY_ORDER, ids=lambda order: " ".join(kind for kind, _ in order)
)
def test_turn_takes_everything_in_any_order(field, order):
    for kind, data in order:
        field.tell(kind, **data)
        field.tell("note", text="Nobody threw for initiative.")
    assert field.refused("turn") == []


def test_nothing_but_a_tick_causes_disorder(field):
    field.tell("melee", fighter="carl", enemy="yves", dice=[4], enemy_dice=[1]).tell("turn")
    assert field.of("yves").contender().stances == ()
    assert field.tell(
        "shot", shooter="yves", target="bert", cm=40, dice=[6, 6], disorder=True
    ).told == ("Yves misses.",)
    fresh = Field().tell("turn").tell("shot", shooter="yves", target="bert", cm=40, dice=[6, 6])
    assert fresh.of("bert").gone == "out"


def test_blow_that_drives_back_is_marked_and_moves_nobody(field):
    field.tell("melee", fighter="carl", enemy="yves", dice=[4], enemy_dice=[1])
    assert field.told[0] == "Carl drives back Yves."
    assert field.of("yves").done == ("fought", "recoiled")


def test_second_loss_is_refused_and_cannot_be_overruled(field):
    field.tell("loss", fighter="carl", gone="out", by="zeno")
    for again in (
        {"gone": "killed", "by": "xaver"},
        {"gone": "killed", "overruled": "He stood up again."},
    ):
        assert field.refused("loss", fighter="carl", **again) == ["already-logged"]
    problem = field.play.problems(LoggedEvent(9, "loss", {"fighter": "carl"}))[0]
    assert (
        problem.sentence
        == "Carl was put out of action by Zeno (entry 2). Replace that entry if it is wrong."
    )


@pytest.mark.parametrize(
    ("means", "gone", "weapon"),
    [
        ("melee", "killed", "sword"),
        ("shot", "killed", "musket"),
        ("", "killed", ""),
        ("melee", "captured", ""),
    ],
)
def test_deed_has_the_weapon_of_a_shot_or_blow(means, gone, weapon):
    state = Field().play.state
    armed = replace(state.combatants["xaver"].fighter, firearm="musket", weapon="sword")
    state = state.updating(replace(state.combatants["xaver"], fighter=armed))
    (deed,) = state.lost("alf", gone, "xaver", means).deeds
    assert deed_weapon(deed) == weapon
