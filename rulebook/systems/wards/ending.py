"""The kinds of event of the steps that both players take at the end of a turn, and of what a result
sheet tells."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    Casualty,
    CombatantNames,
    Few,
    FighterId,
    FighterIds,
    OverrulableEvent,
    ReplayStep,
    SideKey,
    Text,
    choice_meta,
    field_meta,
)
from rulebook.dice.pools import successes
from rulebook.systems.wards.book import GONE, book, broken, figures
from rulebook.systems.wards.events import Dice, Event, Place, Pool, TurnEvent, kind, names_of
from rulebook.systems.wards.fighters import FOOT, GENERAL, GUNS, bases_in_words
from rulebook.systems.wards.state import Combatant, State
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation, join_names, plural
from rulebook.values.table import BESIDE, Action, Due

Attributes = Annotated[
    tuple[Annotated[str, choice_meta(book().attribute)], ...], Meta(max_length=3)
]


class Bundle(TurnEvent, frozen=True, kw_only=True):
    """A step in which both players throw one die for each unit that bears a ``mark``; ``need``
    names what is good."""

    mark: ClassVar[str] = "out_of_order"
    need: ClassVar[str] = "order_on"
    restored: ClassVar[str] = "Back in order"

    dice: Annotated[Pool, field_meta("Dice", "One for each, in the order of the rosters.")] = ()

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        """Return the units that throw a die."""
        return tuple(
            each for each in state.combatants.values() if each.on_table and getattr(each, self.mark)
        )

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        bundle = cls()
        waiting = bundle.waiting(state)
        if actor or phase != cls.phase or not waiting or bundle.marks(state)[0] in state.done:
            return
        yield Due(
            sentence=f"{cls.label}: a die for {plural(len(waiting), 'unit')}.",
            do=cls.key,
            rule=cls.rule,
            button="Roll",
            rolls=True,
            at_once=True,
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.waiting(state))}

    def good(self, state: State) -> tuple[Combatant, ...]:
        """Return those whose die was good."""
        pairs = zip(self.waiting(state), self.dice, strict=True)
        return tuple(combatant for combatant, die in pairs if die >= figures("turn")[self.need])

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.updating(
            *(replace(combatant, **{self.mark: False}) for combatant in self.good(state))
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        names = ", ".join(each.name for each in self.good(step.before))
        yield f"{self.restored}: {names or 'none'}." if self.dice else "No unit needed it."


@kind(
    "arrows",
    "Recover arrows",
    'Sheet: "Shooting"',
    "Units roll to recover arrows",
    mark="low",
    need="arrows_on",
    restored="Arrows recovered",
)
class ArrowsRecovered(Bundle, frozen=True, kw_only=True):
    """Units that run low on arrows recover."""


@kind("order", "Restore order", 'Sheet: "Out of order"', "Units roll to restore order")
class OrderRestored(Bundle, frozen=True, kw_only=True):
    """Units out of order come back to order."""


@kind(
    "wards",
    "Restore Wards",
    "Ruling W-G4",
    "Units roll to restore their Wards",
    need="ward_on",
    restored="Restored",
)
class WardsRestored(Bundle, frozen=True, kw_only=True):
    """Wards are restored: dice for units out of order, cavalry apart, with an effect by house rule
    alone (W-G4)."""

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        return tuple(each for each in super().waiting(state) if each.fighter.arm != "cavalry")

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return super().apply(state, logged) if state.settings.restored_wards else state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        yield from super().outcome_sentences(step)
        if self.dice and not step.before.settings.restored_wards:
            yield "The sheet does not say what comes of it: nobody's order changes."


@kind(
    "loading",
    "Load a gun",
    'Sheet: "Artillery"',
    "{fighter} is loaded",
    arms=GUNS,
    proposal="{name} may be loaded.",
)
class GunLoaded(TurnEvent, frozen=True, kw_only=True):
    """A gun is loaded: three dice, each 5 or 6 turns it by a face; a light gun throws failed dice
    again."""

    fighter: Annotated[FighterId, field_meta("Which gun")]
    dice: Annotated[Pool, field_meta("Dice")] = ()
    again: Annotated[Pool, field_meta("Failed dice for a light gun")] = ()

    def dice_wanted(self, state: State) -> Dice:
        loading = figures("turn")["loading"]
        light = state.combatants[self.fighter].fighter.arm == "light-gun"
        yield {"dice": loading["dice"]}
        failed = len(self.dice) - successes(self.dice, loading["turns_on"])
        yield {"again": failed if light else 0}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        gun, need = state.combatants[self.fighter], figures("turn")["loading"]["turns_on"]
        return state.updating(
            replace(gun, faces=gun.faces + successes((*self.dice, *self.again), need))
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        gun = step.after.combatants[self.fighter]
        yield f"{gun.name} has been turned by {gun.faces} faces in total (Ruling W-A3)."


def off_table(state: State, side: str) -> tuple[Combatant, ...]:
    """Return everything of a side that may arrive."""
    return tuple(each for each in state.of(side) if not each.gone and not each.on_table)


@kind("arrivals", "Arrivals", 'Sheet: "Arrivals"', "Arrivals of {side}")
class Arrived(TurnEvent, frozen=True, kw_only=True):
    """Reserves arrive: one die for each name, which may be given several (W-A2); one for all
    cavalry (W-A1)."""

    side: Annotated[SideKey, field_meta("Whose")]
    fighters: Annotated[
        FighterIds,
        field_meta("Who rolls", "A name for each die; one name for all cavalry.", min_length=1),
    ]
    place: Annotated[Place, field_meta("Where in their Wards")] = "rear"
    dice: Annotated[Pool, field_meta("Dice")] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and bool(off_table(state, actor))

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"fighters": names_of(off_table(state, actor))}

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        has_rolled = f"{cls.key} {actor}" in state.done
        if (
            phase != cls.phase
            or actor not in state.sides
            or has_rolled
            or not off_table(state, actor)
        ):
            return
        yield Due(
            sentence=f"{state.sides[actor]}: units off the table may arrive.",
            who=actor,
            do=cls.key,
            rule=cls.rule,
            button="Roll",
            minor=True,
        )

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        """Return everything of the side that may arrive."""
        return off_table(state, self.side)

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.fighters)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        waiting = {each.id for each in self.waiting(state)}
        if here := [each for each in self.fighters if each not in waiting]:
            sentence = (
                f"{state.combatants[here[0]].name} is not waiting to arrive there. Leave that name "
                "out."
            )
            yield Problem("not-waiting", sentence, field="fighters", value=here[0])

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        arms = [state.combatants[each].fighter.arm for each in self.fighters]
        most = sum(
            each.fighter.arm in ("foot", "hand-gunners", "general") for each in self.waiting(state)
        )
        riders = arms.count("cavalry")
        return broken(
            (len(arms) - riders > most, "too-many-dice"), (riders > 1, "one-cavalry-die"), most=most
        )

    def arrived(self, state: State) -> tuple[Combatant, ...]:
        """Return those one of whose dice was good; with one of the cavalry all of it."""
        waiting, need = self.waiting(state), figures("turn")["arrival_on"]
        good = {
            combatant_id
            for combatant_id, die in zip(self.fighters, self.dice, strict=True)
            if die >= need
        }
        # One die brings all of the cavalry. Ruling W-A1.
        riders = {combatant.id for combatant in waiting if combatant.fighter.arm == "cavalry"}
        if good & riders:
            good |= riders
        return tuple(combatant for combatant in waiting if combatant.id in good)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        arrived = []
        for combatant in self.arrived(state):
            # Foot alone stands in a rank that its owner names.
            place = self.place if combatant.fighter.arm in FOOT else "front"
            arrived.append(replace(combatant, place=place))
        return state.updating(*arrived)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        names = ", ".join(each.name for each in self.arrived(step.before))
        yield f"On the table: {names}." if names else "No arrivals."


@kind(
    "new-general",
    "Replace a General",
    'Sheet: "Generals"',
    "{fighter} is replaced",
    steps=("arrivals",),
    arms=GENERAL,
)
class GeneralReplaced(TurnEvent, frozen=True, kw_only=True):
    """A dead General is replaced; his dice, one for each attribute, are read by the players
    (W-A6)."""

    fighter: Annotated[FighterId, field_meta("Killed General")]
    dice: Annotated[Pool, field_meta("Dice, one for each attribute")] = ()
    attributes: Annotated[
        Attributes, field_meta("Attributes of the new General", "As his dice say.")
    ] = ()
    unreliable: Annotated[bool, field_meta("The new General is unreliable")] = False

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether it is a General who has fallen."""
        fighter = state.combatants.get(actor)
        has_fallen = fighter is not None and bool(fighter.gone) and fighter.fighter.general
        return has_fallen and state.turn > 0 and not state.ended

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if phase != cls.phase or not cls.is_open_to(state, actor):
            return
        yield Due(
            sentence=f"{state.combatants[actor].name} may be replaced.",
            who=actor,
            do=cls.key,
            rule=cls.rule,
            button="Replace",
            minor=True,
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(book().attribute)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        general = state.combatants[self.fighter]
        if not general.gone:
            yield Problem(
                "not-fallen", f"{general.name} has not fallen.", field="fighter", value=self.fighter
            )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        general = state.combatants[self.fighter]
        new = replace(
            general.fighter, attributes=self.attributes, others="", unreliable=self.unreliable
        )
        return state.updating(
            replace(general, fighter=new, gone="", place="reserve", fell=general.fell + 1)
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterable[str]:
        dice = ", ".join(
            f"{name} {die}" for name, die in zip(book().attribute.values(), self.dice, strict=True)
        )
        yield f"Dice of the new General: {dice} (Ruling W-A6)."


@kind("clock", "Battle clock", "Ruling W-G3")
class ClockRolled(TurnEvent, frozen=True, kw_only=True):
    """The battle clock: a die that may be thrown again. The sheet does not say what it does
    (W-G3)."""

    dice: Annotated[Pool, field_meta("Die")] = ()
    reroll: Annotated[bool, field_meta("Reroll")] = False
    again: Annotated[Pool, field_meta("The second die")] = ()

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if actor or phase != cls.phase or f"{cls.key} " in state.done:
            return
        yield Due(
            sentence="Roll the battle clock.",
            do=cls.key,
            rule=cls.rule,
            button="Roll",
            rolls=True,
            at_once=True,
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1, "again": int(self.reroll)}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, clock=(*state.clock, (*self.dice, *self.again)[-1]))

    def sentence(self, names: CombatantNames) -> str:
        shown = (*self.dice, *self.again)
        return f"The battle clock shows {shown[-1]}" if shown else "The battle clock"


@kind(
    "loss",
    "Losses and fights won",
    each="fighter",
    casualty=Casualty(victim="fighter", what=("halves", "gone"), by="by", counts={"halves": 4}),
    ends=("fighter",),
    asked_first=("halves", "gone", "by"),
)
class Lost(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The losses of a unit, a gun or a General, as the players report them. A result sheet
    needs nothing else."""

    fighter: Annotated[FighterId, field_meta("Who")]
    halves: Annotated[int, field_meta("Half-bases lost", ge=0, le=41)] = 0
    gone: Annotated[str, choice_meta({"": "Still there", **GONE}), field_meta("Result")] = ""
    by: Annotated[FighterId, field_meta("By")] = ""
    won: Annotated[
        Few, field_meta("Fights won by its Ward", "Enter this for one unit of the Ward only.")
    ] = 0

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        own_side = state.combatants[actor].side
        standing = (each for each in state.combatants.values() if not each.gone)
        return {"by": names_of(each for each in standing if each.side != own_side)}

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action, which belongs to no step, and to no turn."""
        return replace(super().offer(state, actor), phase=BESIDE, turn=None)

    def may_end(self, state: State, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        return super().may_end(state, logged) if self.gone or self.halves else ()

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        combatant = state.combatants[self.fighter]
        if self.halves > combatant.halves and not combatant.gone:
            left = bases_in_words(combatant.halves)
            sentence = (
                f"{combatant.name} has {left} bases left. Enter at most that many half-bases."
            )
            yield Problem("not-so-many-bases", sentence, field="halves", value=str(self.halves))
        if self.won and not combatant.key:
            yield Problem(
                "no-ward",
                f"{combatant.name} belongs to no Ward. Choose a unit of the Ward.",
                field="won",
            )

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        combatant, other = state.combatants[self.fighter], state.combatants.get(self.by)
        return broken((other is not None and other.side == combatant.side, "own-side"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = (
            state.fights_won(state.combatants[self.fighter].key, "the enemy", self.won)
            if self.won
            else state
        )
        state = state.losing(self.fighter, self.halves, self.by) if self.halves else state
        gone = self.gone and not state.combatants[self.fighter].gone
        return state.gone(self.fighter, self.gone, self.by) if gone else state

    def sentence(self, names: CombatantNames) -> str:
        parts = []
        if self.won:
            parts.append(f"won {plural(self.won, 'fight')} alongside its Ward")
        if self.halves:
            # Two half-bases are one base.
            noun = "bases" if self.halves > 2 else "base"
            parts.append(f"lost {bases_in_words(self.halves)} {noun}")
        if self.gone:
            parts.append(f"is {GONE[self.gone]}")
        by = f" (against {names[self.by]})" if self.by else ""
        return f"{names[self.fighter]} {join_names(parts or ['is unchanged'])}{by}"


@kind(
    "refit",
    "Refit",
    "House rule: Refit",
    "{fighter} refits",
    turn_by_turn=False,
    rows=0,
    after_end=True,
)
class Refitted(TurnEvent, frozen=True, kw_only=True):
    """After the battle a unit refits: each half-base lost comes back on a 5 or 6. Only by house
    rule."""

    fighter: Annotated[FighterId, field_meta("Which unit")]
    dice: Annotated[Pool, field_meta("Dice", "One for each half-base lost.")] = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        """Return whether a unit has lost a part of itself, and the house rule lets it refit."""
        if not state.settings.refit or not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        return 0 < combatant.halves < combatant.fighter.halves

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        """Return the action, which belongs to no turn."""
        return replace(super().offer(state, actor), turn=None)

    @classmethod
    def hurdle_for(cls, state: State, actor: str) -> str:
        return ""

    def dice_wanted(self, state: State) -> Dice:
        combatant = state.combatants[self.fighter]
        yield {"dice": combatant.fighter.halves - combatant.halves if combatant.halves else 0}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        playing = state.settings.refit and state.settings.losses_stay
        again = {*self.marks(state)} & {*state.done}
        wrong = (not playing, "no-refit"), (not state.ended, "not-over"), (again, "already")
        return broken(*wrong, label=self.label, rule=self.rule)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combatant = state.combatants[self.fighter]
        return state.updating(
            replace(
                combatant,
                halves=combatant.halves + successes(self.dice, figures("refit")["back_on"]),
            )
        )


@kind("ended", "The battle ended", ends_battle=True, asked_first=("winner", "reason"))
class Ended(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over, with the result that the players declare: the sheet has no rule for
    it."""

    winner: Annotated[SideKey, field_meta("Who has won", "Nobody: a draw.")] = ""
    reason: Annotated[Text, field_meta("Why", max_length=300)] = ""

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {"winner": tuple(state.sides.items())}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, winner=self.winner, reason=self.reason)

    def sentence(self, names: CombatantNames) -> str:
        won = f"{names[self.winner]} won" if self.winner else "The players agreed on a draw"
        return f"{won}: {self.reason}" if self.reason else won
