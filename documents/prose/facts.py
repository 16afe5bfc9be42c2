"""Facts of a battle and of a campaign that are worth a sentence, in no language or rule system.

The tag of each fact is the name of the function that writes it
(``documents.prose.language.Prose``). ``turns`` are the turns of the log in which it happened, if
known, and ``battles`` the keys of its battles. ``mortal`` means that losses are deaths, as for
people but not for battalions.
"""

from msgspec import Struct


class Fact(Struct, frozen=True, tag=str):
    """An event with its place in the records."""


class BattleFact(Fact, frozen=True):
    """An event within one battle."""

    turns: tuple[int, ...] = ()


class KillFact(Struct, frozen=True):
    """The victims of a killer; ``by`` is "" if the killer is unknown."""

    by: str
    victims: tuple[str, ...]


class Deaths(BattleFact, frozen=True, tag="deaths", kw_only=True):
    """The deaths in a battle by killer; ``more`` is the number of dead who are not named."""

    slayings: tuple[KillFact, ...]
    more: int = 0
    mortal: bool = True


class NobodyDied(BattleFact, frozen=True, tag="nobody_died", kw_only=True):
    """Fighters were hurt, and nobody died."""

    hurt: int


class Unhurt(BattleFact, frozen=True, tag="unhurt", kw_only=True):
    """Nobody came to harm; ``fielded`` is the number of fighters on all sides."""

    fielded: int


class Captives(BattleFact, frozen=True, tag="captives", kw_only=True):
    """The captives from a warband; ``captor`` is the other warband, if there is only one."""

    warband: str
    names: tuple[str, ...]
    captor: str = ""


class WipedOut(BattleFact, frozen=True, tag="wiped_out", kw_only=True):
    """A side of which nobody was left on the field: all were dead, captured or routed."""

    warband: str
    fielded: int


class NobodyLeft(BattleFact, frozen=True, tag="nobody_left", kw_only=True):
    """A battle after which nobody of any side was left on the field."""

    sides: int


class LastStand(BattleFact, frozen=True, tag="last_stand", kw_only=True):
    """The only fighter of a side left on the field, and the number of opponents left.

    ``won`` means that the side won nevertheless.
    """

    name: str
    warband: str
    fielded: int
    against: int
    won: bool = False


class MostHarm(BattleFact, frozen=True, tag="most_harm", kw_only=True):
    """The fighter who harmed more opponents than anyone else in the battle."""

    name: str
    warband: str
    victims: int


class CampaignFact(Fact, frozen=True):
    """An event that only shows over a whole campaign. ``where`` are the titles of its battles."""

    battles: tuple[str, ...] = ()
    where: tuple[str, ...] = ()


class Draws(CampaignFact, frozen=True, tag="draws", kw_only=True):
    """The battles without a winner; ``fought`` is the number of all battles."""

    fought: int


class Rivalry(CampaignFact, frozen=True, tag="rivalry", kw_only=True):
    """The two warbands that met most often; ``won`` counts the wins of each, and draws.

    A battle that neither of them won is a draw here.
    """

    one: str
    other: str
    won: tuple[int, int, int]


class Feud(CampaignFact, frozen=True, tag="feud", kw_only=True):
    """Two fighters who struck each other in several battles."""

    one: str
    other: str


class Avenged(CampaignFact, frozen=True, tag="avenged", kw_only=True):
    """``killer`` killed ``victim``, whose warband killed ``killer`` in a later battle."""

    victim: str
    killer: str
    avenger: str
    warband: str
    mortal: bool = True


class FirstBlood(CampaignFact, frozen=True, tag="first_blood", kw_only=True):
    """The fighter who did the first harm."""

    name: str
    warband: str


class FirstDeath(CampaignFact, frozen=True, tag="first_death", kw_only=True):
    """The first fighters who were lost, all on one day of play."""

    names: tuple[str, ...]
    mortal: bool = True


class FirstRise(CampaignFact, frozen=True, tag="first_rise", kw_only=True):
    """The first fighter who ranked up after a battle."""

    name: str
    warband: str


class LongestService(CampaignFact, frozen=True, tag="longest_service", kw_only=True):
    """The fighters with more battles than all others who still serve."""

    names: tuple[str, ...]
    times: int


class BattleRecord(CampaignFact, frozen=True, tag="battle_record", kw_only=True):
    """The fighter who harmed more opponents in one battle than anyone else in any battle."""

    name: str
    warband: str
    victims: int


class Bloodiest(CampaignFact, frozen=True, tag="bloodiest", kw_only=True):
    """The battle with most losses."""

    dead: int
    mortal: bool = True


class WorstDefeat(CampaignFact, frozen=True, tag="worst_defeat", kw_only=True):
    """The defeat by the largest difference in victory points."""

    loser: str
    winner: str
    points: tuple[int, int]
