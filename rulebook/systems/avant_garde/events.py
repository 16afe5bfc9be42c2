"""Base classes for events of Avant-garde: steps of the turn, orders that cost pips, tests of two
dice.

Plain data of a kind are in its row of ``data/kinds.toml``; the kinds themselves in
``commanding.py`` (pips, rally, initiative, arrivals), ``moves.py``, ``charging.py``, ``firing.py``,
``fighting.py`` and ``ending.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log import steps
from rulebook.battle_log.kinds import Die, FighterId, ReplayStep, SideKey, TwoDice, field_meta
from rulebook.calculators.wording import reasoned
from rulebook.systems.avant_garde import command, morale
from rulebook.systems.avant_garde.book import Inches, book, read_data, words
from rulebook.systems.avant_garde.fighters import rating_of
from rulebook.systems.avant_garde.odds import passes, settled
from rulebook.systems.avant_garde.state import IN_RANKS, Combatant, State, inches_told
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field
from rulebook.values.problems import join_names
from rulebook.values.table import BESIDE, Action, Due

Dice = Iterator[Mapping[str, int]]
Checks = steps.Checks
Pool = Annotated[tuple[Die, ...], Meta(max_length=80)]
"""Dice in the order in which they were thrown."""
Who = Annotated[FighterId, field_meta("Who")]
Side = Annotated[SideKey, field_meta("Whose")]
STEPS = tuple(book().step)
MOVES = ("move-a", "move-b")
INTERRUPTS = "interrupts"
"""The field of what may interrupt the enemy's movement."""
ENEMIES = frozenset({"target", "by", "redirect", "into", "guards"})
"""The fields that name enemies."""
RIDES = ("cavalry-a", "cavalry-b")
NAMED: dict[str, "type[Event]"] = {}
"""The kinds that have been named, by their keys."""
TURNED = words("turned")
BECOMES = {**words("gone"), **words("becomes")}
"""The end of a combatant as text, by key."""
SIGNS = ("blown", "low", "unhorsed", "colours_lost", "jubilant")
"""The changes of a combatant other than its order, in the order in which an outcome names them."""
Kind = TypeVar("Kind", bound="type[Event]")


def names_of(some: Iterable[Combatant]) -> Choices:
    """Return units and commanders as choices, by name."""
    return tuple((each.id, each.name) for each in some)


def in_field(state: State) -> list[Combatant]:
    """Return everybody who is not gone, without skirmishers who stand in the ranks of their
    battalion."""
    return [each for each in state.combatants.values() if not each.gone and each.place != IN_RANKS]


def comrades_of(state: State, combatant: Combatant) -> list[Combatant]:
    """Return all others of a side who are not gone."""
    return [
        each for each in in_field(state) if each.side == combatant.side and each is not combatant
    ]


