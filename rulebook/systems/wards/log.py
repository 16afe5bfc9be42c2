"""The log of a battle of Wards, and the result that it comes to."""

from collections.abc import Iterator

from rulebook.battle_log.kinds import EventKind
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.naming import unknown_names
from rulebook.battle_log.policy import Policy
from rulebook.systems.wards import combats, events
from rulebook.systems.wards.book import book, broken
from rulebook.systems.wards.events import Event, TurnEvent, unknown_wards
from rulebook.systems.wards.roster import lost_halves
from rulebook.systems.wards.state import GONE, Combatant, State, narrow, opening
from rulebook.systems.wards.units import bases_in_words
from rulebook.values.battles import BattleResult, BattleSetup, LoggedEvent, Outcome, Record, SideResult
from rulebook.values.problems import Problem, Violation
from rulebook.values.rosters import Fate

KINDS: tuple[type[Event], ...] = (
    events.TurnBegan,
    events.GeneralActed,
    events.MoraleTested,
    combats.Charged,
    combats.FellBack,
    events.PulledIn,
    combats.WardShot,
    combats.GunShot,
    combats.HandGunnersShot,
    events.WardMoved,
    combats.Fought,
    combats.GeneralStruck,
    events.ArrowsRecovered,
    events.OrderRestored,
    events.WardsRestored,
    events.GunLoaded,
    events.Arrived,
    events.GeneralReplaced,
    events.ClockRolled,
    events.Lost,
    events.Ended,
    events.Refitted,
)
STEPS = list(book().step)


class WardsPolicy(Policy[State]):
    """Who is named is there, the steps of a turn go in their order, who is gone does nothing, what is over is over."""

    def input_errors(self, state: State, event: EventKind[State], logged: LoggedEvent) -> Iterator[Problem]:
        unknown = (*unknown_names(event, state.combatants, state.sides), *unknown_wards(state, event))
        if unknown:
            yield from unknown
            return
        if event.turn_by_turn and not event.starts_turn and not state.turn:
            yield Problem("no-turn", "No turn has begun yet. Log that a turn begins first.", field="kind")
            return
        wrong = tuple(super().input_errors(state, event, logged))
        yield from wrong or event.dice_errors(state)

    def violations(self, state: State, event: EventKind[State], logged: LoggedEvent) -> Iterator[Violation]:
        if isinstance(event, Event) and not isinstance(event, events.Refitted):
            yield from broken((state.ended, "battle-over"))
            for each in (state.combatants[getattr(event, field)] for field in event.acting):
                yield from broken((bool(each.gone), "gone"), name=each.name, gone=GONE.get(each.gone))
        if isinstance(event, TurnEvent) and event.phase:
            place = STEPS.index(event.phase)
            own = not book().step[event.phase].both and event.actor(state)
            yield from broken(
                (place < state.step, "step-over"),
                (bool(own) and own != state.active, "not-active"),
                now=book().step[STEPS[state.step]].name,
                active=state.sides.get(state.active, "nobody"),
            )
        yield from super().violations(state, event, logged)

    def apply(self, state: State, event: EventKind[State], logged: LoggedEvent) -> State:
        """The state after the event: who has come to stand too narrow is out of order (W-O1)."""
        after = super().apply(state, event, logged)
        known = state.combatants
        fell = (key for key, one in after.combatants.items() if narrow(after, one) and not narrow(state, known[key]))
        after = after.disordered(tuple(fell))
        return after.at_step(STEPS.index(event.phase)) if isinstance(event, TurnEvent) and event.phase else after


LOG = BattleLog(KINDS, opening, WardsPolicy(), State)
"""The log of Wards."""


def result_of(state: State, setup: BattleSetup) -> BattleResult:
    """The result: what the players declared, with the losses beside it; the sheet has no victory (W-G3)."""
    losses = "; ".join(f"{name} {losses_in_words(state, key)}" for key, name in state.sides.items())
    who = f"{state.sides[state.winner]} won" if state.winner else "A draw"
    declared = f"{who}, by the players’ word{f' ({state.reason})' if state.reason else ''}"
    verdict = f"{declared if state.ended else 'No result declared yet'}. Losses: {losses}."
    marched = {each.id: lost_halves(each.condition) for side in setup.sides for each in side.fighters}
    sides = tuple(_side(state, key, marched) for key in state.sides)
    return BattleResult(sides, verdict, state.turn or None, state.winner or None)


def losses_in_words(state: State, side: str) -> str:
    """What a side has lost, as counts: "3½ bases of 24, 1 General, 2 fights won"."""
    own = state.of(side)
    units = [each for each in own if each.unit.halves]
    lost = sum(each.unit.halves - (each.halves if not each.gone else 0) for each in units)
    generals = sum(each.unit.general and bool(each.gone) for each in own)
    guns = sum(each.unit.gun and bool(each.gone) for each in own)
    won = sum(ward.fights_won for key, ward in state.wards.items() if key.startswith(f"{side}/"))
    told = [f"{bases_in_words(lost)} bases of {bases_in_words(sum(each.unit.halves for each in units))}"]
    told += [f"{generals} General{'s' * (generals != 1)}"] if generals else []
    told += [f"{guns} gun{'s' * (guns != 1)}"] if guns else []
    return ", ".join((*told, f"{won} fight{'s' * (won != 1)} won"))


def _side(state: State, side: str, marched: dict[str, int]) -> SideResult:
    own = {each.id for each in state.of(side)}
    outcome = Outcome.WON if state.winner == side else Outcome.LOST if state.winner else Outcome.DREW
    return SideResult(
        side=side,
        victory_points=0,
        lines=(),
        outcome=outcome,
        records=tuple(_record(state, each, marched[each.id]) for each in state.of(side)),
        deeds=tuple(each for each in state.deeds if each.fighter in own),
        captives=(),
    )


def _record(state: State, one: Combatant, lost_before: int) -> Record:
    """What becomes of a unit: where lost bases stay lost, it carries what it lacks, and is gone without any left."""
    lacks = one.unit.halves - one.halves
    dead = state.settings.losses_stay and (one.gone in ("killed", "lost") or (bool(one.unit.halves) and not one.halves))
    carried = lacks if state.settings.losses_stay else lost_before
    return Record(
        fighter=one.id,
        rank=0,
        fate=Fate.DEAD if dead else Fate.FIT,
        survived=not one.gone,
        wounds=one.gone,
        condition={**({"lost": carried} if carried else {}), **({"won": one.fights_won} if one.fights_won else {})},
    )
