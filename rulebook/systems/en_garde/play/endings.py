"""Events by which fighters and sides leave a battle and by which it ends; extra points and dice of
recovery.

Rule book: "Routing", "Victory Points", "Check victory conditions". Rulings B20, B21, B32, C7, C15,
P25, S13.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.at_table.sentences import name_of
from rulebook.battle_log.kinds import (
    Casualty,
    CombatantNames,
    FighterId,
    SideKey,
    Text,
    TurnNumber,
    Words,
    field_meta,
    kind,
)
from rulebook.systems.en_garde.book import problem, violation
from rulebook.systems.en_garde.play.checking import already_out, combatant_problems, side_problems
from rulebook.systems.en_garde.play.offers import enemies_of, people
from rulebook.systems.en_garde.play.play_state import (
    AgreedPoints,
    Event,
    PlayState,
    action_of,
    last_turn,
)
from rulebook.systems.en_garde.rosters.assembled_roster import BANNER
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.wounds import Wound
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation, plural
from rulebook.values.table import Action


class Edge(StrEnum):
    """An edge of the table, seen from where the fighter's side set out."""

    OWN = "own"
    OPPOSITE = "opposite"
    OTHER = "other"


@kind(
    "routed",
    "Routed off the table",
    'Rule book: "Routing"',
    help="Only fighters who left while their warband was Routing.",
    offered_to="fighter",
    offered_as="Routs off the table",
    hurts=True,
    casualty=Casualty(victim="fighter"),
    ends=("fighter",),
)
class Routed(Event, frozen=True, kw_only=True):
    """A fighter left the table while its warband was Routing (Ruling S13)."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    overruled: Annotated[
        Words,
        field_meta(
            "Overruled because",
            "In turn-by-turn logs: why it counts if the warband is not Routing.",
        ),
    ] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return super().is_open_to(state, actor) and state.combatants[actor].on_table

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        return _able_to_go(state, self.fighter)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids it turn by turn: only the unengaged of a Routing warband rout off the
        table.

        A result sheet is believed, and so is a light turn, in which neither Morale nor contact is
        logged.
        """
        if not state.table.turn or state.light:
            return
        side = state.side_of(self.fighter)
        name = state.side(side).name
        morale = state.table.morale_of(side)
        if morale is not Morale.ROUTING:
            yield violation("not-routing", name=name, morale=morale.value.capitalize())
        if state.table.engaged(self.fighter):
            yield violation("engaged-do-not-run", name=state.named(self.fighter))

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        fighter = state.combatants[self.fighter]
        return state.with_combatant(
            replace(fighter, routed=True, out_since=logged.sequence, out_turn=logged.turn)
        )

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} routed off the table"


