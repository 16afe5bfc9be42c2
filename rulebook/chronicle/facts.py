"""The facts of a warband's chronicle: what happened, in the order in which it was recorded.

A fact is a frozen value with a ``kind`` and a schema ``version``. Facts never change; a mistake is mended by a
``Corrected`` fact that puts another in its place or strikes it. ``encode`` and ``decode`` turn facts into JSON
and back; ``seal`` chains them, so that a later change to any of them shows.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import Deed, Fate, Outcome, Posts, Problem, Record, RulesError

VERSION = 1
FIRST_SEAL = "0" * 64


class Fact(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True):
    """What every fact has: the version of its schema."""

    version: int = VERSION


class Mustered(Fact, frozen=True, tag="mustered"):
    """A warband comes into being, under an edition of a rule system."""

    ruleset: str = ""
    edition: str = ""
    faction: str = ""
    name: str = ""
    extras: Mapping[str, Any] = {}


class Enrolled(Fact, frozen=True, tag="enrolled"):
    """The warband enters a campaign: from here its house rules hold, and games count from none.

    ``reason`` says why the organiser let in a roster that the rules forbid, where that was needed.
    """

    campaign: str = ""
    campaign_name: str = ""
    agreed_points: int | None = None
    settings: Mapping[str, Any] = {}
    reason: str = ""


class Withdrawn(Fact, frozen=True, tag="withdrawn"):
    """The warband leaves its campaign, or the campaign has ended."""

    campaign: str = ""
    reason: str = ""


class RulesChanged(Fact, frozen=True, tag="rules-changed"):
    """The campaign's house rules change from here on."""

    settings: Mapping[str, Any] = {}
    reason: str = ""


class EditionAdopted(Fact, frozen=True, tag="edition-adopted"):
    """A newer edition of the rule system's data is taken up from here on."""

    edition: str = ""


class Recruit(Struct, frozen=True):
    """One fighter that joins: its id is handed in, its build is the rule system's."""

    fighter: str
    name: str
    build: Mapping[str, Any]


class Recruited(Fact, frozen=True, tag="recruited"):
    """Fighters join the roster. ``reason`` says why the organiser overruled the book, where that was needed."""

    recruits: tuple[Recruit, ...] = ()
    reason: str = ""


class Equipped(Fact, frozen=True, tag="equipped"):
    """A fighter's build is replaced by another one."""

    fighter: str = ""
    build: Mapping[str, Any] = {}
    reason: str = ""


class Furnished(Fact, frozen=True, tag="furnished"):
    """What the warband buys as a whole is replaced: banner, guns, Morale of a custom warband."""

    extras: Mapping[str, Any] = {}
    reason: str = ""


class Appointed(Fact, frozen=True, tag="appointed"):
    """Who fills the posts of the warband from here on; a post that is left out is empty.

    ``leader`` and ``bearer`` are how facts of before named the only two posts that there were.
    """

    posts: Posts = {}
    leader: str | None = None
    bearer: str | None = None

    @property
    def holders(self) -> Posts:
        """Who fills the posts, whichever way the fact says it."""
        before = {"leader": self.leader, "banner": self.bearer}
        return {**{post: (holder,) for post, holder in before.items() if holder is not None}, **self.posts}


class Arranged(Fact, frozen=True, tag="arranged"):
    """The roster is put into another order: ``order`` names fighters as they follow each other from here on, each
    taking one of the places that they held together. ``moved`` are those who go to another group, by its key."""

    order: tuple[str, ...] = ()
    moved: Mapping[str, str] = {}


class Renamed(Fact, frozen=True, tag="renamed"):
    """A fighter takes another name; with no fighter the warband itself does."""

    fighter: str | None = None
    name: str = ""


