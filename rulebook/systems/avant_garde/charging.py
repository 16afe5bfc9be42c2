"""The kinds of a charge: it is declared, the target answers, the chargers run."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec.structs import replace

from rulebook.battle_log.kinds import CombatantNames, FighterId, ReplayStep, choice_meta, field_meta
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import charges, command, shooting
from rulebook.systems.avant_garde.book import Inches, book, figures, words
from rulebook.systems.avant_garde.events import MOVES, STEPS, Checks, Dice, Pool, Tested, kind
from rulebook.systems.avant_garde.fighters import one_change
from rulebook.systems.avant_garde.firing import (
    Fired,
    Front,
    Kills,
    Shots,
    firing_rank,
    untargetable,
    with_front,
)
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, Nerve
from rulebook.systems.avant_garde.moves import OnGround
from rulebook.systems.avant_garde.odds import total
from rulebook.systems.avant_garde.state import Charge, Combat, Combatant, State, inches_told
from rulebook.values.answers import ReasonedSum
from rulebook.values.fields import Choices, Field
from rulebook.values.problems import Problem

WOODS = ("light-woods", "heavy-woods")
FACINGS, REACTS = words("facings"), words("reacts")


@kind("charge")
class ChargeDeclared(Tested, frozen=True, kw_only=True):
    """A charge is declared: a test against formed troops in good order in front, unless they are
    outnumbered."""

    target: Annotated[FighterId, field_meta("Target")]
    inches: Annotated[Inches, field_meta("Distance")] = 8
    facing: Annotated[str, choice_meta(FACINGS), field_meta("Where it is hit")] = "front"
    impetuous: Annotated[
        bool, field_meta("Of its own accord", "Aggressive cavalry: no pip or test needed.")
    ] = False
    interrupts: Annotated[
        bool,
        field_meta(
            "In the enemy’s movement",
            "On reaction, at a unit that was out of reach or sight before.",
        ),
    ] = False

    def ordered(self, state: State) -> str:
        return "" if self.interrupts else super().ordered(state)

    def test(self, state: State) -> Nerve | None:
        combatant, target = self.combatant(state), state.combatants[self.target]
        if combatant.cavalry and combatant.skirmishing:
            return self.usual(state) if self.stands_formed(state) else None
        if self.interrupts:
            return self.usual(state)
        must = charges.must_test_to_charge(
            formed=not target.skirmishing and not target.battery,
            in_good_order=target.ready,
            frontally=self.facing == "front",
            own=combatant.figures,
            enemy=target.figures,
            aggressive=self.impetuous,
        )
        return self.usual(state) if must else None

    def dice_errors(self, state: State) -> Iterable[Problem]:
        """Return what is wrong with its dice. Older logs have none for riders who skirmish; Muster
        throws them now."""
        combatant = self.combatant(state)
        return (
            ()
            if combatant.cavalry and combatant.skirmishing and not self.dice
            else super().dice_errors(state)
        )

    def stands_formed(self, state: State) -> bool:
        """Return whether the target is formed troops or guns that stand, which skirmishing riders
        shun. Slide 24."""
        other = state.combatants[self.target]
        return not (other.skirmishing or other.blown or other.order == BROKEN)

    @classmethod
    def next_for(cls, state: State, fighter: Combatant | None) -> int | None:
        # Cavalry that has just arrived charges in the cavalry movement alone, infantry in a later
        # turn. Slide 36.
        if fighter is None or "arrived" not in fighter.did or not fighter.cavalry:
            return super().next_for(state, fighter)
        return cls.next_step(state, fighter.side, MOVES)

    def checks(self, state: State) -> Checks:
        combatant, target = self.combatant(state), state.combatants[self.target]
        yield untargetable(combatant, target), "no-target"
        yield from super().checks(state)

        # What its formation and arm allow.
        reach = self.farthest(state)
        yield "charge" not in combatant.formed.paces, "formation-charges-not"
        yield reach and self.inches > reach, "too-far-to-charge"
        yield target.cavalry and not combatant.cavalry, "infantry-on-cavalry"
        yield (
            combatant.skirmishing and not combatant.cavalry and not target.skirmishing,
            "skirmishers-on-formed",
        )
        riders = combatant.cavalry and combatant.skirmishing
        yield riders and self.facing == "front" and self.stands_formed(state), "riders-in-front"
        yield riders and self.impetuous, "skirmishers-not-impetuous"

        # Of its own accord charges cavalry alone, at what is near, and the British more freely.
        yield self.impetuous and not combatant.cavalry, "cavalry-alone"
        british = state.nations[combatant.side] == "britain"
        yield self.impetuous and target.skirmishing and not british, "aggressive-at-formed"
        free = self.away > state.radius(state.leader(combatant)) or british
        near = figures("command")["aggressive_free" if free else "aggressive"]
        yield self.impetuous and self.inches > near, "not-so-near"

        # What the order of its brigade allows, and what it has done in this turn already.
        order = state.orders.get(combatant.brigade)
        held = order == "fall-back" or (order == "hold" and target.ready)
        yield held and not self.impetuous, "ordered-otherwise"
        bound = one_change(combatant.fighter, state.nations[combatant.side], state.settings)
        yield bound and "formed" in combatant.did and self.now(state) in MOVES, "formed-instead"
        charged = "charged" in combatant.did or any(
            combatant.id == each.fighter for each in state.charges
        )
        yield charged, "charged-already"

        # In the enemy's movement it takes a reaction token. Slide 5: "Reaction".
        yield self.interrupts and not combatant.reacting, "no-token"
        yield (
            self.interrupts and (STEPS[state.step] not in MOVES or state.acts(combatant.side)),
            "no-enemy-moves",
        )
        yield (
            "arrived" in combatant.did and (not combatant.cavalry or self.now(state) in MOVES),
            "arrived-now",
        )
        yield (
            any(combatant.id in (each.fighter, each.target) for each in state.combats),
            "in-combat",
        )

    def farthest(self, state: State) -> int:
        """Return how far it may come with the best of dice, in inches; 0 in a formation that does
        not charge."""
        formed = self.combatant(state).formed
        return formed.paces.get("charge", 0) + 6 * formed.charge_dice

    def placeholders(self, state: State) -> Mapping[str, str]:
        written = command.WRITTEN.get(
            state.orders.get(self.combatant(state).brigade, ""), ""
        ).lower()
        return {
            **super().placeholders(state),
            "reach": str(self.farthest(state)),
            "written": written,
        }

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.interrupts:
            yield "It interrupts the enemy’s movement."
        yield from super().outcome_sentences(step)

    def follows(self, state: State, *, passed: bool) -> State:
        charge = Charge(
            self.fighter,
            self.target,
            self.inches,
            self.facing,
            impetuous=self.impetuous,
            interrupts=self.interrupts,
        )
        state = state.changed(self.fighter, reacting=False) if self.interrupts else state
        return replace(state, charges=(*state.charges, charge)) if passed else state


@kind("reaction")
class Reacted(Tested, frozen=True, kw_only=True):
    """The target of a charge answers it, before anybody knows how far the chargers run. Rulings
    N-S4, N-H7, N-M2."""

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"run": ("", "")}

    answer: Annotated[str, choice_meta(charges.REACTIONS), field_meta("Action")] = "stand"
    volley: Annotated[bool, field_meta("It tries a volley", "If it passes a test.")] = False
    front: Front = 0
    run: Annotated[Pool, field_meta("Inches of the chargers", "Before trying to form square.")] = ()
    range: Annotated[Pool, field_meta("Die of the range")] = ()
    shots: Shots = ()
    kills: Kills = ()
    inches: Annotated[Pool, field_meta("Inches of flight")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return any(each.target == combatant.id for each in state.charges)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        able = cls(fighter=actor).allowed_answers(state)
        answers = tuple((key, name) for key, name in charges.REACTIONS.items() if key in able)
        return {**super().choices_for(state, actor), "answer": answers}

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        """Return a field with its last front as the default; it is needed only if the unit
        shoots."""
        field = super().prefilled(state, combatant, field)
        if field.key != "front":
            return field
        if combatant.battery or firing_rank(combatant, 0):
            return with_front(field, combatant)
        return replace(field, help="Required if it shoots: how many are in range and arc.")

    def charge(self, state: State) -> Charge:
        """Return the charge that it has yet to answer, else any; one from nowhere where there is
        none."""
        own = (each for each in state.charges if each.target == self.fighter)
        return min(
            own, key=lambda each: bool(each.answer), default=Charge(self.fighter, self.fighter, 0)
        )

    def charger(self, state: State) -> Combatant:
        """Return who charges it."""
        return state.combatants[self.charge(state).fighter]

    @property
    def shoots(self) -> bool:
        """Return whether it fires."""
        return self.answer in ("stand-and-shoot", "fire-and-flee")

    def test(self, state: State) -> Nerve | None:
        if self.answer != "square":
            volley = self.volley and self.answer == "stand-and-shoot"
            return (
                self.usual(state) if volley or self.answer in ("evade", "counter-charge") else None
            )
        close = charges.within_half(self.charge(state).needs, self.charge_inches(state))
        return charges.square_nerve(self.usual(state), self.combatant(state).formation, close=close)

    def charge_inches(self, state: State) -> int:
        """Return how far the chargers run, as rolled; the average in logs kept before they rolled
        first (N-H9)."""
        inches, dice = charges.charge_reach(self.charger(state).formation)
        rolled = self.run or self.charge(state).run
        return inches + (sum(rolled) if rolled else 7 * dice // 2)

    def sentence(self, names: CombatantNames) -> str:
        return f"{names[self.fighter]} {REACTS[self.answer]}"

    def fired(self, state: State) -> Fired:
        """Return its defensive fire at who charges it."""
        manner = "volley" if self.volley and self.passed(state) else "half"
        return Fired(
            fighter=self.fighter,
            target=self.charge(state).fighter,
            inches=self.fired_at(state) or 0,
            front=self.front,
            manner="quarter" if self.combatant(state).formed.square else manner,
            shots=self.shots,
            kills=self.kills,
        )

    def fired_at(self, state: State) -> int | None:
        """Return the range of its fire, None for one that goes too high."""
        combatant = self.combatant(state)
        lines = charges.defence_lines(state.grade(combatant), disordered=combatant.disordered)
        return (
            charges.fires_at(self.range[0], total(lines), self.charge(state).needs)
            if self.range
            else None
        )

    def runs(self, state: State) -> bool:
        """Return whether it runs in the end.

        It runs because it wants to, or as a square that failed and was disordered before.
        """
        if self.answer == "square":
            return not self.passed(state) and self.combatant(state).disordered
        return self.answer in ("flee", "fire-and-flee") or (
            self.answer == "evade" and self.passed(state)
        )

    def rallies_at_once(self, state: State) -> bool:
        """Return whether it is in good order again once it has got away: who evades, and riders who
        skirmish."""
        combatant = self.combatant(state)
        riders = combatant.cavalry and combatant.skirmishing and not combatant.disordered
        return self.answer == "evade" or (riders and self.answer == "flee")

    def flight(self, state: State) -> float:
        """Return how far it runs, in inches: horse guns limber as they go."""
        combatant = self.combatant(state)
        return charges.flight_inches(
            self.inches, limbers=combatant.fighter.horse and combatant.formation == "unlimbered"
        )

    def dice_wanted(self, state: State) -> Dice:
        combatant = self.combatant(state)
        runs_first = self.answer == "square" and not self.charge(state).run
        # The chargers roll first: how far they run decides how hard it is to form square. Ruling
        # N-H9.
        yield {"run": charges.charge_reach(self.charger(state).formation)[1] if runs_first else 0}
        yield from super().dice_wanted(state)
        # Then it fires, if it does and not too high, and then it runs.
        yield {"range": figures("command")["range_dice"] if self.shoots else 0}
        fire = self.fired(state).fire(state)
        fires = self.fired_at(state) is not None and not shooting.holds_fire(fire)
        yield {"shots": shooting.fire_dice(fire) if fires else 0}
        yield {"kills": successes(self.shots, shooting.fire_need(fire))}
        flight = charges.flight_dice(
            mounted=combatant.cavalry or combatant.fighter.horse, shot_first=self.shoots
        )
        yield {"inches": flight if self.runs(state) else 0}

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        yield from super().checks(state)
        yield (
            self.shoots and not combatant.battery and not firing_rank(combatant, self.front),
            "front-unknown",
        )
        yield self.charge(state).answer, "answered-already"
        yield self.answer not in self.allowed_answers(state), "no-such-answer"

    def allowed_answers(self, state: State) -> tuple[str, ...]:
        """Return what it may answer."""
        combatant, charger = self.combatant(state), self.charger(state)

        # Nobody fires who runs, whom friends have burst through, or who has entered a town in this
        # turn.
        holds = combatant.order == BROKEN or not {"burst", "entered"}.isdisjoint(combatant.did)
        charged = charges.Charged(
            arm=combatant.fighter.arm,
            formation=combatant.formation,
            state=DISORDERED if combatant.disordered else combatant.order,
            loaded=combatant.loaded and bool(combatant.fighter.weapon) and not holds,
            evades=combatant.battery
            or combatant.skirmishing
            or (combatant.cavalry and combatant.fighter.mount == "light"),
            on_react=combatant.reacting or self.charge(state).interrupts,
            mounted=charger.cavalry,
            formed=not (charger.skirmishing or charger.fighter.cossacks),
        )
        return charges.reactions(charged)

    def placeholders(self, state: State) -> Mapping[str, str]:
        reactions = ", ".join(
            charges.REACTIONS[each].lower() for each in self.allowed_answers(state)
        )
        return {**super().placeholders(state), "known": reactions}

    def follows(self, state: State, *, passed: bool) -> State:
        # Its fire is that of the unit as it stood: it is made before anything changes.
        combatant = self.combatant(state)
        charge = self.charge(state)
        runs = self.runs(state)
        fired = self.fired(state)

        # Who fails the test that its answer takes stands, unless it runs.
        answer = self.answer if passed else "stand"
        if runs:
            answer = "flee"
        answered = replace(
            charge, answer=answer, fled=self.flight(state), run=self.run or charge.run
        )
        state = replace(
            state, charges=tuple(answered if each == charge else each for each in state.charges)
        )
        if self.shoots:
            state = fired.follows(state, passed=True)
        if self.answer == "square":
            # A unit that stands in a square already reforms from it. Slide 13. Ruling N-H12.
            formation = "line" if combatant.formed.square else "square"
            state = (
                state.changed(combatant.id, formation=formation)
                if passed
                else state.lowered(combatant.id)
            )
        elif runs and not self.rallies_at_once(state):
            state = state.put(combatant.id, BROKEN)

        # A counter-charge spends the reaction token, and so may what went before.
        reacting = state.combatants[combatant.id].reacting and self.answer != "counter-charge"
        return state.changed(combatant.id, reacting=reacting)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.shots:
            yield from self.fired(step.before).sums(step)

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.run:
            reach, needs = self.charge_inches(step.before), self.charge(step.before).needs
            side = "within" if charges.within_half(needs, reach) else "not within"
            yield f"The chargers roll {reach} inches: {needs:g} is {side} half of it (Ruling N-H9)."
        yield from super().outcome_sentences(step)
        if self.range:
            inches = self.fired_at(step.before)
            yield "It fires too high." if inches is None else f"It fires at {inches_told(inches)}."
        if self.runs(step.before):
            yield f"It runs {inches_told(self.flight(step.before))}."


@kind("contact")
class ChargersRan(OnGround, frozen=True, kw_only=True):
    """The chargers run: into a fight, after somebody who flees, or short of it, disordered by a
    test. Slide 13."""

    redirect: Annotated[
        FighterId, field_meta("New target if it gets away", "A unit that it hid before.")
    ] = ""
    gap: Annotated[Inches, field_meta("Distance to it", "From where the chargers started.")] = 8
    facing: Annotated[str, choice_meta(FACINGS), field_meta("Where it is hit then")] = "front"
    around: Annotated[
        bool, field_meta("They ride round the square", "They charge nobody else.")
    ] = False
    run: Annotated[Pool, field_meta("Inches")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return any(each.fighter == combatant.id for each in state.charges)

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        return {
            **super().choices_for(state, actor),
            **dict.fromkeys(cls.hidden_from(state, actor), ()),
        }

    @classmethod
    def asks(cls, state: State, fighter: Combatant) -> bool:
        return not {"redirect", "around"} <= {*cls.hidden_from(state, fighter.id)}

    @staticmethod
    def hidden_from(state: State, charger: str) -> tuple[str, ...]:
        """Return the fields that mean nothing for a charger: those of a new target, or of a ride
        around a square."""
        charge = next((each for each in state.charges if each.fighter == charger), None)
        turns = charge is not None and charge.answer == "flee" and not charge.turned
        rides = charge is not None and may_ride_round(state, charge)
        redirection = () if turns else ("redirect", "gap", "facing")
        return redirection if rides else (*redirection, "around")

    def charge(self, state: State) -> Charge:
        """Return the charge; one at nobody where there is none."""
        own = (each for each in state.charges if each.fighter == self.fighter)
        return next(own, Charge(self.fighter, self.fighter, 0))

    def pace_of(self, state: State) -> str:
        return "charge"

    def reach(self, state: State) -> float:
        """Return how far they come, in inches."""
        return charges.charge_reach(self.combatant(state).formation)[0] + sum(self.rolled(state))

    def rolled(self, state: State) -> tuple[int, ...]:
        """Return their dice of inches, which may have been thrown before. Rulings N-H9, N-H10."""
        return self.charge(state).run or self.run

    def turns(self, state: State) -> bool:
        """Return whether they turn on another unit, because the first one has got away. Slide
        13."""
        return bool(self.redirect) and not self.arrives(state)

    def arrives(self, state: State) -> bool:
        """Return whether they make contact, or come up with who flees. Who counter-charges is met
        half way."""
        charge = self.charge(state)
        needs = (
            charge.needs / 2 if charge.answer == "counter-charge" else charge.needs + charge.fled
        )
        return self.reach(state) >= needs

    def test(self, state: State) -> Nerve | None:
        if not self.rolled(state) or self.turns(state):
            return None
        return super().test(state) if self.arrives(state) else self.usual(state)

    def dice_wanted(self, state: State) -> Dice:
        yield {
            "run": 0
            if self.charge(state).run
            else charges.charge_reach(self.combatant(state).formation)[1]
        }
        yield from super().dice_wanted(state)

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        charge = self.charge(state)
        other = state.combatants.get(self.redirect)
        woods = self.ground in WOODS and (combatant.fighter.cossacks or combatant.skirmishing)
        barred = combatant.cavalry and not woods and not book().ground[self.ground].cavalry_charges
        yield (
            other and (untargetable(combatant, other) or other.id == charge.target),
            "no-other-target",
        )
        yield from super().checks(state)
        yield not charge.answer, "answer-first"
        yield other and (charge.answer != "flee" or charge.turned), "no-redirection"
        yield other and other.cavalry and not combatant.cavalry, "infantry-on-cavalry"
        yield other and combatant.skirmishing and not other.skirmishing, "skirmishers-on-formed"
        yield self.around and not may_ride_round(state, charge), "rides-not-round"
        yield state.test_due(combatant), "test-first"
        yield barred or self.effect(state) == "barred", "barred-ground"

    def follows(self, state: State, *, passed: bool) -> State:
        charge = self.charge(state)
        arrives = self.arrives(state)
        combatant = self.combatant(state)
        if self.turns(state):
            # They turn on another unit with the same dice. Rulings N-H9, N-H10.
            run, impetuous = self.rolled(state), charge.impetuous
            turned = Charge(
                combatant.id,
                self.redirect,
                self.gap,
                self.facing,
                run=run,
                turned=True,
                impetuous=impetuous,
            )
            return replace(
                state, charges=tuple(turned if each == charge else each for each in state.charges)
            )

        # The ground, the test and friends in the way come first: who runs from them makes no
        # contact.
        state = self.through(state, passed=passed).halted(combatant.id)
        state = state.changed(combatant.id, charges=combatant.charges + 1).did(
            combatant.id, "charged"
        )
        if not arrives or self.around or state.combatants[combatant.id].order == BROKEN:
            return state
        combat = Combat(
            combatant.id, charge.target, charge.facing, charge.answer == "counter-charge"
        )
        if charge.answer == "flee":
            # Who is caught in flight has lost the fight and its colours.
            combat = replace(
                combat, lost=charge.target, tested=True, broke=True, caught=True, ran=True
            )
            broke = state.combatants[charge.target].order == BROKEN
            state = state if broke else state.put(charge.target, BROKEN)
            state = state.colours_taken(charge.target, combatant.id)
        return replace(state, combats=(*state.combats, combat))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        ends = "short"
        if self.arrives(step.before):
            ends = "they ride round the square" if self.around else "contact"
        yield f"{inches_told(self.reach(step.before))}: {ends}."
        if self.turns(step.before):
            yield f"They turn on {step.before.combatants[self.redirect].name}."
        yield from super().outcome_sentences(step)


def may_ride_round(state: State, charge: Charge) -> bool:
    """Return whether chargers may ride round their target: cavalry that was ordered to, where a
    square has formed.

    Slide 22: "Maneuvering during a Charge".
    """
    chargers, target = state.combatants[charge.fighter], state.combatants[charge.target]
    return (
        chargers.cavalry
        and target.formed.square
        and charge.answer == "square"
        and not charge.impetuous
    )
