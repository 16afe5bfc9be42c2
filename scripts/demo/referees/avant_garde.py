"""A referee for Avant-garde: two armies march, fire, charge and fight, turn by turn.

Its choices are simple on purpose: distances are random, and everything open is done at once. Dice
come from the given generator; each event passes the same checks as a player's.
"""

from collections.abc import Iterator

from rulebook.systems.avant_garde.firing import fire_order
from rulebook.systems.avant_garde.log import LOG
from rulebook.systems.avant_garde.state import Combatant, State
from scripts.demo.referees.referee import Referee

LOCATIONS = ("The village", "The bridge", "The hill")


class AvantGardeReferee(Referee[State]):
    """A battle of Avant-garde in progress."""

    log = LOG

    def play_on(self) -> None:
        self.tell("objectives")
        for side in self.state.sides:
            self.tries("disease", side=side)
            for combatant in self.state.of(side) if self.state.settings.harsh_disease else ():
                if combatant.sick == 1:
                    self.tries("disease-again", fighter=combatant.id)
            last = list(self.state.brigades())[-1]
            held = [each.id for each in self.state.brigades()[last] if each.side == side]
            if held and self.luck.randint(1, 6) > 2:
                due, place = self.luck.randint(0, 3), self.one_of(("reserve", "flank"))
                self.tries("hold", side=side, fighters=held, place=place, due=due)
        while not self.state.over:
            self.tell("turn")
            self.command()
            for step in ("a", "b"):
                self.move(step)
                self.fire("fire-1" if step == "a" else "fire-2")
                self.settle(fighting=True)
            self.ride()
            self.end_turn()
        for name in LOCATIONS:
            self.tell("location", name=name, side=self.one_of(("", *self.state.sides)))
        self.tell("ended")
        for combatant in self.state.combatants.values():
            if combatant.start > combatant.figures:
                self.tries("returns", fighter=combatant.id)

    def troops(self, side: str = "", *arms: str) -> tuple[Combatant, ...]:
        """Return the units that take orders, of this side and of these arms if given."""
        troops = (
            each for each in self.state.combatants.values() if each.on_table and not each.commander
        )
        some = (each for each in troops if side in ("", each.side) and each.order != "broken")
        return tuple(each for each in some if not arms or each.fighter.arm in arms)

    def enemy(self, combatant: Combatant, *arms: str) -> str:
        """Return the id of an enemy of a unit, of these arms if any are given, or ""."""
        troops = self.troops(self.state.other(combatant.side), *arms)
        return self.one_of(tuple(each.id for each in troops)) if troops else ""

    def front(self, combatant: Combatant) -> int:
        """Return the number of figures in the front rank of a unit."""
        return max(1, combatant.figures if combatant.skirmishing else combatant.figures // 2)

    def command(self) -> None:
        """Play the command phase: pips, arrivals, brigades, rallying, initiative."""
        self.orders()
        for combatant in self.troops():
            if self.state.losses_due(combatant):
                self.tell("brigade", fighter=combatant.id)
        for combatant in self.troops():
            if self.luck.randint(1, 6) == 6:
                self.tries("react", fighter=combatant.id)
        for combatant in self.state.combatants.values():
            if combatant.on_table and combatant.order != "good" and not combatant.blown:
                leader = self.state.leader(combatant)
                influence = leader.id if leader and self.luck.randint(1, 6) > 3 else ""
                self.tries(
                    "rally",
                    fighter=combatant.id,
                    influence=influence,
                    reroll=bool(leader and leader.pips > 3),
                )
            if combatant.blown:
                self.tries("order", fighter=combatant.id, what="recall")
        self.tell("initiative", spent=0, as_reserves=self.luck.randint(1, 6) > 3)

    def orders(self) -> None:
        """Play the commanders' use of pips and couriers, and the arrivals."""
        for side in self.state.sides:
            chief = self.state.chief(side)
            others = [
                each
                for each in self.state.of(side)
                if each.commander and each != chief and not each.gone
            ]
            if chief and chief.pips > 1 and others:
                self.tries("pips", fighter=chief.id, to=others[0].id, number=1)
            if chief and others and self.luck.randint(1, 6) > 4:
                order = self.one_of(("attack", "hold", "fall-back"))
                self.tries(
                    "courier",
                    fighter=chief.id,
                    to=others[0].id,
                    order=order,
                    inches=self.luck.randint(0, 12),
                )
            self.tries("message", side=side)
            route = self.one_of(("reserve", "half", "any"))
            edge = "" if route == "reserve" else self.one_of(("left", "right"))
            self.tries("arrive", side=side, route=route, edge=edge, deviates=route != "reserve")

    def move(self, step: str) -> None:
        """Play one side's charges, formations and moves; the other side fires at random."""
        side = self.state.first if step == "a" else self.state.other(self.state.first)
        for combatant in self.troops(side, "infantry", "cavalry"):
            self.charge(combatant)
        for combatant in self.state.of(side):
            if combatant.commander and self.luck.randint(1, 6) > 4:
                self.tries("advance", fighter=combatant.id)
            if combatant.commander and combatant.brigade and self.luck.randint(1, 6) == 6:
                led = [
                    each.id
                    for each in self.troops(side)
                    if each.brigade == combatant.brigade and each.id != combatant.joined
                ]
                self.tries(
                    "join", fighter=combatant.id, to="" if combatant.joined or not led else led[0]
                )
        for combatant in self.troops(side):
            self.manoeuvre(combatant)
        for combatant in self.troops(self.state.other(side), "infantry", "cavalry"):
            target = (
                self.enemy(combatant) if combatant.reacting and self.luck.randint(1, 6) > 3 else ""
            )
            if target and self.tries(
                "charge", fighter=combatant.id, target=target, inches=6, interrupts=True
            ):
                self.settle()
            elif combatant.reacting or combatant.skirmishing:
                self.shoot(combatant, interrupts=True)
        self.settle()

    def charge(self, combatant: Combatant) -> None:
        """Charge with a unit at random, and play everything that follows from it."""
        target = (
            self.enemy(combatant)
            if combatant.cavalry
            else self.enemy(combatant, "infantry", "artillery")
        )
        if target and self.luck.randint(1, 6) > 3:
            if combatant.cavalry and self.luck.randint(1, 6) == 6:
                self.tries("order", fighter=combatant.id, what="restrain")
            facing = self.one_of(("front", "front", "flank", "rear"))
            inches = self.luck.randint(3, 8)
            if combatant.cavalry and self.luck.randint(1, 6) == 1:
                self.tries(
                    "charge", fighter=combatant.id, target=target, inches=inches, impetuous=True
                )
            self.tries("charge", fighter=combatant.id, target=target, inches=inches, facing=facing)
            self.settle()

    def manoeuvre(self, combatant: Combatant) -> None:
        """Move a unit, let it fall back or change its formation, at random."""
        chance = self.luck.randint(1, 6)
        if combatant.parent and self.luck.randint(1, 6) == 6:
            self.tries("order", fighter=combatant.id, what="recall-skirmishers")
        if (
            combatant.fighter.arm == "infantry"
            and not combatant.parent
            and self.luck.randint(1, 6) > 4
        ):
            self.tries("skirmish", fighter=combatant.id)
        if chance == 1:
            formations = {
                "infantry": ("line", "column", "march"),
                "artillery": ("limbered", "unlimbered"),
            }
            formation = self.one_of(
                formations.get(combatant.fighter.arm, ("cavalry-line", "cavalry-column"))
            )
            kwargs = {"formation": formation, "near": self.luck.randint(1, 6) > 4}
            if self.luck.randint(1, 6) == 6:
                kwargs.update(ground="rough", modifier=-2)
            self.tries("form", fighter=combatant.id, **kwargs)
        elif chance == 2:
            self.tries("fall-back", fighter=combatant.id, fast=self.luck.randint(1, 6) > 4)
        elif chance == 3:
            what = self.one_of(("passage", "separate", "dismount", "mount"))
            self.tries("order", fighter=combatant.id, what=what)
        elif chance > 4:
            ground = self.one_of(("clear", "clear", "light-woods", "stream"))
            if ground == "stream":
                self.tries(
                    "ford",
                    fighter=combatant.id,
                    name=self.one_of(("The mill", "The bend", "The poplars")),
                )
            self.tries("move", fighter=combatant.id, ground=ground, modifier=-2)

    def fire(self, step: str) -> None:
        """Fire guns, then small arms, first of the side that comes first."""
        sides = fire_order(self.state, step)
        for combatant in (each for side in sides for each in self.troops(side, "artillery")):
            if target := self.enemy(combatant):
                calibre = self.one_of(tuple(combatant.guns))
                rounds = ("shell",) if calibre == "howitzer" else ("ball", "canister", "shell")
                kwargs = {
                    "fighter": combatant.id,
                    "target": target,
                    "calibre": calibre,
                    "round": self.one_of(rounds),
                }
                self.tries(
                    "guns",
                    **kwargs,
                    inches=self.luck.randint(8, 20),
                    enfilade=self.luck.randint(1, 6) == 6,
                )
        self.settle()
        for combatant in (
            each for side in sides for each in self.troops(side, "infantry", "cavalry")
        ):
            if self.luck.randint(1, 6) > 2:
                self.shoot(combatant)
        self.settle()

    def shoot(self, combatant: Combatant, *, interrupts: bool = False) -> None:
        """Fire at some enemy with a unit."""
        if (target := self.enemy(combatant)) and combatant.on_table:
            manner = self.one_of(("half", "half", "volley"))
            inches, cover = self.luck.randint(1, 8), self.one_of(("none", "none", "soft"))
            kwargs = {
                "fighter": combatant.id,
                "target": target,
                "front": self.front(combatant),
                "inches": inches,
                "interrupts": interrupts,
            }
            self.tries("fire", **kwargs, manner=manner, cover=cover) or self.tries("fire", **kwargs)

    def ride(self) -> None:
        """Play the steps of the cavalry, and the reserves that move."""
        for side in (self.state.first, self.state.other(self.state.first)):
            for combatant in self.troops(side, "artillery"):
                if (
                    combatant.fighter.horse
                    and combatant.formation == "unlimbered"
                    and self.luck.randint(1, 6) > 3
                ):
                    self.tries("form", fighter=combatant.id, formation="limbered")
            for combatant in self.troops(side, "cavalry"):
                if combatant.blown:
                    self.tries("recover", fighter=combatant.id)
                else:
                    self.charge(combatant)
                    self.settle(fighting=True)
        for combatant in self.troops():
            if self.luck.randint(1, 6) == 6:
                self.tries("move", fighter=combatant.id, ground="clear", modifier=0)

    def end_turn(self) -> None:
        """End the turn, with random surrenders, a random hit on a farm, and loading."""
        for combatant in self.state.combatants.values():
            if combatant.on_table and combatant.colours_lost and self.luck.randint(1, 6) > 3:
                self.tries("retaken", fighter=combatant.id, rescuer=combatant.id)
            if (
                combatant.on_table
                and combatant.order == "broken"
                and self.luck.randint(1, 6) == 6
                and (by := self.enemy(combatant))
            ):
                self.tries("surrender", fighter=combatant.id, by=by)
        if self.luck.randint(1, 6) == 6:
            self.tries(
                "sector", name="The farm", points=9, what=self.one_of(("fire", "hit", "burns"))
            )
        self.settle()
        self.tell("end")

    def settle(self, *, fighting: bool = False) -> None:
        """Play everything that is open; fights and pursuits only if ``fighting``."""
        while waiting := next(self.waiting(fighting), None):
            who, kind = waiting
            combatant = self.state.combatants[who]
            if kind in ("reaction", "contact", "melee", "follow", "hack", "struck"):
                getattr(self, kind)(combatant)
            else:
                self.tell(kind, fighter=who)

    def waiting(self, fighting: bool) -> Iterator[tuple[str, str]]:
        """Yield each fighter with an open action, and its kind."""
        yield from (
            (who, kind)
            for who, kind in self.state.still_open()
            if fighting or kind not in ("melee", "break")
        )
        for each in self.state.combats:
            if fighting and each.tested and not each.caught:
                yield each.winner, "follow"

    def reaction(self, combatant: Combatant) -> None:
        """Play the first legal reaction to a charge, starting at a random one."""
        answers = [
            "stand-and-shoot",
            "square",
            "fire-and-flee",
            "counter-charge",
            "evade",
            "stand",
            "flee",
        ]
        first = self.luck.randint(0, 4)
        for answer in (*answers[first:], *answers):
            kwargs = {"fighter": combatant.id, "answer": answer, "front": self.front(combatant)}
            volley = (
                answer == "stand-and-shoot" and not combatant.battery and not combatant.skirmishing
            )
            if self.tries("reaction", **kwargs, volley=volley and self.luck.randint(1, 6) > 2):
                return
        self.tell("reaction", fighter=combatant.id, answer="flee")

    def melee(self, combatant: Combatant) -> None:
        """Play a fight, with the enemy's front rank."""
        combat = next(
            each for each in self.state.combats if each.fighter == combatant.id and not each.lost
        )
        other = self.state.combatants[combat.target]
        edges = self.one_of(((), ("flank_support",), ("rear_support", "higher")))
        if combatant.cavalry and other.fighter.arm == "infantry" and not other.formed.square:
            edges = self.one_of(((), ("lap_flank",), ("lap_rear", "higher")))
        kwargs = {
            "fighter": combatant.id,
            "front": self.front(combatant),
            "target_front": self.front(other),
        }
        place = self.one_of(("open", "open", "open", "obstacle", "hard"))
        self.tell("melee", **kwargs, place=place, edges=edges)

    def contact(self, combatant: Combatant) -> None:
        """Play the chargers' contact; at random they ride round a square or redirect."""
        if self.luck.randint(1, 6) > 4 and self.tries("contact", fighter=combatant.id, around=True):
            return
        redirect = self.enemy(combatant) if self.luck.randint(1, 6) > 2 else ""
        if not redirect or not self.tries(
            "contact", fighter=combatant.id, redirect=redirect, gap=8
        ):
            self.tell("contact", fighter=combatant.id)

    def follow(self, combatant: Combatant) -> None:
        """Play a winner's next action, at random; it may ride into a fresh enemy."""
        fresh = self.enemy(combatant)
        if self.luck.randint(1, 6) > 3 and self.tries(
            "follow", fighter=combatant.id, how="pursue", into=fresh, gap=4
        ):
            return
        if not self.tries(
            "follow", fighter=combatant.id, how=self.one_of(("pursue", "recall", "stand"))
        ):
            how = "on" if self.state.combat(combatant.id, "follow").through else "back"
            self.tell("follow", fighter=combatant.id, how=how)

    def hack(self, combatant: Combatant) -> None:
        """Play attacks on a broken enemy's back."""
        self.tell("hack", fighter=combatant.id, front=self.front(combatant))
        for other in self.troops(self.state.other(combatant.side))[:1]:
            self.tries("panic", fighter=other.id, why=self.one_of(("break", "burst")))

    def struck(self, combatant: Combatant) -> None:
        """Play a cannonball that hits a unit."""
        target = self.enemy(combatant) or combatant.id
        kwargs = {
            "figures": self.luck.randint(0, 4),
            "under": self.one_of(("none", "edge", "centre")),
        }
        self.tell("struck", fighter=combatant.id, target=target, **kwargs)
