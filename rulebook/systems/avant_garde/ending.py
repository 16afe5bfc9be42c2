"""The kinds of the end of a turn, of victory locations, and of what a result sheet tells."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    CombatantNames,
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
from rulebook.systems.avant_garde import events, victory
from rulebook.systems.avant_garde.book import STATES, figures, words
from rulebook.systems.avant_garde.command import gun_order_pips
from rulebook.systems.avant_garde.events import (
    Checks,
    Dice,
    Event,
    FighterEvent,
    Pool,
    TurnEvent,
    Who,
    in_field,
    kind,
    names_of,
)
from rulebook.systems.avant_garde.firing import untargetable
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED
from rulebook.systems.avant_garde.odds import NEVER, settled
from rulebook.systems.avant_garde.state import GONE, Combatant, Sector, State
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import join_names, plural
from rulebook.values.table import Due

Place = Annotated[Text, field_meta("Which", "By its name.", min_length=1, max_length=60)]
TAKEN = ("killed", "surrendered")
"""The ends that somebody else brings about: "was killed", but "is shattered"."""
HOLDS = "Unbroken and within {own_within}″, with no enemy within {enemy_within}″.".format_map(
    figures("victory")
)
HitPoints = Annotated[int, Meta(ge=0, le=99)]


@kind("end")
class TurnEnded(TurnEvent, frozen=True, kw_only=True):
    """Everybody who has fired loads, batteries for pips; from turn 7 on a die says whether there is
    another."""

    dice: Annotated[Pool, field_meta("Does the battle continue?")] = ()

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        if not actor and phase in cls.steps and not state.turn_has_ended:
            yield cls.to_do("End the turn: all units load.")

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(1 < victory.next_turn_on(state.turn) < NEVER)}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        """Return a battery loads for pips, or once it has waited a turn for nothing. Ruling
        N-A2."""
        for combatant in state.combatants.values():
            if not combatant.on_table or combatant.loaded:
                continue
            pays = combatant.battery and not combatant.waits
            cost = gun_order_pips("reload", combatant.start, combatant.lost) if pays else 0
            loads = combatant.pips >= cost and not (
                combatant.fighter.rifles and "moved" in combatant.did
            )
            pips = combatant.pips - cost if loads else combatant.pips
            state = state.changed(combatant.id, loaded=loads, waits=not loads, pips=pips)
        # Where no die is thrown the battle goes on, but for the ninth turn, which is the last.
        # Ruling N-W8.
        return replace(state, over=(*self.dice, 6)[0] < victory.next_turn_on(state.turn))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        unloaded = [
            each.name
            for each in step.after.combatants.values()
            if each.on_table and not each.loaded
        ]
        if unloaded:
            yield f"Not loaded: {', '.join(unloaded)}."
        if step.after.over:
            yield "That was the last turn."


@kind("surrender")
class Surrendered(FighterEvent, frozen=True, kw_only=True):
    """A broken unit without a way back surrenders; half as many guard it, and move at a slow
    pace."""

    by: Annotated[FighterId, field_meta("Recipient")]
    guards: Annotated[
        FighterIds, field_meta("Who guards it", "Blank: the unit that it surrenders to.")
    ] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return combatant.order == BROKEN

    def guarding(self, state: State) -> tuple[Combatant, ...]:
        """Return who guards the prisoners."""
        return tuple(state.combatants[each] for each in self.guards or (self.by,))

    def checks(self, state: State) -> Checks:
        combatant, guards = self.combatant(state), self.guarding(state)
        yield (
            any(untargetable(combatant, each) for each in (state.combatants[self.by], *guards)),
            "no-captor",
        )
        yield from super().checks(state)
        yield 2 * sum(each.figures for each in guards) < combatant.figures, "too-few-guards"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.updating(*(replace(each, guards=True) for each in self.guarding(state)))
        return state.left(self.fighter, "surrendered", self.by).cheered(self.by)


@kind("retaken")
class ColoursRetaken(FighterEvent, frozen=True, kw_only=True):
    """The colours that a unit lost in this battle are taken back: it is disordered, and has to
    rally. Slide 28."""

    rescuer: Annotated[FighterId, field_meta("Retaken by")]

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return state.colours_taken_from(combatant)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        side = state.combatants[actor].side
        own = (each for each in in_field(state) if each.side == side and each.on_table)
        return {
            **super().choices_for(state, actor),
            "rescuer": names_of(each for each in own if not each.commander),
        }

    def checks(self, state: State) -> Checks:
        combatant, rescuer = self.combatant(state), state.combatants[self.rescuer]
        yield rescuer.side != combatant.side or rescuer.commander, "no-rescuer"
        yield from super().checks(state)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return state.changed(self.fighter, colours_lost=False, order=DISORDERED, jubilant=0)


@kind("sector")
class SectorDamaged(TurnEvent, frozen=True, kw_only=True):
    """A building is hit or burns: a die of damage. Its hit points are not in the source and are
    typed once."""

    name: Place
    what: Annotated[str, choice_meta(words("damages")), field_meta("What happens")] = "hit"
    points: Annotated[
        HitPoints | None,
        field_meta("Its hit points", "Needed only once: they are not in the source."),
    ] = None
    dice: Annotated[Pool, field_meta("Damage")] = ()

    def sector(self, state: State) -> Sector:
        """It as it stands."""
        sector = state.sectors.get(self.name, Sector())
        return replace(sector, points=self.points) if sector.points is None else sector

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": int(self.what in ("hit", "burns"))}

    def checks(self, state: State) -> Checks:
        sector = self.sector(state)
        if self.what in ("hit", "burns"):
            settled(sector.points, f"The hit points of {self.name}", "points")
        yield self.what in ("burns", "out") and not sector.burning, "no-fire"
        yield sector.fallen, "fallen"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        sector = self.sector(state)
        left = None if sector.points is None else max(0, sector.points - sum(self.dice))
        burning = self.what == "fire" or (sector.burning and self.what != "out")
        after = Sector(left, burning, fallen=left == 0 and bool(self.dice))
        return replace(state, sectors={**state.sectors, self.name: after})

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        sector = step.after.sectors[self.name]
        if self.dice:
            yield (
                "It collapses: units inside must test."
                if sector.fallen
                else f"{sector.points} hit points are left."
            )


@kind("location")
class LocationTaken(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A side holds a location, with an unbroken unit near it and no enemy as near, as the players
    see it."""

    name: Place
    side: Annotated[SideKey, field_meta("Held by", "Blank: nobody.")] = ""
    by: Annotated[FighterId, field_meta("By which unit", HOLDS)] = ""

    def checks(self, state: State) -> Checks:
        combatant = state.combatants.get(self.by)
        holds = (
            combatant
            and combatant.on_table
            and not combatant.commander
            and combatant.side == self.side
            and combatant.order != BROKEN
        )
        yield combatant and not holds, "holds-no-location"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, locations={**state.locations, self.name: self.side})

    def sentence(self, names: CombatantNames) -> str:
        by = f" with {names[self.by]}" if self.by else ""
        return f"{names[self.side] if self.side else 'Nobody'} holds {self.name}{by}"


