"""The kinds of fire, of small arms and guns, and of the tests that follow from it."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, ReplayStep, one_of, titled
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde.artillery import (
    ROUNDS,
    SCATTER,
    UNDER_TEMPLATE,
    Shot,
    canister_dice,
    in_reach,
    landing,
    shell_dice,
    shell_explodes,
    shot_lines,
    shot_need,
    strikes_gun,
)
from rulebook.systems.avant_garde.book import STATES, Inches, book, broken, figures, problem
from rulebook.systems.avant_garde.events import (
    ALL_ARMS,
    FIRES,
    RIDES,
    STEPS,
    TROOPS,
    Dice,
    Ordered,
    Pool,
    Tested,
    TurnEvent,
    kind,
)
from rulebook.systems.avant_garde.fighters import CALIBRES, easier_need, four_dice, grade_of
from rulebook.systems.avant_garde.morale import BROKEN, Nerve, UnderFire, must_test, under_fire
from rulebook.systems.avant_garde.shooting import MANNERS, Fire, fire_dice, fire_lines, fire_need, holds_fire, runs_low
from rulebook.systems.avant_garde.state import GONE, Combatant, State
from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

COVERS = {"none": "None", "soft": "Soft", "hard": "Hard"}
Covered = Annotated[str, one_of(COVERS), titled("Cover")]
Front = Annotated[int, titled("Figures in front", "In reach and arc; 0: as told before.", ge=0, le=120)]
Shots = Annotated[Pool, titled("Dice to hit")]
Kills = Annotated[Pool, titled("Dice to kill", "One for each hit.")]
Location = Annotated[Pool, titled("Crew or gun", "A die for each hit on deployed guns; 6: the gun.")]
Target = Annotated[FighterId, titled("At whom")]


def firing_rank(one: Combatant, front: int) -> int:
    """The figures that may fire: as told, as told before, or of skirmishers all."""
    return min(front or one.front or one.figures * one.skirmishing, one.figures)


def small_arms(state: State, one: Combatant, other: Combatant, front: int, **told: object) -> Fire:
    """The fire of a unit at another; what is ``told`` is the table's."""
    grade, nation = grade_of(one.fighter, state.settings), state.nations[one.side]
    return Fire(
        weapon=one.fighter.weapon or "musket",
        figures=firing_rank(one, front),
        skill=grade.skill,
        national=easier_need(one.fighter, nation, one.formation, state.settings),
        disordered=one.disordered,
        four_dice=four_dice(one.fighter, nation, state.settings) and not one.skirmishing,
        mounted=one.cavalry,
        skirmishers=other.skirmishing,
        deployed_guns=other.battery and other.formation == "unlimbered",
        **told,  # type: ignore[arg-type]
    )


def on_crew(hits: int, location: tuple[int, ...], *, deployed: bool) -> int:
    """How many hits strike figures: all of them, or of those on deployed guns those on the crew. Rulings N-S8, N-A7."""
    return sum(not strikes_gun(die) for die in location) if deployed else hits


def test_due(state: State, one: Combatant) -> bool:
    """Has it lost so much to fire that it has to test? Slides 11, 26 and 27. Ruling N-M1."""
    if not (one.shot and one.on_table) or one.order == BROKEN:
        return False
    return must_test(one.shot, one.start, shot_at(state, one).percent)


def shot_at(state: State, one: Combatant, nerve: Nerve | None = None, *, sheltered: bool = False) -> UnderFire:
    """A unit under fire, as its casualty test sees it."""
    grade = grade_of(one.fighter, state.settings)
    found = under_fire(grade, nerve or Nerve(grade.morale), one.start, one.order, skirmishers=one.skirmishing)
    return replace(found, sheltered=sheltered)


