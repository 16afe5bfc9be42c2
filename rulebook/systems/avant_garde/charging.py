"""The kinds of a charge: it is declared, the target answers, the chargers run."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, Names, ReplayStep, one_of, titled
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import charges, command, shooting
from rulebook.systems.avant_garde.book import Inches, book, figures, words
from rulebook.systems.avant_garde.events import Checks, Dice, Pool, Tested, kind
from rulebook.systems.avant_garde.firing import Fired, Front, Kills, Shots, firing_rank, untargetable
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, Nerve
from rulebook.systems.avant_garde.moves import OnGround
from rulebook.systems.avant_garde.odds import total
from rulebook.systems.avant_garde.state import Charge, Combat, Combatant, State
from rulebook.values.answers import ReasonedSum

WOODS = ("light-woods", "heavy-woods")
FACINGS, REACTS = words("facings"), words("reacts")


@kind("charge")
class ChargeDeclared(Tested, frozen=True, kw_only=True):
    """A charge is declared: a test against formed troops in good order in front, unless they are outnumbered."""

    target: Annotated[FighterId, titled("Whom")]
    inches: Annotated[Inches, titled("How far off")] = 8
    facing: Annotated[str, one_of(FACINGS), titled("Where it is hit")] = "front"
    impetuous: Annotated[bool, titled("Of its own accord", "Aggressive cavalry: neither pip nor test.")] = False

    def test(self, state: State) -> Nerve | None:
        one, other = self.one(state), state.combatants[self.target]
        if one.cavalry and one.skirmishing:
            return self.usual(state) if self.stands_formed(state) else None
        must = charges.must_test_to_charge(
            formed=not other.skirmishing and not other.battery,
            in_good_order=other.ready,
            frontally=self.facing == "front",
            own=one.figures,
            enemy=other.figures,
            aggressive=self.impetuous,
        )
        return self.usual(state) if must else None

    def stands_formed(self, state: State) -> bool:
        """Return whether the target is formed troops or guns that stand, which skirmishing riders shun. Slide 24."""
        other = state.combatants[self.target]
        return not (other.skirmishing or other.blown or other.order == BROKEN)

    def checks(self, state: State) -> Checks:
        one, other, order = self.one(state), state.combatants[self.target], state.orders.get(self.one(state).brigade)
        reach = self.farthest(state)
        charged = "charged" in one.did or any(one.id == each.fighter for each in state.charges)
        yield untargetable(one, other), "no-target"
        yield from super().checks(state)
        yield "charge" not in one.formed.paces, "formation-charges-not"
        yield reach and self.inches > reach, "too-far-to-charge"
        yield other.cavalry and not one.cavalry, "infantry-on-cavalry"
        yield one.skirmishing and not one.cavalry and not other.skirmishing, "skirmishers-on-formed"
        riders = one.cavalry and one.skirmishing
        yield riders and self.facing == "front" and self.stands_formed(state), "riders-in-front"
        yield riders and self.impetuous, "skirmishers-not-impetuous"
        yield self.impetuous and not one.cavalry, "cavalry-alone"
        free = self.away > state.radius(state.leader(one)) or state.nations[one.side] == "britain"
        near = figures("command")["aggressive_free" if free else "aggressive"]
        yield self.impetuous and self.inches > near, "not-so-near"
        held = order == "fall-back" or (order == "hold" and other.ready)
        yield held and not self.impetuous, "ordered-otherwise"
        yield charged, "charged-already"
        yield any(one.id in (each.fighter, each.target) for each in state.combats), "in-combat"

    def farthest(self, state: State) -> int:
        """How far it may come with the best of dice, in inches; 0 in a formation that does not charge."""
        formed = self.one(state).formed
        return formed.paces.get("charge", 0) + 6 * formed.charge_dice

    def told_of(self, state: State) -> Mapping[str, str]:
        written = command.WRITTEN.get(state.orders.get(self.one(state).brigade, ""), "").lower()
        return {**super().told_of(state), "reach": str(self.farthest(state)), "written": written}

    def follows(self, state: State, *, passed: bool) -> State:
        charge = Charge(self.fighter, self.target, self.inches, self.facing)
        return replace(state, charges=(*state.charges, charge)) if passed else state


@kind("reaction")
class Reacted(Tested, frozen=True, kw_only=True):
    """The target of a charge answers it, before anybody knows how far the chargers run. Rulings N-S4, N-H7, N-M2."""

    answer: Annotated[str, one_of(charges.REACTIONS), titled("What it does")] = "stand"
    volley: Annotated[bool, titled("It tries a volley", "If it passes a test.")] = False
    front: Front = 0
    range: Annotated[Pool, titled("Die of the range")] = ()
    shots: Shots = ()
    kills: Kills = ()
    inches: Annotated[Pool, titled("Inches of flight")] = ()

    def charge(self, state: State) -> Charge:
        """The charge that it has yet to answer, else any; one from nowhere where there is none."""
        own = (each for each in state.charges if each.target == self.fighter)
        return min(own, key=lambda each: bool(each.answer), default=Charge(self.fighter, self.fighter, 0))

    def charger(self, state: State) -> Combatant:
        """Who charges it."""
        return state.combatants[self.charge(state).fighter]

    @property
    def shoots(self) -> bool:
        """Does it fire?"""
        return self.answer in ("stand-and-shoot", "fire-and-flee")

    def test(self, state: State) -> Nerve | None:
        if self.answer != "square":
            volley = self.volley and self.answer == "stand-and-shoot"
            return self.usual(state) if volley or self.answer in ("evade", "counter-charge") else None
        inches, dice = charges.charge_reach(self.charger(state).formation)
        close = charges.within_half(self.charge(state).needs, inches + 7 * dice // 2)
        return charges.square_nerve(self.usual(state), self.one(state).formation, close=close)

    def sentence(self, names: Names) -> str:
        return f"{names[self.fighter]} {REACTS[self.answer]}"

    def fired(self, state: State) -> Fired:
        """Its defensive fire at who charges it."""
        manner = "volley" if self.volley and self.passed(state) else "half"
        return Fired(
            fighter=self.fighter,
            target=self.charge(state).fighter,
            inches=self.fired_at(state) or 0,
            front=self.front,
            manner="quarter" if self.one(state).formed.square else manner,
            shots=self.shots,
            kills=self.kills,
        )

    def fired_at(self, state: State) -> int | None:
        """The range of its fire, None for one that goes too high."""
        one = self.one(state)
        lines = charges.defence_lines(state.grade(one), disordered=one.disordered)
        return charges.fires_at(self.range[0], total(lines), self.charge(state).needs) if self.range else None

    def runs(self, state: State) -> bool:
        """Does it run in the end: because it wants to, or because a square has failed that was disordered before?"""
        if self.answer == "square":
            return not self.passed(state) and self.one(state).disordered
        return self.answer in ("flee", "fire-and-flee") or (self.answer == "evade" and self.passed(state))

    def flight(self, state: State) -> float:
        """How far it runs, in inches: horse guns limber as they go."""
        one = self.one(state)
        return charges.flight_inches(self.inches, limbers=one.fighter.horse and one.formation == "unlimbered")

    def dice_wanted(self, state: State) -> Dice:
        one = self.one(state)
        yield from super().dice_wanted(state)
        yield {"range": int(self.shoots)}
        fire = self.fired(state).fire(state)
        fires = self.fired_at(state) is not None and not shooting.holds_fire(fire)
        yield {"shots": shooting.fire_dice(fire) * fires}
        yield {"kills": successes(self.shots, shooting.fire_need(fire))}
        flight = charges.flight_dice(mounted=one.cavalry or one.fighter.horse, shot_first=self.shoots)
        yield {"inches": flight * self.runs(state)}

    def checks(self, state: State) -> Checks:
        one = self.one(state)
        yield from super().checks(state)
        yield self.shoots and not one.battery and not firing_rank(one, self.front), "front-unknown"
        yield self.charge(state).answer, "answered-already"
        yield self.answer not in self.known(state), "no-such-answer"

    def known(self, state: State) -> tuple[str, ...]:
        """What it may answer."""
        one, charger = self.one(state), self.charger(state)
        charged = charges.Charged(
            arm=one.fighter.arm,
            formation=one.formation,
            state=DISORDERED if one.disordered else one.order,
            loaded=one.loaded and bool(one.fighter.weapon) and one.order != BROKEN,
            evades=one.battery or one.skirmishing or (one.cavalry and one.fighter.mount == "light"),
            on_react=one.reacting,
            mounted=charger.cavalry,
            formed=not (charger.skirmishing or charger.fighter.cossacks),
        )
        return charges.reactions(charged)

    def told_of(self, state: State) -> Mapping[str, str]:
        known = ", ".join(charges.REACTIONS[each].lower() for each in self.known(state))
        return {**super().told_of(state), "known": known}

    def follows(self, state: State, *, passed: bool) -> State:
        one, charge, runs, fired = self.one(state), self.charge(state), self.runs(state), self.fired(state)
        answer = "flee" if runs else self.answer if passed else "stand"
        answered = replace(charge, answer=answer, fled=self.flight(state))
        state = replace(state, charges=tuple(answered if each == charge else each for each in state.charges))
        if self.shoots:
            state = fired.follows(state, passed=True)
        if self.answer == "square":
            state = state.changed(one.id, formation="square") if passed else state.lowered(one.id)
        elif runs and self.answer != "evade":
            state = state.put(one.id, BROKEN)
        return state.changed(one.id, reacting=state.combatants[one.id].reacting and self.answer != "counter-charge")

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.shots:
            yield from self.fired(step.before).sums(step)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.range:
            inches = self.fired_at(step.before)
            yield "It fires too high." if inches is None else f"It fires at {inches} inches."
        if self.runs(step.before):
            yield f"It runs {self.flight(step.before):g} inches."


@kind("contact")
class ChargersRan(OnGround, frozen=True, kw_only=True):
    """The chargers run: into a fight, after somebody who flees, or short of it, disordered by a test. Slide 13."""

    run: Annotated[Pool, titled("Inches")] = ()

    def charge(self, state: State) -> Charge:
        """The charge; one at nobody where there is none."""
        own = (each for each in state.charges if each.fighter == self.fighter)
        return next(own, Charge(self.fighter, self.fighter, 0))

    def pace_of(self, state: State) -> str:
        return "charge"

    def reach(self, state: State) -> float:
        """How far they come, in inches."""
        return charges.charge_reach(self.one(state).formation)[0] + sum(self.run)

    def arrives(self, state: State) -> bool:
        """Do they make contact, or come up with who flees? Who counter-charges is met half way."""
        charge = self.charge(state)
        needs = charge.needs / 2 if charge.answer == "counter-charge" else charge.needs + charge.fled
        return self.reach(state) >= needs

    def test(self, state: State) -> Nerve | None:
        if not self.run:
            return None
        return super().test(state) if self.arrives(state) else self.usual(state)

    def dice_wanted(self, state: State) -> Dice:
        yield {"run": charges.charge_reach(self.one(state).formation)[1]}
        yield from super().dice_wanted(state)

    def checks(self, state: State) -> Checks:
        one = self.one(state)
        woods = self.ground in WOODS and (one.fighter.cossacks or one.skirmishing)
        barred = one.cavalry and not woods and not book().ground[self.ground].cavalry_charges
        yield from super().checks(state)
        yield not self.charge(state).answer, "answer-first"
        yield state.test_due(one), "test-first"
        yield barred or self.effect(state) == "barred", "barred-ground"

    def follows(self, state: State, *, passed: bool) -> State:
        charge, arrives, one = self.charge(state), self.arrives(state), self.one(state)
        state = self.through(state, passed=passed).halted(one.id)
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