@kind(
    "left",
    "Left the table",
    'Rule book: "Victory Points"',
    hurts=True,
    casualty=Casualty(victim="fighter"),
    ends=("fighter",),
    offered_to="fighter",
    offered_as="Leaves the table",
    asked_first=("edge",),
)
class LeftTable(Event, frozen=True, kw_only=True):
    """A fighter left the table of its own will."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    edge: Annotated[Edge, field_meta("Edge", "Seen from where its side started.")] = Edge.OTHER

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        return super().is_open_to(state, actor) and state.combatants[actor].on_table

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        return _able_to_go(state, self.fighter)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        fighter = state.combatants[self.fighter]
        gone = replace(
            fighter, edge=self.edge.value, out_since=logged.sequence, out_turn=logged.turn
        )
        return state.with_combatant(gone)

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} left by the {self.edge} edge"


@kind(
    "captured",
    "Captured",
    'Rule book: "Victory Points"',
    help="A fighter or a banner, carried off or held at the end.",
    casualty=Casualty(victim="fighter", by="by"),
    ends=("fighter",),
)
class Captured(Event, frozen=True, kw_only=True):
    """A fighter or a banner was captured (Rulings B20, B21)."""

    by: Annotated[FighterId, field_meta("Captured by")]
    fighter: Annotated[FighterId | None, field_meta("Fighter")] = None
    banner: Annotated[SideKey | None, field_meta("Banner of")] = None
    overruled: Annotated[
        Words,
        field_meta(
            "Overruled because",
            "Why it counts if the fighter is not unconscious or the banner has not fallen.",
        ),
    ] = ""

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a side, which has a banner, or a fighter on the table."""
        return actor in state.sides or (
            actor in state.combatants and state.combatants[actor].on_table
        )

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return the capture of a side's banner, or of a fighter."""
        if actor in state.sides:
            foes = [each.fighter.id for each in state.enemies(actor) if each.on_table]
            label = "Loses its banner"
            given = {"banner": actor}
            hidden = ("fighter",)
            key = "banner"
        else:
            foes = [each for each in enemies_of(state, actor) if each in state.combatants]
            label = "Is captured"
            given = {"fighter": actor}
            hidden = ("banner",)
            key = cls.key
        choices = {"by": people(state, foes)}
        return action_of(
            cls, state, label, given, ("by",), without=hidden, choices=choices, key=key
        )

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if (self.fighter is None) == (self.banner is None):
            yield problem("one-capture")
            return
        unknown = list(combatant_problems(state, self.by, "by"))
        yield from unknown
        if unknown:
            return
        captor = state.combatants[self.by]
        if captor.dead or captor.wounds.unconscious or captor.captor:
            yield already_out(captor, "by")
        if self.fighter is not None:
            yield from _captive(state, self.fighter, captor.side)
        if self.banner is not None:
            yield from _banner(state, self.banner, captor.side)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what rulings forbid and a table may agree upon: nobody is unconscious, or the
        banner stands."""
        if self.fighter is not None:
            captive = state.combatants[self.fighter]
            if state.settings.capture_needs == "unconscious" and not captive.wounds.unconscious:
                yield violation("not-unconscious", name=captive.fighter.name)
            return
        bearer = next(
            (each for each in state.own(self.banner or "") if each.fighter.fills(BANNER)), None
        )
        if bearer is not None and (bearer.standing or bearer.routed or bearer.edge):
            yield violation("banner-not-fallen", name=bearer.fighter.name)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after a capture; the last word on a banner counts."""
        if self.banner is not None:
            return replace(state, banners={**state.banners, self.banner: self.by})
        fighter = state.combatants[self.fighter or ""]
        since = logged.sequence if fighter.out_since is None else fighter.out_since
        turn = logged.turn if fighter.out_since is None else fighter.out_turn
        return state.with_combatant(
            replace(fighter, captor=self.by, out_since=since, out_turn=turn)
        )

    def sentence(self, names: CombatantNames) -> str:
        taken = (
            f"the banner of {name_of(names, self.banner)}"
            if self.banner
            else name_of(names, self.fighter)
        )
        return f"{name_of(names, self.by)} captured {taken}"


def _able_to_go(state: PlayState, fighter: str) -> Iterator[Problem]:
    """Yield the problem of a fighter who was not fielded or can go nowhere any more."""
    unknown = tuple(combatant_problems(state, fighter, "fighter"))
    yield from unknown
    if not unknown and not state.combatants[fighter].standing:
        yield already_out(state.combatants[fighter], "fighter")


def _captive(state: PlayState, fighter: str, side: str) -> Iterator[Problem]:
    unknown = list(combatant_problems(state, fighter, "fighter"))
    if unknown:
        yield from unknown
        return
    captive = state.combatants[fighter]
    if captive.side == side:
        yield problem("captures-own-fighter", fighters=(fighter,))
    if captive.summoned:
        yield problem("summoned", fighters=(fighter,), value=fighter, name=captive.fighter.name)
    if not captive.on_table:
        yield already_out(captive, "fighter")


