"""Logs of turns that go through steps: kinds of event that belong to steps, and the policy that
keeps to them.

A system whose turn is a list of steps derives its kinds from ``SaidEvent`` and ``StepEvent``, names
them by ``kind``, and its policy from ``StepPolicy``; its state is ``InSteps``.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, ClassVar, Protocol, Self, TypeVar

import msgspec
from msgspec.structs import replace

from rulebook.battle_log import kinds
from rulebook.battle_log.forms import event_fields, unknown_names
from rulebook.battle_log.kinds import Casualty, CombatantNames, EventKind, RuledEvent
from rulebook.battle_log.policy import Policy
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, RulesError, Violation, shown


class InSteps(Protocol):
    """A state of play whose turns go through steps, with its fighters by their ids and its sides by
    their keys."""

    @property
    def combatants(self) -> Mapping[str, Any]:
        """Return everybody, each with a ``side``."""

    @property
    def sides(self) -> Mapping[str, str]:
        """Return the names of the sides."""

    @property
    def turn(self) -> int:
        """Return the turn, 0 before the first."""

    @property
    def step(self) -> int:
        """Return the place of the step that play has come to, from 0."""

    @property
    def last_step(self) -> int:
        """Return the place of the step in which the last event happened."""

    @property
    def done(self) -> tuple[str, ...]:
        """Return what has been done in this turn that is done once."""

    @property
    def ended(self) -> bool:
        """Return whether the battle is over."""

    def at_step(self, place: int) -> Self:
        """Return the state in another step, with what time alone brings about."""

    def acts(self, side: str) -> bool:
        """Return whether this may side act in the step that play has come to."""


State = TypeVar("State", bound=InSteps)
Checks = Iterator[tuple[object, str]]
"""Checks of an event: whether each fails, and the name of its entry in the violation book."""


class SaidEvent(EventKind[State], frozen=True, kw_only=True):
    """An event with its sentence in ``says``, where fields in braces are replaced by names, labels
    or values.

    ``arms`` are those who may be its "fighter", where not everybody; ``after_end`` marks what
    follows a battle.
    """

    says: ClassVar[str] = ""
    arms: ClassVar[tuple[str, ...]] = ()
    after_end: ClassVar[bool] = False

    def sentence(self, names: CombatantNames) -> str:
        """Return the words of ``says`` with its fields."""
        return self.says.format(**self.words(names))

    def words(self, names: CombatantNames) -> dict[str, str]:
        """Return the text of each field, by key."""
        return {
            each.key: self._field_in_words(each.key, dict(each.choices), names)
            for each in event_fields(type(self))
        }

    def checks(self, state: State) -> Checks:
        """Yield what may be wrong with it.

        First come checks of a field that makes no sense, then what the rules forbid.
        """
        yield from ()

    def placeholders(self, state: State) -> Mapping[str, str]:
        """Return the placeholders for the sentences of its violations: the text of its fields, and
        its label."""
        names = {key: fighter.name for key, fighter in state.combatants.items()}
        return {"label": self.label, **self.words({**names, **state.sides})}

    def _field_in_words(self, key: str, choices: Mapping[str, str], names: CombatantNames) -> str:
        value = getattr(self, key)
        if isinstance(value, tuple):
            return ", ".join(names.get(each, str(each)) for each in value)
        return choices[value].lower() if value in choices else names.get(value, str(value))


Kind = TypeVar("Kind", bound=type[SaidEvent[Any]])


def kind(
    key: str, label: str, rule: str = "", says: str = "", **facts: Any
) -> Callable[[Kind], Kind]:
    """Name a kind as ``kinds.kind`` does, and set ``about`` and ``phase`` too: the first of the
    ``steps``, if any.

    What is true of it may come from a data file, with lists for tuples.
    """
    attributes = {
        name: tuple(fact) if isinstance(fact, list) else fact for name, fact in facts.items()
    }
    if isinstance(attributes.get("casualty"), Mapping):
        attributes["casualty"] = msgspec.convert(attributes["casualty"], Casualty)

    def named(event_kind: Kind) -> Kind:
        about = next(
            (each for each in ("fighter", "side") if each in event_kind.__struct_fields__),
            event_kind.about,
        )
        phase = (attributes.get("steps") or ("",))[0]
        return kinds.kind(
            key, label, rule, **{"about": about, "phase": phase, "says": says, **attributes}
        )(event_kind)

    return named


class StepEvent(SaidEvent[State], RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in one of the ``steps`` of a turn, of all ``turn_steps``; in any if it
    names none.

    A fighter does it once in a turn if it is done ``once``; ``anybody`` marks what is not only for
    the side that acts in the step, ``early`` what comes before the first turn, ``any_time`` a field
    that lets it happen in any step.
    """

    turn_by_turn: ClassVar[bool] = True
    turn_steps: ClassVar[tuple[str, ...]] = ()
    steps: ClassVar[tuple[str, ...]] = ()
    once: ClassVar[bool] = False
    anybody: ClassVar[bool] = False
    early: ClassVar[bool] = False
    any_time: ClassVar[str] = ""

    def step(self, state: State) -> int | None:
        """Return the place of the step in which it happens: the one that play has come to, or the
        next that fits."""
        fighter = state.combatants.get(getattr(self, "fighter", ""))
        return state.step if getattr(self, self.any_time, False) else self.next_for(state, fighter)

    @classmethod
    def next_for(cls, state: State, fighter: Any) -> int | None:
        """Return the place of the next of its steps in which a fighter may do it; None is nobody in
        particular."""
        return cls.next_step(state, "" if cls.anybody or fighter is None else fighter.side)

    @classmethod
    def next_step(cls, state: State, side: str = "", without: Collection[str] = ()) -> int | None:
        """Return the place of the next of its steps in which a side may act, the one that play has
        come to included."""
        if not cls.steps:
            return state.step
        fits = {*cls.steps} - {*without}
        places = (
            place
            for place in range(state.step, len(cls.turn_steps))
            if cls.turn_steps[place] in fits
        )
        for place in places:
            placed = state if place == state.step else replace(state, step=place)  # type: ignore[type-var]
            if not side or placed.acts(side):
                return place
        return None

    def marks(self, state: State) -> tuple[str, ...]:
        """Return what it leaves among what has been done in this turn.

        An event with the same mark is not done again in this turn.
        """
        return (f"{self.key} {getattr(self, self.about, '')}",) if self.once else ()


