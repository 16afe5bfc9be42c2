"""The log of a battle of Avant-garde, and the result that it comes to."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.battle_log.kinds import EventKind
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.naming import unknown_names
from rulebook.battle_log.policy import Policy
from rulebook.systems.avant_garde import charging, commanding, ending, fighting, firing, moves
from rulebook.systems.avant_garde.aftermath import condition_after
from rulebook.systems.avant_garde.book import ARMS, book, broken, problem
from rulebook.systems.avant_garde.commanding import strength
from rulebook.systems.avant_garde.events import STEPS, Event, TurnEvent
from rulebook.systems.avant_garde.morale import BROKEN, GOOD, brigade_levels
from rulebook.systems.avant_garde.state import GONE, Combatant, State, opening
from rulebook.systems.avant_garde.victory import Tally, scored_as, victory_lines, winner
from rulebook.values.battles import BattleResult, BattleSetup, LoggedEvent, Outcome, Record, ScoreLine, SideResult
from rulebook.values.problems import Problem, RulesError, Violation, listed
from rulebook.values.rosters import Condition, Fate

KINDS: tuple[type[Event], ...] = (
    ending.HeldBack,
    ending.Deserted,
    commanding.TurnBegan,
    commanding.PipsAssigned,
    commanding.WentOnReact,
    commanding.BrigadeTested,
    ending.Arrived,
    commanding.Rallied,
    fighting.Recalled,
    commanding.InitiativeRolled,
    charging.ChargeDeclared,
    charging.Restrained,
    charging.Reacted,
    charging.ChargersRan,
    moves.Moved,
    moves.Formed,
    moves.FellBack,
    moves.Advanced,
    moves.OrderGiven,
    firing.Fired,
    firing.GunsFired,
    firing.Struck,
    firing.CasualtyTested,
    firing.PanicTested,
    fighting.Fought,
    fighting.BreakTested,
    fighting.Followed,
    fighting.Hacked,
    fighting.Recovered,
    ending.TurnEnded,
    ending.SectorDamaged,
    ending.LocationTaken,
    ending.Lost,
    ending.Ended,
    ending.Returned,
)
NAMING = ("fighter", "target", "to")
"""Fields of those who cannot be gone or off the table."""
AFTERWARDS = (ending.Returned,)
EARLY = (ending.HeldBack, ending.Deserted)


class AvantGardePolicy(Policy[State]):
    """Who is named is there, steps go in their order and leave nothing open, pips are paid, what is over is over."""

    def before(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """The state in the step in which the event happens: what was open and lets itself be closed is closed."""
        place = event.step(state) if isinstance(event, TurnEvent) and state.turn else None
        return stepped(state, state.step if place is None else place)

    def input_errors(self, state: State, event: EventKind[State], logged: LoggedEvent) -> Iterator[Problem]:
        """What makes no sense; what is not in the source is asked for, dice only once everything else is good."""
        wrong = tuple(unknown_names(event, state.combatants, state.sides)) or tuple(misplaced(state, event))
        early = event.starts_turn or isinstance(event, EARLY)
        if not wrong and event.turn_by_turn and not early and not state.turn:
            wrong = (problem("no-turn", field="kind"),)
        try:
            wrong = wrong or tuple(super().input_errors(state, event, logged))
            wrong = wrong or tuple(event.dice_errors(state))
        except RulesError as error:
            wrong = error.problems
        yield from wrong

    def violations(self, state: State, event: EventKind[State], logged: LoggedEvent) -> Iterator[Violation]:
        if isinstance(event, Event) and not isinstance(event, AFTERWARDS):
            yield from broken((state.ended, "battle-over"))
        if isinstance(event, commanding.TurnBegan) or state.last_step != state.step:
            yield from left_open(state)
        if isinstance(event, TurnEvent) and not isinstance(event, AFTERWARDS):
            yield from absent(state, event)
            yield from out_of_turn(state, event)
            yield from unpaid(state, event)
        yield from super().violations(state, event, logged)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """The state after the event, in its step, with its pips paid."""
        if not isinstance(event, TurnEvent):
            return super().apply(state, event, logged)
        state = self.before(state, event, logged)
        price, marks = event.price(state), event.marks(state)
        state = super().apply(state.paid(price), event, logged)
        return replace(state, done=(*state.done, *marks), last_step=state.step)


def stepped(state: State, place: int) -> State:
    """The state in a step: in another one, fights that have been tested and casualties without a test are forgotten."""
    if place == state.step:
        return replace(state, last_step=place)
    for combat in state.combats:
        state = fighting.closed(state, combat) if combat.tested and not combat.caught else state
    known = (each for each in state.combatants.values() if each.shot and not firing.test_due(state, each))
    state = state.with_(*(replace(each, shot=0, enfiladed=False) for each in known))
    return replace(state, last_step=state.step, step=place)


def misplaced(state: State, event: EventKind[State]) -> Iterator[Problem]:
    """Arms that do no such thing."""
    one = state.combatants.get(getattr(event, "fighter", ""))
    if isinstance(event, Event) and one and event.arms and one.fighter.arm not in event.arms:
        names = listed((ARMS[each].lower() for each in event.arms), "or")
        yield problem("wrong-arm", field="fighter", value=one.id, name=one.name, known=names)


def absent(state: State, event: TurnEvent) -> Iterator[Violation]:
    """Is whoever is named gone, or not on the table yet?"""
    for one in (state.combatants[who] for each in NAMING if (who := getattr(event, each, ""))):
        yield from broken(
            (bool(one.gone), "gone"),
            (not one.gone and not one.on_table, "off-table"),
            name=one.name,
            gone=GONE.get(one.gone),
        )


def out_of_turn(state: State, event: TurnEvent) -> Iterator[Violation]:
    """Is its step over, or not yet there, has it been done in this turn?"""
    place = event.step(state)
    now = tuple(book().step.values())[state.step].name
    sided = event.steps and STEPS.index(event.steps[0]) > STEPS.index("initiative")
    yield from broken(
        (place is None, "step-over"),
        (bool(sided) and not state.first, "no-initiative"),
        (bool(set(event.marks(state)) & set(state.done)), "already"),
        now=now,
        label=event.label,
    )


def still_open(state: State) -> Iterator[tuple[str, str]]:
    """What has to be done before the next step: who, and the key of the kind."""
    for one in state.combatants.values():
        if one.falls and one.on_table:
            yield one.id, "struck"
        if firing.test_due(state, one):
            yield one.id, "test"
    for charge in state.charges:
        yield (charge.target, "reaction") if not charge.answer else (charge.fighter, "contact")
    for combat in state.combats:
        if combat.caught:
            yield combat.winner, "hack"
        elif not combat.lost:
            yield combat.fighter, "melee"
        elif not combat.tested:
            yield combat.lost, "break"


def left_open(state: State) -> Iterator[Violation]:
    """Is something of the step that play leaves still to be done?"""
    fought = {*STEPS[state.last_step : state.step or len(STEPS)]} & {*fighting.WHERE}
    for who, key in still_open(state):
        if key in ("melee", "break") and not fought:
            continue
        yield from broken((True, "still-open"), name=state.combatants[who].name, label=LOG.kinds[key].label.lower())


def unpaid(state: State, event: TurnEvent) -> Iterator[Violation]:
    """Who has not so many pips left?"""
    for who, pips in event.price(state).items():
        one = state.combatants[who]
        yield from broken((one.pips < pips, "too-few-pips"), name=one.name, have=one.pips, pips=pips)


LOG = BattleLog(KINDS, opening, AvantGardePolicy(), State)
"""The log of Avant-garde."""


def tally(state: State, side: str) -> Tally:
    """What a side has to show for itself, against all others. Rulings N-W1 to N-W3, N-W6."""
    enemies = [each for each in state.combatants.values() if each.side != side and not each.commander]
    scores = [scored(state, each) for each in enemies]
    broken_brigades = sum(
        "broken" in brigade_levels(*strength(state, troops))
        for key, troops in state.brigades().items()
        if not key.startswith(f"{side}/")
    )
    locations = sum(holder == side for holder in state.locations.values())
    colours = sum(deed.kind == "colours" and state.combatants[deed.fighter].side == side for deed in state.deeds)
    return Tally(broken_brigades, scores.count("shaken"), scores.count("shattered"), locations, colours)


def score_of(state: State, side: str) -> tuple[ScoreLine, ...]:
    """The victory points of a side, line by line."""
    found = victory_lines(tally(state, side), state.settings)
    return tuple(ScoreLine(each.amount, f"{each.reason[:1].upper()}{each.reason[1:]}.", each.rule) for each in found)


def result_of(state: State, setup: BattleSetup) -> BattleResult:
    """The result: victory points as the log has them; more of them win. Ruling N-W5."""
    lines = {key: score_of(state, key) for key in state.sides}
    points = {key: sum(line.points for line in found) for key, found in lines.items()}
    best = winner(points)
    brought = {each.id: each.condition for side in setup.sides for each in side.fighters}
    sides = []
    for key in state.sides:
        own = {each.id for each in state.of(key)}
        deeds = tuple(each for each in state.deeds if each.fighter in own)
        outcome = Outcome.WON if key == best else Outcome.LOST if best else Outcome.DREW
        records = tuple(_record(state, each, brought[each.id]) for each in state.of(key))
        sides.append(SideResult(key, points[key], lines[key], outcome, records, deeds))
    told = ", ".join(f"{name} {points[key]}" for key, name in state.sides.items())
    verdict = f"{state.sides[best]} won by victory points: {told}." if best else f"A draw by victory points: {told}."
    return BattleResult(tuple(sides), verdict, state.turn or None, best or None)


def scored(state: State, one: Combatant) -> str:
    """What a unit scores as for the enemy: "shaken", "shattered" or "". Rulings N-W2, N-W6."""
    away = one.gone == "left"
    found = scored_as(one.start, one.figures, off_table=away, rules=state.settings)
    return "shattered" if one.gone == "shattered" else found or "shaken" * one.shaken


def _record(state: State, one: Combatant, brought: Condition) -> Record:
    """What becomes of a unit or a commander: what it carries on, and the state in which it ended."""
    rules, ended = state.settings, one.gone or ("shaken" if one.shaken else one.order * (one.order != GOOD))
    stays = rules.casualties_carry_over
    lost = one.gone in ("killed", "surrendered", "guns") or (one.start > 0 and not one.figures)
    lacks = 0 if one.commander else one.fighter.strength - one.figures
    return Record(
        fighter=one.id,
        rank=0,
        fate=Fate.DEAD if stays and lost else Fate.FIT,
        survived=not one.gone,
        wounds=ended or "unhorsed" * one.unhorsed,
        routed=one.order == BROKEN,
        condition=condition_after(brought, lost=lacks, guns=one.guns_lost, colours_lost=one.colours_lost, rules=rules),
    )
