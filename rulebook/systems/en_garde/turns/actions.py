"""Actions of the Move Phase other than moves, shots and spells: single actions, orders, things,
passing.

Rule book: "Move phase" to "Take a special action", "Objects", "Ordinance special rules". Ruling
B33.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    FighterId,
    FighterIds,
    SideKey,
    Text,
    field_meta,
    kind,
)
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.play import checking
from rulebook.systems.en_garde.play.offers import enemies_of, people
from rulebook.systems.en_garde.play.play_state import PlayState, action_of
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.play.words import arm, weapon_name
from rulebook.systems.en_garde.table.orders import GROUP_INCHES, Order, order_violations
from rulebook.systems.en_garde.table.shooting import Cover, is_missile, missile, reloaded
from rulebook.systems.en_garde.turns.alternation import activation_hurdle
from rulebook.systems.en_garde.turns.fighters import (
    immobile_violations,
    missiles_of,
    present,
    served_by,
    to_load,
    with_counters,
)
from rulebook.systems.en_garde.turns.turn_event import Activation, Inches, TurnEvent
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import Action

VERBS = {
    "aim": "aims",
    "hide": "hides",
    "rest": "rests",
    "mount": "mounts",
    "dismount": "dismounts",
    "special": "does something special",
}


LABELS = {"aim": "Aim", "hide": "Hide", "rest": "Rest"}
"""Actions that every fighter can take, in the order in which they are offered."""


@kind("action", "Action", 'Rule book: "Move phase"', phase="move", offered_to="fighter")
class Acted(Activation, frozen=True, kw_only=True):
    """A fighter does something else with its turn."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    what: Annotated[
        Literal["reload", "aim", "hide", "rest", "mount", "dismount", "special"], field_meta("What")
    ]
    weapon: Annotated[Text, field_meta("Weapon", max_length=60)] = ""
    cover: Annotated[
        Cover | None,
        field_meta("Cover to hide in", "A hidden fighter needs some cover."),
    ] = None
    die: Annotated[
        Die | None, field_meta("Die for wet powder", "Only if the result needs one.")
    ] = None
    words: Annotated[
        Text, field_meta("Description", "Anything else to record.", max_length=300)
    ] = ""

    @classmethod
    def offers(cls, state: PlayState, actor: str) -> Iterator[Action]:
        """Yield aiming, hiding and resting, getting off a mount or on it again, and what no rule
        names."""
        if not cls.is_open_to(state, actor):
            return
        labels = dict(LABELS)
        if present(state, actor).mounted:
            labels["dismount"] = "Dismount"
        if state.table.of(actor).dismounted:
            labels["mount"] = "Mount"
        labels["special"] = "Something special"
        asked_first = {"special": ("words",), "hide": ("cover",)}
        for what, label in labels.items():
            without = ("weapon", "die") if what == "hide" else ("weapon", "die", "cover")
            hurdle = activation_hurdle(state, actor, unless_engaged=what != "rest")
            given = {"fighter": actor, "what": what}
            main = asked_first.get(what, ())
            yield action_of(
                cls, state, label, given, main, without=without, key=what, hurdle=hurdle
            )

    @classmethod
    def loading(cls, state: PlayState, actor: str) -> Iterator[Action]:
        """Yield the loading of each missile weapon and gun with Reload counters. Rule book:
        "Reload"."""
        for weapon in missiles_of(state, actor):
            if to_load(state, actor, weapon)[1]:
                given = {"fighter": actor, "what": "reload", "weapon": weapon}
                label = f"Load the {weapon_name(weapon).lower()}"
                hurdle = activation_hurdle(state, actor, "reload", unless_engaged=False)
                key = f"reload-{weapon}"
                yield action_of(
                    cls, state, label, given, without=("cover",), key=key, hurdle=hurdle
                )

    @property
    def actor(self) -> str:
        return self.fighter

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        arms = (*present(state, self.fighter).weapons, *served_by(state, self.fighter))
        if self.what == "reload" and (self.weapon not in arms or not is_missile(self.weapon)):
            yield problem("loads-nothing", value=self.weapon)

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield the die for wet powder, if it rains; nothing else asks for any.

        Rule book: "Powder".
        """
        if self.what == "reload":
            rain = "rain" in str(state.setup.set_up.get("weather", ""))
            yield {"die": int(rain and missile(self.weapon).powder)}

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        engaged = state.table.engaged(self.fighter)
        combatant = state.combatants.get(self.fighter)
        waits = (
            state.table.of(self.fighter).dismounted
            and combatant is not None
            and not combatant.thrown
        )
        on_foot = not present(state, self.fighter).mounted
        ready = self.what == "reload" and not to_load(state, self.fighter, self.weapon)[1]
        open_ground = self.what == "hide" and self.cover is Cover.NONE
        violations = broken(
            (open_ground, "no-cover"),
            (engaged and self.what in ("aim", "hide"), "acts-engaged"),
            (ready, "loaded"),
            (self.what == "dismount" and on_foot, "on-foot"),
            (self.what == "mount" and not waits, "no-mount"),
        )
        order = "reload" if self.what == "reload" else ""
        return (
            *checking.out_of_action(state, self.fighter),
            *checking.once_a_turn(state, self.fighter, order),
            *violations,
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the action; who does nothing while Engaged does not count as
        having rested."""
        if self.what == "reload":
            piece, counters = to_load(state, self.fighter, self.weapon)
            left = reloaded(counters, powder=missile(self.weapon).powder, rain_die=self.die)
            return checking.acts(with_counters(state, self.fighter, piece, left), self.fighter)
        marks = {
            "aim": "aimed",
            "rest": "rested",
            "hide": "rested",
            "mount": "may-step",
            "dismount": "may-step",
        }
        tires = self.what == "rest" and state.table.engaged(self.fighter)
        done = () if tires or self.what not in marks else (marks[self.what],)
        dismounted = {"mount": False, "dismount": True}.get(
            self.what, state.table.of(self.fighter).dismounted
        )
        return checking.acts(
            state, self.fighter, *done, hidden=self.what == "hide", dismounted=dismounted
        )

    def sentence(self, names: CombatantNames) -> str:
        if self.what == "reload":
            return f"{name_of(names, self.fighter)} loads the {arm(self.weapon)}"
        words = f": {self.words}" if self.words else ""
        return f"{name_of(names, self.fighter)} {VERBS[self.what]}{words}"


