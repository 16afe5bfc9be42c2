"""Facts for the chapters of a campaign's book about people: epitaphs, warbands, the champion."""

from msgspec import Struct


class Vengeance(Struct, frozen=True, kw_only=True):
    """The fate of a killer. ``by`` is "" if the killer still serves or left alive.

    ``where`` is the battle in which the killer fell, "" if it is the battle of the killing;
    ``ours`` is True if ``by`` served with the victim.
    """

    killer: str
    by: str = ""
    warband: str = ""
    where: str = ""
    ours: bool = False
    serves: bool = False


class Life(Struct, frozen=True, kw_only=True):
    """The life and death of a fighter, for an epitaph.

    Args:
        name: The fighter, of a ``warband``.
        fell: Whether it fell in a battle of the campaign; ``turn`` is None if unknown.
        killers: Everybody known to have had a hand in it. With one, ``weapon`` is the killer's, in
            the language of the text, or "".
        comrade: Whether the killer was of the same side.
        end: The reason that an organiser gave, or the text of the log.
        battles: The number of battles in the campaign, with the last one; ``earlier`` counts those
            before the campaign.
        joined: The battle after which it joined; "" for those who were there from the start.
        killed: The enemies that it killed, in order; ``wounded`` counts others that it harmed.
        took_along: An enemy that it killed in the battle of its death, and "" without one.
        rises: The number of rank-ups.
        hurt: The number of battles that it left hurt or carried off before its last one.
        captured: The number of times that it was captured.
        vengeance: The fate of the killer.
        mortal: False for units, which are destroyed rather than killed.
    """

    name: str
    warband: str
    fell: bool = True
    turn: int | None = None
    killers: tuple[str, ...] = ()
    weapon: str = ""
    comrade: bool = False
    end: str = ""
    battles: int = 1
    earlier: int = 0
    joined: str = ""
    killed: tuple[str, ...] = ()
    took_along: str = ""
    wounded: int = 0
    rises: int = 0
    hurt: int = 0
    captured: int = 0
    vengeance: Vengeance | None = None
    mortal: bool = True


class Remains(Struct, frozen=True, kw_only=True):
    """The fate of a warband, at the end of a campaign or up to now.

    ``began`` counts the fighters who entered the campaign, ``joined`` those who came later.
    ``veterans`` are the first ones who still serve. ``last`` are the fighters who fell last, if
    nobody is left, in the battle ``last_fell_in``. ``nemesis`` is the warband that killed most of
    them, ``by_nemesis`` how many.
    """

    name: str
    position: int
    of: int
    over: bool
    won: int
    drawn: int
    lost: int
    began: int
    joined: int
    serving: int
    captive: int
    dead: int
    left: int
    rises: int
    killed: int
    veterans: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    last_fell_in: str = ""
    nemesis: str = ""
    by_nemesis: int = 0
    best: str = ""
    earned: int = 0
    mortal: bool = True


class Decision(Struct, frozen=True, kw_only=True):
    """The battle that decided a campaign.

    ``always`` is True if the champion was first after every day of play.
    """

    champion: str
    battle: str
    against: tuple[str, ...]
    always: bool = False
    final: bool = False
