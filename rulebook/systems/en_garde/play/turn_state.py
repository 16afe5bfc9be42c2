"""What a log turn by turn knows of the table beside wounds and victory points."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rulebook.systems.en_garde.rosters.builds import HouseTerms
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
        """0 for the first phase, 3 for the last."""
        return PLACES[self]


PLACES = {phase: place for place, phase in enumerate(TurnPhase)}


class LastShot(Struct, frozen=True):
    """A fighter's last shot of its own: its dice as they counted, and whom it has struck or missed so far.

    ``wide`` says that it missed somebody in a combat and may yet strike another there, ``twice`` that it was one of an
    Archer's two, ``piece`` which of several weapons alike was fired.
    """

    turn: int
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
    """What a fighter has done and bears, beside its wounds. Turns are numbers, 0 for never.

    ``reload`` counts the Reload counters of each weapon, ``contacts`` names the enemies it touches, ``struck`` those
    it has attacked in this battle. ``magic`` is the Magic Points spent. ``carries`` maps things to whether they are
    heavy. ``resolved`` is the turn in which it has rolled its resolve, ``stepped`` that in which it has made a short
    move and nothing else, ``may_step`` that in which a short move still goes with what it did, ``rode_by`` that of its
    ride-by attack, after which it may ride on. ``order_targets`` are those whom a Shoot order lets it shoot at,
    ``order_group`` those who were ordered with it. ``ran`` is the turn in which it ran, ``neared`` that in which it
    came near an enemy, ``shied`` that in which it wavered before one. ``stunned_on`` is the turn of a Stunned counter
    for which it has not rolled against drowning, ``reserve`` a fighter that waits off the table.
    ``feinted``, ``riposted`` and ``doubled`` are the turns of its last Feint and Riposte, and of its last two blows at
    once.
    """

    reload: Mapping[str, int] = {}
    used_up: tuple[str, ...] = ()
    contacts: tuple[str, ...] = ()
    acted: int = 0
    shots: int = 0
    moved_short: int = 0
    aimed: int = 0
    rested: int = 0
    hidden: bool = False
    fought: int = 0
    engaged_on: int = 0
    free_attack: int = 0
    struck: tuple[str, ...] = ()
    magic: int = 0
    cast: int = 0
    armoured_until: int = 0
    transfixed: int = 0
    ordered: int = 0
    order: str = ""
    order_targets: tuple[str, ...] = ()
    carries: Mapping[str, bool] = {}
    rolled_stun: int = 0
    duel_with: str = ""
    dismounted: bool = False
    mount_fought: int = 0
    lucky_used: bool = False
    poisoned: bool = False
    last_shot: LastShot | None = None
    resolved: int = 0
    rode_by: int = 0
    stepped: int = 0
    may_step: int = 0
    moved: int = 0
    ran: int = 0
    neared: int = 0
    shied: int = 0
    order_group: tuple[str, ...] = ()
    in_water: bool = False
    stunned_on: int = 0
    scouted: bool = False
    feinted: int = 0
    riposted: int = 0
    doubled: int = 0
    reserve: bool = False


NOTHING_LOGGED = OnTable()


class Table(Struct, frozen=True):
    """The table in a battle logged turn by turn. ``turn`` 0 is before the first one.

    ``fight`` is the combat that was opened last, ``earlier`` those of this turn before it. ``grips`` is the weapon in
    each fighter's hand, ``hands`` whether "one" or "two" were chosen for it, ``poison_worked`` the last turn in which
    poison gave its counters. ``guns`` holds the Reload counters of each side's guns, ``terms`` what
    each side's numbers depend on, worked out once. ``duellists`` names each side's duellists of a Duel, the present one
    last, ``done`` the sides that have passed in this turn's Move Phase. ``undergrowth_until`` is the last turn of an
    Undergrowth; ``simplified`` says that the battle is fought by the simplified procedure, as its last combat was.
    ``leaver`` is who leaves contact, after free attacks of those in ``parting``.
    ``end_rolled`` is the last turn in which the length of the game was rolled for, ``final`` the last of all, once it
    is known by such a roll. ``active`` is the side that has activated a fighter last in this turn's Move Phase.
    """

    turn: int = 0
    priority: str = ""
    morale: Mapping[str, Morale] = {}
    inspired: tuple[str, ...] = ()
    tested: Mapping[str, int] = {}
    fighters: Mapping[str, OnTable] = {}
    fight: Round | None = None
    earlier: tuple[Round, ...] = ()
    ride_by: bool = False
    indoors: bool = False
    grips: Mapping[str, str] = {}
    hands: Mapping[str, str] = {}
    mist_until: int = 0
    poison_worked: int = 0
    guns: Mapping[str, Mapping[str, int]] = {}
    terms: Mapping[str, HouseTerms] = {}
    phase: TurnPhase = TurnPhase.PRIORITY
    duellists: Mapping[str, tuple[str, ...]] = {}
    done: tuple[str, ...] = ()
    undergrowth_until: int = 0
    simplified: bool = False
    leaver: str = ""
    parting: tuple[str, ...] = ()
    end_rolled: int = 0
    final: int = 0
    active: str = ""

    def of(self, fighter: str) -> OnTable:
        """What the table knows of a fighter; nothing special, if nothing was logged."""
        return self.fighters.get(fighter, NOTHING_LOGGED)

    def with_fighter(self, fighter: str, **changes: object) -> "Table":
        """The table with these changes of one fighter."""
        return replace(self, fighters={**self.fighters, fighter: replace(self.of(fighter), **changes)})

    def morale_of(self, side: str) -> Morale:
        """A side's Morale: Steady until something else is logged."""
        return self.morale.get(side, Morale.STEADY)

    def last_round_of(self, fighter: str) -> Round | None:
        """The last round of this turn that a fighter was in, None if there was none."""
        if self.fight is not None and fighter in self.fight.by_id:
            return self.fight
        return next((each for each in reversed(self.earlier) if fighter in each.by_id), None)

    def with_round(self, old: Round, new: Round) -> "Table":
        """The table with a round of this turn as it has become."""
        earlier = tuple(new if each is old else each for each in self.earlier)
        return replace(self, fight=new if self.fight is old else self.fight, earlier=earlier)

    def engaged(self, fighter: str) -> bool:
        """Does it touch an enemy?"""
        return bool(self.of(fighter).contacts)


def touched(table: Table, fighter: str, contacts: tuple[str, ...]) -> Table:
    """The table after a fighter came to touch exactly these enemies: both sides of each contact are kept."""
    fighters = dict(table.fighters)
    own = table.of(fighter)
    for other in own.contacts:
        if other not in contacts:
            left = fighters[other]
            fighters[other] = replace(left, contacts=tuple(each for each in left.contacts if each != fighter))
    for other in contacts:
        known = fighters.get(other, NOTHING_LOGGED)
        both = known.contacts if fighter in known.contacts else (*known.contacts, fighter)
        fighters[other] = replace(known, contacts=both, engaged_on=known.engaged_on if known.contacts else table.turn)
    began = own.engaged_on if own.contacts else table.turn
    fighters[fighter] = replace(own, contacts=contacts, engaged_on=began)
    return replace(table, fighters=fighters)
