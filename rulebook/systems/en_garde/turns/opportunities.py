"""Rules on who may join a round of combat: how many of which size, in duels, riding by, from
another combat, from behind.

And the opportunities in it that are let go, or used to take another weapon.

Rule book: "Combat", "Ride-by attacks", "Duels", "Initiating a new combat", "Which weapon?",
"Appendix A: Simplified attack procedure".
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import CombatantNames, FighterId, Text, field_meta, kind
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.book.catalogue import catalogue
from rulebook.systems.en_garde.play.offers import FOLLOW_FORCED, meaningless
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import arm, weapon_name
from rulebook.systems.en_garde.table import rounds
from rulebook.systems.en_garde.table.blows import never_defends
from rulebook.systems.en_garde.table.combatant import BARE_HANDS, Combatant, Grip, grip_violations
from rulebook.systems.en_garde.table.wounds import WoundTable
from rulebook.systems.en_garde.turns.fighters import (
    fewest_counters,
    hands_violations,
    present,
    unknown_weapon,
    weapon_now,
)
from rulebook.systems.en_garde.turns.turn_event import HandsOnWeapon, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import Action

Sides = Mapping[str, tuple[str, ...]]
"""The fighters of a combat by side."""


def fight_of(state: PlayState, *fighters: str) -> rounds.Round | None:
    """Return the open round if all of these are in it."""
    fight = state.table.fight
    return fight if fight is not None and fight.holds(*fighters) else None


def no_combat(field: str, fighter: str) -> Problem:
    """Return the problem of a blow outside any combat."""
    return problem("no-combat", field=field, value=fighter)


def foes_in(sides: Sides, fighter: str) -> tuple[str, ...]:
    """Return everybody in the combat on the other side."""
    foes: tuple[str, ...] = ()
    for fighters in sides.values():
        if fighter not in fighters:
            foes += fighters
    return foes


def crowd_violations(state: PlayState, sides: Sides) -> Iterator[Violation]:
    """Yield what forbids the numbers: one side has one fighter only, and no more against it than
    find room."""
    smaller, larger = sorted(sides.values(), key=len)
    if len(smaller) > 1:
        yield violation("both-sides-many")
        return
    most = room_around(state, smaller[0], larger)
    if len(larger) > most:
        yield violation("too-many-around", most=most)


def room_around(state: PlayState, fighter: str, many: Iterable[str]) -> int:
    """Return how many of these may fight that one: more around a larger base than around a smaller
    one."""
    large = _has_large_base(present(state, fighter))
    for each in many:
        if _has_large_base(present(state, each)) == large:
            return rounds.most_against("same")
    return rounds.most_against("larger" if large else "smaller")


def _has_large_base(fighter: Combatant) -> bool:
    """Return whether it stands on a larger base than a fighter on foot: riders, large and huge
    bodies do."""
    return fighter.mounted or fighter.table is not WoundTable.STANDARD


def may_ride_by(state: PlayState, fighter: str) -> bool:
    """Return whether it is mounted, free, and has not moved this turn."""
    free = not state.table.engaged(fighter) and not state.table.of(fighter).has("moved")
    return free and present(state, fighter).mounted


def going_on_violations(state: PlayState, fighter: str) -> Iterator[Violation]:
    """Yield what forbids to go on: it is done once a turn, for an Attack counter, when no longer
    Engaged."""
    fight = state.table.last_round_of(fighter)
    if fight is None:
        yield violation("no-combat")
        return
    violations = rounds.new_combat_violations(fight, fighter)
    yield from violations
    if state.table.engaged(fighter) and "still-engaged" not in [each.code for each in violations]:
        others = ", ".join(state.named(each) for each in state.table.of(fighter).contacts)
        yield violation("still-touches", others=others)


def brought_violations(
    state: PlayState, fighter: str, sides: Sides, counters: tuple[int, int]
) -> Iterator[Violation]:
    """Yield what is wrong with the counters of who goes on: those it brings, and those that its
    friends draw."""
    fight = state.table.last_round_of(fighter)
    if fight is None:
        return
    brought = rounds.moved_on(fight, fighter)
    friends = tuple(
        present(state, each) for each in sides.get(state.side_of(fighter), ()) if each != fighter
    )
    attack, defence = counters
    drawn = rounds.Split(attack - brought.attack, defence - brought.defence)
    wrong_pool = violation("wrong-pool-brought", attack=brought.attack, defence=brought.defence)
    if not friends and drawn != rounds.Split(0, 0):
        yield wrong_pool
    for each in rounds.split_violations(friends, drawn) if friends else ():
        yield replace(
            wrong_pool,
            code=each.code,
            sentence=f"{wrong_pool.sentence} Its friends: {each.sentence}",
        )


def simplified_pool_violations(
    state: PlayState, fighters: tuple[str, ...], counters: rounds.Split
) -> Iterator[Violation]:
    """Yield what is wrong with a side's counters: one fighter's pool, chosen freely, and one for
    each other."""
    everybody = tuple(present(state, fighter) for fighter in fighters)
    counted = tuple(filter(rounds.counts_in_simplified, everybody)) or everybody
    sizes = {
        rounds.simplified_pool(chosen, tuple(each for each in everybody if each is not chosen))
        for chosen in counted
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


def rank_violations(
    state: PlayState, sides: Sides, behind: Mapping[str, str]
) -> Iterator[Violation]:
    """Yield what is wrong with those who fight behind a friend: they need a spear or pike.

    Rule book: "Appendix A".
    """
    for fighter, friend in behind.items():
        own = [those for those in sides.values() if {fighter, friend} <= set(those)]
        front = bool(own) and friend not in behind
        if not (front and {"spear", "pike"}.intersection(present(state, fighter).weapons)):
            yield violation("no-part-in-fight", name=state.named(fighter))


def reaches(state: PlayState, sides: Sides, behind: Mapping[str, str]) -> Sides:
    """Return the enemies that each may strike in the simplified procedure: enemies in contact, from
    behind those of the friend.

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


