"""The kinds of fire, of small arms and guns, and of the tests that follow from it."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import CombatantNames, FighterId, ReplayStep, choice_meta, field_meta
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
from rulebook.values.table import Action, Due

BREAKS = 'Slide 28: "Panicking Units"'
BATTALION = 'Slide 5: "Battalion/Regiment Command"'
Covered = Annotated[str, choice_meta(words("cover")), field_meta("Cover")]
Front = Annotated[
    int, field_meta("Figures in front", "In range and arc; 0: as entered before.", ge=0, le=120)
]
Shots = Annotated[Pool, field_meta("Dice to hit")]
Kills = Annotated[Pool, field_meta("Dice to kill", "One for each hit.")]
Location = Annotated[
    Pool, field_meta("Crew or gun", "A die for each hit on deployed guns; 6: the gun.")
]
Target = Annotated[FighterId, field_meta("Target")]
Enfilade = Annotated[bool, field_meta("From the flank or rear")]
Interrupts = Annotated[bool, field_meta("In the enemy’s movement")]
Range = Annotated[Inches, field_meta("Range")]
GUNS_OF = {"": "As it has", **{key: book().calibre[key].name for key in CALIBRES}}
WHY = words("panic")
FIRE_STEPS = ("fire-1", "fire-2")
ARTILLERY, SMALL_ARMS = "artillery", "small-arms"
MISSED = "missed"
"""The key of the action by which a round strikes nobody, logged as it stands."""


def firing_rank(combatant: Combatant, front: int) -> int:
    """Return the number of figures that may fire: as given, as given before, or all skirmishers."""
    skirmishers = combatant.fighting if combatant.skirmishing else 0
    return min(front or combatant.front or skirmishers, combatant.fighting)


def with_front(field: Field, combatant: Combatant | None) -> Field:
    """Return a field of the figures in front with the last number as its default; without one it is
    required."""
    if combatant is None or combatant.battery:
        return field
    if in_front := firing_rank(combatant, 0):
        return replace(field, default=str(in_front))
    return replace(field, required=True, least=1, help="Required: how many are in range and arc.")


def deployed(combatant: Combatant) -> bool:
    """Return whether it is a battery whose guns stand unlimbered."""
    return combatant.battery and combatant.formation == "unlimbered"


def untargetable(combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant cannot be a target: a commander, or a friend."""
    return other.commander or other.side == combatant.side


def fire_order(state: State, step: str) -> tuple[str, str]:
    """Return the sides in the order in which they fire: in Fire 1 side A first, in Fire 2 side B.
    Ruling N-T4."""
    side_a, side_b = state.first, state.other(state.first)
    return (side_a, side_b) if step == "fire-1" else (side_b, side_a)


def fire_mark(weapons: str, step: str, side: str) -> str:
    """Return what is kept among the things done in this turn once a side has fired these weapons in
    a step."""
    return f"{weapons} {step} {side}"


def have_fired(state: State, weapons: str, step: str) -> tuple[str, ...]:
    """Return the sides that have fired these weapons in a step of this turn."""
    return tuple(side for side in state.sides if fire_mark(weapons, step, side) in state.done)


def fires_too_late(state: State, weapons: str, step: str, side: str) -> bool:
    """Return whether the side that comes second has fired these weapons already, so that the first
    is done."""
    first, second = fire_order(state, step)
    return step in FIRE_STEPS and side == first and second in have_fired(state, weapons, step)


def artillery_open(state: State) -> bool:
    """Return whether shots of guns are yet to be placed, or casualties to be tested for."""
    return any(key in ("struck", "test") for _, key in state.still_open())


def needed(need: int, lines: tuple[ReasonLine, ...]) -> ReasonedSum:
    """Return what each die has to show, with what lowers and raises it."""
    base = need + sum(each.amount for each in lines)
    turned = (replace(each, amount=-each.amount) for each in lines)
    return reasoned(
        f"A die hits on {need} or more", ReasonLine(base, "to hit", 'Slide 10: "Shooting"'), *turned
    )


