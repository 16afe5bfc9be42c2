"""The kinds of the end of a turn, of what lies on the table beside units, and of what a result sheet tells."""

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, FighterIds, Names, ReplayStep, SideKey, Text, one_of, titled
from rulebook.dice.cup import Cup
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde.arrivals import PLACES, arrival_need, deviation, most_away
from rulebook.systems.avant_garde.book import STATES, book, broken, figures, problem
from rulebook.systems.avant_garde.command import gun_order_pips
from rulebook.systems.avant_garde.events import ALL_ARMS, Dice, Event, Pool, TurnEvent, kind
from rulebook.systems.avant_garde.odds import NEVER
from rulebook.systems.avant_garde.state import GONE, Combatant, Sector, State
from rulebook.systems.avant_garde.victory import goes_on, next_turn_on
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

Place = Annotated[Text, titled("Which", "By its name.", min_length=1, max_length=60)]


@kind("end", "End of the turn", 'Slide 2: "The Turn"', "The turn ends")
class TurnEnded(TurnEvent, frozen=True, kw_only=True):
    """Everybody who has fired loads, batteries for pips; from the last turn on a die says whether there is another."""

    often: ClassVar[bool] = False

    dice: Annotated[Pool, titled("Does the battle go on?")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(1 < next_turn_on(state.turn) < NEVER)}

    def cost(self, one: Combatant) -> int:
        """The pips that it takes a battery to load; nothing once it has waited a turn. Ruling N-A2."""
        return 0 if one.waits else gun_order_pips("reload", one.start, one.start - one.figures)

    def loading(self, one: Combatant) -> bool:
        """Does it load now?"""
        if one.loaded or not one.on_table:
            return False
        if one.battery:
            return one.pips >= self.cost(one)
        return not (one.fighter.rifles and "moved" in one.did)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        for one in state.combatants.values():
            if self.loading(one):
                spent = self.cost(one) if one.battery else 0
                state = state.changed(one.id, loaded=True, waits=False, pips=one.pips - spent)
            elif one.battery and not one.loaded:
                state = state.changed(one.id, waits=True)
        return replace(state, over=not goes_on(state.turn, self.dice[0] if self.dice else 6))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        unloaded = [each.name for each in step.after.combatants.values() if each.on_table and not each.loaded]
        if unloaded:
            yield f"Not loaded: {', '.join(unloaded)}."
        if step.after.over:
            yield "That was the last turn."


SECTOR_EVENTS = {"hit": "Hit by a gun", "fire": "It catches fire", "burns": "It burns on", "out": "The fire is put out"}


