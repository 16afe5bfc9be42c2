"""Nerve in the log: Morale Tests, the resolve of the Routing whenever they are activated, and the
removal of Stunned counters.

Moves see to the resolve of the Wavering and the Routing themselves.
Rule book: "Test morale", "Routing", "Remove stunned counters". Rulings B3, B4, B5, B6, B7.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import dice_in, dice_line, die_in, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    ReplayStep,
    SideKey,
    TwoDice,
    field_meta,
    kind,
)
from rulebook.calculators.wording import reasoned, reasons
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.book.catalogue import faction
from rulebook.systems.en_garde.play.play_state import CivilianState, CombatantState, PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase, with_contacts
from rulebook.systems.en_garde.rosters.assembled_roster import BANNER, LEADER
from rulebook.systems.en_garde.table.combatant import Modifier, total
from rulebook.systems.en_garde.table.morale import (
    Morale,
    MoraleTest,
    WarbandInBattle,
    must_test,
    needs_resolve,
    passes_unrolled,
    resolve_holds,
    resolve_morale,
    shakes_off_unrolled,
    stun_modifiers,
    stuns_removed,
)
from rulebook.systems.en_garde.table.wounds import remove_stunned
from rulebook.systems.en_garde.turns.fighters import kept_fearless, number_with, present
from rulebook.systems.en_garde.turns.harm import after_poison
from rulebook.systems.en_garde.turns.turn_event import Activation, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation
from rulebook.values.remembering import remembered
from rulebook.values.table import EventOutcome


@kind(
    "morale",
    "Morale Test",
    'Rule book: "Test morale"',
    phase="end",
    in_light=True,
    about="side",
    always_rolls=True,
    spare_dice={"reroll": ("", "")},
    offered_to="side",
)
class MoraleTested(TurnEvent, frozen=True, kw_only=True):
    """A warband's Morale Test; ``reroll`` is the banner's second throw."""

    side: Annotated[SideKey, field_meta("Side")]
    dice: Annotated[TwoDice, field_meta("Dice")] = ()
    reroll: Annotated[TwoDice, field_meta("Second roll", "Only if a die is re-rolled.")] = ()

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        """Return why a side does not test its Morale now, "" if it does."""
        if actor not in sides_to_test(state):
            return "no test is due"
        before_priority = state.table.phase is TurnPhase.PRIORITY and not state.table.priority
        return "roll Priority first" if before_priority else ""

    @property
    def ends_combat_phase(self) -> bool:
        return True

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if self.side not in state.sides:
            yield problem("unknown-warband", value=self.side, sides=", ".join(state.sides))

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield two dice, and the banner's second throw, which Muster takes whenever it is
        allowed."""
        warband = warband_of(state, self.side)
        inspired = passes_unrolled(warband)
        yield {"dice": 0 if inspired else 2}
        again = not inspired and resolve_morale(warband, self.dice, state.settings).may_reroll
        yield {"reroll": 2 if again else 0}

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield the violation of a test without a reason, or of a second one in a turn."""
        if self.side in state.table.tested:
            yield violation("tested-already")
        elif not must_test(warband_of(state, self.side)):
            yield violation("no-test-needed")

    def _test(self, state: PlayState, dice: tuple[int, ...]) -> MoraleTest:
        return resolve_morale(warband_of(state, self.side), dice, state.settings)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state with the side's new Morale; the banner's second throw stands."""
        test = self._test(state, self.reroll or self.dice)
        table = state.table
        changed = replace(
            table,
            morale={**table.morale, self.side: test.after},
            inspired=(*table.inspired, self.side) if test.inspired else table.inspired,
            tested=(*table.tested, self.side),
        )
        return replace(state, table=changed)

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        test = self._test(step.before, self.reroll or self.dice)
        name = step.before.side(self.side).name
        if test.inspired:
            sentence = f"{name} is Inspired and passes ({test.after.value.capitalize()})."
            return EventOutcome((sentence,), (), (self.rule,))
        rolled = reasoned("Morale Test", dice_line(test.dice, self.rule), *reasons(test.modifiers))
        now = test.after.value.capitalize()
        sentence = f"{name} passes and is {now}." if test.passed else f"{name} fails and is {now}."
        return EventOutcome((sentence,), (rolled,), (self.rule,))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)} tests its Morale{dice_in(self.dice, self.reroll)}"


@remembered
def warband_of(state: PlayState, side: str) -> WarbandInBattle:
    """Return a side as its Morale sees it now. Rulings B3, B6, C16."""
    own, killed = state.own(side), _killed(state, side)
    # A banner that the enemy has taken helps no more, nor one whose bearer is out.
    borne = any(combatant.standing and combatant.fighter.fills(BANNER) for combatant in own)
    return WarbandInBattle(
        rating=rating_of(state, side),
        start=len(own),
        strength=len([combatant for combatant in own if combatant.standing]),
        morale=state.table.morale_of(side),
        killed=len(killed),
        leader_killed=any(combatant.fighter.fills(LEADER) for combatant in killed),
        commander=number_with(state, side, "commander") > 0,
        banner=borne and side not in state.banners,
        inspiring=number_with(state, side, "inspiring") > 0,
        inspired_already=side in state.table.inspired,
        fearless=kept_fearless(state, side),
    )


def _killed(state: PlayState, side: str) -> list[CombatantState]:
    """Return the losses for which a side tests its Morale now: those of the turn before, or those
    of this one by house rule (Ruling B3)."""
    turn = state.table.turn - int(state.settings.morale_timing == "next-turn")
    return [
        each
        for each in state.combatants.values()
        if each.died_turn == turn and each.dead and each.side == side and not each.summoned
    ]


