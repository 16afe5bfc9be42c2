"""The kinds of a charge: it is declared, the target answers, the chargers run."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, ReplayStep, one_of, titled
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import charges, command, shooting
from rulebook.systems.avant_garde.book import Inches, book, broken, figures, problem
from rulebook.systems.avant_garde.events import ALL_ARMS, TROOPS, Dice, Pool, Tested, kind, radius_of
from rulebook.systems.avant_garde.fighters import grade_of
from rulebook.systems.avant_garde.firing import (
    Front,
    Kills,
    Shots,
    firing_rank,
    needed,
    small_arms,
    test_due,
    untargetable,
)
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, Nerve
from rulebook.systems.avant_garde.moves import GROUNDS, MOVING, OnGround
from rulebook.systems.avant_garde.odds import total
from rulebook.systems.avant_garde.state import Charge, Combat, Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

FACINGS = {"front": "In front", "flank": "In the flank", "rear": "In the rear", "both": "In flank and rear"}
CHARGING = 'Slide 12: "Hand to Hand Combat"'


@kind("charge", "Charge", CHARGING, "{fighter} charges {target}", steps=MOVING, arms=TROOPS, riding=True)
class ChargeDeclared(Tested, frozen=True, kw_only=True):
    """A charge is declared: a test against formed troops in good order in front, unless they are outnumbered."""

    target: Annotated[FighterId, titled("Whom")]
    inches: Annotated[Inches, titled("How far off")] = 8
    facing: Annotated[str, one_of(FACINGS), titled("Where it is hit")] = "front"
    impetuous: Annotated[bool, titled("Of its own accord", "Aggressive cavalry: neither pip nor test.")] = False

    def ordered(self, state: State) -> str:
        return "" if self.impetuous else "charge"

    def tests(self, state: State) -> bool:
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        return charges.must_test_to_charge(
            formed=not other.skirmishing and not other.battery,
            in_good_order=other.ready,
            frontally=self.facing == "front",
            own=one.figures,
            enemy=other.figures,
            aggressive=self.impetuous,
        )

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        yield from untargetable(state.combatants[self.fighter], state.combatants[self.target])

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, other = state.combatants[self.fighter], state.combatants[self.target]
        formation = book().formation[one.formation]
        reach = formation.paces.get("charge", 0) + 6 * formation.charge_dice
        known, order = figures("command"), state.orders.get(one.brigade, "")
        free = self.away > radius_of(state, state.leader(one)) or state.nations[one.side] == "britain"
        aggressive = known["aggressive_free" if free else "aggressive"]
        again = "charged" in one.did or any(one.id == each.fighter for each in state.charges)
        yield from super().violations(state, logged)
        yield from broken(
            (not one.ready, "not-in-good-order"),
            ("charge" not in formation.paces, "formation-charges-not"),
            (bool(reach) and self.inches > reach, "too-far-to-charge"),
            (other.cavalry and not one.cavalry, "infantry-on-cavalry"),
            (one.skirmishing and not one.cavalry and not other.skirmishing, "skirmishers-on-formed"),
            (self.impetuous and not one.cavalry, "cavalry-alone"),
            (self.impetuous and self.inches > aggressive, "not-so-near"),
            (not self.impetuous and (order == "fall-back" or (order == "hold" and other.ready)), "ordered-otherwise"),
            (again, "charged-already"),
            (any(one.id in (each.fighter, each.target) for each in state.combats), "in-combat"),
            name=one.name,
            formation=formation.name.lower(),
            order=command.WRITTEN.get(order, "").lower(),
            inches=aggressive,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        charge, passed = Charge(self.fighter, self.target, self.inches, self.facing), self.passed(state)
        return replace(super().apply(state, logged), charges=(*state.charges, *(charge,) * passed))


@kind("reaction", "Answer a charge", 'Slide 12: "Charge reactions"', "{fighter}: {answer}", arms=ALL_ARMS)
class Reacted(Tested, frozen=True, kw_only=True):
    """The target of a charge answers it, before anybody knows how far the chargers run. Rulings N-S4, N-H7, N-M2."""

    anybody: ClassVar[bool] = True

    answer: Annotated[str, one_of(charges.REACTIONS), titled("What it does")] = "stand"
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

    def tests(self, state: State) -> bool:
        volley = self.volley and self.answer == "stand-and-shoot"
        return volley or self.answer in ("evade", "square", "counter-charge")

    def nerve(self, state: State) -> Nerve:
        one, charge = state.combatants[self.fighter], self.charge(state)
        if self.answer != "square":
            return self.usual(state)
        inches, dice = charges.charge_reach(state.combatants[charge.fighter].formation)
        close = charges.within_half(charge.needs, inches + 7 * dice // 2)
        return charges.square_nerve(self.usual(state), one.formation, close=close)

    def fire(self, state: State) -> shooting.Fire:
        """Its defensive fire."""
        one, charger = state.combatants[self.fighter], state.combatants[self.charge(state).fighter]
        manner = "volley" if self.volley and self.passed(state) else "half"
        manner = "quarter" if book().formation[one.formation].square else "all" if one.skirmishing else manner
        return small_arms(
            state, one, charger, self.front, inches=self.fired_at(state) or 0, manner=manner, charging=True
        )

    def fired_at(self, state: State) -> int | None:
        """The range of its fire, None for one that goes too high."""
        one = state.combatants[self.fighter]
        lines = charges.defence_lines(grade_of(one.fighter, state.settings), disordered=one.disordered)
        return charges.fires_at(self.range[0], total(lines), self.charge(state).needs) if self.range else None

    def runs(self, state: State) -> bool:
        """Does it run in the end: because it wants to, or because a square has failed that was disordered before?"""
        if self.answer == "square":
            return not self.passed(state) and state.combatants[self.fighter].disordered
        return self.answer in ("flee", "fire-and-flee") or (self.answer == "evade" and self.passed(state))

    def flight(self, state: State) -> float:
        """How far it runs, in inches: horse guns limber as they go."""
        one = state.combatants[self.fighter]
        limbers = one.fighter.horse and one.formation == "unlimbered"
        return charges.flight_inches(self.inches, limbers=limbers)

    def dice_wanted(self, state: State) -> Dice:
        one = state.combatants[self.fighter]
        yield from super().dice_wanted(state)
        yield {"range": int(self.shoots)}
        fire = self.fire(state)
        fires = self.fired_at(state) is not None and not shooting.holds_fire(fire)
        yield {"shots": shooting.fire_dice(fire) * fires}
        yield {"kills": successes(self.shots, shooting.fire_need(fire))}
        yield {
            "inches": charges.flight_dice(mounted=one.cavalry or one.fighter.horse, shot_first=self.shoots)
            * self.runs(state)
        }

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        yield from super().input_errors(state, logged)
        if state.charge_on(self.fighter) is None:
            yield problem("nobody-charges-it", field="fighter", value=self.fighter, name=one.name)
        if self.shoots and not one.battery and not firing_rank(one, self.front):
            yield problem("front-unknown", field="front", value=str(self.front), name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, charge = state.combatants[self.fighter], self.charge(state)
        known = charges.reactions(seen(one, state.combatants[charge.fighter]))
        told = {"name": one.name, "known": ", ".join(charges.REACTIONS[each].lower() for each in known)}
        yield from super().violations(state, logged)
        yield from broken((charge.answer, "answered-already"), (self.answer not in known, "no-such-answer"), **told)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one, charge, runs, passed = (
            state.combatants[self.fighter],
            self.charge(state),
            self.runs(state),
            self.passed(state),
        )
        answer = "flee" if runs else self.answer if passed else "stand"
        answered = replace(charge, answer=answer, fled=self.flight(state))
        state = super().apply(state, logged)
        state = replace(state, charges=tuple(answered if each == charge else each for each in state.charges))
        if self.shoots:
            state = state.changed(one.id, loaded=False, front=self.front or one.front).did(one.id, "fired")
            killed = successes(self.kills, figures("shooting")["kills_on"])
            state = state.hurt(charge.fighter, killed, one.id, fire=True)
        if self.answer == "square":
            state = state.changed(one.id, formation="square") if passed else state.lowered(one.id)
        elif runs and self.answer != "evade":
            state = state.put(one.id, BROKEN)
        return state.changed(one.id, reacting=state.combatants[one.id].reacting and self.answer != "counter-charge")

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.shots:
            fire = self.fire(step.before)
            yield needed(shooting.fire_need(fire), shooting.fire_lines(fire))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.range:
            inches = self.fired_at(step.before)
            yield "It fires too high." if inches is None else f"It fires at {inches} inches."
        if self.runs(step.before):
            yield f"It runs {self.flight(step.before):g} inches."


def seen(one: Combatant, charger: Combatant) -> charges.Charged:
    """A unit that is charged, as the rules about reactions see it."""
    return charges.Charged(
        arm=one.fighter.arm,
        formation=one.formation,
        state=DISORDERED if one.disordered else one.order,
        loaded=one.loaded and bool(one.fighter.weapon) and one.order != BROKEN,
        evades=one.battery or one.skirmishing or (one.cavalry and one.fighter.mount == "light"),
        on_react=one.reacting,
        mounted=charger.cavalry,
        formed=not charger.skirmishing,
    )


@kind("contact", "Chargers run", 'Slide 13: "Move to Contact"', "{fighter} runs at its target", arms=TROOPS)
class ChargersRan(OnGround, frozen=True, kw_only=True):
    """The chargers run: into a fight, after somebody who flees, or short of it, disordered by a test. Slide 13."""

    run: Annotated[Pool, titled("Inches")] = ()

    def charge(self, state: State) -> Charge:
        """The charge; one at nobody where there is none, which ``input_errors`` tells."""
        found = (each for each in state.charges if each.fighter == self.fighter)
        return next(found, Charge(self.fighter, self.fighter, 0))

    def pace_of(self, state: State) -> str:
        return "charge"

    def reach(self, state: State) -> float:
        """How far they come, in inches."""
        return charges.charge_reach(state.combatants[self.fighter].formation)[0] + sum(self.run)

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
        yield {"run": charges.charge_reach(state.combatants[self.fighter].formation)[1]}
        yield from super().dice_wanted(state)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        if not self.charge(state).needs and self.charge(state).target == self.fighter:
            name = state.combatants[self.fighter].name
            yield problem("charges-nobody", field="fighter", value=self.fighter, name=name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, effect = state.combatants[self.fighter], self.effect(state)
        barred = one.cavalry and not one.fighter.cossacks and not book().ground[self.ground].cavalry_charges
        yield from super().violations(state, logged)
        yield from broken(
            (not self.charge(state).answer, "answer-first"),
            (test_due(state, one), "test-first"),
            (barred or effect == "barred", "barred-ground"),
            name=one.name,
            ground=GROUNDS[self.ground].lower(),
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        charge, arrives, one = self.charge(state), self.arrives(state), state.combatants[self.fighter]
        state = self.through(state, super().apply(state, logged)).halted(one.id)
        state = state.changed(one.id, charges=one.charges + 1).did(one.id, "charged")
        if not arrives or state.combatants[one.id].order == BROKEN:
            return state
        combat = Combat(one.id, charge.target, charge.facing, charge.answer == "counter-charge")
        if charge.answer == "flee":
            combat = replace(combat, lost=charge.target, tested=True, broke=True, caught=True, ran=True)
            broke = state.combatants[charge.target].order == BROKEN
            state = state if broke else state.put(charge.target, BROKEN)
            state = state.colours_taken(charge.target, one.id)
        return replace(state, combats=(*state.combats, combat))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield f"{self.reach(step.before):g} inches: {'contact' if self.arrives(step.before) else 'short'}."
        yield from super().told(step)