@kind(
    "order",
    "Order",
    'Rule book: "Issue an order"',
    phase="move",
    about="fighters",
    fighters_only=("commander",),
    offered_to="commander",
    offered_as="Give an order",
    offered_help="The ordered fighters act afterwards, each with its own entry.",
    asked_first=("order", "fighters", "inches"),
)
class Ordered(Activation, frozen=True, kw_only=True):
    """A Commander has others do the same as he says. For a Shoot order, ``target`` is the nominated
    enemy and ``near`` those within 3 inches of it.
    """

    commander: Annotated[FighterId, field_meta("Commander")]
    order: Annotated[Order, field_meta("Order")]
    target: Annotated[
        FighterId,
        field_meta("Nominated target", "The enemy that the ordered fighters can shoot at."),
    ] = ""
    near: Annotated[
        FighterIds, field_meta("Within 3 inches of it", "They can be shot at as well.")
    ] = ()
    fighters: Annotated[FighterIds, field_meta("Fighter")]
    inches: Annotated[
        Inches | None,
        field_meta("Distance in inches", "At most 3, to the farthest ordered fighter."),
    ] = None

    @classmethod
    def is_open_to(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a Commander who can act."""
        return super().is_open_to(state, actor) and present(state, actor).has("commander")

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        own_side = state.own(state.side_of(actor))
        friends = [
            each.fighter.id for each in own_side if each.standing and each.fighter.id != actor
        ]
        foes = people(state, enemies_of(state, actor))
        return {"fighters": people(state, friends), "target": foes, "near": foes}

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return activation_hurdle(state, actor, unless_engaged=False)

    @property
    def actor(self) -> str:
        return self.commander

    @property
    def activated(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.commander, *self.fighters)))

    def misnamed(self, state: PlayState) -> Iterator[Problem]:
        yield from super().misnamed(state)
        yield from checking.named_twice("fighters", self.fighters)
        if self.order is Order.SHOOT and not self.target:
            yield problem("order-needs-target")

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield everything that forbids the order; distances are the players' word."""
        others = tuple(fighter for fighter in self.fighters if fighter != self.commander)
        yield from checking.out_of_action(state, self.commander)
        yield from checking.once_a_turn(state, self.commander)
        ordered = tuple((present(state, fighter), 0.0) for fighter in others)
        yield from order_violations(present(state, self.commander), ordered)
        if (self.inches or 0) > GROUP_INCHES:
            yield violation("order-out-of-earshot", most=GROUP_INCHES)
        for fighter in others:
            if not checking.same_side(state, fighter, self.commander):
                yield violation("not-ones-own", name=state.named(fighter))
        for fighter in others:
            yield from checking.out_of_action(state, fighter)
        for fighter in others:
            yield from checking.once_a_turn(state, fighter)

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state in which those ordered may do it, as their action of the turn.

        The Commander has acted.
        """
        everybody = tuple(dict.fromkeys((*self.fighters, self.commander)))
        targets = (self.target, *self.near) if self.target else ()
        for fighter in everybody:
            table = state.table.with_fighter(
                fighter,
                "acted",
                order=self.order.value,
                order_targets=targets,
                order_group=everybody,
            )
            state = replace(state, table=table)
        return state

    def sentence(self, names: CombatantNames) -> str:
        return (
            f"{name_of(names, self.commander)} orders {all_of(names, self.fighters)}: {self.order}"
        )


@kind(
    "object",
    "Object",
    'Rule book: "Objects"',
    offered_to="fighter",
    offered_as="Pick up or drop",
    asked_first=("what", "how", "heavy"),
)
class ObjectHandled(Activation, frozen=True, kw_only=True):
    """Something is picked up or dropped."""

    fighter: Annotated[FighterId, field_meta("Fighter")]
    what: Annotated[Text, field_meta("What", min_length=1, max_length=60)]
    how: Annotated[Literal["taken", "dropped"], field_meta("How")] = "taken"
    heavy: Annotated[
        bool, field_meta("Heavy", "A heavy object needs an action and both hands.")
    ] = False

    @classmethod
    def offer(cls, state: PlayState, actor: str) -> Action:
        """Return the action in the Move Phase, where the forms show it."""
        return replace(super().offer(state, actor), phase=TurnPhase.MOVE.value)

    @classmethod
    def outlasts_phase(cls, state: PlayState, actor: str) -> bool:
        """Return True: things can be dropped at any time."""
        return True

    @property
    def actor(self) -> str:
        """Return who takes what is heavy; light things, and dropping, take no activation."""
        return self.fighter if self.heavy and self.how == "taken" else ""

    def turn_phase(self, state: PlayState) -> TurnPhase | None:
        """Return the Move Phase for what takes an action; else any."""
        return TurnPhase.MOVE if self.actor else None

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield what forbids to pick up or drop a thing.

        Dropping is free on foot. What is heavy takes an action and free hands, and comes off a
        mount by an action. What an enemy carries cannot be picked up.
        """
        if self.how == "dropped":
            if self.what not in state.table.of(self.fighter).carries:
                yield violation("thing-not-carried", what=self.what)
            elif self._takes_action(state):
                yield from checking.once_a_turn(state, self.fighter)
            return
        yield from checking.out_of_action(state, self.fighter)
        if self.heavy:
            yield from checking.once_a_turn(state, self.fighter)
        if self.heavy and state.table.engaged(self.fighter):
            yield violation("lifts-engaged")
        bearer = bearer_of(state, self.what)
        if bearer not in ("", self.fighter) and not checking.same_side(state, bearer, self.fighter):
            yield violation("carried-by-enemy", name=state.named(bearer))
        yield from immobile_violations(self.what)

    def _takes_action(self, state: PlayState) -> bool:
        """Return whether something heavy is picked up, or unloaded from a mount."""
        if self.how == "taken":
            return self.heavy
        return (
            state.table.of(self.fighter).carries.get(self.what, False)
            and present(state, self.fighter).mounted
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        state = checking.acts(state, self.fighter) if self._takes_action(state) else state
        table = state.table
        for key, on_table in table.fighters.items():
            if self.what in on_table.carries:
                left = {
                    what: heavy for what, heavy in on_table.carries.items() if what != self.what
                }
                table = table.with_fighter(key, carries=left)
        if self.how == "taken":
            table = table.with_fighter(
                self.fighter, carries={**table.of(self.fighter).carries, self.what: self.heavy}
            )
        return replace(state, table=replace(table, laden=table.laden or self.heavy))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.fighter)} has {self.how} {self.what}"


def bearer_of(state: PlayState, what: str) -> str:
    """Return who carries a thing and can keep it, "" if nobody does."""
    bearers = (key for key, on_table in state.table.fighters.items() if what in on_table.carries)
    return next((key for key in bearers if not checking.out_of_action(state, key)), "")


@kind(
    "done",
    "Passes in the Move Phase",
    'Rule book: "Move phase"',
    phase="move",
    about="side",
    offered_to="side",
    offered_as="Pass: no more moves",
)
class SideDone(TurnEvent, frozen=True, kw_only=True):
    """A side lets its opportunity in the Move Phase go: the phase is over for it (Ruling B33)."""

    side: Annotated[SideKey, field_meta("Side")]

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        return "has passed" if actor in state.table.done else ""

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
        yield from checking.side_problems(state, self.side)

    def violations(self, state: PlayState, logged: LoggedEvent) -> Iterator[Violation]:
        """Yield the violation of passing twice in a turn."""
        if self.side in state.table.done:
            yield violation("passed-already")

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        return state.with_table(done=(*state.table.done, self.side))

    def sentence(self, names: CombatantNames) -> str:
        return f"{name_of(names, self.side)} has finished its Move Phase"
