"""The veterans of a campaign's book and the memorial of its dead."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from msgspec import Struct

from battles.selectors.results import BattleWithResult
from core.ruleset_words import end_label, translated_tallies
from documents.content.documents import Fallen, HonourHolder, Veteran
from documents.content.people import CampaignService, Player, place_of
from documents.content.structs import BattleNarrative, Person
from documents.content.visible_pictures import Album
from leagues.selectors.campaign_stats import Annals, veterans_order
from rulebook.chronicle.states import GONE
from rulebook.ruleset import Fate, Ruleset
from rulebook.values.rosters import counted
from warbands.rulebook_values import ruleset_of_warband

MAX_VETERANS = 12


class HonourLists(Struct, frozen=True):
    """The data from which lists of a campaign's people are written.

    ``places`` are the ids of the fighters who have an entry in the document. ``rises`` has for each
    rank-up of a fighter the number of the warband's battles before it.
    """

    rules: Ruleset
    people: Mapping[str, CampaignService]
    players: Mapping[UUID, Player]
    annals: Annals
    places: frozenset[str]
    pictures: Album
    rises: Mapping[str, tuple[int, ...]] = {}

    def place(self, fighter: str) -> str:
        """Return the anchor of a fighter in the document, or "" if there is none."""
        return place_of(fighter) if fighter in self.places else ""

    def holder(self, fighter: str, against: str = "") -> HonourHolder:
        """Return a fighter as the holder of an honour against this enemy."""
        of = self.people[fighter]
        return HonourHolder(of.fighter.name, self.place(fighter), of.warband.name, against)


def veterans(rolls: HonourLists, most: int | None = MAX_VETERANS) -> tuple[Veteran, ...]:
    """Return the surviving fighters with battles, in the order of experience earned.

    ``most`` is their largest number, None for all.
    """
    people = [
        each
        for each in rolls.people.values()
        if each.fighter.battles and each.fighter.fate not in GONE
    ]
    people.sort(key=lambda each: veterans_order(rolls.rules, each.fighter))
    return tuple(
        Veteran(**_remembered(rolls, each), earned=each.fighter.earned) for each in people[:most]
    )


def memorial(
    rolls: HonourLists, battles: Iterable[BattleWithResult], tales: Iterable[BattleNarrative]
) -> tuple[Fallen, ...]:
    """Return the dead in the order of their deaths, and last those without a battle.

    Fighters who only fought elsewhere died elsewhere and are left out: a warband keeps its dead
    from one campaign to the next.
    """
    narratives = {tale.id: tale for tale in tales}
    lasting = [played for played in battles if not played.battle.friendly]
    fell_in = {
        fighter: narratives[str(played.battle.pk)]
        for played in lasting
        for fighter in _killed_in(played)
    }
    killers = {
        slaying.victim: rolls.people.get(slaying.killer) for slaying in rolls.annals.slayings
    }
    hands = {
        fallen.at: fallen.by
        for tale in narratives.values()
        if not tale.friendly
        for side in tale.sides
        for fallen in side.fallen
    }
    stints = rolls.annals.stints
    candidates = (
        each
        for each in rolls.people.values()
        if each.fighter.id in stints or not each.fighter.battles
    )
    dead = [each for each in candidates if each.fighter.fate is Fate.DEAD]
    dead.sort(key=lambda each: _when(each, fell_in))
    return tuple(
        _fallen(
            rolls,
            each,
            fell_in.get(each.fighter.id),
            killers.get(each.fighter.id),
            hands.get(rolls.place(each.fighter.id), ()),
        )
        for each in dead
    )


def _remembered(rolls: HonourLists, of: CampaignService) -> dict[str, Any]:
    fighter, warband = of.fighter, of.warband
    stints = rolls.annals.stints.get(fighter.id, ())
    experience = rolls.annals.experience(fighter.id)
    return {
        "name": fighter.name,
        "at": rolls.place(fighter.id),
        "warband": warband.name,
        "colour": rolls.players[warband.pk].colour,
        "profile": fighter.profile_name,
        "rank": fighter.rank,
        "battles": fighter.battles,
        "tallies": tuple(
            each
            for each in counted(translated_tallies(rolls.rules.tallies), fighter.tallies)
            if each.count
        ),
        "strip": (strip := rolls.annals.strip(fighter.id, warband.pk)),
        "risen": _risen(rolls, of, len(strip)),
        "experience": experience if any(experience) else (),
        "felled": tuple(place for place, stint in enumerate(stints, start=1) if stint.felled),
        "looks": rolls.rules.sheet(fighter.build, of.terms, fighter.condition).looks,
        "picture": rolls.pictures.of(fighter.id),
    }


def _risen(rolls: HonourLists, of: CampaignService, length: int) -> tuple[int, ...]:
    """Return for each rank-up the number of battles in a strip of this length before it."""
    fought = rolls.annals.fought.get(of.warband.pk, ())
    stints = rolls.annals.stints.get(of.fighter.id, ())
    if not stints:
        return ()
    first = fought.index(stints[0].battle)
    rises = rolls.rises.get(of.fighter.id, ())
    return tuple(min(max(battles - first, 0), length) for battles in rises)


def _killed_in(played: BattleWithResult) -> list[str]:
    return [
        record.fighter
        for side in played.result.sides
        for record in played.records(side)
        if record.fate is Fate.DEAD
    ]


def _when(of: CampaignService, fell_in: Mapping[str, BattleNarrative]) -> tuple[Any, ...]:
    tale = fell_in.get(of.fighter.id)
    return (tale.number if tale else float("inf"), of.warband.name, of.fighter.place)


def _fallen(
    rolls: HonourLists,
    dead: CampaignService,
    tale: BattleNarrative | None,
    killer: CampaignService | None,
    hands: tuple[Person, ...],
) -> Fallen:
    killed_by = (
        Person(killer.fighter.name, rolls.place(killer.fighter.id)) if killer and tale else None
    )
    written = (Person(dead.fighter.end),) if dead.fighter.end else ()
    return Fallen(
        **_remembered(rolls, dead),
        battle=tale.named if tale else "",
        battle_at=f"battle-{tale.id}" if tale else "",
        fought_on=tale.fought_on if tale else "",
        by=(killed_by,) if killed_by else hands or written,
        killer=killed_by,
        killer_colour=rolls.players[killer.warband.pk].colour if killer and tale else "",
        how=end_label(ruleset_of_warband(dead.warband).loss_phrase(dead.fighter.wounds)),
    )