@kind("fire")
class Fired(Tested, frozen=True, kw_only=True):
    """Small arms fire. Skirmishers and units on reaction interrupt the enemy's movement, if they
    pass a test."""

    target: Target
    inches: Range = 4
    front: Front = 0
    manner: Annotated[str, choice_meta(shooting.MANNERS), field_meta("How")] = "half"
    cover: Covered = "none"
    enfilade: Enfilade = False
    interrupts: Interrupts = False
    tapped: Annotated[bool, field_meta("Rifles loaded fast")] = False
    shots: Shots = ()
    location: Location = ()
    kills: Kills = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return bool(combatant.fighter.weapon)

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        able = bool(combatant.fighter.weapon) and not combatant.formed.square
        return able and not fires_too_late(state, SMALL_ARMS, STEPS[state.step], combatant.side)

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        field = super().prefilled(state, combatant, field)
        return with_front(field, combatant) if field.key == "front" else field

    def marks(self, state: State) -> tuple[str, ...]:
        mark = fire_mark(SMALL_ARMS, self.now(state), self.combatant(state).side)
        fires = self.in_turn(state) and mark not in state.done
        return (*super().marks(state), mark) if fires else super().marks(state)

    def in_turn(self, state: State) -> bool:
        """Return whether it is fire of a fire phase, whose order is fixed, and not in the enemy's
        movement."""
        return not self.interrupts and self.now(state) in FIRE_STEPS

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        combatant = state.combatants[actor]
        volleys = (
            combatant.ready
            and combatant.formed.volleys
            and not combatant.low
            and "moved" not in combatant.did
        )
        able: tuple[str, ...] = ("half", "volley") if volleys else ("half",)
        if combatant.skirmishing:
            able = ()  # They fire with all figures, and have nothing to choose.
        manners = tuple((key, shooting.MANNERS[key]) for key in able)
        return {**super().choices_for(state, actor), "manner": manners}

    def test(self, state: State) -> Nerve | None:
        return self.usual(state) if self.interrupts else None

    @classmethod
    def may_interrupt(cls, combatant: Combatant) -> bool:
        # Skirmishers on foot need no token. Slides 2 and 26.
        return super().may_interrupt(combatant) or (combatant.skirmishing and not combatant.cavalry)

    def fire(self, state: State) -> shooting.Fire:
        """Return the fire as the rules see it."""
        combatant = self.combatant(state)
        target = state.combatants[self.target]
        rules = state.settings
        nation = state.nations[combatant.side]
        return shooting.Fire(
            weapon=combatant.fighter.weapon or "musket",
            figures=firing_rank(combatant, self.front),
            skill=state.grade(combatant).skill,
            national=easier_need(combatant.fighter, nation, combatant.formation, rules),
            inches=self.inches,
            manner="all" if combatant.skirmishing and self.manner == "half" else self.manner,
            cover=self.cover,
            disordered=combatant.disordered,
            charging=any(
                (each.fighter, each.target) == (target.id, combatant.id) for each in state.charges
            ),
            four_dice=four_dice(combatant.fighter, nation, rules) and not combatant.skirmishing,
            mounted=combatant.cavalry,
            skirmishers=target.skirmishing,
            deployed_guns=deployed(target),
            tapped=self.tapped,
            musket_long=rules.musket_long,
        )

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        fire = self.fire(state)
        yield {"shots": shooting.fire_dice(fire) if self.passed(state) else 0}
        hits = successes(self.shots, shooting.fire_need(fire))
        # At a deployed battery a hit strikes a gun or its crew.
        yield {"location": hits if fire.deployed_guns else 0}
        yield {"kills": hits - sum(map(artillery.strikes_gun, self.location))}

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        target = state.combatants[self.target]
        volley = self.manner == "volley"
        now, in_turn = self.now(state), self.in_turn(state)
        fire = self.fire(state)
        beyond = self.inches > shooting.reach(fire)
        yield not combatant.fighter.weapon, "no-firearm"
        yield not firing_rank(combatant, self.front), "front-unknown"
        yield untargetable(combatant, target), "no-target"
        yield from super().checks(state)
        yield (
            self.interrupts
            and not combatant.reacting
            and (combatant.cavalry or not combatant.skirmishing),
            "no-reaction",
        )
        yield beyond, "beyond-its-reach"
        yield not beyond and shooting.holds_fire(fire), "holds-fire"
        yield volley and not combatant.ready, "not-in-good-order"
        yield volley and not combatant.formed.volleys, "no-volley-formation"
        yield volley and "moved" in combatant.did, "no-volley"
        yield volley and combatant.low, "low-on-ammunition"
        yield self.manner == "quarter" or combatant.formed.square, "square-fires-at-charges"

        # The artillery's fire has taken effect before the first shot of small arms; those of a side
        # act at once.
        opens = in_turn and not have_fired(state, SMALL_ARMS, now)
        yield opens and artillery_open(state), "artillery-first"
        yield in_turn and fires_too_late(state, SMALL_ARMS, now, combatant.side), "fires-too-late"
        yield in_turn and f"tested {now} {target.id}" in state.done, "target-tested"
        yield self.manner == "all" and not combatant.skirmishing, "no-skirmishers"
        yield self.enfilade and (target.skirmishing or target.formed.square), "no-enfilade"

    def placeholders(self, state: State) -> Mapping[str, str]:
        return {**super().placeholders(state), "reach": str(shooting.reach(self.fire(state)))}

    def follows(self, state: State, *, passed: bool) -> State:
        combatant = self.combatant(state)
        low = combatant.low or (self.manner == "volley" and shooting.runs_low(self.shots))
        reacting, front = combatant.reacting and not self.interrupts, self.front or combatant.front
        state = state.changed(combatant.id, reacting=reacting, front=front, low=low)
        if not passed:
            return state
        killed = successes(self.kills, figures("shooting")["kills_on"])
        state = state.changed(combatant.id, loaded=False).did(combatant.id, "fired")
        return state.hurt(self.target, killed, combatant.id, fire=True, enfilade=self.enfilade)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        fire = self.fire(step.before)
        yield needed(shooting.fire_need(fire), shooting.fire_lines(fire))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if not self.passed(step.before):
            return
        yield (
            f"{len(self.kills) or 'No'} {'hit' if len(self.kills) == 1 else 'hits'} of "
            f"{len(self.shots)}."
        )


