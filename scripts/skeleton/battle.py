"""The battles of Skeleton Game.

The state, the kinds of event that change it, the table, and the result. A battle is its log. Each
kind of event is a class that defines its fields, the actors it is offered to (``is_open_to``,
``choices_for``), its invalid input (``input_errors``), what the rules forbid (``violations``), and
what it changes (``apply``). Forms, the table, corrections, dice, replay and the API follow from
that: a new kind is a new class here, and its name in ``KINDS``.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from rulebook.at_table.actions import action
from rulebook.at_table.offers import OfferedEvent, offered, proposed
from rulebook.battle_log.forms import unknown_names
from rulebook.battle_log.kinds import (
    Casualty,
    CombatantNames,
    Die,
    EventKind,
    FighterId,
    Light,
    Note,
    OverrulableEvent,
    ReplayStep,
    RuledEvent,
    SideKey,
    choice_meta,
    field_meta,
    kind,
)
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.policy import Policy
from rulebook.calculators.wording import reasoned
from rulebook.values.answers import ReasonLine
from rulebook.values.battles import (
    BattleResult,
    BattleSetup,
    Deed,
    LoggedEvent,
    Outcome,
    Record,
    ScoreLine,
    SideResult,
)
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.rosters import Fate
from rulebook.values.table import (
    BESIDE,
    Action,
    Due,
    EventOutcome,
    FighterView,
    Mark,
    Phase,
    SideView,
    TableView,
)
from scripts.skeleton.book import ARMOURS, GONE, HOUSE_RULES, PROFILES, SCORE, WEAPONS, broken

BLOWS, TURNS, VICTORY = (
    'Skeleton Game: "Blows"',
    'Skeleton Game: "Turns"',
    'Skeleton Game: "Victory"',
)
PHASE = "fight"
"""The one phase of a turn."""
HIGHEST = 6
"""The number on a die that always hits, and that kills on the last hit."""


# The state


class Combatant(Struct, frozen=True, kw_only=True):
    """A fighter in a battle.

    ``gone`` is a key of ``GONE``, or "" while the fighter is standing; ``gone_by`` is the name of
    the fighter who did it.
    """

    id: str
    name: str
    side: str
    profile: str
    weapon: str
    bonus: int
    defence: int
    hits: int = 0
    gone: str = ""
    gone_by: str = ""
    has_struck: bool = False


class State(Struct, frozen=True, kw_only=True):
    """The state of play. It is stored as JSON, so it has plain values only: no functions, no sets.

    ``light`` says that only the casualties of this turn are logged, ``field`` is the side that
    holds the field.
    """

    combatants: Mapping[str, Combatant]
    sides: Mapping[str, str]
    hits_needed: int
    turn: int = 0
    deeds: tuple[Deed, ...] = ()
    ended: bool = False
    field: str = ""
    light: bool = False

    def of(self, side: str) -> tuple[Combatant, ...]:
        """Return the fighters of a side."""
        return tuple(each for each in self.combatants.values() if each.side == side)

    def enemies_of(self, fighter: str) -> Choices:
        """Return the standing enemies of a fighter, as choices of a form: ids with names."""
        side = self.combatants[fighter].side if fighter else ""
        enemies = (each for each in self.combatants.values() if not each.gone and each.side != side)
        return tuple((each.id, each.name) for each in enemies)

    def updating(self, *changed: Combatant) -> "State":
        """Return the state with these combatants updated."""
        return replace(self, combatants={**self.combatants, **{each.id: each for each in changed}})

    def without(self, victim: str, gone: str, by: str) -> "State":
        """Return the state after a fighter is gone.

        The deed is credited to ``by``, or to nobody if "".
        """
        fallen, attacker = self.combatants[victim], self.combatants.get(by)
        state = self.updating(replace(fallen, gone=gone, gone_by=attacker.name if attacker else ""))
        if attacker is None:
            return state
        deed = Deed(
            fighter=by,
            kind="captive" if gone == "captured" else "blow",
            rank=0,
            victim=victim,
            victim_name=fallen.name,
            result=gone,
            killed=gone == "killed",
            turn=self.turn or None,
            friendly=attacker.side == fallen.side,
        )
        return replace(state, deeds=(*state.deeds, deed))


def opening(setup: BattleSetup) -> State:
    """Return the state before the first event: everybody is standing."""
    combatants = {}
    for side in setup.sides:
        for each in side.fighters:
            profile = PROFILES[each.build["profile"]]
            weapon, armour = WEAPONS[each.build["weapon"]], ARMOURS[each.build["armour"]]
            combatants[each.id] = Combatant(
                id=each.id,
                name=each.name,
                side=side.key,
                profile=profile.name,
                weapon=weapon.name,
                bonus=profile.bonus + weapon.bonus,
                defence=armour.defence,
            )
    sides = {side.key: side.name for side in setup.sides}
    return State(
        combatants=combatants, sides=sides, hits_needed=HOUSE_RULES.settled(setup.settings).hits
    )


# The kinds of event


class Event(OfferedEvent[State], frozen=True, kw_only=True):
    """An event of this game; ``acting`` names the fields of fighters who must be standing.

    An ``actor`` is the id of a fighter, or "" for the table.
    """

    acting: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether the battle continues and the actor is the table or a standing fighter."""
        fighter = state.combatants.get(actor)
        is_able = fighter is not None and not fighter.gone
        return not state.ended and (is_able or not actor) and super().is_open_to(state, actor)


