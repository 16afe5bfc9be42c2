"""Orders in a log turn by turn, and passing in the Move Phase."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.log.kinds import LOG
from tests.rulebook.en_garde.turns.tables import GUARD, begun, man, side


def test_ordered_fighters_do_only_the_ordered_action():
    log = begun()
    log.tell("order", commander="jussac", order="move", fighters=["guard"])
    assert log.errors("action", fighter="guard", what="aim") == ["acted-already"]
    log.tell("move", fighter="guard", inches=6)
    assert log.errors("move", fighter="guard", inches=1) == ["acted-already"]
    assert log.errors("order", commander="athos", order="move", fighters=[]) == ["not-a-commander"]


def test_ones_own_alone_are_ordered():
    assert begun().errors("order", commander="jussac", order="move", fighters=["planchet"]) == [
        "not-ones-own"
    ]


def test_the_dead_are_ordered_to_do_nothing():
    log = begun()
    log.tell("wound", victim="guard", result="critical")
    assert log.errors("order", commander="jussac", order="move", fighters=["guard"]) == [
        "out-of-action"
    ]


def test_an_order_reaches_three_inches_if_somebody_measures():
    order = {"commander": "jussac", "order": "move", "fighters": ["guard"]}
    assert begun().errors("order", **order, inches=3.5) == ["out-of-earshot"]
    begun().tell("order", **order, inches=3)
    begun().tell("order", **order)


def test_who_hides_is_in_cover_of_some_sort():
    hide = {"fighter": "guard", "what": "hide"}
    assert begun().errors("action", **hide, cover="none") == ["no-cover"]
    assert begun().tell("action", **hide, cover="light").table.of("guard").hidden
    assert begun().tell("action", **hide).table.of("guard").hidden


def test_a_shoot_order_nominates_a_target():
    assert begun().errors("order", commander="jussac", order="shoot", fighters=["guard"]) == [
        "target-needed"
    ]
    begun().tell("order", commander="jussac", order="shoot", fighters=["guard"], target="athos")


def test_on_a_move_order_all_run_or_none_comes_near_an_enemy():
    log = begun()
    log.tell("order", commander="jussac", order="move", fighters=["guard", "jussac", "milady"])
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("move", fighter="jussac", gait="run", inches=9) == ["ordered-apart"]
    log.tell("move", fighter="jussac", inches=6)
    running = begun()
    running.tell("order", commander="jussac", order="move", fighters=["guard", "jussac", "milady"])
    running.tell("move", fighter="guard", gait="run", inches=9)
    running.tell("move", fighter="jussac", gait="run", inches=9)
    assert running.errors("move", fighter="milady", contacts=["athos"]) == ["ordered-apart"]


def test_who_moves_without_an_order_runs_as_it_likes():
    log = begun()
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("move", fighter="jussac", gait="run", inches=9) == []


def test_a_side_that_has_passed_does_nothing_more_in_the_move_phase():
    log = begun()
    log.tell("done", side="b")
    assert log.errors("move", fighter="guard", inches=1) == ["side-passed"]
    assert log.errors("done", side="b") == ["side-passed"]
    assert log.errors("done", side="c") == ["unknown-side"]
    assert log.errors("move", fighter="athos", inches=1) == []
    log.tell("turn", turn=2)
    log.tell("move", fighter="guard", inches=1)


def test_reload_order_lets_everybody_remove_one_counter():
    band = side(
        "a",
        "ottoman-empire",
        man("chief", "ottoman-empire/boluk-bashi", 4, leader=True),
        *(
            man(each, "ottoman-empire/azab", 2, options={"weapon": ["matchlock"]})
            for each in ("one", "two")
        ),
    )
    log = begun(BattleSetup("skirmish", (band, GUARD)))
    for shooter in ("one", "two"):
        log.tell(
            "shot", shooter=shooter, target="guard", weapon="matchlock", inches=10, dice=[1, 2]
        )
    log.tell("turn", turn=2)
    log.tell("order", commander="chief", order="reload", fighters=["one", "two"])
    for fighter in ("one", "two"):
        assert log.errors("action", fighter=fighter, what="aim") == ["acted-already"]
        state = log.tell("action", fighter=fighter, what="reload", weapon="matchlock")
        assert state.table.of(fighter).reload == {"matchlock": 0}


def test_special_action_has_text_and_uses_turn():
    log = begun()
    log.tell("action", fighter="guard", what="special", words="bars the door")
    assert (
        LOG.sentence(log.events[-1], {"guard": "Guard"})
        == "Guard does something special: bars the door"
    )
    assert log.errors("move", fighter="guard", inches=1) == ["acted-already"]
