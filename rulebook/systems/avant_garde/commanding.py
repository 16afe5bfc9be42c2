"""The kinds of the first steps of a turn and of what comes before: reserves, pips, brigades,
rallying, initiative."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    CombatantNames,
    Few,
    FighterId,
    FighterIds,
    Light,
    ReplayStep,
    RuledEvent,
    SideKey,
    choice_meta,
    field_meta,
)
from rulebook.battle_log.kinds import Words as Told
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde import command, events, morale
from rulebook.systems.avant_garde.book import Inches, figures, problem, words
from rulebook.systems.avant_garde.events import (
    Checks,
    Dice,
    FighterEvent,
    Ordered,
    Pool,
    Side,
    Tested,
    TurnEvent,
    comrades_of,
    kind,
    names_of,
)
from rulebook.systems.avant_garde.fighters import rating_of
from rulebook.systems.avant_garde.odds import passes, total
from rulebook.systems.avant_garde.state import Combatant, Courier, State, inches_told
from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem
from rulebook.values.table import Due

PLACES, EDGES = words("away"), words("flanks")


@kind("hold")
class HeldBack(TurnEvent, frozen=True, kw_only=True):
    """Before the battle units are kept in reserve or sent round a flank: a third of them, or a
    brigade. Ruling N-R2."""

    side: Side
    fighters: Annotated[FighterIds, field_meta("Who", min_length=1)]
    place: Annotated[str, choice_meta(PLACES), field_meta("Where")] = "reserve"
    due: Annotated[
        Few,
        field_meta(
            "In which turn", "As drawn on the map; 0: not known. Scouts see it a turn earlier."
        ),
    ] = 0

    def checks(self, state: State) -> Checks:
        yield (
            not {*self.fighters} <= {each.id for each in state.of(self.side) if not each.gone},
            "not-of-that-side",
        )
        troops = [each for each in state.of(self.side) if not each.commander]
        held = [each for each in troops if each.place == self.place or each.id in self.fighters]
        yield (
            len(held) > command.most_away(len(troops)) and len({each.brigade for each in held}) > 1,
            "over-a-third",
        )
        yield state.turn > 0, "battle-began"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        held = (state.combatants[each] for each in self.fighters)
        return state.updating(*(replace(each, place=self.place, due=self.due) for each in held))


@kind("objectives")
class ObjectivesThrown(TurnEvent, frozen=True, kw_only=True):
    """Before the battle a throw says how many objectives lie near the centre, and who places the
    first. Ruling N-W4."""

    dice: Annotated[Pool, field_meta("How many", "D3 plus 1.")] = ()
    toss: Annotated[
        Pool, field_meta("Who places first", "A die for each side; a new pair after each tie.")
    ] = ()

    def throw(self, state: State, cup: Cup) -> "ObjectivesThrown":
        event = replace(self, dice=self.dice or (cup.faces(3),), toss=self.toss or cup.some(2))
        while not self.toss and event.toss[-2] == event.toss[-1]:
            event = replace(event, toss=(*event.toss, *cup.some(2)))
        return event

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def dice_errors(self, state: State) -> Iterator[Problem]:
        yield from super().dice_errors(state)
        pairs = [*zip(self.toss[::2], self.toss[1::2], strict=False)]
        # Pairs are thrown until they are not alike: all but the last are ties.
        ties = [die == other_die for die, other_die in pairs]
        if len(self.toss) % 2 or not ties or ties[-1] or not all(ties[:-1]):
            yield problem("objectives-toss", value=self.toss)
        if self.dice[:1] > (3,):
            yield problem("no-such-objectives", value=self.dice)

    def checks(self, state: State) -> Checks:
        yield state.turn > 0, "battle-began"

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        rules, sides = figures("objectives"), [*step.before.sides.values()]
        first = sides[int(self.toss[-1] > self.toss[-2])]
        number = self.dice[0] + rules["least"]
        yield f"{first} places the first of {number}, then the sides in turn (Ruling N-W4)."
        yield (
            f"Each within {rules['near_centre']} inches of the centre line and {rules['apart']} "
            "from the next."
        )
        yield f"Then each side places one within {rules['near_edge']} inches of the enemy's edge."
        locations = max(number + len(sides), figures("victory")["locations"])
        yield f"That makes {locations} locations."


@kind("disease")
class Deserted(TurnEvent, frozen=True, kw_only=True):
    """Before the battle every unit loses figures: a die of six from 18 figures on, else of four; by
    house rule."""

    side: Side
    dice: Annotated[
        Pool, field_meta("Dice", "One for each unit with figures, as in the roster.")
    ] = ()

    def losing(self, state: State) -> tuple[tuple[Combatant, int], ...]:
        """Return those who lose figures, each with the faces of its die."""
        combatants = (
            each for each in state.of(self.side) if each.figures and not (each.battery or each.gone)
        )
        return tuple((each, faces_of(each.figures)) for each in combatants)

    def throw(self, state: State, cup: Cup) -> "Deserted":
        return replace(
            self, dice=self.dice or tuple(cup.faces(faces) for _, faces in self.losing(state))
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.losing(state))}

    def checks(self, state: State) -> Checks:
        thrown = zip(self.losing(state), self.dice, strict=False)
        yield any(die > faces for (_, faces), die in thrown), "no-such-face"
        yield not state.settings.disease, "no-disease"
        yield state.turn > 0, "battle-began"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        losing = zip(self.losing(state), self.dice, strict=True)
        return state.updating(*(combatant.sickened(die) for (combatant, _), die in losing))


@kind("disease-again")
class DesertedAgain(FighterEvent, frozen=True, kw_only=True):
    """In harsh conditions the opponent has the die of a unit thrown again: the second die stands.
    By house rule."""

    dice: Annotated[Pool, field_meta("Die")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return state.settings.harsh_disease and bool(combatant.sick)

    def faces(self, state: State) -> int:
        """Return the faces of its die."""
        return faces_of(self.combatant(state).figures + self.combatant(state).sick)

    def throw(self, state: State, cup: Cup) -> "DesertedAgain":
        return replace(self, dice=self.dice or (cup.faces(self.faces(state)),))

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def checks(self, state: State) -> Checks:
        yield any(die > self.faces(state) for die in self.dice), "no-such-face"
        yield not state.settings.harsh_disease, "no-disease"
        yield not self.combatant(state).sick, "nobody-deserted"
        yield state.turn > 0, "battle-began"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.updating(self.combatant(state).sickened(self.dice[0]))


def faces_of(figures_now: int) -> int:
    """Return the faces of the die that says how many figures a unit loses to disease.

    It has six faces from 18 figures on, else four. Slide 37.
    """
    rules = figures("disease")
    return rules["large_die" if figures_now >= rules["large_from"] else "small_die"]


@kind("turn")
class TurnBegan(events.Event, RuledEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """A turn begins: a die of pips for every commander and every battery, in the order of the
    rosters."""

    dice: Annotated[
        Pool, field_meta("Dice of pips", "One for each commander and battery, as in the rosters.")
    ] = ()
    light: Light = False

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if actor:
            return
        if not state.turn and phase == events.STEPS[0]:
            yield cls.to_do("Begin the first turn.")
        if state.turn and phase == events.STEPS[-1] and state.turn_has_ended and not state.over:
            yield cls.to_do("Begin the next turn.")

    def receiving(self, state: State) -> tuple[Combatant, ...]:
        """Return the commanders and batteries that get pips: none in a light turn, which has no
        orders."""
        if self.light:
            return ()
        return tuple(
            each
            for each in state.combatants.values()
            if each.on_table and (each.commander or each.battery)
        )

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.receiving(state))}

    def checks(self, state: State) -> Checks:
        for receiver in self.receiving(state):
            self.pips_of(state, receiver, 1)
        yield state.over, "last-turn"

    def pips_of(self, state: State, receiver: Combatant, die: int) -> int:
        """Return the pips of a commander or a battery on this die. Raise RulesError
        "not-in-source"."""
        if not receiver.commander:
            return die
        return command.pips(die, rating_of(receiver.fighter, state.settings))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        fresh = {
            each.id: replace(each, pips=0, did=(), reacting=False, shot=0)
            for each in state.combatants.values()
        }
        for receiver, die in zip(self.receiving(state), self.dice, strict=True):
            fresh[receiver.id] = replace(
                fresh[receiver.id], pips=self.pips_of(state, receiver, die)
            )
        behind = state.other(state.first) if state.first else state.behind
        state = replace(
            state, turn=state.turn + 1, step=0, last_step=0, first="", behind=behind, done=()
        )
        state = replace(state, light=self.light)
        return replace(state, combatants=fresh, charges=(), combats=(), shocks=())

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        given = (step.after.combatants[each.id] for each in self.receiving(step.before))
        if not self.light:
            yield f"Pips: {', '.join(f'{each.name} {each.pips}' for each in given) or 'none'}."
        # Who arrives is announced a turn before. Slide 36. Ruling N-R6.
        waiting = [
            each
            for each in step.after.combatants.values()
            if each.place != "table" and not each.gone
        ]
        if seen := [each.name for each in waiting if each.due == step.after.turn + 1]:
            yield f"Scouts see who comes in the next turn: {', '.join(seen)}."


def receivers_of(state: State, chief: str) -> Choices:
    """Return the choices of a commander who gives pips or sends orders: other commanders, and
    batteries."""
    comrades = comrades_of(state, state.combatants[chief])
    return names_of(each for each in comrades if each.commander or each.battery)


@kind("pips")
class PipsAssigned(FighterEvent, frozen=True, kw_only=True):
    """The Commander-in-Chief gives pips of his to a commander or a battery within his range."""

    fighter: Annotated[FighterId, field_meta("The Commander-in-Chief")]
    to: Annotated[FighterId, field_meta("Recipient")]
    number: Annotated[int, field_meta("Pips", ge=1, le=9)] = 1
    away: Annotated[
        Inches,
        field_meta(
            "Distance from him", "0: within his command range. He cannot assign pips beyond it."
        ),
    ] = 0

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        # Slide 4: the Commander-in-Chief alone gives pips away.
        return state.chief(combatant.side) == combatant

    def price(self, state: State) -> Mapping[str, int]:
        return {self.fighter: self.number}

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**super().choices_for(state, actor), "to": receivers_of(state, actor)}

    def checks(self, state: State) -> Checks:
        commander, receiver = self.combatant(state), state.combatants[self.to]
        takes = (
            receiver.side == commander.side
            and receiver != commander
            and (receiver.commander or receiver.battery)
        )
        yield not takes, "no-receiver"
        yield from super().checks(state)
        yield self.away > state.radius(commander), "beyond-command-range"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.to, pips=state.combatants[self.to].pips + self.number)


@kind("join")
class Joined(FighterEvent, frozen=True, kw_only=True):
    """A commander joins a unit of his side, or leaves it: he orders it alone, and shares its
    fate."""

    fighter: Annotated[FighterId, field_meta("Which commander")]
    to: Annotated[
        FighterId, field_meta("Which unit", "Nobody: he leaves the unit that he is with.")
    ] = ""

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        comrades = comrades_of(state, state.combatants[actor])
        combatants = names_of(each for each in comrades if not each.commander or each.battery)
        return {**super().choices_for(state, actor), "to": combatants}

    def checks(self, state: State) -> Checks:
        commander, combatant = self.combatant(state), state.combatants.get(self.to)
        yield (
            combatant and (combatant.side != commander.side or combatant.commander),
            "no-unit-to-join",
        )
        yield not self.to and not commander.joined, "joined-nobody"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.fighter, joined=self.to)

    def sentence(self, names: CombatantNames) -> str:
        return (
            f"{names[self.fighter]} "
            f"{f'joins {names[self.to]}' if self.to else 'leaves the unit that he was with'}"
        )


@kind("courier")
class CourierSent(FighterEvent, frozen=True, kw_only=True):
    """The Commander-in-Chief sends a commander a written order by the one courier of his side."""

    fighter: Annotated[FighterId, field_meta("The Commander-in-Chief")]
    to: Annotated[FighterId, field_meta("Recipient")]
    order: Annotated[str, choice_meta(command.WRITTEN), field_meta("Order")] = "attack"
    objective: Annotated[Told, field_meta("Objective")] = ""
    inches: Annotated[Inches, field_meta("Distance", "8 inches a turn; 0: they talk.")] = 8

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        # Slide 33: the courier is the Commander-in-Chief's.
        return state.chief(combatant.side) == combatant

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**super().choices_for(state, actor), "to": receivers_of(state, actor)}

    def checks(self, state: State) -> Checks:
        other, courier = state.combatants[self.to], state.couriers.get(self.combatant(state).side)
        yield (
            other.side != self.combatant(state).side or not other.commander or not other.brigade,
            "no-commander-to",
        )
        yield from super().checks(state)
        yield courier and not courier.back, "courier-away"
        yield courier and courier.back and state.turn < courier.due, "courier-lost"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        due = state.turn + command.courier_turns(self.inches)
        courier = Courier(self.to, self.order, self.objective, due)
        return replace(state, couriers={**state.couriers, self.combatant(state).side: courier})


@kind("message")
class CourierArrived(TurnEvent, frozen=True, kw_only=True):
    """A courier comes, and his order is read in the command phase; or he is killed, in any."""

    side: Side
    killed: Annotated[
        bool, field_meta("He is killed", "The next one rides after a turn’s delay.")
    ] = False

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and any(
            not each.back for each in state.couriers.values()
        )

    def checks(self, state: State) -> Checks:
        courier = state.couriers.get(self.side)
        yield courier is None or courier.back, "no-courier"
        yield courier and not self.killed and state.turn < courier.due, "courier-rides"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        courier = state.couriers[self.side]
        back = replace(courier, back=True, due=state.turn + 2 * self.killed)
        read = {} if self.killed else {state.combatants[courier.to].brigade: courier.order}
        return replace(
            state, couriers={**state.couriers, self.side: back}, orders={**state.orders, **read}
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        courier = step.before.couriers[self.side]
        reads = f"{command.WRITTEN[courier.order].lower()} {courier.objective}".strip()
        name = step.before.combatants[courier.to].name
        yield "He is killed, and his order is lost." if self.killed else f"{name} reads: {reads}."


@kind("react")
class WentOnReact(Ordered, frozen=True, kw_only=True):
    """A unit in good order gets a reaction token."""

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.fighter, reacting=True)


@kind("brigade")
class BrigadeTested(Tested, frozen=True, kw_only=True):
    """A unit whose brigade falters or is broken tests, and falls back or flees. Rulings N-M6, N-M7,
    N-M11."""

    steady: Annotated[
        Pool, field_meta("Disorder test", "Of a unit that falls back in good order.")
    ] = ()
    inches: Annotated[Pool, field_meta("Inches")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return bool(state.losses_due(combatant))

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        combatant = state.combatants.get(actor)
        if combatant is None or phase not in cls.steps or not combatant.on_table:
            return
        if cls.is_due(state, combatant):
            yield cls.to_do_by(state, combatant)

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        failed = not self.passed(state)
        falls_back = failed and not self.combatant(state).disordered
        yield {"steady": 2 if falls_back else 0, "inches": 2 if failed else 0}

    def follows(self, state: State, *, passed: bool) -> State:
        """Return its order may hold at the end of a retreat too."""
        losses = state.losses_due(self.combatant(state))
        if self.steady:
            passed = passes(
                self.steady, morale.target(morale.brigade_nerve(self.usual(state), losses[-1]))
            )
        state = replace(
            state, checked=(*state.checked, *(f"{self.fighter} {each}" for each in losses))
        )
        return state if passed else state.lowered(self.fighter)


@kind("arrive")
class Arrived(TurnEvent, frozen=True, kw_only=True):
    """A group arrives: one die on its turn, one more each turn after. Rulings N-R1, N-R3, N-R4."""

    side: Side
    fighters: Annotated[
        FighterIds, field_meta("Who", "All who arrive together. Blank: all who wait there.")
    ] = ()
    route: Annotated[str, choice_meta(command.ARRIVAL_PLACES), field_meta("Where")] = "reserve"
    edge: Annotated[
        str,
        choice_meta(EDGES),
        field_meta("On which flank", "Only if the enemy can arrive there too."),
    ] = ""
    deviates: Annotated[bool, field_meta("Flankers may go astray")] = False
    dice: Annotated[Pool, field_meta("Dice")] = ()
    astray: Annotated[Pool, field_meta("Deviation", "3 and 4: none.")] = ()
    inches: Annotated[Pool, field_meta("Inches of the deviation")] = ()

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if phase not in cls.steps or actor not in state.sides:
            return
        waiting = (each for each in state.of(actor) if each.place != "table" and not each.gone)
        if any(max(each.due, each.late) <= state.turn for each in waiting):
            yield replace(cls.to_do(f"{state.sides[actor]}: units wait to arrive."), minor=True)

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        """Return those who would arrive."""
        place = "reserve" if self.route == "reserve" else "flank"
        own = (each for each in state.of(self.side) if not each.gone and each.place == place)
        return tuple(each for each in own if each.id in self.fighters or not self.fighters)

    def come(self, state: State) -> bool:
        """Return whether they arrive."""
        need = total(command.arrival_lines(self.route, state.nation(self.side)))
        return self.certain(state) or max(self.dice, default=0) >= need

    def certain(self, state: State) -> bool:
        """Return whether they come without a die, as the enemy kept them from their flank. Slide
        37. Ruling N-R5."""
        waiting = self.waiting(state)
        return bool(waiting) and all(each.late for each in waiting)

    def dice_wanted(self, state: State) -> Dice:
        tries = max((each.tries for each in self.waiting(state)), default=0)
        yield {"dice": 0 if self.certain(state) else 1 + tries}
        yield {"astray": int(self.deviates and self.route != "reserve" and self.come(state))}
        strays = any(die in command.DEVIATION for die in self.astray)
        yield {"inches": figures("arrivals")["deviation_dice"] if strays else 0}

    def checks(self, state: State) -> Checks:
        waiting = {each.id for each in self.waiting(state)}
        yield not waiting or not {*self.fighters} <= waiting, "not-waiting"
        yield any(each.due > state.turn for each in self.waiting(state)), "not-due"
        yield any(each.late > state.turn for each in self.waiting(state)), "kept-from-flank"

    def marks(self, state: State) -> tuple[str, ...]:
        return tuple(f"arrive {each.id}" for each in self.waiting(state))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        waiting, come = self.waiting(state), self.come(state)
        edge = "" if self.route == "reserve" else self.edge
        changes: dict[str, Any] = {"place": "table", "edge": edge, "late": 0} if come else {}
        state = state.updating(
            *(replace(each, tries=each.tries + 1, **changes) for each in waiting)
        )
        for each in waiting if come else ():
            state = state.did(each.id, "arrived")
        return state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        names = ", ".join(each.name for each in self.waiting(step.before))
        arriving = names if self.come(step.before) else "nobody"
        yield f"{max(self.dice)}: {arriving}." if self.dice else f"Without a die: {arriving}."
        if self.inches:
            yield (
                f"They come {inches_told(sum(self.inches))} to the "
                f"{command.DEVIATION[self.astray[0]]}."
            )


@kind("rally")
class Rallied(Tested, frozen=True, kw_only=True):
    """A unit in disorder or in flight tries to come a state up. Ruling N-M3."""

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        return super().is_open_to(state, actor) and not cls.waits_for_parent(
            state, state.combatants[actor]
        )

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return combatant.order != morale.GOOD

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        combatant = state.combatants.get(actor)
        if combatant is None or phase not in cls.steps or not combatant.on_table:
            return
        has_tried = f"{cls.key} {actor}" in state.done
        if combatant.blown or has_tried or cls.waits_for_parent(state, combatant):
            return
        if cls.is_due(state, combatant):
            yield cls.to_do_by(state, combatant)

    @staticmethod
    def waits_for_parent(state: State, combatant: Combatant) -> bool:
        """Return whether it is skirmishers whose battalion runs: it rallies first. Slide 26."""
        parent = state.combatants.get(combatant.parent)
        return parent is not None and parent.order == morale.BROKEN

    def checks(self, state: State) -> Checks:
        yield from super().checks(state)
        yield self.waits_for_parent(state, self.combatant(state)), "battalion-rallies-first"

    def follows(self, state: State, *, passed: bool) -> State:
        combatant = self.combatant(state)
        better = morale.after_rallying(
            combatant.order, skirmishers=combatant.skirmishing, permanent=combatant.shaken
        )
        return state.changed(self.fighter, order=better) if passed else state


@kind("initiative")
class InitiativeRolled(TurnEvent, frozen=True, kw_only=True):
    """Both sides throw for initiative; who is higher is side A. Ties are thrown again. Rulings
    N-T1, N-T3."""

    spent: Annotated[Few, field_meta("Pips spent by the first side")] = 0
    other_spent: Annotated[Few, field_meta("Pips spent by the second side")] = 0
    napoleon: Annotated[SideKey, field_meta("Napoleon is with")] = ""
    as_reserves: Annotated[
        bool,
        field_meta(
            "Units kept from their flank come as reserves",
            "Within 16″ of it; otherwise a turn later.",
        ),
    ] = False
    dice: Annotated[Pool, field_meta("Dice", "One for each side; a new pair after each tie.")] = ()

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if not actor and phase in cls.steps and not state.first:
            yield cls.to_do("Roll for initiative.")

    def pips(self, state: State) -> Mapping[str, int]:
        """Return the pips that each side spends."""
        return dict(zip(state.sides, (self.spent, self.other_spent), strict=False))

    def lines(self, state: State, side: str) -> tuple[ReasonLine, ...]:
        """Return what a side adds to its die."""
        spent = self.pips(state)[side]
        lost = state.behind == side
        napoleon = self.napoleon == side
        return command.initiative_lines(
            state.nation(side), spent=spent, lost_last=lost, napoleon=napoleon
        )

    def lead(self, state: State, place: int) -> int:
        """By how much the first side leads with the pair of dice that begins at this place."""
        # Of a battle with one side alone both dice are its own.
        first_side, second_side = (*state.sides, *state.sides)[:2]
        first = total(self.lines(state, first_side)) + self.dice[place]
        second = total(self.lines(state, second_side)) + self.dice[place + 1]
        return first - second

    def throw(self, state: State, cup: Cup) -> "InitiativeRolled":
        event = replace(self, dice=self.dice or cup.some(2))
        while len(event.dice) % 2 == 0 and event.lead(state, -2) == 0:
            event = replace(event, dice=(*event.dice, *cup.some(2)))
        return event

    def dice_errors(self, state: State) -> Iterator[Problem]:
        whole = len(self.dice) >= 2 and len(self.dice) % 2 == 0
        ties = (
            [self.lead(state, place) == 0 for place in range(0, len(self.dice), 2)] if whole else []
        )
        if not ties or ties[-1] or not all(ties[:-1]):
            yield problem("initiative-dice", value=self.dice)

    def price(self, state: State) -> Mapping[str, int]:
        return {
            chief.id: pips
            for side, pips in self.pips(state).items()
            if pips and (chief := state.chief(side))
        }

    def checks(self, state: State) -> Checks:
        yield (
            any(pips and state.chief(side) is None for side, pips in self.pips(state).items()),
            "no-chief",
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = replace(state, first=tuple(state.sides)[int(self.lead(state, -2) < 0)])
        late = () if self.as_reserves else kept_back(state)
        until = state.turn + figures("arrivals")["opposed_delay"]
        away = (replace(each, place="flank", late=until, did=kept_out(each)) for each in late)
        return state.updating(*away)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        for side, die in zip(step.before.sides, self.dice[-2:], strict=False):
            thrown = ReasonLine(die, "the die", self.rule)
            yield reasoned(
                f"Initiative of {step.before.sides[side]}", thrown, *self.lines(step.before, side)
            )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{step.after.sides[step.after.first]} is side A."
        late = ", ".join(
            each.name for each in kept_back(replace(step.before, first=step.after.first))
        )
        if late and self.as_reserves:
            inches = figures("arrivals")["opposed_reserve"]
            yield f"They come as reserves, within {inches} inches of their flank: {late}."
        elif late:
            yield f"The enemy came first on their flank, and they come a turn later: {late}."


def kept_back(state: State) -> tuple[Combatant, ...]:
    """Return those who have come on the same flank as the side that has the initiative. Slide 37.
    Ruling N-R5."""
    arrivals = [each for each in state.combatants.values() if each.edge and "arrived" in each.did]
    first = {each.edge for each in arrivals if each.side == state.first}
    return tuple(each for each in arrivals if each.side != state.first and each.edge in first)


def kept_out(combatant: Combatant) -> tuple[str, ...]:
    """Return what a unit has done in this turn, without its arrival."""
    return tuple(each for each in combatant.did if each != "arrived")
