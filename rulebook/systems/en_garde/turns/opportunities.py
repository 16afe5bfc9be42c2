"""Who may join a round of combat: how many of which size, in duels, riding by, from another combat, from behind.

And the opportunities in it that are let go, or used to take another weapon.

Rule book: "Combat", "Ride-by attacks", "Duels", "Initiating a new combat", "Which weapon?", "Appendix A: Simplified
attack procedure".
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import CombatantNames, FighterId, Text, field_meta, kind
from rulebook.systems.en_garde.book.violations import broken, problem, violation
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import arm
from rulebook.systems.en_garde.table import rounds
from rulebook.systems.en_garde.table.blows import never_defends
from rulebook.systems.en_garde.table.combatant import Combatant, Grip, grip_violations
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.systems.en_garde.turns.fighters import fewest_counters, hands_violations, present, unknown_weapon
from rulebook.systems.en_garde.turns.turn_event import HandsOnWeapon, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

Sides = Mapping[str, tuple[str, ...]]
"""The fighters of a combat by side."""


def fight_of(state: PlayState, *fighters: str) -> rounds.Round | None:
    """The open round if all of these are in it."""
    fight = state.table.fight
    return fight if fight is not None and fight.holds(*fighters) else None


def no_combat(field: str, fighter: str) -> Problem:
    """The problem of a blow outside any combat."""
    return problem("no-combat", field=field, value=fighter)


def foes_in(sides: Sides, fighter: str) -> tuple[str, ...]:
    """Everybody in the combat on the other side."""
    return tuple([each for fighters in sides.values() if fighter not in fighters for each in fighters])


def crowd_violations(state: PlayState, sides: Sides) -> Iterator[Violation]:
    """One side has one fighter only, and no more against it than find room around its base."""
    smaller, larger = sorted(sides.values(), key=len)
    if len(smaller) > 1:
        yield violation("both-sides-many")
        return
    most = room_around(state, smaller[0], larger)
    if len(larger) > most:
        yield violation("too-many-around", most=most)


def room_around(state: PlayState, fighter: str, many: Iterable[str]) -> int:
    """How many of these may fight that one: more around a larger base than around a smaller one."""
    large = {_has_large_base(present(state, each)) for each in many}
    own = _has_large_base(present(state, fighter))
    if large == {not own}:
        return rounds.most_against("larger" if own else "smaller")
    return rounds.most_against("same")


def _has_large_base(fighter: Combatant) -> bool:
    """Does it stand on a larger base than a fighter on foot? Riders, and large and huge bodies, do."""
    return fighter.mounted or fighter.table is not WoundTable.STANDARD


def may_ride_by(state: PlayState, fighter: str) -> bool:
    """Is it mounted, free, and not moved this turn?"""
    free = not state.table.engaged(fighter) and not state.table.of(fighter).has("moved")
    return free and present(state, fighter).mounted


def going_on_violations(state: PlayState, fighter: str) -> Iterator[Violation]:
    """A fighter may go on to new opponents once a turn, for an Attack counter, when it is not Engaged any more."""
    fight = state.table.last_round_of(fighter)
    if fight is None:
        yield violation("no-combat")
        return
    violations = rounds.new_combat_violations(fight, fighter)
    yield from violations
    if state.table.engaged(fighter) and "still-engaged" not in [each.code for each in violations]:
        others = ", ".join(state.named(each) for each in state.table.of(fighter).contacts)
        yield violation("still-touches", others=others)


def brought_violations(state: PlayState, fighter: str, sides: Sides, counters: tuple[int, int]) -> Iterator[Violation]:
    """The side of who goes on has the counters that it brings, and beside them those that its friends there draw."""
    fight = state.table.last_round_of(fighter)
    if fight is None:
        return
    brought = rounds.moved_on(fight, fighter)
    friends = tuple(present(state, each) for each in sides.get(state.side_of(fighter), ()) if each != fighter)
    attack, defence = counters
    drawn = rounds.Split(attack - brought.attack, defence - brought.defence)
    wrong_pool = violation("wrong-pool-brought", attack=brought.attack, defence=brought.defence)
    if not friends and drawn != rounds.Split(0, 0):
        yield wrong_pool
    for each in rounds.split_violations(friends, drawn) if friends else ():
        yield replace(wrong_pool, code=each.code, sentence=f"{wrong_pool.sentence} Of its friends: {each.sentence}")


def simplified_pool_violations(
    state: PlayState, fighters: tuple[str, ...], counters: rounds.Split
) -> Iterator[Violation]:
    """A side draws one fighter's pool, whichever it chooses, and one for each other; some neither strike nor defend."""
    everybody = tuple(present(state, fighter) for fighter in fighters)
    counted = tuple(filter(rounds.counts_in_simplified, everybody)) or everybody
    sizes = {
        rounds.simplified_pool(chosen, tuple(each for each in everybody if each is not chosen)) for chosen in counted
    }
    either = " or ".join(map(str, sorted(sizes)))
    attack, defence = counters.attack, counters.defence
    yield from broken(
        (counters.size not in sizes, "wrong-simplified-pool"),
        (min(attack, defence) < 0, "negative-simplified-counters"),
        (attack > 0 and all(each.civilian for each in everybody), "civilians-attack-simplified"),
        (defence > 0 and all(map(never_defends, everybody)), "no-defence-simplified"),
        either=either,
        have=counters.size,
    )


