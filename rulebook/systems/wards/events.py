"""Events of a log of Wards, and the kinds of the steps that the active player takes, except
combats.

Combats are in ``combats.py``, the end of a turn in ``ending.py``; notes and corrections are the
engine's.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.at_table.offers import OfferedEvent
from rulebook.battle_log import steps
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    Few,
    FighterId,
    FighterIds,
    Light,
    OverrulableEvent,
    ReplayStep,
    SideKey,
    Text,
    TwoDice,
    choice_meta,
    field_meta,
)
from rulebook.battle_log.steps import Checks, SaidEvent, StepEvent
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.wards.book import CAVALRY, GONE, book, broken, figures, read_data
from rulebook.systems.wards.dice import (
    MOVES,
    fails,
    morale_dice,
    morale_lines,
    move_dice,
    move_succeeds,
    outcome_of,
)
from rulebook.systems.wards.fighters import FOOT, GENERAL, GUNS
from rulebook.systems.wards.state import (
    ON_TABLE,
    Combatant,
    State,
    has_enemies,
    side_of,
    ward_name,
    ward_title,
    wards_of,
)
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import BESIDE, Action, Due, EventOutcome

WardKey = Annotated[str, Meta(extra={"kind": "group"}, min_length=3, max_length=120)]
"""A Ward by its key: "side/name"."""
Dice = Iterator[Mapping[str, int]]
Pool = Annotated[tuple[Die, ...], Meta(max_length=60)]
"""Dice in the order in which they were thrown."""
Place = Annotated[str, choice_meta({"front": "The front", "rear": "The rear"})]
ACTIONS = {
    "attach": "Attach to a unit",
    "detach": "Detach, and stay with the Ward",
    "move": "Move, to a Ward or alone",
    "leave": "Leave the table",
}
WARDS = ("ward", "target")
"""The fields that hold a Ward."""
GROUNDS = {
    "open": "Open, meadow",
    "linear": "Linear",
    "gentle": "Gentle hills",
    "other": "Anything else",
}


ACTORS = frozenset({"fighter", "ward", "side"})
"""The fields that name an actor."""
ASKED_FIRST = (
    "does",
    "to",
    "joins",
    "ward",
    "target",
    "at",
    "move",
    "ground",
    "mode",
    "direction",
    "hostile_faces",
    "on_hill",
    "fighter",
    "side",
    "fighters",
    "place",
)
"""The fields that are asked first: actor, target and manner."""


class Event(SaidEvent[State], OfferedEvent[State], frozen=True, kw_only=True):
    """An event of a log of Wards. Its fields "ward" and "target" hold Wards, "fighter" and "at"
    units.

    ``proposal`` is how the table proposes it in its step, "" if it does not, and ``demand`` how it
    asks for what has to be done; both have the actor as "{name}".
    """

    asked_first: ClassVar[tuple[str, ...]] = ASKED_FIRST
    proposal: ClassVar[str] = ""
    demand: ClassVar[str] = ""

    @classmethod
    def actor_field(cls, state: State, actor: str) -> str:
        """Return the field that names a unit, a side or a Ward."""
        if actor in state.combatants:
            return "fighter"
        return "side" if actor in state.sides else "ward"

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is for such an actor, who is not gone, and for this side of the end of
        the battle."""
        fields = ACTORS & {*cls.__struct_fields__}
        names_actor = cls.actor_field(state, actor) in fields if actor else not fields
        fighter = state.combatants.get(actor)
        gone = fighter is not None and bool(fighter.gone)
        return names_actor and not gone and cls.after_end == state.ended

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        return replace(super().offer(state, actor), phase=cls.phase_for(actor))

    @classmethod
    def phase_for(cls, actor: str) -> str:
        """Return the step to which the action of an actor belongs."""
        return cls.phase

    @classmethod
    def is_owed(cls, state: State, actor: str) -> bool:
        """Return whether an actor has to do this before the turn goes on."""
        return False

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        """Yield the proposal to an actor in the step of the kind, if it is open and without a
        hurdle."""
        if not cls.proposal or not actor or cls.phase_for(actor) != phase:
            return
        if not cls.is_open_to(state, actor) or cls.hurdle_for(state, actor):
            return
        fighter = state.combatants.get(actor)
        name = fighter.name if fighter else ward_title(actor, state.sides)
        is_owed = cls.is_owed(state, actor)
        sentence = cls.demand if is_owed else cls.proposal
        yield Due(
            sentence=sentence.format(name=name),
            who=actor,
            do=cls.key,
            rule=cls.rule,
            button=cls.label,
            minor=not is_owed,
        )

    def _field_in_words(self, key: str, choices: Mapping[str, str], names: CombatantNames) -> str:
        if key in WARDS:
            return ward_title(getattr(self, key), names)
        return super()._field_in_words(key, choices, names)