@kind("guns")
class GunsFired(Tested, frozen=True, kw_only=True):
    """Guns of one calibre fire: canister kills at once, balls and stray shells are read from the
    table afterwards.

    On reaction they test first, as any unit does: if they fail, they lose the token and keep their
    pip. Slide 5.
    """

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"dice": ("", "")}

    target: Target
    inches: Range = 12
    round: Annotated[str, choice_meta(artillery.ROUNDS), field_meta("Round")] = "ball"
    calibre: Annotated[str, choice_meta(GUNS_OF), field_meta("Guns of")] = ""
    guns: Annotated[int, field_meta("How many", "0: all of them.", ge=0, le=12)] = 0
    cover: Covered = "none"
    enfilade: Enfilade = False
    interrupts: Interrupts = False
    screen: Annotated[bool, field_meta("Through skirmishers")] = False
    screened_by: Annotated[
        FighterId, field_meta("Through which skirmishers", "Canister strikes one of them first.")
    ] = ""
    shots: Shots = ()
    location: Location = ()
    bursts: Annotated[Pool, field_meta("Shells that hit", "2 or more: it bursts there.")] = ()
    inside: Annotated[Pool, field_meta("Dice to hit of shells")] = ()
    kills: Kills = ()
    scatter: Annotated[
        Pool,
        field_meta("Near misses", "Direction and inches of each: D3 at short range, D6 at long."),
    ] = ()
    lengths: Annotated[Pool, field_meta("Inches of balls", "How far each one bounces.")] = ()

    @classmethod
    def next_for(cls, state: State, fighter: Combatant | None) -> int | None:
        """Return the next step in which it fires: horse artillery in its own side's cavalry step
        too. Slide 19."""
        if fighter is None:
            return cls.next_step(state)
        if not fighter.fighter.horse:
            return cls.next_step(state, without=RIDES)
        others = [
            step for step in RIDES if not replace(state, step=STEPS.index(step)).acts(fighter.side)
        ]
        # Guns that come too late for Fire 2 have the cavalry phase before them.
        late = (
            [STEPS[state.step]]
            if STEPS[state.step] == "fire-2" and cls.fire_is_over(state, fighter.side)
            else []
        )
        return cls.next_step(state, without=(*others, *late))

    @staticmethod
    def fire_is_over(state: State, side: str) -> bool:
        """Return whether the guns of a side come too late in the step that play has come to."""
        step = STEPS[state.step]
        return bool(have_fired(state, SMALL_ARMS, step)) or fires_too_late(
            state, ARTILLERY, step, side
        )

    @classmethod
    def is_open_to(cls, state: State, actor: str) -> bool:
        if not super().is_open_to(state, actor):
            return False
        combatant = state.combatants[actor]
        over = cls.next_for(state, combatant) == state.step and cls.fire_is_over(
            state, combatant.side
        )
        return deployed(combatant) and not over

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        """Return the calibres that it has, and the enemy's skirmishers that it may fire through."""
        combatant = state.combatants[actor]
        screen = (
            each for each in in_field(state) if each.side != combatant.side and each.skirmishing
        )
        return {
            **super().choices_for(state, actor),
            "screened_by": names_of(each for each in screen if not each.commander),
            "calibre": tuple(
                (key, name) for key, name in GUNS_OF.items() if key in ("", *combatant.guns)
            ),
        }

    def shot(self, state: State) -> artillery.Shot:
        """Return the shot as the rules see it."""
        combatant, target = self.combatant(state), state.combatants[self.target]
        calibre = self.calibre or next(iter(combatant.guns), "light")
        nation = state.nations[combatant.side]
        most = max(1, combatant.guns.get(calibre, 0))
        return artillery.Shot(
            calibre=calibre,
            round=self.round,
            inches=self.inches,
            guns=min(self.guns or most, most),
            skill=state.grade(combatant).skill,
            national=easier_need(combatant.fighter, nation, combatant.formation, state.settings),
            moved=bool({"moved", "formed"} & {*combatant.did}),
            british=nation == "britain",
            cover=self.cover,
            skirmishers=target.skirmishing,
            deployed_guns=deployed(target),
            screen=self.screened,
        )

    def aimed(self, state: State) -> str:
        """Return the mark of its battery, the step and the target: more guns at the same target
        take no pip more."""
        return f"guns {self.fighter} {self.now(state)} {self.target}"

    def in_turn(self, state: State) -> bool:
        """Return whether it is fire of a fire phase, whose order is fixed."""
        return not self.interrupts and self.now(state) in FIRE_STEPS

    def marks(self, state: State) -> tuple[str, ...]:
        if not self.passed(state):
            return ()
        marks = [self.aimed(state)]
        if self.in_turn(state):
            marks.append(fire_mark(ARTILLERY, self.now(state), self.combatant(state).side))
        return tuple(each for each in marks if each not in state.done)

    def ordered(self, state: State) -> str:
        return "fire" if self.passed(state) and self.aimed(state) not in state.done else ""

    def test(self, state: State) -> Nerve | None:
        return self.usual(state) if self.interrupts else None

    def landed(self, state: State, how: str) -> int:
        """Return how many rounds land "hit" or "near"."""
        shot = self.shot(state)
        return sum(artillery.landing(shot, die) == how for die in self.shots)

    def placeholders(self, state: State) -> Mapping[str, str]:
        shot = self.shot(state)
        reach = artillery.reach_in_words(shot)
        return {
            **super().placeholders(state),
            "faces": str(artillery.scatter_faces(shot)),
            "reach": reach,
        }

    def dice_wanted(self, state: State) -> Dice:
        shot = self.shot(state)
        shell = self.round == "shell"
        ball = self.round == "ball"
        yield from super().dice_wanted(state)
        shots = artillery.canister_dice(shot) if self.round == "canister" else shot.guns
        yield {"shots": shots if self.passed(state) else 0}

        # Where the rounds land: on guns or crew of a deployed battery, and whether shells burst
        # there.
        hits, near = self.landed(state, "hit"), self.landed(state, "near")
        at_guns = shot.deployed_guns and not shell
        yield {"location": hits if at_guns else 0, "bursts": hits if shell else 0}
        yield {
            "inside": artillery.shell_dice("centre")
            * sum(map(artillery.shell_explodes, self.bursts))
        }

        # Who falls at once: of a ball at a unit only the table shows whom it meets, and that is an
        # event of its own.
        if shell:
            kills = successes(self.inside, figures("artillery")["hits_on"])
        elif ball:
            kills = len(self.location) if at_guns else 0
        else:
            kills = hits - sum(map(artillery.strikes_gun, self.location))
        yield {"kills": kills}

        # Near misses go astray, and balls run on, but for those that strike a battery.
        runs = near if at_guns else near + hits
        yield {"scatter": 2 * near, "lengths": runs if ball else 0}

    def pool_of(self, field: str, number: int, state: State, cup: Cup) -> tuple[int, ...]:
        """Throw a pool: a near miss has a die of direction, then one of inches of three or six
        faces. Ruling N-A9."""
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
        """Return how many skirmishers fall in the target's place: the first casualty of canister.
        Slide 20."""
        kills = any(die >= figures("artillery")[f"{self.round}_kills_on"] for die in self.kills)
        return int(self.screened and self.round == "canister" and kills)

    def losses(self) -> tuple[int, int]:
        """Return figures and guns that the target loses at once."""
        dead = [die >= figures("artillery")[f"{self.round}_kills_on"] for die in self.kills]
        if self.round != "ball":
            return sum(dead) - self.screen_losses(), 0
        guns = sum(
            map(
                artillery.strikes_gun,
                (die for die, kills in zip(self.location, dead, strict=True) if kills),
            )
        )
        return sum(dead) - guns, guns

    def falling(self, state: State) -> tuple[Fall, ...]:
        """Return the rounds that come down somewhere on the table, in the order of the dice that
        shot them."""
        if self.round == "canister":
            return ()
        shot, ball = self.shot(state), self.round == "ball"
        falls: list[Fall] = []

        # Each die is used up by the round that it belongs to.
        near = iter(self.scatter)
        bursts = iter(self.bursts)
        runs = iter(self.lengths)
        for die in self.shots:
            how = artillery.landing(shot, die)
            fall = Fall(self.round, 0, 0, self.target)
            if how == "near":
                fall = replace(fall, near=artillery.SCATTER[next(near)], inches=next(near))
            elif how == "miss" or (
                shot.deployed_guns if ball else artillery.shell_explodes(next(bursts))
            ):
                continue
            falls.append(replace(fall, run=next(runs)) if ball else fall)
        return tuple(
            replace(each, number=place, of=len(falls)) for place, each in enumerate(falls, 1)
        )

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        began = any(
            each.startswith(f"guns {self.fighter} {self.now(state)} ") for each in state.done
        )
        yield (self.calibre or next(iter(combatant.guns), "")) not in combatant.guns, "no-such-guns"
        yield untargetable(combatant, state.combatants[self.target]), "no-target"
        screen = state.combatants.get(self.screened_by)
        yield screen and (screen.side == combatant.side or not screen.skirmishing), "no-such-screen"
        yield from super().checks(state)
        yield not combatant.loaded and not began, "not-loaded"
        yield combatant.formation != "unlimbered", "limbered"
        yield combatant.disordered or combatant.order == BROKEN, "silenced"
        yield self.interrupts and not combatant.reacting, "no-reaction"
        yield {"moved", "formed"} <= {*combatant.did}, "two-of-three"
        yield not artillery.in_reach(self.shot(state)), "out-of-reach"
        yield (
            any(die > artillery.scatter_faces(self.shot(state)) for die in self.scatter[1::2]),
            "no-such-scatter",
        )
        now, in_turn = self.now(state), self.in_turn(state)
        yield in_turn and have_fired(state, SMALL_ARMS, now), "guns-fire-first"
        yield in_turn and fires_too_late(state, ARTILLERY, now, combatant.side), "fires-too-late"

    def follows(self, state: State, *, passed: bool) -> State:
        if not passed:
            return state.changed(self.fighter, reacting=False)
        combatant, (lost, guns) = self.combatant(state), self.losses()
        falls = (*combatant.falls, *self.falling(state))
        state = state.changed(combatant.id, loaded=False, reacting=False, falls=falls).did(
            combatant.id, "fired"
        )
        state = state.hurt(self.target, lost, combatant.id, fire=True, enfilade=self.enfilade)
        if self.screened_by:
            state = state.hurt(self.screened_by, self.screen_losses(), combatant.id, fire=True)
        return state.without_guns(self.target, guns, combatant.id)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        yield needed(
            artillery.shot_need(self.shot(step.before)),
            artillery.shot_lines(self.shot(step.before)),
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if not self.passed(step.before):
            return
        hits, guns = self.landed(step.before, "hit"), self.losses()[1]
        lost = ""
        if guns:
            lost = f", {guns} {'gun is' if guns == 1 else 'guns are'} lost"
        yield f"{hits or 'None'} of {len(self.shots)} hit{lost}."
        for fall in self.falling(step.before):
            yield f"{fall.name.capitalize()} {fall.path}."


@kind("struck")
class Struck(FighterEvent, frozen=True, kw_only=True):
    """The victims of a ball or a stray shell, as players see it on the table. Without a ``target``
    it hits nobody.

    A commander under it throws a die, whether he is hit at all. Ruling N-A11.
    """

    fighter: Annotated[FighterId, field_meta("Whose guns")]
    target: Annotated[FighterId, field_meta("Units under it", "Leave blank for nobody.")] = ""
    figures: Annotated[int, field_meta("Figures under a ball", "0: it passes by.", ge=0, le=60)] = 0
    under: Annotated[
        str, choice_meta(artillery.UNDER_TEMPLATE), field_meta("Under the template of a shell")
    ] = "none"
    further: Annotated[
        bool, field_meta("It hits other units too", "Muster asks for them next.")
    ] = False
    look_out: Annotated[Pool, field_meta("Is the commander hit?", "On a 1.")] = ()
    shots: Shots = ()
    kills: Kills = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return bool(combatant.falls)

    @classmethod
    def to_do_by(cls, state: State, combatant: Combatant) -> Due:
        fall = combatant.falls[0]
        due = cls.to_do(
            f"{combatant.name}: {fall.name} {fall.path}. Which units are hit?", combatant.id
        )
        return replace(due, instead=MISSED, instead_button="Nobody")

    @classmethod
    def offers(cls, state: State, actor: str) -> Iterator[Action]:
        """Yield the action, and the one by which the round hits nobody."""
        for offered in super().offers(state, actor):
            yield offered
            yield replace(offered, key=MISSED, label="No unit is hit", fields=())

    @classmethod
    def offer(cls, state: State, actor: str) -> Action:
        fall = state.combatants[actor].falls[0]
        return replace(super().offer(state, actor), help=f"{fall.name.capitalize()} {fall.path}.")

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {**super().choices_for(state, actor), "target": names_of(in_field(state))}

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        """Return a field with the unit at which the round was aimed."""
        aimed_at = combatant.falls[0].target
        is_aimed = field.key == "target" and aimed_at in dict(field.choices)
        return (
            replace(field, default=aimed_at)
            if is_aimed
            else super().prefilled(state, combatant, field)
        )

    def fall(self, state: State) -> Fall:
        """Return the round that has come down, any where there is none."""
        return next(iter(self.combatant(state).falls), Fall("ball", 1, 1, ""))

    def shell(self, state: State) -> bool:
        """Return whether it is a shell that has come down."""
        return self.fall(state).round == "shell"

    def reached(self, state: State) -> int:
        """Return the figures that a ball reaches: one of a crew, and a commander who was not
        warned."""
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
        yield {"shots": artillery.shell_dice(self.under) if shell and not commander else 0}
        hits = successes(self.shots, figures("artillery")["hits_on"])
        yield {"kills": hits if shell and not commander else self.reached(state)}

    def killed(self, *, shell: bool) -> int:
        """Return the number of figures that fall."""
        return successes(
            self.kills, figures("artillery")["shell_kills_on" if shell else "ball_kills_on"]
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        killed = self.killed(shell=self.shell(state))
        if not self.further:
            state = state.changed(self.fighter, falls=self.combatant(state).falls[1:])
        if not self.target:
            return state
        if state.combatants[self.target].commander:
            return state.left(self.target, "killed", self.fighter) if killed else state
        return state.hurt(self.target, killed, self.fighter, fire=True)

    def sentence(self, names: CombatantNames) -> str:
        round_of = f"A round of {names[self.fighter]}"
        if self.look_out:
            return f"{round_of} comes down at {names[self.target]}"
        if not self.target or not (self.kills or self.shots):
            return f"{round_of} hits nobody"
        if not self.killed(shell=bool(self.shots)):
            return f"{round_of} comes near {names[self.target]}: no casualties"
        return f"{names[self.target]} is hit by {names[self.fighter]}"

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        fall = self.fall(step.before)
        yield f"{fall.name.capitalize()} {fall.path}."
        if self.look_out:
            yield "He is hit." if self.reached(step.before) else "He is warned in time."


@kind("test")
class CasualtyTested(Tested, frozen=True, kw_only=True):
    """A unit that has lost enough to fire in one phase tests, or panics; chargers halt. Rulings
    N-M1, N-M9."""

    sheltered: Annotated[bool, field_meta("In a building", "It does not break there.")] = False
    commander: Annotated[Pool, field_meta("Its own commander", "On a 1 he is killed.")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return state.test_due(combatant)

    def test(self, state: State) -> Nerve:
        combatant, rules = self.combatant(state), figures("command")
        falls = self.commander == (rules["commander_falls_on"],)
        fallen = ReasonLine(
            rules["commander_fallen"] if falls else 0, "its commander is killed", BATTALION
        )
        nerve = state.under_fire(
            combatant, replace(self.usual(state), enfilade=combatant.enfiladed)
        ).tested(combatant.shot)
        return nerve.with_lines(*counting(fallen))

    def marks(self, state: State) -> tuple[str, ...]:
        """Once small arms have fired, a unit tests for all of them at once: none fires at it after
        that."""
        now = self.now(state)
        mark = f"tested {now} {self.fighter}"
        last = now in FIRE_STEPS and have_fired(state, SMALL_ARMS, now) and mark not in state.done
        return (*super().marks(state), mark) if last else super().marks(state)

    def dice_wanted(self, state: State) -> Dice:
        combatant = self.combatant(state)
        # The stands that the fire of this phase has emptied.
        stands = (
            combatant.lost // combatant.fighter.stand
            - (combatant.lost - combatant.shot) // combatant.fighter.stand
        )
        yield {"commander": int(state.settings.battalion_commanders and stands > 0)}
        yield from super().dice_wanted(state)

    def follows(self, state: State, *, passed: bool) -> State:
        stands = passed or (self.sheltered and self.combatant(state).disordered)
        state = state.changed(self.fighter, shot=0, enfiladed=False)
        return state if stands else state.halted(self.fighter).lowered(self.fighter)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if (
            len(step.after.charges) < len(step.before.charges)
            and step.after.combatants[self.fighter].order != BROKEN
        ):
            yield f"It halts {inches_told(figures('charge')['halts_at'])} from its target."


@kind("panic")
class PanicTested(Tested, frozen=True, kw_only=True):
    """A unit tests for disorder or panic for another reason than its casualties."""

    why: Annotated[str, choice_meta(WHY), field_meta("Why")] = "break"
    modifier: Annotated[int, field_meta("Modifier", ge=-12, le=12)] = 0

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        """Yield a reminder that the friends of a unit that broke test. Who stands near is the
        players' word."""
        if actor not in state.shocks or phase != STEPS[state.step]:
            return
        inches = figures("morale")["near_break"]
        sentence = (
            f"{state.combatants[actor].name} broke: friends within {inches}″ take a panic test."
        )
        yield Due(sentence=sentence, rule=BREAKS, minor=True)

    def test(self, state: State) -> Nerve:
        line = ReasonLine(self.modifier, WHY[self.why].lower(), self.rule)
        return self.usual(state).with_lines(*counting(line))

    def marks(self, state: State) -> tuple[str, ...]:
        # A unit tests once in a step for friends who have broken. Slide 28.
        return (f"panic {self.fighter} {self.now(state)}",) if self.why == "break" else ()

    def checks(self, state: State) -> Checks:
        yield from super().checks(state)
        yield self.why == "burst" and self.combatant(state).formed.square, "square-not-burst"

    def follows(self, state: State, *, passed: bool) -> State:
        if passed:
            return state
        state = state.did(self.fighter, "burst") if self.why == "burst" else state
        return state.halted(self.fighter).lowered(self.fighter)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if self.why == "burst" and not self.passed(step.before):
            yield "It does not fire in this turn."
