"""The base classes of events that are logged turn by turn, and what the rules ask of each kind.

Dice are numbers as they fell, in the order in which they were thrown. ``thrown`` says whose they
are: "app" for dice that Muster threw, "table" for dice typed in. Every event but a plain word may
be ``overruled`` with a reason where the rules forbid it.

``lucky`` names who forces a re-roll. With dice typed in they are as they stand after it; where
Muster throws, it throws one die again if the blow or shot goes against the Lucky, and leaves the
luck unspent if not: the lowest die of its own, or the highest of its enemy's (``luck``). Rule book:
"Lucky". Ruling B37.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import Die, FighterId, RuledEvent, field_meta, length
from rulebook.dice.cup import Cup
from rulebook.systems.en_garde.book import broken
from rulebook.systems.en_garde.play.checking import civilians_idle, side_of, unknown_people
from rulebook.systems.en_garde.play.offers import people
from rulebook.systems.en_garde.play.play_state import Event, PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.table.blows import Ploy
from rulebook.systems.en_garde.table.rounds import needs_nerve, nerve_holds
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.values.fields import Choices, LengthMeasure
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import Action

INCHES = LengthMeasure("inch", "inches", "″")
"""The unit in which everything is measured. Rule book: "Basic Principles"."""
Inches = Annotated[float, length(INCHES, 120)]
"""A distance on the table, in an event."""
Ploys = Annotated[tuple[Ploy, ...], Meta(max_length=4)]
DieOfResolve = Annotated[
    Die | None,
    field_meta(
        "Die for a Wavering or Routing warband",
        "For a fighter of a Wavering warband moving into contact, or of a Routing one.",
    ),
]
LargeDie = Annotated[
    Die | None, field_meta("Die for a large body", "Only if the result needs one.")
]
LuckyOne = Annotated[
    FighterId,
    field_meta(
        "Lucky re-roll by",
        "Once a battle, re-roll one die of a shot or attack by or at the Lucky fighter.",
    ),
]
LuckyDie = Annotated[Die | None, field_meta("Lucky re-roll", "Only with a Lucky re-roll.")]
BEGUILING = 'Rule book: "Beguiling"'
COURAGE = "Must be lower than the fighter's Rank."
DieAgainstBeguiling = Annotated[Die | None, field_meta("Die against the Beguiling", COURAGE)]
DieAgainstTerrifying = Annotated[Die | None, field_meta("Die against the Terrifying", COURAGE)]
MastersDie = Annotated[
    Die | None, field_meta("Weapon Master's new die", "Only if a die is re-rolled.")
]
DefendingMastersDie = Annotated[
    Die | None,
    field_meta(
        "Defending Weapon Master's new die",
        "Only if a defending Weapon Master re-rolls the lowest die.",
    ),
]
RiderDie = Annotated[
    Die | None,
    field_meta("Die for mount or rider", "For a hit on a rider. 1 to 4 hits the mount."),
]


HandsOnWeapon = Annotated[
    Literal["", "one", "two"],
    field_meta(
        "Hands on the weapon",
        "Only for a weapon used in one or two hands. Otherwise both hands if they are free.",
        extra={"choices": (("", "As usual"), ("one", "One hand"), ("two", "Both hands"))},
    ),
]
Indoors = Annotated[
    bool, field_meta("In a narrow building", "Long weapons are at a disadvantage there.")
]


PHASES = {phase.value: phase for phase in TurnPhase}


class TurnEvent(Event, RuledEvent[PlayState], frozen=True, kw_only=True, omit_defaults=True):
    """An event of a turn. ``shoots`` marks the use of a missile weapon, ``fighters_only`` fields
    for no Civilian."""

    turn_by_turn: ClassVar[bool] = True
    shoots: ClassVar[bool] = False
    fighters_only: ClassVar[tuple[str, ...]] = ()

    def misnamed(self, state: PlayState) -> Iterable[Problem]:
        """Return the problems of what it names: who is not in the battle, or cannot do such a
        thing.

        What there is not.
        """
        wrong = unknown_people(state, self)
        for field in self.fighters_only if state.civilians else ():
            wrong += civilians_idle(state, field, getattr(self, field))
        return wrong

    @property
    def actor(self) -> str:
        """Return the fighter that it activates, "" if nobody: one of a Routing warband rolls its
        resolve first."""
        return ""

    @property
    def activated(self) -> tuple[str, ...]:
        """Return everybody that it activates, movers and the ordered included."""
        return (self.actor,) if self.actor else ()

    @property
    def acting(self) -> tuple[str, ...]:
        """Return everybody that it has act or fight."""
        return self.activated

    @property
    def aggressor(self) -> str:
        """Return who has attacked by it, "" if nobody has; who did not dare to has thrown no dice
        for it."""
        return ""

    @property
    def mover(self) -> str:
        """Return who moves by it, "" if nobody does."""
        return ""

    @property
    def touching(self) -> tuple[str, ...]:
        """Return the ids of those that the mover touches afterwards."""
        return ()

    @property
    def strikes_leaver(self) -> str:
        """Return the fighter that it strikes for leaving contact, "" if nobody."""
        return ""

    @property
    def striker(self) -> str:
        """Return who strikes at a leaver by it."""
        return ""

    def sides_acting(self, state: PlayState) -> Iterable[str]:
        """Return the keys of the sides that act or fight by it."""
        return (side_of(state, each) for each in self.acting)

    def intruder(self, state: PlayState) -> str:
        """Return who has entered the duelling ground by it, "" if nobody has.

        ``state`` is that after it.
        """
        return ""

    def turn_phase(self, state: PlayState) -> TurnPhase | None:
        """Return the phase in which it may happen, None if in any."""
        return PHASES.get(self.phase)


class Opening(TurnEvent, frozen=True, kw_only=True):
    """An event that may be logged before the first turn. Civilians have no part in it."""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return not state.table.turn and super().is_open_to(state, actor)

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        return replace(super().offer(state, actor), phase=TurnPhase.PRIORITY.value)

    def misnamed(self, state: PlayState) -> Iterable[Problem]:
        return ()


class Activation(TurnEvent, frozen=True, kw_only=True):
    """Something that activates a fighter. In a Routing warband it rolls its resolve first, and runs
    if that fails.

    ``as_given`` marks one of several that were entered together. Nobody knows the order in which
    they acted, so the rule that sides take turns does not apply to them. Ruling B38.
    """

    resolve: DieOfResolve = None
    as_given: Annotated[
        bool,
        field_meta(
            "Entered together",
            "The order of actions is unknown, so sides do not need to take turns.",
        ),
    ] = False

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether a turn is being played in which the actor, a fighter or Civilian, can
        act."""
        takes_part = actor in state.combatants or (
            actor in state.civilians and not cls.fighters_only
        )
        return takes_part and bool(state.table.turn) and state.somebody(actor).standing


