"""The kinds of a charge: it is declared, the target answers, the chargers run; and cavalry that is held back."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, ReplayStep, one_of, titled
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde.book import Inches, book, broken, figures, problem
from rulebook.systems.avant_garde.charges import (
    REACTIONS,
    charge_reach,
    defence_lines,
    fires_at,
    flight_dice,
    must_test_to_charge,
    reactions,
    square_nerve,
    within_half,
)
from rulebook.systems.avant_garde.charges import Charged as ChargedUnit
from rulebook.systems.avant_garde.events import ALL_ARMS, MOVES, RIDES, TROOPS, Dice, Pool, Tested, kind
from rulebook.systems.avant_garde.fighters import grade_of
from rulebook.systems.avant_garde.firing import (
    Front,
    Kills,
    Shots,
    casualties,
    fate_told,
    firing_rank,
    needed,
    small_arms,
    test_due,
)
from rulebook.systems.avant_garde.morale import BROKEN, Nerve
from rulebook.systems.avant_garde.moves import _OnGround
from rulebook.systems.avant_garde.odds import total
from rulebook.systems.avant_garde.shooting import Fire, fire_dice, fire_lines, fire_need, holds_fire
from rulebook.systems.avant_garde.state import Charge, Combat, Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

FACINGS = {"front": "In front", "flank": "In the flank", "rear": "In the rear", "both": "In flank and rear"}
CHARGING = 'Slide 12: "Hand to Hand Combat"'


@kind(
    "restrain",
    "Hold cavalry back",
    'Slide 22: "Aggressive"',
    "{fighter} is held back",
    steps=(*MOVES, *RIDES),
    arms=("cavalry",),
)
class Restrained(Tested, frozen=True, kw_only=True):
    """Cavalry that would charge of itself tests to stay; if it fails, it has to charge. Ruling N-C5."""

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        yield "It stays." if self.passed(step.before) else "It has to charge."


@kind("charge", "Charge", CHARGING, "{fighter} charges {target}", steps=(*MOVES, *RIDES), arms=TROOPS)
class ChargeDeclared(Tested, frozen=True, kw_only=True):
    """A charge is declared: a test against formed troops in good order in front, unless they are outnumbered."""

    order: ClassVar[str] = "charge"

    target: Annotated[FighterId, titled("Whom")]
    inches: Annotated[Inches, titled("How far off")] = 8
    facing: Annotated[str, one_of(FACINGS), titled("Where it is hit")] = "front"
    impetuous: Annotated[bool, titled("Of its own accord", "Aggressive cavalry: neither pip nor test.")] = False

    def ordered(self, state: State) -> str:
        return "" if self.impetuous else "charge"

    def tests(self, state: State) -> bool:
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        return must_test_to_charge(
            formed=not other.skirmishing and not other.battery,
            in_good_order=other.ready,
            frontally=self.facing == "front",
            own=one.figures,
            enemy=other.figures,
            aggressive=self.impetuous,
        )

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        if other.commander or other.side == one.side or other.gone:
            yield problem("no-target", field="target", value=self.target, name=other.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        may = "charge" in book().formation[one.formation].paces
        inches, dice = charge_reach(one.formation) if may else (0, 0)
        formed = not other.skirmishing and not one.cavalry
        yield from super().violations(state, logged)
        yield from broken(
            (not one.ready, "not-in-good-order"),
            (not may, "formation-charges-not"),
            (may and self.inches > inches + 6 * dice, "too-far-to-charge"),
            (other.cavalry and one.fighter.arm == "infantry", "infantry-on-cavalry"),
            (one.skirmishing and formed, "skirmishers-on-formed"),
            (self.impetuous and not one.cavalry, "not-aggressive"),
            ("charged" in one.did or state.charge_of(self.fighter) is not None, "charged-already"),
            (bool(state.combat(self.fighter)), "in-combat"),
            name=one.name,
            formation=book().formation[one.formation].name.lower(),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        passed, state = self.passed(state), super().apply(state, logged)
        if not passed:
            return state
        charge = Charge(self.fighter, self.target, self.inches, facing=self.facing)
        return replace(state, charges=(*state.charges, charge))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if not self.passed(step.before):
            yield "It does not charge (Ruling N-M2)."


def seen(state: State, one: Combatant, charger: Combatant) -> ChargedUnit:
    """A unit that is charged, as the rules about reactions see it."""
    evades = one.battery or one.skirmishing or (one.cavalry and one.fighter.mount == "light")
    return ChargedUnit(
        arm=one.fighter.arm,
        formation=one.formation,
        state="disordered" if one.disordered else one.order,
        loaded=one.loaded and bool(one.fighter.weapon) and one.order != BROKEN,
        evades=evades,
        on_react=one.reacting,
        mounted=charger.cavalry,
        formed=not charger.skirmishing,
    )


@kind("reaction", "Answer a charge", 'Slide 12: "Charge reactions"', arms=ALL_ARMS)
class Reacted(Tested, frozen=True, kw_only=True):
    """The target of a charge answers it, before anybody knows how far the chargers run. Rulings N-S4, N-H7, N-M2."""

    anybody: ClassVar[bool] = True

    answer: Annotated[str, one_of(REACTIONS), titled("What it does")] = "stand"
    volley: Annotated[bool, titled("It tries a volley", "If it passes a test.")] = False
    front: Front = 0
    range: Annotated[Pool, titled("Die of the range")] = ()
    shots: Shots = ()
    kills: Kills = ()
    inches: Annotated[Pool, titled("Inches of flight")] = ()

    def charge(self, state: State) -> Charge:
        """The charge that it answers; one from nowhere where nobody charges, which ``input_errors`` tells."""
        return state.charge_on(self.fighter) or Charge(self.fighter, self.fighter, 0)

    @property
    def shoots(self) -> bool:
        """Does it fire?"""
        return self.answer in ("stand-and-shoot", "fire-and-flee")

    @property
    def flees(self) -> bool:
        """Does it run?"""
        return self.answer in ("flee", "fire-and-flee", "evade")

    def tests(self, state: State) -> bool:
        return self.answer in ("evade", "square", "counter-charge") or (
            self.volley and self.answer == "stand-and-shoot"
        )

    def nerve(self, state: State) -> Nerve:
        one, charge = state.combatants[self.fighter], self.charge(state)
        if self.answer != "square":
            return self.usual(state)
        inches, dice = charge_reach(state.combatants[charge.fighter].formation)
        close = within_half(charge.needs, inches + 7 * dice // 2)
        return square_nerve(self.usual(state), one.formation, close=close)

    def fire(self, state: State) -> Fire:
        """Its defensive fire."""
        charge, one = self.charge(state), state.combatants[self.fighter]
        square = book().formation[one.formation].square
        manner = "quarter" if square else "volley" if self.volley and self.passed(state) else "half"
        manner = "all" if one.skirmishing else manner
        told = {"inches": self.fired_at(state) or 0, "manner": manner, "charging": True}
        return small_arms(state, one, state.combatants[charge.fighter], self.front, **told)

    def fired_at(self, state: State) -> int | None:
        """The range of its fire, None for one that goes too high."""
        one = state.combatants[self.fighter]
        lines = defence_lines(grade_of(one.fighter, state.settings), disordered=one.disordered)
        return fires_at(self.range[0], total(lines), self.charge(state).needs) if self.range else None

    def running(self, state: State) -> bool:
        """Does it run in the end: because it wants to, or because a square has failed that was disordered before?"""
        evades = self.answer != "evade" or self.passed(state)
        failed = self.answer == "square" and not self.passed(state) and state.combatants[self.fighter].disordered
        return (self.flees and evades) or failed

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        one = state.combatants[self.fighter]
        yield {"range": int(self.shoots)}
        fire = self.fire(state)
        good = self.fired_at(state) is not None and not holds_fire(fire, state.settings.musket_long)
        yield {"shots": fire_dice(fire) * (self.shoots and good)}
        yield {"kills": successes(self.shots, fire_need(fire, state.settings.musket_long))}
        yield {"inches": flight_dice(mounted=one.cavalry, shot_first=self.shoots) * self.running(state)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        yield from super().input_errors(state, logged)
        if state.charge_on(self.fighter) is None:
            yield problem("nobody-charges-it", field="fighter", value=self.fighter, name=one.name)
        if self.shoots and not one.battery and not firing_rank(one, self.front):
            yield problem("front-unknown", field="front", value=str(self.front), name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, charge = state.combatants[self.fighter], self.charge(state)
        known = reactions(seen(state, one, state.combatants[charge.fighter]))
        told = {"name": one.name, "known": ", ".join(REACTIONS[each].lower() for each in known)}
        yield from super().violations(state, logged)
        yield from broken(
            (bool(charge.answer), "answered-already"), (self.answer not in known, "no-such-answer"), **told
        )

    def killed(self) -> int:
        """The chargers who fall."""
        return successes(self.kills, figures("shooting")["kills_on"])

    def apply(self, state: State, logged: LoggedEvent) -> State:
        before, charge, runs = state, self.charge(state), self.running(state)
        one, passed, fled = state.combatants[self.fighter], self.passed(state), sum(self.inches) * runs
        answer = "flee" if runs else self.answer if passed else "stand"
        state = super().apply(state, logged)
        others = tuple(each for each in state.charges if each.target != self.fighter)
        state = replace(state, charges=(*others, replace(charge, answer=answer, fled=fled)))
        if self.shoots:
            state = state.changed(self.fighter, loaded=False, front=self.front or one.front).did(self.fighter, "fired")
            state = state.hurt(charge.fighter, self.killed(), self.fighter, fire=True)
        if self.answer == "square":
            state = state.changed(self.fighter, formation="square") if passed else state.lowered(self.fighter)
        elif runs and self.answer != "evade":
            state = state.put(self.fighter, BROKEN)
        reacting = one.reacting and self.answer not in ("counter-charge", "square") and not runs
        return state.changed(self.fighter, reacting=reacting) if before else state

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.shots:
            fire, musket = self.fire(step.before), step.before.settings.musket_long
            yield needed(fire_need(fire, musket), fire_lines(fire, musket))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        charge = self.charge(step.before)
        if self.range:
            inches = self.fired_at(step.before)
            yield (
                "It fires too high." if inches is None else f"It fires at {inches} inches: {casualties(self.killed())}."
            )
            yield from fate_told(step, charge.fighter)
        if self.running(step.before):
            yield f"It runs {sum(self.inches)} inches."
        yield from fate_told(step, self.fighter)

    def sentence(self, names: dict[str, str]) -> str:  # type: ignore[override]
        return f"{names[self.fighter]}: {REACTIONS[self.answer].lower()}"


@kind("contact", "Chargers run", 'Slide 13: "Move to Contact"', "{fighter} runs at its target", arms=TROOPS)
class ChargersRan(_OnGround, frozen=True, kw_only=True):
    """The chargers run: into a fight, after somebody who flees, or short of it, disordered by a test. Slide 13."""

    run: Annotated[Pool, titled("Inches")] = ()

    def charge(self, state: State) -> Charge:
        """The charge."""
        return state.charge_of(self.fighter) or Charge(self.fighter, self.fighter, 0)

    def pace_of(self, state: State) -> str:
        return "charge"

    def reach(self, state: State) -> float:
        """How far they come, in inches."""
        return charge_reach(state.combatants[self.fighter].formation)[0] + sum(self.run)

    def arrives(self, state: State) -> bool:
        """Do they make contact, or come up with who flees? Who counter-charges is met half way."""
        charge = self.charge(state)
        needs = charge.needs / 2 if charge.answer == "counter-charge" else charge.needs + charge.fled
        return self.reach(state) >= needs

    def tests(self, state: State) -> bool:
        return bool(self.run) and (not self.arrives(state) or super().tests(state))

    def nerve(self, state: State) -> Nerve:
        return super().nerve(state) if self.arrives(state) else self.usual(state)

    def dice_wanted(self, state: State) -> Dice:
        yield {"run": charge_reach(state.combatants[self.fighter].formation)[1]}
        yield from super().dice_wanted(state)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        yield from super().input_errors(state, logged)
        if state.charge_of(self.fighter) is None:
            yield problem("charges-nobody", field="fighter", value=self.fighter, name=one.name)
        elif "charge" not in book().formation[one.formation].paces:
            yield problem(
                "formation-charges-not", field="fighter", value=self.fighter, name=one.name, formation=one.formation
            )

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, charge = state.combatants[self.fighter], self.charge(state)
        barred = one.cavalry and not one.fighter.cossacks and not book().ground[self.ground].cavalry_charges
        told = {"name": one.name, "ground": book().ground[self.ground].name.lower()}
        yield from super().violations(state, logged)
        yield from broken(
            (not charge.answer, "answer-first"),
            (test_due(state, one), "test-first"),
            (barred or self.effect(state) == "barred", "barred-ground"),
            **told,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        charge, arrives, one = self.charge(state), self.arrives(state), state.combatants[self.fighter]
        state = self.through(super().apply(state, logged), state).halted(self.fighter)
        state = state.changed(self.fighter, charges=one.charges + 1).did(self.fighter, "charged")
        if not arrives or state.combatants[self.fighter].order == BROKEN:
            return state
        if charge.answer == "flee" and state.combatants[charge.target].order != BROKEN:
            state = state.put(charge.target, BROKEN)
        combat = Combat(self.fighter, charge.target, charge.facing, charge.answer == "counter-charge")
        if charge.answer == "flee":
            combat = replace(combat, lost=charge.target, tested=True, broke=True, caught=True, ran=True)
            state = state.colours_taken(charge.target, self.fighter)
        return replace(state, combats=(*state.combats, combat))

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        if self.tests(step.before):
            yield from super().sums(step)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        arrives = self.arrives(step.before)
        yield f"{self.reach(step.before):g} inches: {'contact' if arrives else 'short'}."
        yield from super().told(step)
        yield from fate_told(step, self.fighter)
