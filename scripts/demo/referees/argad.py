"""A referee for Argad!: two companies approach turn by turn, shoot, reload, and then fight.

Its choices are simple on purpose: the distance to the enemy depends on the turn only, and fighters
attack enemies who have not fought yet.
"""

from rulebook.systems.argad.log import LOG
from rulebook.systems.argad.roster import class_total
from rulebook.systems.argad.state import Combatant, State
from scripts.demo.referees.referee import Referee

MAX_TURNS = 4
NEARER = (45, 30, 15)
"""Centimetres between the companies in the first turns; after them they are in contact."""


class ArgadReferee(Referee[State]):
    """A battle of Argad! in progress."""

    log = LOG

    def play_on(self) -> None:
        for turn in range(MAX_TURNS):
            if self.decided():
                break
            self.tell("turn")
            for who in self.state.combatants:
                self.act(who, NEARER[turn] if turn < len(NEARER) else 0)
        left = {
            side: class_total(each.fighter for each in self.state.of(side) if not each.gone)
            for side in self.state.sides
        }
        best = [side for side, total in left.items() if total == max(left.values())]
        winner = best[0] if len(best) == 1 else ""
        self.tell("ended", winner=winner, field=winner)

    def foes(self, combatant: Combatant) -> list[Combatant]:
        """Return the enemies who are not gone, first those who have not fought in this turn."""
        opponents = [
            each
            for each in self.state.combatants.values()
            if each.side != combatant.side and not each.gone
        ]
        return sorted(opponents, key=lambda each: "fought" in each.done)

    def decided(self) -> bool:
        """Return whether at most one side has fighters left."""
        return (
            sum(any(not each.gone for each in self.state.of(side)) for side in self.state.sides) < 2
        )

    def act(self, who: str, cm: int) -> None:
        """Act for a fighter in a turn at this distance; do nothing if the fighter is gone."""
        combatant = self.state.combatants[who]
        if combatant.gone or not self.foes(combatant):
            return
        if not cm and "fought" not in combatant.done:
            foe = self.foes(combatant)[0]
            self.tell("melee", fighter=who, enemy=foe.id, unanswered="fought" in foe.done)
        elif cm and combatant.reload_left:
            self.tell("reload", fighter=who)
        elif cm and not self.tries(
            "shot", shooter=who, target=self.one_of(self.foes(combatant)).id, cm=cm
        ):
            self.tell("move", fighter=who, terrain=self.one_of(("open", "bushes")))
