"""The log of a battle of Avant-garde, and the result that it comes to."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.battle_log.kinds import EventKind, ReplayStep
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.steps import StepPolicy
from rulebook.systems.avant_garde import (  # noqa: F401 - all kinds
    charging,
    commanding,
    ending,
    fighting,
    firing,
    moves,
    skirmishers,
)
from rulebook.systems.avant_garde.aftermath import condition_after
from rulebook.systems.avant_garde.book import ARMS, VIOLATIONS, broken, problem, read_data
from rulebook.systems.avant_garde.events import BECOMES, NAMED, STEPS, TurnEvent, changes_told
from rulebook.systems.avant_garde.morale import BROKEN, GOOD, brigade_losses
from rulebook.systems.avant_garde.state import GONE, Combatant, State, opening
from rulebook.systems.avant_garde.victory import Tally, scored_as, victory_lines, winner
from rulebook.values.battles import BattleResult, BattleSetup, LoggedEvent, Loss, Outcome, Record, ScoreLine, SideResult
from rulebook.values.problems import Obligation, Problem, Violation, join_names
from rulebook.values.rosters import Condition, Fate
from rulebook.values.table import EventOutcome


class AvantGardePolicy(StepPolicy[State]):
    """Who is named is on the table, pips are paid, and each event tells what has become of everybody."""

    sayings = VIOLATIONS

    def before(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        after = super().before(state, event, logged)
        return after if after.step == state.step else fighting.settled(after)

    def end_of(self, state: State, who: str) -> str:
        one = state.combatants.get(who)
        if one is None or not one.gone:
            return ""
        by = next((each.fighter for each in reversed(state.deeds) if (each.victim, each.kind) == (who, one.gone)), "")
        return f"{one.name} was {BECOMES[one.gone]}{f' by {state.combatants[by].name}' if by else ''}"

    def left_open(self, state: State) -> Iterator[tuple[str, str]]:
        """What of the steps that are left has yet to be done: fights wait for their own step, brigades for no other."""
        fights = {*STEPS[state.last_step : state.step or len(STEPS)]} & {*fighting.Fought.steps}
        for who, key in state.still_open():
            if fights or key not in ("melee", "break"):
                yield state.combatants[who].name, LOG.kinds[key].label
        for one in brigades_due(state, state.last_step):
            yield one.name, LOG.kinds["brigade"].label

    def obligations(self, state: State) -> Iterator[Obligation]:
        """Yield open charges, fights and tests, and the End Phase while somebody has to reload. Slides 2 and 29.

        What the table has overruled by leaving its last step waits for the next turn, and holds up nothing in this one.
        """
        if state.ended or not state.turn:
            return
        still_open = (each for each in state.still_open() if can_still_happen(state, each[1]))
        due = [*still_open, *((one.id, "brigade") for one in brigades_due(state, state.step))]
        for who, key in due:
            label = f"{state.combatants[who].name}: {LOG.kinds[key].label.lower()}"
            yield Obligation(who=who, kind=key, label=label)
        unloaded = [each for each in state.combatants.values() if each.on_table and not each.loaded]
        if unloaded and not any(mark.startswith("end ") for mark in state.done):
            kind = LOG.kinds["end"]
            yield Obligation(who="", kind=kind.key, label=f"{kind.label.lower()}, to reload", blocks_end=False)

    def misplaced(self, state: State, event: EventKind[State]) -> Iterator[Problem]:
        one, arms = state.combatants.get(getattr(event, "fighter", "")), getattr(event, "arms", ())
        if one and arms and one.fighter.arm not in arms:
            names = join_names((ARMS[each].lower() for each in arms), "or")
            yield problem("wrong-arm", field="fighter", value=one.id, name=one.name, known=names)

    def violations(self, state: State, event: EventKind[State], logged: LoggedEvent) -> Iterator[Violation]:
        if isinstance(event, TurnEvent) and not event.after_end:
            for one in (state.combatants[who] for each in NAMING if (who := getattr(event, each, ""))):
                away = not one.gone and not one.on_table
                yield from broken((one.gone, "gone"), (away, "off-table"), name=one.name, gone=GONE.get(one.gone))
            sided = event.steps and STEPS.index(event.steps[-1]) > STEPS.index("initiative")
            early = sided and STEPS.index("initiative") <= state.step and not state.first
            yield from broken((early, "no-initiative"))
            for who, pips in event.price(state).items():
                one = state.combatants[who]
                yield from broken((one.pips < pips, "too-few-pips"), name=one.name, have=one.pips, pips=pips)
        if event.spare_dice:
            # A log that was kept before these dice belonged to the event stands without them; a new event does not.
            needed = {field for wanted in event.dice_wanted(state) for field, number in wanted.items() if number}
            missing = any(field in needed and not getattr(event, field) for field in event.spare_dice)
            yield from broken((missing, "dice-missing"), label=event.label)
        yield from super().violations(state, event, logged)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """The state after the event, with its pips paid."""
        price = event.price(state) if isinstance(event, TurnEvent) else {}
        return super().apply(state, event, logged).paid(price)

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        found = super().outcome_of(step)
        told = () if isinstance(step.event, ending.Lost) else tuple(changes_told(step.before, step.after))
        if strikes(step.event) and losses(step.before) == losses(step.after):
            told = ("Nobody falls.", *told)
        return replace(found, sentences=(*found.sentences, *told))


def can_still_happen(state: State, key: str) -> bool:
    """Return whether a step of this turn is left in which a kind happens."""
    kind = LOG.kinds[key]
    return not issubclass(kind, TurnEvent) or kind.next_step(state) is not None


def strikes(event: EventKind[State]) -> bool:
    """Return whether it threw dice that may kill, and does not say itself whether anybody fell."""
    return not isinstance(event, firing.Struck) and any(getattr(event, each, ()) for each in DEADLY)


def losses(state: State) -> int:
    """Return how many figures and guns have been lost so far, of everybody."""
    return sum(each.start - each.figures + each.guns_lost for each in state.combatants.values())


DEADLY = ("kills", "inside", "blows", "target_blows")
"""Fields of dice that may kill, or that come before those that do."""
NAMING = ("fighter", "target", "to", "redirect", "into")
"""Fields of those who have to be on the table."""


def brigades_due(state: State, step: int) -> tuple[Combatant, ...]:
    """Return the units whose brigade is tested in the command step, where that is the step; else nobody. Slide 29."""
    if STEPS[step] != "command":
        return ()
    return tuple(each for each in state.combatants.values() if state.losses_due(each))


KINDS = tuple(NAMED[key] for key in read_data("kinds")["kind"])
"""Every kind, in the order of ``data/kinds.toml``."""
LOG = BattleLog(KINDS, opening, AvantGardePolicy(), State)
"""The log of Avant-garde."""


def tally(state: State, side: str) -> Tally:
    """What a side has to show for itself, against all others. Rulings N-W1 to N-W3, N-W6."""
    enemies = [each for each in state.combatants.values() if each.side != side and not (each.commander or each.parent)]
    scores = [scored(state, each) for each in enemies]
    broken_brigades = sum(
        "broken" in brigade_losses(*state.strength(key)) for key in state.brigades() if not key.startswith(f"{side}/")
    )
    locations = sum(holder == side for holder in state.locations.values())
    # Colours that were retaken count for nobody, and those that were lost twice count once.
    taken = {deed.victim: deed.fighter for deed in state.deeds if deed.kind == "colours" and deed.victim}
    held = {victim: by for victim, by in taken.items() if state.combatants[victim].colours_lost}
    colours = sum(state.combatants[by].side == side for by in held.values())
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
        side_result = SideResult(
            side=key,
            victory_points=points[key],
            lines=lines[key],
            outcome=outcome,
            records=records,
            deeds=deeds,
        )
        sides.append(side_result)
    told = ", ".join(f"{name} {points[key]}" for key, name in state.sides.items())
    verdict = f"{state.sides[best]} won by victory points: {told}." if best else f"A draw by victory points: {told}."
    return BattleResult(sides=tuple(sides), verdict=verdict, turns=state.turn or None, winner=best or None)


def scored(state: State, one: Combatant) -> str:
    """What a unit scores as for the enemy: "shaken", "shattered" or "". Rulings N-W2, N-W6."""
    away = one.gone == "left"
    found = scored_as(one.start, one.figures, off_table=away, rules=state.settings)
    return "shattered" if one.gone == "shattered" else found or "shaken" * one.shaken


def _record(state: State, one: Combatant, brought: Condition) -> Record:
    """What becomes of a unit or a commander: what it carries on, and the state in which it ended."""
    rules, ended = state.settings, one.gone or ("shaken" if one.shaken else one.order * (one.order != GOOD))
    stays = rules.casualties_carry_over
    start, figures = state.whole(one)
    lost = one.gone in ("killed", "surrendered", "guns") or (start > 0 and not figures)
    lacks = 0 if one.commander else one.fighter.strength - figures
    return Record(
        fighter=one.id,
        rank=0,
        fate=Fate.DEAD if stays and lost else Fate.FIT,
        survived=not one.gone,
        wounds=ended or "unhorsed" * one.unhorsed,
        routed=one.order == BROKEN,
        losses=tuple(_losses(one, brought)),
        condition=condition_after(brought, lost=lacks, guns=one.guns_lost, colours_lost=one.colours_lost, rules=rules),
    )


def _losses(one: Combatant, brought: Condition) -> Iterator[Loss]:
    """What a unit has lost in this battle of what it brought, those who fell ill before it included."""
    had, guns = one.start + one.sick, int(brought.get("guns", 0))
    if lost := had - one.figures:
        yield Loss("lost", "gunners" if one.battery else "figures", str(lost), str(had))
    if one.guns_lost > guns:
        yield Loss("guns", "guns", str(one.guns_lost - guns), str(one.fighter.guns - guns))
    if one.colours_lost and not brought.get("colours_lost"):
        yield Loss("colours_lost", "its colours")
