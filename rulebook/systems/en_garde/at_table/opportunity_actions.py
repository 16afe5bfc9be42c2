"""What a fighter may do with an opportunity in the open combat, and the Ploys that are allowed.

Rule book: "Combat procedure", "Ploys".
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.at_table.action_building import COMBAT, action, under
from rulebook.systems.en_garde.at_table.people_choices import people
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import weapon_name
from rulebook.systems.en_garde.table.blows import DEFENDERS, Ploy, attacker_violations, defender_violations, targets
from rulebook.systems.en_garde.table.rounds import Fencer, Round, may_strike, steed_pool
from rulebook.systems.en_garde.turns.attacks import WARHORSE, Attacked
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.opportunities import fight_of
from rulebook.values.fields import Choices
from rulebook.values.table import Action

PLOYS = {
    Ploy.PARRY: "Parry",
    Ploy.RIPOSTE: "Riposte",
    Ploy.FEINT: "Feint",
    Ploy.MIGHTY_BLOW: "Mighty blow",
    Ploy.SUBDUE: "Subdue",
    Ploy.DISENGAGE: "Disengage",
}


def opportunities(state: PlayState, fighter: str) -> Iterator[Action]:
    """Attack, another weapon, or let it go; and the warhorse's own blow."""
    fight = fight_of(state, fighter)
    if fight is None or fight.fencer(fighter).out:
        return
    fencer = fight.fencer(fighter)
    if _its_turn(fight, fencer):
        yield from _own(state, fight, fencer)
    yield from _by_mount(state, fight, fencer)


def _its_turn(fight: Round, fencer: Fencer) -> bool:
    following = fight.next
    if following is None:
        return False
    return following.side == fencer.side if fight.simplified else following.id == fencer.id


def _own(state: PlayState, fight: Round, fencer: Fencer) -> Iterator[Action]:
    if may_strike(fight, fencer) and not fencer.passes:
        yield _attack(state, fight, fencer)
        yield from _switch(state, fencer)
    why = "After a Riposte it lets this opportunity go." if fencer.passes else ""
    given = {"fighter": fencer.id}
    if fight.next is not None and fight.next.id == fencer.id:
        yield under(action(state, "pass", "Let it go", phase=COMBAT, given=given), "pass", help=why)


def _attack(state: PlayState, fight: Round, fencer: Fencer) -> Action:
    foes = foes_of(fight, fencer)
    answers = tuple(dict.fromkeys(each for foe in foes for each in _answers(state, fencer.id, foe)))
    attack = action(
        state,
        "attack",
        "Attack",
        phase=COMBAT,
        given={"attacker": fencer.id},
        main=("target", "ploys", "answers"),
        without=_idle(state, fencer, foes),
        choices={
            "target": people(state, foes),
            "ploys": _ploys(state, fencer.id, foes[0]) if foes else (),
            "answers": answers,
            "lucky": luck_of(state, (fencer.id, *foes)),
        },
    )
    return replace(attack, rule='Rule book: "Making an attack", "Ploys"')


def foes_of(fight: Round, fencer: Fencer) -> list[str]:
    """Those in the combat whom a fencer may strike at."""
    return [each.id for each in fight.fencers if each.side != fencer.side and not each.out]


def _ploys(state: PlayState, attacker: str, target: str) -> Choices:
    """The attacker's Ploys that the rules allow now."""
    able = present(state, attacker)
    found = []
    for ploy in (each for each in Ploy if each not in DEFENDERS):
        stance = Attacked(attacker=attacker, target=target, ploys=(ploy,)).attack_stance(state)
        if not attacker_violations(able, stance, state.settings):
            found.append((ploy.value, PLOYS[ploy]))
    return tuple(found)


def _answers(state: PlayState, attacker: str, target: str) -> Choices:
    """The defender's Ploys that the rules allow now."""
    able = present(state, target)
    found = []
    for ploy in (Ploy.PARRY, Ploy.RIPOSTE):
        stance = Attacked(attacker=attacker, target=target, answers=(ploy,)).defence_stance(state)
        if not defender_violations(able, stance, state.settings):
            found.append((ploy.value, PLOYS[ploy]))
    return tuple(found)


def _idle(state: PlayState, fencer: Fencer, foes: list[str]) -> tuple[str, ...]:
    """Fields that mean nothing for this attack."""
    attacker = present(state, fencer.id)
    at_mounts = any("mount" in targets(attacker, present(state, foe)) for foe in foes)
    masters = [present(state, each).has("weapon-master") for each in (fencer.id, *foes)]
    checks = (
        ("at_mount", at_mounts),
        ("by_mount", False),
        ("again", fencer.fast and not fencer.doubled),
        ("reroll", masters[0]),
        ("defence_reroll", any(masters[1:])),
        ("luck", bool(luck_of(state, (fencer.id, *foes)))),
    )
    return tuple(field for field, matters in checks if not matters)


def luck_of(state: PlayState, fighters: tuple[str, ...]) -> Choices:
    """Those of these whose luck is not used up."""
    lucky = (each for each in fighters if present(state, each).has("lucky"))
    return people(state, (each for each in lucky if not state.table.of(each).lucky_used))


def chooses_grip(state: PlayState, fighter: str) -> bool:
    """Does it carry a weapon that takes one hand or two?"""
    rows = catalogue().arms.close_combat
    return any(key in rows and rows[key].hands == "either" for key in present(state, fighter).weapons)


def _switch(state: PlayState, fencer: Fencer) -> Iterator[Action]:
    """Another weapon, or the one in hand with another grip."""
    rows, now = catalogue().arms.close_combat, weapon_now(state, fencer.id)
    weapons = [key for key in present(state, fencer.id).weapons if key in rows or key == "pistol"]
    others = [key for key in weapons if key != now or (key in rows and rows[key].hands == "either")]
    if others:
        yield action(
            state,
            "switch_weapon",
            "Take another weapon",
            phase=COMBAT,
            given={"fighter": fencer.id},
            main=("weapon",),
            without=() if chooses_grip(state, fencer.id) else ("hands",),
            choices={"weapon": tuple((key, weapon_name(key)) for key in others)},
        )


def _by_mount(state: PlayState, fight: Round, fencer: Fencer) -> Iterator[Action]:
    """The warhorse strikes once a turn, beside its rider. Rule book: "Mounted combat"."""
    able = steed_pool(present(state, fencer.id), ride_by=state.table.ride_by) > 0
    if not able or state.table.of(fencer.id).mount_fought == state.table.turn:
        return
    on_foot = [each for each in foes_of(fight, fencer) if not present(state, each).mounted]
    answers = tuple(dict.fromkeys(each for foe in on_foot for each in _answers(state, fencer.id, foe)))
    blow = action(
        state,
        "attack",
        "The warhorse strikes",
        phase=COMBAT,
        given={"attacker": fencer.id, "by_mount": True},
        main=("target", "at_mount"),
        without=("ploys", "again", "reroll", "defence_reroll", "lucky", "luck"),
        choices={"target": people(state, foes_of(fight, fencer)), "answers": answers},
    )
    yield under(blow, "warhorse", rule=WARHORSE)
