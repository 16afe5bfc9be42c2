"""The kinds of fire, of small arms and guns, and of the tests that follow from it."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, Names, ReplayStep, one_of, titled
from rulebook.calculators.wording import reasoned
from rulebook.dice.cup import Cup
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import artillery, shooting
from rulebook.systems.avant_garde.book import Inches, book, figures, words
from rulebook.systems.avant_garde.events import (
    RIDES,
    STEPS,
    Checks,
    Dice,
    FighterEvent,
    Pool,
    Tested,
    in_field,
    kind,
    names_of,
)
from rulebook.systems.avant_garde.fighters import CALIBRES, easier_need, four_dice
from rulebook.systems.avant_garde.morale import BROKEN, Nerve
from rulebook.systems.avant_garde.state import Combatant, Fall, State, inches_told
from rulebook.values.answers import ReasonedSum, ReasonLine, counting
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field
from rulebook.values.table import Action

BATTALION = 'Slide 5: "Battalion/Regiment Command"'
Covered = Annotated[str, one_of(words("cover")), titled("Cover")]
Front = Annotated[int, titled("Figures in front", "In reach and arc; 0: as told before.", ge=0, le=120)]
Shots = Annotated[Pool, titled("Dice to hit")]
Kills = Annotated[Pool, titled("Dice to kill", "One for each hit.")]
Location = Annotated[Pool, titled("Crew or gun", "A die for each hit on deployed guns; 6: the gun.")]
Target = Annotated[FighterId, titled("At whom")]
Enfilade = Annotated[bool, titled("From the flank or rear")]
Interrupts = Annotated[bool, titled("In the enemy’s movement")]
Range = Annotated[Inches, titled("Range")]
GUNS_OF = {"": "As it has", **{key: book().calibre[key].name for key in CALIBRES}}
WHY = words("panic")
FIRE_STEPS = ("fire-1", "fire-2")
ARTILLERY, SMALL_ARMS = "artillery", "small-arms"
MISSED = "missed"
"""The key of the action by which a round strikes nobody, logged as it stands."""


def firing_rank(one: Combatant, front: int) -> int:
    """The figures that may fire: as told, as told before, or of skirmishers all."""
    return min(front or one.front or one.fighting * one.skirmishing, one.fighting)


def with_front(field: Field, unit: Combatant | None) -> Field:
    """Return a field of the figures in front with as many as were told last; where none were it is required."""
    if unit is None or unit.battery:
        return field
    if in_front := firing_rank(unit, 0):
        return replace(field, default=str(in_front))
    return replace(field, required=True, least=1, help="Needed: how many are in reach and arc.")


def deployed(one: Combatant) -> bool:
    """Is it a battery whose guns stand unlimbered?"""
    return one.battery and one.formation == "unlimbered"


def untargetable(one: Combatant, other: Combatant) -> bool:
    """Is somebody no target: a commander, or a friend?"""
    return other.commander or other.side == one.side


def fire_order(state: State, step: str) -> tuple[str, str]:
    """Return the sides in the order in which they fire: in Fire 1 side A first, in Fire 2 side B. Ruling N-T4."""
    side_a, side_b = state.first, state.other(state.first)
    return (side_a, side_b) if step == "fire-1" else (side_b, side_a)


def fire_mark(weapons: str, step: str, side: str) -> str:
    """Return what is kept among the things done in this turn once a side has fired these weapons in a step."""
    return f"{weapons} {step} {side}"


def have_fired(state: State, weapons: str, step: str) -> tuple[str, ...]:
    """Return the sides that have fired these weapons in a step of this turn."""
    return tuple(side for side in state.sides if fire_mark(weapons, step, side) in state.done)


def fires_too_late(state: State, weapons: str, step: str, side: str) -> bool:
    """Return whether the side that comes second has fired these weapons already, so that the first is done."""
    first, second = fire_order(state, step)
    return step in FIRE_STEPS and side == first and second in have_fired(state, weapons, step)


def artillery_open(state: State) -> bool:
    """Return whether shots of guns are yet to be placed, or casualties to be tested for."""
    return any(key in ("struck", "test") for _, key in state.still_open())


def needed(need: int, lines: tuple[ReasonLine, ...]) -> ReasonedSum:
    """What each die has to show, with what lowers and raises it."""
    base = need + sum(each.amount for each in lines)
    turned = (replace(each, amount=-each.amount) for each in lines)
    return reasoned(f"A die hits on {need} or more", ReasonLine(base, "to hit", 'Slide 10: "Shooting"'), *turned)


@kind("fire")
class Fired(Tested, frozen=True, kw_only=True):
    """Small arms fire. Skirmishers and units on reaction interrupt the enemy's movement, if they pass a test."""

    target: Target
    inches: Range = 4
    front: Front = 0
    manner: Annotated[str, one_of(shooting.MANNERS), titled("How")] = "half"
    cover: Covered = "none"
    enfilade: Enfilade = False
    interrupts: Interrupts = False
    tapped: Annotated[bool, titled("Rifles loaded fast")] = False
    shots: Shots = ()
    location: Location = ()
    kills: Kills = ()

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        unit = state.combatants[actor]
        able = bool(unit.fighter.weapon) and not unit.formed.square
        return able and not fires_too_late(state, SMALL_ARMS, STEPS[state.step], unit.side)

    @classmethod
    def prefilled(cls, state: State, unit: Combatant, field: Field) -> Field:
        field = super().prefilled(state, unit, field)
        return with_front(field, unit) if field.key == "front" else field

    def marks(self, state: State) -> tuple[str, ...]:
        mark = fire_mark(SMALL_ARMS, self.now(state), self.one(state).side)
        fires = self.in_turn(state) and mark not in state.done
        return (*super().marks(state), mark) if fires else super().marks(state)

    def in_turn(self, state: State) -> bool:
        """Return whether it is fire of a fire phase, whose order is fixed, and not in the enemy's movement."""
        return not self.interrupts and self.now(state) in FIRE_STEPS

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        unit = state.combatants[actor]
        volleys = unit.ready and unit.formed.volleys and not unit.low and "moved" not in unit.did
        able: tuple[str, ...] = ("half", "volley") if volleys else ("half",)
        if unit.skirmishing:
            able = ()  # They fire with all figures, and have nothing to choose.
        manners = tuple((key, shooting.MANNERS[key]) for key in able)
        return {**super().choices_for(state, actor), "manner": manners}

    def test(self, state: State) -> Nerve | None:
        return self.usual(state) if self.interrupts else None

    @classmethod
    def may_interrupt(cls, one: Combatant) -> bool:
        # Skirmishers on foot need no token. Slides 2 and 26.
        return super().may_interrupt(one) or (one.skirmishing and not one.cavalry)

    def fire(self, state: State) -> shooting.Fire:
        """The fire as the rules see it."""
        one, other, rules = self.one(state), state.combatants[self.target], state.settings
        nation = state.nations[one.side]
        return shooting.Fire(
            weapon=one.fighter.weapon or "musket",
            figures=firing_rank(one, self.front),
            skill=state.grade(one).skill,
            national=easier_need(one.fighter, nation, one.formation, rules),
            inches=self.inches,
            manner="all" if one.skirmishing and self.manner == "half" else self.manner,
            cover=self.cover,
            disordered=one.disordered,
            charging=any((each.fighter, each.target) == (other.id, one.id) for each in state.charges),
            four_dice=four_dice(one.fighter, nation, rules) and not one.skirmishing,
            mounted=one.cavalry,
            skirmishers=other.skirmishing,
            deployed_guns=deployed(other),
            tapped=self.tapped,
            musket_long=rules.musket_long,
        )

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        fire = self.fire(state)
        yield {"shots": shooting.fire_dice(fire) * self.passed(state)}
        hits = successes(self.shots, shooting.fire_need(fire))
        yield {"location": hits * fire.deployed_guns}
        yield {"kills": hits - sum(map(artillery.strikes_gun, self.location))}

    def checks(self, state: State) -> Checks:
        one, other, volley = self.one(state), state.combatants[self.target], self.manner == "volley"
        now, in_turn = self.now(state), self.in_turn(state)
        beyond = self.inches > shooting.reach(self.fire(state))
        yield not one.fighter.weapon, "no-firearm"
        yield not firing_rank(one, self.front), "front-unknown"
        yield untargetable(one, other), "no-target"
        yield from super().checks(state)
        yield self.interrupts and not one.reacting and (one.cavalry or not one.skirmishing), "no-reaction"
        yield beyond, "beyond-its-reach"
        yield not beyond and shooting.holds_fire(self.fire(state)), "holds-fire"
        yield volley and not one.ready, "not-in-good-order"
        yield volley and not one.formed.volleys, "no-volley-formation"
        yield volley and "moved" in one.did, "no-volley"
        yield volley and one.low, "low-on-ammunition"
        yield self.manner == "quarter" or one.formed.square, "square-fires-at-charges"
        # The artillery's fire has taken effect before the first shot of small arms; those of a side act at once.
        opens = in_turn and not have_fired(state, SMALL_ARMS, now)
        yield opens and artillery_open(state), "artillery-first"
        yield in_turn and fires_too_late(state, SMALL_ARMS, now, one.side), "fires-too-late"
        yield in_turn and f"tested {now} {other.id}" in state.done, "target-tested"
        yield self.manner == "all" and not one.skirmishing, "no-skirmishers"
        yield self.enfilade and (other.skirmishing or other.formed.square), "no-enfilade"

    def told_of(self, state: State) -> Mapping[str, str]:
        return {**super().told_of(state), "reach": str(shooting.reach(self.fire(state)))}

    def follows(self, state: State, *, passed: bool) -> State:
        one = self.one(state)
        low = one.low or (self.manner == "volley" and shooting.runs_low(self.shots))
        reacting, front = one.reacting and not self.interrupts, self.front or one.front
        state = state.changed(one.id, reacting=reacting, front=front, low=low)
        if not passed:
            return state
        killed = successes(self.kills, figures("shooting")["kills_on"])
        state = state.changed(one.id, loaded=False).did(one.id, "fired")
        return state.hurt(self.target, killed, one.id, fire=True, enfilade=self.enfilade)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        fire = self.fire(step.before)
        yield needed(shooting.fire_need(fire), shooting.fire_lines(fire))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if not self.passed(step.before):
            return
        yield f"{len(self.kills) or 'No'} {'hit' if len(self.kills) == 1 else 'hits'} of {len(self.shots)}."


