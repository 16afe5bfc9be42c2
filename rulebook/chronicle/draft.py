"""The page on which one fact is told: the state as it changes, and what is noted beside it."""

from msgspec.structs import replace

from rulebook.chronicle.states import Conflict, FighterState, LedgerLine, Step, WarbandState
from rulebook.ruleset import Ruleset


class Page:
    """The state while one fact is being told: the only mutable thing of the fold, and it never leaves a step."""

    def __init__(self, state: WarbandState, sequence: int, rules: Ruleset, stands: str | None) -> None:
        self.state = state
        self.sequence = sequence
        self.rules = rules
        self.stands = stands
        self.fighters = dict(state.fighters)
        self.ledger: list[LedgerLine] = []
        self.conflicts: list[Conflict] = []

    def refuses(self, code: str, sentence: str, fighter: str | None = None) -> bool:
        """Note a conflict; True unless the fact stands all the same."""
        stands = self.stands is not None
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter, stands, self.stands or ""))
        return not stands

    def impossible(self, code: str, sentence: str, fighter: str) -> None:
        """Note a conflict that nobody can let stand."""
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter))

    def serving(self, fighter: str) -> FighterState | None:
        """The fighter if it is on the roster and alive; else None, and a conflict is noted."""
        known = self.fighters.get(fighter)
        if known is None:
            self.impossible("unknown-fighter", "This fighter is not on the roster then.", fighter)
            return None
        if known.gone and self.refuses("fighter-gone", f"{known.name} is {known.fate} by then.", fighter):
            return None
        return known

    def book(self, fighter: FighterState, amount: int, code: str, sentence: str, rule: str) -> FighterState:
        """Write a ledger line; returns the fighter with the new balance."""
        balance = fighter.experience + amount
        self.ledger.append(LedgerLine(self.sequence, fighter.id, amount, code, sentence, rule, balance))
        fighter = replace(fighter, experience=balance, earned=fighter.earned + max(amount, 0))
        self.fighters[fighter.id] = fighter
        return fighter

    def vacate(self) -> None:
        """A Leader or bearer who is gone leaves the post empty (Ruling C11: a new one is named)."""
        leader, bearer = self._still_there(self.state.leader), self._still_there(self.state.bearer)
        if (leader, bearer) != (self.state.leader, self.state.bearer):
            self.state = replace(self.state, leader=leader, bearer=bearer)

    def turned(self) -> Step:
        """The step that this page amounts to."""
        state = replace(self.state, sequence=self.sequence, fighters=self.fighters)
        return Step(state, tuple(self.ledger), tuple(self.conflicts))

    def _still_there(self, fighter: str | None) -> str | None:
        known = self.fighters.get(fighter) if fighter else None
        return None if known is None or known.gone else fighter
