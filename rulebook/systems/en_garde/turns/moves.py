"""Moves in the log. Rule book: "Move" to "Reduced movement", "Wavering", "Routing", "Terrifying",
"Ride-by attacks".

Their ground, doors, jumps, climbs and wagons: "Terrain", "Buildings", "Ships", "Wagons", "Jumping",
"Climbing", "Spells".
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from rulebook.at_table.sentences import all_of, dice_in, die_in, name_of
from rulebook.battle_log.kinds import (
    CombatantNames,
    Die,
    Few,
    FighterId,
    FighterIds,
    ReplayStep,
    Text,
    TwoDice,
    field_meta,
    kind,
)
from rulebook.systems.en_garde.book import broken, problem, violation
from rulebook.systems.en_garde.play.checking import (
    STEP,
    acts,
    named_twice,
    once_a_turn,
    out_of_action,
    side_of,
)
from rulebook.systems.en_garde.play.offers import enemies_of, meaningless, people
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase, with_contacts
from rulebook.systems.en_garde.table import moving
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.magic import halved
from rulebook.systems.en_garde.table.morale import Morale, needs_resolve, resolve_holds
from rulebook.systems.en_garde.table.rounds import needs_nerve
from rulebook.systems.en_garde.turns.alternation import activation_hurdle
from rulebook.systems.en_garde.turns.duels import duellists_alone
from rulebook.systems.en_garde.turns.fighters import (
    gun_move_violations,
    handlers_left,
    is_hound,
    present,
    served_by,
    unknown_gun,
)
from rulebook.systems.en_garde.turns.hazards import Leap
from rulebook.systems.en_garde.turns.phases import arrival_violations
from rulebook.systems.en_garde.turns.turn_event import (
    Activation,
    DieAgainstTerrifying,
    Inches,
    LargeDie,
    passes_nerve,
)
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices
from rulebook.values.problems import Problem, Violation
from rulebook.values.table import EventOutcome

WAGON = Combatant(id="wagon", name="The wagon", rank=0, rate=moving.WAGON_RATE)
NO_LEAP = ({"dexterity": 0, "fall_dice": 0, "die": 0},)
"""The dice of a move without a Dexterity Check."""
RIDE_ON = 9
"""Inches that a rider may ride on after a ride-by attack."""


GAITS: Mapping[moving.Gait, str] = {
    moving.Gait.NORMAL: "Normal",
    moving.Gait.SHORT: "Short",
    moving.Gait.RUN: "Run",
}
"""The labels of the gaits, in the order in which they are offered."""


@kind(
    "move",
    "Move",
    'Rule book: "Move"',
    phase="move",
    offered_to="fighter",
    offered_help="Tick every enemy in contact after the move. The fighter leaves all others.",
    asked_first=("gait", "inches", "contacts"),
)
class Moved(Activation, frozen=True, kw_only=True):
    """A fighter moves. ``contacts`` are the enemies that it touches afterwards; none leaves
    contact.

    ``inches`` are those walked; a jump comes on top of them, a climb goes up (inches each). A jump
    of more than 1 inch, a climb and a leap from deck to deck take ``dexterity`` dice; who fails
    falls ``falls`` inches, a climber as many as it has climbed, by ``fall_dice``. ``closes_up`` is
    the small move of who is Engaged to touch a friend, in the simplified procedure.
    """

    fighter: Annotated[FighterId, field_meta("Fighter")]
    gait: Annotated[moving.Gait, field_meta("Speed")] = moving.Gait.NORMAL
    terrain: Annotated[
        moving.Terrain, field_meta("Worst ground", "The worst ground on the way.")
    ] = moving.Terrain.OPEN
    inches: Annotated[Inches | None, field_meta("Inches")] = None
    contacts: Annotated[FighterIds, field_meta("In contact with")] = ()
    passes_enemy: Annotated[
        bool,
        field_meta("Passes within 1 inch of an enemy", "The fighter cannot run past an enemy."),
    ] = False
    place: Annotated[
        moving.Place, field_meta("Where", "For example the field, a building or a ship.")
    ] = moving.Place.FIELD
    extra_turns: Annotated[
        Few,
        field_meta(
            "Extra turns on the spot",
            "For ships, wagons and mounts, after the free one.",
        ),
    ] = 0
    doors: Annotated[
        Few, field_meta("Doors and windows opened or closed", "Each costs part of the move.")
    ] = 0
    locked: Annotated[bool, field_meta("One of them is locked")] = False
    jumps: Annotated[
        Inches,
        field_meta(
            "Inches jumped",
            "Added to the inches walked. More than 1 inch needs a Dexterity Check.",
        ),
    ] = 0
    climbs: Annotated[
        Inches,
        field_meta(
            "Inches climbed",
            "Needs a Dexterity Check. A fighter who fails falls the height climbed.",
        ),
    ] = 0
    leaps_aboard: Annotated[bool, field_meta("Leaps to a ship or boat")] = False
    falls: Annotated[Inches, field_meta("Inches to fall", "The height of a possible fall.")] = 0
    in_water: Annotated[
        bool, field_meta("Ends in the water", "A Stunned fighter there can drown.")
    ] = False
    undergrowth: Annotated[
        bool, field_meta("Through a spell's Undergrowth", "The spell slows the fighter.")
    ] = False
    enters_ground: Annotated[
        bool,
        field_meta(
            "Enters the duelling ground", "In a Duel, the first to do it loses victory points."
        ),
    ] = False
    in_wagon: Annotated[bool, field_meta("In a drawn wagon")] = False
    gun: Annotated[
        Text, field_meta("Moves a gun", "The gun that the fighter pushes.", max_length=60)
    ] = ""
    closes_up: Annotated[
        bool, field_meta("Engaged, closes up to a friend (simplified procedure)")
    ] = False
    handler_away: Annotated[
        bool,
        field_meta(
            "Hound more than 12 inches from its handler",
            "A hound more than 12 inches from its handler moves only on a 4 or more.",
        ),
    ] = False
    leash: Annotated[
        Die | None,
        field_meta(
            "Die of a hound without handler",
            "For a hound without a handler. It moves on 4 or more.",
        ),
    ] = None
    nerve: DieAgainstTerrifying = None
    dexterity: Annotated[
        TwoDice, field_meta("Dice of Dexterity", "Two dice, for a jump, a climb or a leap aboard.")
    ] = ()
    fall_dice: Annotated[
        TwoDice, field_meta("Dice of the fall", "Two dice, if the check failed.")
    ] = ()
    die: LargeDie = None
    words: Annotated[
        Text, field_meta("Description", "Anything else to record.", max_length=300)
    ] = ""

    @classmethod
    def choices_for(cls, state: PlayState, actor: str) -> Mapping[str, Choices]:
        """Return the gaits with the inches that each allows, and the enemies that it may touch."""
        mover = present(state, actor)
        heavy = any(state.table.of(actor).carries.values())
        gaits = []
        for gait, label in GAITS.items():
            inches = moving.reach(mover, gait, carries_heavy=heavy).inches
            gaits.append((gait.value, f"{label}, {inches:g}″"))
        return {"gait": tuple(gaits), "contacts": people(state, enemies_of(state, actor))}

    @classmethod
    def fields_left_out(cls, state: PlayState, actor: str) -> tuple[str, ...]:
        hound = is_hound(state, actor)
        guns = served_by(state, actor)
        duel = duellists_alone(state)
        return meaningless(handler_away=hound, leash=hound, gun=guns, enters_ground=duel)

    @classmethod
    def hurdle_for(cls, state: PlayState, actor: str) -> str:
        """Return why a fighter can hardly move; a short move may still go with what it has done."""
        on_table = state.table.of(actor)
        if on_table.has("may-step") or on_table.has("rides-on"):
            return ""
        return activation_hurdle(state, actor, "move", unless_engaged=False)

    @classmethod
    def outlasts_phase(cls, state: PlayState, actor: str) -> bool:
        """Return whether it is a rider who rides on after a ride-by attack."""
        return state.table.of(actor).has("rides-on")

    @property
    def activated(self) -> tuple[str, ...]:
        """Return the mover; closing up to a friend activates nobody."""
        return () if self.closes_up else (self.fighter,)

    @property
    def mover(self) -> str:
        return self.fighter

    @property
    def touching(self) -> tuple[str, ...]:
        return self.contacts

    def intruder(self, state: PlayState) -> str:
        return (
            self.fighter if self.enters_ground and state.table.of(self.fighter).has("moved") else ""
        )

    def turn_phase(self, state: PlayState) -> TurnPhase | None:
        """Return the Move Phase; riding on after a ride-by attack belongs to the Combat Phase."""
        return TurnPhase.COMBAT if rides_on(state, self.fighter) else TurnPhase.MOVE

    def input_errors(self, state: PlayState, logged: LoggedEvent) -> Iterable[Problem]:
        return contact_input_errors(state, self.fighter, self.contacts) if self.contacts else ()

    def misnamed(self, state: PlayState) -> Iterable[Problem]:
        wrong = super().misnamed(state)
        return (*wrong, *unknown_gun(self.gun)) if self.gun else wrong

    def dice_wanted(self, state: PlayState) -> Iterator[Mapping[str, int]]:
        """Yield the dice of resolve, leash and nerve, and of the leap of an obedient fighter."""
        yield {
            "resolve": int(move_needs_resolve(state, self)),
            "leash": int(unhandled(state, self)),
            "nerve": int(terrified(state, self)),
        }
        if obeys(state, self):
            leap = leap_of(state, self)
            yield from NO_LEAP if leap is None else leap.dice_wanted(state)

    def violations(self, state: PlayState, logged: LoggedEvent) -> tuple[Violation, ...]:
        if rides_on(state, self.fighter):
            return broken(
                (self.contacts, "rides-into-contact"),
                (self.passes_enemy, "rides-past-enemy"),
                ((self.inches or 0) > RIDE_ON, "rides-on-too-far"),
                most=RIDE_ON,
            )
        if self.closes_up:
            return _closing_up(state, self)
        on_table = state.table.of(self.fighter)
        # Who waits in reserve arrives by its move.
        able = arrival_violations if on_table.reserve else out_of_action
        # A short move goes with a spell, and with mounting or dismounting, before it.
        goes_with = self.gait is moving.Gait.SHORT and on_table.has("may-step")
        return (
            *able(state, self.fighter),
            *(() if goes_with else once_a_turn(state, self.fighter, "move")),
            *reach_violations(state, self),
            *_contact_violations(state, self),
            *_move_order_violations(state, self),
            *gun_move_violations(state, self.fighter, self.gun),
        )

    def apply(self, state: PlayState, logged: LoggedEvent) -> PlayState:
        """Return the state after the move; who does not obey stays, or runs if its warband is
        Routing.

        Who fails falls.

        Who wavers has not acted, and may do something else. The unconscious engage nobody.
        """
        if self.closes_up:
            return state.with_table(simplified=True)
        shaken = self.resolve is not None and not resolve_holds(
            present(state, self.fighter).rank, self.resolve
        )
        if shaken and state.table.morale_of(state.side_of(self.fighter)) is Morale.WAVERING:
            return state.with_fighter(self.fighter, "shied")
        obeyed = obeys(state, self)
        after = _acted(state, self, moved=obeyed)
        if obeyed:
            leap = leap_of(state, self)
            touches = self.contacts if leap is None or leap.succeeds(state) else ()
            standing = tuple([each for each in touches if state.somebody(each).standing])
            table = with_contacts(after.table, self.fighter, standing)
            after = after if table is after.table else replace(after, table=table)
            return after if leap is None else leap.apply(after, logged)
        return (
            replace(after, table=with_contacts(after.table, self.fighter, ())) if shaken else after
        )

    def outcome_of(self, step: ReplayStep[PlayState]) -> EventOutcome:
        sentence = f"{step.before.named(self.fighter)} does not follow the order."
        return EventOutcome(() if obeys(step.before, self) else (sentence,), (), (self.rule,))

    def sentence(self, names: CombatantNames) -> str:
        who = name_of(names, self.fighter)
        if self.closes_up:
            return f"{who} closes up to a friend"
        gait = {moving.Gait.SHORT: "makes a short move", moving.Gait.RUN: "runs"}.get(
            self.gait, "moves"
        )
        inches = f" {self.inches:g}″" if self.inches else ""
        remarks = (
            (f"jumps {self.jumps:g}″", self.jumps),
            (f"climbs {self.climbs:g}″", self.climbs),
            ("leaps aboard", self.leaps_aboard),
            ("enters the duelling ground", self.enters_ground),
            ("goes through the Undergrowth", self.undergrowth),
            ("ends in the water", self.in_water),
        )
        over = "".join(f", {words}" for words, applies in remarks if applies)
        contacts = f" into contact with {all_of(names, self.contacts)}" if self.contacts else ""
        words = f": {self.words}" if self.words else ""
        nerves = (die_in(die) for die in (self.resolve, self.leash, self.nerve))
        return (
            f"{who} {gait}{inches}{over}{contacts}{words}"
            f"{dice_in(*nerves, self.dexterity, self.fall_dice)}"
        )


# Does it do as it is told?


def move_needs_resolve(state: PlayState, event: Moved) -> bool:
    """Return whether a shaken warband makes it roll before it moves.

    Rule book: "Wavering", "Routing".
    """
    if event.fighter in state.civilians or event.closes_up:
        return False
    morale = state.table.morale_of(state.side_of(event.fighter))
    if morale is Morale.STEADY or (
        morale is Morale.ROUTING and state.table.of(event.fighter).has("resolved")
    ):
        return False
    closing = bool(newly_touched(state, event))
    engaged = state.table.engaged(event.fighter)
    return needs_resolve(
        present(state, event.fighter), morale, into_contact=closing, engaged=engaged
    )


def unhandled(state: PlayState, event: Moved) -> bool:
    """Return whether a hound moves without a handler near it, because he is away or nobody is left.

    Rule book: "Warhound".
    """
    if (
        event.fighter not in state.combatants
        or event.closes_up
        or not is_hound(state, event.fighter)
    ):
        return False
    return event.handler_away or not handlers_left(state, state.side_of(event.fighter))


def newly_touched(state: PlayState, event: Moved) -> tuple[str, ...]:
    """Return the enemies that it contacts by this move."""
    if not event.contacts:
        return ()
    before = state.table.of(event.fighter).contacts
    return (
        tuple([other for other in event.contacts if other not in before])
        if before
        else event.contacts
    )


def terrified(state: PlayState, event: Moved) -> bool:
    """Return whether somebody Terrifying is among those that it wants to engage.

    Rule book: "Terrifying".
    """
    if not event.contacts:
        return False
    return any(
        needs_nerve(present(state, each)) == "terrifying" for each in newly_touched(state, event)
    )


def obeys(state: PlayState, event: Moved) -> bool:
    """Return whether it obeys, by the dice that were asked for."""
    steady = event.resolve is None or resolve_holds(
        present(state, event.fighter).rank, event.resolve
    )
    called = event.leash is None or event.leash >= moving.HOUND_OBEYS
    return (
        called
        and steady
        and (event.nerve is None or passes_nerve(state, event.fighter, event.nerve))
    )


# What forbids it.


def rides_on(state: PlayState, fighter: str) -> bool:
    """Return whether a rider leaves its ride-by attack by this move, the round being over.

    Rule book: "Ride-by attacks".
    """
    if "rides-on" not in state.table.of(fighter).done:
        return False
    fight = state.table.fight
    able = present(state, fighter).mounted and not out_of_action(state, fighter)
    return able and (fight is None or fight.over)


def _closing_up(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    """Return what forbids a small move towards a friend. It neither leaves nor reaches an enemy,
    and the fighter has not acted yet."""
    on_table = state.table.of(event.fighter)
    keeps_contacts = set(event.contacts) == set(on_table.contacts)
    violations = broken(
        (not on_table.contacts, "not-engaged"), (not keeps_contacts, "keeps-contact")
    )
    return (*out_of_action(state, event.fighter), *once_a_turn(state, event.fighter), *violations)


def reach_violations(state: PlayState, event: Moved) -> tuple[Violation, ...]:
    """Return everything on the way that forbids the move, and whether it goes too far.

    Doors and turns are taken off.
    """
    table, mover = state.table, present(state, event.fighter)
    growing = 0 < table.turn <= table.undergrowth_until
    violations = broken(
        (event.undergrowth and not growing, "no-undergrowth"), (event.locked, "locked")
    )
    leaps = moving.leap_violations(mover, event.gait, jumps=event.jumps, climbs=event.climbs)
    carries_heavy = any(table.of(event.fighter).carries.values()) and not event.in_wagon
    way = moving.reach(
        WAGON if event.in_wagon else mover,
        event.gait,
        moving.ground(event.terrain, event.place, undergrowth=event.undergrowth),
        carries_heavy=carries_heavy,
        extra_turns=event.extra_turns,
        passes_enemy=event.passes_enemy,
    )
    # Who is transfixed goes half as far; doors are taken off what is left of that.
    slowed = table.of(event.fighter).has("transfixed")
    most = max(0, (halved(way.inches) if slowed else way.inches) - moving.DOOR_COST * event.doors)
    if (event.inches or 0) + event.climbs <= most:
        return (*violations, *leaps, *way.violations)
    return (
        *violations,
        *leaps,
        *way.violations,
        violation("moves-too-far", name=mover.name, most=most),
    )


def _contact_violations(state: PlayState, event: Moved) -> Iterator[Violation]:
    """Yield what forbids the contacts: they are made at a walk and left by a step; the wavering do
    not close in."""
    on_table = state.table.of(event.fighter)
    if event.gait is moving.Gait.RUN and event.contacts:
        yield violation("runs-into-contact")
    if set(on_table.contacts) - set(event.contacts) and event.gait is not moving.Gait.SHORT:
        yield violation("leaves-too-far")
    if on_table.has("shied") and newly_touched(state, event):
        yield violation("mover-wavered", name=state.named(event.fighter))


def _move_order_violations(state: PlayState, event: Moved) -> Iterator[Violation]:
    """Yield what a Move order forbids: all may run if none of them comes near an enemy; if one
    does, nobody runs."""
    group = state.table.of(event.fighter).order_group
    others = [state.table.of(each) for each in group if each != event.fighter]
    nears = event.passes_enemy or newly_touched(state, event)
    runs = event.gait is moving.Gait.RUN
    yield from broken(
        (runs and any(each.has("neared") for each in others), "ordered-near"),
        (nears and any(each.has("ran") for each in others), "ordered-run"),
    )


# What it does.


def leap_of(state: PlayState, event: Moved) -> Leap | None:
    """Return its jump, climb or leap aboard: who fails falls, a climber at least as far as it has
    climbed.

    None without any that takes a check.
    """
    jumps = event.jumps
    climbs = event.climbs
    leaps_aboard = event.leaps_aboard
    if not (jumps or climbs or leaps_aboard):
        return None
    mover = present(state, event.fighter)
    if not moving.takes_check(mover, jumps=jumps, climbs=climbs, leaps_aboard=leaps_aboard):
        return None
    return Leap(
        fighter=event.fighter,
        field="dexterity",
        dice=event.dexterity,
        fall_dice=event.fall_dice,
        die=event.die,
        falls=True,
        inches=max(event.falls, event.climbs),
    )


def _acted(state: PlayState, event: Moved, *, moved: bool) -> PlayState:
    """Return the state after a move, with what the table keeps of it."""
    on_table = state.table.of(event.fighter)
    marks: list[str] = []
    if event.gait is moving.Gait.SHORT:
        marks.append("short")
        if not on_table.has("acted"):
            marks.append("stepped")
    if moved:
        marks.append("moved")
        if event.gait is moving.Gait.RUN:
            marks.append("ran")
        if event.passes_enemy or newly_touched(state, event):
            marks.append("neared")
    return acts(
        state,
        event.fighter,
        *marks,
        undone=(*STEP, "short", "rides-on"),
        reserve=on_table.reserve and not moved,
        in_water=event.in_water if moved else on_table.in_water,
    )


def contact_input_errors(
    state: PlayState, fighter: str, contacts: tuple[str, ...]
) -> Iterator[Problem]:
    """Yield the problems of contacts who are not enemies on the table, or named twice."""
    yield from named_twice("contacts", contacts)
    own = side_of(state, fighter)
    for other in contacts:
        opponent = state.somebody(other)
        if opponent.side == own:
            who = "the fighter itself" if other == fighter else state.named(other)
            yield problem("touches-own-side", fighters=(other,), value=other, who=who)
        elif not opponent.on_table:
            yield problem(
                "touches-nobody",
                fighters=(other,),
                value=other,
                name=state.named(other),
                why_out=opponent.why_out,
            )