LUCK = 'Rule book: "Lucky"; Ruling B37'


def lucky_violations(state: PlayState, lucky: str, *concerned: str) -> tuple[Violation, ...]:
    """Return what forbids a Lucky re-roll: it is for the Lucky, once a battle, in combats of their
    own."""
    if not lucky:
        return ()
    name, on_table = state.named(lucky), state.table.of(lucky)
    violations = broken(
        (not present(state, lucky).has("lucky"), "no-luck"),
        (on_table.lucky_used, "luck-used"),
        (lucky not in concerned, "luck-of-others"),
        name=name,
    )
    return violations[:1]


def lucky_choices(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Return those of these fighters and Civilians whose luck is not used up, as choices."""
    lucky = [
        each
        for each in fighters
        if present(state, each).has("lucky") and not state.table.of(each).lucky_used
    ]
    return people(state, lucky)


def luck_used(state: PlayState, lucky: str) -> PlayState:
    """Return the state in which this fighter's luck is gone."""
    return state.with_fighter(lucky, lucky_used=True) if lucky else state


def with_luck(dice: tuple[int, ...], luck: int | None, *, own: bool) -> tuple[int, ...]:
    """Return the dice of an attack with one thrown again: the lowest of the Lucky's ``own``,
    the highest of its enemy's.

    A defence die is never thrown again. Ruling B37.
    """
    if luck is None or not dice:
        return dice
    place = dice.index(min(dice) if own else max(dice))
    return (*dice[:place], luck, *dice[place + 1 :])


def passes_nerve(state: PlayState, fighter: str, die: int | None) -> bool:
    """Return whether a fighter brings itself to attack, by the die of nerve that was asked for.

    House rule "beguiling_roll".
    """
    if die is None:
        return True
    equal = state.settings.beguiling_roll == "equal"
    return nerve_holds(present(state, fighter).rank, die, equal_will_do=equal)


class Attack(TurnEvent, frozen=True, kw_only=True):
    """A blow, shot or blast at a target by the fighter that it is ``about``: nerve before the
    Beguiling, and luck.

    Its kinds list the fields of their dice themselves, in the places where their forms ask for
    them.
    """

    ends: ClassVar[tuple[str, ...]] = ("target",)
    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"reroll": ("", ""), "luck": ("", "")}

    if TYPE_CHECKING:
        target: str | None
        nerve: int | None = None
        lucky: str = ""
        luck: int | None = None

    @property
    def by(self) -> str:
        """Return who attacks."""
        attacker: str = getattr(self, self.about)
        return attacker

    @property
    def own_dice(self) -> tuple[int, ...]:
        """Return the dice of its roll to hit."""
        dice: tuple[int, ...] = getattr(self, "dice", ())
        return dice

    @property
    def aggressor(self) -> str:
        """Return who attacks, if it has thrown."""
        return self.by if self.own_dice else ""

    def hits(self, state: PlayState) -> bool:
        """Return whether it hits, by its dice."""
        raise NotImplementedError

    def needs_nerve_die(self, state: PlayState) -> bool:
        """Return whether a Beguiling target makes the attacker roll first."""
        target = self.target or ""
        return (
            needs_nerve(present(state, target)) == "beguiling"
            and self.by not in state.table.of(target).struck
        )

    def passes_nerve(self, state: PlayState) -> bool:
        """Return whether a fighter brings itself to attack, by the die of nerve that was asked
        for."""
        return self.nerve is None or passes_nerve(state, self.by, self.nerve)

    def spends_luck(self, state: PlayState) -> bool:
        """Return whether luck is spent: on what goes against the Lucky, a miss of its own or a hit
        on it."""
        return bool(self.lucky) and (
            self.luck is not None
            or (bool(self.own_dice) and self.hits(state) != (self.lucky == self.by))
        )

    def throw(self, state: PlayState, cup: Cup) -> Self:
        """Return the dice in their order; luck that is not spent is kept."""
        event = super().throw(state, cup)
        return (
            replace(event, lucky="")
            if event.lucky and event.own_dice and event.luck is None
            else event
        )

    def having_struck(self, state: PlayState) -> PlayState:
        """Return the state in which the attacker has attacked the target, and may be struck at by
        it without nerve."""
        by, target = self.by, self.target or ""
        on_table = state.table.of(by)
        return (
            state
            if target in on_table.struck
            else state.knowing(by, replace(on_table, struck=(*on_table.struck, target)))
        )
