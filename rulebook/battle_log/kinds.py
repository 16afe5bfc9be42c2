"""The kinds of event of a battle log: one class for each, with everything about it.

A rule system's own class of all its events derives from ``EventKind[State]``, and every kind from
that. Fields say by their types what they hold (``FighterId``, ``Dice``, ...), by ``field_meta`` how
people call them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from rulebook.dice.cup import Cup
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import LengthMeasure
from rulebook.values.problems import Problem, Violation, shown
from rulebook.values.table import EventOutcome

State = TypeVar("State")
CombatantNames = Mapping[str, str]
"""The names of fighters, bystanders and sides, by id and key."""

FighterId = Annotated[str, Meta(extra={"kind": "combatant"})]
"""A fighter or bystander of the battle, by its id."""
SideKey = Annotated[str, Meta(extra={"kind": "side"})]
"""A side of the battle, by its key."""
Text = Annotated[str, Meta(extra={"kind": "text"})]
Words = Annotated[str, Meta(max_length=300, extra={"kind": "text"})]
Die = Annotated[int, Meta(ge=1, le=6, extra={"dice": True})]
"""A six-sided die as it fell."""
TwoDice = Annotated[tuple[Die, ...], Meta(max_length=2)]
"""Two six-sided dice at most, in the order in which they were thrown."""
Few = Annotated[int, Meta(ge=0, le=9)]
FighterIds = Annotated[tuple[Annotated[str, Meta(min_length=1)], ...], Meta(max_length=60)]
"""Several fighters, by their ids."""
TurnNumber = Annotated[int, Meta(ge=1, le=99)]
MIN_REASON = 3
"""The fewest letters of a reason to correct an entry or to override a rule."""


def length(measure: LengthMeasure, most: int) -> Meta:
    """Return the bounds of a length in this unit: from 0 to ``most``."""
    return Meta(ge=0, le=most, extra={"kind": "length", "measure": measure.many})


def field_meta(title: str, help: str = "", **bounds: Any) -> Meta:
    """Return the label and help text of a field, with msgspec's bounds of its values."""
    return Meta(title=title, description=help or None, **bounds)


def choice_meta(choices: Mapping[str, str]) -> Meta:
    """For a text that is one of these keys; forms show their labels."""
    keys = "|".join(re.escape(key) for key in choices)
    return Meta(pattern=f"^({keys})$", extra={"choices": tuple(choices.items())})


Light = Annotated[bool, field_meta("Light", "Only casualties are logged in this turn.")]
"""Marks a turn that is logged in the light way: no phases, and nothing that is owed holds up the
next turn."""


class Casualty(Struct, frozen=True, kw_only=True):
    """The casualty in a kind of event: the fields with the victim, the result, and the attacker.

    ``what`` are fields of which one says what happened: a choice, a number, or a flag. ``counts``
    is the greatest number that is offered as a button, by field; ``without`` are choices that are
    not a casualty. ``by`` is "" where nobody did it, ``how`` a choice that may be made along with
    it.
    """

    victim: str
    what: tuple[str, ...] = ()
    by: str = ""
    how: str = ""
    counts: Mapping[str, int] = {}
    without: tuple[str, ...] = ()


ThrownBy = Literal["", "app", "table"]
"""The owner of the dice in an event: Muster, the table, or nobody."""