Kind = TypeVar("Kind", bound=type[Event])


def kind(
    key: str, label: str, rule: str = "", says: str = "", **attributes: Any
) -> Callable[[Kind], Kind]:
    """Return names a kind as ``steps.kind`` does.

    Without ``steps`` it belongs to the step of its own key, if there is one.
    """

    def named(event_kind: Kind) -> Kind:
        fields, own = event_kind.__struct_fields__, {"steps": (key,)} if key in book().step else {}
        usual = {
            "about": "fighter" if "fighter" in fields else "ward",
            "always_rolls": "dice" in fields,
        }
        return steps.kind(key, label, rule, says, **{**usual, **own, **attributes})(event_kind)

    return named


class TurnEvent(Event, StepEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """Something that happens in a step of a turn, once a turn for each actor unless it says
    otherwise.

    ``from_anywhere`` marks what is done with a unit that may stand off the table.
    """

    turn_steps: ClassVar[tuple[str, ...]] = tuple(book().step)
    once: ClassVar[bool] = True
    from_anywhere: ClassVar[bool] = False

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether the actor is of an arm that does this in a turn, and has an enemy where it
        needs one."""
        fighter = state.combatants.get(actor)
        fits = fighter is None or not cls.arms or fighter.fighter.arm in cls.arms
        in_turn = state.turn > 0 or not cls.turn_by_turn
        if not (fits and in_turn and super().is_open_to(state, actor)):
            return False
        needs_enemy = bool({"target", "at"} & {*cls.__struct_fields__})
        return not needs_enemy or has_enemies(state, side_of(state, actor))

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        fighter = state.combatants.get(actor)
        side = side_of(state, actor)
        phase = cls.phase_for(actor)
        needs_own_turn = cls.phase and not book().step[cls.phase].both and not cls.anybody
        if phase and cls.turn_steps.index(phase) < state.step:
            return "that step is over"
        if cls.once and f"{cls.key} {actor}" in state.done:
            return "done in this turn"
        if needs_own_turn and side and side != state.active:
            return f"it is the turn of {state.sides[state.active]}"
        off_table = fighter is not None and fighter.place not in ON_TABLE
        return "off the table" if off_table and not cls.from_anywhere else ""

    def step(self, state: State) -> int | None:
        """Return the place of its step, None once that is over; whose turn it is makes no
        difference to it."""
        return self.next_step(state)

    def actor(self, state: State) -> str:
        """Return the side whose doing it is, "" where it is either's."""
        ward: str = getattr(self, "ward", "")
        fighter = state.combatants.get(getattr(self, "fighter", ""))
        if self.anybody:
            return ""
        return fighter.side if fighter else ward.split("/", 1)[0]

    def marks(self, state: State) -> tuple[str, ...]:
        """Return what it leaves among what has been done in this turn.

        An event with the same mark is not done again in this turn.
        """
        who = next(
            (getattr(self, each) for each in ("ward", "fighter", "side") if hasattr(self, each)), ""
        )
        return (f"{self.key} {who}",) if self.once else ()

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        """Return what it came to; at the end who is gone by it, or went to the reserves."""
        outcome, before = super().outcome_of(step), step.before.combatants
        sentences = list(outcome.sentences)
        for key, combatant in step.after.combatants.items():
            was = before[key]
            if combatant.gone != was.gone or (was.on_table and not combatant.on_table):
                sentences.append(
                    f"{combatant.name}: "
                    f"{GONE.get(combatant.gone) or book().place[combatant.place].lower()}."
                )
        return replace(outcome, sentences=tuple(sentences))


@kind("turn", "A turn begins", "", "The turn of {side} begins", turn_by_turn=True, starts_turn=True)
class TurnBegan(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A turn of one player begins."""

    side: Annotated[SideKey, field_meta("Whose turn")]
    light: Light = False

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether the battle goes on: a side begins its own turn, the table that of any."""
        return not state.ended and (not actor or actor in state.sides)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"side": tuple(state.sides.items())}

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action, outside the turn where it is not that side's turn next."""
        offered = super().offer(state, actor)
        comes_next = state.step in (0, len(book().step) - 1) and actor != state.active
        return offered if comes_next or not actor else replace(offered, phase=BESIDE)

    @classmethod
    def light_turns(cls, state: State) -> tuple[Mapping[str, Any], ...]:
        """Return a light turn of every player but the one whose turn it is."""
        return tuple({"side": key, "light": True} for key in state.sides if key != state.active)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        wards = {key: replace(ward, morale="", moved="") for key, ward in state.wards.items()}
        judged = () if state.settings.unreliable_dice == "turn" else state.judged
        return replace(
            state,
            turn=state.turn + 1,
            step=0,
            last_step=0,
            active=self.side,
            wards=wards,
            judged=judged,
            done=(),
            light=self.light,
        )


@kind("step", "Next step", 'Sheet: "Turn sequence"', once=False)
class StepReached(TurnEvent, frozen=True, kw_only=True):
    """The turn goes on to one of its later steps, where nobody does anything more in those before
    it."""

    to: Annotated[
        str,
        choice_meta({key: each.name for key, each in book().step.items()}),
        field_meta("Next step"),
    ]

    def step(self, state: State) -> int | None:
        """Return the place of the step that it names, None once that is over."""
        place = self.turn_steps.index(self.to)
        return place if place >= state.step else None

    def checks(self, state: State) -> Checks:
        # The state has moved on to the step by now: if it came from there, play is in that step
        # already.
        yield state.last_step == state.step == self.turn_steps.index(self.to), "in-step"

    def sentence(self, names: CombatantNames) -> str:
        return f"Next step: {book().step[self.to].name}"


@kind(
    "general",
    "General acts",
    'Sheet: "Generals"',
    once=False,
    steps=("generals",),
    arms=GENERAL,
    always_rolls=False,
    proposal="{name} may act.",
)
class GeneralActed(TurnEvent, frozen=True, kw_only=True):
    """A General attaches himself to a unit, leaves it for its Ward, moves, or leaves the table.
    Ruling W-U4."""

    fighter: Annotated[FighterId, field_meta("Which General")]
    does: Annotated[str, choice_meta(ACTIONS), field_meta("Action")] = "attach"
    to: Annotated[FighterId, field_meta("Unit")] = ""
    joins: Annotated[
        str,
        Meta(extra={"kind": "group"}, max_length=120),
        field_meta("Moves to Ward", "None: alone."),
    ] = ""
    dice: Annotated[Pool, field_meta("Die", "1 fails.")] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return what he can do, and the units and Wards of his side."""
        general = state.combatants[actor]
        actions = (each for each in ACTIONS.items() if each[0] != "detach" or general.stands_with)
        own = (each for each in state.of(general.side) if not each.gone)
        return {
            "does": tuple(actions),
            "to": names_of(each for each in own if each.halves and each.on_table),
            "joins": tuple((key, ward_name(key)) for key in wards_of(state, general.side)),
        }

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(self.does in ("move", "leave") or state.settings.general_actions)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        general, other = state.combatants[self.fighter], state.combatants.get(self.to)
        if self.does == "attach" and (
            other is None or other.side != general.side or not other.halves
        ):
            sentence = "A General can only join a unit of his own side. Choose one."
            yield Problem("no-unit", sentence, field="to", value=self.to)
        if self.joins and self.joins not in wards_of(state, general.side):
            sentence = (
                f"There is no Ward {self.joins!r} of his side on the table. Choose a Ward, or none."
            )
            yield Problem("unknown-ward", sentence, field="joins", value=self.joins)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        general = state.combatants[self.fighter]
        joins = state.combatants.get(self.to) if self.does == "attach" else None
        return broken(
            (general.place not in ON_TABLE, "general-off-table"),
            (joins is not None and not joins.on_table, "unit-off-table"),
            (
                joins is not None and joins.fighter.arm == "cavalry" and bool(general.stands_with),
                "attached-already",
            ),
            (self.does == "detach" and not general.stands_with, "not-attached"),
            name=general.name,
        )

    def succeeds(self) -> bool:
        """Return whether he does it. A 1 fails."""
        return all(die >= figures("turn")["general_on"] for die in self.dice)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        if not self.succeeds():
            return state
        general = state.combatants[self.fighter]
        was_with = state.combatants.get(general.stands_with)
        ward = was_with.ward if was_with else general.ward
        moved = replace(general, stands_with="", returns_to=("", ""))
        match self.does:
            case "attach":
                # Who joins the cavalry returns after its charge to where he was. Ruling W-C2.
                to = state.combatants[self.to]
                from_where = (
                    (ward, general.stands_with) if to.fighter.arm == "cavalry" else ("", "")
                )
                moved = replace(moved, stands_with=self.to, ward=to.ward, returns_to=from_where)
            case "detach":
                moved = replace(moved, ward=ward)
            case "move":
                moved = replace(moved, ward=ward_name(self.joins))
            case _:
                moved = replace(moved, ward="", place="off")
        return state.updating(moved)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        return (
            ()
            if self.succeeds()
            else (f"{step.before.combatants[self.fighter].name} fails on a 1.",)
        )

    def sentence(self, names: CombatantNames) -> str:
        target = names.get(self.to, "a unit")
        # "He joins a unit", or "he tries to join a unit".
        succeeds = self.succeeds()
        tries, s = ("", "s") if succeeds else ("tries to ", "")
        done = {
            "attach": f"join{s} {target}",
            "detach": f"leave{s} his unit and stay{s} with the Ward",
            "move": f"move{s} to {ward_title(self.joins, names)}"
            if self.joins
            else f"move{s} by himself",
            "leave": f"leave{s} the table",
        }
        return f"{names[self.fighter]} {tries}{done[self.does]}"


@kind(
    "morale",
    "Morale",
    'Sheet: "Morale"',
    "{ward} tests its morale",
    proposal="{name} may test its morale.",
    demand="{name} tests its morale.",
)
class MoraleTested(TurnEvent, frozen=True, kw_only=True):
    """A Ward tests its morale; its casualty markers go, whatever comes of it (W-M6)."""

    ward: Annotated[WardKey, field_meta("Which Ward")]
    hostile_faces: Annotated[Few, field_meta("Hostile faces")] = 0
    on_hill: Annotated[bool, field_meta("On a hill")] = False
    dice: Annotated[Pool, field_meta("Dice", "4 or more fails.")] = ()
    again: Annotated[Pool, field_meta("Rerolled dice", "By a General for morale.")] = ()
    rout: Annotated[TwoDice, field_meta("Half-bases lost in a rout")] = ()
    keeps: Annotated[bool, field_meta("Keep the first roll of a rout")] = False
    rout_again: Annotated[TwoDice, field_meta("Second roll of a rout")] = ()
    losses: Annotated[
        FighterIds,
        field_meta(
            "Who loses half-bases", "Once for each; else the units in turn, front first (W-M11)."
        ),
    ] = ()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {
            "losses": names_of(each for each in state.ranks(actor) if each.fighter.arm != "cavalry")
        }

    @classmethod
    def owed_by(cls, state: State) -> list[str]:
        """Return the Wards of the active side that have yet to test their morale, by dice that the
        log knows of.

        Hostile faces and hills are the players' word, and do not count here. Sheet: "Turn
        sequence", "Morale".
        """
        if not state.active:
            return []
        own = (each for each in wards_of(state, state.active) if ward_name(each) != CAVALRY)
        untested = (each for each in own if f"{cls.key} {each}" not in state.done)
        return [each for each in untested if morale_dice(state.nerve(each, 0, on_hill=False))]

    @classmethod
    def is_owed(cls, state: State, actor: str) -> bool:
        return actor in cls.owed_by(state)

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        alone = "cavalry belongs to no Ward" if ward_name(actor) == CAVALRY else ""
        return super().hurdle_for(state, actor) or alone

    @property
    def failed(self) -> int:
        """Return how many dice failed, three at most."""
        return fails(self.dice, self.again)

    @property
    def routs(self) -> bool:
        """Return whether the Ward routs."""
        return bool(self.failed == figures("morale")["worst"])

    def dice_wanted(self, state: State) -> Dice:
        nerve = state.nerve(self.ward, self.hostile_faces, on_hill=self.on_hill)
        yield {"dice": morale_dice(nerve)}
        failed = successes(self.dice, figures("morale")["fails_on"])
        yield {"again": failed if nerve.general == "attribute" else 0}
        # In a rout the owner may throw again once. Ruling W-M7.
        yield {"rout": 2 if self.routs else 0}
        yield {"rout_again": 2 if self.routs and not self.keeps else 0}

    def lost(self, state: State) -> tuple[str, ...]:
        """Return who loses a half-base each, in a rout: foot alone, and nobody more than it has.

        Rulings W-M8, W-M11.
        """
        foot = {
            each.id: each.halves for each in state.ranks(self.ward) if each.fighter.arm != "cavalry"
        }
        return in_turn(foot, sum(self.rout_again or self.rout), self.losses)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        outcome, ranks = outcome_of(self.failed)["key"], state.ranks(self.ward)

        # Who loses bases is settled before anything changes; guns of a Ward that routs are lost.
        lost = self.lost(state)
        guns = state.guns(self.ward) if self.routs else ()

        # The test takes all markers away, whatever comes of it. Ruling W-M6.
        state = state.updating(
            *(replace(combatant, casualties=0) for combatant in ranks)
        ).with_ward(self.ward, morale=outcome)
        if outcome != "steady":
            state = state.disordered(combatant.id for combatant in ranks)
        for combatant_id in lost:
            state = state.losing(combatant_id, 1)
        for gun in guns:
            state = state.gone(gun.id, "lost")
        return state

    def sums(self, step: ReplayStep[State]) -> Iterable[ReasonedSum]:
        nerve = step.before.nerve(self.ward, self.hostile_faces, on_hill=self.on_hill)
        yield reasoned(f"Dice of {ward_name(self.ward)}", *morale_lines(nerve))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        outcome, name = outcome_of(self.failed), ward_name(self.ward)
        yield f"{name}: {outcome['name']} ({self.failed} failed). {outcome['says']}"
        if self.routs:
            yield f"Half-bases lost: {len(self.lost(step.before))}."


def names_of(fighters: Iterable[Combatant]) -> Choices:
    """Return fighters as choices, by name."""
    return tuple((each.id, each.name) for each in fighters)


def held_by_morale(state: State, ward: str) -> str:
    """Return the hurdle of a Ward that stands or routs, "" if its morale lets it move."""
    return "its morale holds it" if state.ward(ward).morale in ("stand", "rout") else ""


def in_turn(room: Mapping[str, int], number: int, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return who takes so many things: those named, then all of ``room`` in turn, none more than
    fits.

    Rulings W-S4, W-M11.
    """
    left = {**dict.fromkeys(named, number), **room}
    taken: list[str] = []
    rounds = tuple(room) * number
    for key in (*named, *rounds):
        if len(taken) < number and left[key]:
            left[key] -= 1
            taken.append(key)
    return tuple(taken)


@kind(
    "pull-in",
    "Pull a unit in",
    'Sheet: "Pulling units in"',
    "{ward} pulls in {fighter}",
    arms=FOOT,
    from_anywhere=True,
    proposal="{name} may pull a unit in.",
)
class PulledIn(TurnEvent, frozen=True, kw_only=True):
    """A Ward pulls one unit in; the unit falls out of order."""

    fighter: Annotated[FighterId, field_meta("Which unit")]
    ward: Annotated[WardKey, field_meta("Into which Ward")]
    place: Annotated[Place, field_meta("Where")] = "front"

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is for a unit on foot, or for a Ward on foot that has anybody to pull
        in."""
        if not super().is_open_to(state, actor):
            return False
        return actor in state.combatants or (
            ward_name(actor) != CAVALRY and bool(cls.within_reach(state, actor))
        )

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the Wards on foot for a unit, and the units for a Ward."""
        wards = wards_of(state, side_of(state, actor))
        return {
            "ward": tuple((key, ward_name(key)) for key in wards if ward_name(key) != CAVALRY),
            "fighter": names_of(cls.within_reach(state, actor)),
        }

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        # Of a unit that is pulled in and the Ward that does it, the Ward is asked.
        if actor not in state.combatants:
            yield from super().due_for(state, actor, phase)

    @staticmethod
    def within_reach(state: State, ward: str) -> list[Combatant]:
        """Return the foot of a Ward's side that it can pull in: everybody but its own front."""
        own = (
            each
            for each in state.of(side_of(state, ward))
            if not each.gone and each.fighter.arm in FOOT
        )
        return [each for each in own if (each.key, each.place) != (ward, "front")]

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if not self.ward.startswith(f"{state.combatants[self.fighter].side}/"):
            sentence = (
                f"{ward_name(self.ward)} belongs to the enemy. Choose a Ward of its own side."
            )
            yield Problem("not-its-side", sentence, field="ward", value=self.ward)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combatant, ward = state.combatants[self.fighter], ward_name(self.ward)
        generals = (each for each in state.combatants.values() if each.stands_with == combatant.id)
        pulled = replace(combatant, ward=ward, place=self.place, out_of_order=True)
        return state.updating(pulled, *(replace(each, ward=ward) for each in generals))


@kind(
    "move",
    "Move a Ward",
    'Sheet: "Movement"',
    steps=("movement",),
    always_rolls=False,
    proposal="{name} may move.",
)
class WardMoved(TurnEvent, frozen=True, kw_only=True):
    """A Ward moves, or goes to assault. Who fails sideways or out of scenery stays, out of order.

    Cavalry moves in a step of its own, before units are pulled in and anybody shoots (W-C1).
    """

    ward: Annotated[WardKey, field_meta("Which Ward")]
    move: Annotated[str, choice_meta(MOVES), field_meta("How")] = "advance"
    no_enemy: Annotated[bool, field_meta("No enemy on any face", "Four dice instead of three.")] = (
        False
    )
    dice: Annotated[Pool, field_meta("Dice", "11 or more together.")] = ()

    @classmethod
    def phase_for(cls, actor: str) -> str:
        return "cavalry" if ward_name(actor) == CAVALRY else cls.phase

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        return super().hurdle_for(state, actor) or held_by_morale(state, actor)

    def step(self, state: State) -> int | None:
        """Return the place of the step in which Wards move; of that of the cavalry, where it
        moves."""
        if ward_name(self.ward) != CAVALRY:
            return super().step(state)
        place = self.turn_steps.index("cavalry")
        return place if place >= state.step else None

    def dice_wanted(self, state: State) -> Dice:
        failed = state.ward(self.ward).failed_move
        yield {"dice": move_dice(self.move, failed_before=failed, no_enemy=self.no_enemy)}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        name = ward_name(self.ward)
        held = state.ward(self.ward).morale in ("stand", "rout") and self.move != "stay"
        turns = name == CAVALRY and self.move not in ("advance", "stay")
        return broken((held, "stands"), (turns, "cavalry-forward"), name=name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        moved, failed = move_succeeds(self.dice), state.ward(self.ward).failed_move
        move = self.move if moved else "failed"
        state = state.with_ward(
            self.ward, moved=move, failed_move=not moved if self.dice else failed
        )
        if not moved:
            return state.disordered(each.id for each in state.ranks(self.ward))
        if self.move != "swap":
            return state
        swapped = []
        for combatant in state.ranks(self.ward):
            swapped.append(
                replace(combatant, place="rear" if combatant.place == "front" else "front")
            )
        return state.updating(*swapped)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        if not self.dice:
            return ()
        result = "succeeds" if move_succeeds(self.dice) else "stays, out of order"
        return (f"{sum(self.dice)}: {ward_name(self.ward)} {result}.",)

    def sentence(self, names: CombatantNames) -> str:
        move = read_data("moves")[self.move]
        return (
            f"{ward_title(self.ward, names)} "
            f"{move['says' if move_succeeds(self.dice) else 'fails']}"
        )


@kind(
    "gun-move",
    "Move a light gun",
    'Sheet: "Artillery"',
    "{fighter} is moved",
    steps=("movement",),
    arms=GUNS,
    proposal="{name} may be moved.",
)
class GunMoved(TurnEvent, frozen=True, kw_only=True):
    """A light gun moves one Zone straight ahead or back, by itself and without dice."""

    fighter: Annotated[FighterId, field_meta("Which gun")]
    ground: Annotated[str, choice_meta(GROUNDS), field_meta("Ground")] = "open"
    beside: Annotated[
        Text, field_meta("Next to Ward", "Its name. Blank: as before.", max_length=40)
    ] = ""

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return (
            super().is_open_to(state, actor) and state.combatants[actor].fighter.arm != "heavy-gun"
        )

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        gun = state.combatants[self.fighter]
        heavy, wrong = gun.fighter.arm == "heavy-gun", self.ground == "other"
        return broken((heavy, "heavy-gun-moves"), (wrong, "no-ground-for-guns"), name=gun.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        gun = state.combatants[self.fighter]
        return state.updating(replace(gun, ward=self.beside or gun.ward))
