"""A battle as its log has come to it: who stands where and in which state, and which charges and
fights are open."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.avant_garde import command, morale
from rulebook.systems.avant_garde.book import (
    HOUSE_RULES,
    Formation,
    Grade,
    HouseRules,
    Nation,
    book,
    figures,
    words,
)
from rulebook.systems.avant_garde.fighters import (
    Fighter,
    counted,
    grade_of,
    present,
    rating_of,
    read_build,
)
from rulebook.systems.avant_garde.morale import BROKEN, DISORDERED, GOOD, Nerve, UnderFire
from rulebook.systems.avant_garde.points import guns_left
from rulebook.values.battles import BattleSetup, Deed
from rulebook.values.remembering import RemembersAnswers, remembered

IN_RANKS = "ranks"
"""The place of a group of skirmishers that is back with its battalion."""
GONE = words("gone")
"""The ends of a unit that takes no further part, by key, as text."""


class Fall(Struct, frozen=True):
    """A round that has come down and whose victims are not logged yet: a "ball" or a "shell".

    ``number`` counts it among the ``of`` that came down together, ``target`` is the unit that was
    fired at. ``near`` says how it missed, "" for a hit, and ``inches`` by how much; ``run`` is how
    far a ball goes on.
    """

    round: str
    number: int
    of: int
    target: str
    near: str = ""
    inches: int = 0
    run: int = 0

    @property
    def name(self) -> str:
        """Return which one it is: "ball 2 of 5"."""
        return f"{self.round} {self.number} of {self.of}"

    @property
    def path(self) -> str:
        """Return where it goes: "runs 6 inches"."""
        shell = self.round == "shell"
        on = "bursts there" if shell else f"runs {inches_told(self.run)}"
        if self.near:
            return (
                f"is a near miss, {inches_told(self.inches)} {self.near} (Rulings N-A8, N-A9), and "
                f"{on}"
            )
        return "bounces straight on and bursts" if shell else on


def inches_told(number: float) -> str:
    """Return inches as text."""
    return f"{number:g} inch" if number == 1 else f"{number:g} inches"


class Combatant(Struct, frozen=True):
    """A battalion, a regiment, a battery or a commander in a battle.

    ``start`` are the figures with which it came, ``figures`` those that are left; of a battery its
    crew. ``order`` is its morale, one of ``STATES``; ``gone`` one of ``GONE``, "" while it is in
    the battle. ``place`` is "table", "reserve" or "flank", ``tries`` how often dice were thrown for
    its arrival. ``shot`` are figures lost to fire for which it has not been tested, ``front`` its
    front rank as last logged. ``falls`` are rounds of its guns that have come down. ``did`` says
    what it has done in this turn: "moved", "formed", "fired", "charged", "fought", "arrived";
    "burst" if friends burst through it and it failed its test. ``waits`` marks guns that could not
    be loaded in the last turn, ``recovered`` are dice of blown cavalry. ``joined`` is the unit that
    a commander has joined, ``guards`` marks who guards prisoners, ``sick`` are figures lost to
    disease before the battle. ``parent`` is the battalion of a group of skirmishers: its place is
    ``IN_RANKS`` once it has been recalled.

    ``due`` is the turn for which an arrival was drawn on the map, 0 if none was, ``edge`` the flank
    on which it has come, ``late`` the turn in which it comes without a die, as the enemy came there
    first.
    """

    id: str
    name: str
    side: str
    fighter: Fighter
    start: int
    figures: int
    place: str = "table"
    formation: str = ""
    order: str = GOOD
    jubilant: int = 0
    colours_lost: bool = False
    loaded: bool = True
    waits: bool = False
    low: bool = False
    reacting: bool = False
    blown: bool = False
    recovered: tuple[int, ...] = ()
    charges: int = 0
    guns_lost: int = 0
    shot: int = 0
    enfiladed: bool = False
    front: int = 0
    pips: int = 0
    unhorsed: bool = False
    joined: str = ""
    guards: bool = False
    sick: int = 0
    tries: int = 0
    due: int = 0
    edge: str = ""
    late: int = 0
    falls: tuple[Fall, ...] = ()
    did: tuple[str, ...] = ()
    gone: str = ""
    parent: str = ""

    def sickened(self, number: int) -> "Combatant":
        """Return the unit after disease took ``number`` figures instead of those it took before;
        one is left."""
        whole = self.figures + self.sick
        left = max(1, whole - number)
        return replace(self, figures=left, start=left, sick=whole - left)

    @property
    def on_table(self) -> bool:
        """Return whether it stands on the table."""
        return not self.gone and self.place == "table"

    @property
    def commander(self) -> bool:
        """Return whether it is a commander."""
        return self.fighter.arm == "commander"

    @property
    def battery(self) -> bool:
        """Return whether it is a battery."""
        return self.fighter.arm == "artillery"

    @property
    def cavalry(self) -> bool:
        """Return whether it is cavalry on its horses."""
        return self.fighter.arm == "cavalry" and not self.dismounted

    @property
    def dismounted(self) -> bool:
        """Return whether it is cavalry that fights on foot. Slide 25."""
        return self.formation == "dismounted"

    @property
    def fighting(self) -> int:
        """Return the figures that can fight: of dismounted cavalry one in four stays with the
        horses. Slide 25."""
        holders = ceil(self.figures / figures("cavalry")["horse_holders"]) if self.dismounted else 0
        return self.figures - holders

    @property
    def lost(self) -> int:
        """Return the figures that it has lost in this battle; all of them once it has gone."""
        return self.start if self.gone else self.start - self.figures

    @property
    def guns(self) -> Mapping[str, int]:
        """Return the guns that a battery has left, by calibre."""
        return guns_left(self.fighter, {"guns": self.guns_lost})

    @property
    def brigade(self) -> str:
        """Return the key of its brigade, "side/name"; "" without one."""
        return f"{self.side}/{self.fighter.brigade}" if self.fighter.brigade else ""

    @property
    def shaken(self) -> bool:
        """Return whether it has lost more than half, or its colours.

        Skirmishers never count so. Slides 26 to 28. N-M5, N-M6.
        """
        return not self.parent and self._shaken

    @property
    def _shaken(self) -> bool:
        return self.colours_lost or bool(morale.strength_state(self.start, self.figures))

    @property
    def disordered(self) -> bool:
        """Return whether it counts as disordered, for now or for good. Slides 23 and 27."""
        return self.order == DISORDERED or self.blown or self.shaken

    @property
    def ready(self) -> bool:
        """Return whether it is on the table in good order."""
        return self.on_table and self.order == GOOD and not self.disordered

    @property
    def formed(self) -> Formation:
        """Return the formation in which it stands; a commander in none that does anything."""
        return book().formation.get(self.formation) or Formation(key="", name="", arms=())

    @property
    def skirmishing(self) -> bool:
        """Return whether it stands in skirmish order."""
        return self.formed.skirmish

    @property
    def spent(self) -> bool:
        """Return whether it has fired, charged or fought in this turn. Blown cavalry may fall back
        even so."""
        return not self.blown and not {"fired", "charged", "fought"}.isdisjoint(self.did)

    @property
    def bars(self) -> Mapping[str, object]:
        """Return what may keep it from something: what is said of that, and whether it is so."""
        return {
            "runs": self.order == BROKEN,
            "blown": self.blown,
            "not-in-good-order": not self.ready,
            "not-loaded": not self.loaded,
            "burst-through": "burst" in self.did,
            "reacting-already": self.reacting,
            "has-entered": "entered" in self.did,
            "has-joined": self.joined,
        }


class Charge(Struct, frozen=True):
    """A charge under way: its ``answer`` is "" until the target has reacted, ``needs`` what it has
    to run, in inches.

    ``facing`` is where it hits: "front", "flank", "rear", "both"; ``fled`` how far the target has
    run from it. ``run`` are the dice of the chargers where they have been thrown already: before a
    square is tried, or at a first target from which they have ``turned``. ``impetuous`` marks
    cavalry that charges of its own accord, ``interrupts`` a charge in the enemy's movement.
    """

    fighter: str
    target: str
    needs: float
    facing: str = "front"
    answer: str = ""
    fled: float = 0
    run: tuple[int, ...] = ()
    turned: bool = False
    impetuous: bool = False
    interrupts: bool = False

    @property
    def due(self) -> tuple[str, str]:
        """Return who has to go on with it, and the key of the kind by which."""
        return (self.fighter, "contact") if self.answer else (self.target, "reaction")


class Combat(Struct, frozen=True):
    """A hand-to-hand fight: to be fought while nobody has ``lost``, then to be tested for, at
    ``by`` of the score.

    ``facing`` is where the ``fighter`` who has charged hits, ``countered`` says that the other has
    charged as well. ``tested``: the loser has been tested, and ``broke`` or not; ``fled`` is how
    far it has gone since, ``caught`` says that it may be struck in the back, ``ran`` that it fled
    before the charge and has never fought.

    Cavalry that has ridden ``through`` cavalry has an entry of its own, as its ``fighter``;
    ``charged`` says whether it will be blown. ``left`` are inches that it may still ride into a
    fresh enemy, ``followed`` marks such a fight.
    """

    fighter: str
    target: str
    facing: str = "front"
    countered: bool = False
    lost: str = ""
    by: int = 0
    tested: bool = False
    broke: bool = False
    fled: int = 0
    caught: bool = False
    ran: bool = False
    through: bool = False
    charged: bool = True
    followed: bool = False
    left: float = 0

    @property
    def winner(self) -> str:
        """Return who has won it, "" while nobody has lost."""
        if not self.lost:
            return ""
        return self.target if self.lost == self.fighter else self.fighter

    @property
    def due(self) -> tuple[str, str]:
        """Return the id of the unit that acts next, or may "follow" a beaten enemy, and the key of
        its kind."""
        if self.caught or self.tested:
            return self.winner, "hack" if self.caught else "follow"
        return (self.lost, "break") if self.lost else (self.fighter, "melee")


NOBODY = Combat("", "")
"""The fight where there is none."""


class Courier(Struct, frozen=True):
    """A courier of a Commander-in-Chief: the commander that he rides ``to``, with which order, from
    which turn on.

    ``due`` is the turn in which he comes; once he is ``back``, or killed, the first turn in which
    another can ride.
    """

    to: str
    order: str
    objective: str
    due: int
    back: bool = False


class Sector(Struct, frozen=True):
    """A built-up area or a wood that burns or falls: ``points`` are hit points left, None if
    unknown."""

    points: int | None = None
    burning: bool = False
    fallen: bool = False


class State(RemembersAnswers, frozen=True):
    """The state of play. ``first`` is the key of side A in this turn, ``behind`` that of who lost
    the last initiative.

    ``step`` is the place of the step of the turn that play has come to, from 0, ``last_step`` that
    of the last event; ``over`` says that no further turn is played, ``light`` that this turn is
    logged by its casualties alone. ``done`` is what has been done in this turn that is done once.
    ``checked`` are brigades with the percentages for which they have been tested. ``couriers``
    belong to the sides, ``orders`` are the written orders of brigades, ``fords`` the places that
    were tried as fords. ``shocks`` are units that have broken from combat in this step.
    """

    combatants: Mapping[str, Combatant]
    sides: Mapping[str, str]
    nations: Mapping[str, str] = {}
    settings: HouseRules = HouseRules()
    turn: int = 0
    step: int = 0
    last_step: int = 0
    first: str = ""
    behind: str = ""
    charges: tuple[Charge, ...] = ()
    combats: tuple[Combat, ...] = ()
    checked: tuple[str, ...] = ()
    locations: Mapping[str, str] = {}
    sectors: Mapping[str, Sector] = {}
    fords: Mapping[str, bool] = {}
    couriers: Mapping[str, Courier] = {}
    orders: Mapping[str, str] = {}
    deeds: tuple[Deed, ...] = ()
    done: tuple[str, ...] = ()
    shocks: tuple[str, ...] = ()
    over: bool = False
    ended: bool = False
    light: bool = False

    def of(self, side: str) -> tuple[Combatant, ...]:
        """Return the combatants of a side; groups of skirmishers belong to their battalions."""
        return tuple(
            each for each in self.combatants.values() if each.side == side and not each.parent
        )

    def group(self, combatant: Combatant) -> Combatant | None:
        """Return the skirmishers that a battalion has sent out, wherever they are; None while they
        are with it."""
        group = self.combatants.get(group_id(combatant.id))
        return group if group and group.place != IN_RANKS else None

    def whole(self, combatant: Combatant) -> tuple[int, int]:
        """Return what a unit began with and what is left of it, with the skirmishers that it has
        sent out."""
        group = self.group(combatant)
        if group is None:
            return combatant.start, combatant.figures
        left = 0 if group.gone == "surrendered" else group.figures
        return combatant.start + group.start, combatant.figures + left

    def rejoined(self, group: Combatant) -> "State":
        """Return the state in which skirmishers are back with their battalion, with what they have
        lost. Players may overrule that they fight: their charges and fights are over."""
        parent = self.combatants[group.parent]
        start, figures = self.whole(parent)
        return self.without_combat(group.id).updating(
            replace(parent, start=start, figures=figures),
            replace(group, place=IN_RANKS, start=0, figures=0, shot=0),
        )

    def other(self, side: str) -> str:
        """Return the first side that is not this one."""
        return next((key for key in self.sides if key != side), side)

    def acts(self, side: str) -> bool:
        """Return whether this may side act in the step that play has come to.

        Before initiative nobody knows whose steps those are.
        """
        letter = tuple(book().step.values())[self.step].side
        return not letter or (
            bool(self.first) and side == (self.first if letter == "A" else self.other(self.first))
        )

    def at_step(self, place: int) -> "State":
        """Return the state in another step."""
        if place == self.step == self.last_step:
            return self
        return replace(self, last_step=self.step, step=place)

    def nation(self, side: str) -> Nation:
        """Return the nation of a side."""
        return book().nation[self.nations[side]]

    def chief(self, side: str) -> Combatant | None:
        """Return the Commander-in-Chief of a side: a commander without a brigade. None without one
        who can command."""
        return next((each for each in self._commanders(side) if not each.fighter.brigade), None)

    def leader(self, combatant: Combatant) -> Combatant | None:
        """Return who orders a unit: its brigade's commander, else the one in chief.

        A commander who has joined a unit orders it alone.
        """
        brigades = ("", combatant.brigade)
        joined = ("", combatant.id, combatant.parent)
        for each in self._commanders(combatant.side):
            if each.joined in joined and each.brigade in brigades:
                return each
        return None

    def led(self, who: str) -> bool:
        """Return whether a commander has joined the unit of this id. Slide 5."""
        return any(each.joined == who and not each.gone for each in self.combatants.values())

    @remembered
    def _commanders(self, side: str) -> tuple[Combatant, ...]:
        """Return the commanders of a side, those of brigades before those in chief."""
        commanders = [each for each in self.of(side) if each.commander and not each.gone]
        return tuple(sorted(commanders, key=lambda each: not each.brigade))

    @remembered
    def brigades(self) -> Mapping[str, tuple[Combatant, ...]]:
        """Return the units of every brigade, without their commander, by its key."""
        by_key: dict[str, tuple[Combatant, ...]] = {}
        for combatant in self.combatants.values():
            if combatant.brigade and not combatant.commander and not combatant.parent:
                by_key[combatant.brigade] = (*by_key.get(combatant.brigade, ()), combatant)
        return by_key

    @property
    def turn_has_ended(self) -> bool:
        """Return whether the end of this turn has been logged: everybody has loaded."""
        return "end " in self.done

    def combat(self, who: str, key: str) -> Combat:
        """Return the fight in which the kind of this key waits for somebody, ``NOBODY`` where there
        is none."""
        return next((each for each in self.combats if each.due == (who, key)), NOBODY)

    def radius(self, leader: Combatant | None) -> int:
        """Return how far the orders of a commander reach, in inches. Ruling N-C9."""
        return command.radius(rating_of(leader.fighter, self.settings) if leader else None)

    def grade(self, combatant: Combatant) -> Grade:
        """Return the grade of a unit under the house rules."""
        return grade_of(combatant.fighter, self.settings)

    def nerve(self, combatant: Combatant) -> Nerve:
        """Return what any test of a unit depends on, without anybody's help."""
        # Skirmishers on foot are never disordered, and rally as they are. Slide 26.
        broken = combatant.order == BROKEN and not (combatant.skirmishing and not combatant.cavalry)
        disordered = combatant.disordered or broken
        return Nerve(
            self.grade(combatant).morale,
            combatant.jubilant,
            disordered,
            dismounted=combatant.dismounted,
        )

    def under_fire(self, combatant: Combatant, nerve: Nerve | None = None) -> UnderFire:
        """Return a unit under fire, as its casualty test sees it."""
        nerve = nerve or self.nerve(combatant)
        return morale.under_fire(
            self.grade(combatant),
            nerve,
            combatant.start,
            combatant.order,
            skirmishers=combatant.skirmishing,
        )

    def test_due(self, combatant: Combatant) -> bool:
        """Return whether it has lost so much to fire that it has to test. Slides 11, 26 and 27.
        Ruling N-M1."""
        steady = combatant.shot and combatant.on_table and combatant.order != BROKEN
        return bool(steady) and morale.must_test(
            combatant.shot, combatant.start, self.under_fire(combatant).percent
        )

    def due(self) -> Iterator[tuple[str, str]]:
        """Yield who has to go on with which charge or fight, and the key of the kind; a winner need
        not "follow"."""
        yield from (each.due for each in self.charges)
        yield from (each.due for each in self.combats)

    def still_open(self) -> Iterator[tuple[str, str]]:
        """Yield what has to be done before the next step: who, and the key of the kind."""
        for combatant in self.combatants.values():
            if combatant.falls and combatant.on_table:
                yield combatant.id, "struck"
            if self.test_due(combatant):
                yield combatant.id, "test"
        yield from ((who, key) for who, key in self.due() if key != "follow")

    def losses_due(self, combatant: Combatant) -> tuple[str, ...]:
        """Return the losses that its brigade has come to and for which a unit has yet to be tested.
        Ruling N-M7."""
        if (
            not combatant.on_table
            or combatant.order == BROKEN
            or not combatant.brigade
            or combatant.commander
            or combatant.parent
        ):
            return ()
        reached = morale.brigade_losses(*self.strength(combatant.brigade))
        return tuple(each for each in reached if f"{combatant.id} {each}" not in self.checked)

    def strength(self, brigade: str) -> tuple[int, int]:
        """Return what a brigade came with and what is left of it, as the club counts. Ruling
        N-M11."""
        troops, rules = self.brigades()[brigade], self.settings
        had = left = 0
        for combatant in troops:
            group = self.group(combatant)
            start, lost = combatant.start, combatant.lost
            if group:
                start, lost = start + group.start, lost + group.lost
            had += counted(combatant.fighter, start, rules)
            left += counted(combatant.fighter, start - lost, rules)
        return had, left

    def fought(self, combat: Combat, after: Combat) -> "State":
        """Return the state in which a fight has come so far."""
        return replace(
            self, combats=tuple(after if each == combat else each for each in self.combats)
        )

    def updating(self, *changed: Combatant) -> "State":
        """Return the state with these combatants as they are now."""
        return replace(self, combatants={**self.combatants, **{each.id: each for each in changed}})

    def changed(self, who: str, **changes: Any) -> "State":
        """Return the state in which somebody has changed."""
        return self.updating(replace(self.combatants[who], **changes))

    def paid(self, price: Mapping[str, int]) -> "State":
        """Return the state after commanders and batteries have spent pips; nobody has fewer than
        none (N-C6)."""
        paid = []
        for key, pips in price.items():
            payer = self.combatants[key]
            paid.append(replace(payer, pips=max(0, payer.pips - pips)))
        return self.updating(*paid)

    def did(self, who: str, *what: str) -> "State":
        """Return the state in which somebody has done something in this turn."""
        return self.changed(who, did=(*self.combatants[who].did, *what))

    def lowered(self, who: str, by: str = "") -> "State":
        """Return the state after a failed test: from good order to disorder, from disorder to
        flight. Slide 28."""
        combatant = self.combatants[who]
        before = DISORDERED if combatant.disordered and combatant.order == GOOD else combatant.order
        return self.put(who, morale.after_failing(before, skirmishers=combatant.skirmishing), by)

    def put(self, who: str, order: str, by: str = "") -> "State":
        """The state with a unit in disorder or broken: jubilation, tokens and a battery's pips go.
        Slides 19 and 28.

        A broken unit without colours and half its strength disperses.
        """
        combatant = self.combatants[who]
        if combatant.parent and order == DISORDERED:
            return self
        pips = 0 if combatant.battery else combatant.pips
        state = self.changed(who, order=order, jubilant=0, reacting=False, pips=pips)
        if order != BROKEN:
            return state
        if (group := state.group(combatant)) and group.on_table and group.order != BROKEN:
            # Skirmishers run with their battalion. Slide 26.
            state = state.put(group.id, BROKEN)
        return state.halted(who).deed(by, "broke", victim=who).dispersed(who, by)

    def dispersed(self, who: str, by: str = "") -> "State":
        """Return the state in which a unit has gone that has lost too much, or its colours and half
        its strength.

        Slide 16.
        """
        combatant = self.combatants[who]
        gone = morale.disperses(
            combatant.start, combatant.figures, colours_lost=combatant.colours_lost
        )
        return self.left(who, "shattered", by) if gone and not combatant.gone else self

    def hurt(
        self, who: str, number: int, by: str = "", *, fire: bool = False, enfilade: bool = False
    ) -> "State":
        """Return the state after a unit lost figures: who has lost more than three quarters is
        shattered. Slide 27."""
        combatant = self.combatants[who]
        number = min(number, combatant.figures)
        # Figures that fell to fire bring a test, and keep blown cavalry from its rest.
        shot = combatant.shot + number if fire else combatant.shot
        enfiladed = combatant.enfiladed or (enfilade and number > 0)
        rest = () if fire and number else combatant.recovered
        state = self.changed(
            who, figures=combatant.figures - number, shot=shot, enfiladed=enfiladed, recovered=rest
        )
        shattered = (
            number
            and morale.strength_state(combatant.start, combatant.figures - number) == "shattered"
        )
        return state.left(who, "shattered", by) if shattered and not combatant.gone else state

    def halted(self, who: str) -> "State":
        """Return the state in which the charge of somebody, if there is one, has come to an end.
        Slide 12."""
        return replace(self, charges=tuple(each for each in self.charges if each.fighter != who))

    def out_of_combat(self, who: str) -> "State":
        """Return the state in which the fights of somebody are over."""
        return replace(
            self,
            combats=tuple(each for each in self.combats if who not in (each.fighter, each.target)),
        )

    def without_combat(self, who: str) -> "State":
        """Return the state in which the charges and fights of somebody and against them end."""
        charges = tuple(each for each in self.charges if who not in (each.fighter, each.target))
        return replace(self.out_of_combat(who), charges=charges)

    def without_guns(self, who: str, number: int, by: str = "") -> "State":
        """Return the state after a battery has lost guns; without any it is out of the battle.
        Slide 21."""
        combatant = self.combatants[who]
        state = self.changed(
            who, guns_lost=min(combatant.fighter.guns, combatant.guns_lost + number)
        )
        for _ in range(number):
            state = state.deed(by, "gun", victim=who)
        return (
            state.left(who, "guns")
            if number and not state.combatants[who].guns and not combatant.gone
            else state
        )

    def left(self, who: str, how: str, by: str = "") -> "State":
        """Return the state after a combatant has gone: the attacker's deed, and the end of its
        charges and fights."""
        state = self.changed(who, gone=how, reacting=False, shot=0).without_combat(who)
        for each in state.combatants.values():
            shares = each.joined == who or (each.parent == who and each.on_table)
            state = state.left(each.id, how) if shares and not each.gone else state
        return state.deed(by, how, victim=who)

    def colours_taken(self, who: str, by: str = "") -> "State":
        """Return the state after a unit has lost its colours, if it has any. Slides 16 and 28."""
        combatant = self.combatants[who]
        if (
            combatant.colours_lost
            or not combatant.fighter.colours
            or combatant.fighter.arm == "artillery"
        ):
            return self
        return (
            self.changed(who, colours_lost=True, jubilant=0)
            .deed(by, "colours", victim=who)
            .cheered(by)
        )

    def colours_taken_from(self, combatant: Combatant) -> bool:
        """Return whether a unit has lost its colours to somebody in this battle, and may have them
        back."""
        return combatant.colours_lost and any(
            deed.kind == "colours" and deed.victim == combatant.id for deed in self.deeds
        )

    def cheered(self, who: str) -> "State":
        """Return the state in which a unit in good order has become jubilant once more. Slide
        28."""
        combatant = self.combatants.get(who)
        return (
            self.changed(who, jubilant=combatant.jubilant + 1)
            if combatant and combatant.ready and not combatant.commander
            else self
        )

    def deed(self, who: str, kind: str, victim: str) -> "State":
        """The state with a deed of ``who``; the same where nobody is named, and for skirmishers who
        are chased away.

        What skirmishers do is their battalion's deed.
        """
        if not who or who not in self.combatants or self.combatants[victim].parent:
            return self
        who = self.combatants[who].parent or who
        other, turn = self.combatants[victim], self.turn or None
        friendly = self.combatants[who].side == other.side
        deed = Deed(
            who,
            kind,
            0,
            victim,
            other.name,
            killed=kind == "shattered",
            turn=turn,
            friendly=friendly,
        )
        return replace(self, deeds=(*self.deeds, replace(deed, result=kind)))


def group_id(battalion: str) -> str:
    """Return the id of the skirmishers of a battalion."""
    return f"{battalion}-skirmishers"


def opening(setup: BattleSetup) -> State:
    """Return the state before the first event: infantry in line, cavalry in line, guns unlimbered.

    Raise RulesError.
    """
    settings = HOUSE_RULES.settled(setup.settings)
    usual = {"infantry": "line", "cavalry": "cavalry-line", "artillery": "unlimbered"}
    combatants = {}
    for side in setup.sides:
        for fielded in side.fighters:
            fighter = read_build(fielded.build)
            figures = present(fighter, fielded.condition)
            combatants[fielded.id] = Combatant(
                id=fielded.id,
                name=fielded.name,
                side=side.key,
                fighter=fighter,
                start=figures,
                figures=figures,
                formation=usual.get(fighter.arm, ""),
                colours_lost=bool(fielded.condition.get("colours_lost")),
                guns_lost=int(fielded.condition.get("guns", 0)),
            )
    names = {side.key: side.name for side in setup.sides}
    nations = {side.key: side.faction for side in setup.sides}
    return State(combatants, names, nations, settings)