@kind("loss")
class Lost(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The losses and the end of a unit, as declared by the players: a whole result sheet."""

    fighter: Who
    figures: Annotated[
        int, field_meta("Casualties", "Figures, of a battery gunners.", ge=0, le=200)
    ] = 0
    order: Annotated[str, choice_meta({"": "Unchanged", **STATES}), field_meta("State")] = ""
    colours: Annotated[bool, field_meta("Its colours are lost")] = False
    guns: Annotated[int, field_meta("Guns lost", ge=0, le=12)] = 0
    gone: Annotated[
        str, choice_meta({"": "Still there", **GONE}), field_meta("What happened to it")
    ] = ""
    by: Annotated[FighterId, field_meta("By")] = ""
    unhorsed: Annotated[bool, field_meta("He was unhorsed", "A commander.")] = False

    def may_end(self, state: State, logged: LoggedEvent) -> Iterable[tuple[str, str]]:
        """Yield the unit if it is gone. Its earlier losses may be logged later."""
        return super().may_end(state, logged) if self.gone else ()

    def checks(self, state: State) -> Checks:
        combatant = state.combatants[self.fighter]
        yield combatant.commander and (self.order or self.colours), "commander-has-none"
        yield self.unhorsed and not combatant.commander, "no-commander-unhorsed"
        yield self.figures > combatant.figures, "not-so-many"
        yield self.guns > sum(combatant.guns.values()), "not-so-many-guns"
        yield self.by and state.combatants[self.by].side == combatant.side, "own-side"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        state = state.hurt(self.fighter, self.figures, self.by)
        state = state.colours_taken(self.fighter, self.by) if self.colours else state
        state = state.without_guns(self.fighter, self.guns, self.by)
        state = state.put(self.fighter, self.order, self.by) if self.order else state
        # Who breaks by the players' word has fled: nobody is asked to go on with that fight.
        state = state.out_of_combat(self.fighter) if self.order == BROKEN else state
        state = state.changed(self.fighter, unhorsed=True, pips=0) if self.unhorsed else state
        gone = self.gone and not state.combatants[self.fighter].gone
        return state.left(self.fighter, self.gone, self.by) if gone else state

    def sentence(self, names: CombatantNames) -> str:
        becomes = events.BECOMES.get(self.gone, "")
        parts = (
            (self.figures, f"took {events.casualties(self.figures)}"),
            (self.guns, f"lost {plural(self.guns, 'gun')}"),
            (self.colours, "lost its colours"),
            (self.order, f"is {STATES.get(self.order, '')}"),
            (self.unhorsed, "is unhorsed"),
            (self.gone, f"{'was' if self.gone in TAKEN else 'is'} {becomes}"),
        )
        lost = join_names([words for holds, words in parts if holds] or ["is unchanged"])
        by = f" (against {names[self.by]})" if self.by else ""
        return f"{names[self.fighter]} {lost}{by}"


@kind("ended")
class Ended(Event, OverrulableEvent[State], frozen=True, kw_only=True, omit_defaults=True):
    """The battle is over: its victory points count as they stand. Ruling N-W5."""

    reason: Annotated[Text, field_meta("Why", max_length=300)] = ""

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        # The turn that has just ended was the last one. Ruling N-W8.
        if not actor and phase == events.STEPS[-1] and state.turn_has_ended and state.over:
            yield cls.to_do("The last turn is over.")

    def apply(self, state: State, logged: LoggedEvent) -> State:
        return replace(state, ended=True, charges=(), combats=())

    def sentence(self, names: CombatantNames) -> str:
        return f"The battle is over{f': {self.reason}' if self.reason else ''}"


@kind("returns")
class Returned(FighterEvent, frozen=True, kw_only=True):
    """After the battle casualties return, each on its die; none to a unit without its colours. By
    house rule alone."""

    dice: Annotated[Pool, field_meta("Dice", "One for each casualty.")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        start, figures_left = state.whole(combatant)
        return state.settings.returns and start > figures_left

    def dice_wanted(self, state: State) -> Dice:
        start, figures = state.whole(self.combatant(state))
        yield {"dice": start - figures}

    def checks(self, state: State) -> Checks:
        combatant, rules = self.combatant(state), state.settings
        yield not (rules.returns and rules.casualties_carry_over), "no-returns"
        yield not state.ended, "not-over"
        yield combatant.colours_lost, "no-colours-no-returns"
        yield {*self.marks(state)} & {*state.done}, "already"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combatant, back = self.combatant(state), successes(self.dice, state.settings.returns_on)
        if group := state.group(combatant):
            # After the battle its skirmishers are back.
            state = state.rejoined(group)
        return state.changed(combatant.id, figures=state.combatants[combatant.id].figures + back)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{successes(self.dice, step.before.settings.returns_on)} of {len(self.dice)} return."