def rating_of(state: PlayState, side: str) -> int:
    """Return a side's Morale Rating: that of the warband, else of its list."""
    fielded = state.side(side)
    rating = fielded.figures.get("morale")
    if not isinstance(rating, int):
        rating = fielded.extras.get("morale")
    if rating is None:
        rating = faction(fielded.faction).morale
    return int(rating)


def sides_to_test(state: PlayState) -> tuple[str, ...]:
    """Return the sides that have to test their Morale in this End Phase and have not.

    Nobody asks those who are all gone.
    """
    table, to_test = state.table, []
    for side in state.sides:
        # A Steady warband without losses has no reason to test.
        shaken = table.morale_of(side) is not Morale.STEADY or _killed(state, side)
        if side in table.tested or not shaken:
            continue
        standing = any(combatant.standing for combatant in state.own(side))
        if standing and must_test(warband_of(state, side)):
            to_test.append(side)
    return tuple(to_test)


@kind(
    "stun_roll",
    "Stunned counters",
    'Rule book: "Remove stunned counters"',
    phase="end",
    always_rolls=True,
    in_light=True,
    offered_to="fighter",
    offered_as="Remove Stunned counters",
)
class StunRolled(TurnEvent, frozen=True, kw_only=True):
    """The die that may remove Stunned counters in the End Phase."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    die: Annotated[Die | None, field_meta("Die", "Only if the result needs one.")] = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a fighter or Civilian is Stunned in a turn; a fighter also if poison is
        about to stun it."""
        if not state.table.turn:
            return False
        if actor in state.civilians:
            civilian = state.civilians[actor]
            return civilian.on_table and civilian.wounds.stunned > 0
        if not super().is_open_to(state, actor) or not state.combatants[actor].on_table:
            return False
        return after_poison(state).combatants[actor].wounds.stunned > 0

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return "has rolled" if state.table.of(actor).has("stun-rolled") else ""

    @property
    def ends_combat_phase(self) -> bool:
        return True

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        yield {"die": int(not self._shakes_off(state))}

    def _shakes_off(self, state: PlayState) -> bool:
        return shakes_off_unrolled(present(state, self.fighter))

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids the roll: only the Stunned roll, once a turn."""
        fighter = state.somebody(self.fighter)
        rolled = state.table.of(self.fighter).has("stun-rolled")
        yield from broken(
            (not fighter.on_table, "off-the-table"),
            (not fighter.wounds.stunned, "no-stunned-counter"),
            (rolled, "counter-rolled-already"),
            name=state.named(self.fighter),
            why_out=fighter.why_out,
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        removed = self._removed(state)
        state = state.with_fighter(self.fighter, "stun-rolled")
        fighter = state.somebody(self.fighter)
        wounds = remove_stunned(fighter.wounds, removed)
        if isinstance(fighter, CivilianState):
            return state.with_civilian(replace(fighter, wounds=wounds))
        return state.with_combatant(replace(fighter, wounds=wounds))

    def _removed(self, state: PlayState) -> int:
        """Return how many counters go."""
        return (
            1
            if self._shakes_off(state)
            else stuns_removed((self.die or 0) + total(self._modifiers(state)))
        )

    def _modifiers(self, state: PlayState) -> tuple[Modifier, ...]:
        on_table = state.table.of(self.fighter)
        rested = on_table.has("rested") and not on_table.has("fought")
        return stun_modifiers(
            present(state, self.fighter), engaged=state.table.engaged(self.fighter), rested=rested
        )

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        """Return the sum, and whether no counter goes; every event reports who is better off."""
        if self._shakes_off(step.before):
            return EventOutcome((), (), ('Rule book: "Large Models"',))
        rolled = reasoned(
            "Stunned",
            dice_line((self.die or 0,), self.rule),
            *reasons(self._modifiers(step.before)),
        )
        return EventOutcome(
            () if self._removed(step.before) else ("No counter is removed.",),
            (rolled,),
            (self.rule,),
        )

    def sentence(self, names: CombatantNames) -> str:
        return (
            f"{name_of(names, self.fighter)} rolls to remove Stunned counters"
            f"{dice_in(die_in(self.die))}"
        )


def resolve_wanted(state: PlayState, event: TurnEvent) -> bool:
    """Return whether the fighter that it activates has to roll first, once a turn."""
    actor = event.actor
    if actor not in state.combatants:
        return False
    morale = state.table.morale_of(state.side_of(actor))
    if morale is Morale.STEADY or state.table.of(actor).has("resolved"):
        return False
    engaged = state.table.engaged(actor)
    return needs_resolve(present(state, actor), morale, into_contact=False, engaged=engaged)


def bolts(state: PlayState, event: TurnEvent) -> bool:
    """Return whether it runs instead, by the die that was asked for."""
    if (
        not isinstance(event, Activation)
        or event.resolve is None
        or not resolve_wanted(state, event)
    ):
        return False
    return not resolve_holds(present(state, event.actor).rank, event.resolve)


def resolved(state: PlayState, actor: str) -> PlayState:
    """Return the state in which the fighter that an event activates has rolled its resolve."""
    return state.with_fighter(actor, "resolved") if actor else state


def run_off(state: PlayState, fighter: str) -> PlayState:
    """Return the state after a fighter ran towards the nearest edge: that was its action."""
    table = state.table.with_fighter(fighter, "acted", "resolved", hidden=False, order="")
    return replace(state, table=with_contacts(table, fighter, ()))