class Event(steps.SaidEvent[State], OfferedEvent[State], frozen=True, kw_only=True):
    """An event of a log of Avant-garde. What is due of it is done by its ``button``, ``at_once`` if
    nothing is asked.

    ``rolls`` says that dice are thrown then, ``due_by`` why it is due, where not by its rule.
    """

    at_once: ClassVar[bool] = False
    rolls: ClassVar[bool] = True
    button: ClassVar[str] = "Roll"
    due_by: ClassVar[str] = ""
    asked_first: ClassVar[tuple[str, ...]] = tuple(read_data("kinds")["asked"])

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is for a unit or for the table, on this side of the end of the
        battle."""
        combatant = state.combatants.get(actor)
        is_of_one = "fighter" in cls.__struct_fields__
        if (
            cls.after_end != state.ended
            or is_of_one != bool(actor)
            or is_of_one != (combatant is not None)
        ):
            return False
        return combatant is None or (
            (cls.after_end or not combatant.gone) and cls.waits_for(state, combatant)
        )

    @classmethod
    def waits_for(cls, state: State, combatant: Combatant) -> bool:
        """Return whether it is offered to a unit: by default as soon as it is due."""
        return cls.is_due(state, combatant)

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        """Return whether something waits for a unit that is done by this kind. By default it is for
        everybody."""
        return True

    @classmethod
    def to_do(cls, sentence: str, who: str = "") -> Due:
        """Return what waits to be done by this kind, with its button; ``who`` is the id of a unit,
        "" for nobody's."""
        return Due(
            sentence=sentence,
            who=who,
            do=cls.key,
            rule=cls.due_by or cls.rule,
            button=cls.button,
            at_once=cls.at_once,
            rolls=cls.rolls,
        )

    @classmethod
    def to_do_by(cls, state: State, combatant: Combatant) -> Due:
        """Return what waits for a unit to be done by this kind: at once only where there is nothing
        to choose."""
        due = cls.to_do(f"{combatant.name}: {cls.label.lower()}.", combatant.id)
        return replace(due, at_once=due.at_once and not cls.asks(state, combatant))

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the sides, all troops, and the enemy's troops, by the fields of the kind that name
        them."""
        fields = {*cls.__struct_fields__}
        troops = [each for each in in_field(state) if not each.commander]
        choices: dict[str, Choices] = dict.fromkeys(
            fields & {"side", "napoleon"}, tuple(state.sides.items())
        )
        if enemies := fields & ENEMIES:
            own_side = state.combatants[actor].side if actor else ""
            choices |= dict.fromkeys(
                enemies, names_of(each for each in troops if each.side != own_side)
            )
        if "fighters" in fields:
            choices["fighters"] = names_of(troops)
        # What interrupts the enemy is an action of its own.
        return {**choices, INTERRUPTS: ()}

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        offered = replace(super().offer(state, actor), turn=state.turn or None)
        combatant = state.combatants.get(actor)
        if combatant is None:
            return offered
        fields = tuple(cls.prefilled(state, combatant, field) for field in offered.fields)
        return replace(offered, fields=fields, phase=BESIDE)

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        """Return a field of the form for a unit, with what the table knows already."""
        stale = (
            field.kind == "choice" and field.default and field.default not in dict(field.choices)
        )
        return replace(field, default=field.choices[0][0]) if stale else field

    @classmethod
    def asks(cls, state: State, fighter: Combatant) -> bool:
        """Return whether a fighter has something to choose, though the kind is usually done at
        once."""
        return False


def kind(key: str) -> Callable[[Kind], Kind]:
    """Return a decorator that registers a kind by its key, with its row in ``data/kinds.toml``."""

    def named(event_kind: Kind) -> Kind:
        NAMED[key] = event_kind
        return steps.kind(key, **read_data("kinds")["kind"][key])(event_kind)

    return named


class TurnEvent(steps.StepEvent[State], Event, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in a step of a turn; ``riding``: in the cavalry’s steps by riders
    alone."""

    turn_steps: ClassVar[tuple[str, ...]] = STEPS
    riding: ClassVar[bool] = False

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether its time has come, and the unit is of an arm that does this on the
        table."""
        if not super().is_open_to(state, actor):
            return False
        if cls.after_end:
            return True
        if cls.early or not state.turn:
            return cls.early and not state.turn
        combatant = state.combatants.get(actor)
        return combatant is None or (
            combatant.on_table and (not cls.arms or combatant.fighter.arm in cls.arms)
        )

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action in the next of its steps, outside the turn if there is none."""
        offered = super().offer(state, actor)
        if not cls.steps:
            return offered
        combatant, initiative = state.combatants.get(actor), STEPS.index("initiative")
        place = cls.next_for(state, combatant)
        first = cls.next_for(replace(state, step=0), combatant)
        if not state.first and (place is None or place > initiative):
            later = (step for step in cls.steps if STEPS.index(step) > initiative)
            return replace(offered, phase=next(later, BESIDE), hurdle="Roll for initiative first")
        if place is None and first is not None:
            return replace(offered, phase=STEPS[first], hurdle="This step is over")
        return replace(offered, phase=BESIDE if place is None else STEPS[place])

    @classmethod
    def next_for(cls, state: State, fighter: Combatant | None) -> int | None:
        barred = cls.riding and fighter is not None and not fighter.cavalry
        side = "" if cls.anybody or fighter is None else fighter.side
        return cls.next_step(state, side, RIDES if barred else ())

    def now(self, state: State) -> str:
        """Return the key of the step in which it happens."""
        place = self.step(state)
        return STEPS[state.step if place is None else place]

    def price(self, state: State) -> Mapping[str, int]:
        """Return the pips that it costs, by payer."""
        return {}


