"""What a fighter of a log fights with: the weapon declared or in its hand, in one hand or both.

Rule book: "Close combat weapons", "Which weapon?", "Pistol".
"""

from collections.abc import Iterator

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import Grip
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.loading import fewest_counters


def unknown_weapon(weapon: str, field: str, fighter: str) -> Iterator[Problem]:
    """Is it a close combat weapon, or a pistol?"""
    if weapon not in catalogue().arms.close_combat and weapon != "pistol":
        sentence = "There is no such close combat weapon: name one by its key in the tables of arms."
        yield Problem("unknown-weapon", sentence, fighters=(fighter,), field=field, value=weapon)


def grip_of(state: PlayState, fighter: str, declared: str = "", *, indoors: bool | None = None) -> Grip:
    """How a fighter fights: with the weapon declared, else with that in its hand.

    ``indoors`` is a combat in a narrow building; None means the combat that was opened last.
    """
    weapon = declared or weapon_now(state, fighter)
    known, there = state.table.of(fighter), present(state, fighter)
    hands = catalogue().arms.close_combat.get(weapon)
    free = not (there.mounted or there.buckler or there.shield)
    return Grip(
        weapon=weapon,
        two_handed=hands is not None and hands.hands == "either" and free,
        first_round=not known.contacts or known.engaged_on == state.table.turn,
        indoors=state.table.indoors if indoors is None else indoors,
        pistol_reload=fewest_counters(state, fighter, "pistol") if weapon == "pistol" else 0,
    )