# The field `light` means that only the casualties of the turn are logged.
@kind("turn", "A turn begins", TURNS, about="", turn_by_turn=True, starts_turn=True)
class TurnBegan(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A turn begins: nobody has struck in it yet."""

    light: Light = False

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if actor:
            return
        has_begun = state.turn > 0
        yield Due(
            sentence=f"Begin turn {state.turn + 1}." if has_begun else "Begin the first turn.",
            do=cls.key,
            rule=cls.rule,
            button="Begin",
            at_once=True,
            minor=has_begun,
            onward=has_begun,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.updating(
            *(replace(each, has_struck=False) for each in state.combatants.values())
        )
        return replace(state, turn=state.turn + 1, light=self.light)

    def sentence(self, names: CombatantNames) -> str:
        return "A new turn begins"


# `ends` names the fields of fighters whom the event can end: nobody ends twice in a battle.
@kind(
    "blow",
    "Strike",
    BLOWS,
    about="fighter",
    phase=PHASE,
    turn_by_turn=True,
    always_rolls=True,
    acting=("fighter", "target"),
    ends=("target",),
    asked_first=("target",),
)
class Struck(Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A fighter strikes: a die and the bonus against the target's defence.

    Hits add up; a 6 on the last hit kills.
    """

    fighter: Annotated[FighterId, field_meta("Who")]
    target: Annotated[FighterId, field_meta("Target")]
    dice: Annotated[tuple[Die, ...], field_meta("Die", max_length=1)] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return state.turn > 0 and super().is_open_to(state, actor)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"target": state.enemies_of(actor)}

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        return "has struck" if state.combatants[actor].has_struck else ""

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        # A light turn proposes nothing: only its casualties are logged.
        if (
            not actor
            or state.light
            or not cls.is_open_to(state, actor)
            or cls.hurdle_for(state, actor)
        ):
            return
        yield Due(
            sentence=f"{state.combatants[actor].name} can strike.",
            who=actor,
            do=cls.key,
            rule=cls.rule,
            button="Strike",
            rolls=True,
            minor=True,
        )

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.fighter == self.target:
            yield Problem(
                "at-himself",
                "Nobody strikes himself. Choose an enemy.",
                field="target",
                value=self.target,
            )
        yield from self.dice_errors(state)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        fighter, target = state.combatants[self.fighter], state.combatants[self.target]
        # A reason overrides these. The first value of each pair says whether the rule with that
        # name is broken.
        yield from broken(
            (fighter.has_struck, "struck-already"),
            (fighter.side == target.side, "own-side"),
            name=fighter.name,
        )

    def dice_wanted(self, state: State) -> tuple[Mapping[str, int], ...]:
        # Muster rolls missing dice, and reports them if the players roll themselves.
        return ({"dice": 1},)

    def total(self, state: State) -> int:
        """Return the die with the attacker's bonus."""
        return sum(self.dice) + state.combatants[self.fighter].bonus

    def hits(self, state: State) -> bool:
        """Return whether the blow hits."""
        return HIGHEST in self.dice or self.total(state) >= state.combatants[self.target].defence

    def gone(self, state: State) -> str:
        """Return the end of the target: a key of ``GONE``, or "" while the target is standing."""
        if not self.hits(state) or state.combatants[self.target].hits + 1 < state.hits_needed:
            return ""
        return "killed" if HIGHEST in self.dice else "out"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        after = state.updating(replace(state.combatants[self.fighter], has_struck=True))
        if self.hits(state):
            target = after.combatants[self.target]
            after = after.updating(replace(target, hits=target.hits + 1))
        gone = self.gone(state)
        return after.without(self.target, gone, self.fighter) if gone else after

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        fighter, target = (step.before.combatants[each] for each in (self.fighter, self.target))
        gone = self.gone(step.before)
        became = f"{target.name} is {GONE[gone]}" if gone else f"{target.name} stands"
        sentence = (
            f"{fighter.name} hits: {became}."
            if self.hits(step.before)
            else f"{fighter.name} misses."
        )
        lines = (
            ReasonLine(sum(self.dice), "Die", BLOWS),
            ReasonLine(fighter.bonus, "Bonus", BLOWS),
        )
        total = reasoned(f"{fighter.name}'s blow, {target.defence} needed", *lines)
        return EventOutcome((sentence,), (total,), (self.rule,))

    def sentence(self, names: CombatantNames) -> str:
        return f"{names[self.fighter]} strikes at {names[self.target]}"