def changes_told(before: State, after: State) -> Iterator[str]:
    """Yield what has become of everybody in an event: casualties, morale, blown horses, colours,
    who has gone."""
    for combatant in after.combatants.values():
        old = before.combatants.get(combatant.id, combatant)
        # Skirmishers who leave their battalion, or come back to it, are no casualties.
        moved = (before.group(combatant) is None) != (
            after.group(combatant) is None
        ) or combatant.place != old.place
        if not moved and (lost := old.figures - combatant.figures) > 0:
            yield f"{combatant.name}: {casualties(lost)}."
        turned = []
        if combatant.gone != old.gone:
            turned.append(BECOMES.get(combatant.gone, ""))
        if not combatant.gone and combatant.order != old.order:
            turned.append(TURNED[combatant.order])
        if not combatant.gone and combatant.shaken and not old.shaken:
            turned.append("shaken")
        turned += [TURNED[key] for key in SIGNS if getattr(combatant, key) > getattr(old, key)]
        if turned:
            yield f"{combatant.name} is {join_names(turned)}."


def casualties(number: int) -> str:
    """Return casualties as text."""
    return "1 casualty" if number == 1 else f"{number or 'no'} casualties"


class FighterEvent(TurnEvent, frozen=True, kw_only=True):
    """Something that one unit or commander does, or that happens to it.

    ``unless`` is what is wrong where nothing of the sort waits for it, ``bars`` what keeps it from
    that, ``once_as`` what it is done as, once in a step. ``fresh_riders``: in the cavalry's steps
    only by those who have not fired, charged or fought in this turn.
    """

    unless: ClassVar[str] = ""
    bars: ClassVar[tuple[str, ...]] = ()
    once_as: ClassVar[str] = ""
    fresh_riders: ClassVar[bool] = False

    fighter: Who

    @classmethod
    def may_interrupt(cls, combatant: Combatant) -> bool:
        """Return whether a unit may do this in the enemy's movement. Slide 5: "Reaction"."""
        return cls.any_time == INTERRUPTS and combatant.reacting

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is open to a unit, in the cavalry's steps by ``fresh_riders`` too."""
        if not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        place = cls.next_for(state, combatant) if cls.fresh_riders and combatant.spent else None
        return place is None or STEPS[place] not in RIDES

    def combatant(self, state: State) -> Combatant:
        """Return whose event it is."""
        return state.combatants[self.fighter]

    def marks(self, state: State) -> tuple[str, ...]:
        return (
            (f"{self.once_as} {self.fighter} {self.now(state)}",)
            if self.once_as
            else super().marks(state)
        )

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        if self.unless:
            yield not self.is_due(state, combatant), self.unless
        yield from ((combatant.bars[name], name) for name in self.bars)
        yield self.fresh_riders and combatant.spent and self.now(state) in RIDES, "no-cavalry-move"

    def placeholders(self, state: State) -> Mapping[str, str]:
        combatant = self.combatant(state)
        return {
            "name": combatant.name,
            "formation": combatant.formed.name.lower(),
            **super().placeholders(state),
        }


class Ordered(FighterEvent, frozen=True, kw_only=True):
    """Something that a commander orders a unit to do for pips, or a battery does for its own.
    Slides 3, 4 and 19.

    ``order`` is the key of its price, "" for what needs none; ``order_by`` is the field that names
    the order, ``free`` the one that says that it is done of its own accord.
    """

    order: ClassVar[str] = ""
    order_by: ClassVar[str] = ""
    free: ClassVar[str] = ""

    away: Annotated[
        Inches,
        field_meta(
            "Distance from the commander", "0: in his radius. Each further radius costs a pip."
        ),
    ] = 0

    def ordered(self, state: State) -> str:
        """Return the key of the order."""
        order: str = getattr(self, self.order_by, self.order)
        return order if order in book().order and not getattr(self, self.free, False) else ""

    def price(self, state: State) -> Mapping[str, int]:
        """Return a battery pays itself, else its commander does. Rulings N-C4, N-C9, N-A2."""
        combatant, order = self.combatant(state), self.ordered(state)
        leader = state.leader(combatant)
        if order and combatant.battery:
            return {combatant.id: command.gun_order_pips(order, combatant.start, combatant.lost)}
        pips = command.order_pips(order, self.away, state.radius(leader)) if order else 0
        return {leader.id: pips} if leader and order else {}

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        yield from super().checks(state)
        yield (
            self.ordered(state) and not combatant.battery and not state.leader(combatant),
            "nobody-commands",
        )


