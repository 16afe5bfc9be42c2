"""The kinds of hand to hand: the fight, the break test, what the winner does, blows in the back, blown cavalry."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import FighterId, ReplayStep, one_of, titled
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde.book import book, broken, figures, problem
from rulebook.systems.avant_garde.cavalry import (
    becomes_blown,
    breaks_through,
    fresh_need,
    recall_nerve,
    recovered,
    recovery_of,
)
from rulebook.systems.avant_garde.charges import flight_dice
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
    kind,
)
from rulebook.systems.avant_garde.fighters import grade_of
from rulebook.systems.avant_garde.firing import Front, casualties, fate_told, firing_rank, needed
from rulebook.systems.avant_garde.melee import (
    PLACES,
    Fight,
    Party,
    auto_break,
    blow_lines,
    blow_need,
    break_nerve,
    first_strike,
    margin,
    save_need,
    score_lines,
    strikers,
    wound_need,
)
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, GOOD, Nerve
from rulebook.systems.avant_garde.state import Combat, Combatant, State
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, Violation

EDGES = {"higher": "Higher ground", "flank_support": "Both flanks supported", "rear_support": "Rear supported"}
Edges = Annotated[tuple[Annotated[str, one_of(EDGES)], ...], Meta(max_length=3)]
Blows = Annotated[Pool, titled("Blows")]
Wounds = Annotated[Pool, titled("Dice to kill", "One for each blow that hits.")]
Saves = Annotated[Pool, titled("Saves of riders", "One for each wound.")]
WHERE = (*FIGHTS, *RIDES)
RIDERS = ("cavalry",)


def nerve_of(state: State, one: Combatant) -> Nerve:
    """What any test of a unit depends on, without anybody's help."""
    return Nerve(grade_of(one.fighter, state.settings).morale, one.jubilant, one.disordered or one.order == BROKEN)


def party(state: State, combat: Combat, who: str, front: int, edges: tuple[str, ...] = ()) -> Party:
    """One side of a fight as it stands."""
    one, charged = state.combatants[who], who == combat.fighter
    grade = grade_of(one.fighter, state.settings)
    weapon = "cossack" if one.fighter.cossacks else "lance" if one.fighter.lance else "sabre"
    return Party(
        dice=firing_rank(one, front),
        figures=one.figures,
        nerve=nerve_of(state, one),
        skill=grade.skill,
        formation=one.formation,
        mount=one.fighter.mount if one.cavalry else "",
        weapon=weapon if one.cavalry else "bayonet",  # type: ignore[arg-type]
        charging=charged or combat.countered,
        stubborn=grade.stubborn,
        flank=charged and combat.facing in ("flank", "both"),
        rear=charged and combat.facing in ("rear", "both"),
        standard=one.fighter.colours and not one.colours_lost and not one.battery,
        **dict.fromkeys(edges, True),
    )


def closed(state: State, combat: Combat, *, fresh: str = "") -> State:
    """The state after a fight has ended: cavalry that charged formed troops is blown. Rulings N-K4, N-K5."""
    state = replace(state, combats=tuple(each for each in state.combats if each.fighter != combat.fighter))
    for who, other in ((combat.fighter, combat.target), (combat.target, combat.fighter)):
        one, enemy = state.combatants[who], state.combatants[other]
        charged = who == combat.fighter or combat.countered
        formed = not (enemy.skirmishing or enemy.battery or combat.ran)
        if (
            one.cavalry
            and not one.gone
            and becomes_blown(charged=charged, formed=formed, skirmishing=one.skirmishing, kept_fresh=who == fresh)
        ):
            state = state.changed(who, blown=True, recovered=(), jubilant=0)
    return state


def disordered(state: State, who: str) -> State:
    """The state in which a unit is disordered at least."""
    return (
        state.put(who, DISORDERED) if state.combatants[who].order == GOOD and not state.combatants[who].gone else state
    )


