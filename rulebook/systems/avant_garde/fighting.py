"""The kinds of hand to hand: the fight, the break test, what the winner does, blows in the back, blown cavalry."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, ReplayStep, one_of, titled
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import charges, melee
from rulebook.systems.avant_garde.book import book, broken, figures, problem
from rulebook.systems.avant_garde.events import (
    ALL_ARMS,
    FIGHTS,
    MOVES,
    RIDES,
    TROOPS,
    Dice,
    Pool,
    Tested,
    TurnEvent,
    Who,
    kind,
    nerve_of,
)
from rulebook.systems.avant_garde.fighters import grade_of
from rulebook.systems.avant_garde.firing import Front, firing_rank, needed
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, GOOD, Nerve
from rulebook.systems.avant_garde.state import Combat, Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

EDGES = {"higher": "Higher ground", "flank_support": "Both flanks supported", "rear_support": "Rear supported"}
Edges = Annotated[tuple[Annotated[str, one_of(EDGES)], ...], Meta(max_length=3)]
Wounds = Annotated[Pool, titled("Dice to kill", "One for each blow that hits.")]
Again = Annotated[Pool, titled("Misses thrown again", "Of a unit that a commander has joined.")]
WHERE = (*FIGHTS, *RIDES)
NOBODY = Combat("", "")


def party(state: State, combat: Combat, one: Combatant, front: int, edges: tuple[str, ...] = ()) -> melee.Party:
    """One side of a fight as it stands."""
    charged, grade = one.id == combat.fighter, grade_of(one.fighter, state.settings)
    lance = "cossack" if one.fighter.cossacks else "lance" if one.fighter.lance else "sabre"
    return melee.Party(
        dice=firing_rank(one, front),
        figures=one.figures,
        nerve=nerve_of(state, one),
        skill=grade.skill,
        formation=one.formation,
        mount=one.fighter.mount * one.cavalry,
        weapon=lance if one.cavalry else "bayonet",
        charging=charged or combat.countered,
        stubborn=grade.stubborn,
        joined=state.led(one.id),
        flank=charged and combat.facing in ("flank", "both"),
        rear=charged and combat.facing in ("rear", "both"),
        standard=one.fighter.colours and not one.colours_lost and not one.battery,
        **dict.fromkeys(edges, True),
    )


def missed(own: melee.Party, field: str, blows: tuple[int, ...], need: int) -> Dice:
    """The dice that miss and are thrown again, in a unit that a commander has joined. Slide 5."""
    yield {field: (len(blows) - successes(blows, need)) * own.joined}


def closed(state: State, combat: Combat, *, fresh: str = "") -> State:
    """The state after a fight has ended: cavalry that charged formed troops is blown. Rulings N-K4, N-K5."""
    state = replace(state, combats=tuple(each for each in state.combats if each.fighter != combat.fighter))
    for who, other in ((combat.fighter, combat.target), (combat.target, combat.fighter)):
        one, enemy = state.combatants[who], state.combatants[other]
        charged = one.cavalry and (who == combat.fighter or combat.countered)
        formed = not (enemy.skirmishing or enemy.battery or combat.ran)
        if melee.becomes_blown(charged=charged, formed=formed, skirmishing=one.skirmishing, kept_fresh=who == fresh):
            state = state.changed(who, blown=True, recovered=(), jubilant=0)
    return state


def disordered(state: State, who: str) -> State:
    """The state in which a unit is disordered at least."""
    one = state.combatants[who]
    return state.put(who, DISORDERED) if one.order == GOOD and not one.gone else state


@kind("melee", "Fight", melee.COMBAT, "{fighter} fights hand to hand", steps=WHERE, arms=TROOPS, always_rolls=True)
class Fought(TurnEvent, frozen=True, kw_only=True):
    """A fight hand to hand: blows, wounds, saves, who is first, and the score of both. Rulings N-H2 to N-H8."""

    anybody: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Who charged")]
    front: Annotated[int, titled("Its figures that strike", "With overlaps; 0: as told.", ge=0, le=120)] = 0
    target_front: Annotated[int, titled("The enemy's figures that strike", ge=0, le=120)] = 0
    place: Annotated[str, one_of(melee.PLACES), titled("Where")] = "open"
    edges: Annotated[Edges, titled("It has")] = ()
    target_edges: Annotated[Edges, titled("The enemy has")] = ()
    blows: Annotated[Pool, titled("Blows")] = ()
    wounds: Wounds = ()
    saves: Annotated[Pool, titled("Saves of the enemy's riders")] = ()
    target_blows: Annotated[Pool, titled("The enemy's blows")] = ()
    target_wounds: Annotated[Pool, titled("The enemy's dice to kill")] = ()
    target_saves: Annotated[Pool, titled("Saves of its own riders")] = ()
    again: Again = ()
    target_again: Again = ()
    inches: Annotated[Pool, titled("Inches back", "Of a draw.")] = ()

    def combat(self, state: State) -> Combat:
        """The fight, ``NOBODY`` where there is none."""
        return next((each for each in state.combats if each.fighter == self.fighter), NOBODY)

    def fight(self, state: State) -> melee.Fight:
        """Both sides as the rules see them."""
        combat, there = self.combat(state), state.combatants
        own = party(state, combat, there[combat.fighter], self.front, self.edges)
        other = party(state, combat, there[combat.target], self.target_front, self.target_edges)
        first = there[combat.fighter].side == state.first
        return melee.Fight(own, other, self.place, combat.countered, first)

    def killed(self, fight: melee.Fight) -> tuple[int, int]:
        """The figures that fall: of the enemy, of the chargers."""
        own, other = fight.attacker, fight.defender
        kills = successes(self.wounds, melee.wound_need(own)) - successes(self.saves, melee.save_need(other))
        back = successes(self.target_wounds, melee.wound_need(other))
        back -= successes(self.target_saves, melee.save_need(own))
        return min(kills, other.figures), min(back, own.figures)

    def won_by(self, fight: melee.Fight) -> int:
        """By how much the chargers win."""
        return melee.margin(fight, *self.killed(fight)[::-1])

    def dice_wanted(self, state: State) -> Dice:
        fight = self.fight(state)
        order, fallen = melee.first_strike(fight), 0
        sides = ((fight.attacker, fight.defender, ""), (fight.defender, fight.attacker, "target_"))
        for own, other, prefix in sides if order >= 0 else sides[::-1]:
            blows, wounds, again = f"{prefix}blows", f"{prefix}wounds", f"{prefix}again"
            walls = fight.place == "hard" and own is fight.attacker
            yield {blows: melee.strikers(own, fallen if order else 0)}
            yield from missed(own, again, getattr(self, blows), melee.blow_need(own, walls=walls))
            thrown = (*getattr(self, blows), *getattr(self, again))
            yield {wounds: successes(thrown, melee.blow_need(own, walls=walls))}
            yield {f"{prefix}saves": successes(getattr(self, wounds), melee.wound_need(own)) * bool(other.mount)}
            fallen = self.killed(fight)[own is fight.defender]
        yield {"inches": 2 * (self.won_by(fight) == 0)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        combat = self.combat(state)
        if combat is NOBODY:
            yield problem("no-fight", field="fighter", value=self.fighter, name=state.combatants[self.fighter].name)
            return
        for field, who in (("front", combat.fighter), ("target_front", combat.target)):
            one = state.combatants[who]
            if not one.battery and not firing_rank(one, getattr(self, field)):
                yield problem("front-unknown", field=field, value="0", name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        yield from broken((self.combat(state).lost, "fought-already"), name=state.combatants[self.fighter].name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        fight, combat = self.fight(state), self.combat(state)
        (killed, lost), by = self.killed(fight), self.won_by(fight)
        for who, front in ((combat.fighter, self.front), (combat.target, self.target_front)):
            state = state.changed(who, front=front or state.combatants[who].front).did(who, "fought")
        state = state.hurt(combat.target, killed, combat.fighter).hurt(combat.fighter, lost, combat.target)
        loser, winner = (combat.target, combat.fighter) if by > 0 else (combat.fighter, combat.target)
        if by == 0:
            both = fight.attacker.mount and fight.defender.mount
            for who in () if both else (loser, winner):
                state = disordered(state, who)
            return closed(state, combat)
        state, after = state.deed(winner, "won", victim=loser), replace(combat, lost=loser, by=abs(by))
        over = state.combatants[loser].gone or state.combatants[winner].gone
        return closed(state, after) if over else state.fought(combat, after)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        fight, combat = self.fight(step.before), self.combat(step.before)
        (killed, lost), walls = self.killed(fight), fight.place == "hard"
        own, other = (step.before.combatants[each].name for each in (combat.fighter, combat.target))
        yield needed(melee.blow_need(fight.attacker, walls=walls), () if walls else melee.blow_lines(fight.attacker))
        yield needed(melee.blow_need(fight.defender), melee.blow_lines(fight.defender))
        yield reasoned(f"Score of {own}", *melee.score_lines(fight.attacker, fight.defender, killed, lost))
        yield reasoned(f"Score of {other}", *melee.score_lines(fight.defender, fight.attacker, lost, killed))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        by, combat = self.won_by(self.fight(step.before)), self.combat(step.before)
        winner = step.before.combatants[combat.fighter if by > 0 else combat.target]
        mounted = all(step.before.combatants[each].cavalry for each in (combat.fighter, combat.target))
        if by:
            yield f"{winner.name} wins by {abs(by)}."
        elif mounted:
            yield f"A draw: both break through, {sum(self.inches)} inches (Ruling N-K4)."
        else:
            yield f"A draw: they go {self.inches[0]} and {self.inches[1]} inches back."


class _AfterFight(Tested, frozen=True, kw_only=True):
    """What one side of a decided fight does."""

    anybody: ClassVar[bool] = True
    steps: ClassVar[tuple[str, ...]] = WHERE

    inches: Annotated[Pool, titled("Inches")] = ()

    def combat(self, state: State) -> Combat:
        """The fight that it is about, ``NOBODY`` where there is none."""
        raise NotImplementedError

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        if self.combat(state) is NOBODY:
            name = state.combatants[self.fighter].name
            yield problem("no-such-fight", field="fighter", value=self.fighter, name=name, label=self.label.lower())

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.inches:
            yield f"It goes {sum(self.inches)} inches."


@kind("break", "Break test", melee.BREAK, "{fighter} tests whether it breaks", steps=WHERE, arms=ALL_ARMS)
class BreakTested(_AfterFight, frozen=True, kw_only=True):
    """Who has lost a fight tests, or breaks without a test; who stands falls back disordered. Ruling N-H5."""

    def combat(self, state: State) -> Combat:
        found = (each for each in state.combats if each.lost == self.fighter and not each.tested)
        return next(found, NOBODY)

    def parties(self, state: State) -> tuple[melee.Party, melee.Party]:
        """The loser and the winner."""
        combat = self.combat(state)
        loser, winner = (party(state, combat, state.combatants[each], 1) for each in (combat.lost, combat.winner))
        return replace(loser, nerve=self.usual(state)), winner

    def tests(self, state: State) -> bool:
        return self.combat(state) is not NOBODY and not melee.auto_break(*self.parties(state))

    def nerve(self, state: State) -> Nerve:
        return melee.break_nerve(self.parties(state)[0], self.combat(state).by)

    def breaks(self, state: State) -> bool:
        """Does it break?"""
        return bool(melee.auto_break(*self.parties(state))) or not self.passed(state)

    def past_square(self, state: State) -> bool:
        """Is it cavalry that a square has beaten, and that rides on past it? Slide 15."""
        loser, winner = self.parties(state)
        return bool(loser.mount) and winner.square

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        loser, winner = self.parties(state)
        through = loser.mount and winner.mount
        steady = figures("cavalry")["breakthrough_dice"] if through else 1
        runs = charges.flight_dice(mounted=bool(loser.mount)) * (not self.past_square(state))
        yield {"inches": runs if self.breaks(state) else steady}

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, past = self.combat(state), self.past_square(state)
        broke = self.breaks(state)
        after = replace(combat, tested=True, broke=broke and not past, fled=sum(self.inches))
        state = super().apply(state, logged).fought(combat, after)
        if not after.broke:
            state = disordered(state, self.fighter)
        else:
            state = state.put(self.fighter, BROKEN, combat.winner).cheered(combat.winner)
        over = (broke and past) or state.combatants[combat.winner].battery or after not in state.combats
        return closed(state, after) if over else state

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        if why := melee.auto_break(*self.parties(step.before)):
            yield f"It breaks without a test: {why}."
        yield from super().told(step)


FOLLOWS = {"back": "Falls back", "stand": "Stands", "pursue": "Pursues", "recall": "Is recalled"}


@kind("follow", "What the winner does", 'Slide 16: "Winners"', "{fighter}: {how}", steps=WHERE, arms=TROOPS)
class Followed(_AfterFight, frozen=True, kw_only=True):
    """The winner of a fight pursues, stands by a test, falls back, or is recalled. Rulings N-K2, N-K3."""

    how: Annotated[str, one_of(FOLLOWS), titled("What it does")] = "back"
    fresh: Annotated[Pool, titled("Is it blown?", "From its second charge on.")] = ()

    def combat(self, state: State) -> Combat:
        found = (each for each in state.combats if each.tested and not each.caught and each.winner == self.fighter)
        return next(found, NOBODY)

    def ordered(self, state: State) -> str:
        return "recall" * (self.how == "recall")

    def tests(self, state: State) -> bool:
        return self.how in ("stand", "recall")

    def nerve(self, state: State) -> Nerve:
        return melee.recall_nerve(self.usual(state), self.combat(state).by * (self.how == "recall"))

    def pursues(self, state: State) -> bool:
        """Does it run after the loser: because it wants to, or because it cannot be held?"""
        return self.how == "pursue" or (self.combat(state).broke and not self.passed(state))

    def dice_wanted(self, state: State) -> Dice:
        one, recall = state.combatants[self.fighter], self.how == "recall"
        yield from super().dice_wanted(state)
        away = figures("cavalry")["recall_dice"] if recall else int(self.how != "stand" or not self.passed(state))
        yield {"inches": charges.flight_dice(mounted=one.cavalry) if self.pursues(state) else away}
        yield {"fresh": int(recall and self.passed(state) and melee.fresh_need(one.charges) > 1)}

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one, pursues = state.combatants[self.fighter], self.how == "pursue"
        yield from super().violations(state, logged)
        yield from broken(
            (self.how == "recall" and not one.cavalry, "cavalry-alone"),
            (pursues and not self.combat(state).broke, "nobody-broke"),
            (pursues and book().formation[one.formation].square, "square-pursues-not"),
            name=one.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, need = self.combat(state), melee.fresh_need(state.combatants[self.fighter].charges)
        fresh = self.how == "recall" and self.passed(state) and all(die >= need for die in self.fresh)
        caught = combat.broke and self.pursues(state) and sum(self.inches) >= combat.fled
        state = super().apply(state, logged)
        if caught:
            return state.fought(combat, replace(combat, caught=True)).colours_taken(combat.lost, self.fighter)
        return closed(state, combat, fresh=self.fighter * fresh)


@kind("hack", "Strike who flees", melee.CAUGHT, "{fighter} strikes at who flees", steps=(*WHERE, *MOVES), arms=TROOPS)
class Hacked(TurnEvent, frozen=True, kw_only=True):
    """Who is caught fleeing is struck in the back without striking back, and has lost its colours."""

    anybody: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Who strikes")]
    front: Front = 0
    blows: Annotated[Pool, titled("Blows")] = ()
    again: Again = ()
    wounds: Wounds = ()
    saves: Annotated[Pool, titled("Saves of the enemy's riders")] = ()

    def combat(self, state: State) -> Combat:
        """The fight in which it has caught them, ``NOBODY`` where there is none."""
        return next((each for each in state.combats if each.caught and each.winner == self.fighter), NOBODY)

    def parties(self, state: State) -> tuple[melee.Party, melee.Party]:
        """Who strikes, and who flees."""
        combat, there = self.combat(state), state.combatants
        own = party(state, combat, there[self.fighter], self.front)
        return own, party(state, combat, there[combat.lost], 1)

    def dice_wanted(self, state: State) -> Dice:
        own, other = self.parties(state)
        yield {"blows": own.dice}
        yield from missed(own, "again", self.blows, melee.blow_need(own, caught=True))
        yield {"wounds": successes((*self.blows, *self.again), melee.blow_need(own, caught=True))}
        yield {"saves": successes(self.wounds, melee.wound_need(own)) * bool(other.mount)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if self.combat(state) is NOBODY:
            yield problem("no-such-fight", field="fighter", value=one.id, name=one.name, label=self.label.lower())
        if not firing_rank(one, self.front):
            yield problem("front-unknown", field="front", value="0", name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, (own, other) = self.combat(state), self.parties(state)
        killed = successes(self.wounds, melee.wound_need(own)) - successes(self.saves, melee.save_need(other))
        state = state.changed(self.fighter, front=self.front or state.combatants[self.fighter].front)
        return closed(state.hurt(combat.lost, killed, self.fighter), combat).dispersed(combat.lost, self.fighter)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        own, _ = self.parties(step.before)
        yield needed(melee.blow_need(own, caught=True), melee.blow_lines(own, caught=True))


@kind("recover", "Recover", melee.BLOWN, "{fighter} recovers", steps=RIDES, arms=("cavalry",), always_rolls=True)
class Recovered(TurnEvent, frozen=True, kw_only=True):
    """Blown cavalry in a safe place throws a die towards ten. Ruling N-K1."""

    fighter: Who
    modifier: Annotated[
        Annotated[int, Meta(ge=-6, le=6)] | None, titled("Modifier of its grade", "Where it is not in the source.")
    ] = None
    dice: Annotated[Pool, titled("Die")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def marks(self, state: State) -> tuple[str, ...]:
        return (f"recover {self.fighter}",)

    def rested(self, state: State) -> bool:
        """Has it recovered? Raises RulesError "not-in-source"."""
        one = state.combatants[self.fighter]
        grade = grade_of(one.fighter, state.settings)
        adds = melee.recovery_of(grade if self.modifier is None else replace(grade, recovery=self.modifier))
        return melee.recovered((*one.recovered, *self.dice), adds, per_die=state.settings.recovery_per_die)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        self.rested(state)
        yield from ()

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from broken((not one.blown, "not-blown"), ("moved" in one.did, "moved-while-blown"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        tally, rested = (*state.combatants[self.fighter].recovered, *self.dice), self.rested(state)
        return state.changed(self.fighter, blown=not rested, recovered=() if rested else tally)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        tally = sum((*step.before.combatants[self.fighter].recovered, *self.dice))
        yield f"{tally} in all: {'it has recovered' if self.rested(step.before) else 'not yet'}."
