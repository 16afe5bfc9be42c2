"""The kinds of event of a log, one class for each; notes and corrections are the engine's.

The sheet has no order of the turn (Ruling A-G2): within a turn everything may happen in any order.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log.kinds import (
    Casualty,
    CombatantNames,
    Die,
    FighterId,
    FighterIds,
    Light,
    OverrulableEvent,
    ReplayStep,
    RuledEvent,
    SideKey,
    choice_meta,
    field_meta,
    kind,
)
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.dice.open_ended import Dice, dice_told_wrong
from rulebook.systems.argad.book import GONE, MOST, NO_FIREARM, Centimetres, book, broken
from rulebook.systems.argad.fighters import Move, reach, slowing_dice
from rulebook.systems.argad.melee import Blow, Melee, Strike, exchange, resolve_blow, strikes_first
from rulebook.systems.argad.shooting import CONTACTS, Shot, resolve_shot, shot_dice, shot_violations
from rulebook.systems.argad.state import State
from rulebook.values.answers import ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import BESIDE, Action, Due, EventOutcome

LABELS = {key: each.label for key, each in book().circumstance.items()}
Terrain = Annotated[str, choice_meta({key: terrain[0] for key, terrain in book().terrain.items()})]
Formation = Annotated[
    str,
    choice_meta(
        {"": "Nobody's", **{key: formation[0] for key, formation in book().formation.items()}}
    ),
]
Contact = Annotated[str, choice_meta(CONTACTS)]
Ticks = Annotated[tuple[Annotated[str, choice_meta(LABELS)], ...], Meta(max_length=9)]
Stances = Annotated[tuple[Annotated[str, choice_meta(book().stance)], ...], Meta(max_length=6)]
ThreeDice = Annotated[tuple[Die, ...], Meta(max_length=MOST)]
EFFECTS = {
    "": "By the house rule",
    "out": "Out of action",
    "killed": "Killed",
    "nothing": "Nothing",
}
STRUCK = {Strike.MISS: "misses", Strike.RECOIL: "drives back", Strike.KILL: "kills"}


class Event(OfferedEvent[State], frozen=True, kw_only=True):
    """An event of a log of Argad!; ``acting`` names the fields of those who cannot be gone."""

    acting: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether the battle goes on, and the actor is the table or a fighter who stands."""
        fighter = state.combatants.get(actor)
        stands = fighter is not None and not fighter.gone
        return not state.ended and (stands or not actor) and super().is_open_to(state, actor)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the sides, and those who stand: for a fighter only its enemies."""
        side = state.combatants[actor].side if actor else ""
        standing = (each for each in state.combatants.values() if not each.gone)
        names = tuple((each.id, each.name) for each in standing if each.side != side)
        sides = tuple(state.sides.items())
        return {
            "target": names,
            "enemy": names,
            "by": names,
            "fighters": names,
            "winner": sides,
            "field": sides,
        }


class TurnEvent(Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that somebody does in a turn."""

    turn_by_turn: ClassVar[bool] = True
    phase: ClassVar[str] = "turn"
    acting: ClassVar[tuple[str, ...]] = ("fighter",)

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return state.turn > 0 and super().is_open_to(state, actor)


