"""Blows in the log, whatever gave the opportunity: their dice, their results, and the harm that
they do.

Rule book: "Making an attack", "Beguiling", "Lucky", "Weapon Master", "Pistol". Ruling B16.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from rulebook.at_table.sentences import dice_line
from rulebook.battle_log.kinds import Die, FighterId, ReplayStep, field_meta
from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.play.checking import side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.words import RESULTS
from rulebook.systems.en_garde.table.blows import (
    Blow,
    Melee,
    Stance,
    defence_dice,
    kept,
    rerollable,
    resolve_blow,
    with_lowest_again,
)
from rulebook.systems.en_garde.table.combatant import Combatant, Grip
from rulebook.systems.en_garde.table.shooting import missile
from rulebook.systems.en_garde.table.wounds import WoundResult, WoundTable
from rulebook.systems.en_garde.turns.fighters import fired, grip_of, present
from rulebook.systems.en_garde.turns.harm import (
    WOUND_TABLE,
    WoundCause,
    WoundEvent,
    armour_line,
    die_wanted,
    harm,
)
from rulebook.systems.en_garde.turns.turn_event import BEGUILING, LUCK, Attack, with_luck
from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.table import EventOutcome

PROCEDURE = 'Rule book: "Combat procedure"'
MASTERS = (
    "Only a Weapon Master with the chosen weapon can re-roll the lowest die, and only a 1 or 2."
)
MASTERY = 'Rule book: "Weapon Master"'


class Strike(Attack, frozen=True, kw_only=True):
    """A blow of one fighter at another, whatever gave the opportunity.

    Kinds of blow list the fields of its dice themselves, in the places where their forms ask for
    them.
    """

    about: ClassVar[str] = "attacker"
    always_rolls: ClassVar[bool] = True
    procedure: ClassVar[str] = ""
    free: ClassVar[bool] = False
    fighters_only: ClassVar[tuple[str, ...]] = ("attacker",)
    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {
        "reroll": (MASTERS, MASTERY),
        "defence_reroll": (MASTERS, MASTERY),
        "luck": (
            "A Lucky re-roll needs the field 'lucky' to show whose it is.",
            'Rule book: "Lucky"',
        ),
    }

    attacker: Annotated[FighterId, field_meta("Attacker")]
    target: Annotated[FighterId, field_meta("Target")]
    if TYPE_CHECKING:
        dice: tuple[Die, ...] = ()
        reroll: Die | None = None
        defence_dice: tuple[Die, ...] = ()
        defence_reroll: Die | None = None
        die: Die | None = None
        nerve: Die | None = None
        lucky: str = ""
        luck: Die | None = None

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        return (side_of(state, self.attacker),)

    def grip(self, state: PlayState, fighter: str) -> Grip:
        """Return how one of the two strikes or parries."""
        return grip_of(state, fighter)

    def stances(self, state: PlayState) -> tuple[Stance, Stance]:
        """Return how attacker and defender stand; outside a combat they fight those that they
        touch."""
        both = (self.attacker, self.target)
        attack, defence = (
            Stance(self.grip(state, each), enemies=len(state.table.of(each).contacts))
            for each in both
        )
        return attack, defence

    def striking(self, state: PlayState) -> Combatant:
        """Return who strikes: the fighter, or the warhorse beneath it."""
        return present(state, self.attacker)

    def striker_name(self, state: PlayState) -> str:
        """Return the name of who or what strikes, for the sums of the blow."""
        return state.named(self.attacker)

    def target_name(self, state: PlayState) -> str:
        """Return the name of who or what is struck at, for the sums of the blow."""
        return state.named(self.target)

    def means(self) -> WoundCause:
        """Return how the harm of the blow is dealt."""
        return WoundCause.MELEE

    def weapon_used(self, state: PlayState) -> str:
        """Return the key of the weapon that strikes, "" for the hooves of a warhorse."""
        return self.grip(state, self.attacker).weapon

    def melee(self, state: PlayState) -> Melee:
        """Return the blow, everything but its dice."""
        attack, defence = self.stances(state)
        target = present(state, self.target)
        return Melee(self.striking(state), attack, target, defence, state.settings, free=self.free)

    def harms_mount(self, blow: Blow) -> bool:
        """Return whether the blow, or the Riposte that answers it, harms a mount."""
        return False

    def hits(self, state: PlayState) -> bool:
        return self.blow(state).hit

    def dice_counts(self, state: PlayState) -> tuple[int, int]:
        """Return the dice of attack and of defence."""
        return 2, defence_dice(present(state, self.target), (), state.settings)

    def may_reroll(self, state: PlayState) -> bool:
        """Return whether the attacking Weapon Master may throw his lowest die again."""
        return self.rerolls(state, self.attacker, self.dice)

    def may_reroll_defence(self, state: PlayState) -> bool:
        """Return whether the defending Weapon Master may throw his lowest die again."""
        return self.rerolls(state, self.target, self.defence_dice)

    def rerolls(self, state: PlayState, fighter: str, dice: tuple[int, ...]) -> bool:
        """Return whether a fighter throws the lowest of these dice again, as a Weapon Master
        with his weapon in hand.
        """
        master = present(state, fighter)
        return (
            master.has("weapon-master")
            and rerollable(master, self.grip(state, fighter), dice) is not None
        )

    def attack_roll(self) -> tuple[int, ...]:
        """Return the attacker's dice as they stand after re-rolls, before one is discarded."""
        dice = with_lowest_again(self.dice, self.reroll)
        return (
            dice
            if self.luck is None
            else with_luck(dice, self.luck, own=self.lucky == self.attacker)
        )

    def defence_roll(self) -> tuple[int, ...]:
        """Return the defender's dice as they stand after a re-roll."""
        return with_lowest_again(self.defence_dice, self.defence_reroll)

    def blow(self, state: PlayState) -> Blow:
        """Return what the blow comes to with its dice."""
        return resolve_blow(self.melee(state), self.attack_roll(), self.defence_roll())

    def harmed(self, blow: Blow) -> tuple[str, WoundResult | None]:
        """Return who is harmed by the blow, and how badly: the target, or the attacker (a
        warhorse's rider) by a Riposte.
        """
        return (self.target, blow.result) if blow.riposte is None else (self.attacker, blow.riposte)

    def strikes_large_bodies(self, state: PlayState) -> bool:
        """Return whether either of the two is so large that a result on it may ask for a die."""
        standard = WoundTable.STANDARD
        return (
            present(state, self.target).table is not standard
            or present(state, self.attacker).table is not standard
        )

    def needs_large_die(self, state: PlayState) -> bool:
        """Return whether the result on a large body asks for a die."""
        if not self.strikes_large_bodies(state):
            return False
        blow = self.blow(state)
        victim, result = self.harmed(blow)
        return result is not None and die_wanted(
            state, victim, result, on_mount=self.harms_mount(blow)
        )

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield the dice of nerve, attack, defence, both Weapon Masters' re-rolls, luck, and for a
        large body."""
        yield {"nerve": int(self.needs_nerve_die(state))}
        if self.passes_nerve(state):
            up, down = self.dice_counts(state)
            yield {"dice": up, "defence_dice": down}
            yield {
                "reroll": int(self.may_reroll(state)),
                "defence_reroll": int(self.may_reroll_defence(state)),
            }
            yield {"luck": int(self.spends_luck(state))}
            yield {"die": int(self.needs_large_die(state))}

    def landed(self, state: PlayState, logged: LoggedEvent, blow: Blow) -> PlayState:
        """Return the state with a pistol emptied, the target struck at, and anyone the blow or
        its Riposte has hurt.
        """
        weapon = self.weapon_used(state)
        victim, result = self.harmed(blow)
        riposte = blow.riposte is not None
        after = state
        if result is not None:
            wound = WoundEvent(
                victim=victim,
                result=result,
                means=WoundCause.RIPOSTE if riposte else self.means(),
                attacker=self.target if riposte else self.attacker,
                weapon=self.grip(state, self.target).weapon if riposte else weapon,
                subdue=blow.subdued,
                on_mount=self.harms_mount(blow),
                die=self.die,
            )
            after = harm(state, logged, wound)
        if weapon == "pistol":
            after = fired(after, self.attacker, weapon, missile(weapon).reload)
        return self.having_struck(after)

    def rules_used(self, state: PlayState) -> Iterator[str]:
        """Yield the rules that decided the blow besides the Wound Table, as players read them."""
        yield self.procedure
        if self.luck is not None:
            yield LUCK

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        name = step.before.named(self.attacker)
        if not self.passes_nerve(step.before):
            return EventOutcome((f"{name} fails the roll and cannot attack.",), (), (BEGUILING,))
        blow = self.blow(step.before)
        wounds = (WOUND_TABLE,) if blow.result or blow.riposte else ()
        rules = (*self.rules_used(step.before), *wounds)
        return EventOutcome(
            (_blow_sentence(name, blow),), tuple(self._sums(step.before, blow)), rules
        )

    def _sums(self, state: PlayState, blow: Blow) -> Iterator[ReasonedSum]:
        """Yield the Attack Roll, the Defence Roll, and the Wound Score of what struck home or
        answered it."""
        melee, down = self.melee(state), self.defence_roll()
        up = dice_line(kept(self.attack_roll(), melee.attack.ploys), PROCEDURE)
        own = ReasonLine(melee.attacking_fight, f"Fight of {self.striker_name(state)}", PROCEDURE)
        yield reasoned("Attack Roll", up, own, *reasons(blow.attack_modifiers))
        its = ReasonLine(melee.defending_fight, f"Fight of {self.target_name(state)}", PROCEDURE)
        yield reasoned("Defence Roll", dice_line(down, PROCEDURE), its)
        if blow.result is not None or blow.riposte is not None:
            title = "Wound Score of the Riposte" if blow.riposte is not None else "Wound Score"
            difference = ReasonLine(abs(blow.hit_score), "Difference of the rolls", PROCEDURE)
            yield reasoned(
                title, difference, *reasons(blow.wound_modifiers), *armour_line(blow.armour_rating)
            )


def _blow_sentence(attacker: str, blow: Blow) -> str:
    scores = f"{blow.attack_score} against {blow.defence_score}"
    if blow.riposte is not None:
        return f"Riposte, {scores}: {RESULTS[blow.riposte]}."
    if not blow.hit:
        return f"Miss, {scores}."
    if blow.feinted:
        return f"The Feint succeeds, {scores}. The counter is not spent."
    if blow.disengaged:
        return f"{attacker} gets away, {scores}."
    return (
        f"Hit, {scores}: {RESULTS[blow.result]}." if blow.result is not None else f"Hit, {scores}."
    )
