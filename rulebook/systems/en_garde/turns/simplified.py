"""The simplified procedure for large combats in the log: who takes part, who rolls, who reaches whom, which counters.

Rule book: "Appendix A: Simplified attack procedure".
"""

from collections.abc import Iterator, Mapping

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.pools import (
    counts_in_simplified,
    may_reach_in_simplified,
    never_defends,
    simplified_pool,
)
from rulebook.systems.en_garde.turns.combat_events import CombatOpened
from rulebook.systems.en_garde.turns.combat_membership import foes_of, in_combat
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.values.problems import Violation

RULE = 'Rule book: "Appendix A"'


def rollers(event: CombatOpened) -> tuple[str, ...]:
    """Who rolls Initiative: in the simplified procedure one of each side, the first if nobody is named."""
    if not event.simplified:
        return in_combat(event)
    return event.initiative_by or tuple(event.initiative) or tuple(each[0] for each in event.fighters.values())


def roller_input_errors(event: CombatOpened) -> Iterator[Problem]:
    """Is it one fighter of each side who rolls?"""
    chosen = rollers(event)
    if event.simplified and any(len(set(chosen) & set(each)) != 1 for each in event.fighters.values()):
        sentence = "In the simplified procedure one fighter of each side rolls Initiative."
        yield Problem("wrong-dice", sentence, field="initiative_by", value=", ".join(chosen))


def pool_violations(state: PlayState, event: CombatOpened, side: str) -> Iterator[Violation]:
    """A side draws one fighter's pool, whichever it chooses, and one for each other; some neither strike nor defend."""
    everybody = tuple(present(state, fighter) for fighter in event.fighters[side])
    counted = tuple(filter(counts_in_simplified, everybody)) or everybody
    sizes = {simplified_pool(chosen, tuple(each for each in everybody if each is not chosen)) for chosen in counted}
    attack, defence = event.counters[side]
    checks = (
        (attack + defence not in sizes, "wrong-pool", f"The Combat Pool is {_either(sizes)}, not {attack + defence}."),
        (min(attack, defence) < 0, "negative-counters", "Counters cannot be fewer than none."),
        (attack > 0 and all(each.civilian for each in everybody), "civilians-attack", "Civilians only defend."),
        (defence > 0 and all(map(never_defends, everybody)), "no-defence", "Nobody here ever defends."),
    )
    yield from (Violation(code, sentence, RULE) for wrong, code, sentence in checks if wrong)


def _either(sizes: set[int]) -> str:
    return " or ".join(map(str, sorted(sizes)))


def rank_violations(state: PlayState, event: CombatOpened) -> Iterator[Violation]:
    """Behind a friend who fights stands only who has a spear or pike."""
    for fighter, friend in event.behind.items():
        own = [those for those in event.fighters.values() if {fighter, friend} <= set(those)]
        front = bool(own) and friend not in event.behind
        if not may_reach_in_simplified(present(state, fighter), in_contact=False, behind_friend_in_contact=front):
            sentence = f"{state.named(fighter)} takes part only in contact, or with spear or pike behind it."
            yield Violation("not-in-contact", sentence, RULE)


def reaches(state: PlayState, event: CombatOpened) -> Mapping[str, tuple[str, ...]]:
    """Whom everybody may strike: those in contact, from behind those in contact with the friend in front."""
    own = {fighter: _touching(state, event, fighter) for fighter in in_combat(event) if fighter not in event.behind}
    return {**own, **{fighter: own.get(friend, ()) for fighter, friend in event.behind.items()}}


def _touching(state: PlayState, event: CombatOpened, fighter: str) -> tuple[str, ...]:
    """The enemies in the combat that it touches: those that the log knows, else all in the front rank."""
    foes = [each for each in foes_of(event, fighter) if each not in event.behind]
    known = [each for each in foes if each in state.table.of(fighter).contacts]
    return tuple(known or foes)