# `each` gives every fighter a row on the result form; `casualty` shows it among the casualties.
@kind(
    "loss",
    "Gone",
    BLOWS,
    acting=("fighter",),
    each="fighter",
    casualty=Casualty(victim="fighter", what=("gone",), by="by"),
    ends=("fighter",),
    asked_first=("gone", "by"),
)
class Lost(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A fighter is gone, as reported by the players: enough for a result without a live log."""

    fighter: Annotated[FighterId, field_meta("Who")]
    gone: Annotated[str, choice_meta(GONE), field_meta("Fate")] = "out"
    by: Annotated[FighterId, field_meta("Attacker")] = ""

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"by": state.enemies_of(actor)}

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action, which is shown next to the turn."""
        return replace(super().offer(state, actor), phase=BESIDE)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        same_side = (
            bool(self.by) and state.combatants[self.by].side == state.combatants[self.fighter].side
        )
        yield from broken((same_side, "own-side"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.without(self.fighter, self.gone, self.by if self.by != self.fighter else "")

    def sentence(self, names: CombatantNames) -> str:
        by = f" (by {names[self.by]})" if self.by not in ("", self.fighter) else ""
        return f"{names[self.fighter]} is {GONE[self.gone]}{by}"


@kind("ended", "The battle ended", VICTORY, about="", ends_battle=True, asked_first=("field",))
class Ended(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over."""

    field: Annotated[SideKey, field_meta("Who holds the field", "Nobody: leave it empty.")] = ""

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"field": tuple(state.sides.items())}

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        standing = {each.side for each in state.combatants.values() if not each.gone}
        beaten = [name for key, name in state.sides.items() if key not in standing]
        if actor or not state.turn or not beaten:
            return
        yield Due(
            sentence=f"Nobody of {' and '.join(beaten)} is left.",
            do=cls.key,
            rule=cls.rule,
            button="End the battle",
            minor=True,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, field=self.field)

    def sentence(self, names: CombatantNames) -> str:
        return (
            f"The battle ended; {names[self.field]} held the field"
            if self.field
            else "The battle ended"
        )


class SkeletonPolicy(Policy[State]):
    """The policy: names must exist, fighters who are gone cannot act, a battle ends once."""

    def end_of(self, state: State, who: str) -> str:
        combatant = state.combatants.get(who)
        if combatant is None or not combatant.gone:
            return ""
        by = f" by {combatant.gone_by}" if combatant.gone_by else ""
        return (
            f"{combatant.name} was "
            f"{'put ' if combatant.gone == 'out' else ''}{GONE[combatant.gone]}{by}"
        )

    def input_errors(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Problem]:
        # The other checks look up fighters, so names are checked first.
        if unknown := tuple(unknown_names(event, state.combatants, state.sides)):
            yield from unknown
            return
        if event.turn_by_turn and not event.starts_turn and not state.turn:
            yield Problem("no-turn", "No turn has begun yet. Begin a turn first.", field="kind")
        yield from super().input_errors(state, event, logged)

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        if isinstance(event, Event):
            yield from broken((state.ended, "battle-over"))
            for each in (state.combatants[getattr(event, field)] for field in event.acting):
                yield from broken(
                    (bool(each.gone), "gone"), name=each.name, gone=GONE.get(each.gone)
                )
        yield from super().violations(state, event, logged)


KINDS: tuple[type[Event], ...] = (TurnBegan, Struck, Lost, Ended)
"""The kinds in the order in which they are offered, the most likely first."""
LOG = BattleLog(KINDS, opening, SkeletonPolicy(), State)
"""The log of a battle. Every log has notes and corrections automatically."""


# The table


def table_view(state: State, who: str) -> TableView:
    """Return the table, with the actions of ``who``: the id of a fighter, or "" for the table."""
    due = () if state.ended else tuple(_due(state))
    phase = Phase(key=PHASE, name="The fight", due=due, now=not state.ended)
    sides = tuple(_side(state, key) for key in state.sides)
    fighters = tuple(_fighter(each) for each in state.combatants.values())
    actions = tuple(_actions(state, who))
    return TableView(
        turn=state.turn,
        turns=None,
        ended=state.ended,
        dice="both",
        phases=(phase,),
        sides=sides,
        fighters=fighters,
        combat=None,
        actions=actions,
    )


def _due(state: State) -> list[Due]:
    """Return the present proposals, the next turn last. ``minor`` ones can be skipped."""
    due = proposed(KINDS, state, (*state.combatants, ""), PHASE)
    return sorted(due, key=lambda each: each.onward)


def _side(state: State, key: str) -> SideView:
    own, lines = state.of(key), score_lines(state, key)
    standing = sum(not each.gone for each in own)
    points = sum(line.points for line in lines)
    return SideView(
        key=key,
        name=state.sides[key],
        marks=(),
        strength=standing,
        fielded=len(own),
        victory_points=points,
        lines=lines,
    )


def _fighter(each: Combatant) -> FighterView:
    marks = []
    if each.hits and not each.gone:
        marks.append(Mark(f"{each.hits} {'hit' if each.hits == 1 else 'hits'}", "warn"))
    if each.has_struck and not each.gone:
        marks.append(Mark("Has struck"))
    return FighterView(
        id=each.id,
        name=each.name,
        side=each.side,
        profile=each.profile,
        rank=0,
        out=GONE.get(each.gone, ""),
        marks=tuple(marks),
        weapon=each.weapon,
        foes=(),
        numbers=(("Bonus", f"{each.bonus:+d}"), ("Defence", str(each.defence))),
        dead=each.gone == "killed",
    )


def _actions(state: State, who: str) -> Iterator[Action]:
    """Yield the actions of a fighter, or of the table, the most likely first."""
    if not who:
        yield action(Note, given={}, main=("text",), turn=state.turn or None)
    yield from offered(KINDS, state, who)


# The result


def score_lines(state: State, side: str) -> tuple[ScoreLine, ...]:
    """Return the victory points of a side, line by line."""
    enemies = sum(bool(each.gone) for each in state.combatants.values() if each.side != side)
    lines = (
        ScoreLine(enemies * SCORE["gone"], f"{enemies} of the enemies are gone.", VICTORY, "gone"),
        ScoreLine(
            SCORE["field"] if state.field == side else 0, "Holds the field.", VICTORY, "field"
        ),
    )
    return tuple(line for line in lines if line.points)


def read_result(state: State) -> BattleResult:
    """Return the result of a battle that ends in its present state."""
    lines = {key: score_lines(state, key) for key in state.sides}
    points = {key: sum(line.points for line in own) for key, own in lines.items()}
    best = [key for key, total in points.items() if total == max(points.values())]

    # More points win; equal points are a draw.
    winner = best[0] if len(best) == 1 else None

    sides = []
    for key in state.sides:
        outcome = Outcome.WON if winner == key else Outcome.LOST
        if winner is None:
            outcome = Outcome.DREW
        own = {each.id for each in state.of(key)}
        deeds = tuple(deed for deed in state.deeds if deed.fighter in own)
        captives = tuple(deed.victim for deed in deeds if deed.kind == "captive" and deed.victim)
        records = tuple(_record(each) for each in state.of(key))
        side = SideResult(
            side=key,
            victory_points=points[key],
            lines=lines[key],
            outcome=outcome,
            records=records,
            deeds=deeds,
            captives=captives,
        )
        sides.append(side)

    score = " to ".join(str(total) for total in sorted(points.values(), reverse=True))
    verdict = f"{state.sides[winner]} won, {score}." if winner else f"A draw, {score}."
    return BattleResult(
        sides=tuple(sides), verdict=verdict, turns=state.turn or None, winner=winner
    )


def _record(combatant: Combatant) -> Record:
    """Return a fighter's record: dead if killed, a prisoner if captured, else fit."""
    return Record(
        fighter=combatant.id,
        rank=0,
        fate={"killed": Fate.DEAD, "captured": Fate.CAPTURED}.get(combatant.gone, Fate.FIT),
        survived=combatant.gone != "killed",
        wounds=combatant.gone,
        captured=combatant.gone == "captured",
        killed_by=combatant.gone_by if combatant.gone == "killed" else "",
    )