def _banner(state: PlayState, banner: str, side: str) -> Iterator[Problem]:
    unknown = list(side_problems(state, banner, "banner"))
    if unknown:
        yield from unknown
        return
    if banner == side:
        yield problem("captures-own-banner", value=banner)
    bearer = any(each.fighter.fills(BANNER) for each in state.own(banner))
    if not bearer and not state.side(banner).extras.get("banner"):
        yield problem("no-banner-to-capture", value=banner)


class Ending(StrEnum):
    """Why a battle ended."""

    LAST_TURN = "last-turn"
    DESTROYED = "destroyed"
    WITHDREW = "withdrew"
    CONCEDED = "conceded"
    LEFT_TABLE = "left-table"
    AGREED = "agreed"


WHY: Mapping[Ending, str] = {
    Ending.LAST_TURN: "the last turn was played",
    Ending.DESTROYED: "one side was destroyed",
    Ending.WITHDREW: "one side withdrew",
    Ending.CONCEDED: "one side conceded",
    Ending.LEFT_TABLE: "one side left the table",
    Ending.AGREED: "both sides agreed",
}


LEAVERS: Mapping[Ending, str] = {
    Ending.WITHDREW: "withdrew",
    Ending.CONCEDED: "conceded",
    Ending.LEFT_TABLE: "",
}
"""Endings that one side causes, with the field of the state that keeps it; "" where each fighter's
fate shows it."""


@kind(
    "points",
    "Extra victory points",
    about="side",
    offered_to="side",
    asked_first=("amount", "reason"),
)
class ExtraPoints(Event, frozen=True, kw_only=True):
    """Victory points that the players agree upon, with a reason."""

    side: Annotated[SideKey, field_meta("Side")]
    amount: Annotated[int, field_meta("Points", ge=-99, le=99)]
    reason: Annotated[Text, field_meta("Reason", min_length=3, max_length=300)]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from side_problems(state, self.side)
        if self.amount == 0:
            yield problem("no-points", value="0")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return replace(
            state, extra=(*state.extra, AgreedPoints(self.side, self.amount, self.reason))
        )

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)}: {self.amount:+d} victory points, {self.reason}"


class SideLeaves(Event, frozen=True, kw_only=True):
    """A side gives the field to the other; ``key`` is what it has done, in a word."""

    rule: ClassVar[str] = 'Rule book: "Check victory conditions"'
    about: ClassVar[str] = "side"
    offered_to: ClassVar[str] = "side"

    side: Annotated[SideKey, field_meta("Side")]

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from side_problems(state, self.side)
        if self.side in (*state.withdrew, *state.conceded):
            yield problem("gone-already", value=self.side)

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)} {self.key}"


@kind("withdrew", "Withdrew", offered_as="Withdraws")
class Withdrew(SideLeaves, frozen=True, kw_only=True):
    """A side leaves the field in good order."""

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return replace(state, withdrew=(*state.withdrew, self.side))


@kind("conceded", "Conceded", offered_as="Concedes")
class Conceded(SideLeaves, frozen=True, kw_only=True):
    """A side gives the battle up."""

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return replace(state, conceded=(*state.conceded, self.side))


