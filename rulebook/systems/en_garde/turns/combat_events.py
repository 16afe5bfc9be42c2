"""Events of hand-to-hand combat: challenges, rounds, blows."""

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from rulebook.battle_log.kinds import Die, FighterId, FighterIds, Text, TwoDice
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.turn_event import (
    DefendingMastersDie,
    DieAgainstBeguiling,
    DieAgainstTerrifying,
    DieOfResolve,
    LargeDie,
    LuckyDie,
    LuckyOne,
    MastersDie,
    Ploys,
    TurnEvent,
)


class CombatOpened(TurnEvent, frozen=True, kw_only=True):
    """A round of hand-to-hand combat: who fights, the counters of each side, dice of initiative, weapons in hand.

    ``rider`` names who rides by; with one rider only that could, it goes without saying.
    ``initiative`` holds each fighter's die and, after ties, the dice of its roll-offs. ``moved_on`` names the fighter
    who comes from a combat of this turn with the counters that are left, ``in_river`` those in the water who fight
    somebody on dry ground. A rider who rides by may have to roll its ``resolve`` (Wavering, Routing), and whoever comes
    into contact its ``nerve`` (the Terrifying): if that fails, there is no combat.

    In the simplified procedure ``initiative_by`` names one fighter of each side who rolls (else the first of each),
    and ``behind`` maps those with spear or pike to the friend whom they stand behind.
    """

    key: ClassVar[str] = "combat"
    label: ClassVar[str] = "Combat"
    phase: ClassVar[str] = "combat"
    rule: ClassVar[str] = 'Rule book: "Combat procedure"'
    about: ClassVar[str] = "fighters"
    always_rolls: ClassVar[bool] = True

    fighters: Annotated[dict[str, FighterIds], Meta(title="Fighters by side")]
    counters: Annotated[dict[str, tuple[int, int]], Meta(title="Attack and Defence counters by side")]
    initiative: Annotated[dict[str, tuple[Die, ...]], Meta(title="Dice of initiative")] = {}
    weapons: Annotated[dict[str, str], Meta(title="Weapons in hand")] = {}
    ride_by: Annotated[bool, Meta(title="Ride-by attack")] = False
    rider: Annotated[
        FighterId, Meta(title="Who rides by", description="The one who rides by; only where two could.")
    ] = ""
    resolve: DieOfResolve = None
    nerve: DieAgainstTerrifying = None
    indoors: Annotated[
        bool, Meta(title="In a narrow building", description="Long weapons are of little use there.")
    ] = False
    doorway: Annotated[FighterId, Meta(title="Stands in a doorway", description="Only one enemy reaches it.")] = ""
    window: Annotated[FighterId, Meta(title="Stands at a window", description="Only one enemy reaches it.")] = ""
    simplified: Annotated[bool, Meta(title="Simplified procedure")] = False
    initiative_by: Annotated[FighterIds, Meta(title="Who rolls Initiative (simplified procedure)")] = ()
    behind: Annotated[dict[str, str], Meta(title="Behind whom (simplified procedure)")] = {}
    moved_on: Annotated[
        FighterId,
        Meta(title="Comes from another combat", description="It brings the counters that were left, less one."),
    ] = ""
    in_river: Annotated[
        FighterIds,
        Meta(title="In the river against dry ground", description="Who fights out of the water is worse off."),
    ] = ()
    lucky: LuckyOne = ""

    @property
    def acting(self) -> tuple[str, ...]:
        """Everybody in the combat."""
        return tuple(fighter for fighters in self.fighters.values() for fighter in fighters)

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        """Both sides of the combat."""
        return self.fighters


class Attacked(TurnEvent, frozen=True, kw_only=True):
    """An attack in hand-to-hand combat, with the ploys of both."""

    key: ClassVar[str] = "attack"
    label: ClassVar[str] = "Attack"
    phase: ClassVar[str] = "combat"
    about: ClassVar[str] = "attacker"
    always_rolls: ClassVar[bool] = True

    attacker: Annotated[FighterId, Meta(title="Who")]
    target: Annotated[FighterId, Meta(title="Whom")]
    ploys: Annotated[Ploys, Meta(title="Attacker's Ploys")] = ()
    answers: Annotated[Ploys, Meta(title="Defender's Ploys")] = ()
    at_mount: Annotated[bool, Meta(title="At the mount", description="Fighters on foot may strike at the mount.")] = (
        False
    )
    by_mount: Annotated[bool, Meta(title="By the attacker's warhorse")] = False
    again: Annotated[
        bool, Meta(title="Fast: strikes once more at once", description="A Fast fighter, once a round.")
    ] = False
    dice: Annotated[tuple[Die, ...], Meta(title="Dice", max_length=3)] = ()
    reroll: MastersDie = None
    defence_dice: Annotated[TwoDice, Meta(title="Defence dice")] = ()
    defence_reroll: DefendingMastersDie = None
    die: LargeDie = None
    nerve: DieAgainstBeguiling = None
    lucky: LuckyOne = ""
    luck: LuckyDie = None

    @property
    def aggressor(self) -> str:
        """The attacker, if it has thrown."""
        return self.attacker if self.dice else ""

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        """The attacker's."""
        return (side_of(state, self.attacker),)


class FreeAttack(TurnEvent, frozen=True, kw_only=True):
    """A blow at a fighter who leaves contact: no counter, no ploys, one more on the roll (Ruling B25)."""

    key: ClassVar[str] = "free_attack"
    label: ClassVar[str] = "Free attack"
    phase: ClassVar[str] = "move"
    about: ClassVar[str] = "attacker"
    always_rolls: ClassVar[bool] = True

    attacker: Annotated[FighterId, Meta(title="Who")]
    target: Annotated[FighterId, Meta(title="Whom")]
    weapon: Annotated[Text, Meta(title="Weapon", description="Empty: the one in hand.", max_length=60)] = ""
    dice: Annotated[TwoDice, Meta(title="Dice")] = ()
    reroll: MastersDie = None
    defence_dice: Annotated[TwoDice, Meta(title="Defence die")] = ()
    defence_reroll: DefendingMastersDie = None
    die: LargeDie = None
    nerve: DieAgainstBeguiling = None
    lucky: LuckyOne = ""
    luck: LuckyDie = None

    @property
    def acting(self) -> tuple[str, ...]:
        """The attacker; it is not activated by it."""
        return (self.attacker,)

    @property
    def aggressor(self) -> str:
        """The attacker, if it has thrown."""
        return self.attacker if self.dice else ""

    @property
    def strikes_leaver(self) -> str:
        """Whom it strikes for leaving."""
        return self.target

    @property
    def striker(self) -> str:
        """The attacker."""
        return self.attacker

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        """The attacker's."""
        return (side_of(state, self.attacker),)


class Passed(TurnEvent, frozen=True, kw_only=True):
    """A fighter lets its opportunity in a combat go."""

    key: ClassVar[str] = "pass"
    label: ClassVar[str] = "Pass"
    phase: ClassVar[str] = "combat"
    rule: ClassVar[str] = 'Rule book: "Combat procedure"'

    fighter: Annotated[FighterId, Meta(title="Who")]


class WeaponSwitched(TurnEvent, frozen=True, kw_only=True):
    """A fighter takes another weapon in hand, in place of an attack."""

    key: ClassVar[str] = "switch_weapon"
    label: ClassVar[str] = "Weapon switched"
    phase: ClassVar[str] = "combat"
    rule: ClassVar[str] = 'Rule book: "Which weapon?"'

    fighter: Annotated[FighterId, Meta(title="Who")]
    weapon: Annotated[Text, Meta(title="Weapon", max_length=60)]
