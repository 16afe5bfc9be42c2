"""A referee for Argad!: two companies come nearer turn by turn, shoot while they can, reload, and then fight.

How it chooses is simple on purpose: everybody is as far from the enemy as the turn says, and strikes at whoever has not
fought yet. Dice come from the generator that is handed in; each event passes the same checks as a human's.
"""

from typing import Any

from rulebook.battle_log.play import Play, open_play
from rulebook.dice.rolls import Generator
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError
from rulebook.systems.argad.log import LOG
from rulebook.systems.argad.roster import class_total
from rulebook.systems.argad.state import Combatant, State

MOST_TURNS = 4
NEARER = (45, 30, 15)
"""Centimetres between the companies in the first turns; after them they are in contact."""


class Referee:
    """A battle under way."""

    def __init__(self, setup: BattleSetup, luck: Generator) -> None:
        self.play: Play[State] = open_play(LOG, setup)
        self.luck = luck

    def tell(self, kind: str, **data: Any) -> None:
        """Log an event, with dice thrown for it. Raises RulesError if it is not legal."""
        turn = self.play.state.turn + (kind == "turn")
        event = LoggedEvent(self.play.sequence + 1, kind, data, turn or None)
        thrown = self.play.throw(event, self.luck)
        self.play = self.play.after(LoggedEvent(event.sequence, kind, thrown.data, event.turn, thrown.dice))

    def foes(self, one: Combatant) -> list[Combatant]:
        """The enemies who stand, those first who have not fought in this turn."""
        found = [each for each in self.play.state.combatants.values() if each.side != one.side and not each.gone]
        return sorted(found, key=lambda each: "fought" in each.done)

    def decided(self) -> bool:
        """Has all but one side nobody left who stands?"""
        state = self.play.state
        return sum(any(not each.gone for each in state.of(side)) for side in state.sides) < 2

    def act(self, who: str, cm: int) -> None:
        """What somebody does in a turn at this distance; nothing if he is gone."""
        one = self.play.state.combatants[who]
        if one.gone or not self.foes(one):
            return
        if not cm and "fought" not in one.done:
            foe = self.foes(one)[0]
            self.tell("melee", fighter=who, enemy=foe.id, unanswered="fought" in foe.done)
        elif cm and one.reload_left:
            self.tell("reload", fighter=who)
        elif cm and not self._shoots(one, cm):
            self.tell("move", fighter=who, terrain=("open", "bushes")[self.luck.randint(0, 1)])

    def _shoots(self, one: Combatant, cm: int) -> bool:
        target = self.foes(one)[self.luck.randint(0, len(self.foes(one)) - 1)]
        try:
            self.tell("shot", shooter=one.id, target=target.id, cm=cm)
        except RulesError:
            return False
        return True


def referee(setup: BattleSetup, luck: Generator) -> tuple[LoggedEvent, ...]:
    """The whole log of a battle that the referee has played; the same seed plays the same battle."""
    table = Referee(setup, luck)
    for turn in range(MOST_TURNS):
        if table.decided():
            break
        table.tell("turn")
        for who in table.play.state.combatants:
            table.act(who, NEARER[turn] if turn < len(NEARER) else 0)
    state = table.play.state
    left = {side: class_total(each.fighter for each in state.of(side) if not each.gone) for side in state.sides}
    best = [side for side, total in left.items() if total == max(left.values())]
    winner = best[0] if len(best) == 1 else ""
    table.tell("ended", winner=winner, field=winner)
    return table.play.events()
