"""The kinds of hand to hand: the fight, the break test, what the winner does, blows in the back,
blown cavalry."""

from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from rulebook.battle_log.kinds import (
    FighterId,
    FighterIds,
    ReplayStep,
    TwoDice,
    choice_meta,
    field_meta,
)
from rulebook.calculators.wording import reasoned
from rulebook.dice.pools import successes
from rulebook.systems.avant_garde import charges, melee, morale, movement
from rulebook.systems.avant_garde.book import Inches, figures, words
from rulebook.systems.avant_garde.events import (
    STEPS,
    Checks,
    Dice,
    FighterEvent,
    Pool,
    Tested,
    kind,
    names_of,
)
from rulebook.systems.avant_garde.firing import Front, firing_rank, needed, untargetable, with_front
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, GOOD, Nerve
from rulebook.systems.avant_garde.moves import Modifier
from rulebook.systems.avant_garde.odds import passes
from rulebook.systems.avant_garde.state import NOBODY, Combat, Combatant, State, inches_told
from rulebook.values.answers import ReasonedSum
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field
from rulebook.values.table import Due

EDGES, FOLLOWS = words("edges"), words("follows")
Edges = Annotated[tuple[Annotated[str, choice_meta(EDGES)], ...], Meta(max_length=5)]
Again = Annotated[Pool, field_meta("Rerolled misses", "Of a unit that a commander has joined.")]
Wounds = Annotated[Pool, field_meta("Dice to kill", "One for each blow that hits.")]
Saves = Annotated[Pool, field_meta("Saves of the enemy's riders")]
Recovery = Annotated[int, Meta(ge=-6, le=6)]


def party(
    state: State, combat: Combat, who: str, front: int = 1, edges: tuple[str, ...] = ()
) -> melee.Party:
    """Return one side of a fight as it stands."""
    combatant = state.combatants[who]
    charged, grade = combatant.id == combat.fighter, state.grade(combatant)
    weapon = "bayonet"
    if combatant.cavalry:
        weapon = "lance" if combatant.fighter.lance else "sabre"
        if combatant.fighter.cossacks:
            weapon = "cossack"
    return melee.Party(
        dice=firing_rank(combatant, front),
        figures=combatant.figures,
        nerve=state.nerve(combatant),
        skill=grade.skill,
        formation=combatant.formation,
        mount=combatant.fighter.mount if combatant.cavalry else "",
        weapon=weapon,
        charging=charged or combat.countered,
        stubborn=grade.stubborn,
        joined=state.led(combatant.id),
        flank=charged and combat.facing in ("flank", "both"),
        rear=charged and combat.facing in ("rear", "both"),
        standard=combatant.fighter.colours and not combatant.colours_lost and not combatant.battery,
        **dict.fromkeys(edges, True),
    )


def supporting(state: State, who: str) -> Iterator[Combatant]:
    """Yield the friends of a unit that may support its flanks, wherever they stand. Slide 15."""
    combatant = state.combatants[who]
    rule = state.nation(combatant.side).support
    for each in state.of(combatant.side):
        stands = (
            each.on_table and each is not combatant and not each.commander and each.order != BROKEN
        )
        if stands and melee.supports(rule, combatant.formation, each.fighter.arm, each.formation):
            yield each


def closed(state: State, combat: Combat, *, fresh: str = "") -> State:
    """Return the state after a fight has ended: cavalry that charged formed troops is blown.
    Rulings N-K4, N-K5."""
    state = replace(
        state, combats=tuple(each for each in state.combats if each.fighter != combat.fighter)
    )
    pairs = [(combat.fighter, combat.target)]
    if not combat.through:
        pairs.append((combat.target, combat.fighter))
    for who, other in pairs:
        combatant, enemy = state.combatants[who], state.combatants[other]
        charged = combatant.cavalry and charged_in(combat, who)
        formed = not (enemy.skirmishing or enemy.battery or combat.ran)
        if melee.becomes_blown(
            charged=charged,
            formed=formed,
            skirmishing=combatant.skirmishing,
            kept_fresh=who == fresh,
        ):
            state = state.changed(who, blown=True, recovered=(), jubilant=0)
    return state


