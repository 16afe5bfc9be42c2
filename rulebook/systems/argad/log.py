"""The log of a battle of Argad!, and the result that it comes to."""

from collections.abc import Iterator

from rulebook.battle_log.declared import declared_result
from rulebook.battle_log.forms import unknown_names
from rulebook.battle_log.kinds import EventKind
from rulebook.battle_log.log import BattleLog
from rulebook.battle_log.policy import Policy
from rulebook.systems.argad.book import GONE, broken
from rulebook.systems.argad.events import KINDS, Event
from rulebook.systems.argad.roster import class_total
from rulebook.systems.argad.state import Combatant, State, opening
from rulebook.values.battles import BattleResult, LoggedEvent, Record
from rulebook.values.problems import Problem, Violation
from rulebook.values.rosters import Fate


class ArgadPolicy(Policy[State]):
    """The policy of Argad!: names exist, fighters who are gone do nothing, and a battle ends
    once."""

    def end_of(self, state: State, who: str) -> str:
        fighter = state.combatants.get(who)
        if fighter is None or not fighter.gone:
            return ""
        how = "put out of action" if fighter.gone == "out" else GONE[fighter.gone]
        by = f" by {fighter.gone_by}" if fighter.gone_by else ""
        return f"{fighter.name} was {how}{by}"

    def input_errors(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Problem]:
        if unknown := tuple(unknown_names(event, state.combatants, state.sides)):
            yield from unknown
            return
        if event.turn_by_turn and not event.starts_turn and not state.turn:
            yield Problem(
                "no-turn", "No turn has begun yet. Log that a turn begins first.", field="kind"
            )
        yield from super().input_errors(state, event, logged)

    def violations(
        self, state: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        if isinstance(event, Event):
            yield from broken((state.ended, "battle-over"))
            for each in (state.combatants[getattr(event, field)] for field in event.acting):
                yield from broken(
                    (bool(each.gone), "gone"), name=each.name, gone=GONE.get(each.gone)
                )
        yield from super().violations(state, event, logged)


LOG = BattleLog(KINDS, opening, ArgadPolicy(), State)
"""The log of Argad!"""


def read_result(state: State) -> BattleResult:
    """Return the result sheet: what the players declared, and the losses.

    The sheet has no victory (A-G3).
    """
    records = {key: tuple(_record(each) for each in state.of(key)) for key in state.sides}
    return declared_result(
        state, records, {key: losses_in_words(state, key) for key in state.sides}
    )


def losses_in_words(state: State, side: str) -> str:
    """Return what a side has lost, as counts: "2 of 8 (1 killed, 1 missing), class 7 of 25"."""
    own = state.of(side)
    gone = tuple(each for each in own if each.gone)
    counts = {key: sum(each.gone == key for each in gone) for key in GONE}
    counted = ", ".join(f"{count} {GONE[key]}" for key, count in counts.items() if count)
    details = f" ({counted})" if counted else ""
    lost = class_total(each.fighter for each in gone)
    total = class_total(each.fighter for each in own)
    return f"{len(gone)} of {len(own)}{details}, class {lost} of {total}"


def _record(combatant: Combatant) -> Record:
    """Return the record of a fighter: the killed are dead, the missing carry that with them, the
    others are fit."""
    return Record(
        fighter=combatant.id,
        rank=combatant.fighter.class_,
        fate={"killed": Fate.DEAD, "captured": Fate.CAPTURED}.get(combatant.gone, Fate.FIT),
        survived=combatant.gone != "killed",
        wounds=combatant.gone if combatant.gone in ("killed", "out") else "",
        captured=combatant.gone == "captured",
        killed_by=combatant.gone_by if combatant.gone == "killed" else "",
        condition={"missing": True} if combatant.gone == "missing" else {},
    )