class Sayings(Protocol):
    """The sentences of a system for everything that is wrong, such as a ``ViolationBook``."""

    def broken(self, *checks: tuple[object, str], **placeholders: object) -> tuple[Violation, ...]:
        """Return a violation for each check that holds: whether it does, and its name."""

    def problem(self, name: str, /, *, field: str = "") -> Problem:
        """Return the problem of this name."""

    def violation(self, name: str, /, **placeholders: object) -> Violation:
        """Return the violation of this name."""

    def field_of(self, name: str) -> str:
        """Return the field of which it tells, "" for what a table may overrule."""


class StepPolicy(Policy[State]):
    """A policy for turns of steps: names exist, steps keep their order and leave nothing open, and
    a battle ends once.

    A value that is not in the source is a problem of the event that needs it. ``sayings`` has the
    entries "no-turn", "battle-over", "step-over", "already" and "still-open".
    """

    sayings: Sayings

    def left_open(self, state: State) -> Iterable[tuple[str, str]]:
        """Return what of the steps that are left has yet to be done: whose name, and the label of
        the kind.

        What a new turn or the end of the battle waits for are ``obligations``.
        """
        return ()

    def misplaced(self, state: State, event: EventKind[State]) -> Iterable[Problem]:
        """Return who is named where nobody of that sort belongs."""
        return ()

    def before(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state in the step in which the event happens."""
        place = event.step(state) if isinstance(event, StepEvent) and state.turn else None
        return state.at_step(state.step if place is None else place)

    def input_errors(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Problem]:
        """Yield what makes no sense; dice are asked for only once everything else is good."""
        wrong = tuple(unknown_names(event, state.combatants, state.sides)) or tuple(
            self.misplaced(state, event)
        )
        if (
            not wrong
            and isinstance(event, StepEvent)
            and event.turn_by_turn
            and not (event.early or state.turn)
        ):
            wrong = (self.sayings.problem("no-turn", field="kind"),)
        try:
            wrong = wrong or (
                *super().input_errors(state, event, logged),
                *self._senseless(state, event),
            )
            wrong = wrong or tuple(event.dice_errors(state))
        except RulesError as error:
            wrong = error.problems
        yield from wrong

    def _senseless(self, state: State, event: EventKind[State]) -> Iterator[Problem]:
        if not isinstance(event, SaidEvent):
            return
        checks = takewhile(lambda each: self.sayings.field_of(each[1]), event.checks(state))
        for name in (name for holds, name in checks if holds):
            field = self.sayings.field_of(name)
            violation = self.sayings.violation(name, **event.placeholders(state))
            yield Problem(
                violation.code,
                violation.sentence,
                field=field,
                value=shown(getattr(event, field)),
                source=violation.rule,
            )

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        """Yield what the rules forbid: of steps, then of the kind."""
        broken = self.sayings.broken
        if isinstance(event, SaidEvent):
            yield from broken((state.ended and not event.after_end, "battle-over"))
        leaves = not event.starts_turn and state.last_step != state.step
        if leaves and not self.is_light(state, event):
            for name, label in self.left_open(state):
                yield from broken((True, "still-open"), name=name, label=label.lower())
        if isinstance(event, StepEvent) and not event.after_end:
            again = bool(set(event.marks(state)) & set(state.done))
            over = event.step(state) is None
            yield from broken(
                (over, "step-over"), (again, "already"), label=event.label, rule=event.rule
            )
        yield from super().violations(state, event, logged)
        if isinstance(event, SaidEvent):
            wrong = (
                name
                for holds, name in event.checks(state)
                if holds and not self.sayings.field_of(name)
            )
            yield from (self.sayings.violation(name, **event.placeholders(state)) for name in wrong)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state after the event, in its step, with what has been done once."""
        if not isinstance(event, StepEvent):
            return super().apply(state, event, logged)
        marks, state = event.marks(state), super().apply(state, event, logged)
        return replace(state.at_step(state.step), done=(*state.done, *marks))  # type: ignore[type-var]
