"""The content of the story of a battle, in no language: one beat for each thing, with its names.

``phrase`` is the key of a table of wordings that every language has
(``documents.prose.battle_english``).
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from rulebook.book.weapons import CUTS, SHOOTS
from rulebook.values.fields import LengthMeasure


class Phrase(StrEnum):
    """The things that a story can say. ``Beat`` has the names and numbers that fill them."""

    FIRST_BLOOD = "first-blood"
    FIRST_BLOOD_SHOT = "first-blood-shot"
    FIRST_LOSSES = "first-losses"
    KILL = "kill"
    KILL_SHOT = "kill-shot"
    KILL_RIPOSTE = "kill-riposte"
    KILL_SPELL = "kill-spell"
    KILL_FREE = "kill-free"
    KILL_FRIENDLY = "kill-friendly"
    KILL_MANY = "kill-many"
    DEATH = "death"
    DOWN = "down"
    DOWN_SHOT = "down-shot"
    DOWN_MANY = "down-many"
    HIT = "hit"
    HIT_SHOT = "hit-shot"
    BACK = "back"
    DAZED = "dazed"
    FALL = "fall"
    DROWNED = "drowned"
    POISONED = "poisoned"
    MISSING = "missing"
    UNHORSED = "unhorsed"
    CHARGE = "charge"
    RIDE = "ride"
    LONE_CHARGE = "lone-charge"
    LONE_RIDE = "lone-ride"
    LONE_AT = "lone-at"
    LONE_DEATH = "lone-death"
    CLOSING_IN = "closing-in"
    MOBBED = "mobbed"
    DUEL_KILL = "duel-kill"
    SEVERAL_KILL = "several-kill"
    DUEL = "duel"
    TEST_HELD = "test-held"
    ONLY_TEST_HELD = "only-test-held"
    TEST_SHAKEN = "test-shaken"
    TEST_BROKEN = "test-broken"
    FLED = "fled"
    FLED_MANY = "fled-many"
    CAPTURE = "capture"
    COLOURS = "colours"
    OBJECTIVE = "objective"
    FIGHT = "fight"
    CHARGE_WON = "charge-won"
    HELD_OFF = "held-off"
    LOSSES = "losses"
    LOSSES_GUNS = "losses-guns"
    DESTROYED = "destroyed"
    BROKE_UP = "broke-up"
    SURRENDERED = "surrendered"
    SAVED = "saved"
    ARRIVAL = "arrival"
    SWING = "swing"
    SWING_ALONE = "swing-alone"
    DEADLIEST = "deadliest"
    LAST_FELL = "last-fell"
    LAST_LEFT = "last-left"
    NOBODY_LEFT = "nobody-left"
    WIPED_OUT = "wiped-out"
    STANDING = "standing"
    STANDING_SCORE = "standing-score"
    WITHDREW = "withdrew"
    CONCEDED = "conceded"
    LIVED = "lived"
    NOBODY_DIED = "nobody-died"


class Name(Struct, frozen=True):
    """A name in a story, and the warband that is added where it is first mentioned.

    ``side`` is "" for a side itself. ``shared`` is a name that somebody of another side has too:
    there the warband is always added. ``term`` is "group" for a part of a side ("the Van"), and
    "cavalry" for that of a side, which has no name.
    """

    text: str
    side: str = ""
    shared: bool = False
    term: str = ""


class Beat(Struct, frozen=True, kw_only=True):
    """Something that a story says.

    ``turn`` is 0 for what concerns the whole battle, which comes last; ``events`` are the
    sequences of the log that carry it. ``who`` acts, or is what it is about, ``whom`` is the other
    side of it. ``weight`` decides what is said first if there is room for a few things only; what
    is ``needed`` is always said. ``more`` counts those who are not named. ``dice`` is the total of
    two dice, 0 if it is not remarkable. ``by`` is who killed in the end, if that is neither of
    them.
    """

    phrase: Phrase
    turn: int
    events: tuple[int, ...]
    weight: float = 0
    needed: bool = False
    since: int = 0
    who: tuple[Name, ...] = ()
    whom: tuple[Name, ...] = ()
    by: tuple[Name, ...] = ()
    more: int = 0
    weapon: str = ""
    distance: float = 0
    measure: LengthMeasure | None = None
    number: int = 0
    of: int = 0
    other_number: int = 0
    other_of: int = 0
    means: str = ""
    mounted: bool = False
    score: tuple[int, int] = (0, 0)
    strength: str = "fighters"
    dice: int = 0


MORE_WHOM = (Phrase.ARRIVAL, Phrase.LIVED)
"""Phrases in which those who are not named are on the other side of it."""


def people_of(
    beat: Beat,
    introduced: Sequence[str],
    named: Callable[[Sequence[Name], list[str]], str],
    with_others: Callable[[str], str],
) -> dict[str, str]:
    """Return the slots for names, in any language. Slots without names are missing.

    ``named`` lists names and adds the sides that it names to those that are ``introduced``;
    ``with_others`` adds that there were more.
    """
    left = list(introduced)
    slots = {
        "who": named(beat.who, left),
        "whom": named(beat.whom, left),
        "by": named(beat.by, left),
    }
    if beat.more:
        most = "whom" if beat.phrase in MORE_WHOM else "who"
        slots[most] = with_others(slots[most])
    return {slot: names for slot, names in slots.items() if names}


def tags_of(beat: Beat) -> frozenset[str]:
    """Return the tags of wordings that fit a beat, in any language.

    "gun" is for weapons that shoot, "blade" for those that cut, "blow" for blows hand to hand.
    "mounted" is for riders, "figures" for units that lose figures. "untimed" always fits.
    """
    fitting = {"untimed"}
    # A shot of a result sheet has no weapon.
    if beat.means in ("shot", "gun") and beat.weapon in {*SHOOTS, ""}:
        fitting.add("gun")
    if beat.weapon in CUTS:
        fitting.add("blade")
    if beat.mounted:
        fitting.add("mounted")
    if beat.strength == "figures":
        fitting.add("figures")
    if beat.means in ("blow", "free", ""):
        fitting.add("blow")
    return frozenset(fitting)
