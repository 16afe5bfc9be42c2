"""The honours of a campaign: its veterans, its records, its kills, and the dead by date."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from uuid import UUID

import msgspec
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle
from battles.rulebook_values import ruleset_of_battle
from battles.selectors.results import OF_A_BATTLE, confirmed, played_briefly, title_of
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign, Enrolment
from core.ruleset_words import end_label, translated_tallies
from drawings.bars import BarMark
from leagues.selectors.campaign_stats import campaign_stats, veterans_order
from rulebook.chronicle.states import GONE, FighterState
from rulebook.ruleset import Fate, Ruleset
from rulebook.values.rosters import TallyCount, counted
from warbands.models import Fighter

MAX_VETERANS, MAX_HOLDERS = 12, 3
"""A record with more holders than this is not an honour."""
LONGEST_STRIP = 40
CAMPAIGNS_KEPT = 32
"""The number of campaigns whose battle statistics a process caches."""
MIN_BATTLES = 2
"""The smallest number that counts as a record of battles or experience."""


class HonouredFighter(Struct, frozen=True, kw_only=True):
    """A fighter of the campaign with its record.

    ``strip`` has a mark for each of its last battles here.
    """

    id: UUID
    name: str
    warband: UUID
    warband_name: str
    colour: str
    profile: str
    rank: int
    battles: int
    earned: int
    tallies: tuple[TallyCount, ...]
    strip: tuple[BarMark, ...]


class Killer(Struct, frozen=True):
    """A fighter who killed another."""

    id: UUID
    name: str
    colour: str


class Fallen(HonouredFighter, frozen=True, kw_only=True):
    """A dead fighter with battle, kind of death and killer (``by`` if only the log has a name)."""

    battle: UUID | None
    battle_name: str
    fought_on: date | None
    how: str
    killer: Killer | None
    by: str


class Honour(Struct, frozen=True):
    """A record: the highest count of something, and its holders."""

    label: str
    count: int
    holders: tuple[HonouredFighter, ...]


class Honours(Struct, frozen=True):
    """The honours of a campaign.

    ``memorial`` has the dead, the latest first; ``killed`` has those with a known killer, in the
    order in which they fell.
    """

    honours: tuple[Honour, ...]
    veterans: tuple[HonouredFighter, ...]
    memorial: tuple[Fallen, ...]
    killed: tuple[Fallen, ...]

    def __bool__(self) -> bool:
        return bool(self.veterans or self.memorial)


class Deeds(Struct, frozen=True):
    """The statistics of a campaign's battles, by the ids of fighters.

    These are the last marks of each fighter, and the battles and killers of the dead.
    """

    strips: Mapping[str, tuple[BarMark, ...]]
    died_in: Mapping[str, UUID]
    killers: Mapping[str, str]


def honours(campaign: Campaign) -> Honours:
    """Return the campaign's honours. Four queries; seven if its battles have changed."""
    battles = list(confirmed(campaign.pk).filter(friendly=False).values_list("pk", "version"))
    rows = (
        Fighter.objects.filter(warband__enrolments__campaign=campaign)
        .select_related("warband")
        .defer("condition")
    )
    enrolments = list(
        Enrolment.objects.filter(warband__enrolments__campaign=campaign).order_by("enrolled_at")
    )
    latest = {each.warband_id: each.campaign_id for each in enrolments}
    people = {str(row.pk): row for row in rows}
    deeds = deeds_of(campaign.pk, tuple(battles))
    fatal = Battle.objects.filter(pk__in=set(deeds.died_in.values())).only(*OF_A_BATTLE)
    rolls = _Rolls(
        rules=ruleset_of_campaign(campaign),
        people=people,
        states={key: msgspec.convert(row.state, FighterState) for key, row in people.items()},
        colours={
            each.warband_id: each.colour for each in enrolments if each.campaign_id == campaign.pk
        },
        still_here=frozenset(
            warband for warband, latest in latest.items() if latest == campaign.pk
        ),
        deeds=deeds,
    )
    fallen = tuple(
        rolls.fallen([battle for battle, _ in battles], {each.pk: each for each in fatal})
    )
    return Honours(
        honours=tuple(rolls.honours(experience=campaign.shown.experience)),
        veterans=tuple(rolls.veterans()),
        memorial=tuple(reversed(fallen)),
        killed=tuple(each for each in fallen if each.killer),
    )


@lru_cache(maxsize=CAMPAIGNS_KEPT)
def deeds_of(campaign: UUID, battles: tuple[tuple[UUID, int], ...]) -> Deeds:
    """Return the statistics of these battles (ids and versions).

    Three queries if they are not cached.

    Cached until the battles or their versions change, because reading a thousand results takes much
    longer than the rest of the page.
    """
    battle_ids = {battle for battle, _ in battles}
    stats = campaign_stats(
        (each for each in played_briefly(campaign) if each.battle.pk in battle_ids), earnings=False
    )
    homes = Fighter.objects.filter(pk__in=stats.stints.keys()).values_list("pk", "warband")
    died = {fighter_id: stats.died_in(fighter_id) for fighter_id in stats.stints}
    return Deeds(
        strips={
            str(fighter_id): stats.strip(str(fighter_id), warband)[-LONGEST_STRIP:]
            for fighter_id, warband in homes
        },
        died_in={fighter_id: battle for fighter_id, battle in died.items() if battle},
        killers={slaying.victim: slaying.killer for slaying in stats.slayings},
    )


