"""The state of the table that a log turn by turn knows besides wounds and victory points."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.rosters.builds import HouseRuleValues
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.rounds import Round


class TurnPhase(StrEnum):
    """The four phases of a turn, in their order. Rule book: "Turn sequence"."""

    PRIORITY = "priority"
    MOVE = "move"
    COMBAT = "combat"
    END = "end"

    @property
    def place(self) -> int:
        """Return 0 for the first phase to 3 for the last."""
        return PLACES[self]


PLACES = {phase: place for place, phase in enumerate(TurnPhase)}


class LastShot(Struct, frozen=True):
    """A fighter's last shot of its own: its dice as they counted, and the target struck or missed
    so far.

    ``wide`` says that it missed somebody in a combat and may yet strike another there, ``twice``
    that it was one of an Archer's two, ``piece`` which of several weapons alike was fired.
    """

    weapon: str
    target: str
    dice: tuple[int, int]
    hit: bool
    hit_score: int = 0
    wide: bool = False
    twice: bool = False
    at: tuple[str, ...] = ()
    piece: str = ""


class OnTable(Struct, frozen=True):
    """The marks of what a fighter has done in this turn, and what it bears besides its wounds.

    ``done`` are marks of this turn; they are gone when the next one starts, and so is what it was
    ordered: "acted"; "moved", "short" (by a short move), "ran", "neared" (an enemy), "stepped" (a
    short move and nothing else), "may-step" (such a move still goes with what it did), "rides-on"
    (may do so, after a ride-by attack), "shied" (it wavered before an enemy), "resolved" (it has
    rolled its resolve); "aimed", "rested", "shot", "cast", "transfixed"; "engaged" (it came into
    contact), "fought", "mount-fought", "free-attack", "feinted", "riposted", "doubled" (two blows
    at once), "stun-rolled". ``aim`` says that it has aimed in the turn before. ``reload`` counts
    the Reload counters of each weapon, ``contacts`` names the enemies it touches, ``struck`` those
    it has attacked in this battle. ``magic`` is the Magic Points spent. ``carries`` maps things to
    whether they are heavy. ``order_targets`` are those that a Shoot order lets it shoot at,
    ``order_group`` those who were ordered with it. ``undrowned`` says that it has a Stunned counter
    for which it has not rolled against drowning, ``reserve`` that it waits off the table.
    """

    done: tuple[str, ...] = ()
    aim: bool = False
    reload: Mapping[str, int] = {}
    used_up: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    shots: int = 0
    last_shot: LastShot | None = None
    hidden: bool = False
    struck: tuple[str, ...] = ()
    magic: int = 0
    armoured_until: int = 0
    order: str = ""
    order_targets: tuple[str, ...] = ()
    order_group: tuple[str, ...] = ()
    carries: Mapping[str, bool] = {}
    duel_with: str = ""
    dismounted: bool = False
    lucky_used: bool = False
    poisoned: bool = False
    in_water: bool = False
    undrowned: bool = False
    scouted: bool = False
    reserve: bool = False

    def has(self, mark: str) -> bool:
        """Return whether it has this mark of this turn."""
        return mark in self.done

    def does(self, *marks: str, undone: Collection[str] = (), **changes: object) -> "OnTable":
        """Return a copy with these marks and changes, without the marks that are ``undone``."""
        done = (
            tuple([mark for mark in self.done if mark not in undone])
            if undone and self.done
            else self.done
        )
        for mark in marks:
            if mark not in done:
                done += (mark,)
        return replace(self, done=done, **changes)

    def next_turn(self) -> "OnTable":
        """Return a copy for the start of the next turn. The aim of who has fought is spoilt.

        Ruling B11.
        """
        aim = self.has("aimed") and not self.has("fought")
        return replace(self, done=(), aim=aim, order="", order_targets=(), order_group=())


NOTHING_LOGGED = OnTable()


class TurnTable(Struct, frozen=True):
    """The table in a battle logged turn by turn. ``turn`` 0 is before the first one.

    ``fight`` is the combat that was opened last, ``earlier`` those of this turn before it.
    ``grips`` is the weapon in each fighter's hand, ``hands`` whether "one" or "two" were chosen for
    it. ``guns`` holds the Reload counters of each side's guns, ``terms`` what each side's numbers
    depend on, worked out once. ``duellists`` names each side's duellists of a Duel, the present one
    last. ``undergrowth_until`` is the last turn of an Undergrowth; ``simplified`` says that the
    battle is fought by the simplified procedure, as its last combat was. ``leaver`` is who leaves
    contact, after free attacks of those in ``parting``. ``final`` is the last turn of all, once it
    is known by a roll. ``laden`` says that somebody has picked up something heavy in this battle,
    ``light`` that this turn is logged in the light way, by its casualties alone. Of this turn
    alone: ``done`` are the sides that have passed in its Move Phase, ``active`` is the side that
    has activated a fighter last in it, ``tested`` are those that have tested their Morale;
    ``poison_worked`` and ``end_rolled`` say that poison has given its counters, and that the length
    of the game was rolled for.
    """

    turn: int = 0
    priority: str = ""
    morale: Mapping[str, Morale] = {}
    inspired: tuple[str, ...] = ()
    tested: tuple[str, ...] = ()
    fighters: Mapping[str, OnTable] = {}
    fight: Round | None = None
    earlier: tuple[Round, ...] = ()
    ride_by: bool = False
    indoors: bool = False
    grips: Mapping[str, str] = {}
    hands: Mapping[str, str] = {}
    mist_until: int = 0
    poison_worked: bool = False
    guns: Mapping[str, Mapping[str, int]] = {}
    terms: Mapping[str, HouseRuleValues] = {}
    phase: TurnPhase = TurnPhase.PRIORITY
    duellists: Mapping[str, tuple[str, ...]] = {}
    done: tuple[str, ...] = ()
    undergrowth_until: int = 0
    simplified: bool = False
    leaver: str = ""
    parting: tuple[str, ...] = ()
    end_rolled: bool = False
    final: int = 0
    active: str = ""
    laden: bool = False
    light: bool = False

    def of(self, fighter: str) -> OnTable:
        """Return what the table knows of a fighter; nothing special, if nothing was logged."""
        return self.fighters.get(fighter, NOTHING_LOGGED)

    def with_fighter(
        self, fighter: str, *marks: str, undone: Collection[str] = (), **changes: object
    ) -> "TurnTable":
        """Return the table with these marks and changes of one fighter."""
        return self.knowing(fighter, self.of(fighter).does(*marks, undone=undone, **changes))

    def knowing(self, fighter: str, on_table: OnTable) -> "TurnTable":
        """Return the table with what it knows of a fighter as it is now."""
        return replace(self, fighters={**self.fighters, fighter: on_table})

    def morale_of(self, side: str) -> Morale:
        """Return a side's Morale: Steady until something else is logged."""
        return self.morale.get(side, Morale.STEADY)

    def last_round_of(self, fighter: str) -> Round | None:
        """Return the last round of this turn that a fighter was in, None if there was none."""
        for each in (self.fight, *reversed(self.earlier)):
            if each is not None and each.holds(fighter):
                return each
        return None

    def with_round(self, old: Round, new: Round) -> "TurnTable":
        """Return the table with a round of this turn as it has become."""
        earlier = tuple(new if each is old else each for each in self.earlier)
        return replace(self, fight=new if self.fight is old else self.fight, earlier=earlier)

    def engaged(self, fighter: str) -> bool:
        """Return whether a fighter touches an enemy."""
        return bool(self.fighters.get(fighter, NOTHING_LOGGED).contacts)


def with_contacts(table: TurnTable, fighter: str, contacts: tuple[str, ...]) -> TurnTable:
    """Return the table after a fighter came to touch exactly these enemies: both sides of each
    contact are kept."""
    own = table.of(fighter)
    if own.contacts == contacts and fighter in table.fighters:
        return table
    fighters = dict(table.fighters)
    for other in own.contacts:
        if other not in contacts:
            left = fighters[other]
            fighters[other] = replace(
                left, contacts=tuple(each for each in left.contacts if each != fighter)
            )
    for other in contacts:
        other_on_table = fighters.get(other, NOTHING_LOGGED)
        if fighter not in other_on_table.contacts:
            fighters[other] = _in_contact(other_on_table, (*other_on_table.contacts, fighter))
    fighters[fighter] = _in_contact(own, contacts)
    return replace(table, fighters=fighters)


def _in_contact(on_table: OnTable, contacts: tuple[str, ...]) -> OnTable:
    """Return a copy in contact with these enemies, marked as Engaged in this turn if it touched
    nobody before."""
    if on_table.contacts or not contacts:
        return replace(on_table, contacts=contacts)
    return on_table.does("engaged", contacts=contacts)