@kind("fire", "Fire", 'Slide 10: "Shooting"', "{fighter} fires at {target}", steps=FIRES, arms=TROOPS)
class Fired(Tested, frozen=True, kw_only=True):
    """Small arms fire. Skirmishers and units on react interrupt the enemy's movement, if they pass a test."""

    anybody: ClassVar[bool] = True

    target: Target
    inches: Annotated[Inches, titled("Range")] = 4
    front: Front = 0
    manner: Annotated[str, one_of(MANNERS), titled("How")] = "half"
    cover: Covered = "none"
    enfilade: Annotated[bool, titled("From the flank or rear")] = False
    interrupts: Annotated[bool, titled("In the enemy’s movement")] = False
    tapped: Annotated[bool, titled("Rifles loaded fast")] = False
    shots: Shots = ()
    location: Location = ()
    kills: Kills = ()

    def fire(self, state: State) -> Fire:
        """The fire as the rules see it."""
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        manner = "all" if one.skirmishing and self.manner == "half" else self.manner
        told = {"inches": self.inches, "manner": manner, "cover": self.cover, "tapped": self.tapped}
        return small_arms(state, one, other, self.front, **told)

    def step(self, state: State) -> int | None:
        return state.step if self.interrupts else super().step(state)

    def tests(self, state: State) -> bool:
        return self.interrupts

    def ordered(self, state: State) -> str:
        return "volley" if self.manner == "volley" else ""

    def hits(self, state: State) -> int:
        """How many shots hit somebody."""
        fire = self.fire(state)
        number = successes(self.shots, fire_need(fire, state.settings.musket_long))
        return on_crew(number, self.location, deployed=fire.deployed_guns)

    def killed(self) -> int:
        """How many figures fall."""
        return successes(self.kills, figures("shooting")["kills_on"])

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        fire, passed = self.fire(state), self.passed(state)
        yield {"shots": fire_dice(fire) * passed}
        hit = successes(self.shots, fire_need(fire, state.settings.musket_long))
        yield {"location": hit * fire.deployed_guns}
        yield {"kills": self.hits(state)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        if not one.fighter.weapon:
            yield problem("no-firearm", field="fighter", value=self.fighter, name=one.name)
        if other.commander or other.side == one.side:
            yield problem("no-target", field="target", value=self.target, name=other.name)
        if not firing_rank(one, self.front):
            yield problem("front-unknown", field="front", value=str(self.front), name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, fire = state.combatants[self.fighter], self.fire(state)
        skirmishing = one.skirmishing and not one.cavalry
        volley = self.manner == "volley"
        rank = one.ready and book().formation[one.formation].volleys
        yield from super().violations(state, logged)
        yield from broken(
            (not one.loaded, "not-loaded"),
            (one.order == BROKEN, "runs"),
            (self.interrupts and not (one.reacting or skirmishing), "no-reaction"),
            (holds_fire(fire, state.settings.musket_long), "holds-fire"),
            (volley and (not rank or "moved" in one.did), "no-volley"),
            (volley and one.low, "low-on-ammunition"),
            (self.manner == "quarter", "square-fires-at-charges"),
            (self.manner == "all" and not one.skirmishing, "no-skirmishers"),
            (
                self.enfilade
                and (fire.skirmishers or book().formation[state.combatants[self.target].formation].square),
                "no-enfilade",
            ),
            name=one.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one, passed, volley = state.combatants[self.fighter], self.passed(state), self.manner == "volley"
        reacting = one.reacting and not self.interrupts
        front = self.front or one.front
        state = super().apply(state, logged).changed(self.fighter, reacting=reacting, front=front)
        if not passed:
            return state
        state = state.changed(self.fighter, loaded=False, low=one.low or (volley and runs_low(self.shots)))
        state = state.did(self.fighter, "fired")
        return state.hurt(self.target, self.killed(), self.fighter, fire=True, enfilade=self.enfilade)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        yield needed(
            fire_need(fire := self.fire(step.before), step.before.settings.musket_long),
            fire_lines(fire, step.before.settings.musket_long),
        )

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.shots:
            yield f"{self.hits(step.before)} hits, {casualties(self.killed())}."
        if step.after.combatants[self.fighter].low and not step.before.combatants[self.fighter].low:
            yield "It is low on ammunition."
        yield from fate_told(step, self.target)


def casualties(number: int) -> str:
    """Casualties in words."""
    return "1 casualty" if number == 1 else f"{number or 'no'} casualties"


def needed(need: int, lines: tuple[ReasonLine, ...]) -> ReasonedSum:
    """What each die has to show, with what lowers and raises it."""
    base = ReasonLine(int(figures("shooting")["hits_on"]), "to hit", 'Slide 10: "Shooting"')
    turned = (replace(each, amount=-each.amount) for each in lines)
    return reasoned(f"Each die hits on {need} or more", base, *turned)


def fate_told(step: ReplayStep[State], who: str) -> Iterator[str]:
    """What has become of a unit in an event, where something has."""
    before, after = step.before.combatants[who], step.after.combatants[who]
    if after.gone != before.gone:
        yield f"{after.name} is {GONE[after.gone]}."
    elif after.order != before.order:
        yield f"{after.name} is {STATES[after.order]}."
    elif after.shaken and not before.shaken:
        yield f"{after.name} is shaken."


# Guns


@kind(
    "guns",
    "Fire guns",
    'Slide 20: "Firing Artillery"',
    "{fighter} fires at {target}",
    steps=(*FIRES, *RIDES),
    arms=("artillery",),
)
class GunsFired(Ordered, frozen=True, kw_only=True):
    """Guns of one calibre fire: canister kills at once, balls and stray shells are read from the table afterwards."""

    anybody: ClassVar[bool] = True
    order: ClassVar[str] = "fire"

    target: Target
    inches: Annotated[Inches, titled("Range")] = 12
    round: Annotated[str, one_of(ROUNDS), titled("Round")] = "ball"
    calibre: Annotated[
        str, one_of({"": "As it has", **{key: book().calibre[key].name for key in CALIBRES}}), titled("Guns of")
    ] = ""
    guns: Annotated[int, titled("How many", "0: all of them.", ge=0, le=12)] = 0
    cover: Covered = "none"
    enfilade: Annotated[bool, titled("From the flank or rear")] = False
    interrupts: Annotated[bool, titled("In the enemy’s movement")] = False
    screen: Annotated[bool, titled("Through skirmishers")] = False
    shots: Shots = ()
    location: Location = ()
    bursts: Annotated[Pool, titled("Shells that hit", "2 or more: it bursts there.")] = ()
    inside: Annotated[Pool, titled("Dice to hit of shells")] = ()
    kills: Kills = ()
    scatter: Annotated[Pool, titled("Near misses", "Direction and inches of each.")] = ()
    lengths: Annotated[Pool, titled("Inches of balls", "How far each one bounces.")] = ()

    def step(self, state: State) -> int | None:
        return state.step if self.interrupts else super().step(state)

    def shot(self, state: State) -> Shot:
        """The shot as the rules see it."""
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        nation = state.nations[one.side]
        calibre = self.calibre or next(iter(one.guns), "light")
        most = max(1, one.guns.get(calibre, 0))
        return Shot(
            calibre=calibre,
            round=self.round,  # type: ignore[arg-type]
            inches=self.inches,
            guns=min(self.guns or most, most),
            skill=grade_of(one.fighter, state.settings).skill,
            national=easier_need(one.fighter, nation, one.formation, state.settings),
            moved=bool({"moved", "formed"} & set(one.did)),
            british=nation == "britain",
            cover=self.cover,  # type: ignore[arg-type]
            skirmishers=other.skirmishing,
            deployed_guns=other.battery and other.formation == "unlimbered",
            screen=self.screen,
        )

    def ordered(self, state: State) -> str:
        return "" if f"guns {self.fighter} {self.target} {STEPS[state.step]}" in state.done else "fire"

    def marks(self, state: State) -> tuple[str, ...]:
        mark = f"guns {self.fighter} {self.target} {STEPS[state.step]}"
        return () if mark in state.done else (mark,)

    def began(self, state: State) -> bool:
        """Has the battery fired in this step already, at whomever?"""
        step = STEPS[state.step]
        return any(each.startswith(f"guns {self.fighter} ") and each.endswith(step) for each in state.done)

    def landed(self, state: State, how: str) -> int:
        """How many rounds land "hit" or "near"."""
        return sum(landing(self.shot(state), die) == how for die in self.shots)

    def struck(self, state: State) -> int:
        """The dice to kill: hits of canister, of bursting shells, or of balls on deployed guns."""
        shot = self.shot(state)
        if self.round == "ball":
            return len(self.location)
        if self.round == "shell":
            return successes(self.inside, figures("artillery")["hits_on"])
        return on_crew(self.landed(state, "hit"), self.location, deployed=shot.deployed_guns)

    def dice_wanted(self, state: State) -> Dice:
        shot = self.shot(state)
        yield {"shots": canister_dice(shot) if self.round == "canister" else shot.guns}
        hits, near = self.landed(state, "hit"), self.landed(state, "near")
        shell, ball = self.round == "shell", self.round == "ball"
        yield {"location": hits * (shot.deployed_guns and not shell), "bursts": hits * shell}
        yield {"inside": shell_dice("centre") * sum(map(shell_explodes, self.bursts))}
        yield {"kills": self.struck(state)}
        yield {"scatter": 2 * near, "lengths": near * ball + hits * (ball and not shot.deployed_guns)}

    def losses(self, state: State) -> tuple[int, int]:
        """Figures and guns that the target loses at once."""
        if self.round != "ball":
            need = figures("artillery")[f"{self.round}_kills_on"]
            return max(0, successes(self.kills, need) - (self.screen and self.round == "canister")), 0
        good = [
            strikes_gun(place)
            for place, die in zip(self.location, self.kills, strict=True)
            if die >= figures("artillery")["ball_kills_on"]
        ]
        return good.count(False), good.count(True)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        if other.commander or other.side == one.side:
            yield problem("no-target", field="target", value=self.target, name=other.name)
        if (self.calibre or next(iter(one.guns), "")) not in one.guns:
            yield problem("no-such-guns", field="calibre", value=self.calibre, name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken(
            (not one.loaded and not self.began(state), "not-loaded"),
            (one.formation != "unlimbered", "limbered"),
            (one.disordered or one.order == BROKEN, "silenced"),
            (self.interrupts and not one.reacting, "no-reaction"),
            (STEPS[state.step] in RIDES and not (one.fighter.horse or self.interrupts), "foot-guns"),
            ({"moved", "formed"} <= set(one.did), "two-of-three"),
            (not in_reach(self.shot(state)), "out-of-reach"),
            name=one.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = state.combatants[self.fighter]
        astray = sum(not shell_explodes(die) for die in self.bursts) + self.landed(state, "near") * (
            self.round == "shell"
        )
        falls = ("ball",) * len(self.lengths) + ("shell",) * astray
        lost, guns = self.losses(state)
        state = state.changed(self.fighter, loaded=False, reacting=False, falls=(*one.falls, *falls)).did(
            self.fighter, "fired"
        )
        state = state.hurt(self.target, lost, self.fighter, fire=True, enfilade=self.enfilade)
        return state.without_guns(self.target, guns, self.fighter)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield needed(shot_need(self.shot(step.before)), shot_lines(self.shot(step.before)))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        hits, near = self.landed(step.before, "hit"), self.landed(step.before, "near")
        lost, guns = self.losses(step.before)
        yield f"{hits} hit{'s' * (hits != 1)}, {near} near; {casualties(lost)}{f', {guns} guns lost' if guns else ''}."
        for die, inches in zip(self.scatter[::2], self.scatter[1::2], strict=True):
            yield f"A near miss goes {SCATTER[die]}, {inches} inches (Ruling N-A8)."
        if self.lengths:
            yield f"Balls run {', '.join(map(str, self.lengths))} inches: say who is struck."
        yield from fate_told(step, self.target)


@kind("struck", "Who is struck", 'Slide 20: "Firing Artillery"', "{target} is struck by {fighter}", arms=("artillery",))
class Struck(TurnEvent, frozen=True, kw_only=True):
    """What a ball or a stray shell strikes, as it lies on the table; nobody, if no figure is under it."""

    anybody: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Whose guns")]
    target: Annotated[FighterId, titled("Who is under it")]
    figures: Annotated[int, titled("Figures under a ball", ge=0, le=60)] = 0
    under: Annotated[str, one_of(UNDER_TEMPLATE), titled("Under the template of a shell")] = "none"
    shots: Shots = ()
    kills: Kills = ()

    def dice_wanted(self, state: State) -> Dice:
        shell = self.shell(state)
        yield {"shots": shell_dice(self.under) * shell}
        number = min(self.figures, 1 if state.combatants[self.target].battery else self.figures)
        yield {"kills": successes(self.shots, figures("artillery")["hits_on"]) if shell else number}

    def shell(self, state: State) -> bool:
        """Is it a shell that has come down?"""
        return state.combatants[self.fighter].falls[:1] == ("shell",)

    def killed(self, state: State) -> int:
        """How many figures fall."""
        return successes(self.kills, figures("artillery")["shell_kills_on" if self.shell(state) else "ball_kills_on"])

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if state.combatants[self.target].commander:
            yield problem("no-target", field="target", value=self.target, name=state.combatants[self.target].name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from broken((not one.falls, "nothing-fell"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one, killed = state.combatants[self.fighter], self.killed(state)
        return state.changed(self.fighter, falls=one.falls[1:]).hurt(self.target, killed, self.fighter, fire=True)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{casualties(self.killed(step.before)).capitalize()}."
        yield from fate_told(step, self.target)


# What follows from fire


@kind(
    "test", "Casualty test", 'Slide 11: "Disorder from shooting"', "{fighter} tests after its casualties", arms=ALL_ARMS
)
class CasualtyTested(Tested, frozen=True, kw_only=True):
    """A unit that has lost enough to fire in one phase tests, or panics. Rulings N-M1, N-M9."""

    anybody: ClassVar[bool] = True

    sheltered: Annotated[bool, titled("In a building", "It does not break there.")] = False

    def nerve(self, state: State) -> Nerve:
        one = state.combatants[self.fighter]
        known = self.usual(state)
        return shot_at(state, one, replace(known, enfilade=one.enfiladed)).tested(one.shot)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((not test_due(state, one), "no-test-due"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged)
        state = state.changed(self.fighter, shot=0, enfiladed=False)
        if passed or (self.sheltered and state.combatants[self.fighter].disordered):
            return state
        return state.halted(self.fighter).lowered(self.fighter)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        yield from fate_told(step, self.fighter)
        if step.before.charge_of(self.fighter) and not self.passed(step.before):
            yield "Its charge halts an inch away."


WHY = {
    "break": "Friends broke within 6″",
    "burst": "Friends burst through it",
    "fire": "Touched by fire",
    "collapse": "Its building falls",
    "leaving": "It leaves a town",
    "other": "Something else",
}


@kind("panic", "Panic test", 'Slide 28: "Panicking Units"', "{fighter} tests its nerve", arms=ALL_ARMS)
class PanicTested(Tested, frozen=True, kw_only=True):
    """A unit tests for disorder or panic for another reason than its casualties."""

    anybody: ClassVar[bool] = True

    why: Annotated[str, one_of(WHY), titled("Why")] = "break"
    modifier: Annotated[int, titled("Modifier", ge=-12, le=12)] = 0

    def nerve(self, state: State) -> Nerve:
        lines = (ReasonLine(self.modifier, WHY[self.why].lower(), self.rule),) * bool(self.modifier)
        return self.usual(state).with_lines(*lines)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged)
        return state if passed else state.halted(self.fighter).lowered(self.fighter)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        yield from fate_told(step, self.fighter)