def settled(state: State) -> State:
    """Return the state in a new step: fights that were tested for are over, and nobody speaks any
    more of who broke.

    Casualties that bring no test are forgotten.
    """
    for combat in state.combats:
        state = closed(state, combat) if combat.tested and not combat.caught else state
    state = replace(state, shocks=())
    few = (each for each in state.combatants.values() if each.shot and not state.test_due(each))
    return state.updating(*(replace(each, shot=0, enfiladed=False) for each in few))


def charged_in(combat: Combat, who: str) -> bool:
    """Return whether somebody has charged in a fight, or into the one that it has ridden
    through."""
    return combat.charged if combat.through else who == combat.fighter or combat.countered


def ridden_through(state: State, combat: Combat, inches: int) -> State:
    """Return the state after two cavalries have ridden through each other, each of which may go on.
    Ruling N-K4."""
    rides = tuple(
        Combat(
            who,
            other,
            lost=other,
            by=combat.by if who == combat.winner else 0,
            tested=True,
            through=True,
            charged=charged_in(combat, who),
            left=inches,
        )
        for who, other in ((combat.fighter, combat.target), (combat.target, combat.fighter))
    )
    return replace(
        state, combats=(*(each for each in state.combats if each.fighter != combat.fighter), *rides)
    )


def disordered(state: State, who: str) -> State:
    """Return the state in which a unit is disordered at least."""
    combatant = state.combatants[who]
    return state.put(who, DISORDERED) if combatant.order == GOOD and not combatant.gone else state


def struck(
    event: FighterEvent, own: melee.Party, other: melee.Party, need: int, prefix: str = ""
) -> Dice:
    """Yield the dice with which one side strikes.

    They are misses thrown again where a commander has joined it, wounds, saves of riders.
    """
    blows, again, wounds = (
        getattr(event, f"{prefix}{each}") for each in ("blows", "again", "wounds")
    )
    missed = len(blows) - successes(blows, need)
    yield {f"{prefix}again": missed if own.joined else 0}
    yield {f"{prefix}wounds": successes((*blows, *again), need)}
    # Nobody on foot is saved. Ruling N-H6.
    yield {f"{prefix}saves": successes(wounds, melee.wound_need(own)) if other.mount else 0}


def slain(
    own: melee.Party, other: melee.Party, wounds: tuple[int, ...], saves: tuple[int, ...]
) -> int:
    """Return the figures that fall to the blows of one side."""
    kills = successes(wounds, melee.wound_need(own)) - successes(saves, melee.save_need(other))
    return min(kills, other.figures)