class Fought(Fact, frozen=True, tag="fought"):
    """A confirmed battle, as far as it concerns this warband. ``friendly`` battles leave no mark on anybody.

    ``parallel`` battles are fought at the same time as others of the warband (the small games of a classic campaign):
    nobody has missed a game by not being in one.

    ``fought_on`` is the day, and ``place_in_day`` the place among the battles of that day: a moment in UTC, as text of
    one length. Facts of before have no place: they stay where they were entered (see ``replay.in_order_of_play``).
    """

    battle: str = ""
    title: str = ""
    scenario: str = ""
    fought_on: str = ""
    side: str = ""
    role: str = ""
    against: tuple[str, ...] = ()
    outcome: Outcome = Outcome.DREW
    victory_points: int = 0
    victory_points_against: int = 0
    friendly: bool = False
    parallel: bool = False
    records: tuple[Record, ...] = ()
    deeds: tuple[Deed, ...] = ()
    place_in_day: str = ""

    @property
    def played(self) -> tuple[str, str]:
        """When it was played, to be compared with that of other battles: its day, then its place in that day."""
        return (self.fought_on, self.place_in_day)

    def is_late(self, last_played: tuple[str, str]) -> bool:
        """Return whether it was played before the latest battle of those that were entered before it."""
        return bool(self.place_in_day) and self.played < last_played


class RankedUp(Fact, frozen=True, tag="ranked-up"):
    """A fighter takes one step: its key among the legal ones, and what its owner picked."""

    fighter: str = ""
    step: str = ""
    picks: Mapping[str, Any] = {}


class Left(Fact, frozen=True, tag="left"):
    """A fighter leaves the roster: "retired", "dismissed", "deserted", or "struck" from a roster not yet in play."""

    fighter: str = ""
    reason: str = "retired"


class Adjusted(Fact, frozen=True, tag="adjusted"):
    """Somebody who may overrule the book does so: experience given or taken, a fate changed, always with a reason.

    Whoever is made to recover misses one game.
    """

    fighter: str = ""
    experience: int = 0
    fate: Fate | None = None
    reason: str = ""


class Standing(Struct, frozen=True):
    """A later fact that is let stand although a correction made it impossible, and why."""

    sequence: int
    reason: str


class Corrected(Fact, frozen=True, tag="corrected"):
    """An earlier fact is replaced (or struck, if there is no replacement); ``undone`` strikes later ones with it."""

    target: int = 0
    replacement: "AnyFact | None" = None
    undone: tuple[int, ...] = ()
    standing: tuple[Standing, ...] = ()
    reason: str = ""


AnyFact = (
    Mustered
    | Enrolled
    | Withdrawn
    | RulesChanged
    | EditionAdopted
    | Recruited
    | Equipped
    | Furnished
    | Appointed
    | Arranged
    | Renamed
    | Fought
    | RankedUp
    | Left
    | Adjusted
    | Corrected
)


def encode(fact: Fact) -> dict[str, Any]:
    """The fact as JSON-ready data, with its ``kind`` and what differs from the defaults."""
    data: dict[str, Any] = msgspec.to_builtins(fact)
    return {**data, "version": fact.version}


def decode(data: Mapping[str, Any]) -> AnyFact:
    """The fact that ``encode`` wrote. Raises RulesError naming the field if the data make no sense."""
    version = data.get("version") if isinstance(data, Mapping) else None
    if isinstance(version, int) and version > VERSION:
        raise RulesError(_unreadable(f"fact version {version} is newer than this Muster ({VERSION})"))
    try:
        fact: AnyFact = msgspec.convert(data, type=AnyFact)
    except msgspec.ValidationError as error:
        raise RulesError(_unreadable(str(error))) from error
    if isinstance(fact, Corrected) and isinstance(fact.replacement, Corrected):
        raise RulesError(_unreadable("a correction cannot stand in the place of a fact"))
    return fact


def _unreadable(why: str) -> Problem:
    return Problem(code="unreadable-fact", sentence=f"The chronicle holds a fact that cannot be read: {why}.")


def seal(previous: str, *, warband: str, sequence: int, payload: Mapping[str, Any], recorded: str) -> str:
    """The SHA-256 seal (64 hex digits) of an entry: covers the entry, its place, its time and the seal before it."""
    body = msgspec.json.encode([previous, warband, sequence, payload, recorded], order="deterministic")
    return hashlib.sha256(body).hexdigest()
