"""Results that players declare, in systems whose rules do not say who has won."""

from collections.abc import Mapping
from typing import Protocol

from rulebook.values.battles import BattleResult, Deed, Outcome, Record, SideResult


class Declared(Protocol):
    """A state of play with the winner as the players declared it: the key of a side, "" for a
    draw."""

    @property
    def sides(self) -> Mapping[str, str]:
        """Return the names of the sides by their keys."""

    @property
    def turn(self) -> int:
        """Return the turn that play has come to, 0 where none has begun."""

    @property
    def ended(self) -> bool:
        """Return whether the players have declared anything."""

    @property
    def winner(self) -> str:
        """Return who has won."""

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """Return the deeds of everybody."""


def declared_result(
    state: Declared,
    records: Mapping[str, tuple[Record, ...]],
    losses: Mapping[str, str],
    reason: str = "",
) -> BattleResult:
    """Return the result sheet that the players declared, with the losses of each side and without
    points."""

    # Each side with what the players declared of it, and what the log has of its fighters.
    sides = []
    for key, own in records.items():
        outcome = Outcome.DREW
        if state.winner:
            outcome = Outcome.WON if state.winner == key else Outcome.LOST
        own_ids = {record.fighter for record in own}
        deeds = tuple(each for each in state.deeds if each.fighter in own_ids)
        captives = tuple(each.victim for each in deeds if each.kind == "captive" and each.victim)
        side_result = SideResult(
            side=key,
            victory_points=0,
            lines=(),
            outcome=outcome,
            records=own,
            deeds=deeds,
            captives=captives,
        )
        sides.append(side_result)

    # The verdict in a sentence: who has won and why, then the losses.
    who = f"{state.sides[state.winner]} won" if state.winner else "A draw"
    why = f" ({reason.rstrip('.')})" if reason else ""
    declared = f"{who}, by the players’ word{why}" if state.ended else "No result declared yet"
    lost = "; ".join(f"{name} {losses[key]}" for key, name in state.sides.items())
    verdict = f"{declared}. Losses: {lost}."
    return BattleResult(
        sides=tuple(sides), verdict=verdict, turns=state.turn or None, winner=state.winner or None
    )
