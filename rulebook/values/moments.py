"""The moments of a battle: what its log says happened, in the words of no rule system.

Stories are made from them (``documents.content.battle_plan``). Every moment names the events of the
log that it comes from.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from rulebook.values.fields import LengthMeasure


class MomentKind(StrEnum):
    """Kinds of moments. ``Moment`` says what its fields hold for each."""

    HIT = "hit"
    """The actor harmed the target, who goes on or is out of action: "light", "grave", "out", or
    "back" or "dazed" for somebody who was only driven back or dazed."""
    KILL = "kill"
    """The actor killed or destroyed the target. Without an actor, nobody is named for it."""
    MISHAP = "mishap"
    """The target came to harm without an enemy: "fall", "drowning", "poison", or ""."""
    LOSSES = "losses"
    """The actor's fire cost the target a ``number`` of figures or bases."""
    CHARGE = "charge"
    """The actor charged the target and the ``others``; "mounted" or ""."""
    TEST = "test"
    """The actor tested its morale; ``passed``, and then is "steady", "shaken" or "broken"."""
    FLIGHT = "flight"
    """The actor and the ``others`` of its side fled from the field."""
    CAPTURE = "capture"
    """The actor took the target prisoner."""
    COLOURS = "colours"
    """The actor took the banner or colours of the target, a side or a unit."""
    OBJECTIVE = "objective"
    """The actor took the objective."""
    FIGHT = "fight"
    """The actor beat the target hand to hand, ``number`` to ``of``; "mounted" if by a charge."""
    DUEL = "duel"
    """The actor, with the ``others``, fought the target in a ``number`` of turns; "killed" if the
    target was killed in the end."""
    SAVED = "saved"
    """The actor was struck, and a die saved the actor."""
    ARRIVAL = "arrival"
    """The ``others`` of the actor's side reached the field; the actor is the side."""
    END = "end"
    """The battle ended: "last-turn", "destroyed", "withdrew", "conceded", "left-table", "agreed",
    "declared" or ""; the actor is the side that caused it, if any."""


class Moment(Struct, frozen=True, kw_only=True):
    """Something that happened in a battle.

    ``events`` are the sequences of its events in the log, ``turn`` is the turn of the last of them
    and ``since`` that of the first. ``actor``, ``target`` and ``others`` are keys of
    ``BattleMoments.people``. ``weapon`` is a plain noun ("crossbow"), ``means`` is "shot", "blow",
    "riposte", "free", "spell", "gun" or "". ``distance`` is in the rule system's unit, 0 if
    unknown or hand to hand. ``dice`` are the dice that decided it, and ``chance`` is the chance of
    dice at least as good for the actor, 1 if it says nothing. ``friendly`` is harm within a side.
    """

    kind: MomentKind
    events: tuple[int, ...]
    turn: int
    since: int = 0
    actor: str = ""
    target: str = ""
    others: tuple[str, ...] = ()
    weapon: str = ""
    means: str = ""
    distance: float = 0
    dice: tuple[int, ...] = ()
    chance: float = 1
    effect: str = ""
    passed: bool = False
    number: int = 0
    of: int = 0
    friendly: bool = False


class Somebody(Struct, frozen=True):
    """Somebody in a battle: the name, the key of the side, and "person", "unit", "group", "cavalry"
    (that of a side, which has no name of its own) or "side"."""

    name: str
    side: str
    sort: str = "person"


class TurnTally(Struct, frozen=True):
    """The state of a battle at the end of a turn, by side; ``points`` is empty without a score."""

    turn: int
    strength: Mapping[str, int]
    points: Mapping[str, int] = {}


class BattleMoments(Struct, frozen=True):
    """The moments of a battle in the order of its log, and its state turn by turn.

    ``turns`` is empty if nobody logged in which turns things happened. ``opening`` is the strength
    of each side at the start. ``strength`` is what it counts: "fighters", "figures", "half-bases".
    ``measure`` is the unit of distances, and a shot from ``far`` is a long one. ``in_order`` says
    that the order within a turn is known too, as it is in a log, and not on a result sheet.
    """

    moments: tuple[Moment, ...] = ()
    turns: tuple[TurnTally, ...] = ()
    opening: Mapping[str, int] = {}
    people: Mapping[str, Somebody] = {}
    strength: str = "fighters"
    measure: LengthMeasure | None = None
    far: float = 15
    in_order: bool = True