@kind("turn", "A turn begins", turn_by_turn=True, starts_turn=True)
class TurnBegan(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A turn begins: nobody has done anything in it yet."""

    light: Light = False

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if actor:
            return
        has_begun = state.turn > 0
        which = f"turn {state.turn + 1}" if has_begun else "the first turn"
        yield Due(
            sentence=f"Begin {which}.",
            do=cls.key,
            rule="Ruling A-G2",
            button="Begin",
            at_once=True,
            minor=has_begun,
            onward=has_begun,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.updating(*(each.next_turn() for each in state.combatants.values()))
        return replace(state, turn=state.turn + 1, light=self.light)

    def sentence(self, names: CombatantNames) -> str:
        return "A new turn begins"


@kind(
    "move",
    "Move",
    'Sheet: "Movement", "Close order", "Terrain"',
    help="Slowing dice are thrown if any part of the way is rough (A-V3).",
    asked_first=("terrain", "cm"),
)
class Moved(TurnEvent, frozen=True, kw_only=True):
    """Somebody moves. Without ``cm`` he goes as far as he can; a turn of reloading is lost by
    it."""

    fighter: Annotated[FighterId, field_meta("Who")]
    terrain: Annotated[Terrain, field_meta("Roughest ground")] = "open"
    formation: Annotated[Formation, field_meta("In close order as")] = ""
    cm: Annotated[Centimetres | None, field_meta("How far")] = None
    dice: Annotated[ThreeDice, field_meta("Slowing dice")] = ()

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        return ", ".join(state.combatants[actor].done)

    def move(self, state: State) -> Move:
        """Return the move as the sheet sees it."""
        return Move(state.combatants[self.fighter].fighter, self.terrain, self.formation)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        expected = slowing_dice(state.combatants[self.fighter].fighter, self.terrain)
        if len(self.dice) != expected:
            yield wrong_dice("dice", self.dice, f"{expected} slowing dice belong here")

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        mover, cm = state.combatants[self.fighter], reach(self.move(state), self.dice).cm
        return broken(
            (bool(self.formation) and not mover.fighter.on_foot, "mounted-close-order"),
            (bool(self.formation) and not mover.fighter.close_order, "not-in-close-order"),
            ("moved" in mover.done, "moved-already"),
            ("stood still" in mover.done, "shot-standing"),
            ((self.cm or 0) > cm, "too-far"),
            name=mover.name,
            cm=cm,
        )

    def throw(self, state: State, cup: Cup) -> Self:
        return replace(
            self, dice=cup.some(slowing_dice(state.combatants[self.fighter].fighter, self.terrain))
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.updating(state.combatants[self.fighter].does("moved"))

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        able = reach(self.move(step.before), self.dice)
        name = step.before.combatants[self.fighter].name
        cm = able.cm if self.cm is None else self.cm
        sentence = (
            f"{name} is blocked for this turn."
            if able.blocked
            else f"{name} moves {cm:g} cm of {able.cm}."
        )
        return EventOutcome(
            (sentence,), (reasoned(f"How far {name} can go, in cm", *able.lines),), (self.rule,)
        )

    def sentence(self, names: CombatantNames) -> str:
        ground = (
            f" through {self.terrain.replace('-', ' ')} ground" if self.terrain != "open" else ""
        )
        return f"{names[self.fighter]} moves{ground}"


@kind(
    "shot",
    "Shot",
    'Sheet: "Firearms", "Shooting modifiers"',
    about="shooter",
    always_rolls=True,
    acting=("shooter", "target"),
    ends=("target",),
    asked_first=("target", "cm", "circumstances"),
)
class ShotFired(TurnEvent, frozen=True, kw_only=True):
    """A fighter shoots at another. One who has moved in this turn shoots on the move."""

    shooter: Annotated[FighterId, field_meta("Who")]
    target: Annotated[FighterId, field_meta("Target")]
    cm: Annotated[Centimetres, field_meta("Distance")]
    moving: Annotated[bool, field_meta("On the move")] = False
    contact: Annotated[Contact, field_meta("Contact of the shooter")] = "free"
    circumstances: Annotated[Ticks, field_meta("Circumstances")] = ()
    volley: Annotated[bool, field_meta("Volley", "Close order, on command, at a group.")] = False
    group_die: Annotated[bool, field_meta("+1 at a group", "One musket of those that shoot.")] = (
        False
    )
    disorder: Annotated[bool, field_meta("In disorder", "Two sixes are a 6.")] = False
    effect: Annotated[
        str, choice_meta(EFFECTS), field_meta("What a hit does", "Else the house rule's.")
    ] = ""
    dice: Annotated[ThreeDice, field_meta("Dice", "A 6 is thrown again.")] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return (
            super().is_open_to(state, actor)
            and state.combatants[actor].fighter.firearm != NO_FIREARM
        )

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        shooter = state.combatants[actor]
        if shooter.reload_left or "reloaded" in shooter.done:
            return "not loaded"
        return "out for the day" if shooter.fouled else ""

    def shot(self, state: State) -> Shot:
        """Return the shot as the sheet sees it."""
        shooter, target = state.combatants[self.shooter], state.combatants[self.target]
        return Shot(
            shooter=shooter.fighter,
            target=target.fighter,
            cm=ceil(self.cm),
            moving=self.moving or "moved" in shooter.done,
            contact=self.contact,
            circumstances=self.circumstances,
            volley=self.volley,
            group_die=self.group_die,
            disorder=self.disorder,
            fouled=shooter.fouled,
            # Who reloads in this turn is not ready before the next.
            reload_left=shooter.reload_left + int("reloaded" in shooter.done),
        )

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.shooter == self.target:
            yield Problem(
                "at-himself",
                "Nobody shoots at himself. Name a target.",
                field="target",
                value=self.target,
            )
        yield from _dice_errors("dice", self.dice, shot_dice(state.settings))

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        yield from shot_violations(self.shot(state))
        yield from _own_side(state, self.shooter, self.target)

    def throw(self, state: State, cup: Cup) -> Self:
        return replace(self, dice=cup.open_ended(shot_dice(state.settings)))

    def gone(self, state: State) -> str:
        """Return the end of the target: a key of ``GONE``, or "". Ruling A-G4."""
        result = resolve_shot(self.shot(state), self.dice, state.settings)
        effect = self.effect or state.settings.shot_effect
        return effect if result is not None and result.hit and effect != "nothing" else ""

    def apply(self, state: State, logged: LoggedEvent) -> State:
        gone, by = self.gone(state), state.combatants[self.shooter]
        still = () if self.shot(state).supposed_moving else ("stood still",)
        state = state.updating(
            by.does("shot", *still, reload_left=book().firearm[by.fighter.firearm].reload)
        )
        return state.lost(self.target, gone, self.shooter, "shot") if gone else state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        by, at = (step.before.combatants[each].name for each in (self.shooter, self.target))
        result = resolve_shot(self.shot(step.before), self.dice, step.before.settings)
        gone = self.gone(step.before)
        if result is None:
            return EventOutcome((f"{by} cannot reach {at}.",), (), (self.rule,))
        what = "hits" if result.hit else "misses"
        if gone:
            what = f"hits: {at} is {GONE[gone]}"
        lines = (ReasonLine(result.natural, "die", 'Sheet: "Firearms"'), *result.lines)
        return EventOutcome(
            (f"{by} {what}.",),
            (reasoned(f"{by}'s shot, {result.need} needed", *lines),),
            (self.rule,),
        )

    def sentence(self, names: CombatantNames) -> str:
        how = "fires a volley" if self.volley else "shoots"
        return f"{names[self.shooter]} {how} at {names[self.target]} from {self.cm:g} cm"


@kind("reload", "Reload", 'Sheet: "Reloading"')
class Reloaded(TurnEvent, frozen=True, kw_only=True):
    """Somebody spends the turn reloading."""

    fighter: Annotated[FighterId, field_meta("Who")]

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and state.combatants[actor].reload_left > 0

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        return ", ".join(state.combatants[actor].done)

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if not actor or not cls.is_open_to(state, actor) or cls.hurdle_for(state, actor):
            return
        yield Due(
            sentence=f"{state.combatants[actor].name} can reload.",
            who=actor,
            do=cls.key,
            rule=cls.rule,
            button="Reload",
            at_once=True,
            minor=True,
        )

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        shooter = state.combatants[self.fighter]
        armed, again = shooter.fighter.firearm != NO_FIREARM, "reloaded" in shooter.done
        return broken(
            (not armed, "no-firearm"),
            (again, "reloaded-already"),
            (armed and not again and shooter.reload_left == 0, "loaded"),
            ("moved" in shooter.done, "reload-moving"),
            ("shot" in shooter.done or "fought" in shooter.done, "reload-fighting"),
            name=shooter.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        shooter = state.combatants[self.fighter]
        return state.updating(shooter.does("reloaded", reload_left=max(0, shooter.reload_left - 1)))

    def sentence(self, names: CombatantNames) -> str:
        return f"{names[self.fighter]} reloads"


@kind(
    "melee",
    "Melee",
    'Sheet: "Melee", "Melee modifiers"',
    always_rolls=True,
    acting=("fighter", "enemy"),
    ends=("fighter", "enemy"),
    asked_first=("enemy", "stances", "enemy_stances", "terrain"),
)
class Fought(TurnEvent, frozen=True, kw_only=True):
    """A turn of melee of two. The one with the longer weapon strikes first, equal ones strike at
    once."""

    fighter: Annotated[FighterId, field_meta("Who")]
    enemy: Annotated[FighterId, field_meta("Opponent")]
    stances: Annotated[Stances, field_meta("How he stands")] = ()
    enemy_stances: Annotated[Stances, field_meta("How the enemy stands")] = ()
    terrain: Annotated[Terrain, field_meta("Ground")] = "open"
    unanswered: Annotated[bool, field_meta("The enemy strikes at somebody else")] = False
    dice: Annotated[ThreeDice, field_meta("Dice", "A 6 is thrown again, and so is a second.")] = ()
    enemy_dice: Annotated[ThreeDice, field_meta("The enemy's dice")] = ()

    def melee(self, state: State) -> Melee:
        """Return the melee as the sheet sees it."""
        fighter, enemy = state.combatants[self.fighter], state.combatants[self.enemy]
        return Melee(
            fighter.contender(self.stances),
            enemy.contender(self.enemy_stances),
            self.terrain,
            state.settings,
        )

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if state.combatants[self.fighter].side == state.combatants[self.enemy].side:
            yield Problem(
                "same-side",
                "They are on the same side. Name an enemy.",
                field="enemy",
                value=self.enemy,
            )
            return
        melee = self.melee(state)
        first, second = (
            blow is not None and blow.result is not Strike.MISS for blow in self.blows(melee)
        )
        if self.dice or not (second and strikes_first(melee) < 0):
            yield from _dice_errors("dice", self.dice, MOST)
        if self.enemy_dice or not (self.unanswered or (first and strikes_first(melee) > 0)):
            yield from _dice_errors("enemy_dice", self.enemy_dice, MOST)

    def throw(self, state: State, cup: Cup) -> Self:
        event = replace(self, dice=cup.open_ended(MOST))
        return event if self.unanswered else replace(event, enemy_dice=cup.open_ended(MOST))

    def blows(self, melee: Melee) -> tuple[Blow | None, Blow | None]:
        """Return what each of them does.

        None where nothing is thrown: after a longer weapon's hit (A-M2), or unanswered.
        """
        first = resolve_blow(melee, self.dice) if self.dice else None
        answered = self.enemy_dice and not self.unanswered
        return first, resolve_blow(melee.turned(), self.enemy_dice) if answered else None

    def apply(self, state: State, logged: LoggedEvent) -> State:
        melee = self.melee(state)
        ended = exchange(melee, *self.blows(melee))
        state = state.updating(
            *(state.combatants[each].fights() for each in (self.fighter, self.enemy))
        )
        blows = ((ended.first, self.fighter, self.enemy), (ended.second, self.enemy, self.fighter))
        for result, by, at in blows:
            if result is Strike.KILL:
                state = state.lost(at, "killed", by, "melee")
            elif result is Strike.RECOIL:
                state = state.updating(state.combatants[at].does("recoiled"))
        return state

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        melee = self.melee(step.before)
        fighter, enemy = step.before.combatants[self.fighter], step.before.combatants[self.enemy]
        first, second = self.blows(melee)
        ended = exchange(melee, first, second)
        sentences, sums = [], []
        for by, at, blow, result in (
            (fighter, enemy, first, ended.first),
            (enemy, fighter, second, ended.second),
        ):
            if blow is None:
                continue
            # The sum of the blow, with what drives the other back and what kills him.
            lines = (ReasonLine(blow.natural, "die", 'Sheet: "Melee"'), *blow.lines)
            back, kill = at.fighter.class_, max(at.fighter.class_, at.fighter.armour) + 1
            needed = f"{back} needed to drive {at.name} back, {kill} to kill"
            sums.append(reasoned(f"{by.name}'s blow, {needed}", *lines))
            # A result may be void by what the other did, as by a longer weapon (A-M2) or a kill
            # (A-M5).
            void = (
                f" ({STRUCK[blow.result]}, but {ended.reason})" if blow.result is not result else ""
            )
            sentences.append(f"{by.name} {STRUCK[result]} {at.name}{void}.")
        rules = (self.rule, ended.rule) if ended.rule else (self.rule,)
        return EventOutcome(tuple(sentences), tuple(sums), rules)

    def sentence(self, names: CombatantNames) -> str:
        return (
            f"{names[self.fighter]} {'strikes at' if self.unanswered else 'fights'} "
            f"{names[self.enemy]}"
        )


@kind(
    "loss",
    "Killed, out, captured or missing",
    acting=("fighter",),
    each="fighter",
    casualty=Casualty(victim="fighter", what=("gone",), by="by", how="means"),
    ends=("fighter",),
    asked_first=("gone", "by"),
)
class Lost(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A fighter who is gone, as reported by the players. A result sheet needs nothing else of him.

    The log names an enemy or nobody. It names a comrade only with a reason. A fighter who is named
    as his own killer, as in old logs, counts as nobody.
    """

    fighter: Annotated[FighterId, field_meta("Who")]
    gone: Annotated[str, choice_meta(GONE), field_meta("Result")] = "killed"
    by: Annotated[FighterId, field_meta("By")] = ""
    means: Annotated[
        str, choice_meta({"": "Not stated", "shot": "Shot", "melee": "In melee"}), field_meta("How")
    ] = ""

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        return replace(super().offer(state, actor), phase=BESIDE)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return _own_side(state, self.fighter, self.by) if self.by else ()

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.lost(self.fighter, self.gone, self.by, self.means)

    def sentence(self, names: CombatantNames) -> str:
        by = f" (by {names[self.by]})" if self.by not in ("", self.fighter) else ""
        return f"{names[self.fighter]} is {GONE[self.gone]}{by}"


@kind("muskets-out", "Muskets out for the day", 'Sheet: "Reloading"')
class MusketsOut(Event, frozen=True, kw_only=True):
    """Matchlock muskets used in melee: they do not fire again that day."""

    fighters: Annotated[FighterIds, field_meta("Whose", min_length=1)]

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.updating(
            *(replace(state.combatants[each], fouled=True) for each in self.fighters)
        )

    def sentence(self, names: CombatantNames) -> str:
        return f"Muskets out for the day: {', '.join(names[each] for each in self.fighters)}"


@kind("ended", "The battle ended", ends_battle=True, asked_first=("winner", "field"))
class Ended(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over, with the result that the players declare: the sheet has no rule for
    it."""

    winner: Annotated[SideKey, field_meta("Who has won", "Nobody: a draw.")] = ""
    field: Annotated[SideKey, field_meta("Who holds the field")] = ""

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        # The sheet has no rule for the end: the table proposes it, and goes on if the players do.
        standing = {each.side for each in state.combatants.values() if not each.gone}
        beaten = [name for key, name in state.sides.items() if key not in standing]
        if actor or not state.turn or not beaten:
            return
        yield Due(
            sentence=f"No fighters left: {', '.join(beaten)}.",
            do=cls.key,
            rule="Ruling A-G2",
            button="End the battle",
            minor=True,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, winner=self.winner, field=self.field)

    def sentence(self, names: CombatantNames) -> str:
        won = f"{names[self.winner]} won" if self.winner else "The players agreed on a draw"
        return f"{won}{f'; {names[self.field]} held the field' if self.field else ''}"


KINDS: tuple[type[Event], ...] = (
    TurnBegan,
    Moved,
    ShotFired,
    Reloaded,
    Fought,
    Lost,
    MusketsOut,
    Ended,
)


def _same_side(state: State, first: str, second: str) -> bool:
    return state.combatants[first].side == state.combatants[second].side


def _own_side(state: State, first: str, second: str) -> tuple[Violation, ...]:
    """Return the violation of harm within a side, which a table may declare with a reason."""
    return broken((_same_side(state, first, second), "own-side"))


def _dice_errors(field: str, dice: Dice, most: int) -> Iterator[Problem]:
    if dice_told_wrong(dice, most):
        yield wrong_dice(field, dice, f"one die, and after each 6 another, {most} at most")


def wrong_dice(field: str, dice: Dice, expected: str) -> Problem:
    """Return the problem of dice that do not belong here, or are not enough."""
    sentence = (
        f"{field!r} cannot be {list(dice)}: {expected}. "
        "Enter the dice as rolled, or leave them out."
    )
    return Problem("wrong-dice", sentence, field=field, value=", ".join(map(str, dice)))