@kind(
    "ended",
    "The battle ended",
    'Rule book: "Check victory conditions"',
    about="",
    ends_battle=True,
    offered_to="table",
    offered_as="The battle ends",
    asked_first=("how", "side"),
)
class Ended(Event, frozen=True, kw_only=True):
    """The battle is over."""

    turn: Annotated[TurnNumber | None, field_meta("Turns played")] = None
    how: Annotated[Ending, field_meta("Reason")] = Ending.LAST_TURN
    side: Annotated[
        SideKey, field_meta("Side", "The side that conceded, withdrew or left the table.")
    ] = ""
    overruled: Annotated[
        Words,
        field_meta(
            "Overruled because",
            "In turn-by-turn logs: why it ends before its last turn, or with something left to do.",
        ),
    ] = ""

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        return {"side": tuple((side, state.side(side).name) for side in state.sides)}

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        return ("turn",)

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return the end, with its reasons.

        By the last turn it ends only in that turn: before it nobody logs that reason by leaving the
        form as it is.
        """
        turn = state.table.turn
        ended = replace(super().offer(state, actor), given={"turn": max(1, turn)})
        if not 0 < turn < (last_turn(state) or 0):
            return ended
        how, *others = ended.fields
        reasons = tuple((key, label) for key, label in how.choices if key != Ending.LAST_TURN)
        return replace(
            ended, fields=(replace(how, choices=reasons, required=True, default=None), *others)
        )

    @property
    def ends_combat_phase(self) -> bool:
        """Return whether the last turn was played to its end.

        A battle broken off does not show it.
        """
        return self.how is Ending.LAST_TURN

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        if state.ended:
            yield problem("end-told-already")
        if self.side:
            yield from side_problems(state, self.side)
            if self.how not in LEAVERS:
                yield problem("nobody-gave-up", value=self.side)

    def _gone_before(self, state: PlayState) -> bool:
        """Return whether the log already says which side it was."""
        if self.how is not Ending.LEFT_TABLE:
            return bool(getattr(state, LEAVERS[self.how]))
        for side in state.sides:
            if all(
                combatant.routed or combatant.edge or combatant.lost
                for combatant in state.own(side)
            ):
                return True
        return False

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids it turn by turn: a battle ends by its last turn only in that turn.

        A result sheet is believed. A side that gave up has to be named. This is not an input
        error, because older logs without it stay readable.
        """
        last, turn = last_turn(state), state.table.turn
        if turn and not self.side and self.how in LEAVERS and not self._gone_before(state):
            yield violation("who-gave-up", way=WHY[self.how].removeprefix("one side "))
        if self.how is Ending.LAST_TURN and 0 < turn < (last or 0):
            yield violation("last-turn-to-come", turn=turn, last=last, source=state.scenario.source)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the end. A side that gives up by it has conceded or withdrawn
        (Ruling B41)."""
        gone = LEAVERS.get(self.how, "")
        if self.side and gone and self.side not in getattr(state, gone):
            state = replace(state, **{gone: (*getattr(state, gone), self.side)})
        return replace(state, ended=True, turns=self.turn or logged.turn or state.turns)

    def sentence(self, names: CombatantNames) -> str:
        turns = f" after {plural(self.turn, 'turn')}" if self.turn else ""
        why = (
            WHY[self.how].replace("one side", name_of(names, self.side))
            if self.side
            else WHY[self.how]
        )
        return f"The battle ended{turns}: {why}"


@kind(
    "recovery",
    "Recovery die",
    'Rule book: "Campaigns"',
    help="Only if the house rules need this roll and you rolled at the table. Otherwise Muster "
    "rolls.",
    offered_to="fighter",
)
class RecoveryRolled(Event, frozen=True, kw_only=True):
    """The die thrown at the table after the battle for a gravely wounded fighter (Rulings C7,
    C15)."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    die: Annotated[int, field_meta("Die", ge=1, le=6)]

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether the battle is over and a die decides about this fighter, which the table
        throws."""
        typed = state.settings.wounds_after == "grievous-roll" and state.settings.dice != "app"
        if not (state.ended and typed and super().is_open_to(state, actor)):
            return False
        return (
            state.combatants[actor].wounds.wound is Wound.GRIEVOUS and actor not in state.recovery
        )

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        unknown = list(combatant_problems(state, self.fighter, "fighter"))
        yield from unknown
        if unknown:
            return
        if state.settings.wounds_after != "grievous-roll":
            yield problem("no-recovery-dice")
        elif state.settings.dice == "app":
            yield problem("typed-recovery-die")
        elif self.fighter in state.recovery:
            yield problem("thrown-already", value=self.fighter)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state with a die of recovery noted; whether it was needed shows in the
        result."""
        return replace(state, recovery={**state.recovery, self.fighter: self.die})

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} rolls {self.die} for recovery"
