"""A referee for Wards: two armies test their morale, shoot and assault, turn by turn.

Its choices are simple on purpose: each Ward shoots at an enemy Ward, and assaults one if it can.
Dice come from the given generator; each event passes the same checks as a player's.
"""

from rulebook.systems.wards.book import CAVALRY
from rulebook.systems.wards.log import LOG
from rulebook.systems.wards.state import State, ward_name, wards_of
from scripts.demo.referees.referee import Referee

MAX_TURNS = 6


class WardsReferee(Referee[State]):
    """A battle of Wards in progress."""

    log = LOG

    def play_on(self) -> None:
        sides = list(self.state.sides)
        for turn in range(MAX_TURNS):
            self.tell("turn", side=sides[turn % 2])
            self.act()
            self.end_turn()
        left = {
            side: sum(each.halves for each in self.state.of(side) if not each.gone)
            for side in sides
        }
        best = [side for side, halves in left.items() if halves == max(left.values())]
        self.tell(
            "ended",
            winner=best[0] if len(best) == 1 else "",
            reason="More bases left." if len(best) == 1 else "",
        )
        for combatant in self.state.combatants.values():
            if combatant.halves < combatant.fighter.halves:
                self.tries("refit", fighter=combatant.id)

    def own(self) -> tuple[str, ...]:
        """Return the Wards of the active side, without cavalry."""
        return tuple(
            each for each in wards_of(self.state, self.state.active) if ward_name(each) != CAVALRY
        )

    def enemies(self) -> tuple[str, ...]:
        """Return the Wards that the active side can fight, without cavalry."""
        own = wards_of(self.state, self.state.active)
        return tuple(
            each for each in wards_of(self.state) if each not in own and ward_name(each) != CAVALRY
        )

    def generals(self) -> None:
        """Attach generals to units, and roll for those who are hit."""
        self.save_generals()
        for combatant in self.state.of(self.state.active):
            ranks = [
                each
                for ward in self.own()
                for each in self.state.ranks(ward)
                if not self.state.general_of(ward)
            ]
            if (
                combatant.fighter.general
                and not combatant.gone
                and not combatant.stands_with
                and ranks
            ):
                self.tries("general", fighter=combatant.id, does="attach", to=ranks[0].id)

    def save_generals(self) -> None:
        """Roll for every general who is hit: they are saved or fall."""
        while self.state.struck:
            self.tell("general-hit", fighter=self.state.struck[0][0])

    def act(self) -> None:
        """Play the steps of the active player."""
        self.generals()
        for ward in self.own():
            self.tries("morale", ward=ward, hostile_faces=self.luck.randint(0, 2))
        if self.enemies() and self.luck.randint(1, 6) > 3:
            target = self.one_of(self.enemies())
            if self.luck.randint(1, 6) > 5:
                self.tries("fall-back", ward=target)
            else:
                self.tries("charge", ward=f"{self.state.active}/{CAVALRY}", target=target)
                self.save_generals()
        for combatant in self.state.of(self.state.active):
            if (
                combatant.place == "reserve"
                and combatant.halves
                and not combatant.gone
                and self.own()
                and combatant.fighter.arm == "foot"
            ):
                self.tries("pull-in", fighter=combatant.id, ward=self.own()[0], place="rear")
        self.shoot()
        for ward in self.own():
            self.tries(
                "move",
                ward=ward,
                move=self.one_of(("advance", "assault", "assault-sideways", "assault", "swap")),
            )
        for ward in self.own():
            assaults = self.state.ward(ward).moved.startswith("assault")
            if self.enemies() and (assaults or self.luck.randint(1, 6) > 2):
                leading = self.luck.randint(0, 2)
                if not self.state.attached_to(ward):
                    leading = 0
                fits, target = (
                    self.state.led_by(ward, "assaulter") == "attribute",
                    self.one_of(self.enemies()),
                )
                self.tries("fight", ward=ward, target=target, leading=leading, reroll=fits)
                self.save_generals()

    def shoot(self) -> None:
        """Shoot with every Ward, gun and unit of hand-gunners."""
        for ward in self.own():
            if self.enemies():
                mode = self.one_of(("normal", "intense"))
                self.tries("shoot", ward=ward, target=self.one_of(self.enemies()), mode=mode)
                self.save_generals()
        for combatant in self.state.of(self.state.active):
            if not self.enemies():
                return
            target = self.one_of(self.enemies())
            if combatant.fighter.gun and combatant.on_table:
                guns = self.state.guns(target)[:1]
                self.tries(
                    "gun",
                    fighter=combatant.id,
                    target=target,
                    target_hit=[each.id for each in guns],
                )
                self.save_generals()
                self.tries("gun-move", fighter=combatant.id)
            elif combatant.fighter.arm == "hand-gunners" and combatant.on_table:
                self.tries("hand-gunners", fighter=combatant.id, at=self.state.ranks(target)[0].id)

    def end_turn(self) -> None:
        """Play the steps of both players, once no general waits to be saved."""
        self.save_generals()
        self.tell("step", to="arrows")
        for kind in ("arrows", "order", "wards"):
            self.tell(kind)
        for combatant in self.state.combatants.values():
            if combatant.fighter.gun and combatant.on_table:
                self.tries("loading", fighter=combatant.id)
        for side in self.state.sides:
            waiting = [each for each in self.state.of(side) if not each.on_table and not each.gone]
            foot = [each.id for each in waiting if each.fighter.arm != "cavalry"]
            riders = [each.id for each in waiting if each.fighter.arm == "cavalry"][:1]
            if waiting:
                self.tries("arrivals", side=side, fighters=[*foot, *riders])
            for combatant in self.state.of(side):
                if combatant.fighter.general and combatant.gone and self.luck.randint(1, 6) > 3:
                    self.tries("new-general", fighter=combatant.id)
        self.tell("clock")
