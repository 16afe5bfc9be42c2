"""Who has won a battle, by each scenario's own rule, and why in a sentence."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from rulebook.systems.en_garde.book.house_rules import settled
from rulebook.systems.en_garde.play.play_state import PlayState

Totals = Mapping[str, int]
"""Victory points by side."""


class Decision(Struct, frozen=True):
    """Who is best: one side has won, several have drawn; everybody else has lost. ``why`` and ``rule`` say by what."""

    best: tuple[str, ...]
    why: str
    rule: str

    @property
    def winner(self) -> str | None:
        """The side that has won, None for a draw."""
        return self.best[0] if len(self.best) == 1 else None


def decide(state: PlayState, totals: Totals) -> Decision:
    """The decision of a battle that ends now. Who has conceded cannot win, if the house rules say so."""
    contenders = state.sides
    if settled(state.settings).concession == "loses":
        contenders = tuple(side for side in state.sides if side not in state.conceded) or state.sides
    if len(contenders) == 1 and len(state.sides) > 1:
        return Decision(contenders, "every other side conceded", "House rule: a side that concedes")
    return DECIDING[state.scenario.decided_by](state, totals, contenders)


def verdict(state: PlayState, decision: Decision) -> str:
    """Who won and by which rule, in a sentence."""
    if decision.winner is not None:
        return f"Victory for {state.side(decision.winner).name}: {decision.why} ({decision.rule})."
    if len(decision.best) == len(state.sides):
        return f"A draw: {decision.why} ({decision.rule})."
    names = " and ".join(state.side(side).name for side in decision.best)
    return f"A draw between {names}: {decision.why} ({decision.rule})."


def _most(values: Mapping[str, int], among: tuple[str, ...]) -> tuple[str, ...]:
    """The sides with the highest value."""
    highest = max(values[side] for side in among)
    return tuple(side for side in among if values[side] == highest)


def _by_points(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    best = _most(totals, contenders)
    if len(best) > 1 and settled(state.settings).equal_points == "standing":
        standing = {side: sum(each.standing for each in state.own(side)) for side in best}
        best = _most(standing, best)
        return Decision(best, f"{_tally(state, totals, best)}; fighters standing count", "Ruling S5")
    rule = 'Rule book: "Victory Points"' if len(best) == 1 else "Ruling S5"
    return Decision(best, _tally(state, totals, best), rule)


def _tally(state: PlayState, totals: Totals, best: tuple[str, ...]) -> str:
    """The points, the best side's first: "12 victory points to 9"."""
    others = [side for side in state.sides if side not in best]
    first, *rest = [totals[side] for side in (*best, *others)]
    return " to ".join([f"{first} victory points", *map(str, rest)])


def _by_control(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Ruling S6: victory points are noted and do not decide."""
    if state.control is not None and state.control.side in contenders:
        return Decision((state.control.side,), "it controls the objective at the end", state.scenario.source)
    defender = state.with_role("defender")
    if settled(state.settings).defence_draw == "defender" and defender in contenders:
        return Decision((defender,), "nobody controls the objective, and the defender has held out", "Ruling S6")
    return Decision(state.sides, "nobody controls the objective", "Ruling S6")


def _by_bridge(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Ruling S7."""
    attacker, defender = state.with_role("attacker"), state.with_role("defender")
    why = f"attacker {totals[attacker]}, defender {totals[defender]} on the defender's bank"
    if totals[attacker] > totals[defender]:
        return Decision((attacker,), why, state.scenario.source)
    if totals[attacker] * 2 < totals[defender]:
        return Decision((defender,), why, state.scenario.source)
    return Decision(state.sides, why, "Ruling S7")


def _by_occupation(state: PlayState, totals: Totals, contenders: tuple[str, ...]) -> Decision:
    """Most points, then fewer wounds on the living, then a draw. Ruling S8."""
    best = _most(totals, contenders)
    if len(best) == 1:
        return Decision(best, _tally(state, totals, best), state.scenario.source)
    fewer = {side: -sum(each.wounds.counters for each in state.own(side)) for side in best}
    why = f"{_tally(state, totals, best)}; wounds on the living count"
    return Decision(_most(fewer, best), why, "Ruling S8")


DECIDING: Mapping[str, Callable[[PlayState, Totals, tuple[str, ...]], Decision]] = {
    "points": _by_points,
    "control": _by_control,
    "bridge": _by_bridge,
    "occupation": _by_occupation,
}