def may_attack(state: PlayState, fighter: str) -> bool:
    """Return whether a fighter of the open combat has an opportunity now, and something and
    somebody to strike."""
    fight = fight_of(state, fighter)
    if fight is None:
        return False
    fencer = fight.fencer(fighter)
    if fencer.out or fencer.passes or not rounds.its_turn(fight, fencer):
        return False
    return rounds.may_strike(fight, fencer) and bool(targets_of(fight, fencer))


def targets_of(fight: rounds.Round, fencer: rounds.Fencer) -> list[str]:
    """Return the ids of those in the combat that a fencer may strike at."""
    return [each.id for each in fight.fencers if each.side != fencer.side and not each.out]


def weapon_choices(state: PlayState, fighter: str) -> Choices:
    """Return the weapons that a fighter can take in hand, as choices; bare hands come last."""
    rows = catalogue().arms.close_combat
    carried = [key for key in present(state, fighter).weapons if key in rows or key == "pistol"]
    return tuple((key, weapon_name(key)) for key in dict.fromkeys((*carried, BARE_HANDS)))


def either_handed(state: PlayState, fighter: str) -> tuple[str, ...]:
    """Return the weapons that a fighter carries and that take one hand or two."""
    rows = catalogue().arms.close_combat
    return tuple(
        key
        for key in present(state, fighter).weapons
        if key in rows and rows[key].hands == "either"
    )


@kind(
    "pass",
    "Pass",
    'Rule book: "Combat procedure"',
    phase="combat",
    offered_to="fighter",
    offered_as="Skip attack",
    follow=FOLLOW_FORCED,
)
class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    fighter: Annotated[FighterId, field_meta("Fighter")]

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is the next fighter of the open combat, or in the simplified procedure
        one of its side."""
        fight = fight_of(state, actor)
        if fight is None or fight.next is None:
            return False
        fencer = fight.fencer(actor)
        if fencer.out or not rounds.its_turn(fight, fencer):
            return False
        return fight.simplified or fight.next.id == actor

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        fight = fight_of(state, actor)
        forced = fight is not None and bool(fight.fencer(actor).passes)
        help_text = "After a Riposte this fighter must skip an attack." if forced else ""
        return replace(super().offer(state, actor), help=help_text)

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
        return f"{name_of(names, self.fighter)} skips an attack"


@kind(
    "switch_weapon",
    "Weapon change",
    'Rule book: "Which weapon?"',
    phase="combat",
    offered_to="fighter",
    offered_as="Change weapon",
    asked_first=("weapon",),
    follow=FOLLOW_FORCED,
)
class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    weapon: Annotated[Text, field_meta("Weapon", max_length=60)]
    hands: HandsOnWeapon = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a fighter who may attack has another weapon, or another grip on the one in
        hand."""
        return may_attack(state, actor) and bool(cls.weapons_for(state, actor))

    @classmethod
    def weapons_for(cls, state: PlayState, actor: str) -> Choices:
        """Return the weapons that a fighter is offered, the one in hand only where it takes one
        hand or two."""
        in_hand = weapon_now(state, actor)
        left_out = {BARE_HANDS} if in_hand in either_handed(state, actor) else {BARE_HANDS, in_hand}
        return tuple(
            (key, label) for key, label in weapon_choices(state, actor) if key not in left_out
        )

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"weapon": cls.weapons_for(state, actor)}

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        return meaningless(hands=either_handed(state, actor))

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
        table = state.table
        fight = rounds.switched_weapon(fight, self.fighter)
        hands = {**table.hands, self.fighter: self.hands}
        grips = {**table.grips, self.fighter: self.weapon}
        return replace(state, table=replace(table, fight=fight, grips=grips, hands=hands))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} changes to the {arm(self.weapon)}"


def no_opportunity(state: PlayState, fighter: str, rule: str) -> Iterator[Violation]:
    """Yield the violation of a fighter who has no opportunity: switching weapons takes one, as
    passing does."""
    fight = state.table.fight
    following = None if fight is None else fight.next
    if (
        fight is not None
        and following is not None
        and rounds.its_turn(fight, fight.fencer(fighter))
    ):
        return
    whose = "the round is over" if following is None else f"{state.named(following.id)} is next"
    yield violation("no-opportunity-now", name=state.named(fighter), whose=whose, rule=rule)