class EventKind(Struct, Generic[State], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of event. Its fields are what a log stores of it; everything else has a default.

    ``key`` is the name under which logs keep it, ``label`` and ``help`` are for people. ``phase``
    is the part of the turn that it belongs to, "" if any; ``rule`` the headings behind it.
    ``about`` is the field with its fighter. ``turn_by_turn`` marks kinds that no result sheet
    needs; of the others a fresh sheet has so many ``rows``, or one for everybody who was fielded,
    named already in the field ``each``. ``some_battles`` marks those that a scenario has to ask
    for, ``always_rolls`` those that take dice whatever happens, ``starts_turn`` the one that begins
    a turn, ``ends_battle`` the one that ends the battle. ``casualty`` describes its casualty, None
    if it has none; ``in_light`` marks what is asked for in a light turn as well, once it is due.
    ``ends`` are the fields of the fighters that it may end: nobody is killed, captured, destroyed
    or gone for good twice in a battle. A kind with a field ``thrown`` holds dice that Muster
    throws, one with ``overruled`` may be overruled with a reason. ``spare_dice`` are fields of dice
    that need not be typed in, such as those of a die that may be thrown again, each with its
    purpose and the rule.
    """

    key: ClassVar[str] = ""
    label: ClassVar[str] = ""
    help: ClassVar[str] = ""
    phase: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    about: ClassVar[str] = "fighter"
    turn_by_turn: ClassVar[bool] = False
    rows: ClassVar[int] = 1
    each: ClassVar[str] = ""
    some_battles: ClassVar[bool] = False
    always_rolls: ClassVar[bool] = False
    starts_turn: ClassVar[bool] = False
    ends_battle: ClassVar[bool] = False
    casualty: ClassVar[Casualty | None] = None
    in_light: ClassVar[bool] = False
    ends: ClassVar[tuple[str, ...]] = ()
    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {}

    @classmethod
    def light_turns(cls, state: State) -> Iterable[Mapping[str, Any]]:
        """Return what is known of each light turn of this kind that may begin next, as data of the
        event."""
        return ({"light": True},) if cls.starts_turn and "light" in cls.__struct_fields__ else ()

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterable[Problem]:
        """Return the errors that no reason can overrule: unknown fighters, missing dice."""
        return ()

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        """Return what the rules forbid; a table may overrule it with a reason."""
        return ()

    def may_end(self, state: State, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        """Return the fighters that it may end on some dice: the field that names each, and the
        id."""
        return [(field, who) for field in self.ends if (who := getattr(self, field))]

    def complete(self, state: State) -> Self:
        """Return the event with the values that follow from the log filled in."""
        return self

    def dice_wanted(self, state: State) -> Iterable[Mapping[str, int]]:
        """Return the number of dice for each field, 0 for none, in the order in which they are
        thrown.

        What comes later may depend on the dice before, and is asked only once they are there.
        """
        return ()

    def throw(self, state: State, cup: Cup) -> Self:
        """Return the event with every die that it still needs, thrown in the order of the rules."""
        event, done, questions = self, 0, iter(self.dice_wanted(state))
        while (needed := next(questions, None)) is not None:
            done += 1
            if not any(needed.values()):
                continue
            dice: dict[str, Any] = {}
            for field, number in needed.items():
                if number and not (given := getattr(event, field)):
                    pool = isinstance(given, tuple)
                    dice[field] = event.pool_of(field, number, state, cup) if pool else cup.one()
            # A throw changes the event, and with it what it needs next: ask it again, past what is
            # thrown.
            if dice:
                event = replace(event, **dice)
                questions = islice(event.dice_wanted(state), done, None)
        return event

    def pool_of(self, field: str, number: int, state: State, cup: Cup) -> tuple[int, ...]:
        """Throw the dice of one field. Kinds whose dice have other than six faces override this."""
        return cup.some(number)

    def dice_errors(self, state: State) -> Iterable[Problem]:
        """Return the problems of dice that are missing, or that nothing asks for, as far as the
        others tell."""
        lacking: list[Problem] = []
        for needed in self.dice_wanted(state):
            for field, number in needed.items():
                given = getattr(self, field)
                if (number or given) and _dice_in(given) != number:
                    lacking += self._dice_error(field, number)
            if lacking:
                break
        return lacking

    def _dice_error(self, field: str, number: int) -> Iterator[Problem]:
        given, (reason, rule) = getattr(self, field), self.spare_dice.get(field, ("", ""))
        if given and reason and not number:
            yield Problem(
                "wrong-dice",
                f"{reason} Leave {field!r} out.",
                field=field,
                value=shown(given),
                source=rule,
            )
        elif given or field not in self.spare_dice:
            yield from missing_dice(field, given, number)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        """Return the state after the event, which is good."""
        return state

    def outcome_sentences(self, step: "ReplayStep[State]") -> Iterable[str]:
        """Return the outcome in sentences, in addition to ``sentence``."""
        return ()

    def sums(self, step: "ReplayStep[State]") -> Iterable[ReasonedSum]:
        """Return the sums behind the outcome, with their reasons."""
        return ()

    def outcome_of(self, step: "ReplayStep[State]") -> EventOutcome:
        """Return the outcome: sentences, sums, rules."""
        return EventOutcome(
            tuple(self.outcome_sentences(step)),
            tuple(self.sums(step)),
            (self.rule,) if self.rule else (),
        )

    def sentence(self, names: CombatantNames) -> str:
        """Return the event as people tell it, without a full stop; "" where its fields have to
        speak for themselves."""
        return ""


def missing_dice(
    field: str, given: tuple[int, ...] | int | None, expected: int
) -> Iterator[Problem]:
    """Yield the problem "wrong-dice" of a field that holds more or fewer dice than belong there."""
    number = _dice_in(given)
    if number == expected:
        return
    much = {0: "no die", 1: "one die"}.get(expected, f"{expected} dice")
    way_out = (
        "enter all of them, or leave all blank and Muster rolls" if expected else "leave it out"
    )
    sentence = f"{field!r} takes {much} here, not {number}: {way_out}."
    yield Problem("wrong-dice", sentence, field=field, value=shown(given))


def _dice_in(given: tuple[int, ...] | int | None) -> int:
    return len(given) if isinstance(given, tuple) else int(given is not None)


Kind = TypeVar("Kind", bound=type[EventKind[Any]])


def kind(key: str, label: str, rule: str | None = None, **facts: Any) -> Callable[[Kind], Kind]:
    """Name a kind of event: its key, label and rule, and other class attributes of ``EventKind``
    and its base.

    Raise AttributeError for an attribute that no base of the kind has.
    """
    attributes = {"key": key, "label": label, **({} if rule is None else {"rule": rule}), **facts}

    def named(event_kind: Kind) -> Kind:
        for name, fact in attributes.items():
            getattr(event_kind, name)
            setattr(event_kind, name, fact)
        return event_kind

    return named


class RuledEvent(EventKind[State], frozen=True, kw_only=True, omit_defaults=True):
    """An event that may hold dice, and that may be overruled. Its JSON leaves out what goes without
    saying."""

    thrown: Annotated[ThrownBy, field_meta("Dice by")] = ""
    overruled: Annotated[Words, field_meta("Reason to override the rules")] = ""


class OverrulableEvent(EventKind[State], frozen=True, kw_only=True, omit_defaults=True):
    """An event without dice that may be overruled."""

    overruled: Annotated[Words, field_meta("Reason to override the rules")] = ""


class ReplayStep(Struct, Generic[State], frozen=True):
    """One event that counts: the state as the rules saw it when it happened, and the state after
    it.

    ``superfluous`` are its fields that a later correction of something before it has made
    superfluous, ``overruled`` the rules that were set aside for it.
    """

    logged: LoggedEvent
    event: EventKind[State]
    before: State
    after: State
    superfluous: tuple[str, ...] = ()
    overruled: tuple["Overruled", ...] = ()


class Overruled(Struct, frozen=True):
    """A rule that players set aside: the event's place in the log, the rule's code and name, and
    their reason."""

    sequence: int
    code: str
    rule: str
    reason: str


@kind("note", "Note")
class Note(EventKind[Any], frozen=True, kw_only=True):
    """Something worth telling that changes nothing."""

    text: Annotated[Text, field_meta("Text", min_length=1, max_length=2000)]

    def sentence(self, names: CombatantNames) -> str:
        """Return the words of the note."""
        return self.text


@kind(
    "correction", "Correction", help="Replaces an earlier event, or voids it if no kind is given."
)
class Correction(EventKind[Any], frozen=True, kw_only=True):
    """An earlier event is replaced, or struck if neither kind nor data is given. Its turn stays
    unless one is given."""

    event: Annotated[int, field_meta("Event", ge=1)]
    reason: Annotated[Text, field_meta("Reason", min_length=MIN_REASON, max_length=300)]
    kind: Annotated[str | None, field_meta("Kind instead", extra={"kind": "text"})] = None
    data: Annotated[dict[str, Any] | None, field_meta("Data instead", extra={"kind": "text"})] = (
        None
    )
    turn: Annotated[TurnNumber | None, field_meta("Turn instead")] = None

    @property
    def strikes(self) -> bool:
        """Return whether the earlier event is voided without a replacement."""
        return self.kind is None and self.data is None