def rank_violations(state: PlayState, sides: Sides, behind: Mapping[str, str]) -> Iterator[Violation]:
    """Behind a friend who fights stands only who has a spear or pike. Rule book: "Appendix A"."""
    for fighter, friend in behind.items():
        own = [those for those in sides.values() if {fighter, friend} <= set(those)]
        front = bool(own) and friend not in behind
        if not (front and {"spear", "pike"}.intersection(present(state, fighter).weapons)):
            yield violation("no-part-in-fight", name=state.named(fighter))


def reaches(state: PlayState, sides: Sides, behind: Mapping[str, str]) -> Sides:
    """Whom everybody may strike in the simplified procedure: enemies in contact, from behind those of the friend.

    Contacts are those that the log knows, else all in the front rank.
    """
    own: dict[str, tuple[str, ...]] = {}
    for fighter in chain.from_iterable(sides.values()):
        if fighter in behind:
            continue
        foes = [foe for foe in foes_in(sides, fighter) if foe not in behind]
        in_contact = [foe for foe in foes if foe in state.table.of(fighter).contacts]
        own[fighter] = tuple(in_contact or foes)
    return {**own, **{fighter: own.get(friend, ()) for fighter, friend in behind.items()}}


@kind("pass", "Pass", 'Rule book: "Combat procedure"', phase="combat")
class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    fighter: Annotated[FighterId, field_meta("Who")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if fight_of(state, self.fighter) is None:
            yield no_combat("fighter", self.fighter)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        yield from no_opportunity(state, self.fighter, self.rule)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        fight = state.table.fight
        assert fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
        return state.with_table(fight=rounds.passed(fight, self.fighter))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} lets an opportunity go"


@kind("switch_weapon", "Weapon switched", 'Rule book: "Which weapon?"', phase="combat")
class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    fighter: Annotated[FighterId, field_meta("Who")]
    weapon: Annotated[Text, field_meta("Weapon", max_length=60)]
    hands: HandsOnWeapon = ""

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from unknown_weapon(self.weapon, "weapon", self.fighter)
        if fight_of(state, self.fighter) is None:
            yield no_combat("fighter", self.fighter)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        empty = fewest_counters(state, self.fighter, "pistol") if self.weapon == "pistol" else 0
        grip = Grip(self.weapon, two_handed=self.hands == "two", pistol_reload=empty)
        yield from grip_violations(present(state, self.fighter), grip)
        yield from hands_violations(self.weapon, self.hands)
        fight = fight_of(state, self.fighter)
        if fight is not None and fight.pools[fight.fencer(self.fighter).side].attack < 1:
            yield violation("no-counter-for-weapon")
        yield from no_opportunity(state, self.fighter, self.rule)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        fight = state.table.fight
        assert fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
        table, fight = state.table, rounds.switched_weapon(fight, self.fighter)
        hands = {**table.hands, self.fighter: self.hands}
        grips = {**table.grips, self.fighter: self.weapon}
        return replace(state, table=replace(table, fight=fight, grips=grips, hands=hands))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} takes the {arm(self.weapon)} in hand"


def no_opportunity(state: PlayState, fighter: str, rule: str) -> Iterator[Violation]:
    """Switching stands in the place of an attack: it takes the fighter's own opportunity, as letting it go does."""
    fight = state.table.fight
    following = None if fight is None else fight.next
    if fight is not None and following is not None and rounds.its_turn(fight, fight.fencer(fighter)):
        return
    whose = "the round is over" if following is None else f"it is that of {state.named(following.id)}"
    yield violation("no-opportunity-now", name=state.named(fighter), whose=whose, rule=rule)