class Tested(Ordered, frozen=True, kw_only=True):
    """Something that takes a test: two dice that stay within a target. Slides 3, 4 and 27. Rulings
    N-C7, N-C8.

    ``tells`` is what is said of its "inches".
    """

    tells: ClassVar[str] = ""

    influence: Annotated[
        FighterId, field_meta("A commander lends his influence", "A double 5 or 6 unhorses him.")
    ] = ""
    general: Annotated[bool, field_meta("The Commander-in-Chief adds one", "For a pip of his.")] = (
        False
    )
    reroll: Annotated[bool, field_meta("Reroll if it fails", "For a pip of its commander.")] = False
    burning: Annotated[bool, field_meta("In a burning building", "−2 to the test.")] = False
    dice: Annotated[TwoDice, field_meta("Dice of the test")] = ()
    again: Annotated[TwoDice, field_meta("Dice of the second try")] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        commanders = (
            each for each in comrades_of(state, state.combatants[actor]) if each.commander
        )
        return {**super().choices_for(state, actor), "influence": names_of(commanders)}

    def test(self, state: State) -> morale.Nerve | None:
        """Return what its test depends on, None where it takes none."""
        return self.usual(state)

    def usual(self, state: State) -> morale.Nerve:
        """Return what any test of the unit depends on, with the commanders who help it."""
        helper = state.combatants.get(self.influence)
        rating = rating_of(helper.fighter, state.settings) if helper and helper.commander else None
        lent = settled(rating.influence, "His influence", "influence") if rating else 0
        return replace(
            state.nerve(self.combatant(state)),
            influence=lent,
            general=self.general,
            burning=self.burning,
        )

    def passed(self, state: State) -> bool:
        """Return whether it pass,s or need no test."""
        nerve = self.test(state)
        return nerve is None or passes(self.again or self.dice, morale.target(nerve))

    def dice_wanted(self, state: State) -> Dice:
        nerve = self.test(state)
        yield {"dice": 0 if nerve is None else 2}
        failed = nerve is not None and not passes(self.dice, morale.target(nerve))
        yield {"again": 2 if self.reroll and failed else 0}

    def price(self, state: State) -> Mapping[str, int]:
        combatant, price = self.combatant(state), {**super().price(state)}
        for helps, leader in (
            (self.general, state.chief(combatant.side)),
            (bool(self.again), state.leader(combatant)),
        ):
            if helps and leader:
                price[leader.id] = price.get(leader.id, 0) + 1
        return price

    def checks(self, state: State) -> Checks:
        combatant, helper = self.combatant(state), state.combatants.get(self.influence)
        leader = state.leader(combatant)
        yield helper and (not helper.commander or helper.side != combatant.side), "no-commander"
        yield from super().checks(state)
        yield self.general and not state.chief(combatant.side), "no-chief"
        yield self.reroll and not leader, "nobody-commands"
        yield self.reroll and leader and self.away > state.radius(leader), "too-far-for-another-try"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        """Return what the test does to a commander who lent his influence, then what follows from
        it."""
        if self.influence and (command.unhorsed(self.dice) or command.unhorsed(self.again)):
            state = state.changed(self.influence, unhorsed=True, pips=0)
        return self.follows(state, passed=self.passed(state))

    def follows(self, state: State, *, passed: bool) -> State:
        """Return the state after the test, or after what needs none."""
        return state

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        if nerve := self.test(step.before):
            yield reasoned("Test, two dice within", *morale.nerve_lines(nerve))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.test(step.before):
            yield (
                f"{sum(self.again or self.dice)}: "
                f"{'passed' if self.passed(step.before) else 'failed'}."
            )
        if self.tells and (inches := getattr(self, "inches", ())):
            yield self.tells.format(inches=inches_told(sum(inches)))
