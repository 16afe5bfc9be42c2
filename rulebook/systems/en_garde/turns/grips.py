"""What a fighter of a log fights with: the weapon declared or in its hand, in one hand or both.

Rule book: "Close combat weapons", "Which weapon?", "Pistol".
"""

from collections.abc import Iterator

from rulebook.battle_log.remembering import remembered
from rulebook.ruleset import Problem
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.arms_in_hand import TABLE, Grip
from rulebook.systems.en_garde.turns.fighters import present, weapon_now
from rulebook.systems.en_garde.turns.loading import fewest_counters
from rulebook.values.problems import Violation


def unknown_weapon(weapon: str, field: str, fighter: str) -> Iterator[Problem]:
    """Is it a close combat weapon, or a pistol?"""
    if weapon not in catalogue().arms.close_combat and weapon != "pistol":
        sentence = "There is no such close combat weapon: name one by its key in the tables of arms."
        yield Problem("unknown-weapon", sentence, fighters=(fighter,), field=field, value=weapon)


def hands_violations(weapon: str, hands: str) -> Iterator[Violation]:
    """A weapon for two hands is not swung with one; that others are not with two, the grip itself says."""
    row = catalogue().arms.close_combat.get(weapon)
    if hands == "one" and row is not None and row.hands == "two":
        yield Violation("two-handed", "It takes both hands.", TABLE)


@remembered
def grip_of(
    state: PlayState, fighter: str, declared: str = "", hands: str = "", *, indoors: bool | None = None
) -> Grip:
    """How a fighter fights: with the weapon declared, else with that in its hand.

    A weapon for one hand or two is held with as many as ``hands`` says ("one" or "two"), else as was chosen when it was
    taken in hand, else with both if nothing else is held; a buckler is of no use beside both. ``indoors`` is a combat
    in a narrow building, None means the combat that was opened last.
    """
    now = weapon_now(state, fighter)
    weapon = declared or now
    known, there = state.table.of(fighter), present(state, fighter)
    row = catalogue().arms.close_combat.get(weapon)
    free = not (there.mounted or there.buckler or there.shield)
    chosen = hands or (state.table.hands.get(fighter, "") if weapon == now else "")
    return Grip(
        weapon=weapon,
        two_handed=chosen == "two" or (not chosen and free and row is not None and row.hands == "either"),
        first_round=not known.contacts or known.engaged_on == state.table.turn,
        indoors=state.table.indoors if indoors is None else indoors,
        pistol_reload=fewest_counters(state, fighter, "pistol") if weapon == "pistol" else 0,
    )