@kind("melee")
class Fought(FighterEvent, frozen=True, kw_only=True):
    """A fight hand to hand: blows, wounds, saves, who is first, and the score of both. Rulings N-H2
    to N-H8."""

    fighter: Annotated[FighterId, field_meta("Charging units")]
    front: Annotated[
        int, field_meta("Its figures that strike", "With overlaps; 0: as entered.", ge=0, le=120)
    ] = 0
    target_front: Annotated[int, field_meta("The enemy's figures that strike", ge=0, le=120)] = 0
    place: Annotated[str, choice_meta(melee.PLACES), field_meta("Where")] = "open"
    edges: Annotated[Edges, field_meta("It has")] = ()
    target_edges: Annotated[Edges, field_meta("The enemy has")] = ()
    supporters: Annotated[
        FighterIds, field_meta("Who supports its flanks", "Friends within 4″ of each.")
    ] = ()
    target_supporters: Annotated[FighterIds, field_meta("Who supports the enemy's flanks")] = ()
    blows: Annotated[Pool, field_meta("Blows")] = ()
    wounds: Wounds = ()
    saves: Saves = ()
    target_blows: Annotated[Pool, field_meta("The enemy's blows")] = ()
    target_wounds: Annotated[Pool, field_meta("The enemy's dice to kill")] = ()
    target_saves: Annotated[Pool, field_meta("Saves of its own riders")] = ()
    again: Again = ()
    target_again: Again = ()
    inches: Annotated[Pool, field_meta("Inches back", "Of a draw.")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return (combatant.id, cls.key) in state.due()

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        choices, combat = super().choices_for(state, actor), cls.combat_of(state, actor)
        if combat is NOBODY:
            return choices
        supporters = names_of(supporting(state, combat.fighter))
        return {
            **choices,
            "supporters": supporters,
            "target_supporters": names_of(supporting(state, combat.target)),
        }

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        """Return a field with the last fronts of both as its default."""
        field = super().prefilled(state, combatant, field)
        if field.key == "target_front":
            return with_front(
                field, state.combatants.get(cls.combat_of(state, combatant.id).target)
            )
        return with_front(field, combatant) if field.key == "front" else field

    @staticmethod
    def combat_of(state: State, fighter: str) -> Combat:
        """Return the fight that a unit has begun, ``NOBODY`` where there is none."""
        return next((each for each in state.combats if each.fighter == fighter), NOBODY)

    def combat(self, state: State) -> Combat:
        """Return the fight, ``NOBODY`` where there is none."""
        return self.combat_of(state, self.fighter)

    def fight(self, state: State) -> melee.Fight:
        """Return both sides as the rules see them."""
        combat = self.combat(state)
        # Friends who are named support the flanks, whether or not that was ticked as well.
        edges = (*self.edges, "flank_support") if self.supporters else self.edges
        target_edges = (
            (*self.target_edges, "flank_support") if self.target_supporters else self.target_edges
        )
        own = party(state, combat, combat.fighter, self.front, edges)
        other = party(state, combat, combat.target, self.target_front, target_edges)
        first = self.combatant(state).side == state.first
        return melee.Fight(own, other, self.place, combat.countered, first)

    def killed(self, fight: melee.Fight) -> tuple[int, int]:
        """Return the figures that fall: of the enemy, of the chargers."""
        own, other = fight.attacker, fight.defender
        return slain(own, other, self.wounds, self.saves), slain(
            other, own, self.target_wounds, self.target_saves
        )

    def won_by(self, fight: melee.Fight) -> int:
        """By how much the chargers win."""
        return melee.margin(fight, *self.killed(fight)[::-1])

    def dice_wanted(self, state: State) -> Dice:
        fight = self.fight(state)
        order, fallen = melee.first_strike(fight), 0
        sides = [(fight.attacker, fight.defender, ""), (fight.defender, fight.attacker, "target_")]
        if order < 0:
            sides.reverse()
        # Who strikes first leaves fewer to strike back; where both strike at once nobody is
        # missing. Slide 14.
        for own, other, prefix in sides:
            walls = fight.place == "hard" and own is fight.attacker
            yield {f"{prefix}blows": melee.strikers(own, fallen if order else 0)}
            yield from struck(self, own, other, melee.blow_need(own, walls=walls), prefix)
            fallen = self.killed(fight)[own is fight.defender]
        yield {"inches": 2 if self.won_by(fight) == 0 else 0}

    def checks(self, state: State) -> Checks:
        combat = self.combat(state)
        yield combat is NOBODY, "no-fight"

        # How many strike has to be known of both.
        fronts = (
            (combat.fighter, self.front, "front-unknown"),
            (combat.target, self.target_front, "target-front-unknown"),
        )
        for who, front, name in fronts:
            combatant = state.combatants.get(who)
            yield combatant and not combatant.battery and not firing_rank(combatant, front), name

        # Friends who are named have to be able to support.
        supporters = (
            (combat.fighter, self.supporters, "no-support"),
            (combat.target, self.target_supporters, "no-support-of-the-enemy"),
        )
        for who, named, name in supporters:
            able = set(named)
            # Without a fight there is nobody to support: "no-fight" has said so.
            if named and who in state.combatants:
                able = {friend.id for friend in supporting(state, who)}
            yield not {*named} <= able, name
        yield combat.lost, "fought-already"
        if combat is NOBODY:
            return

        # Cavalry that charged laps round infantry alone, and not round a square. Slide 22.
        fight = self.fight(state)
        for own, other in ((fight.attacker, fight.defender), (fight.defender, fight.attacker)):
            laps = own.lap_flank or own.lap_rear
            yield (
                laps and not (own.mount and own.charging and not other.mount and not other.square),
                "laps-not",
            )

    def apply(self, state: State, logged: LoggedEvent) -> State:
        fight, combat = self.fight(state), self.combat(state)
        (killed, lost), by = self.killed(fight), self.won_by(fight)
        for who, front in ((combat.fighter, self.front), (combat.target, self.target_front)):
            state = state.changed(who, front=front or state.combatants[who].front).did(
                who, "fought"
            )
        state = state.hurt(combat.target, killed, combat.fighter).hurt(
            combat.fighter, lost, combat.target
        )
        loser, winner = (
            (combat.target, combat.fighter) if by > 0 else (combat.fighter, combat.target)
        )
        if by == 0:
            if fight.attacker.mount and fight.defender.mount:
                gone = any(state.combatants[who].gone for who in (loser, winner))
                return (
                    closed(state, combat)
                    if gone
                    else ridden_through(state, combat, sum(self.inches))
                )
            for who in (loser, winner):
                state = disordered(state, who)
            return closed(state, combat)
        state = state.deed(winner, "won", victim=loser)
        after = replace(combat, lost=loser, by=abs(by))
        over = state.combatants[loser].gone or state.combatants[winner].gone
        return closed(state, after) if over else state.fought(combat, after)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        fight, combat = self.fight(step.before), self.combat(step.before)
        (killed, lost), walls = self.killed(fight), fight.place == "hard"
        own, other = (step.before.combatants[each].name for each in (combat.fighter, combat.target))
        yield needed(
            melee.blow_need(fight.attacker, walls=walls),
            () if walls else melee.blow_lines(fight.attacker),
        )
        yield needed(melee.blow_need(fight.defender), melee.blow_lines(fight.defender))
        yield reasoned(
            f"Score of {own}", *melee.score_lines(fight.attacker, fight.defender, killed, lost)
        )
        yield reasoned(
            f"Score of {other}", *melee.score_lines(fight.defender, fight.attacker, lost, killed)
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        by, combat = self.won_by(self.fight(step.before)), self.combat(step.before)
        attacker = step.before.combatants[combat.fighter]
        defender = step.before.combatants[combat.target]
        if by:
            winner = attacker if by > 0 else defender
            yield f"{winner.name} wins by {abs(by)}."
        elif attacker.cavalry and defender.cavalry:
            yield f"A draw: both break through, {inches_told(sum(self.inches))} (Ruling N-K4)."
        else:
            yield f"A draw: they go {self.inches[0]} and {inches_told(self.inches[1])} back."


class AfterFight(Tested, frozen=True, kw_only=True):
    """The action of one side after a decided fight."""

    inches: Annotated[Pool, field_meta("Inches")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return (combatant.id, cls.key) in state.due()

    def combat(self, state: State) -> Combat:
        """Return the fight that waits for it, ``NOBODY`` where there is none."""
        return state.combat(self.fighter, self.key)


@kind("break")
class BreakTested(AfterFight, frozen=True, kw_only=True):
    """The loser of a fight tests, or breaks without a test; one that stands falls back disordered.
    Ruling N-H5."""

    def parties(self, state: State) -> tuple[melee.Party, melee.Party]:
        """Return the loser and the winner."""
        combat = self.combat(state)
        loser, winner = (party(state, combat, each) for each in (combat.lost, combat.winner))
        return replace(loser, nerve=self.usual(state)), winner

    def test(self, state: State) -> Nerve | None:
        combat, (loser, winner) = self.combat(state), self.parties(state)
        return None if melee.auto_break(loser, winner) else melee.break_nerve(loser, combat.by)

    def breaks(self, state: State) -> bool:
        """Return whether it breaks."""
        return bool(melee.auto_break(*self.parties(state))) or not self.passed(state)

    def rides_through(self, state: State) -> bool:
        """Return whether cavalry rides through cavalry, because neither has broken. Slide 23.
        Ruling N-K4."""
        loser, winner = self.parties(state)
        return bool(loser.mount) and bool(winner.mount) and not self.breaks(state)

    def past_square(self, state: State) -> bool:
        """Return whether it is cavalry that a square has beaten, and that rides on past it. Slide
        15."""
        loser, winner = self.parties(state)
        return bool(loser.mount) and winner.square

    def dice_wanted(self, state: State) -> Dice:
        yield from super().dice_wanted(state)
        loser, winner = self.parties(state)
        steady = figures("cavalry")["breakthrough_dice"] if loser.mount and winner.mount else 1
        if not self.breaks(state):
            yield {"inches": steady}
            return
        yield {
            "inches": 0
            if self.past_square(state)
            else charges.flight_dice(mounted=bool(loser.mount))
        }

    def follows(self, state: State, *, passed: bool) -> State:
        combat = self.combat(state)
        past = self.past_square(state)
        broke = self.breaks(state)
        # Who loses another fight of this turn pursues nobody that it has beaten before.
        for each in state.combats:
            if each.winner == self.fighter and not each.caught:
                state = closed(state, each)
        if self.rides_through(state):
            return ridden_through(state, combat, sum(self.inches))
        after = replace(combat, tested=True, broke=broke and not past, fled=sum(self.inches))
        state = state.fought(combat, after)
        if not after.broke:
            state = disordered(state, self.fighter)
        else:
            state = state.put(self.fighter, BROKEN, combat.winner).cheered(combat.winner)
            if not self.combatant(state).skirmishing:
                # Formed units ignore skirmishers who break. Slide 28.
                state = replace(state, shocks=(*state.shocks, self.fighter))
        over = (
            (broke and past)
            or state.combatants[combat.winner].battery
            or after not in state.combats
        )
        return closed(state, after) if over else state

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        if why := melee.auto_break(*self.parties(step.before)):
            yield f"It breaks without a test: {why}."
        yield from super().outcome_sentences(step)
        if self.rides_through(step.before):
            yield "Neither breaks: both ride through (Ruling N-K4)."
        if self.fighter in step.after.shocks:
            near = figures("morale")["near_break"]
            yield f"Friends within {near} inches of it take a panic test."


@kind("follow")
class Followed(AfterFight, frozen=True, kw_only=True):
    """The winner of a fight pursues, stands by a test, falls back, or is recalled. Rulings N-K2,
    N-K3.

    Cavalry that has charged and broken an enemy may ride on into a fresh one, and so may cavalry
    that has ridden through cavalry: slides 22 and 23, ruling N-K7.
    """

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"steady": ("", "")}

    how: Annotated[str, choice_meta(FOLLOWS), field_meta("Action")] = "back"
    into: Annotated[
        FighterId, field_meta("Into which fresh enemy", "Cavalry that pursues: straight ahead.")
    ] = ""
    gap: Annotated[Inches, field_meta("Distance to it", "From where it made contact.")] = 0
    facing: Annotated[str, choice_meta(words("facings")), field_meta("Where that is hit")] = "front"
    modifier: Annotated[
        Modifier, field_meta("Modifier for the ground", "For cavalry that is recalled.")
    ] = 0
    fresh: Annotated[Pool, field_meta("Is it blown?", "From its second charge on.")] = ()
    steady: Annotated[TwoDice, field_meta("Disorder test", "For cavalry that is recalled.")] = ()

    @classmethod
    def due_for(cls, state: State, actor: str, phase: str) -> Iterator[Due]:
        """Yield what a winner may do in the step that play has come to; play goes on without it."""
        if phase == STEPS[state.step] and actor in state.combatants:
            yield replace(cls.to_do_by(state, state.combatants[actor]), minor=True)

    def test(self, state: State) -> Nerve | None:
        won_by = self.combat(state).by if self.how == "recall" else 0
        nerve = melee.recall_nerve(self.usual(state), won_by)
        return nerve if self.how in ("stand", "recall") else None

    def steady_nerve(self, state: State) -> Nerve:
        """Return the disorder test of recalled cavalry at the end of its ride. Slide 23. Ruling
        N-K6."""
        return movement.fall_back_nerve(self.usual(state), ground=self.modifier)

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        yield from super().sums(step)
        if self.steady:
            yield reasoned(
                "Disorder test, two dice within",
                *morale.nerve_lines(self.steady_nerve(step.before)),
            )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        yield from super().outcome_sentences(step)
        if self.into and self.pursues(step.before):
            name = step.before.combatants[self.into].name
            yield (
                f"It rides into {name}."
                if self.follows_up(step.before)
                else f"It does not catch {name}."
            )
        if self.steady:
            steady = passes(self.steady, morale.target(self.steady_nerve(step.before)))
            yield f"Disorder test, {sum(self.steady)}: {'passed' if steady else 'failed'}."

    def pursues(self, state: State) -> bool:
        """Return whether it runs after the loser: by choice, or because it cannot be held. A square
        never does."""
        held = self.passed(state) or self.combatant(state).formed.square
        return self.how == "pursue" or (self.combat(state).broke and not held)

    def rides(self, state: State) -> float:
        """Return how far it comes after the enemy: as rolled now, or what is left of its ride."""
        combat = self.combat(state)
        return combat.left if combat.through or combat.followed else sum(self.inches)

    def follows_up(self, state: State) -> bool:
        """Return whether it makes contact with the fresh enemy."""
        return bool(self.into) and self.pursues(state) and self.rides(state) >= self.gap

    @classmethod
    def choices_for(cls, state: State, actor: str) -> Mapping[str, Choices]:
        fighter, combat = state.combatants[actor], state.combat(actor, cls.key)
        fits = {
            "back": not combat.through,
            "stand": not combat.through,
            "on": combat.through,
            "pursue": combat.through or (combat.broke and not fighter.formed.square),
            "recall": fighter.cavalry,
        }
        onward = fighter.cavalry and (
            combat.through or (combat.broke and charged_in(combat, fighter.id))
        )
        hidden = [] if onward else ["into", "gap", "facing"]
        if not fighter.cavalry:
            hidden.append("modifier")
        how = tuple((key, name) for key, name in FOLLOWS.items() if fits[key])
        return {**super().choices_for(state, actor), "how": how, **dict.fromkeys(hidden, ())}

    def dice_wanted(self, state: State) -> Dice:
        combatant = self.combatant(state)
        recall = self.how == "recall"
        combat = self.combat(state)
        yield from super().dice_wanted(state)

        # How far it goes: after the enemy, unless it has rolled for that before, or away from it.
        if self.pursues(state):
            inches = charges.flight_dice(mounted=combatant.cavalry)
            if self.into:
                inches = figures("cavalry")["breakthrough_most"]
            if combat.through or combat.followed:
                inches = 0
        elif self.how == "on" or (combat.through and recall and not self.passed(state)):
            inches = 0
        elif recall:
            inches = figures("cavalry")["recall_dice"]
        else:
            inches = int(self.how != "stand" or not self.passed(state))
        yield {"inches": inches}

        # Whether recalled cavalry is blown, and in order. Rulings N-K3, N-K6.
        back = recall and self.passed(state)
        tires = back and charged_in(combat, combatant.id) and not combatant.blown
        yield {
            "fresh": int(tires and melee.fresh_need(combatant.charges) > 1),
            "steady": 2 if back else 0,
        }

    def checks(self, state: State) -> Checks:
        combatant = self.combatant(state)
        pursues = self.how == "pursue"
        combat = self.combat(state)
        other, charged = state.combatants.get(self.into), charged_in(combat, combatant.id)
        busy = other is not None and any(
            other.id in (each.fighter, each.target) for each in state.combats
        )
        yield other and (busy or untargetable(combatant, other)), "no-fresh-enemy"
        yield from super().checks(state)
        yield self.how == "recall" and not combatant.cavalry, "cavalry-alone"
        yield combat.through and self.how in ("back", "stand"), "has-ridden-through"
        yield self.how == "on" and not combat.through, "not-ridden-through"
        yield pursues and not (combat.broke or (combat.through and self.into)), "nobody-broke"
        yield pursues and combatant.formed.square, "square-pursues-not"
        yield (
            other and not (combatant.cavalry and (combat.through or (combat.broke and charged))),
            "no-follow-up",
        )
        rolled = combat.through or combat.followed
        farthest = combat.left if rolled else 6 * figures("cavalry")["breakthrough_most"]
        yield other and self.gap > farthest, "too-far-to-follow"

    def follows(self, state: State, *, passed: bool) -> State:
        combat, need = self.combat(state), melee.fresh_need(self.combatant(state).charges)
        fresh = self.how == "recall" and passed and all(die >= need for die in self.fresh)
        if self.steady and not passes(self.steady, morale.target(self.steady_nerve(state))):
            # It is tested as it rides back, before anybody asks whether it is blown.
            state = state.lowered(self.fighter)
        if self.follows_up(state):
            return self.ridden_on(state)
        if (
            combat.broke
            and self.pursues(state)
            and not self.into
            and self.rides(state) >= combat.fled
        ):
            return state.fought(combat, replace(combat, caught=True)).colours_taken(
                combat.lost, self.fighter
            )
        return closed(state, combat, fresh=self.fighter if fresh else "")

    def ridden_on(self, state: State) -> State:
        """Return the state in which it fights the fresh enemy, blown as it makes contact. Slide 22.
        Ruling N-K7."""
        combatant, left = self.combatant(state), self.rides(state) - self.gap
        state = closed(state, self.combat(state))
        if not combatant.skirmishing:
            state = state.changed(combatant.id, blown=True, recovered=(), jubilant=0)
        state = state.changed(combatant.id, charges=combatant.charges + 1).did(
            combatant.id, "charged"
        )
        fight = Combat(combatant.id, self.into, self.facing, followed=True, left=left)
        return replace(state, combats=(*state.combats, fight))


@kind("hack")
class Hacked(FighterEvent, frozen=True, kw_only=True):
    """A unit caught fleeing is struck without striking back, loses its colours, and flees on. Slide
    16."""

    spare_dice: ClassVar[Mapping[str, tuple[str, str]]] = {"inches": ("", "")}

    fighter: Annotated[FighterId, field_meta("Who strikes")]
    front: Front = 0
    blows: Annotated[Pool, field_meta("Blows")] = ()
    again: Again = ()
    wounds: Wounds = ()
    saves: Saves = ()
    inches: Annotated[Pool, field_meta("Inches that it flees on")] = ()

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return (combatant.id, cls.key) in state.due()

    @classmethod
    def prefilled(cls, state: State, combatant: Combatant, field: Field) -> Field:
        field = super().prefilled(state, combatant, field)
        return with_front(field, combatant) if field.key == "front" else field

    def victim(self, state: State) -> Combatant:
        """Return who has been caught."""
        return state.combatants[state.combat(self.fighter, self.key).lost]

    def flees_on(self, state: State) -> bool:
        """Return whether enough of the victim is left to flee on: it is neither shattered nor
        dispersed."""
        victim = self.victim(state)
        left = victim.figures - slain(*self.parties(state), self.wounds, self.saves)
        return left > 0 and not morale.disperses(
            victim.start, left, colours_lost=victim.colours_lost
        )

    def parties(self, state: State) -> tuple[melee.Party, melee.Party]:
        """Return who strikes, and who flees."""
        combat = state.combat(self.fighter, self.key)
        return party(state, combat, self.fighter, self.front), party(state, combat, combat.lost)

    def dice_wanted(self, state: State) -> Dice:
        own, other = self.parties(state)
        yield {"blows": own.dice}
        yield from struck(self, own, other, melee.blow_need(own, caught=True))
        flight = charges.flight_dice(mounted=bool(other.mount) or self.victim(state).fighter.horse)
        yield {"inches": flight if self.flees_on(state) else 0}

    def checks(self, state: State) -> Checks:
        yield from super().checks(state)
        yield not firing_rank(self.combatant(state), self.front), "front-unknown"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        combat = state.combat(self.fighter, self.key)
        killed = slain(*self.parties(state), self.wounds, self.saves)
        state = state.changed(self.fighter, front=self.front or self.combatant(state).front)
        return closed(state.hurt(combat.lost, killed, self.fighter), combat).dispersed(
            combat.lost, self.fighter
        )

    def sums(self, step: ReplayStep[State]) -> Iterator[ReasonedSum]:
        own, _ = self.parties(step.before)
        yield needed(melee.blow_need(own, caught=True), melee.blow_lines(own, caught=True))

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        if self.inches:
            yield f"{self.victim(step.before).name} flees another {inches_told(sum(self.inches))}."


@kind("recover")
class Recovered(FighterEvent, frozen=True, kw_only=True):
    """Blown cavalry in a safe place throws a die towards ten. Ruling N-K1."""

    modifier: Annotated[
        Recovery | None,
        field_meta("Modifier for its grade", "Used where the source does not give it."),
    ] = None
    dice: Annotated[Pool, field_meta("Die")] = ()

    @classmethod
    def waits_for(cls, state: State, combatant: Combatant) -> bool:
        """Return whether it is blown, or will be once the fights of this step are over."""
        return cls.is_due(state, combatant) or settled(state).combatants[combatant.id].blown

    @classmethod
    def is_due(cls, state: State, combatant: Combatant) -> bool:
        return combatant.blown

    def dice_wanted(self, state: State) -> Dice:
        yield {"dice": 1}

    def tally(self, state: State) -> tuple[int, ...]:
        """Return all its dice since it came to rest."""
        return (*self.combatant(state).recovered, *self.dice)

    def rested(self, state: State) -> bool:
        """Return whether it has recovered. Raise RulesError "not-in-source"."""
        grade = state.grade(self.combatant(state))
        adds = melee.recovery_of(
            grade if self.modifier is None else replace(grade, recovery=self.modifier)
        )
        return melee.recovered(self.tally(state), adds, per_die=state.settings.recovery_per_die)

    def checks(self, state: State) -> Checks:
        self.rested(state)
        yield from super().checks(state)
        yield "moved" in self.combatant(state).did, "moved-while-blown"

    def apply(self, state: State, logged: LoggedEvent) -> State:
        rested = self.rested(state)
        return state.changed(
            self.fighter, blown=not rested, recovered=() if rested else self.tally(state)
        )

    def outcome_sentences(self, step: ReplayStep[State]) -> Iterator[str]:
        rested = "it has recovered" if self.rested(step.before) else "not yet"
        yield f"{sum(self.tally(step.before))} in all: {rested}."
