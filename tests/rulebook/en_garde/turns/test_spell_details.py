"""Spells in a log: who can resist, the targets of Stun, the weight of Armour, wounds healed by Heal."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.turns.fighters import present
from tests.rulebook.en_garde.logs import outcomes, replay
from tests.rulebook.en_garde.turns.tables import Told, begun, man, side
from tests.rulebook.en_garde.turns.test_spells import MAGIC


def witch(*spells: str) -> Told:
    """Return a battle with a witch who knows these spells, and her enemies."""
    caster = man(
        "witch",
        "custom/rank-5",
        5,
        leader=True,
        kept={"attributes": ["magician"]},
        spells=list(spells),
    )
    friend = man("friend", "custom/rank-2", 2)
    return begun(
        BattleSetup(
            "skirmish", (side("a", "custom", caster, friend), MAGIC.sides[1]), {"fantastical": True}
        )
    )


def test_only_a_magician_resists_a_spell_without_a_target():
    log = witch("mist")
    cast = {"magician": "witch", "spell": "mist", "dice": [3, 3], "target": "guard"}
    assert log.errors("spell", **cast, resisted_by="guard", resisting_dice=[1, 1]) == [
        "may-not-resist"
    ]


def test_stun_reaches_everybody_once():
    log = witch("stun")
    cast = {"magician": "witch", "spell": "stun", "dice": [3, 3]}
    assert log.errors("spell", **cast, victims=["guard", "guard"], counters=[1, 1]) == [
        "named-twice"
    ]


def test_a_transfix_that_works_shows_the_ruling_by_which_armour_stays():
    log = witch("transfix")
    rules = []
    for turn, dice in ((2, [6, 6]), (3, [1, 1])):
        cast = {
            "magician": "witch",
            "spell": "transfix",
            "target": "guard",
            "inches": 6,
            "dice": dice,
        }
        log.tell("spell", **cast, resisted_by="guard", resisting_dice=[6, 6])
        rules.append("Ruling B34" in max(outcomes(log.setup, log.events).items())[1].rules)
        log.tell("turn", turn=turn)
    assert rules == [True, False]


def test_transfix_halves_what_is_rolled_with_and_leaves_rank_and_armour():
    caster = man(
        "witch",
        "custom/rank-5",
        5,
        leader=True,
        kept={"attributes": ["magician"]},
        spells=["transfix"],
    )
    captain = man(
        "captain", "custom/rank-5", 5, leader=True, equipment=["sword", "bow", "light-armour"]
    )
    log = begun(
        BattleSetup(
            "skirmish", (side("a", "custom", caster), side("b", "custom", captain)), MAGIC.settings
        )
    )
    free = present(log.state, "captain")
    cast = {
        "magician": "witch",
        "spell": "transfix",
        "target": "captain",
        "inches": 6,
        "dice": [6, 6],
    }
    bound = present(log.tell("spell", **cast), "captain")
    numbers = (free.combat_pool, free.initiative, free.fight, free.shoot)
    assert min(*numbers, free.worn) > 0
    assert (bound.combat_pool, bound.initiative, bound.fight, bound.shoot) == tuple(
        each // 2 for each in numbers
    )
    assert (bound.rank, bound.worn) == (free.rank, free.worn)


def test_the_reach_of_a_spell_is_asked_for_and_a_log_without_it_stays_good():
    log = witch("drain-life", "heal", "stun")
    cast = {"magician": "witch", "spell": "drain-life", "target": "guard", "dice": [6, 6]}
    assert log.errors("spell", **cast) == ["inches-untold"]
    assert log.errors("spell", **cast, inches=0) == []
    assert log.errors("spell", magician="witch", spell="heal", target="witch", dice=[3, 3]) == []
    old = (*log.events, log.event("spell", cast))
    assert replay(log.setup, old).combatants["guard"].wounds.worst == "light"


def test_the_reach_of_a_challenge_is_asked_for():
    log = begun(MAGIC)
    cast = {"challenger": "witch", "challenged": "guard"}
    assert "inches-untold" in log.errors("challenge", **cast)
    assert "inches-untold" not in log.errors("challenge", **cast, inches=6)


def test_a_spell_of_armour_weighs_nothing_in_a_dexterity_check():
    log = witch("armour")
    log.tell("spell", magician="witch", spell="armour", target="friend", dice=[3, 3])
    log.tell("dexterity", fighter="friend", dice=[4, 3], falls=3)


def test_healed_fighter_can_die_later():
    log = witch("heal")
    log.tell("wound", victim="friend", result="grievous", attacker="guard", subdue=True)
    assert log.state.combatants["friend"].out_turn == 1
    healed = log.tell(
        "spell", magician="witch", spell="heal", target="friend", inches=2, dice=[3, 3]
    ).combatants["friend"]
    assert (healed.standing, healed.out_since, healed.out_turn) == (True, None, None)
    log.tell("turn", turn=2)
    assert (
        log.tell("wound", victim="friend", result="critical", attacker="guard")
        .combatants["friend"]
        .out_turn
        == 2
    )


def test_transfix_halves_the_move():
    log = witch("transfix")
    assert log.errors("move", fighter="guard", inches=6) == []
    log.tell("spell", magician="witch", spell="transfix", target="guard", inches=6, dice=[6, 6])
    assert log.errors("move", fighter="guard", inches=3.5) == ["too-far"]
    assert log.errors("move", fighter="guard", inches=3) == []