class _Rolls(Struct, frozen=True):
    """The fighters of a campaign, with their states and statistics.

    ``still_here`` are warbands that are in no later campaign.
    """

    rules: Ruleset
    people: Mapping[str, Fighter]
    states: Mapping[str, FighterState]
    colours: Mapping[UUID, str]
    still_here: frozenset[UUID]
    deeds: Deeds

    def served(self) -> list[str]:
        """Return the ids of those who fought in the campaign, the most renowned first."""
        fighter_ids = (fighter_id for fighter_id in self.deeds.strips if fighter_id in self.people)
        return sorted(
            fighter_ids, key=lambda fighter_id: veterans_order(self.rules, self.states[fighter_id])
        )

    def veterans(self) -> Iterator[HonouredFighter]:
        """Yield the most renowned fighters who are alive."""
        living = (
            fighter_id for fighter_id in self.served() if self.states[fighter_id].fate not in GONE
        )
        for _, fighter_id in zip(range(MAX_VETERANS), living, strict=False):
            yield self.remembered(fighter_id)

    def honours(self, *, experience: bool) -> Iterator[Honour]:
        """Yield the records for tallies, battles and experience, of the living and the dead."""
        served = self.served()
        for tally in translated_tallies(self.rules.tallies):
            yield from self.best(
                tally.label,
                {
                    fighter_id: self.states[fighter_id].tallies.get(tally.key, 0)
                    for fighter_id in served
                },
                1,
            )
        yield from self.best(
            gettext("Battles played"),
            {fighter_id: self.states[fighter_id].battles for fighter_id in served},
            MIN_BATTLES,
        )
        if experience:
            yield from self.best(
                gettext("Experience earned"),
                {fighter_id: self.states[fighter_id].earned for fighter_id in served},
                MIN_BATTLES,
            )

    def best(self, label: str, counts: Mapping[str, int], least: int) -> Iterator[Honour]:
        """Yield the record, unless it is less than ``least`` or too many fighters share it."""
        most = max(counts.values(), default=0)
        holders = [fighter_id for fighter_id, count in counts.items() if count == most]
        if most >= least and len(holders) <= MAX_HOLDERS:
            yield Honour(label, most, tuple(self.remembered(fighter_id) for fighter_id in holders))

    def fallen(self, order: Sequence[UUID], battles: Mapping[UUID, Battle]) -> Iterator[Fallen]:
        """Yield the dead in the order in which they fell, then those declared dead.

        ``order`` is the order of the battles.
        """
        places = {battle: place for place, battle in enumerate(order)}
        dead = {
            fighter_id: self.deeds.died_in.get(fighter_id)
            for fighter_id, state in self.states.items()
            if state.fate is Fate.DEAD
        }
        here = [
            fighter_id
            for fighter_id, battle in dead.items()
            if battle or self._ended_here(fighter_id)
        ]
        here.sort(key=lambda fighter_id: self._when(fighter_id, dead[fighter_id], places))
        for fighter_id in here:
            battle = dead[fighter_id]
            fought = battles[battle] if battle else None
            state, killer = (
                self.states[fighter_id],
                self.people.get(self.deeds.killers.get(fighter_id, "")) if fought else None,
            )
            yield Fallen(
                **msgspec.structs.asdict(self.remembered(fighter_id)),
                battle=fought.pk if fought else None,
                battle_name=title_of(fought, ruleset_of_battle(fought)) if fought else "",
                fought_on=fought.fought_on if fought else None,
                how=end_label(self.rules.loss_phrase(state.wounds)),
                killer=Killer(killer.pk, killer.name, self.colours.get(killer.warband_id, ""))
                if killer
                else None,
                by=state.end,
            )

    def _when(
        self, fighter_id: str, battle: UUID | None, places: Mapping[UUID, int]
    ) -> tuple[int, str, int]:
        row = self.people[fighter_id]
        return (places[battle] if battle else len(places), row.warband.name, row.place)

    def _ended_here(self, fighter_id: str) -> bool:
        """Return whether a fighter who did not fall in battle died in this campaign."""
        return (
            fighter_id in self.deeds.strips
            and self.people[fighter_id].warband_id in self.still_here
        )

    def remembered(self, fighter_id: str) -> HonouredFighter:
        """Return a fighter with its record."""
        row, state = self.people[fighter_id], self.states[fighter_id]
        return HonouredFighter(
            id=row.pk,
            name=row.name,
            warband=row.warband_id,
            warband_name=row.warband.name,
            colour=self.colours.get(row.warband_id, ""),
            profile=row.profile_name,
            rank=state.rank,
            battles=state.battles,
            earned=state.earned,
            tallies=tuple(
                each
                for each in counted(translated_tallies(self.rules.tallies), state.tallies)
                if each.count
            ),
            strip=self.deeds.strips.get(fighter_id, ()),
        )
