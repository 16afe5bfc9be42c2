"""Opportunities within a round that are let go, or used to take another weapon. Rule book: "Which weapon?"."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import FighterId, Names, Text
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import arm
from rulebook.systems.en_garde.table.arms_in_hand import Grip, grip_violations
from rulebook.systems.en_garde.table.rounds import its_turn, passed, switched_weapon
from rulebook.systems.en_garde.turns.checking import unknown_fighters
from rulebook.systems.en_garde.turns.combat_membership import fight_of, no_combat
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.grips import hands_violations, unknown_weapon
from rulebook.systems.en_garde.turns.loading import fewest_counters
from rulebook.systems.en_garde.turns.turn_event import HandsOnWeapon, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation


class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    key: ClassVar[str] = "pass"
    label: ClassVar[str] = "Pass"
    phase: ClassVar[str] = "combat"
    rule: ClassVar[str] = 'Rule book: "Combat procedure"'

    fighter: Annotated[FighterId, Meta(title="Who")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Is there an open combat with this fighter in it?"""
        unknown = tuple(unknown_fighters(state, fighter=self.fighter))
        yield from unknown
        if not unknown and fight_of(state, self.fighter) is None:
            yield no_combat("fighter", self.fighter)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Who lets an opportunity go has one."""
        yield from no_opportunity(state, self.fighter, self.rule)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state after the opportunity was let go."""
        fight = state.table.fight
        assert fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
        return replace(state, table=replace(state.table, fight=passed(fight, self.fighter)))

    def sentence(self, names: Names) -> str:
        """That it was let go."""
        return f"{name_of(names, self.fighter)} lets an opportunity go"


class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    key: ClassVar[str] = "switch_weapon"
    label: ClassVar[str] = "Weapon switched"
    phase: ClassVar[str] = "combat"
    rule: ClassVar[str] = 'Rule book: "Which weapon?"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    weapon: Annotated[Text, Meta(title="Weapon", max_length=60)]
    hands: HandsOnWeapon = ""

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        """Is there such a weapon, and an open combat?"""
        unknown = tuple(unknown_fighters(state, fighter=self.fighter))
        yield from unknown
        if unknown:
            return
        yield from unknown_weapon(self.weapon, "weapon", self.fighter)
        if fight_of(state, self.fighter) is None:
            yield no_combat("fighter", self.fighter)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Can it be held, is a counter left, and is it this fighter's opportunity?"""
        empty = fewest_counters(state, self.fighter, "pistol") if self.weapon == "pistol" else 0
        grip = Grip(self.weapon, two_handed=self.hands == "two", pistol_reload=empty)
        yield from grip_violations(present(state, self.fighter), grip)
        yield from hands_violations(self.weapon, self.hands)
        fight = fight_of(state, self.fighter)
        if fight is not None and fight.pools[fight.fencer(self.fighter).side].attack < 1:
            sentence = "It takes an Attack counter to take another weapon in hand, and none is left."
            yield Violation("no-counter", sentence, self.rule)
        yield from no_opportunity(state, self.fighter, self.rule)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """The state with the other weapon in hand."""
        fight = state.table.fight
        assert fight is not None  # noqa: S101 - the check saw to it; this tells the type checker
        table, fight = state.table, switched_weapon(fight, self.fighter)
        hands = {**table.hands, self.fighter: self.hands}
        grips = {**table.grips, self.fighter: self.weapon}
        return replace(state, table=replace(table, fight=fight, grips=grips, hands=hands))

    def sentence(self, names: Names) -> str:
        """Which weapon it takes."""
        return f"{name_of(names, self.fighter)} takes the {arm(self.weapon)} in hand"


def no_opportunity(state: PlayState, fighter: str, rule: str) -> Iterator[Violation]:
    """Switching stands in the place of an attack: it takes the fighter's own opportunity, as letting it go does."""
    fight = state.table.fight
    following = None if fight is None else fight.next
    if fight is not None and following is not None and its_turn(fight, fight.fencer(fighter)):
        return
    whose = "the round is over" if following is None else f"it is that of {state.named(following.id)}"
    yield Violation("not-its-turn", f"{state.named(fighter)} has no opportunity now: {whose}.", rule)