@kind("melee", "Fight", 'Slide 14: "Combat"', steps=WHERE, arms=TROOPS)
class Fought(TurnEvent, frozen=True, kw_only=True):
    """A fight hand to hand: blows, wounds, saves, who is first, and the score of both. Rulings N-H2 to N-H8."""

    anybody: ClassVar[bool] = True
    always_rolls: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Who charged")]
    front: Annotated[int, titled("Its figures that strike", "Front rank and overlaps; 0: as told.", ge=0, le=120)] = 0
    target_front: Annotated[int, titled("The enemy's figures that strike", ge=0, le=120)] = 0
    place: Annotated[str, one_of(PLACES), titled("Where")] = "open"
    edges: Annotated[Edges, titled("It has")] = ()
    target_edges: Annotated[Edges, titled("The enemy has")] = ()
    blows: Blows = ()
    wounds: Wounds = ()
    saves: Annotated[Pool, titled("Saves of the enemy's riders")] = ()
    target_blows: Annotated[Pool, titled("The enemy's blows")] = ()
    target_wounds: Annotated[Pool, titled("The enemy's dice to kill")] = ()
    target_saves: Annotated[Pool, titled("Saves of its own riders")] = ()
    inches: Annotated[Pool, titled("Inches back", "Of a draw.")] = ()

    def combat(self, state: State) -> Combat:
        """The fight; one with nobody where there is none, which ``input_errors`` tells."""
        return next(
            (each for each in state.combats if each.fighter == self.fighter), Combat(self.fighter, self.fighter)
        )

    def fight(self, state: State) -> Fight:
        """Both sides as the rules see them."""
        combat = self.combat(state)
        own = party(state, combat, combat.fighter, self.front, self.edges)
        other = party(state, combat, combat.target, self.target_front, self.target_edges)
        first = state.combatants[combat.fighter].side == state.first
        return Fight(own, other, self.place, combat.countered, first)  # type: ignore[arg-type]

    def killed(self, state: State) -> tuple[int, int]:
        """The figures that fall: of the enemy, of the chargers."""
        fight = self.fight(state)
        kills = successes(self.wounds, wound_need(fight.attacker)) - successes(self.saves, save_need(fight.defender))
        back = successes(self.target_wounds, wound_need(fight.defender)) - successes(
            self.target_saves, save_need(fight.attacker)
        )
        return min(kills, fight.defender.figures), min(back, fight.attacker.figures)

    def dice_wanted(self, state: State) -> Dice:
        fight = self.fight(state)
        order = first_strike(fight)
        walls = fight.place == "hard"
        sides = (
            (fight.attacker, fight.defender, ("blows", "wounds", "saves"), walls),
            (fight.defender, fight.attacker, ("target_blows", "target_wounds", "target_saves"), False),
        )
        fallen = 0
        for own, other, (blows, wounds, saves), hard in sides if order >= 0 else sides[::-1]:
            yield {blows: strikers(own, fallen if order else 0)}
            yield {wounds: successes(getattr(self, blows), blow_need(own, walls=hard))}
            yield {saves: successes(getattr(self, wounds), wound_need(own)) * bool(other.mount)}
            fallen = self.killed(state)[own is fight.defender]
        yield {"inches": 2 * (self.won_by(state) == 0)}

    def won_by(self, state: State) -> int:
        """By how much the chargers win."""
        killed, lost = self.killed(state)
        return margin(self.fight(state), lost, killed)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        if not any(each.fighter == self.fighter for each in state.combats):
            yield problem("no-fight", field="fighter", value=self.fighter, name=state.combatants[self.fighter].name)
            return
        combat = self.combat(state)
        for field, who in (("front", combat.fighter), ("target_front", combat.target)):
            one = state.combatants[who]
            if not one.battery and not firing_rank(one, getattr(self, field)):
                yield problem("front-unknown", field=field, value="0", name=one.name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        yield from broken((bool(self.combat(state).lost), "fought-already"), name=state.combatants[self.fighter].name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, (killed, lost), by = self.combat(state), self.killed(state), self.won_by(state)
        for who, front in ((combat.fighter, self.front), (combat.target, self.target_front)):
            state = state.changed(who, front=front or state.combatants[who].front).did(who, "fought")
        state = state.hurt(combat.target, killed, combat.fighter).hurt(combat.fighter, lost, combat.target)
        loser, winner = (combat.target, combat.fighter) if by > 0 else (combat.fighter, combat.target)
        if by == 0:
            both = state.combatants[combat.fighter].cavalry and state.combatants[combat.target].cavalry
            for who in () if both else (combat.fighter, combat.target):
                state = disordered(state, who)
            return closed(state, combat)
        state = state.deed(winner, "won", victim=loser)
        after = replace(combat, lost=loser, by=abs(by))
        if state.combatants[combat.fighter].gone or state.combatants[combat.target].gone:
            return closed(state, after)
        return replace(state, combats=tuple(after if each.fighter == self.fighter else each for each in state.combats))

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        fight, (killed, lost) = self.fight(step.before), self.killed(step.before)
        names = {key: each.name for key, each in step.before.combatants.items()}
        combat = self.combat(step.before)
        walls = fight.place == "hard"
        yield needed(blow_need(fight.attacker, walls=walls), () if walls else blow_lines(fight.attacker))
        yield needed(blow_need(fight.defender), blow_lines(fight.defender))
        yield reasoned(f"Score of {names[combat.fighter]}", *score_lines(fight.attacker, fight.defender, killed, lost))
        yield reasoned(f"Score of {names[combat.target]}", *score_lines(fight.defender, fight.attacker, lost, killed))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        (killed, lost), by, combat = self.killed(step.before), self.won_by(step.before), self.combat(step.before)
        one, other = step.before.combatants[combat.fighter], step.before.combatants[combat.target]
        yield f"{other.name}: {casualties(killed)}; {one.name}: {casualties(lost)}."
        yield "A draw." if by == 0 else f"{(one if by > 0 else other).name} wins by {abs(by)}."
        if self.inches:
            yield f"Both go {' and '.join(map(str, self.inches))} inches."
        yield from fate_told(step, one.id)
        yield from fate_told(step, other.id)

    def sentence(self, names: dict[str, str]) -> str:  # type: ignore[override]
        return f"{names[self.fighter]} fights hand to hand"


@kind(
    "break", "Break test", 'Slide 15: "Combat Results"', "{fighter} tests whether it breaks", steps=WHERE, arms=ALL_ARMS
)
class BreakTested(Tested, frozen=True, kw_only=True):
    """Who has lost a fight tests, or breaks without a test; who stands falls back disordered. Ruling N-H5."""

    anybody: ClassVar[bool] = True

    inches: Annotated[Pool, titled("Inches")] = ()

    def combat(self, state: State) -> Combat:
        """The fight that it has lost."""
        found = (each for each in state.combats if each.lost == self.fighter and not each.tested)
        return next(found, Combat(self.fighter, self.fighter))

    def automatic(self, state: State) -> str:
        """Why it breaks without a test, "" if it may take one."""
        combat = self.combat(state)
        return auto_break(party(state, combat, self.fighter, 1), party(state, combat, combat.winner or self.fighter, 1))

    def tests(self, state: State) -> bool:
        return not self.automatic(state)

    def nerve(self, state: State) -> Nerve:
        combat = self.combat(state)
        loser = replace(party(state, combat, self.fighter, 1), nerve=self.usual(state))
        return break_nerve(loser, combat.by)

    def breaks(self, state: State) -> bool:
        """Does it break?"""
        return bool(self.automatic(state)) or not self.passed(state)

    def past_square(self, state: State) -> bool:
        """Is it cavalry that a square has beaten, and that rides on past it? Slide 15."""
        one, other = state.combatants[self.fighter], state.combatants[self.combat(state).winner or self.fighter]
        return one.cavalry and book().formation[other.formation].square if other.formation else False

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        one, other = state.combatants[self.fighter], state.combatants[self.combat(state).winner or self.fighter]
        if self.breaks(state):
            yield {"inches": 0 if self.past_square(state) else flight_dice(mounted=one.cavalry)}
        else:
            through = breaks_through(cavalry_alone=one.cavalry and other.cavalry, broken=False)
            yield {"inches": int(figures("cavalry")["breakthrough_dice"]) if through else 1}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        if not self.combat(state).lost:
            yield problem("lost-nothing", field="fighter", value=self.fighter, name=state.combatants[self.fighter].name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, breaks, past = self.combat(state), self.breaks(state), self.past_square(state)
        state = super().apply(state, logged)
        tested = replace(combat, tested=True, broke=breaks and not past, fled=sum(self.inches))
        state = replace(state, combats=tuple(tested if each == combat else each for each in state.combats))
        if not breaks or past:
            return closed(disordered(state, self.fighter), tested) if past else disordered(state, self.fighter)
        state = state.put(self.fighter, BROKEN, combat.winner).cheered(combat.winner)
        return state if any(each == tested for each in state.combats) else closed(state, tested)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        if why := self.automatic(step.before):
            yield f"It breaks without a test: {why}."
        yield from super().told(step)
        if self.inches:
            yield f"It goes {sum(self.inches)} inches."
        yield from fate_told(step, self.fighter)


FOLLOWS = {"back": "Falls back", "stand": "Stands", "pursue": "Pursues", "recall": "Is recalled"}


@kind("follow", "What the winner does", 'Slide 16: "Winners"', steps=WHERE, arms=TROOPS)
class Followed(Tested, frozen=True, kw_only=True):
    """The winner of a fight pursues, stands by a test, falls back, or is recalled. Rulings N-K2, N-K3."""

    anybody: ClassVar[bool] = True

    how: Annotated[str, one_of(FOLLOWS), titled("What it does")] = "back"
    inches: Annotated[Pool, titled("Inches")] = ()
    fresh: Annotated[Pool, titled("Is it blown?", "From its second charge on.")] = ()

    def combat(self, state: State) -> Combat:
        """The fight that it has won."""
        found = (each for each in state.combats if each.tested and each.winner == self.fighter)
        return next(found, Combat(self.fighter, self.fighter))

    def ordered(self, state: State) -> str:
        return "recall" if self.how == "recall" else ""

    def tests(self, state: State) -> bool:
        return self.how in ("stand", "recall")

    def nerve(self, state: State) -> Nerve:
        return recall_nerve(self.usual(state), self.combat(state).by if self.how == "recall" else 0)

    def pursues(self, state: State) -> bool:
        """Does it run after the loser: because it wants to, or because it cannot be held?"""
        return self.how == "pursue" or (self.combat(state).broke and not self.passed(state))

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        one = state.combatants[self.fighter]
        away = int(figures("cavalry")["recall_dice"]) if self.how == "recall" else 1
        stands = self.how == "stand" and self.passed(state)
        yield {"inches": flight_dice(mounted=one.cavalry) if self.pursues(state) else away * (not stands)}
        yield {"fresh": int(self.how == "recall" and self.passed(state) and fresh_need(one.charges) > 1)}

    def caught(self, state: State) -> bool:
        """Does it come up with the loser?"""
        combat = self.combat(state)
        return combat.broke and self.pursues(state) and sum(self.inches) >= combat.fled

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        yield from super().input_errors(state, logged)
        if not self.combat(state).lost:
            yield problem("won-nothing", field="fighter", value=self.fighter, name=state.combatants[self.fighter].name)

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken(
            (self.how == "recall" and not one.cavalry, "cavalry-is-recalled"),
            (self.how == "pursue" and not self.combat(state).broke, "nobody-broke"),
            (self.how == "pursue" and book().formation[one.formation].square, "square-pursues-not"),
            name=one.name,
        )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, caught, recalled = self.combat(state), self.caught(state), self.how == "recall" and self.passed(state)
        need = fresh_need(state.combatants[self.fighter].charges)
        fresh = recalled and all(die >= need for die in self.fresh)
        state = super().apply(state, logged)
        if caught:
            after = replace(combat, caught=True)
            state = replace(state, combats=tuple(after if each == combat else each for each in state.combats))
            return state.colours_taken(combat.lost, self.fighter)
        return closed(state, combat, fresh=self.fighter if fresh else "")

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.inches:
            yield f"It goes {sum(self.inches)} inches{' after them' if self.pursues(step.before) else ''}."
        if self.caught(step.before):
            yield "It comes up with them: strike them in the back."
        one = step.after.combatants[self.fighter]
        if one.blown and not step.before.combatants[self.fighter].blown:
            yield f"{one.name} is blown."

    def sentence(self, names: dict[str, str]) -> str:  # type: ignore[override]
        return f"{names[self.fighter]}: {FOLLOWS[self.how].lower()}"


@kind(
    "hack",
    "Strike who flees",
    'Slide 16: "Caught fleeing"',
    "{fighter} strikes at who flees",
    steps=(*WHERE, *MOVES),
    arms=TROOPS,
)
class Hacked(TurnEvent, frozen=True, kw_only=True):
    """Who is caught fleeing is struck in the back without striking back, and has lost its colours."""

    anybody: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Who strikes")]
    front: Front = 0
    blows: Blows = ()
    wounds: Wounds = ()
    saves: Saves = ()

    def combat(self, state: State) -> Combat:
        """The fight in which it has caught them."""
        found = (each for each in state.combats if each.caught and each.winner == self.fighter)
        return next(found, Combat(self.fighter, self.fighter))

    def parties(self, state: State) -> tuple[Party, Party]:
        """Who strikes, and who flees."""
        combat = self.combat(state)
        other = combat.lost or self.fighter
        return party(state, combat, self.fighter, self.front), party(state, combat, other, 1)

    def killed(self, state: State) -> int:
        """How many figures fall."""
        own, other = self.parties(state)
        return min(successes(self.wounds, wound_need(own)) - successes(self.saves, save_need(other)), other.figures)

    def dice_wanted(self, state: State) -> Dice:
        own, other = self.parties(state)
        yield {"blows": own.dice}
        yield {"wounds": successes(self.blows, blow_need(own, caught=True))}
        yield {"saves": successes(self.wounds, wound_need(own)) * bool(other.mount)}

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        one = state.combatants[self.fighter]
        if not self.combat(state).lost:
            yield problem("caught-nobody", field="fighter", value=self.fighter, name=one.name)
        if not firing_rank(one, self.front):
            yield problem("front-unknown", field="front", value="0", name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat, killed = self.combat(state), self.killed(state)
        state = state.changed(self.fighter, front=self.front or state.combatants[self.fighter].front)
        state = closed(state.hurt(combat.lost, killed, self.fighter), combat)
        gone = state.combatants[combat.lost].gone
        return state if gone else state.dispersed(combat.lost, self.fighter)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        own, _ = self.parties(step.before)
        yield needed(blow_need(own, caught=True), blow_lines(own, caught=True))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        combat = self.combat(step.before)
        yield f"{step.before.combatants[combat.lost].name}: {casualties(self.killed(step.before))}."
        yield from fate_told(step, combat.lost)


# Blown cavalry


@kind(
    "recall",
    "Recall blown cavalry",
    'Slide 23: "Recall"',
    "{fighter} is recalled",
    steps=("rally",),
    arms=RIDERS,
    often=False,
)
class Recalled(Tested, frozen=True, kw_only=True):
    """Blown cavalry is called back in the rally phase, and still has to recover. Ruling N-K2."""

    order: ClassVar[str] = "recall"
    anybody: ClassVar[bool] = True

    inches: Annotated[Pool, titled("Inches back")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        yield {"inches": int(figures("cavalry")["recall_dice"]) * self.passed(state)}

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from super().violations(state, logged)
        yield from broken((not one.blown, "not-blown"), name=one.name)

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().told(step)
        if self.inches:
            yield f"It goes {sum(self.inches)} inches back."


@kind("recover", "Recover", 'Slide 23: "Blown Cavalry"', "{fighter} recovers", steps=RIDES, arms=RIDERS, often=False)
class Recovered(TurnEvent, frozen=True, kw_only=True):
    """Blown cavalry in a safe place throws a die towards ten. Ruling N-K1."""

    always_rolls: ClassVar[bool] = True

    fighter: Annotated[FighterId, titled("Who")]
    modifier: Annotated[
        Annotated[int, Meta(ge=-6, le=6)] | None, titled("Modifier of its grade", "Where it is not in the source.")
    ] = None
    dice: Annotated[Pool, titled("Die")] = ()

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def adds(self, state: State) -> int:
        """What its grade adds. Raises RulesError "not-in-source"."""
        grade = grade_of(state.combatants[self.fighter].fighter, state.settings)
        return recovery_of(grade if self.modifier is None else replace(grade, recovery=self.modifier))

    def rested(self, state: State) -> bool:
        """Has it recovered?"""
        tally = (*state.combatants[self.fighter].recovered, *self.dice)
        return recovered(tally, self.adds(state), per_die=state.settings.recovery_per_die)

    def input_errors(self, state: State, logged: LoggedEvent) -> Iterator[Problem]:
        self.adds(state)
        yield from ()

    def violations(self, state: State, logged: LoggedEvent) -> Iterator[Violation]:
        one = state.combatants[self.fighter]
        yield from broken((not one.blown, "not-blown"), ("moved" in one.did, "moved-while-blown"), name=one.name)

    def apply(self, state: State, logged: LoggedEvent) -> State:
        one = state.combatants[self.fighter]
        if self.rested(state):
            return state.changed(self.fighter, blown=False, recovered=())
        return state.changed(self.fighter, recovered=(*one.recovered, *self.dice))

    def told(self, step: ReplayStep[State]) -> Iterator[str]:
        tally = sum((*step.before.combatants[self.fighter].recovered, *self.dice))
        yield f"{tally} in all: {'it has recovered' if self.rested(step.before) else 'not yet'}."