@kind("sector", "Building or wood", 'Slide 31: "Fire and Building damage table"')
class SectorDamaged(TurnEvent, frozen=True, kw_only=True):
    """A building is hit or burns: a die of damage. Its hit points are not in the source and are typed once."""

    anybody: ClassVar[bool] = True

    name: Place
    what: Annotated[str, one_of(SECTOR_EVENTS), titled("What happens")] = "hit"
    structure: Annotated[
        str, one_of({key: each.name for key, each in book().structure.items()}), titled("What it is")
    ] = "wood"
    points: Annotated[Annotated[int, Meta(ge=0, le=99)] | None, titled("Its hit points", "Asked for once.")] = None
    dice: Annotated[Pool, titled("Damage")] = ()

    def sector(self, state: State) -> Sector:
        """It as it stands."""
        known = state.sectors.get(self.name, Sector(self.structure, book().structure[self.structure].hit_points))
        return replace(known, points=self.points) if known.points is None else known

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(self.what in ("hit", "burns"))}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if self.sector(state).points is None and self.what in ("hit", "burns"):
            yield problem("hit-points-unknown", field="points", name=self.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        sector = self.sector(state)
        return broken(
            (self.what in ("burns", "out") and not sector.burning, "no-fire"), (sector.fallen, "fallen"), name=self.name
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        sector = self.sector(state)
        left = None if sector.points is None else max(0, sector.points - sum(self.dice))
        burning = self.what == "fire" or (sector.burning and self.what != "out")
        after = replace(sector, points=left, burning=burning, fallen=left == 0 and bool(self.dice))
        return replace(state, sectors={**state.sectors, self.name: after})

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        sector = step.after.sectors[self.name]
        if self.dice:
            yield "It collapses: whoever is in it tests." if sector.fallen else f"{sector.points} hit points left."

    def sentence(self, names: Names) -> str:
        return f"{self.name}: {SECTOR_EVENTS[self.what].lower()}"


@kind("location", "Victory location", 'Slide 37: "Victory Conditions"', rows=3)
class LocationTaken(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Who holds a location: an unbroken unit of his within 4″ and no enemy within 6″, as the players see it."""

    name: Place
    side: Annotated[SideKey, titled("Held by", "Nobody, if left out.")] = ""

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, locations={**state.locations, self.name: self.side})

    def sentence(self, names: Names) -> str:
        return f"{names[self.side] if self.side else 'Nobody'} holds {self.name}"


# Off the table: reserves, flank marches, disease


@kind("hold", "Hold back", 'Slide 36: "Reserves & Flankers"', arms=ALL_ARMS)
class HeldBack(TurnEvent, frozen=True, kw_only=True):
    """Before the battle units are kept in reserve or sent around a flank; at most a third each. Ruling N-R2."""

    side: Annotated[SideKey, titled("Whose")]
    fighters: Annotated[FighterIds, titled("Who", min_length=1)]
    place: Annotated[str, one_of({"reserve": "In reserve", "flank": "On a flank march"}), titled("Where")] = "reserve"

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        own = {each.id for each in state.of(self.side) if not each.gone}
        for one in (each for each in self.fighters if each not in own):
            yield problem("not-of-that-side", field="fighters", value=one, name=state.combatants[one].name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        troops = [each for each in state.of(self.side) if not each.commander]
        held = {each.id for each in troops if each.place == self.place or each.id in self.fighters}
        one_brigade = len({state.combatants[each].brigade for each in held}) <= 1
        many = len(held) > most_away(len(troops))
        return broken((many and not one_brigade, "over-a-third"), (state.turn > 0, "battle-began"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.with_(*(replace(state.combatants[each], place=self.place) for each in self.fighters))

    def sentence(self, names: Names) -> str:
        where = "in reserve" if self.place == "reserve" else "on a flank march"
        return f"{names[self.side]} holds {', '.join(names[each] for each in self.fighters)} {where}"


@kind("arrive", "Arrivals", 'Slide 36: "Reserves & Flankers"', steps=("command",))
class Arrived(TurnEvent, frozen=True, kw_only=True):
    """A group arrives: one die on its turn, one more each turn after. Rulings N-R1, N-R3, N-R4."""

    side: Annotated[SideKey, titled("Whose")]
    fighters: Annotated[FighterIds, titled("Who", "All who come together; else all who wait there.")] = ()
    route: Annotated[str, one_of(PLACES), titled("Where")] = "reserve"
    deviates: Annotated[bool, titled("Flankers may go astray")] = False
    dice: Annotated[Pool, titled("Dice")] = ()
    astray: Annotated[Pool, titled("Deviation", "A die, then two of inches on 1, 2, 5 and 6.")] = ()

    def place(self) -> str:
        """Where they have been."""
        return "reserve" if self.route == "reserve" else "flank"

    def waiting(self, state: State) -> tuple[Combatant, ...]:
        """Those who would arrive."""
        own = (each for each in state.of(self.side) if not each.gone and each.place == self.place())
        return tuple(each for each in own if each.id in self.fighters or not self.fighters)

    def need(self, state: State) -> int:
        """What a die has to show."""
        return arrival_need(self.route, state.nation(self.side))

    def come(self, state: State) -> bool:
        """Do they arrive?"""
        return any(die >= self.need(state) for die in self.dice)

    def dice_wanted(self, state: State) -> Dice:
        waiting = self.waiting(state)
        yield {"dice": 1 + max((each.tries for each in waiting), default=0)}
        strays = self.deviates and self.route != "reserve" and self.come(state)
        turned = strays and bool(self.astray) and bool(deviation(self.astray[0]))
        yield {"astray": strays * (3 if turned else 1)}

    def throw(self, state: State, cup: Cup) -> "Arrived":
        event = super().throw(state, cup)
        if len(event.astray) == 1 and deviation(event.astray[0]):
            event = replace(event, astray=(*event.astray, *cup.some(figures("arrivals")["deviation_dice"])))
        return event

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        here = [each for each in self.fighters if each not in {one.id for one in self.waiting(state)}]
        if here or not self.waiting(state):
            name = state.combatants[here[0]].name if here else state.sides[self.side]
            yield problem("not-waiting", field="fighters", value=str(here), name=name)

    def marks(self, state: State) -> tuple[str, ...]:
        return tuple(f"arrive {each.id}" for each in self.waiting(state))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        changes = {"place": "table"} if self.come(state) else {}
        return state.with_(*(replace(each, tries=each.tries + 1, **changes) for each in self.waiting(state)))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        need, come = self.need(step.before), self.come(step.before)
        names = ", ".join(each.name for each in self.waiting(step.before))
        yield f"{max(self.dice)} against {need}: {names if come else 'nobody'}."
        if self.astray:
            side = deviation(self.astray[0])
            yield (
                f"They come {sum(self.astray[1:])} inches to the {side}." if side else "They come where they meant to."
            )

    def sentence(self, names: Names) -> str:
        return f"Arrivals of {names[self.side]}: {PLACES[self.route].lower()}"


@kind("disease", "Disease and desertion", 'Slide 37: "Disease & Desertion"', "Disease and desertion among {side}")
class Deserted(TurnEvent, frozen=True, kw_only=True):
    """Before the battle every unit loses figures: a die of six from 18 figures on, else of four; by house rule."""

    often: ClassVar[bool] = False

    side: Annotated[SideKey, titled("Whose")]
    dice: Annotated[Pool, titled("Dice", "One for each unit with figures, as in the roster.")] = ()

    def troops(self, state: State) -> tuple[Combatant, ...]:
        """Those who lose figures."""
        arms = ("infantry", "cavalry")
        return tuple(each for each in state.of(self.side) if each.fighter.arm in arms and not each.gone)

    def faces(self, one: Combatant) -> int:
        """The faces of a unit's die."""
        known = figures("disease")
        return int(known["large_die" if one.figures >= known["large_from"] else "small_die"])

    def throw(self, state: State, cup: Cup) -> "Deserted":
        if self.dice:
            return self
        dice: list[int] = []
        for one in self.troops(state):
            while (die := cup.one()) > self.faces(one):
                pass
            dice.append(die)
        return replace(self, dice=tuple(dice))

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": len(self.troops(state))}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        for one, die in zip(self.troops(state), self.dice, strict=False):
            if die > self.faces(one):
                yield problem("no-such-face", field="dice", value=str(die), name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        return broken((not state.settings.disease, "no-disease"), (state.turn > 0, "battle-began"))

    def apply(self, state: State, logged: LoggedEvent) -> State:
        for one, die in zip(self.troops(state), self.dice, strict=True):
            left = max(1, one.figures - die)
            state = state.changed(one.id, figures=left, start=left)
        return state


# What a result sheet tells


@kind("loss", "Casualties, state, colours, what became of it", rows=6)
class Lost(Event, frozen=True, kw_only=True, omit_defaults=True):
    """What a unit has lost and how it ended, by the players' word: all that a result sheet needs to say."""

    fighter: Annotated[FighterId, titled("Who")]
    figures: Annotated[int, titled("Casualties", "Figures, of a battery gunners.", ge=0, le=200)] = 0
    order: Annotated[str, one_of({"": "As it was", **STATES}), titled("State")] = ""
    colours: Annotated[bool, titled("Its colours are lost")] = False
    guns: Annotated[int, titled("Guns lost", ge=0, le=12)] = 0
    gone: Annotated[str, one_of({"": "Still there", **GONE}), titled("What became of it")] = ""
    by: Annotated[FighterId, titled("By whom")] = ""

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if one.commander and (self.order or self.colours):
            yield problem("commander-has-none", field="order", value=self.order, name=one.name)
        for field, have in (("figures", one.figures), ("guns", sum(one.guns.values()))):
            if getattr(self, field) > have:
                yield problem("not-so-many", field=field, value=str(getattr(self, field)), name=one.name, have=have)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.hurt(self.fighter, self.figures, self.by) if self.figures else state
        state = state.colours_taken(self.fighter, self.by) if self.colours else state
        state = state.without_guns(self.fighter, self.guns, self.by) if self.guns else state
        if self.order:
            state = (
                state.put(self.fighter, self.order, self.by)
                if self.order != "good"
                else state.changed(self.fighter, order="good")
            )
        gone = self.gone and not state.combatants[self.fighter].gone
        return state.left(self.fighter, self.gone, self.by) if gone else state

    def sentence(self, names: Names) -> str:
        parts = (
            (self.figures, f"lost {self.figures} figure{'s' * (self.figures != 1)}"),
            (self.guns, f"lost {self.guns} gun{'s' * (self.guns != 1)}"),
            (self.colours, "lost its colours"),
            (self.order, f"is {STATES.get(self.order, '')}"),
            (self.gone, f"is {GONE.get(self.gone, '')}"),
        )
        told = " and ".join(words for holds, words in parts if holds) or "is as it was"
        return f"{names[self.fighter]} {told}{f', by {names[self.by]}' if self.by else ''}"


@kind(
    "returns",
    "Returns",
    "House rule: Returns",
    "Casualties of {fighter} return",
    turn_by_turn=False,
    rows=0,
    arms=ALL_ARMS,
)
class Returned(TurnEvent, frozen=True, kw_only=True):
    """After the battle casualties return, each on its die; none to a unit without its colours. By house rule alone."""

    often: ClassVar[bool] = False

    fighter: Annotated[FighterId, titled("Which unit")]
    dice: Annotated[Pool, titled("Dice", "One for each casualty.")] = ()

    def dice_wanted(self, state: State) -> Dice:
        one = state.combatants[self.fighter]
        yield {"dice": one.start - one.figures}

    def violations(self, state: State, logged: LoggedEvent) -> Iterable[Violation]:
        one, rules = state.combatants[self.fighter], state.settings
        playing = rules.returns and rules.casualties_carry_over
        return broken(
            (not playing, "no-returns"),
            (not state.ended, "not-over"),
            (one.colours_lost, "no-colours-no-returns"),
            name=one.name,
        )

    def back(self, state: State) -> int:
        """How many return."""
        return successes(self.dice, state.settings.returns_on)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = state.combatants[self.fighter]
        return state.changed(self.fighter, figures=one.figures + self.back(state))

    def told(self, step: ReplayStep[State]) -> Iterable[str]:
        yield f"{self.back(step.before)} of {len(self.dice)} return."


@kind("ended", "The battle ended")
class Ended(Event, frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over: its victory points count as they stand. Ruling N-W5."""

    reason: Annotated[Text, titled("Why", max_length=300)] = ""

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, charges=(), combats=())

    def sentence(self, names: Names) -> str:
        return f"The battle is over{f': {self.reason}' if self.reason else ''}"
