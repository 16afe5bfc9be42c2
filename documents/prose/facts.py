"""What is worth a sentence: facts of a battle and of a campaign, as values that know no language
and no rule system.

Each fact's tag is the name of the function that tells it (``documents.prose.language.Prose``).
``turns`` are those of the log in which it came about, where they are known; ``battles`` the keys of
the battles in which it did. ``mortal``: whoever is lost is dead, as it is with people and not with
battalions.
"""

from msgspec import Struct


class Fact(Struct, frozen=True, tag=str):
    """What happened, with where it stands in the books."""


class BattleFact(Fact, frozen=True):
    """Something that happened within one battle."""

    turns: tuple[int, ...] = ()


class KillFact(Struct, frozen=True):
    """Whom somebody has slain; ``by`` is empty where nobody knows whose work it was."""

    by: str
    slain: tuple[str, ...]


class Deaths(BattleFact, frozen=True, tag="deaths", kw_only=True):
    """Who died, by whose hand; ``more`` counts those whom the sentence has no room for."""

    slayings: tuple[KillFact, ...]
    more: int = 0
    mortal: bool = True


class NobodyDied(BattleFact, frozen=True, tag="nobody_died", kw_only=True):
    """People were hurt, and all lived."""

    hurt: int


class Captives(BattleFact, frozen=True, tag="captives", kw_only=True):
    """Who was taken from a warband, and by which one, where only one can have done it."""

    warband: str
    names: tuple[str, ...]
    captor: str = ""


class WipedOut(BattleFact, frozen=True, tag="wiped_out", kw_only=True):
    """A side of which nobody kept the field: dead, captured or fled."""

    warband: str
    fielded: int


class NobodyLeft(BattleFact, frozen=True, tag="nobody_left", kw_only=True):
    """Nobody of any side kept the field."""

    sides: int


class LastStand(BattleFact, frozen=True, tag="last_stand", kw_only=True):
    """The only one of a side who kept the field, against so many; ``won``: and it was enough."""

    name: str
    warband: str
    fielded: int
    against: int
    won: bool = False


class MostHarm(BattleFact, frozen=True, tag="most_harm", kw_only=True):
    """Who laid hands on more opponents than anybody else in the battle."""

    name: str
    warband: str
    victims: int


class CampaignFact(Fact, frozen=True):
    """Something that only shows over a whole campaign. ``where`` are the titles of its battles, in
    their order."""

    battles: tuple[str, ...] = ()
    where: tuple[str, ...] = ()


class Draws(CampaignFact, frozen=True, tag="draws", kw_only=True):
    """Battles that nobody won, of so many."""

    fought: int


class Rivalry(CampaignFact, frozen=True, tag="rivalry", kw_only=True):
    """Two warbands that met more often than any others; ``won`` by the first, by the second, and
    drawn."""

    one: str
    other: str
    won: tuple[int, int, int]


class Feud(CampaignFact, frozen=True, tag="feud", kw_only=True):
    """Two fighters of whom one struck the other in battle after battle."""

    one: str
    other: str


class Avenged(CampaignFact, frozen=True, tag="avenged", kw_only=True):
    """``slayer`` slew ``slain``, and was slain in turn by one of the same warband in a later
    battle."""

    slain: str
    slayer: str
    avenger: str
    warband: str
    mortal: bool = True


class FirstBlood(CampaignFact, frozen=True, tag="first_blood", kw_only=True):
    """Who struck the first blow that told."""

    name: str
    warband: str


class FirstDeath(CampaignFact, frozen=True, tag="first_death", kw_only=True):
    """The first who were lost, all on one day of play."""

    names: tuple[str, ...]
    mortal: bool = True


class FirstRise(CampaignFact, frozen=True, tag="first_rise", kw_only=True):
    """The first who took a step up, after a battle."""

    name: str
    warband: str


class LongestService(CampaignFact, frozen=True, tag="longest_service", kw_only=True):
    """Who has fought in more battles than all others and still serves."""

    names: tuple[str, ...]
    times: int


class BattleRecord(CampaignFact, frozen=True, tag="battle_record", kw_only=True):
    """Who laid hands on more opponents in one battle than anybody in any other."""

    name: str
    warband: str
    victims: int


class Bloodiest(CampaignFact, frozen=True, tag="bloodiest", kw_only=True):
    """The battle that cost most."""

    dead: int
    mortal: bool = True


class WorstDefeat(CampaignFact, frozen=True, tag="worst_defeat", kw_only=True):
    """The defeat by the widest margin of victory points."""

    loser: str
    winner: str
    points: tuple[int, int]
