"""The state of a warband while one fact is being applied."""

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from rulebook.chronicle.states import (
    Conflict,
    FighterState,
    LedgerLine,
    ReplayResult,
    WarbandState,
    without_holders,
)
from rulebook.ruleset import Award, RulesError, Ruleset


class StateDraft:
    """The state that ``Fact.apply`` changes: the only mutable object of a replay, for one step."""

    def __init__(
        self, state: WarbandState, sequence: int, rules: Ruleset, stands: str | None
    ) -> None:
        self.state = state
        self.sequence = sequence
        self.rules = rules
        self.stands = stands
        self.fighters = dict(state.fighters)
        self.ledger: list[LedgerLine] = []
        self.conflicts: list[Conflict] = []
        self.only: Collection[str] | None = None
        """The only fighters that a battle changes, or None for all. The others are as after it."""
        self.awards: tuple[Award, ...] | None = None
        """The awards of a battle, once they are worked out. They do not depend on the state."""

    def add_conflict(self, code: str, sentence: str, fighter: str | None = None) -> bool:
        """Record a conflict. Return True unless a correction keeps the fact in force."""
        stands = self.stands is not None
        self.conflicts.append(
            Conflict(self.sequence, code, sentence, fighter, stands, self.stands or "")
        )
        return not stands

    def add_lasting_conflict(self, code: str, sentence: str, fighter: str | None = None) -> None:
        """Record a conflict that nobody can override."""
        self.conflicts.append(Conflict(self.sequence, code, sentence, fighter))

    def add_ledger_line(
        self, fighter: FighterState, amount: int, code: str, sentence: str, rule: str
    ) -> FighterState:
        """Write a ledger line. Store and return the fighter with the new balance."""
        balance = fighter.experience + amount
        earned = fighter.earned + amount if amount > 0 else fighter.earned
        self.ledger.append(
            LedgerLine(self.sequence, fighter.id, amount, code, sentence, rule, balance)
        )
        fighter = replace(fighter, experience=balance, earned=earned)
        self.fighters[fighter.id] = fighter
        return fighter

    def serving_fighter(self, key: str) -> FighterState | None:
        """Return the fighter if it is on the roster and not gone, else None with a conflict."""
        fighter = self.fighters.get(key)
        if fighter is None:
            self.add_lasting_conflict(
                "unknown-fighter", "This fighter is not on the roster at this time.", key
            )
            return None
        if fighter.gone and self.add_conflict(
            "fighter-gone", f"{fighter.name} is {fighter.fate} at this time.", key
        ):
            return None
        return fighter

    def known_fighter(self, key: str) -> FighterState | None:
        """Return the fighter if it is or was on the roster, else None with a conflict."""
        fighter = self.fighters.get(key)
        if fighter is None:
            sentence = "This fighter is not on the roster at this time."
            self.add_conflict("unknown-fighter", sentence, key)
        return fighter

    def rated(self, fighter: FighterState) -> FighterState | None:
        """Return the fighter with rank, points and profile name for its build and condition.

        Returns None, with a conflict, if the rules cannot read the build.
        """
        try:
            figures = self.rules.fighter_facts(fighter.build, self.state.terms, fighter.condition)
        except RulesError as error:
            self.add_lasting_conflict("unreadable-build", str(error), fighter.id)
            return None
        return replace(
            fighter, rank=figures.rank, points=figures.points, profile_name=figures.profile_name
        )

    def serve_on(self, **terms: Any) -> None:
        """Change the warband's terms, then recompute the points of all fighters if possible."""
        self.state = replace(self.state, **terms)
        for fighter in list(self.fighters.values()):
            rated = self.rated(fighter)
            if rated is not None:
                self.fighters[fighter.id] = rated

    def empty_posts(self) -> None:
        """Remove fighters who are gone from warband roles. The owner names new ones."""
        gone: set[str] = set()
        for holders in self.state.posts.values():
            gone |= {
                each for each in holders if each not in self.fighters or self.fighters[each].gone
            }
        if gone:
            self.state = replace(self.state, posts=without_holders(self.state.posts, gone))

    def result(self) -> ReplayResult:
        """Return the warband's new state with its ledger lines and conflicts."""
        state = replace(self.state, sequence=self.sequence, fighters=self.fighters)
        return ReplayResult(state, tuple(self.ledger), tuple(self.conflicts))
