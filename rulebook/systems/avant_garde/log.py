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
from rulebook.values.battles import (
    BattleResult,
    BattleSetup,
    LoggedEvent,
    Loss,
    Outcome,
    Record,
    ScoreLine,
    SideResult,
)
from rulebook.values.problems import Obligation, Problem, Violation, join_names
from rulebook.values.rosters import Condition, Fate
from rulebook.values.table import EventOutcome


class AvantGardePolicy(StepPolicy[State]):
    """The policy of Avant-garde: named units are on the table, pips are paid, and outcomes name all
    changes."""

    sayings = VIOLATIONS

    def before(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        after = super().before(state, event, logged)
        return after if after.step == state.step else fighting.settled(after)

    def end_of(self, state: State, who: str) -> str:
        combatant = state.combatants.get(who)
        if combatant is None or not combatant.gone:
            return ""
        killers = (
            deed.fighter
            for deed in reversed(state.deeds)
            if (deed.victim, deed.kind) == (who, combatant.gone)
        )
        killer = next(killers, "")
        by = f" by {state.combatants[killer].name}" if killer else ""
        return f"{combatant.name} was {BECOMES[combatant.gone]}{by}"

    def left_open(self, state: State) -> Iterator[tuple[str, str]]:
        """Yield what of the steps that are left has yet to be done.

        Fights wait for their own step, brigades for no other.
        """
        fights = {*STEPS[state.last_step : state.step or len(STEPS)]} & {*fighting.Fought.steps}
        for who, key in state.still_open():
            if fights or key not in ("melee", "break"):
                yield state.combatants[who].name, LOG.kinds[key].label
        for combatant in brigades_due(state, state.last_step):
            yield combatant.name, LOG.kinds["brigade"].label

    def obligations(self, state: State) -> Iterator[Obligation]:
        """Yield open charges, fights and tests, and the End Phase while somebody has to reload.
        Slides 2 and 29.

        What the table has overruled by leaving its last step waits for the next turn, and holds up
        nothing in this one.
        """
        if state.ended or not state.turn:
            return
        due = [(who, key) for who, key in state.still_open() if can_still_happen(state, key)]
        due += [(combatant.id, "brigade") for combatant in brigades_due(state, state.step)]
        for who, key in due:
            label = f"{state.combatants[who].name}: {LOG.kinds[key].label.lower()}"
            yield Obligation(who=who, kind=key, label=label)
        unloaded = [each for each in state.combatants.values() if each.on_table and not each.loaded]
        if unloaded and not any(mark.startswith("end ") for mark in state.done):
            kind = LOG.kinds["end"]
            yield Obligation(
                who="", kind=kind.key, label=f"{kind.label.lower()}, to reload", blocks_end=False
            )

    def misplaced(self, state: State, event: EventKind[State]) -> Iterator[Problem]:
        combatant = state.combatants.get(getattr(event, "fighter", ""))
        arms = getattr(event, "arms", ())
        if combatant and arms and combatant.fighter.arm not in arms:
            names = join_names((ARMS[each].lower() for each in arms), "or")
            yield problem(
                "wrong-arm", field="fighter", value=combatant.id, name=combatant.name, known=names
            )

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        if isinstance(event, TurnEvent) and not event.after_end:
            # Who is named is on the table.
            for field in NAMING:
                if who := getattr(event, field, ""):
                    combatant = state.combatants[who]
                    away = not combatant.gone and not combatant.on_table
                    checks = (combatant.gone, "gone"), (away, "off-table")
                    yield from broken(*checks, name=combatant.name, gone=GONE.get(combatant.gone))
            # What comes after the initiative takes one.
            sided = event.steps and STEPS.index(event.steps[-1]) > STEPS.index("initiative")
            early = sided and STEPS.index("initiative") <= state.step and not state.first
            yield from broken((early, "no-initiative"))
            # Who pays has the pips.
            for who, pips in event.price(state).items():
                payer = state.combatants[who]
                yield from broken(
                    (payer.pips < pips, "too-few-pips"), name=payer.name, have=payer.pips, pips=pips
                )
        if event.spare_dice:
            # A log that was kept before these dice belonged to the event stands without them; a new
            # event does not.
            needed: set[str] = set()
            for dice in event.dice_wanted(state):
                needed |= {field for field, number in dice.items() if number}
            missing = any(
                field in needed and not getattr(event, field) for field in event.spare_dice
            )
            yield from broken((missing, "dice-missing"), label=event.label)
        yield from super().violations(state, event, logged)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """Return the state after the event, with its pips paid."""
        price = event.price(state) if isinstance(event, TurnEvent) else {}
        return super().apply(state, event, logged).paid(price)

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        outcome = super().outcome_of(step)
        changes = (
            ()
            if isinstance(step.event, ending.Lost)
            else tuple(changes_told(step.before, step.after))
        )
        if strikes(step.event) and losses(step.before) == losses(step.after):
            changes = ("No casualties.", *changes)
        return replace(outcome, sentences=(*outcome.sentences, *changes))


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
    """Return the units whose brigade is tested in the command step, where that is the step; else
    nobody. Slide 29."""
    if STEPS[step] != "command":
        return ()
    return tuple(each for each in state.combatants.values() if state.losses_due(each))


KINDS = tuple(NAMED[key] for key in read_data("kinds")["kind"])
"""Every kind, in the order of ``data/kinds.toml``."""
LOG = BattleLog(KINDS, opening, AvantGardePolicy(), State)
"""The log of Avant-garde."""


def tally(state: State, side: str) -> Tally:
    """Return what a side has to show for itself, against all others. Rulings N-W1 to N-W3, N-W6."""
    enemies = [
        each
        for each in state.combatants.values()
        if each.side != side and not (each.commander or each.parent)
    ]
    scores = [scored(state, each) for each in enemies]
    broken_brigades = sum(
        "broken" in brigade_losses(*state.strength(key))
        for key in state.brigades()
        if not key.startswith(f"{side}/")
    )
    locations = sum(holder == side for holder in state.locations.values())
    # Colours that were retaken count for nobody, and those that were lost twice count once.
    taken = {
        deed.victim: deed.fighter for deed in state.deeds if deed.kind == "colours" and deed.victim
    }
    held = {victim: by for victim, by in taken.items() if state.combatants[victim].colours_lost}
    colours = sum(state.combatants[by].side == side for by in held.values())
    return Tally(
        broken_brigades, scores.count("shaken"), scores.count("shattered"), locations, colours
    )


def score_of(state: State, side: str) -> tuple[ScoreLine, ...]:
    """Return the victory points of a side, line by line."""
    lines = victory_lines(tally(state, side), state.settings)
    return tuple(
        ScoreLine(each.amount, f"{each.reason[:1].upper()}{each.reason[1:]}.", each.rule)
        for each in lines
    )


def read_result(state: State, setup: BattleSetup) -> BattleResult:
    """Return the result: victory points as the log has them; more of them win. Ruling N-W5."""
    lines = {key: score_of(state, key) for key in state.sides}
    points = {key: sum(line.points for line in side_lines) for key, side_lines in lines.items()}
    best = winner(points)
    # What each unit brought from earlier battles: its losses of today are counted against that.
    brought: dict[str, Condition] = {}
    for side in setup.sides:
        brought |= {each.id: each.condition for each in side.fighters}

    # The result of each side. Without a winner it is a draw.
    sides = []
    for key in state.sides:
        own = {each.id for each in state.of(key)}
        deeds = tuple(each for each in state.deeds if each.fighter in own)
        outcome = Outcome.DREW
        if best:
            outcome = Outcome.WON if key == best else Outcome.LOST
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

    scores = ", ".join(f"{name} {points[key]}" for key, name in state.sides.items())
    verdict = (
        f"{state.sides[best]} won by victory points: {scores}."
        if best
        else f"A draw by victory points: {scores}."
    )
    return BattleResult(
        sides=tuple(sides), verdict=verdict, turns=state.turn or None, winner=best or None
    )


def scored(state: State, combatant: Combatant) -> str:
    """Return what a unit scores as for the enemy: "shaken", "shattered" or "". Rulings N-W2,
    N-W6."""
    if combatant.gone == "shattered":
        return "shattered"
    score = scored_as(
        combatant.start, combatant.figures, off_table=combatant.gone == "left", rules=state.settings
    )
    return score or ("shaken" if combatant.shaken else "")


def _record(state: State, combatant: Combatant, brought: Condition) -> Record:
    """Return the record of a unit or a commander: its lasting losses, and the state in which
    it ended."""
    rules = state.settings

    # The state in which it ended, the worst of it: gone, shaken, out of order, unhorsed.
    ended = combatant.gone
    if not ended and combatant.shaken:
        ended = "shaken"
    if not ended and combatant.order != GOOD:
        ended = combatant.order
    if not ended and combatant.unhorsed:
        ended = "unhorsed"
    stays = rules.casualties_carry_over
    start, figures = state.whole(combatant)
    lost = combatant.gone in ("killed", "surrendered", "guns") or (start > 0 and not figures)
    lacks = 0 if combatant.commander else combatant.fighter.strength - figures
    return Record(
        fighter=combatant.id,
        rank=0,
        fate=Fate.DEAD if stays and lost else Fate.FIT,
        survived=not combatant.gone,
        wounds=ended,
        routed=combatant.order == BROKEN,
        losses=tuple(_losses(combatant, brought)),
        condition=condition_after(
            brought,
            lost=lacks,
            guns=combatant.guns_lost,
            colours_lost=combatant.colours_lost,
            rules=rules,
        ),
    )


def _losses(combatant: Combatant, brought: Condition) -> Iterator[Loss]:
    """Yield what a unit has lost in this battle of what it brought, those who fell ill before it
    included."""
    had, guns = combatant.start + combatant.sick, int(brought.get("guns", 0))
    if lost := had - combatant.figures:
        yield Loss("lost", "gunners" if combatant.battery else "figures", str(lost), str(had))
    if combatant.guns_lost > guns:
        yield Loss(
            "guns", "guns", str(combatant.guns_lost - guns), str(combatant.fighter.guns - guns)
        )
    if combatant.colours_lost and not brought.get("colours_lost"):
        yield Loss("colours_lost", "its colours")