@kind("guns")
class GunsFired(Tested, frozen=True, kw_only=True):
    """Guns of one calibre fire: canister kills at once, balls and stray shells are read from the table afterwards.

    On reaction they test first, as any unit does: if they fail, they lose the token and keep their pip. Slide 5.
    """

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"dice": ("", "")}

    target: Target
    inches: Range = 12
    round: Annotated[str, one_of(artillery.ROUNDS), titled("Round")] = "ball"
    calibre: Annotated[str, one_of(GUNS_OF), titled("Guns of")] = ""
    guns: Annotated[int, titled("How many", "0: all of them.", ge=0, le=12)] = 0
    cover: Covered = "none"
    enfilade: Enfilade = False
    interrupts: Interrupts = False
    screen: Annotated[bool, titled("Through skirmishers")] = False
    screened_by: Annotated[FighterId, titled("Through which skirmishers", "Canister strikes one of them first.")] = ""
    shots: Shots = ()
    location: Location = ()
    bursts: Annotated[Pool, titled("Shells that hit", "2 or more: it bursts there.")] = ()
    inside: Annotated[Pool, titled("Dice to hit of shells")] = ()
    kills: Kills = ()
    scatter: Annotated[Pool, titled("Near misses", "Direction and inches of each: D3 at short range, D6 at long.")] = ()
    lengths: Annotated[Pool, titled("Inches of balls", "How far each one bounces.")] = ()

    @classmethod
    def next_for(cls, state: State, fighter: Combatant | None) -> int | None:
        """Return the next step in which it fires: horse artillery in its own side's cavalry step too. Slide 19."""
        if fighter is None:
            return cls.next_step(state)
        if not fighter.fighter.horse:
            return cls.next_step(state, without=RIDES)
        others = [step for step in RIDES if not replace(state, step=STEPS.index(step)).acts(fighter.side)]
        # Guns that come too late for Fire 2 have the cavalry phase before them.
        late = [STEPS[state.step]] if STEPS[state.step] == "fire-2" and cls.fire_is_over(state, fighter.side) else []
        return cls.next_step(state, without=(*others, *late))

    @staticmethod
    def fire_is_over(state: State, side: str) -> bool:
        """Return whether the guns of a side come too late in the step that play has come to."""
        step = STEPS[state.step]
        return bool(have_fired(state, SMALL_ARMS, step)) or fires_too_late(state, ARTILLERY, step, side)

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        unit = state.combatants[actor]
        over = cls.next_for(state, unit) == state.step and cls.fire_is_over(state, unit.side)
        return deployed(unit) and not over

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the calibres that it has, and the enemy's skirmishers through whom it may fire."""
        unit = state.combatants[actor]
        screen = (each for each in in_field(state) if each.side != unit.side and each.skirmishing)
        return {
            **super().choices_for(state, actor),
            "screened_by": names_of(each for each in screen if not each.commander),
            "calibre": tuple((key, name) for key, name in GUNS_OF.items() if key in ("", *unit.guns)),
        }

    def shot(self, state: State) -> artillery.Shot:
        """The shot as the rules see it."""
        one, other = self.one(state), state.combatants[self.target]
        calibre, nation = self.calibre or next(iter(one.guns), "light"), state.nations[one.side]
        most = max(1, one.guns.get(calibre, 0))
        return artillery.Shot(
            calibre=calibre,
            round=self.round,
            inches=self.inches,
            guns=min(self.guns or most, most),
            skill=state.grade(one).skill,
            national=easier_need(one.fighter, nation, one.formation, state.settings),
            moved=bool({"moved", "formed"} & {*one.did}),
            british=nation == "britain",
            cover=self.cover,
            skirmishers=other.skirmishing,
            deployed_guns=deployed(other),
            screen=self.screened,
        )

    def aimed(self, state: State) -> str:
        """Return the mark of its battery, the step and the target: more guns at the same target take no pip more."""
        return f"guns {self.fighter} {self.now(state)} {self.target}"

    def in_turn(self, state: State) -> bool:
        """Return whether it is fire of a fire phase, whose order is fixed."""
        return not self.interrupts and self.now(state) in FIRE_STEPS

    def marks(self, state: State) -> tuple[str, ...]:
        if not self.passed(state):
            return ()
        marks = [self.aimed(state)]
        if self.in_turn(state):
            marks.append(fire_mark(ARTILLERY, self.now(state), self.one(state).side))
        return tuple(each for each in marks if each not in state.done)

    def ordered(self, state: State) -> str:
        return "fire" if self.passed(state) and self.aimed(state) not in state.done else ""

    def test(self, state: State) -> Nerve | None:
        return self.usual(state) if self.interrupts else None

    def landed(self, state: State, how: str) -> int:
        """How many rounds land "hit" or "near"."""
        return sum(artillery.landing(self.shot(state), die) == how for die in self.shots)

    def told_of(self, state: State) -> Mapping[str, str]:
        shot = self.shot(state)
        reach = artillery.reach_in_words(shot)
        return {**super().told_of(state), "faces": str(artillery.scatter_faces(shot)), "reach": reach}

    def dice_wanted(self, state: State) -> Dice:
        shot, shell, ball = self.shot(state), self.round == "shell", self.round == "ball"
        yield from super().dice_wanted(state)
        shots = artillery.canister_dice(shot) if self.round == "canister" else shot.guns
        yield {"shots": shots * self.passed(state)}
        hits, near, guns = self.landed(state, "hit"), self.landed(state, "near"), shot.deployed_guns and not shell
        yield {"location": hits * guns, "bursts": hits * shell}
        yield {"inside": artillery.shell_dice("centre") * sum(map(artillery.shell_explodes, self.bursts))}
        kills = successes(self.inside, figures("artillery")["hits_on"])
        crew = len(self.location) if ball else hits - sum(map(artillery.strikes_gun, self.location))
        yield {"kills": kills if shell else crew * (guns or not ball)}
        yield {"scatter": 2 * near, "lengths": (near + hits * (not guns)) * ball}

    def pool_of(self, field: str, number: int, state: State, cup: Cup) -> tuple[int, ...]:
        """Throw a pool: a near miss has a die of direction, then one of inches of three or six faces. Ruling N-A9."""
        if field != "scatter":
            return super().pool_of(field, number, state, cup)
        short = artillery.scatter_faces(self.shot(state)) == figures("artillery")["miss_die_short"]
        pairs = ((cup.one(), cup.d3() if short else cup.one()) for _ in range(number // 2))
        return tuple(die for pair in pairs for die in pair)

    @property
    def screened(self) -> bool:
        """Return whether skirmishers stand before the target."""
        return self.screen or bool(self.screened_by)

    def screen_losses(self) -> int:
        """Return how many skirmishers fall in the target's place: the first casualty of canister. Slide 20."""
        kills = any(die >= figures("artillery")[f"{self.round}_kills_on"] for die in self.kills)
        return int(self.screened and self.round == "canister" and kills)

    def losses(self) -> tuple[int, int]:
        """Figures and guns that the target loses at once."""
        dead = [die >= figures("artillery")[f"{self.round}_kills_on"] for die in self.kills]
        if self.round != "ball":
            return sum(dead) - self.screen_losses(), 0
        guns = sum(map(artillery.strikes_gun, (die for die, kills in zip(self.location, dead, strict=True) if kills)))
        return sum(dead) - guns, guns

    def falling(self, state: State) -> tuple[Fall, ...]:
        """Return the rounds that come down somewhere on the table, in the order of the dice that shot them."""
        if self.round == "canister":
            return ()
        shot, ball, found = self.shot(state), self.round == "ball", list[Fall]()
        near, bursts, runs = iter(self.scatter), iter(self.bursts), iter(self.lengths)
        for how in (artillery.landing(shot, die) for die in self.shots):
            fall = Fall(self.round, 0, 0, self.target)
            if how == "near":
                fall = replace(fall, near=artillery.SCATTER[next(near)], inches=next(near))
            elif how == "miss" or (shot.deployed_guns if ball else artillery.shell_explodes(next(bursts))):
                continue
            found.append(replace(fall, run=next(runs)) if ball else fall)
        return tuple(replace(each, number=place, of=len(found)) for place, each in enumerate(found, 1))

    def checks(self, state: State) -> Checks:
        one = self.one(state)
        began = any(each.startswith(f"guns {self.fighter} {self.now(state)} ") for each in state.done)
        yield (self.calibre or next(iter(one.guns), "")) not in one.guns, "no-such-guns"
        yield untargetable(one, state.combatants[self.target]), "no-target"
        screen = state.combatants.get(self.screened_by)
        yield screen and (screen.side == one.side or not screen.skirmishing), "no-such-screen"
        yield from super().checks(state)
        yield not one.loaded and not began, "not-loaded"
        yield one.formation != "unlimbered", "limbered"
        yield one.disordered or one.order == BROKEN, "silenced"
        yield self.interrupts and not one.reacting, "no-reaction"
        yield {"moved", "formed"} <= {*one.did}, "two-of-three"
        yield not artillery.in_reach(self.shot(state)), "out-of-reach"
        yield any(die > artillery.scatter_faces(self.shot(state)) for die in self.scatter[1::2]), "no-such-scatter"
        now, in_turn = self.now(state), self.in_turn(state)
        yield in_turn and have_fired(state, SMALL_ARMS, now), "guns-fire-first"
        yield in_turn and fires_too_late(state, ARTILLERY, now, one.side), "fires-too-late"

    def follows(self, state: State, *, passed: bool) -> State:
        if not passed:
            return state.changed(self.fighter, reacting=False)
        one, (lost, guns) = self.one(state), self.losses()
        falls = (*one.falls, *self.falling(state))
        state = state.changed(one.id, loaded=False, reacting=False, falls=falls).did(one.id, "fired")
        state = state.hurt(self.target, lost, one.id, fire=True, enfilade=self.enfilade)
        if self.screened_by:
            state = state.hurt(self.screened_by, self.screen_losses(), one.id, fire=True)
        return state.without_guns(self.target, guns, one.id)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        yield needed(artillery.shot_need(self.shot(step.before)), artillery.shot_lines(self.shot(step.before)))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if not self.passed(step.before):
            return
        hits, guns = self.landed(step.before, "hit"), self.losses()[1]
        lost = f", {guns} {'gun is' if guns == 1 else 'guns are'} lost" if guns else ""
        yield f"{hits or 'None'} of {len(self.shots)} hit{lost}."
        for fall in self.falling(step.before):
            yield f"{fall.name.capitalize()} {fall.path}."


@kind("struck")
class Struck(FighterEvent, frozen=True, kw_only=True):
    """What a ball or a stray shell strikes, as it lies on the table. Without a ``target`` it strikes nobody.

    A commander under it throws a die, whether he is hit at all. Ruling N-A11.
    """

    fighter: Annotated[FighterId, titled("Whose guns")]
    target: Annotated[FighterId, titled("Who is under it", "Leave blank for nobody.")] = ""
    figures: Annotated[int, titled("Figures under a ball", "0: it goes by.", ge=0, le=60)] = 0
    under: Annotated[str, one_of(artillery.UNDER_TEMPLATE), titled("Under the template of a shell")] = "none"
    further: Annotated[bool, titled("It strikes others as well", "Muster asks for them next.")] = False
    look_out: Annotated[Pool, titled("Is the commander hit?", "On a 1.")] = ()
    shots: Shots = ()
    kills: Kills = ()

    @classmethod
    def offers(cls, state: State, actor: str) -> Iterator[Action]:
        """Yield the action, and the one by which the round strikes nobody."""
        for offered in super().offers(state, actor):
            yield offered
            yield replace(offered, key=MISSED, label="Nobody is struck", fields=())

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        fall = state.combatants[actor].falls[0]
        return replace(super().offer(state, actor), help=f"{fall.name.capitalize()} {fall.path}.")

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**super().choices_for(state, actor), "target": names_of(in_field(state))}

    @classmethod
    def prefilled(cls, state: State, unit: Combatant, field: Field) -> Field:
        """Return a field with the unit at which the round was aimed."""
        aimed_at = unit.falls[0].target
        is_aimed = field.key == "target" and aimed_at in dict(field.choices)
        return replace(field, default=aimed_at) if is_aimed else super().prefilled(state, unit, field)

    def fall(self, state: State) -> Fall:
        """Return the round that has come down, any where there is none."""
        return next(iter(self.one(state).falls), Fall("ball", 1, 1, ""))

    def shell(self, state: State) -> bool:
        """Is it a shell that has come down?"""
        return self.fall(state).round == "shell"

    def reached(self, state: State) -> int:
        """Return the figures that a ball reaches: one of a crew, and a commander who was not warned."""
        other = state.combatants[self.target]
        if other.commander:
            return int(self.look_out == (figures("command")["look_out_on"],))
        return min(self.figures, 1) if other.battery else self.figures

    def dice_wanted(self, state: State) -> Dice:
        if not self.target:
            yield {"look_out": 0, "shots": 0, "kills": 0}
            return
        shell, commander = self.shell(state), state.combatants[self.target].commander
        yield {"look_out": int(commander)}
        aimed = artillery.shell_dice(self.under) * shell
        yield {"shots": aimed * (not commander)}
        hits = successes(self.shots, figures("artillery")["hits_on"])
        yield {"kills": hits if shell and not commander else self.reached(state)}

    def killed(self, *, shell: bool) -> int:
        """Return how many figures fall."""
        return successes(self.kills, figures("artillery")["shell_kills_on" if shell else "ball_kills_on"])

    def apply(self, state: State, logged: LoggedEvent) -> State:
        killed = self.killed(shell=self.shell(state))
        if not self.further:
            state = state.changed(self.fighter, falls=self.one(state).falls[1:])
        if not self.target:
            return state
        if state.combatants[self.target].commander:
            return state.left(self.target, "killed", self.fighter) if killed else state
        return state.hurt(self.target, killed, self.fighter, fire=True)

    def sentence(self, names: Names) -> str:
        round_of = f"A round of {names[self.fighter]}"
        if self.look_out:
            return f"{round_of} comes down at {names[self.target]}"
        if not self.target or not (self.kills or self.shots):
            return f"{round_of} strikes nobody"
        if not self.killed(shell=bool(self.shots)):
            return f"{round_of} comes near {names[self.target]}: nobody falls"
        return f"{names[self.target]} is struck by {names[self.fighter]}"

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        fall = self.fall(step.before)
        yield f"{fall.name.capitalize()} {fall.path}."
        if self.look_out:
            yield "He is hit." if self.reached(step.before) else "He is warned in time."


@kind("test")
class CasualtyTested(Tested, frozen=True, kw_only=True):
    """A unit that has lost enough to fire in one phase tests, or panics; chargers halt. Rulings N-M1, N-M9."""

    sheltered: Annotated[bool, titled("In a building", "It does not break there.")] = False
    commander: Annotated[Pool, titled("Its own commander", "A 1: he falls.")] = ()

    def test(self, state: State) -> Nerve:
        one, falls = self.one(state), self.commander == (figures("command")["commander_falls_on"],)
        fallen = ReasonLine(figures("command")["commander_fallen"] * falls, "its commander has fallen", BATTALION)
        nerve = state.under_fire(one, replace(self.usual(state), enfilade=one.enfiladed)).tested(one.shot)
        return nerve.with_lines(*counting(fallen))

    def marks(self, state: State) -> tuple[str, ...]:
        """Once small arms have fired, a unit tests for all of them at once: none fires at it after that."""
        now = self.now(state)
        mark = f"tested {now} {self.fighter}"
        last = now in FIRE_STEPS and have_fired(state, SMALL_ARMS, now) and mark not in state.done
        return (*super().marks(state), mark) if last else super().marks(state)

    def dice_wanted(self, state: State) -> Dice:
        one = self.one(state)
        stands = one.lost // one.fighter.stand - (one.lost - one.shot) // one.fighter.stand
        yield {"commander": int(state.settings.battalion_commanders and stands > 0)}
        yield from super().dice_wanted(state)

    def follows(self, state: State, *, passed: bool) -> State:
        stands = passed or (self.sheltered and self.one(state).disordered)
        state = state.changed(self.fighter, shot=0, enfiladed=False)
        return state if stands else state.halted(self.fighter).lowered(self.fighter)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if len(step.after.charges) < len(step.before.charges) and step.after.combatants[self.fighter].order != BROKEN:
            yield f"It halts {inches_told(figures('charge')['halts_at'])} from its target."


@kind("panic")
class PanicTested(Tested, frozen=True, kw_only=True):
    """A unit tests for disorder or panic for another reason than its casualties."""

    why: Annotated[str, one_of(WHY), titled("Why")] = "break"
    modifier: Annotated[int, titled("Modifier", ge=-12, le=12)] = 0

    def test(self, state: State) -> Nerve:
        line = ReasonLine(self.modifier, WHY[self.why].lower(), self.rule)
        return self.usual(state).with_lines(*counting(line))

    def marks(self, state: State) -> tuple[str, ...]:
        # A unit tests once in a step for friends who have broken. Slide 28.
        return (f"panic {self.fighter} {self.now(state)}",) if self.why == "break" else ()

    def checks(self, state: State) -> Checks:
        yield from super().checks(state)
        yield self.why == "burst" and self.one(state).formed.square, "square-not-burst"

    def follows(self, state: State, *, passed: bool) -> State:
        if passed:
            return state
        state = state.did(self.fighter, "burst") if self.why == "burst" else state
        return state.halted(self.fighter).lowered(self.fighter)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.why == "burst" and not self.passed(step.before):
            yield "It does not fire in this turn."
